// The SPF record to publish (RFC 7208): the domain's existing record plus what the relays need that carry its mail. A domain has only one
// such record; with two, receivers ignore both.

import type { DnsResolver } from './dns.ts'

/** What relays ask their customers to include. */
const relays: [host: RegExp, include: string][] = [
  [/(^|\.)sendgrid\.net$/, 'sendgrid.net'],
  [/(^|\.)mailgun\.org$/, 'mailgun.org'],
  [/(^|\.)(postmarkapp|mtasv)\.(com|net)$/, 'spf.mtasv.net'],
  [/(^|\.)amazonaws\.com$/, 'amazonses.com'],
  [/(^|\.)(brevo|sendinblue)\.com$/, 'spf.brevo.com'],
  [/(^|\.)mailjet\.com$/, 'spf.mailjet.com'],
  [/(^|\.)(sparkpostmail|sparkpost)\.com$/, 'sparkpostmail.com'],
  [/(^|\.)mandrillapp\.com$/, 'spf.mandrillapp.com'],
  [/(^|\.)mailersend\.net$/, '_spf.mailersend.net'],
  [/(^|\.)smtp2go\.com$/, 'spf.smtp2go.com'],
  [/(^|\.)(gmail|google)\.com$/, '_spf.google.com'],
  [/(^|\.)(office365|outlook)\.com$/, 'spf.protection.outlook.com'],
  [/(^|\.)(fastmail|messagingengine)\.com$/, 'spf.messagingengine.com'],
]

/** The mechanisms that allow the relays. Their manuals know better; an unknown relay is assumed to send from its own address. */
export function spfMechanisms(relayHosts: string[]): string[] {
  return [...new Set((relayHosts.length === 0 ? [''] : relayHosts).flatMap(mechanismsOf))]
}

function mechanismsOf(relayHost: string): string[] {
  if (!relayHost.includes('.') || /^[\d.]+$|:/.test(relayHost)) return ['a', 'mx']
  const include = relays.find(([host]) => host.test(relayHost.toLowerCase()))?.[1]
  return [include === undefined ? `a:${relayHost.toLowerCase()}` : `include:${include}`]
}

/** RFC 7208, 4.6.4. */
const maxLookUps = 10

/**
 * What relays ask to include and neither the record has nor anything that it includes. Only what is known of a relay is looked for, and a
 * name server that does not answer says nothing.
 */
export async function missingIncludes(dns: DnsResolver, record: string, wanted: string[]): Promise<string[]> {
  const open = new Set(wanted.filter((one) => one.startsWith('include:')))
  const records = [record]
  let lookUps = 0
  for (const text of records)
    for (const term of text.trim().split(/\s+/).slice(1)) {
      open.delete(term.toLowerCase().replace(/^\+/, ''))
      const name = /^\+?(?:include:|redirect=)([^%\s]+)$/i.exec(term)?.[1]
      if (open.size === 0 || lookUps === maxLookUps) return [...open]
      if (name === undefined) continue
      lookUps++
      const answer = await dns.txt(name)
      if (answer.outcome === 'failed') return []
      if (answer.outcome === 'found') records.push(...answer.records.filter(isSpfRecord).slice(0, 1))
    }
  return [...open]
}

export function isSpfRecord(text: string): boolean {
  return /^v=spf1(\s|$)/i.test(text)
}

/** One record that merges `published` and also allows `mechanisms`. */
export function mergedSpf(published: string[], mechanisms: string[]): string {
  const terms = published.flatMap((record) => record.trim().split(/\s+/).slice(1))
  const kept = terms.filter((term, index) => !isLast(term) && terms.findIndex((one) => isSame(one, term)) === index)
  const missing = mechanisms.filter((one) => !kept.some((term) => isSame(term, one)))
  const [only] = published
  if (published.length === 1 && only !== undefined && missing.length === 0) return only
  const end = terms.find((term) => /^[-~?+]?all$/i.test(term)) ?? terms.find(isLast) ?? '~all'
  return ['v=spf1', ...kept, ...missing, end].join(' ')
}

/** Everything after it is ignored. */
function isLast(term: string): boolean {
  return /^([-~?+]?all|redirect=.+)$/i.test(term)
}

function isSame(one: string, other: string): boolean {
  const plain = (term: string) => term.toLowerCase().replace(/^\+/, '')
  return plain(one) === plain(other)
}
