// Mail kept by capture mode: stored by the capture transport, read here. There is none once SMTP_URL is set.

import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import { capturedMails, capturedSources } from '../../../../db/tables/messages.ts'
import type { App, Tx } from '../../../core/app.ts'
import { deleteSomePieces, type Pieces } from '../../../core/pieces.ts'
import { AppError } from '../../../kit/error.ts'
import { createPace } from '../../../kit/turn.ts'
import type { ParsedMail } from '../../../mail/parse-mime.ts'
import { type RawMail, toRawMail } from '../../../mail/raw-mail.ts'

export const capturedPieces: Pieces = {
  table: capturedSources,
  owner: capturedSources.sourceId,
  number: capturedSources.number,
  prefix: 'cap',
  stored: { table: capturedMails, id: capturedMails.sourceId },
}

type CapturedRow = typeof capturedMails.$inferSelect

export interface CapturedMail {
  row: CapturedRow
  raw: RawMail
  mail: ParsedMail
}

/** A mail of one of these workspaces. Throws not_found. */
export async function getCaptured(app: App, workspaceIds: string[], id: number): Promise<CapturedMail> {
  return await read(app, await getRow(app, workspaceIds, id))
}

/** Only its source. Throws not_found. */
export async function sourceOfCaptured(app: App, workspaceIds: string[], id: number): Promise<RawMail> {
  return await toRawMail(await loadSource(app, await getRow(app, workspaceIds, id)))
}

/** An id as it stands in an address. Throws not_found. */
export function idOfCaptured(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new AppError('not_found', 'There is no such captured mail.')
  return Number(text)
}

async function getRow(app: App, workspaceIds: string[], id: number): Promise<CapturedRow> {
  const one = and(eq(capturedMails.id, id), inArray(capturedMails.workspaceId, workspaceIds))
  const [row] = await app.db.select().from(capturedMails).where(one)
  if (!row) throw new AppError('not_found', 'There is no such captured mail.')
  return row
}

/** Its message; null for a mail of the installation itself. */
export function messageIdOf({ messageIdHeader }: Pick<CapturedRow, 'messageIdHeader'>): string | null {
  const [id = ''] = messageIdHeader.split('@')
  return id.startsWith('msg_') ? id : null
}

/** The captured mail of a message, or null. */
export async function findCapturedByMessage(app: App, messageIdHeader: string): Promise<CapturedMail | null> {
  const [row] = await app.db.select().from(capturedMails).where(eq(capturedMails.messageIdHeader, messageIdHeader))
  return row ? await read(app, row) : null
}

async function read(app: App, row: CapturedRow): Promise<CapturedMail> {
  const raw = await toRawMail(await loadSource(app, row))
  return { row, raw, mail: await app.mailReader.parse(raw) }
}

/** The captured mail as it would have been sent. */
export async function loadSource(app: App, { raw, sourceId }: CapturedRow): Promise<Buffer[]> {
  if (sourceId === null) return [raw]
  const pace = createPace()
  const { number, data } = capturedSources
  const ofMail = eq(capturedSources.sourceId, sourceId)
  const numbers = await app.db.select({ number }).from(capturedSources).where(ofMail).orderBy(asc(number))
  const pieces: Buffer[] = []
  for (const row of numbers) {
    const [piece] = await app.db
      .select({ data })
      .from(capturedSources)
      .where(and(ofMail, eq(number, row.number)))
    if (piece) pieces.push(piece.data)
    await pace()
  }
  return pieces
}

/** Deletes some pieces of the captured mail of these messages. Returns how many; call until 0. */
export async function deleteSomeOfCaptured(tx: Tx, messageIdHeaders: string[]): Promise<number> {
  const large = and(inArray(capturedMails.messageIdHeader, messageIdHeaders), isNotNull(capturedMails.sourceId))
  const rows = await tx.db.select({ sourceId: capturedMails.sourceId }).from(capturedMails).where(large)
  return await deleteSomePieces(
    tx,
    capturedPieces,
    rows.flatMap(({ sourceId }) => sourceId ?? []),
  )
}

/** Deletes the captured mail of these messages, and the rest of its pieces. */
export async function deleteCaptured(tx: Tx, messageIdHeaders: string[]): Promise<void> {
  const gone = await tx.db
    .delete(capturedMails)
    .where(inArray(capturedMails.messageIdHeader, messageIdHeaders))
    .returning({ sourceId: capturedMails.sourceId })
  const sourceIds = gone.flatMap(({ sourceId }) => (sourceId === null ? [] : [sourceId]))
  if (sourceIds.length > 0) await tx.db.delete(capturedSources).where(inArray(capturedSources.sourceId, sourceIds))
}
