// The interface to the threads that parse mail (mail-work.ts): one for contents, one for checking senders, so that neither waits for the
// other. A mail that neither can parse is shown with its header only, or not at all; its source is kept.

import { minute } from '../kit/duration.ts'
import { SideThread, type Thread, ThreadStuck } from '../kit/side-thread.ts'
import { type AttachmentReaderOptions, createAttachmentReader } from './attachment-reader.ts'
import type { AttachmentReading, WhichAttachment } from './attachment-work.ts'
import type { BounceReport } from './bounce-report.ts'
import { headerFault } from './bounds.ts'
import type { DomainReportReading, WantedReport } from './domain-report.ts'
import type { Attachment, Checked, MailWork, QuestionToDns, Reading } from './mail-work.ts'
import type { ParsedMail } from './parse-mime.ts'
import type { PostmarkReading } from './postmark.ts'
import type { RawMail } from './raw-mail.ts'
import { emptyMail, type ReceivedMail } from './received-mail.ts'
import { type Delivery, type ResolveDns, type Signer, unknownVerdicts, type Verdicts } from './verdicts.ts'

/** All but judge() throw `overloaded` when too much work is waiting. */
export interface MailReader {
  /** Reads an arriving mail, or refuses it for a limit that the reason names. */
  check(raw: RawMail): Promise<Checked>
  /** Parses the header of a mail that we composed ourselves. */
  head(raw: RawMail): Promise<ReceivedMail>
  /** Reads a stored mail. */
  read(raw: RawMail): Promise<Reading>
  /** Counted from 0; null when it does not exist. */
  attachment(raw: RawMail, index: number): Promise<Attachment | null>
  /** The text of an attachment, for a workspace. Throws `overloaded` also when that one alone has too many files waiting. */
  attachmentText(workspaceId: string, raw: RawMail, which: WhichAttachment): Promise<AttachmentReading>
  /** Never throws: what could not be checked in time is `temperror`. */
  judge(raw: RawMail, delivery: Delivery): Promise<Verdicts>
  /** Null when the mail is not a report. */
  report(raw: RawMail): Promise<BounceReport | null>
  /** Who has signed an arriving mail, which is refused for a limit that the reason names. Never throws. */
  signer(raw: RawMail): Promise<Signer | Extract<Checked, { outcome: 'refused' }>>
  /** The report that a mail to the report address of a domain carries. Millions of rows take their time, on a thread of their own. */
  domainReport(raw: RawMail, wanted: WantedReport): Promise<DomainReportReading>
  /** Parses a mail that we composed ourselves. */
  parse(raw: RawMail): Promise<ParsedMail>
  postmark(body: RawMail): Promise<PostmarkReading>
  close(): void
}

export interface MailReaderOptions {
  resolveDns(): ResolveDns
  /** How long one mail may occupy its thread. */
  stallMs?: number
  /** Default: startMailThread(). */
  start?: () => Thread
  attachments?: AttachmentReaderOptions
}

/** Others wait outside: who reports tries again. */
const ofReports = { maxJobs: 10, deadlineMs: 3 * minute }

export function startMailThread(): Worker {
  return new Worker(new URL('./mail-work.ts', import.meta.url).href, { name: 'mail' })
}

export function createMailReader({
  resolveDns,
  start = startMailThread,
  attachments,
  ...limits
}: MailReaderOptions): MailReader {
  const answer = async (about: unknown) => {
    const { name, type } = about as QuestionToDns
    return resolveDns()(name, type)
  }
  const reading = new SideThread<MailWork>({ start, answer, ...limits })
  const judging = new SideThread<MailWork>({ start, answer, ...limits })
  const reporting = new SideThread<MailWork>({ start, answer, ...limits, ...ofReports })

  const attachmentReader = createAttachmentReader(attachments)

  /** The header of a mail that occupied the thread too long; nothing if that fails too. */
  const readHead = async (raw: RawMail): Promise<Reading> => {
    const nothing = { mail: await emptyMail(), own: '', quoted: '', digest: null }
    const [start = Buffer.alloc(0)] = raw.pieces
    return reading.run('head', { start }, start.length).catch(orIfStuck(() => nothing))
  }

  return {
    check: async (raw) => {
      const reason = headerFault(raw.pieces[0] ?? Buffer.alloc(0))
      if (reason !== null) return { outcome: 'refused', reason }
      const sealed = async () => ({ outcome: 'read' as const, reading: await readHead(raw) })
      return reading.run('check', { raw }, raw.bytes).catch(orIfStuck<Checked | Promise<Checked>>(sealed))
    },
    head: async (raw) => (await readHead(raw)).mail,
    read: (raw) => reading.run('read', { raw }, raw.bytes).catch(orIfStuck(() => readHead(raw))),
    attachment: (raw, index) => reading.run('attachment', { raw, index }, raw.bytes).catch(orIfStuck(() => null)),
    attachmentText: attachmentReader.read,
    judge: (raw, delivery) => judging.run('judge', { raw, delivery }, raw.bytes).catch(() => unknownVerdicts),
    report: (raw) => reading.run('report', { raw }, raw.bytes).catch(orIfStuck(() => null)),
    signer: (raw) => judging.run('signer', { raw }, raw.bytes).catch(() => ({ outcome: 'unknown' })),
    domainReport: (raw, wanted) =>
      reporting
        .run('domainReport', { raw, wanted }, raw.bytes)
        .catch(orIfStuck(() => ({ outcome: 'refused', reason: 'the report takes too long to read' }))),
    parse: (raw) => reading.run('parse', { raw }, raw.bytes).catch(orIfStuck(() => unreadable)),
    postmark: (body) => reading.run('postmark', { raw: body }, body.bytes).catch(orIfStuck(() => tooLong)),
    close() {
      reading.close()
      judging.close()
      reporting.close()
      attachmentReader.close()
    },
  }
}

const tooLong: PostmarkReading = {
  outcome: 'not_postmark',
  errors: [{ path: '', code: 'unreadable', message: 'It takes too long to read.' }],
}

const unreadable: ParsedMail = { subject: '', from: '', to: '', html: null, text: null, attachments: [] }

function orIfStuck<T>(instead: () => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof ThreadStuck) return instead()
    throw error
  }
}
