// SPF, DKIM and DMARC (RFC 7208, 6376, 7489): what the sender's domain says about a mail. mailauth does the checks; we limit the number of
// DNS queries and the time, because a mail may name any number of domains. They run on the thread that parses mail (mail-work.ts).

import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { withDeadline } from '../kit/deadline.ts'
import { addressDomain } from '../kit/email-address.ts'
import { withoutUndefined } from '../kit/without-undefined.ts'

export interface Verdicts {
  spf: string
  dkim: string
  dmarc: string
}

/** Resolves like `dns.promises.resolve(name, type)`; throws an error with a `code` like ENOTFOUND. */
export type ResolveDns = (name: string, type: string) => Promise<string[] | string[][]>

export interface Delivery {
  /** The address of the server that delivered it; null when it came another way, and SPF does not apply. */
  address: string | null
  helo: string
  /** '' = the null sender. */
  envelopeFrom: string
  /** Our own host name. */
  host: string
}

/** Nothing was published, or nothing could be checked. */
export const noVerdicts: Verdicts = { spf: 'none', dkim: 'none', dmarc: 'none' }

/** It could not be checked in time. */
export const unknownVerdicts: Verdicts = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' }

const maxQuestions = 40
const timeoutMs = 15_000
const dnsTimeoutMs = 4_000
/** RFC 6761 and 6762: queries for these never leave the machine. */
const specialUse = /(^|\.)(test|example|invalid|localhost|local|internal|onion|home\.arpa|example\.(com|net|org))\.?$/i

/** Never throws: what could not be checked in time is `temperror`. */
export async function checkSenders(resolve: ResolveDns, raw: Buffer, delivery: Delivery): Promise<Verdicts> {
  const checked = check(bounded(resolve), raw, delivery).catch(() => unknownVerdicts)
  return await withDeadline(checked, timeoutMs, unknownVerdicts)
}

/** Whose valid signature covers the whole mail and is for the domain of its From, or one of the same organisation. */
export type Signer =
  | { outcome: 'signed'; domain: string }
  /** Nobody's; `from` is what the mail says. */
  | { outcome: 'unsigned'; from: string }
  /** The DNS did not answer: it may be asked again. */
  | { outcome: 'unknown' }

/** Never throws. */
export async function findSigner(resolve: ResolveDns, raw: Buffer): Promise<Signer> {
  const found = checkSigner(bounded(resolve), raw).catch((): Signer => ({ outcome: 'unknown' }))
  return await withDeadline(found, timeoutMs, { outcome: 'unknown' })
}

async function checkSigner(resolver: ResolveDns, raw: Buffer): Promise<Signer> {
  const { dkimVerify } = await mailauth()
  const { headerFrom, results } = await dkimVerify(raw, { resolver })
  const from = [headerFrom ?? []].flat()
  const named = from.length === 1 ? addressDomain(from[0] ?? '').toLowerCase() : ''
  // What a signature leaves out of the body (`l=`) anybody may have added.
  const signed = results.find(({ status }) => status.result === 'pass' && status.aligned && !status.underSized)
  if (signed?.signingDomain !== undefined && named !== '')
    return { outcome: 'signed', domain: signed.signingDomain.toLowerCase() }
  if (results.some(({ status }) => status.result === 'temperror')) return { outcome: 'unknown' }
  return { outcome: 'unsigned', from: named }
}

/** Loaded with the first mail: it would take a third of the start-up time of a server that receives none. */
async function mailauth() {
  const [{ dkimVerify }, { dmarc }, { spf }] = await Promise.all([
    import('mailauth/lib/dkim/verify'),
    import('mailauth/lib/dmarc'),
    import('mailauth/lib/spf'),
  ])
  return { dkimVerify, dmarc, spf }
}

async function check(
  resolver: ResolveDns,
  raw: Buffer,
  { address, helo, envelopeFrom, host }: Delivery,
): Promise<Verdicts> {
  const { dkimVerify, dmarc, spf } = await mailauth()
  const signatures = await dkimVerify(raw, { resolver, sender: envelopeFrom })
  const sent =
    address === null || isIP(address) === 0
      ? null
      : await spf({ resolver, ip: address, helo, sender: envelopeFrom, mta: host })
  const passing = signatures.results.filter(({ status }) => status.result === 'pass')
  const policy = signatures.headerFrom
    ? await dmarc({
        resolver,
        headerFrom: signatures.headerFrom,
        spfDomains: sent && sent.status.result === 'pass' && sent.domain ? [sent.domain] : [],
        dkimDomains: passing.flatMap(alignable),
      })
    : false
  return {
    spf: sent?.status.result ?? 'none',
    dkim: passing.length > 0 ? 'pass' : (signatures.results[0]?.status.result ?? 'none'),
    dmarc: policy === false ? 'none' : policy.status.result,
  }
}

type DkimVerify = Awaited<ReturnType<typeof mailauth>>['dkimVerify']
type Signature = Awaited<ReturnType<DkimVerify>>['results'][number]

function alignable({ signingDomain: domain, status: { aligned, underSized } }: Signature) {
  if (domain === undefined) return []
  return [{ domain, ...withoutUndefined({ aligned, underSized }) }]
}

function bounded(resolve: ResolveDns): ResolveDns {
  let questions = 0
  return async (name, type) => {
    if (++questions > maxQuestions) throw dnsError('ETIMEOUT')
    return await resolve(name, type)
  }
}

/** The resolver of the system. */
export function systemDns(): ResolveDns {
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: 1 })
  return async (name, type) => {
    if (specialUse.test(name)) throw dnsError('ENOTFOUND')
    return (await resolver.resolve(name, type)) as string[] | string[][]
  }
}

function dnsError(code: string): Error {
  return Object.assign(new Error(code), { code })
}
