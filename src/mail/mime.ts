// Builds the MIME form of a message. What all recipients share is encoded once, as bytes (compileMessage); filling in a recipient's values
// (fillMessage) creates the lines in between. Everything is ASCII with CRLF line ends.

import { headerMailbox, headerMailboxes, headerRaw, headerText, type Mailbox, nameParameters } from './header.ts'
import { type EncodedPiece, encodePiece, joinPieces } from './quoted-printable.ts'
import { pieceBytes, type RawMail } from './raw-mail.ts'

/** Literal text, or the number of the placeholder for a recipient's value. */
export type Piece = string | number

export interface MessageSkeleton {
  /** Null for a mail without this part. */
  html: (EncodedPiece | number)[] | null
  text: (EncodedPiece | number)[] | null
}

export interface MessageAttachment {
  /** In any script, without control characters; see sending/attachments.ts. */
  filename: string
  contentType: string
  /** Of a picture that the HTML shows; see lib/content-id.ts. */
  contentId: string | null
  /** In base64; see base64-lines.ts. */
  lines: Buffer[]
}

export interface MessageFields {
  from: Mailbox
  /** Shown to every recipient; the envelope is another matter. */
  to: Mailbox[]
  cc?: Mailbox[]
  replyTo: Mailbox | null
  subject: string
  /** Without angle brackets. */
  messageId: string
  date: Date
  /** Further headers, already checked against an allow-list. */
  headers: Record<string, string>
  htmlValues: string[]
  textValues: string[]
  attachments: MessageAttachment[]
}

export type BodyPart = string | Buffer

/** From here on bytes are not copied to stand in one piece with others. */
const largeBytes = 64 * 1024

export function isLarge(part: BodyPart): part is Buffer {
  return typeof part !== 'string' && part.length >= largeBytes
}

export interface MimeMessage {
  /** Names and folded values, in order. */
  headers: [name: string, value: string][]
  /** In parts: large content is never one string, and parts that are bytes are shared by many messages and end with a line end. */
  body: BodyPart[]
}

/** "=_" never occurs in quoted-printable or base64, so these boundaries cannot occur in a part. */
const alternativeBoundary = '=_paquebot_alternative'
const mixedBoundary = '=_paquebot_mixed'
const relatedBoundary = '=_paquebot_related'

const charset = 'charset=utf-8'
const encoding = 'Content-Transfer-Encoding'

export function compileMessage({ html, text }: { html: Piece[]; text: Piece[] }): MessageSkeleton {
  const encode = (piece: Piece) => (typeof piece === 'number' ? piece : encodePiece(piece))
  return { html: html.map(encode), text: text.map(encode) }
}

/** Throws UnsafeHeaderError for a header value that would break out of its line. */
export function fillMessage(skeleton: MessageSkeleton, fields: MessageFields): MimeMessage {
  const { html, text } = skeleton
  const isShown = ({ contentId }: MessageAttachment) => html !== null && contentId !== null
  const shown = fields.attachments.filter(isShown)
  const files = fields.attachments.filter((one) => !isShown(one))
  const alternative = [
    ...(text ? [`--${alternativeBoundary}\r\n`, ...textPart('plain', fillPieces(text, fields.textValues))] : []),
    ...(html ? [`--${alternativeBoundary}\r\n`, ...withShown(fillPieces(html, fields.htmlValues), shown)] : []),
    `--${alternativeBoundary}--\r\n`,
  ]
  const ofAlternative = multipart('alternative', alternativeBoundary)
  if (files.length === 0) return { headers: toHeaders(fields, ofAlternative), body: alternative }
  const nested = [`--${mixedBoundary}\r\nContent-Type: ${ofAlternative}\r\n\r\n`, ...alternative, '\r\n']
  const attached = files.flatMap((one) => [`--${mixedBoundary}\r\n`, ...attachmentPart(one)])
  const body = [...nested, ...attached, `--${mixedBoundary}--\r\n`]
  return { headers: toHeaders(fields, multipart('mixed', mixedBoundary)), body }
}

