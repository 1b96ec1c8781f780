// Checks the DNS of a sending domain: who owns it, and whether our DKIM key, an SPF record and a DMARC policy are published. "unknown" is
// not "missing": a name server that does not answer says nothing about the domain.

import type { DnsResolver } from './dns.ts'
import { isSpfRecord, missingIncludes } from './spf-record.ts'

export type RecordState = 'ok' | 'missing' | 'wrong' | 'unknown'

export interface DomainAuth {
  /** The ownership record, which names the workspace; without it, our DKIM key proves the same. */
  ownership: RecordState
  dkim: RecordState
  spf: RecordState
  /** The policy as published; null when the DNS did not answer. */
  spfRecords: string[] | null
  dmarc: RecordState
  /** `none`, `quarantine` or `reject`. */
  dmarcPolicy: string | null
  /** As it is published for this very domain, not for a parent; null = none, or no valid one. */
  dmarcRecord: string | null
  /** What is wrong, in words for the user. */
  detail: string | null
}

interface TxtRecord {
  name: string
  value: string
}

interface WantedRecords {
  ownershipRecord: TxtRecord
  /** Any of them is enough: a provider's form may not accept both. */
  dkimRecords: TxtRecord[]
  /** What the relays need that carry its mail. */
  spf: string[]
}

export async function checkDomainAuth(
  dns: DnsResolver,
  domain: string,
  { ownershipRecord, dkimRecords, spf: mechanisms }: WantedRecords,
): Promise<DomainAuth> {
  const [ownership, dkim, spf, dmarc] = await Promise.all([
    checkRecord(dns, ownershipRecord),
    checkDkim(dns, dkimRecords),
    checkSpf(dns, domain, mechanisms),
    findDmarc(dns, domain),
  ])
  const details = [dkim.detail, spf.detail, dmarc.detail].filter((detail) => detail !== null)
  return {
    ownership,
    dkim: dkim.verdict,
    spf: spf.verdict,
    spfRecords: spf.records,
    dmarc: dmarc.verdict,
    dmarcPolicy: dmarc.policy,
    dmarcRecord: dmarc.record,
    detail: details.length > 0 ? details.join('; ') : null,
  }
}

/** There may be several records at the name: another workspace or installation has its own. */
export async function checkRecord(dns: DnsResolver, { name, value }: TxtRecord): Promise<RecordState> {
  const answer = await dns.txt(name)
  if (answer.outcome === 'failed') return 'unknown'
  return answer.outcome === 'found' && answer.records.some((text) => text.trim() === value) ? 'ok' : 'missing'
}

interface Finding {
  verdict: RecordState
  detail: string | null
}

export async function checkDkim(dns: DnsResolver, wanted: TxtRecord[]): Promise<Finding> {
  const findings = await Promise.all(wanted.map((record) => checkKey(dns, record)))
  return (
    findings.find(({ verdict }) => verdict === 'ok') ??
    findings.find(({ verdict }) => verdict === 'unknown') ??
    findings.find(({ verdict }) => verdict === 'wrong') ??
    findings[0] ?? { verdict: 'missing', detail: 'no DKIM key' }
  )
}

async function checkKey(dns: DnsResolver, { name, value }: TxtRecord): Promise<Finding> {
  const answer = await dns.txt(name)
  if (answer.outcome === 'failed') return { verdict: 'unknown', detail: answer.detail }
  if (answer.outcome === 'none') return { verdict: 'missing', detail: `${name} has no TXT record` }
  const key = findTag(value, 'p')
  if (answer.records.some((record) => findTag(record, 'p') === key)) return { verdict: 'ok', detail: null }
  return { verdict: 'wrong', detail: `${name} holds another key` }
}

/**
 * Exactly one record that begins with `v=spf1`; with two, receivers ignore both (RFC 7208, 4.5). What it lets send is judged by receivers,
 * for the envelope sender: a relay that it does not name is told, and no fault.
 */
export async function checkSpf(
  dns: DnsResolver,
  domain: string,
  mechanisms: string[],
): Promise<Finding & { records: string[] | null }> {
  const answer = await dns.txt(domain)
  if (answer.outcome === 'failed') return { verdict: 'unknown', detail: answer.detail, records: null }
  const records = answer.outcome === 'found' ? answer.records.filter(isSpfRecord) : []
  const [only, second] = records
  if (only !== undefined && second === undefined) {
    const missing = await missingIncludes(dns, only, mechanisms)
    const detail = `the SPF record of ${domain} has no ${missing.join(' ')}: mail through that relay passes DMARC by its DKIM signature only`
    return { verdict: 'ok', detail: missing.length === 0 ? null : detail, records }
  }
  if (records.length > 1) return { verdict: 'wrong', detail: `${domain} has ${records.length} SPF records`, records }
  return { verdict: 'missing', detail: `${domain} has no SPF record`, records }
}

/** `text`: the record that holds, at the domain `at`. */
type DmarcFinding = Finding & Record<'policy' | 'record' | 'text' | 'at', string | null>

const noDmarc = { policy: null, record: null, text: null, at: null }

/** The domain's own record, else that of the nearest parent (RFC 7489, 6.6.3; using the tree walk of RFC 9989 instead of a suffix list). */
export async function findDmarc(dns: DnsResolver, domain: string): Promise<DmarcFinding> {
  const labels = domain.split('.')
  for (let from = 0; from <= labels.length - 2; from++) {
    const at = labels.slice(from).join('.')
    const name = `_dmarc.${at}`
    const answer = await dns.txt(name)
    if (answer.outcome === 'failed') return { ...noDmarc, verdict: 'unknown', detail: answer.detail }
    if (answer.outcome === 'none') continue
    const records = answer.records.filter((text) => /^v=DMARC1\s*(;|$)/.test(text))
    if (records.length === 0) continue
    const [text = ''] = records
    const policy = findTag(text, 'p')
    if (records.length === 1 && policy !== null && /^(none|quarantine|reject)$/i.test(policy)) {
      const record = from === 0 ? text : null
      return { verdict: 'ok', detail: null, policy: policy.toLowerCase(), record, text, at }
    }
    return { ...noDmarc, verdict: 'wrong', detail: `${name} is no valid DMARC record` }
  }
  return { ...noDmarc, verdict: 'missing', detail: `_dmarc.${domain} has no DMARC record` }
}

/** The value of one tag of a tag list (RFC 6376, 3.2), without white space; null when it is missing. */
export function findTag(record: string, name: string): string | null {
  const tag = record.split(';').find((part) => part.split('=')[0]?.trim() === name)
  return tag === undefined ? null : tag.slice(tag.indexOf('=') + 1).replace(/\s+/g, '')
}
