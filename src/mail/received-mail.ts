// Reads any mail within limits: for one built to exhaust a parser, only the header is read. Nothing in it is trusted; src/mail/verdicts
// checks it against the sender's domain.

import type { Address, Email } from 'postal-mime'
import { toOneLine } from '../lib/text.ts'
import { htmlText } from './html-text.ts'

interface Correspondent {
  name: string
  address: string
}

interface ReceivedAttachment {
  filename: string
  contentType: string
  sizeBytes: number
}

export interface ReceivedMail {
  from: Correspondent
  /** Where replies should go, if the mail says so. */
  replyTo: Correspondent | null
  to: string
  subject: string
  /** As the sender wrote it. */
  date: string | null
  /** Without angle brackets, like the next two. */
  messageId: string | null
  inReplyTo: string[]
  references: string[]
  /** The text part, else the text of the HTML part. */
  text: string
  html: string | null
  attachments: ReceivedAttachment[]
  headers: { name: string; value: string }[]
  /** True when it was too large to read: then there is only the header. */
  sealed: boolean
}

const maxNestingDepth = 20
const maxHeadersSize = 512 * 1024
/** Lines that begin with "--" and so might begin a part. */
const maxPartLines = 2_000
/** 25 MB of base64 have about 340,000 lines. */
const maxLines = 1_000_000
const maxHeadBytes = 64 * 1024
const maxHeaders = 1_000
const maxAttachments = 200
const maxReferences = 100
const maxSubjectChars = 1_000
const maxBodyChars = 1_000_000
const maxNameChars = 200
const maxIdChars = 500

/** Never throws. */
export async function readReceived(bytes: Buffer): Promise<ReceivedMail> {
  const whole = await readWhole(bytes)
  return whole ? narrow(whole, false) : readHead(bytes)
}

/** Only the header. Never throws. */
export async function readHead(bytes: Buffer): Promise<ReceivedMail> {
  try {
    return narrow(await parse(headOf(bytes)), true)
  } catch {
    return emptyMail()
  }
}

/** What is shown of a mail that cannot be read at all. */
export function emptyMail(): ReceivedMail {
  return narrow({ headers: [], headerLines: [], attachments: [] }, true)
}

/** One attachment, counted from 0; null when there is none. */
export async function readAttachment(
  bytes: Buffer,
  index: number,
): Promise<{ filename: string; content: Uint8Array } | null> {
  const whole = await readWhole(bytes)
  const found = whole?.attachments.slice(0, maxAttachments)[index]
  return found ? { filename: filenameOf(found), content: contentOf(found) } : null
}

/** Null for a mail with too many lines or parts, too deep, or with too long a header. */
async function readWhole(bytes: Buffer): Promise<Email | null> {
  return hasTooManyLines(bytes) ? null : parse(bytes).catch(() => null)
}

async function parse(bytes: Buffer): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime')
  const options = { attachmentEncoding: 'arraybuffer', maxNestingDepth, maxHeadersSize } as const
  // A mail inside a mail is an attachment: otherwise its text would be taken for the text of the outer mail.
  return await new PostalMime({ ...options, forceRfc822Attachments: true }).parse(bytes)
}

function hasTooManyLines(bytes: Buffer): boolean {
  return hasMoreThan(maxPartLines, '\n--', bytes) || hasMoreThan(maxLines, '\n', bytes)
}

function hasMoreThan(limit: number, text: string, bytes: Buffer): boolean {
  let count = 0
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + text.length)) {
    if (++count > limit) return true
  }
  return false
}

/** Only the header block, if it is short enough, and none of the content. */
function headOf(bytes: Buffer): Buffer {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.subarray(0, Math.min(end === -1 ? bytes.length : end, maxHeadBytes)).toString('latin1')
  const plain = head.replace(/^(content-(type|transfer-encoding)|mime-version):.*(\r\n[ \t].*)*/gim, 'X-Sealed: yes')
  return Buffer.from(`${plain}\r\n\r\n`, 'latin1')
}

function narrow(mail: Email, sealed: boolean): ReceivedMail {
  const html = mail.html?.slice(0, maxBodyChars) ?? null
  const text = mail.text?.slice(0, maxBodyChars) ?? (html === null ? '' : htmlText(html))
  return {
    from: correspondent(mail.from) ?? { name: '', address: '' },
    replyTo: correspondent(mail.replyTo?.[0]),
    to: (mail.to ?? []).map(({ address, name }) => address ?? name).join(', '),
    subject: oneLine(mail.subject ?? '').slice(0, maxSubjectChars),
    date: mail.date ?? null,
    messageId: messageIds(mail.messageId)[0] ?? null,
    inReplyTo: messageIds(mail.inReplyTo),
    references: messageIds(mail.references),
    text: text.replace(/\r\n?/g, '\n'),
    html,
    attachments: mail.attachments.slice(0, maxAttachments).map(attachment),
    headers: mail.headers.slice(0, maxHeaders).map(({ key, value }) => ({ name: key, value })),
    sealed,
  }
}

/** A group (`Team: a@x, b@x;`) has no single address. */
function correspondent(address: Address | undefined): Correspondent | null {
  if (address?.address === undefined) return null
  return { name: oneLine(address.name).slice(0, maxNameChars), address: oneLine(address.address) }
}

/** The ids of a Message-ID, In-Reply-To or References field. */
function messageIds(field: string | undefined): string[] {
  const ids = [...(field ?? '').slice(0, 100_000).matchAll(/<([^<>\s]+)>/g)].map(([, id]) => id ?? '')
  return ids.filter((id) => id.length <= maxIdChars).slice(-maxReferences)
}

type ParsedAttachment = Email['attachments'][number]

function attachment(parsed: ParsedAttachment): ReceivedAttachment {
  return {
    filename: filenameOf(parsed),
    contentType: oneLine(parsed.mimeType).slice(0, maxNameChars),
    sizeBytes: contentOf(parsed).byteLength,
  }
}

function filenameOf({ filename }: ParsedAttachment): string {
  return oneLine(filename ?? 'unnamed').slice(0, maxNameChars)
}

function contentOf({ content }: ParsedAttachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}

function oneLine(text: string): string {
  return toOneLine(text).trim()
}
