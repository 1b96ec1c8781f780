// Messages whose content is their caller's own instead of a template's: a subject with HTML, which is written anew (own-html.ts), and text;
// or a whole mail, as it came by SMTP. It is kept until it is sent and expired. Recipients that get the same content share it.

import { and, eq, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { contentSources, messageContents } from '../../../db/tables/messages.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import { deletePieces, deleteSomePieces, type Pieces, storeAhead } from '../../core/pieces.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { firstId, newId } from '../../kit/id.ts'
import { isOneLine, notOneLine } from '../../kit/text.ts'
import { createPace } from '../../kit/turn.ts'
import { fillMessage, type MessageAttachment, type MimeMessage } from '../../mail/mime.ts'
import { type EncodedPiece, encodePiece } from '../../mail/quoted-printable.ts'
import { type RawMail, toRawMail, toText } from '../../mail/raw-mail.ts'
import type { SubmittedHead } from '../../mail/submitted-mail.ts'
import { pictureAddress, publicBase, withPicturesAt } from '../../people/links/base.ts'
import { getWorkspace } from '../../people/workspaces.ts'
import { loadShown } from './activity/groups.ts'
import { controlsRelay } from './headers.ts'
import type { MailMessage } from './mail-rows.ts'
import { type OwnHtml, type WriteHtml, writeOwnHtml } from './own-html.ts'

export interface OwnParts {
  kind: 'parts'
  subject: string
  html?: string | undefined
  text?: string | undefined
}

type OwnContent = OwnParts | { kind: 'mime'; raw: RawMail }

/** A content that was checked, to be given to queueOwn() (queue-own.ts). */
export interface Content {
  id: string
  kind: OwnContent['kind']
  subject: string
  /** What of it is not sent. */
  warnings: Issue[]
  /** The pictures that it shows as `cid:…`, and that have to be attached. */
  shows: string[]
  /** Still to be stored: it is small enough for the transaction of its messages. */
  piece: Buffer | null
}

const maxMailBytes = 25 * 1024 * 1024
const maxPartChars = 2_000_000
export const maxSubjectChars = 1_000

export const contentPieces: Pieces = {
  table: contentSources,
  owner: contentSources.sourceId,
  number: contentSources.number,
  prefix: 'cnt',
  stored: { table: messageContents, id: messageContents.sourceId },
}

/** Throws 422 naming the field; 413 for what is too large. */
export async function partsContent(
  app: App,
  parts: OwnParts,
  write: WriteHtml = (html) => writeOwnHtml(app, html),
): Promise<Content> {
  const { subject, html, text } = parts
  if (html === undefined && text === undefined) throw invalidField('html', 'send html, text, or both', 'required')
  if (!isOneLine(subject)) throw invalidField('subject', notOneLine, 'control_character')
  if (subject.length > maxSubjectChars) throw invalidField('subject', `must have at most ${maxSubjectChars} characters`)
  for (const [path, value] of Object.entries({ html, text })) checkLength(path, value ?? '')
  const none: Partial<OwnHtml> & Pick<OwnHtml, 'warnings' | 'shows'> = { warnings: [], shows: [] }
  const { html: written, warnings, shows } = html === undefined ? none : await write(html)
  checkLength('html', written ?? '')
  const raw = await toRawMail([Buffer.from(JSON.stringify({ subject, html: written, text, warnings }))])
  return { ...(await keptContent(app, { kind: 'parts', subject, raw })), warnings, shows }
}

function checkLength(path: string, value: string): void {
  if (value.length > maxPartChars)
    throw tooLarge(path, `must have at most ${maxPartChars} characters, not ${value.length}`)
}

/** The head is for the caller: who sends it has to be checked (chooseSender). Throws 422 naming what is malformed; 413 for what is too large. */
export async function mimeContent(app: App, raw: RawMail): Promise<Content & { head: SubmittedHead }> {
  const head = await mimeHead(raw)
  const none = { warnings: [], shows: [] }
  return { ...(await keptContent(app, { kind: 'mime', subject: head.subject, raw })), ...none, head }
}

/** Of a whole mail. Throws 422 naming what is malformed; 413 for what is too large. */
export async function mimeHead(raw: RawMail): Promise<SubmittedHead> {
  if (raw.bytes > maxMailBytes) throw tooLarge('raw', `has ${raw.bytes} bytes; the limit is ${maxMailBytes} (25 MB)`)
  const head = await readHead(raw)
  const steering = head.fields.find(([name]) => controlsRelay(name.toLowerCase()))?.[0]
  if (steering !== undefined)
    throw invalidField('raw', `the header ${steering} may not be set: it controls mail providers`, 'not_allowed')
  return head
}

async function readHead(raw: RawMail): Promise<SubmittedHead> {
  const { MalformedMail, readSubmitted } = await import('../../mail/submitted-mail.ts')
  try {
    return await readSubmitted(raw)
  } catch (error) {
    if (error instanceof MalformedMail) throw invalidField('raw', error.message, 'malformed')
    throw error
  }
}

function tooLarge(path: string, message: string): AppError {
  return new AppError('payload_too_large', `${path} ${message}`, { errors: [{ path, message, code: 'too_large' }] })
}

/** One that is too large for a transaction is stored now; one that is never queued is swept, or deleted by forgetContent(). */
async function keptContent(
  app: App,
  { kind, subject, raw }: { kind: Content['kind']; subject: string; raw: RawMail },
): Promise<Omit<Content, 'warnings' | 'shows'>> {
  const id = newId(app, 'cnt', app.clock.now())
  const [piece = Buffer.alloc(0), ...others] = raw.pieces
  if (others.length === 0) return { id, kind, subject, piece }
  const rows = raw.pieces.map((data, number) => ({ sourceId: id, number, data }))
  await storeAhead(
    app,
    rows.map((row) => (tx: Tx) => tx.db.insert(contentSources).values(row)),
  )
  return { id, kind, subject, piece: null }
}

/** Of a content that no message was queued with. What cannot be deleted now is swept later. */
export async function forgetContent(app: App, { id, piece }: Content): Promise<void> {
  if (piece === null) await deletePieces(app, contentPieces, id).catch(() => {})
}

/** Unsigned; null when its content is gone. */
export async function ownMail(
  app: App,
  message: MailMessage,
  attachments: MessageAttachment[],
): Promise<MimeMessage | null> {
  const row = await findRow(app.db).get({ messageId: message.id })
  const raw = row && (await loadSource(app, row))
  if (!raw) return null
  const given = { messageId: message.messageIdHeader, date: app.clock.now() }
  if (row.kind === 'mime') {
    const { completed } = await import('../../mail/submitted-mail.ts')
    return await completed(raw, given)
  }
  const parts: KeptParts = JSON.parse(await toText(raw))
  const moved = (text: string | undefined) => withPictures(app, message.workspaceId, text)
  return fillMessage(
    { html: await encoded(await moved(await writtenHtml(app, parts))), text: await encoded(await moved(parts.text)) },
    {
      ...given,
      from: { name: message.fromName, address: message.fromEmail },
      ...(await loadShown(app, message)),
      replyTo: message.replyTo === null ? null : { name: null, address: message.replyTo },
      subject: parts.subject,
      headers: message.headers ?? {},
      htmlValues: [],
      textValues: [],
      attachments,
    },
  )
}

/** Its pictures of the library at the host of its workspace, which only a mail that has any is asked for. */
async function withPictures(app: App, workspaceId: string, text: string | undefined): Promise<string | undefined> {
  if (!text?.includes(pictureAddress(app.config))) return text
  const workspace = await app.share(`workspace ${workspaceId}`, () => getWorkspace(app, workspaceId))
  return withPicturesAt(app.config, publicBase(app.config, workspace), text)
}

interface KeptParts extends OwnParts {
  /** Not there in what was accepted while HTML was kept as given. */
  warnings?: Issue[]
}

async function writtenHtml(app: App, { html, warnings }: KeptParts): Promise<string | undefined> {
  return html === undefined || warnings !== undefined ? html : (await writeOwnHtml(app, html)).html
}

/** As it is sent, while it is kept; null for a whole mail. */
export async function findOwnParts(reader: Reader, messageId: string): Promise<OwnParts | null> {
  const row = await findRow(reader.db).get({ messageId })
  const raw = row?.kind === 'parts' ? await loadSource(reader, row) : null
  return raw && JSON.parse(await toText(raw))
}

export interface ShownContent {
  subject: string
  html: string | null
  text: string | null
  /** What of its HTML was left out. */
  warnings: Issue[]
}

/** As its reader sees it; null when it is gone. */
export async function readOwnContent(app: App, messageId: string): Promise<ShownContent | null> {
  const row = await findRow(app.db).get({ messageId })
  const raw = row && (await loadSource(app, row))
  if (!raw) return null
  const { subject, html, text, warnings }: Partial<ShownContent> =
    row.kind === 'mime' ? await app.mailReader.parse(raw) : JSON.parse(await toText(raw))
  return { subject: subject ?? '', html: html ?? null, text: text ?? null, warnings: warnings ?? [] }
}

/** The content of a message, for another one that shares it; null when it is gone. */
export async function findContent(
  reader: Reader,
  { id, subject }: { id: string; subject: string },
): Promise<Content | null> {
  const row = await findRow(reader.db).get({ messageId: id })
  return row ? { id: row.sourceId, kind: row.kind, subject, warnings: [], shows: [], piece: null } : null
}

async function loadSource(reader: Reader, { sourceId, last }: ContentRow): Promise<RawMail | null> {
  if (last === null) return null
  const pace = createPace()
  const pieces: Buffer[] = []
  for (let number = 0; number <= last; number++) {
    const piece = await readPiece(reader.db).get({ sourceId, number })
    if (!piece) return null
    pieces.push(piece.data)
    await pace()
  }
  return { pieces, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0) }
}

