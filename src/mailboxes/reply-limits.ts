// How many replies a token may write, and how many go into one thread, in any hour. Those that wait for a person or were refused by one
// count as well.

import { and, count, eq, gt, ne } from 'drizzle-orm'
import { heldReplies, mailboxReplies } from '../../db/tables/mailboxes.ts'
import type { Reader, Tx } from '../app.ts'
import { hour } from '../lib/duration.ts'
import { AppError } from '../lib/error.ts'

/** In any hour. */
export const repliesPerToken = 20
const repliesPerThread = 20

/** In the hour before `now`. */
export async function countReplies(
  { db }: Reader,
  column: 'tokenId' | 'threadId',
  id: string,
  now: Date,
): Promise<number> {
  const since = new Date(now.getTime() - hour)
  const [sent] = await db
    .select({ total: count() })
    .from(mailboxReplies)
    .where(and(eq(mailboxReplies[column], id), gt(mailboxReplies.createdAt, since)))
  // One that was approved is sent.
  const [held] = await db
    .select({ total: count() })
    .from(heldReplies)
    .where(and(eq(heldReplies[column], id), gt(heldReplies.createdAt, since), ne(heldReplies.state, 'approved')))
  return (sent?.total ?? 0) + (held?.total ?? 0)
}

export async function refuseTooMany(tx: Tx, tokenId: string, threadId: string): Promise<void> {
  if (
    (await countReplies(tx, 'tokenId', tokenId, tx.now)) < repliesPerToken &&
    (await countReplies(tx, 'threadId', threadId, tx.now)) < repliesPerThread
  )
    return
  const message = `a token sends at most ${repliesPerToken} replies an hour, and ${repliesPerThread} into one thread`
  throw new AppError('rate_limit_exceeded', message, { retryAfterSeconds: hour / repliesPerToken / 1000 })
}
