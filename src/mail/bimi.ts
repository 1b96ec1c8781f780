// BIMI: the logo that some receivers show beside the mail of a domain (draft-brand-indicators-for-message-identification). Nobody needs it, so
// that there is none is no fault. Looked at: the record, the policy of DMARC, the logo, and whom the certificate is for. Not looked at: who
// issued the certificate, and which logo it vouches for.

import { X509Certificate } from 'node:crypto'
import { second } from '../kit/duration.ts'
import type { Dialer } from '../kit/outbound/dialer.ts'
import { logoFaults, maxLogoBytes } from './bimi-logo.ts'
import type { DnsResolver } from './dns.ts'
import { findDmarc, findTag, type RecordState } from './dns-auth.ts'

export interface Bimi {
  verdict: RecordState
  /** What is wrong with it, or what it lacks. */
  detail: string | null
}

interface Ports {
  dns: DnsResolver
  dialer: Dialer
  now: Date
}

const fetchMs = 8 * second
const maxCertificateBytes = 64 * 1024
/** What a certificate for logos is for (RFC 3709; the Verified Mark Certificate guidelines). */
const logoUse = '1.3.6.1.5.5.7.3.31'

export async function checkBimi(ports: Ports, domain: string): Promise<Bimi> {
  const found = await findRecord(ports.dns, domain)
  if (typeof found !== 'string') return found
  const logo = findTag(found, 'l') ?? ''
  const certificate = findTag(found, 'a') ?? ''
  if (logo === '' && certificate === '') return { verdict: 'ok', detail: 'the record says that there is no logo' }
  if (!isHttps(logo)) return wrong('l= is no address with https:')
  if (certificate !== '' && !isHttps(certificate)) return wrong('a= is no address with https:')
  const parts = await Promise.all([
    policyFaults(ports.dns, domain),
    checkLogo(ports.dialer, logo),
    certificate === '' ? none : checkCertificate(ports, certificate, domain),
  ])
  const faults = parts.flatMap((part) => part.faults)
  const unknown = parts.flatMap((part) => part.unknown)
  if (faults.length > 0) return wrong([...faults, ...unknown].join('; '))
  if (unknown.length > 0) return { verdict: 'unknown', detail: unknown.join('; ') }
  return { verdict: 'ok', detail: certificate === '' ? withoutCertificate : null }
}

const withoutCertificate = 'it has no certificate (a=): Gmail and Apple show a logo only with one'
const wrong = (detail: string): Bimi => ({ verdict: 'wrong', detail })

/** What is wrong, and what could not be found out. */
interface Part {
  faults: string[]
  unknown: string[]
}

const none: Part = { faults: [], unknown: [] }
const fault = (text: string): Part => ({ ...none, faults: [text] })
const notKnown = (text: string): Part => ({ ...none, unknown: [text] })

/** Of the domain, else of the one above it that says the policy of DMARC. */
async function findRecord(dns: DnsResolver, domain: string): Promise<string | Bimi> {
  const own = await readRecord(dns, domain)
  if (typeof own === 'string' || own.verdict !== 'missing') return own
  const { at } = await findDmarc(dns, domain)
  return at === null || at === domain ? own : await readRecord(dns, at)
}

async function readRecord(dns: DnsResolver, domain: string): Promise<string | Bimi> {
  const name = `default._bimi.${domain}`
  const answer = await dns.txt(name)
  if (answer.outcome === 'failed') return { verdict: 'unknown', detail: answer.detail }
  if (answer.outcome === 'none') return { verdict: 'missing', detail: null }
  const records = answer.records.filter((text) => /^v=BIMI1\s*(;|$)/.test(text))
  const [only] = records
  if (only !== undefined && records.length === 1) return only
  return wrong(only === undefined ? `${name} does not begin with v=BIMI1` : `${name} has ${records.length} records`)
}

/** Receivers show logos only where mail of others is put aside. */
async function policyFaults(dns: DnsResolver, domain: string): Promise<Part> {
  const { verdict, detail, text, at } = await findDmarc(dns, domain)
  if (verdict === 'unknown') return notKnown(detail ?? '')
  if (text === null) return fault(detail ?? 'there is no DMARC record')
  const tag = (name: string) => findTag(text, name)?.toLowerCase()
  const p = tag('p') ?? 'none'
  const applied = at === domain ? p : (tag('sp') ?? p)
  if (applied === 'none' || p === 'none' || tag('sp') === 'none')
    return fault('DMARC must be p=quarantine or p=reject, for subdomains too (sp=)')
  if (applied === 'quarantine' && (tag('pct') ?? '100') !== '100')
    return fault('DMARC must be for all mail: pct=100, or none')
  return tag('t') === 'y' ? fault('DMARC is only tried (t=y)') : none
}

async function checkLogo(dialer: Dialer, url: string): Promise<Part> {
  const fetched = await download(dialer, { url, maxBytes: maxLogoBytes, what: 'the logo' })
  if (!Buffer.isBuffer(fetched)) return fetched
  const faults = await logoFaults(fetched)
  return faults.length === 0 ? none : fault(`the logo: ${faults.join(', ')}`)
}

/** Its first certificate, which is that of the domain. */
async function checkCertificate({ dialer, now }: Ports, url: string, domain: string): Promise<Part> {
  const fetched = await download(dialer, { url, maxBytes: maxCertificateBytes, what: 'the certificate' })
  if (!Buffer.isBuffer(fetched)) return fetched
  const certificate = parseCertificate(fetched)
  if (certificate === null) return fault('the certificate: it is none in PEM')
  const { validFrom, validTo, subjectAltName = '', keyUsage = [] } = certificate
  const names = [...(subjectAltName ?? '').matchAll(/DNS:([^,\s]+)/g)].map(([, name = '']) => ownerOf(name))
  const faults = [
    ...(now >= new Date(validFrom) && now < new Date(validTo) ? [] : [`it is good until ${validTo} only`]),
    ...(names.some((name) => domain === name || domain.endsWith(`.${name}`)) ? [] : [`it is not for ${domain}`]),
    ...(keyUsage.includes(logoUse) ? [] : ['it is none for logos']),
  ]
  return faults.length === 0 ? none : fault(`the certificate: ${faults.join(', ')}`)
}

function parseCertificate(pem: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}

/** `default._bimi.example.com`: `example.com`. */
function ownerOf(name: string): string {
  return name.toLowerCase().replace(/^[^.]+\._bimi\./, '')
}

/** To public addresses only, and no other address than this one. */
async function download(
  dialer: Dialer,
  { url, maxBytes, what }: { url: string; maxBytes: number; what: string },
): Promise<Buffer | Part> {
  const answer = await dialer.exchange({
    method: 'GET',
    url,
    headers: [['Accept', '*/*']],
    body: '',
    wholeBytes: maxBytes + 1,
    totalMs: fetchMs,
  })
  if (answer.outcome === 'failed') {
    const { code } = answer
    return code.startsWith('blocked')
      ? fault(`${what}: its address is not public`)
      : notKnown(`${what} was not to be had (${code.replaceAll('_', ' ')})`)
  }
  if (answer.head.status !== 200) return fault(`${what}: its server answers ${answer.head.status}`)
  return answer.body.length > maxBytes ? fault(`${what}: it has more than ${maxBytes / 1024} KB`) : answer.body
}

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:'
}