interface ContentRow {
  sourceId: string
  /** The number of its last piece; null when it is gone. */
  last: number | null
}

const readPiece = prepared((db: ReadDb) =>
  db
    .select({ data: contentSources.data })
    .from(contentSources)
    .where(
      and(
        eq(contentSources.sourceId, sql.placeholder('sourceId')),
        eq(contentSources.number, sql.placeholder('number')),
      ),
    )
    .prepare(),
)

const findRow = prepared((db: ReadDb) =>
  db
    .select({
      kind: messageContents.kind,
      sourceId: messageContents.sourceId,
      last: sql<number | null>`(SELECT max(number) FROM content_sources WHERE source_id = message_contents.source_id)`,
    })
    .from(messageContents)
    .where(eq(messageContents.messageId, sql.placeholder('messageId')))
    .prepare(),
)

const chunkChars = 64 * 1024

/** Chunk by chunk, each ending with a line where there is one. */
async function encoded(text: string | undefined): Promise<EncodedPiece[] | null> {
  if (text === undefined) return null
  const pace = createPace()
  const pieces: EncodedPiece[] = []
  for (let at = 0; at < text.length; ) {
    await pace()
    const end = chunkEnd(text, at)
    pieces.push(encodePiece(text.slice(at, end)))
    at = end
  }
  return pieces
}

