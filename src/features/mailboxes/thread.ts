// A conversation of a mailbox: the received mails, and the replies with their texts.

import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { contentRevisions } from '../../../db/tables/content-revisions.ts'
import { mailboxDrafts, mailboxReplies, type ReplyContent, receivedMessages } from '../../../db/tables/mailboxes.ts'
import { messages } from '../../../db/tables/messages.ts'
import type { App, Reader } from '../../core/app.ts'
import type { Actor } from '../../kit/act.ts'
import { erasedAddress } from '../../kit/email-address.ts'
import { inTurn } from '../../kit/turn.ts'
import { loadNames } from '../../people/access/audit/lines.ts'
import { sentWords, writtenText } from './outgoing.ts'
import type { ReceivedMessage } from './receive.ts'
import { authorOfId } from './reply-limits.ts'
import { withSnippets } from './snippets.ts'

/** Of each kind, the oldest. */
export const mostShown = 100

type Thread = Pick<ReceivedMessage, 'workspaceId' | 'mailboxId' | 'threadId'>

/** Sent (`id` is in Email Activity), or of those that a person decides about. */
export interface Answer {
  id: string
  status: 'sent' | 'waiting' | 'refused'
  receivedId: string | null
  at: Date
  author: Actor & { name: string | null }
  /** Null once its words are gone. */
  text: string | null
}

interface AnswerRow extends Omit<Answer, 'author' | 'text'> {
  authorId: string
  said: ReplyContent | null
}

/** Oldest first, at most 100 behind the mail `after`. */
export async function listThread(
  app: App,
  { mailboxId, threadId }: Omit<Thread, 'workspaceId'>,
  after = '',
): Promise<ReceivedMessage[]> {
  const rows = await app.db
    .select()
    .from(receivedMessages)
    .where(
      and(
        eq(receivedMessages.mailboxId, mailboxId),
        eq(receivedMessages.threadId, threadId),
        gt(receivedMessages.id, after),
      ),
    )
    .orderBy(asc(receivedMessages.id))
    .limit(mostShown)
  return await withSnippets(app, rows)
}

/** What was answered in a thread, oldest first; of each kind at most 100 behind the answer `after`. */
export async function listAnswers(reader: Reader, thread: Thread, after = ''): Promise<Answer[]> {
  const found = [...(await listSent(reader, thread, after)), ...(await listDrafted(reader, thread, after))]
  const names = await loadNames(
    reader,
    found.map(({ authorId }) => authorOfId(authorId)),
  )
  const answers: Answer[] = []
  for (const { authorId, said, ...one } of found) {
    const author = { ...authorOfId(authorId), name: names.get(authorId) ?? null }
    // Rendering a tree takes time.
    const text = said === null ? null : (said.text ?? (await inTurn(thread.workspaceId, () => writtenText(said))))
    answers.push({ ...one, author, text })
  }
  return answers.sort((one, other) => one.at.getTime() - other.at.getTime())
}

async function listSent({ db }: Reader, { mailboxId, threadId }: Thread, after: string): Promise<AnswerRow[]> {
  const { messageId: id, receivedId, authorId, createdAt: at } = mailboxReplies
  const { variables, email } = messages
  const rows = await db
    .select({ id, receivedId, authorId, at, variables, email, content: contentRevisions.content })
    .from(mailboxReplies)
    .leftJoin(messages, eq(messages.id, id))
    .leftJoin(contentRevisions, eq(contentRevisions.id, messages.revisionId))
    .where(and(eq(mailboxReplies.threadId, threadId), eq(mailboxReplies.mailboxId, mailboxId), gt(id, after)))
    .orderBy(asc(at))
    .limit(mostShown)
  return rows.map(({ variables: values, email: to, content, ...one }) => {
    const isGone = values === null || content === null || to === erasedAddress
    return { ...one, status: 'sent', said: isGone ? null : sentWords(content as unknown[], values) }
  })
}

async function listDrafted({ db }: Reader, { mailboxId, threadId }: Thread, after: string): Promise<AnswerRow[]> {
  const { id, receivedId, authorId, createdAt: at, state, said } = mailboxDrafts
  const rows = await db
    .select({ id, receivedId, authorId, at, state, said })
    .from(mailboxDrafts)
    // One that was approved is sent, and what was withdrawn nobody has to know.
    .where(
      and(
        eq(mailboxDrafts.threadId, threadId),
        eq(mailboxDrafts.mailboxId, mailboxId),
        inArray(state, ['waiting', 'refused']),
        gt(id, after),
      ),
    )
    .orderBy(asc(at))
    .limit(mostShown)
  return rows.map(({ state: was, ...one }) => ({ ...one, status: was === 'waiting' ? 'waiting' : 'refused' }))
}
