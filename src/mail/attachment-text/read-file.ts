// Reads one file as text, whatever its sender calls it. It runs on the thread of attachment-work.ts and nowhere else: the sender decides how
// long it takes and how much memory. The readers are loaded with the first file of their kind.

import { passageMark } from '../../kit/visible.ts'
import { type ReceivedMail, readReceived } from '../received-mail.ts'
import { kindOf } from './kind.ts'
import { decodeText } from './plain.ts'
import { type Kind, readableKinds, ShownWriter, type TextOfFile, UnreadableFile, WriterFull } from './reading.ts'

export interface GivenFile {
  filename: string
  contentType: string
  bytes: Buffer
}

/** Throws UnreadableFile. */
export async function readFile({ filename, contentType, bytes }: GivenFile): Promise<TextOfFile & { kind: Kind }> {
  if (bytes.length === 0) throw new UnreadableFile('It is empty: it has 0 bytes.')
  const kind = kindOf(bytes, contentType, filename)
  if (kind === null) throw new UnreadableFile(`Its kind cannot be read as text. Read are ${readableKinds}.`)
  if (kind === 'compound')
    throw new UnreadableFile(`It is encrypted, or in a format of Office before 2007. Read are ${readableKinds}.`)
  const read = await written(kind, bytes)
  if (read.text === '' && read.passages.length === 0)
    throw new UnreadableFile(kind === 'pdf' ? 'It has no text: its pages are probably pictures.' : 'It has no text.')
  return { kind, ...read }
}

async function written(kind: Kind, bytes: Buffer): Promise<TextOfFile> {
  const writer = new ShownWriter()
  try {
    await readers[kind](bytes, writer)
  } catch (error) {
    if (!(error instanceof WriterFull)) throw error
  }
  return writer.done()
}

const readers: Record<Kind, (bytes: Buffer, writer: ShownWriter) => void | Promise<void>> = {
  pdf: async (bytes, writer) => (await import('./pdf.ts')).readPdf(bytes, writer),
  docx: async (bytes, writer) => (await import('./docx.ts')).readDocx(bytes, writer),
  ics: async (bytes, writer) => (await import('./calendar.ts')).readCalendar(decodeText(bytes), writer),
  html: (bytes, writer) => writeHtml(decodeText(bytes), writer),
  eml: async (bytes, writer) => writeMail(await readReceived(bytes), writer),
  text: (bytes, writer) => writer.add(decodeText(bytes)),
}

/** As of a mail: what a browser would not show is hidden. */
async function writeHtml(html: string, writer: ShownWriter): Promise<void> {
  const { shownText } = await import('../shown-text.ts')
  const shown = shownText(html.slice(0, maxHtmlChars))
  if (shown === null) throw new UnreadableFile('Its HTML takes too long to read, or is too deep.')
  if (html.length > maxHtmlChars) writer.cut()
  writeMarked(shown, writer)
}

const maxHtmlChars = 1_000_000

function writeMail(mail: ReceivedMail, writer: ShownWriter): void {
  const { from, to, subject, date, attachments, sealed } = mail
  if (sealed) writer.cut()
  const sender = from.name === '' ? from.address : `${from.name} <${from.address}>`
  const head = { from: sender, to, subject, date }
  for (const [name, value] of Object.entries(head)) if (value) writer.add(`${name}: ${value}\n`)
  writer.add('\n')
  writeMarked(mail, writer)
  for (const { filename, contentType, sizeBytes } of attachments)
    writer.add(`\n[attached] ${filename} (${contentType}, ${sizeBytes} bytes)`)
}

/** Of a text that has marks already: each with what it stands for. */
function writeMarked({ text, passages }: Pick<ReceivedMail, 'text' | 'passages'>, writer: ShownWriter): void {
  text.split(passageMark).forEach((part, at) => {
    if (at > 0) writer.add(passages[at - 1] ?? '', false)
    writer.add(part)
  })
}
