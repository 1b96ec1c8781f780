// The address at which others report of a sending domain (DMARC, TLS, complaints), and the records that tell them so.

import { type AddressKind, type Keyed, keyedAddress, readKeyedAddress } from '../../../core/keyed-address.ts'
import type { DnsRecord } from '../../../people/domain-owners.ts'

const kind: AddressKind = { letter: 'r', idPrefix: 'dom_', context: 'report address' }

/** Null when no domain of ours receives mail (INBOUND_DOMAIN). */
export function reportAddress(app: Keyed, domainId: string): string | null {
  return keyedAddress(app, kind, domainId)
}

/** The id of the domain; null for an address that we did not create. */
export function readReportAddress(app: Keyed, address: string): string | null {
  return readKeyedAddress(app, [kind], address)?.id ?? null
}

/** The published policy with our address among those that get its reports; a first one only watches. `published`: of this very domain. */
export function proposedDmarc(published: string | null, address: string | null): string {
  const tags = (published ?? 'v=DMARC1; p=none')
    .split(';')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  if (address === null) return tags.join('; ')
  const mine = `mailto:${address}`
  const at = tags.findIndex((tag) => /^rua\s*=/i.test(tag))
  const before = at === -1 ? [] : (tags[at] ?? '').slice((tags[at] ?? '').indexOf('=') + 1).split(',')
  const kept = before.map((uri) => uri.trim()).filter((uri) => uri !== '' && uri.toLowerCase() !== mine)
  const rua = `rua=${[...kept, mine].join(',')}`
  return (at === -1 ? [...tags, rua] : tags.with(at, rua)).join('; ')
}

/** Beside the policy: where reports about TLS go, and that reports about this domain are welcome at ours (RFC 9990; RFC 7489, 7.1). */
export function reportRecords({ config }: Keyed, domain: string, address: string | null): DnsRecord[] {
  const { inboundDomain } = config
  if (address === null || inboundDomain === undefined) return []
  const tls: DnsRecord = { type: 'TXT', name: `_smtp._tls.${domain}`, value: `v=TLSRPTv1; rua=mailto:${address}` }
  const isOurs = inboundDomain === domain || inboundDomain.endsWith(`.${domain}`)
  const welcome: DnsRecord = { type: 'TXT', name: `${domain}._report._dmarc.${inboundDomain}`, value: 'v=DMARC1' }
  return isOurs ? [tls] : [tls, welcome]
}

/** The proposed record with another policy, and what else it says as it is. */
export function withPolicy(record: string, policy: string): string {
  return record.replace(/(^|;)(\s*)p\s*=[^;]*/i, `$1$2p=${policy}`)
}