function chunkEnd(text: string, at: number): number {
  const end = at + chunkChars
  if (end >= text.length) return text.length
  const line = text.lastIndexOf('\n', end - 1)
  if (line >= at) return line + 1
  // What belongs together stays so: the halves of a character, a CR with its LF.
  return /[\r\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
}

const open = sql`('queued', 'sending', 'delayed', 'uncertain')`
const sourcesAtOnce = 20

/** Deletes contents of finished messages that were accepted before `horizon`. Returns how many; call until 0. */
export async function deleteOldContents(tx: Tx, horizon: Date): Promise<number> {
  const ended = await tx.db.all<{ id: string }>(
    sql`SELECT c.message_id AS id FROM message_contents c JOIN messages m ON m.id = c.message_id
      WHERE c.message_id < ${firstId('msg', horizon)} AND m.created_at < ${horizon.getTime()}
        AND m.status NOT IN ${open} LIMIT ${sourcesAtOnce}`,
  )
  return await deleteSomeContents(
    tx,
    ended.map(({ id }) => id),
  )
}

/** Deletes contents of ended messages, also for recipients that share them, unless one is still to be sent. Returns how many; call until 0. */
export async function deleteSomeContents(tx: Tx, messageIds: string[]): Promise<number> {
  if (messageIds.length === 0) return 0
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(messageIds)}))`
  const sources = await tx.db.all<{ id: string }>(
    sql`SELECT DISTINCT c.source_id AS id FROM message_contents c WHERE c.message_id IN ${ids} AND NOT EXISTS (
      SELECT 1 FROM message_contents o JOIN messages m ON m.id = o.message_id
      WHERE o.source_id = c.source_id AND m.status IN ${open})`,
  )
  const sourceIds = sources.map(({ id }) => id)
  const pieces = await deleteSomePieces(tx, contentPieces, sourceIds)
  if (pieces > 0) return pieces
  const gone = await tx.db.all(
    sql`DELETE FROM message_contents WHERE message_id IN ${ids}
      OR source_id IN (SELECT value FROM json_each(${JSON.stringify(sourceIds)})) RETURNING 1`,
  )
  return gone.length
}