function multipart(kind: string, boundary: string): string {
  return `multipart/${kind};\r\n boundary="${boundary}"`
}

/** The HTML, with the pictures it shows if there are any (RFC 2387). */
function withShown(html: BodyPart[], shown: MessageAttachment[]): BodyPart[] {
  if (shown.length === 0) return textPart('html', html)
  const pictures = shown.flatMap((one) => [`--${relatedBoundary}\r\n`, ...attachmentPart(one)])
  return [
    `Content-Type: ${multipart('related', relatedBoundary)};\r\n type="text/html"\r\n\r\n--${relatedBoundary}\r\n`,
    ...textPart('html', html),
    ...pictures,
    `--${relatedBoundary}--\r\n\r\n`,
  ]
}

/** The message as sent, before dot-stuffing. */
export function wireBytes({ headers, body }: MimeMessage): RawMail {
  let head = ''
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`
  const pieces: Buffer[] = []
  let together: BodyPart[] = []
  let bytes = 0
  const join = () => {
    if (bytes > 0) pieces.push(joinParts(together, bytes))
    together = []
    bytes = 0
  }
  for (const part of [`${head}\r\n`, ...body]) {
    const isPiece = isLarge(part)
    if (isPiece || bytes + part.length > pieceBytes) join()
    if (isPiece) pieces.push(part)
    else {
      together.push(part)
      bytes += part.length
    }
  }
  join()
  return { pieces, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0) }
}

function joinParts(parts: BodyPart[], length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const part of parts) at += typeof part === 'string' ? bytes.write(part, at, 'latin1') : part.copy(bytes, at)
  return bytes
}

function fillPieces(pieces: (EncodedPiece | number)[], values: string[]): BodyPart[] {
  return joinPieces(pieces.map((piece) => (typeof piece === 'number' ? encodePiece(values[piece] ?? '') : piece)))
}

function toHeaders(fields: MessageFields, contentType: string): [string, string][] {
  const { from, to, cc = [], replyTo, subject, messageId, date } = fields
  return [
    ['From', headerMailbox('From', from)],
    ...(to.length > 0 ? [['To', headerMailboxes('To', to)] satisfies [string, string]] : []),
    ...(cc.length > 0 ? [['Cc', headerMailboxes('Cc', cc)] satisfies [string, string]] : []),
    ...(replyTo ? [['Reply-To', headerMailbox('Reply-To', replyTo)] satisfies [string, string]] : []),
    ['Subject', headerText('Subject', subject)],
    ['Date', date.toUTCString().replace('GMT', '+0000')],
    ['Message-ID', headerRaw('Message-ID', `<${messageId}>`)],
    ...Object.entries(fields.headers).map(([name, value]): [string, string] => [name, headerRaw(name, value)]),
    ['MIME-Version', '1.0'],
    ['Content-Type', contentType],
  ]
}

function textPart(kind: 'plain' | 'html', text: BodyPart[]): BodyPart[] {
  const head = `Content-Type: text/${kind}; ${charset}\r\n${encoding}: quoted-printable\r\n\r\n`
  return [head, ...text, '\r\n']
}

function attachmentPart({ filename, contentType, contentId, lines }: MessageAttachment): BodyPart[] {
  const type = `Content-Type: ${contentType};\r\n ${nameParameters('name', filename).join(';\r\n ')}`
  const [kind, id] = contentId === null ? ['attachment', ''] : ['inline', `Content-ID: <${contentId}>\r\n`]
  const disposition = `${id}Content-Disposition: ${kind};\r\n ${nameParameters('filename', filename).join(';\r\n ')}`
  // The last line end belongs to the following boundary (RFC 2046, 5.1.1); an empty file has none of its own.
  return [`${type}\r\n${disposition}\r\n${encoding}: base64\r\n\r\n`, ...(lines.length === 0 ? ['\r\n'] : lines)]
}
