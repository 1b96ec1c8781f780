// The received mail of a mailbox: read, marked, and deleted when its retention ends. Every query names the mailbox, so the id of another
// mailbox's message finds nothing.

import { and, count, eq, inArray, sql } from 'drizzle-orm'
import {
  mailboxDrafts,
  mailboxes,
  mailboxReplies,
  mcpCalls,
  receivedLabels,
  receivedMessages,
} from '../../../db/tables/mailboxes.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import { deleteSomePieces } from '../../core/pieces.ts'
import { AppError } from '../../kit/error.ts'
import { firstId } from '../../kit/id.ts'
import { type RawMail, toRawMail } from '../../mail/raw-mail.ts'
import type { ReceivedMail } from '../../mail/received-mail.ts'
import type { ReceivedMessage } from './receive.ts'
import { deleteSomeTexts } from './search-index.ts'
import { toSnippet } from './snippets.ts'
import { readSource, sourcePieces } from './sources.ts'

/** A request never counts more than this. */
const maxCounted = 10_000

/** How many messages there are, at most 10,000. */
export async function countReceived(reader: Reader, mailboxId: string): Promise<number> {
  const some = reader.db
    .select({ id: receivedMessages.id })
    .from(receivedMessages)
    .where(eq(receivedMessages.mailboxId, mailboxId))
    .limit(maxCounted)
  const [row] = await reader.db.select({ total: count() }).from(some.as('some'))
  return row?.total ?? 0
}

export interface ReadMessage {
  row: ReceivedMessage
  mail: ReceivedMail
  /** The words of this mail, and those of the mails it quotes. */
  own: string
  quoted: string
}

/** Throws `not_found`, also for another mailbox's. */
export async function readMessage(app: App, mailboxId: string, id: string): Promise<ReadMessage> {
  const { row, raw } = await getSource(app, mailboxId, id)
  const { mail, own, quoted } = await app.mailReader.read(raw)
  return { row: { ...row, snippet: toSnippet(own) }, mail, own, quoted }
}

/** A mail as it came. Throws `not_found`, also for another mailbox's. */
export async function getSource(
  reader: Reader,
  mailboxId: string,
  id: string,
): Promise<{ row: ReceivedMessage; raw: RawMail }> {
  const row = await getReceived(reader, mailboxId, id)
  const pieces = await readSource(reader, id)
  if (pieces) return { row, raw: await toRawMail(pieces) }
  throw noMessage(id)
}

/** Throws `not_found`, also for another mailbox's. */
export async function getReceived(reader: Reader, mailboxId: string, id: string): Promise<ReceivedMessage> {
  const [row] = await reader.db
    .select()
    .from(receivedMessages)
    .where(and(eq(receivedMessages.mailboxId, mailboxId), eq(receivedMessages.id, id)))
  if (row) return row
  throw noMessage(id)
}

export function noMessage(id: string): AppError {
  return new AppError('not_found', `there is no message ${JSON.stringify(id.slice(0, 80))} in this mailbox`)
}

/** Answered, or marked by a person. */
export async function markRead(tx: Tx, id: string, isRead: boolean): Promise<void> {
  await tx.db
    .update(receivedMessages)
    .set({ readAt: isRead ? sql`coalesce(read_at, ${tx.now.getTime()})` : null })
    .where(eq(receivedMessages.id, id))
}

/** A transaction of the retention removes at most so many mails, for their sources may be large, and so many small rows. */
const mailsPerDelete = 50
const rowsPerDelete = 200

const deletedMailboxes = sql`(SELECT id FROM ${mailboxes} WHERE deleted_at IS NOT NULL)`

/** Deletes mail that came before `horizon`, and that of deleted mailboxes. Returns how many; call until 0. */
export async function deleteOldMail(tx: Tx, horizon: Date): Promise<number> {
  const old = await tx.db
    .select({ id: receivedMessages.id })
    .from(receivedMessages)
    .where(sql`created_at < ${horizon.getTime()} OR mailbox_id IN ${deletedMailboxes}`)
    .limit(mailsPerDelete)
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return 0
  const pieces = await deleteSomePieces(tx, sourcePieces, ids)
  if (pieces > 0) return pieces
  const texts = await deleteSomeTexts(tx, ids)
  if (texts > 0) return texts
  await tx.db.delete(receivedLabels).where(inArray(receivedLabels.receivedId, ids))
  await tx.db.delete(receivedMessages).where(inArray(receivedMessages.id, ids))
  return ids.length
}

/** Deletes the record of replies and of calls made before `horizon`, and held replies of deleted mailboxes. Returns how many; call until 0. */
export async function deleteOldRecords(tx: Tx, horizon: Date): Promise<number> {
  const replies = await tx.db
    .delete(mailboxReplies)
    .where(
      sql`message_id IN (SELECT message_id FROM ${mailboxReplies} WHERE message_id < ${firstId('msg', horizon)} LIMIT ${rowsPerDelete})`,
    )
    .returning({ id: mailboxReplies.messageId })
  const calls = await tx.db
    .delete(mcpCalls)
    .where(sql`id IN (SELECT id FROM ${mcpCalls} WHERE created_at < ${horizon.getTime()} LIMIT ${rowsPerDelete})`)
    .returning({ id: mcpCalls.id })
  const held = await tx.db
    .delete(mailboxDrafts)
    .where(
      sql`id IN (SELECT id FROM ${mailboxDrafts} WHERE id < ${firstId('msg', horizon)} OR mailbox_id IN ${deletedMailboxes} LIMIT ${rowsPerDelete})`,
    )
    .returning({ id: mailboxDrafts.id })
  return replies.length + calls.length + held.length
}
