// Reads an aggregate report of DMARC (RFC 7489, appendix C; RFC 9990) as a stream: its rows are added up to groups while they come, so that
// a report of a million rows takes the memory of a few thousand. What its rows mean for us is decided where it is stored.

import { isIP } from 'node:net'
import { XmlFault, XmlScanner } from '../kit/xml-scan.ts'

/** How a row is known to be of mail that we handed over. */
export interface OurMarks {
  /** The sending domain that the report is about. */
  domain: string
  /** The selectors of our keys at this domain. */
  selectors: string[]
  /** The domain of our envelope sender where it is another one: a server that SPF lets send for it is ours. */
  envelopeDomain: string | null
}

/** Rows that are alike, added up. */
export interface ReportGroup {
  /** '' = the servers beyond the most that are told apart. */
  source: string
  /** `selector._domainkey.domain` of the signature that the receiver looked at; '' = none. */
  signer: string
  /** It has a signature of ours, valid or not. */
  isSigned: boolean
  /** Ours is valid. */
  isOurs: boolean
  /** SPF passed for our envelope sender. */
  isFromUs: boolean
  /** DMARC passed: DKIM or SPF is valid for the domain of the sender. */
  isAligned: boolean
  disposition: 'none' | 'quarantine' | 'reject'
  messages: number
}

export interface DmarcReport {
  kind: 'dmarc'
  /** As the report says. */
  organization: string
  reportId: string
  /** ms. */
  beginsAt: number
  endsAt: number
  /** `none`, `quarantine` or `reject`, as the receiver found it. */
  policy: string | null
  rows: number
  messages: number
  /** Messages of other domains: a record of a parent domain covers them, too. */
  otherMessages: number
  groups: ReportGroup[]
}

/** It is not read; the message says why, as a clause. */
export class ReportFault extends Error {}

const maxRows = 2_000_000
/** Of those with a signature of ours, and of the others, so that neither displaces the other. */
const maxGroups = 2_000
const maxRowMessages = 1_000_000_000
const maxSigner = 200
const maxName = 200

interface RowSoFar {
  source: string
  count: number
  disposition: string
  dkim: string
  spf: string
  headerFrom: string
  signer: string
  hasPassed: boolean
  isSigned: boolean
  isOurs: boolean
  isFromUs: boolean
}

const emptyRow: RowSoFar = {
  source: '',
  count: 0,
  disposition: '',
  dkim: '',
  spf: '',
  headerFrom: '',
  signer: '',
  hasPassed: false,
  isSigned: false,
  isOurs: false,
  isFromUs: false,
}

/** What one `<dkim>` or `<spf>` of a row says. */
interface Check {
  domain: string
  selector: string
  result: string
}

/** Throws ReportFault; a report about a domain that is neither `marks.domain` nor above it is refused. */
export async function readDmarcReport(chunks: AsyncIterable<Buffer>, marks: OurMarks): Promise<DmarcReport> {
  const reader = new DmarcReader(marks)
  const scanner = new XmlScanner(reader)
  const decoder = new TextDecoder()
  try {
    for await (const chunk of chunks) scanner.write(decoder.decode(chunk, { stream: true }))
    scanner.write(decoder.decode())
    scanner.end()
  } catch (error) {
    if (error instanceof XmlFault) throw new ReportFault(error.message)
    throw error
  }
  return reader.report()
}

class DmarcReader {
  readonly #marks: OurMarks
  readonly #about = new Map<string, string>()
  readonly #groups = new Map<string, ReportGroup>()
  readonly #counts = { signed: 0, others: 0 }
  #row: RowSoFar | null = null
  #check: Check | null = null
  #root = ''
  #rows = 0
  #messages = 0
  #otherMessages = 0

  constructor(marks: OurMarks) {
    this.#marks = marks
  }

