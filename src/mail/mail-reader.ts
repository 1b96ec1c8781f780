// The way to the threads that read mail (mail-work.ts): one for its parts and words, one for the verdicts on its sender, so that neither
// waits for the other. A mail that no reader ends with is shown by its head, or not at all, and its source stays.

import { SideThread, ThreadStuck } from '../lib/side-thread.ts'
import type { BounceReport } from './bounce-report.ts'
import { headerFault } from './bounds.ts'
import type { Attachment, Checked, MailWork, QuestionToDns, Reading } from './mail-work.ts'
import type { ParsedMail } from './parse-mime.ts'
import type { PostmarkReading } from './postmark.ts'
import type { RawMail } from './raw-mail.ts'
import { emptyMail, type ReceivedMail } from './received-mail.ts'
import { type Delivery, type ResolveDns, unknownVerdicts, type Verdicts } from './verdicts.ts'

/** All but judge() throw `overloaded` when too much is waiting. */
export interface MailReader {
  /** A mail that arrives: read, or refused for a limit that the reason names. */
  check(raw: RawMail): Promise<Checked>
  /** The head of a mail of our own making. */
  head(raw: RawMail): Promise<ReceivedMail>
  /** A mail that was stored. */
  read(raw: RawMail): Promise<Reading>
  /** Counted from 0; null when there is none. */
  attachment(raw: RawMail, index: number): Promise<Attachment | null>
  /** Never throws: what cannot be found out in time is `temperror`. */
  judge(raw: RawMail, delivery: Delivery): Promise<Verdicts>
  /** Null for a mail that is no report. */
  report(raw: RawMail): Promise<BounceReport | null>
  /** Mail of our own making. */
  parse(raw: RawMail): Promise<ParsedMail>
  postmark(body: RawMail): Promise<PostmarkReading>
  close(): void
}

export interface MailReaderOptions {
  resolveDns(): ResolveDns
  /** How long one mail may hold its thread. */
  stallMs?: number
}

export function createMailReader({ resolveDns, ...limits }: MailReaderOptions): MailReader {
  const start = () => new Worker(new URL('./mail-work.ts', import.meta.url).href, { name: 'mail' })
  const answer = async (about: unknown) => {
    const { name, type } = about as QuestionToDns
    return resolveDns()(name, type)
  }
  const reading = new SideThread<MailWork>({ start, answer, ...limits })
  const judging = new SideThread<MailWork>({ start, answer, ...limits })

  /** The head of a mail that held the thread too long, and then nothing of it. */
  const readHead = async (raw: RawMail): Promise<Reading> => {
    const nothing = { mail: emptyMail(), own: '', quoted: '', digest: null }
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
    judge: (raw, delivery) => judging.run('judge', { raw, delivery }, raw.bytes).catch(() => unknownVerdicts),
    report: (raw) => reading.run('report', { raw }, raw.bytes).catch(orIfStuck(() => null)),
    parse: (raw) => reading.run('parse', { raw }, raw.bytes).catch(orIfStuck(() => unreadable)),
    postmark: (body) => reading.run('postmark', { raw: body }, body.bytes),
    close() {
      reading.close()
      judging.close()
    },
  }
}

const unreadable: ParsedMail = { subject: '', from: '', to: '', html: null, text: null, attachments: [] }

function orIfStuck<T>(instead: () => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof ThreadStuck) return instead()
    throw error
  }
}
