// Finds the report that a mail to the report address of a domain carries: about DMARC, about TLS, or of somebody who complains (RFC 5965).
// What it is shows in its bytes, because reporters name it as they like.

import { UnpackFault, unpacked } from '../kit/unpack.ts'
import { type AbuseReport, readBounceReport } from './bounce-report.ts'
import { type DmarcReport, type OurMarks, ReportFault, readDmarcReport } from './dmarc-report.ts'
import { readContents } from './received-mail.ts'
import { maxTlsBytes, readTlsReport, type TlsReport } from './tls-report.ts'

type DomainReport = DmarcReport | TlsReport | AbuseReport

export type DomainReportReading =
  | { outcome: 'report'; report: DomainReport }
  /** The reason is a clause. */
  | { outcome: 'refused'; reason: string }

export interface WantedReport extends OurMarks {
  /** Of the report, unpacked. */
  maxBytes: number
}

/** Some 1,000,000 rows as the large receivers write them. */
export const maxUnpackedBytes = 512 * 1024 * 1024
/** Of a reporter that nobody vouches for. */
export const maxUnverifiedBytes = 16 * 1024 * 1024

export async function readDomainReport(mail: Buffer, wanted: WantedReport): Promise<DomainReportReading> {
  try {
    const complaint = readBounceReport(mail)
    if (complaint?.kind === 'abuse') return { outcome: 'report', report: complaint }
    for (const { contentType, content } of (await readContents(mail)) ?? []) {
      const report = await readContent(contentType, content, wanted)
      if (report !== null) return { outcome: 'report', report }
    }
    return { outcome: 'refused', reason: 'there is no report in this mail' }
  } catch (error) {
    if (error instanceof ReportFault || error instanceof UnpackFault)
      return { outcome: 'refused', reason: `the report is not read: ${error.message}` }
    throw error
  }
}

/** Null for a part that is none. */
async function readContent(contentType: string, content: Buffer, wanted: WantedReport): Promise<DomainReport | null> {
  const chunks = unpacked(content, wanted.maxBytes)
  try {
    const first = await chunks.next()
    if (first.done) return null
    const start = beginOf(first.value)
    const all = joined(first.value, chunks)
    if (start === '<' && isXml(contentType)) return await readDmarcReport(all, wanted)
    return start === '{' ? readTlsReport(await wholeText(all), wanted.domain) : null
  } finally {
    await chunks.return(undefined)
  }
}

/** The first character that is no white space, behind a byte order mark. */
function beginOf(chunk: Buffer): string {
  const text = chunk.subarray(0, 1024).toString('latin1')
  return text
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .slice(0, 1)
}

/** An HTML page beside a report is none. */
function isXml(contentType: string): boolean {
  return contentType !== 'text/html'
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

async function wholeText(chunks: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = []
  let total = 0
  for await (const chunk of chunks) {
    total += chunk.length
    if (total > maxTlsBytes) throw new UnpackFault(`it has more than ${maxTlsBytes} bytes unpacked`)
    kept.push(chunk)
  }
  return Buffer.concat(kept).toString('utf8')
}
