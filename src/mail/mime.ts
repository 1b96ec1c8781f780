// The MIME form of a message. What is the same for every recipient is encoded once (compileMessage); filling in a recipient's
// values is then mostly joining strings (fillMessage). Everything is ASCII with CRLF line ends.

import { headerMailbox, headerRaw, headerText, type Mailbox, nameParameters } from './header.ts'
import { type EncodedPiece, encodePiece, joinPieces } from './quoted-printable.ts'

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
  data: Buffer
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
  body: string
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
    return { headers: headersOf(fields, contentType), body: joinParts(alternative, alternativeBoundary) }
  }
  const nested = `Content-Type: ${type('alternative', alternativeBoundary)}\r\n\r\n${joinParts(alternative, alternativeBoundary)}`
  const parts = [nested, ...fields.attachments.map(attachmentPart)]
  return { headers: headersOf(fields, type('mixed', mixedBoundary)), body: joinParts(parts, mixedBoundary) }
}

/** The message as it goes on the wire, before dot-stuffing. */
export function wireBytes({ headers, body }: MimeMessage): Uint8Array {
  let head = ''
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`
  return Buffer.from(`${head}\r\n${body}`, 'latin1')
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

function attachmentPart({ filename, contentType, data }: MessageAttachment): string {
  const lines = data.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n')
  const type = `Content-Type: ${contentType};\r\n ${nameParameters('name', filename).join(';\r\n ')}`
  const disposition = `Content-Disposition: attachment;\r\n ${nameParameters('filename', filename).join(';\r\n ')}`
  return `${type}\r\n${disposition}\r\n${encoding}: base64\r\n\r\n${lines}`
}

function joinParts(parts: string[], boundary: string): string {
  return `${parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('')}--${boundary}--\r\n`
}
