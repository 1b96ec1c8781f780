// How many replies a token or a person may write, and how many go into one thread, per hour, with those that wait for approval or were
// refused; and how many wait at a time.

import { and, count, eq, gt, ne } from 'drizzle-orm'
import { mailboxDrafts, mailboxReplies } from '../../../db/tables/mailboxes.ts'
import type { Reader, Tx } from '../../core/app.ts'
import type { Actor } from '../../kit/act.ts'
import { hour } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'

/** In any hour. */
export const repliesPerToken = 20
const repliesPerPerson = 200
const repliesPerThread = 20

export type Author = Actor & { kind: 'mailbox_token' | 'oauth_grant' | 'person' }

export function authorOfId(id: string): Author {
  if (id.startsWith('usr_')) return { kind: 'person', id }
  return { kind: id.startsWith('oag_') ? 'oauth_grant' : 'mailbox_token', id }
}

const columns = {
  author: [mailboxReplies.authorId, mailboxDrafts.authorId],
  thread: [mailboxReplies.threadId, mailboxDrafts.threadId],
} as const

/** In the hour before `now`. */
export async function countReplies({ db }: Reader, by: keyof typeof columns, id: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - hour)
  const [ofSent, ofHeld] = columns[by]
  const [sent] = await db
    .select({ total: count() })
    .from(mailboxReplies)
    .where(and(eq(ofSent, id), gt(mailboxReplies.createdAt, since)))
  // One that was approved is sent.
  const [held] = await db
    .select({ total: count() })
    .from(mailboxDrafts)
    .where(and(eq(ofHeld, id), gt(mailboxDrafts.createdAt, since), ne(mailboxDrafts.state, 'approved')))
  return (sent?.total ?? 0) + (held?.total ?? 0)
}

export async function refuseTooMany(tx: Tx, author: Author, threadId: string): Promise<void> {
  const [who, most] = author.kind === 'person' ? ['person', repliesPerPerson] : ['token', repliesPerToken]
  if (
    (await countReplies(tx, 'author', author.id, tx.now)) < most &&
    (await countReplies(tx, 'thread', threadId, tx.now)) < repliesPerThread
  )
    return
  const message = `a ${who} sends at most ${most} replies an hour, and ${repliesPerThread} into one thread`
  throw new AppError('rate_limit_exceeded', message, { retryAfterSeconds: hour / repliesPerThread / 1000 })
}

/** Of one mailbox. */
const mostWaiting = 100

/** Of a person's patience: whoever floods them gets a yes to what was not read. */
export async function refuseTooManyDrafts({ db }: Reader, mailboxId: string): Promise<void> {
  const [row] = await db
    .select({ total: count() })
    .from(mailboxDrafts)
    .where(and(eq(mailboxDrafts.mailboxId, mailboxId), eq(mailboxDrafts.state, 'waiting')))
  if ((row?.total ?? 0) < mostWaiting) return
  const message = `${mostWaiting} mails of this mailbox wait for a person already: they decide on those first`
  throw new AppError('rate_limit_exceeded', message, { retryAfterSeconds: hour / 1000 })
}
