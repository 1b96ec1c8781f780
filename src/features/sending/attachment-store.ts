// Stores attachments of accepted messages until they are sent and expired. A large one is stored in pieces, because a libSQL server accepts
// no value above about 4 MB and returns at most 10 MB.

import { and, asc, eq, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { messageAttachments, messages } from '../../../db/tables/messages.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import { deleteSomePieces, type Pieces, storeAhead } from '../../core/pieces.ts'
import { firstId } from '../../kit/id.ts'
import { base64Lines } from '../../mail/base64-lines.ts'
import type { MessageAttachment } from '../../mail/mime.ts'
import { pieceBytes } from '../../mail/raw-mail.ts'
import type { Attachment } from './attachments.ts'

/** The row of attachment 2 has number 2; its further pieces have 12, 22, 32 … */
const step = 10

export const attachmentPieces: Pieces = {
  table: messageAttachments,
  owner: messageAttachments.messageId,
  number: messageAttachments.number,
  prefix: 'msg',
  // A refusal that was only logged sends nothing.
  stored: { table: messages, id: messages.id, where: sql`job_id IS NOT NULL` },
}

/** For the transaction of their message: true when they have to be stored ahead. */
export function isTooMuch(attachments: Attachment[]): boolean {
  return attachments.reduce((sum, { data }) => sum + data.length, 0) > pieceBytes
}

export async function storeAttachmentsAhead(app: App, messageId: string, attachments: Attachment[]): Promise<void> {
  const rows = [...rowsOf(messageId, attachments)]
  await storeAhead(
    app,
    rows.map((row) => (tx: Tx) => tx.db.insert(messageAttachments).values(row)),
  )
}

/** Stored together with their message. */
export async function insertAttachments(tx: Tx, messageId: string, attachments: Attachment[]): Promise<void> {
  for (const row of rowsOf(messageId, attachments)) await tx.db.insert(messageAttachments).values(row)
}

function* rowsOf(messageId: string, attachments: Attachment[]): Generator<typeof messageAttachments.$inferInsert> {
  for (const [index, { data, ...about }] of attachments.entries()) {
    // At least one piece, because a file may be empty.
    for (let at = 0; at === 0 || at < data.length; at += pieceBytes) {
      const piece = data.subarray(at, at + pieceBytes)
      const number = index + 1 + (at / pieceBytes) * step
      yield { messageId, number, ...about, sizeBytes: piece.length, data: piece }
    }
  }
}

const listPieces = prepared((db: ReadDb) =>
  db
    .select({
      number: messageAttachments.number,
      filename: messageAttachments.filename,
      contentType: messageAttachments.contentType,
      contentId: messageAttachments.contentId,
    })
    .from(messageAttachments)
    .where(eq(messageAttachments.messageId, sql.placeholder('messageId')))
    .orderBy(asc(messageAttachments.number))
    .prepare(),
)

const readPiece = prepared((db: ReadDb) =>
  db
    .select({ data: messageAttachments.data })
    .from(messageAttachments)
    .where(
      and(
        eq(messageAttachments.messageId, sql.placeholder('messageId')),
        eq(messageAttachments.number, sql.placeholder('number')),
      ),
    )
    .prepare(),
)

/** As they go into a mail, in the given order. */
export async function loadAttachments(reader: Reader, messageId: string): Promise<MessageAttachment[]> {
  const rows = await listPieces(reader.db).all({ messageId })
  const attachments: MessageAttachment[] = []
  for (const { number, ...about } of rows.filter((row) => row.number < step)) {
    const numbers = rows.filter((one) => one.number % step === number).map((one) => one.number)
    attachments.push({ ...about, lines: await base64Lines(piecesOf(reader, messageId, numbers)) })
  }
  return attachments
}

async function* piecesOf(reader: Reader, messageId: string, numbers: number[]): AsyncGenerator<Buffer> {
  for (const number of numbers) {
    const piece = await readPiece(reader.db).get({ messageId, number })
    if (piece) yield piece.data
  }
}

/** Gives a message that is to be stored those of another one, piece by piece. Returns how many pieces there are. */
export async function copyAttachmentsAhead(app: App, from: string, to: string): Promise<number> {
  const numbers = (await listPieces(app.db).all({ messageId: from })).map(({ number }) => number)
  const copy = (number: number) => async (tx: Tx) =>
    void (await tx.db.run(sql`INSERT INTO message_attachments (message_id, number, filename, content_type, content_id, size_bytes, data)
      SELECT ${to}, number, filename, content_type, content_id, size_bytes, data FROM message_attachments
      WHERE message_id = ${from} AND number = ${number}`))
  await storeAhead(app, numbers.map(copy))
  return numbers.length
}

const messagesAtOnce = 20

/** Deletes attachments of finished messages that were accepted before `horizon`. Returns how many; call until 0. */
export async function deleteOldAttachments(tx: Tx, horizon: Date): Promise<number> {
  const ended = await tx.db.all<{ id: string }>(
    sql`SELECT DISTINCT a.message_id AS id FROM message_attachments a JOIN messages m ON m.id = a.message_id
      WHERE a.message_id < ${firstId('msg', horizon)} AND m.created_at < ${horizon.getTime()}
        AND m.status NOT IN ('queued', 'sending', 'delayed', 'uncertain') LIMIT ${messagesAtOnce}`,
  )
  return await deleteSomePieces(
    tx,
    attachmentPieces,
    ended.map(({ id }) => id),
  )
}
