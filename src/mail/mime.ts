// The MIME form of a message. What is the same for every recipient is encoded once (compileMessage); filling in a recipient's
// values is then mostly joining strings (fillMessage). Everything is ASCII with CRLF line ends.

import { headerMailbox, headerRaw, headerText, type Mailbox, nameParameters } from './header.ts'
import { type EncodedPiece, encodePiece, joinPieces } from './quoted-printable.ts'
import { pieceBytes, type RawMail } from './raw-mail.ts'

/** Literal text, or the number of the hole that a recipient's value goes into. */
export type Piece = string | number

export interface MessageSkeleton {
  html: (EncodedPiece | number)[]
  text: (EncodedPiece | number)[]
}

export interface MessageAttachment {
  /** In any script, without control characters; see sending/attachments.ts. */
  filename: string
  contentType: string
  /** In base64; see base64-lines.ts. */
  lines: string[]
}

export interface MessageFields {
  from: Mailbox
  to: Mailbox
  replyTo: Mailbox | null
  subject: string
  /** Without its angle brackets. */
  messageId: string
  date: Date
  /** Further headers, already on an allow-list. */
  headers: Record<string, string>
  htmlValues: string[]
  textValues: string[]
  attachments: MessageAttachment[]
}

export interface MimeMessage {
  /** Name and folded value, in order. */
  headers: [name: string, value: string][]
  /** In parts that end with a line: what is large is never one string. */
  body: string[]
}

/** "=_" never occurs in quoted-printable or base64, so these boundaries cannot occur in a part. */
const alternativeBoundary = '=_paquebot_alternative'
const mixedBoundary = '=_paquebot_mixed'

const charset = 'charset=utf-8'
const encoding = 'Content-Transfer-Encoding'

export function compileMessage({ html, text }: { html: Piece[]; text: Piece[] }): MessageSkeleton {
  const encode = (piece: Piece) => (typeof piece === 'number' ? piece : encodePiece(piece))
  return { html: html.map(encode), text: text.map(encode) }
}

/** Throws UnsafeHeaderError for a header value that would break its line. */
export function fillMessage(skeleton: MessageSkeleton, fields: MessageFields): MimeMessage {
  const alternative = [
    part(`text/plain; ${charset}`, 'quoted-printable', fillPieces(skeleton.text, fields.textValues)),
    part(`text/html; ${charset}`, 'quoted-printable', fillPieces(skeleton.html, fields.htmlValues)),
  ]
  const type = (kind: string, boundary: string) => `multipart/${kind};\r\n boundary="${boundary}"`
  if (fields.attachments.length === 0) {
    const contentType = type('alternative', alternativeBoundary)
    return { headers: headersOf(fields, contentType), body: [joinParts(alternative, alternativeBoundary)] }
  }
  const nested = `Content-Type: ${type('alternative', alternativeBoundary)}\r\n\r\n${joinParts(alternative, alternativeBoundary)}`
  const attached = fields.attachments.flatMap((one) => [`--${mixedBoundary}\r\n`, ...attachmentPart(one)])
  const body = [`--${mixedBoundary}\r\n${nested}\r\n`, ...attached, `--${mixedBoundary}--\r\n`]
  return { headers: headersOf(fields, type('mixed', mixedBoundary)), body }
}

/** The message as it goes on the wire, before dot-stuffing. */
export function wireBytes({ headers, body }: MimeMessage): RawMail {
  let text = ''
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`
  text += '\r\n'
  const pieces: Buffer[] = []
  for (const part of body) {
    if (text.length + part.length > pieceBytes) {
      pieces.push(Buffer.from(text, 'latin1'))
      text = ''
    }
    text += part
  }
  pieces.push(Buffer.from(text, 'latin1'))
  return { pieces, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0) }
}

function fillPieces(pieces: (EncodedPiece | number)[], values: string[]): string {
  return joinPieces(pieces.map((piece) => (typeof piece === 'number' ? encodePiece(values[piece] ?? '') : piece)))
}

function headersOf(fields: MessageFields, contentType: string): [string, string][] {
  const { from, to, replyTo, subject, messageId, date } = fields
  return [
    ['From', headerMailbox('From', from)],
    ['To', headerMailbox('To', to)],
    ...(replyTo ? [['Reply-To', headerMailbox('Reply-To', replyTo)] satisfies [string, string]] : []),
    ['Subject', headerText('Subject', subject)],
    ['Date', date.toUTCString().replace('GMT', '+0000')],
    ['Message-ID', headerRaw('Message-ID', `<${messageId}>`)],
    ...Object.entries(fields.headers).map(([name, value]): [string, string] => [name, headerRaw(name, value)]),
    ['MIME-Version', '1.0'],
    ['Content-Type', contentType],
  ]
}

function part(contentType: string, transferEncoding: string, body: string): string {
  return `Content-Type: ${contentType}\r\n${encoding}: ${transferEncoding}\r\n\r\n${body}`
}

function attachmentPart({ filename, contentType, lines }: MessageAttachment): string[] {
  const type = `Content-Type: ${contentType};\r\n ${nameParameters('name', filename).join(';\r\n ')}`
  const disposition = `Content-Disposition: attachment;\r\n ${nameParameters('filename', filename).join(';\r\n ')}`
  // The end of the last line belongs to the boundary behind it (RFC 2046, 5.1.1); an empty file has none of its own.
  return [`${type}\r\n${disposition}\r\n${encoding}: base64\r\n\r\n`, ...(lines.length === 0 ? ['\r\n'] : lines)]
}

function joinParts(parts: string[], boundary: string): string {
  return `${parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('')}--${boundary}--\r\n`
}