  open(name: string): void {
    this.#root ||= name
    if (this.#root !== 'feedback') throw new ReportFault('it is no report of DMARC')
    if (name === 'record') {
      if (++this.#rows > maxRows) throw new ReportFault(`it has more than ${maxRows} rows`)
      if (this.#rows === 1) this.#expectOurDomain()
      this.#row = { ...emptyRow }
    } else if (name === 'dkim' || name === 'spf') this.#check = { domain: '', selector: '', result: '' }
  }

  close(name: string, text: string, inside: string): void {
    const row = this.#row
    if (row === null) this.#note(name, text, inside)
    else if (inside === 'dkim' || inside === 'spf') this.#noteCheck(name, text)
    else if (inside === 'auth_results') this.#takeCheck(row, name)
    else if (name === 'record') {
      this.#take(row)
      this.#row = null
    } else noteRow(row, name, text, inside)
  }

  /** Throws ReportFault when what every report must have is missing. */
  report(): DmarcReport {
    this.#expectOurDomain()
    const text = (name: string) => (this.#about.get(name) ?? '').slice(0, maxName)
    const [beginsAt, endsAt] = [text('begin'), text('end')].map((seconds) => Number(seconds) * 1000)
    if (text('report_id') === '' || !isTime(beginsAt) || !isTime(endsAt) || endsAt < beginsAt)
      throw new ReportFault('it does not say which report it is, or of which time')
    return {
      kind: 'dmarc',
      organization: text('org_name'),
      reportId: text('report_id'),
      beginsAt,
      endsAt,
      policy: /^(none|quarantine|reject)$/.test(text('p')) ? text('p') : null,
      rows: this.#rows,
      messages: this.#messages,
      otherMessages: this.#otherMessages,
      groups: [...this.#groups.values()],
    }
  }

  #note(name: string, text: string, inside: string): void {
    const isWanted = /^(report_metadata|date_range|policy_published)$/.test(inside)
    if (isWanted && !this.#about.has(name)) this.#about.set(name, text)
  }

  #expectOurDomain(): void {
    const about = (this.#about.get('domain') ?? '').toLowerCase()
    const { domain } = this.#marks
    if (about.includes('.') && (domain === about || domain.endsWith(`.${about}`))) return
    throw new ReportFault(about === '' ? 'it names no domain' : `it is not about ${domain}`)
  }

  #noteCheck(name: string, text: string): void {
    const check = this.#check
    if (check === null) return
    if (name === 'domain') check.domain = text.toLowerCase()
    else if (name === 'selector') check.selector = text.toLowerCase()
    else if (name === 'result') check.result = text.toLowerCase()
  }

  #takeCheck(row: RowSoFar, name: string): void {
    const check = this.#check
    this.#check = null
    if (check === null) return
    const { domain, selector, result } = check
    const marks = this.#marks
    const hasPassed = result === 'pass'
    if (name === 'spf') {
      if (hasPassed && domain === marks.envelopeDomain) row.isFromUs = true
      return
    }
    if (name !== 'dkim') return
    const isSigned = domain === marks.domain && marks.selectors.includes(selector)
    // Of several signatures the one that says most: ours, then a valid one, then the first.
    const says = (signed: boolean, passed: boolean) => 2 * Number(signed) + Number(passed)
    if (row.signer === '' || says(isSigned, hasPassed) > says(row.isSigned, row.hasPassed)) {
      row.signer = `${selector}._domainkey.${domain}`.slice(0, maxSigner)
      row.hasPassed = hasPassed
    }
    row.isSigned ||= isSigned
    row.isOurs ||= isSigned && hasPassed
  }

  #take(row: RowSoFar): void {
    if (!Number.isSafeInteger(row.count) || row.count < 1 || row.count > maxRowMessages || isIP(row.source) === 0)
      return
    this.#messages += row.count
    const { domain } = this.#marks
    if (row.headerFrom !== domain && !row.headerFrom.endsWith(`.${domain}`)) {
      this.#otherMessages += row.count
      return
    }
    this.#add(row, row.source, row.signer)
  }

  #add(row: RowSoFar, source: string, signer: string): void {
    const { isSigned, isOurs, isFromUs, count } = row
    const isAligned = row.dkim === 'pass' || row.spf === 'pass'
    const disposition = row.disposition === 'quarantine' || row.disposition === 'reject' ? row.disposition : 'none'
    const flags = [isSigned, isOurs, isFromUs, isAligned].map(Number).join('')
    const key = `${source} ${signer} ${flags} ${disposition}`
    const known = this.#groups.get(key)
    if (known !== undefined) known.messages += count
    else if (source !== '' && ++this.#counts[isSigned ? 'signed' : 'others'] > maxGroups) this.#add(row, '', '')
    else this.#groups.set(key, { source, signer, isSigned, isOurs, isFromUs, isAligned, disposition, messages: count })
  }
}

function noteRow(row: RowSoFar, name: string, text: string, inside: string): void {
  if (inside === 'row') {
    if (name === 'source_ip') row.source = text.toLowerCase()
    else if (name === 'count') row.count = Number(text)
  } else if (inside === 'policy_evaluated') {
    if (name === 'disposition') row.disposition = text.toLowerCase()
    else if (name === 'dkim') row.dkim = text.toLowerCase()
    else if (name === 'spf') row.spf = text.toLowerCase()
  } else if (inside === 'identifiers' && name === 'header_from') row.headerFrom = text.toLowerCase()
}

/** From 2000 on: a report says seconds. */
function isTime(ms: number | undefined): ms is number {
  return ms !== undefined && Number.isSafeInteger(ms) && ms > Date.UTC(2000, 0) && ms < Date.UTC(2200, 0)
}
