// Reads any mail within limits: for one built to exhaust a parser, only the header is read. Nothing in it is trusted; src/mail/verdicts
// checks it against the sender's domain.

import type { Address, Email } from 'postal-mime'
import { toOneLine } from '../kit/text.ts'

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
  /** The text part, else what the HTML part shows, with `passageMark` for what it hides. */
  text: string
  /** What the HTML part hides, in the order of the marks. */
  passages: string[]
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
  return whole ? await narrow(whole.mail, { sealed: false, hasOwnText: whole.hasOwnText }) : readHead(bytes)
}

/** Only the header. Never throws. */
export async function readHead(bytes: Buffer): Promise<ReceivedMail> {
  try {
    return await narrow((await parse(cutHead(bytes))).mail, { sealed: true, hasOwnText: true })
  } catch {
    return await emptyMail()
  }
}

/** What is shown of a mail that cannot be read at all. */
export async function emptyMail(): Promise<ReceivedMail> {
  return await narrow({ headers: [], headerLines: [], attachments: [] }, { sealed: true, hasOwnText: true })
}

/** One attachment, counted from 0; null when there is none. */
export async function readAttachment(
  bytes: Buffer,
  index: number,
): Promise<{ filename: string; content: Uint8Array } | null> {
  return (await readContents(bytes))?.[index] ?? null
}

export interface Content {
  filename: string
  contentType: string
  content: Buffer
}

/** Each of its parts that is no text of the mail; null for a mail that cannot be read whole. */
export async function readContents(bytes: Buffer): Promise<Content[] | null> {
  const whole = await readWhole(bytes)
  if (whole === null) return null
  return whole.mail.attachments.slice(0, maxAttachments).map((parsed) => {
    const { buffer, byteOffset, byteLength } = toContent(parsed)
    const content = Buffer.from(buffer, byteOffset, byteLength)
    return { filename: toFilename(parsed), contentType: parsed.mimeType.toLowerCase(), content }
  })
}

/** Null for a mail with too many lines or parts, too deep, or with too long a header. */
async function readWhole(bytes: Buffer): Promise<Parsed | null> {
  return hasTooManyLines(bytes) ? null : parse(bytes).catch(() => null)
}

interface Parsed {
  mail: Email
  /** Each part of it has a text. Else the parser has made some of it from HTML, with what that hides. */
  hasOwnText: boolean
}

async function parse(bytes: Buffer): Promise<Parsed> {
  const { default: PostalMime } = await import('postal-mime')
  const options = { attachmentEncoding: 'arraybuffer', maxNestingDepth, maxHeadersSize } as const
  // A mail inside a mail is an attachment: otherwise its text would be taken for the text of the outer mail.
  const parser = new PostalMime({ ...options, forceRfc822Attachments: true })
  const mail = await parser.parse(bytes)
  // What it found, by the part of the mail; its types do not name it.
  const parts: unknown = Reflect.get(parser, 'textMap')
  const texts: unknown[] = parts instanceof Map ? [...parts.values()] : [{}]
  return { mail, hasOwnText: texts.every((part) => typeof part === 'object' && part !== null && 'plain' in part) }
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
function cutHead(bytes: Buffer): Buffer {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.subarray(0, Math.min(end === -1 ? bytes.length : end, maxHeadBytes)).toString('latin1')
  const plain = head.replace(/^(content-(type|transfer-encoding)|mime-version):.*(\r\n[ \t].*)*/gim, 'X-Sealed: yes')
  return Buffer.from(`${plain}\r\n\r\n`, 'latin1')
}

/** Its texts are cut between two characters, for half of one is no text that every database takes. */
async function narrow(
  mail: Email,
  { sealed, hasOwnText }: { sealed: boolean; hasOwnText: boolean },
): Promise<ReceivedMail> {
  const html = mail.html?.slice(0, maxBodyChars).toWellFormed() ?? null
  const given = html === null || hasOwnText ? mail.text?.slice(0, maxBodyChars).toWellFormed() : undefined
  const shown = given === undefined && html !== null ? await readHtml(html) : { text: given ?? '', passages: [] }
  const { text, passages } = shown ?? { text: '', passages: [] }
  return {
    from: correspondent(mail.from) ?? { name: '', address: '' },
    replyTo: correspondent(mail.replyTo?.[0]),
    to: (mail.to ?? []).map(({ address, name }) => address ?? name).join(', '),
    subject: oneLine(mail.subject ?? '')
      .slice(0, maxSubjectChars)
      .toWellFormed(),
    date: mail.date ?? null,
    messageId: messageIds(mail.messageId)[0] ?? null,
    inReplyTo: messageIds(mail.inReplyTo),
    references: messageIds(mail.references),
    text: text.replace(/\r\n?/g, '\n'),
    passages,
    html,
    attachments: mail.attachments.slice(0, maxAttachments).map(attachment),
    headers: mail.headers.slice(0, maxHeaders).map(({ key, value }) => ({ name: key, value })),
    sealed: sealed || shown === null,
  }
}

/** Not every process reads mail. */
async function readHtml(html: string) {
  const { shownText } = await import('./shown-text.ts')
  return shownText(html)
}

/** A group (`Team: a@x, b@x;`) has no single address. */
function correspondent(address: Address | undefined): Correspondent | null {
  if (address?.address === undefined) return null
  const name = oneLine(address.name).slice(0, maxNameChars).toWellFormed()
  return { name, address: oneLine(address.address).toWellFormed() }
}

/** The ids of a Message-ID, In-Reply-To or References field. */
function messageIds(field: string | undefined): string[] {
  const ids = [
    ...(field ?? '')
      .slice(0, 100_000)
      .toWellFormed()
      .matchAll(/<([^<>\s]+)>/g),
  ].map(([, id]) => id ?? '')
  return ids.filter((id) => id.length <= maxIdChars).slice(-maxReferences)
}

type ParsedAttachment = Email['attachments'][number]

function attachment(parsed: ParsedAttachment): ReceivedAttachment {
  return {
    filename: toFilename(parsed),
    contentType: oneLine(parsed.mimeType).slice(0, maxNameChars).toWellFormed(),
    sizeBytes: toContent(parsed).byteLength,
  }
}

function toFilename({ filename }: ParsedAttachment): string {
  return oneLine(filename ?? 'unnamed')
    .slice(0, maxNameChars)
    .toWellFormed()
}

function toContent({ content }: ParsedAttachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}

function oneLine(text: string): string {
  return toOneLine(text).trim()
}
