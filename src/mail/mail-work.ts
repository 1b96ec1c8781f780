// Runs on the Worker that parses mail. All code that parses bytes of strangers is called here and nowhere else, so that no mail can block
// the main thread.

import { sha256Hex } from '../kit/digest.ts'
import type { Ask } from '../kit/side-thread.ts'
import { serveSideThread } from '../kit/side-thread-inside.ts'
import { type BounceReport, readBounceReport } from './bounce-report.ts'
import { headerFault, lineFault } from './bounds.ts'
import { type DomainReportReading, readDomainReport, type WantedReport } from './domain-report.ts'
import { type ParsedMail, parseMail } from './parse-mime.ts'
import { type PostmarkReading, readPostmark } from './postmark.ts'
import { splitQuoted } from './quoted-text.ts'
import { asBuffer, type RawMail, toRawMail, wholeMail } from './raw-mail.ts'
import { type ReceivedMail, readAttachment, readHead, readReceived } from './received-mail.ts'
import { checkSenders, type Delivery, findSigner, type ResolveDns, type Signer, type Verdicts } from './verdicts.ts'

/** A mail with its own text and the text that it quotes. */
export interface Reading {
  mail: ReceivedMail
  own: string
  quoted: string
  /** The size of the whole source; null when only the header was read. */
  digest: string | null
}

export type Checked = { outcome: 'read'; reading: Reading } | { outcome: 'refused'; reason: string }

export interface QuestionToDns {
  name: string
  type: string
}

export interface Attachment {
  filename: string
  content: RawMail
}

const work = {
  /** For an arriving mail: read if it is within the limits, else refused. */
  async check({ raw }: { raw: RawMail }): Promise<Checked> {
    const bytes = wholeMail(raw)
    const reason = headerFault(bytes) ?? lineFault(bytes)
    return reason === null ? { outcome: 'read', reading: await read(bytes) } : { outcome: 'refused', reason }
  },
  async read({ raw }: { raw: RawMail }): Promise<Reading> {
    const bytes = wholeMail(raw)
    // A mail stored before the limits existed.
    return (headerFault(bytes) ?? lineFault(bytes)) ? readSealed(bytes) : read(bytes)
  },
  /** Only the header, for a mail that the other readers could not finish. */
  async head({ start }: { start: Uint8Array }): Promise<Reading> {
    const mail = await readHead(asBuffer(start))
    return { mail, own: '', quoted: '', digest: null }
  },
  async attachment({ raw, index }: { raw: RawMail; index: number }): Promise<Attachment | null> {
    const found = await readAttachment(wholeMail(raw), index)
    return found && { ...found, content: await toRawMail([found.content]) }
  },
  async judge({ raw, delivery }: { raw: RawMail; delivery: Delivery }, ask: Ask): Promise<Verdicts> {
    return checkSenders(resolverOf(ask), wholeMail(raw), delivery)
  },
  /** For an arriving mail: refused if it is beyond the limits. */
  async signer({ raw }: { raw: RawMail }, ask: Ask): Promise<Signer | Extract<Checked, { outcome: 'refused' }>> {
    const bytes = wholeMail(raw)
    const reason = headerFault(bytes) ?? lineFault(bytes)
    return reason === null ? findSigner(resolverOf(ask), bytes) : { outcome: 'refused', reason }
  },
  domainReport: ({ raw, wanted }: { raw: RawMail; wanted: WantedReport }): Promise<DomainReportReading> =>
    readDomainReport(wholeMail(raw), wanted),
  report: ({ raw }: { raw: RawMail }): BounceReport | null => readBounceReport(wholeMail(raw)),
  parse: ({ raw }: { raw: RawMail }): Promise<ParsedMail> => parseMail(wholeMail(raw)),
  postmark: ({ raw }: { raw: RawMail }): Promise<PostmarkReading> => readPostmark(wholeMail(raw)),
}

export type MailWork = typeof work

function resolverOf(ask: Ask): ResolveDns {
  return (name, type) => ask({ name, type } satisfies QuestionToDns) as ReturnType<ResolveDns>
}

async function read(bytes: Buffer): Promise<Reading> {
  return withWords(await readReceived(bytes), bytes)
}

async function readSealed(bytes: Buffer): Promise<Reading> {
  return withWords(await readHead(bytes), bytes)
}

function withWords(mail: ReceivedMail, bytes: Buffer): Reading {
  return { mail, ...splitQuoted(mail.text), digest: sha256Hex(bytes) }
}

serveSideThread(work)
