// doctor's check of sending without a relay: receivers then judge our own name and address. Only the DNS is asked, and no receiver.

import type { App } from '../../core/app.ts'
import { classifyIp, parseIp } from '../../kit/ip-address.ts'
import type { DnsAnswer } from '../../mail/dns.ts'
import { readMxUrl } from '../../mail/mx/mx-url.ts'
import type { Check } from './check.ts'

/** What the DNS does not tell, and what everybody meets who begins to send so. */
const outlook =
  'Port 25 to the outside must be open: most hosters close it, and then every mail waits with "no connection". ' +
  'A new address has no reputation: Gmail and Yahoo put off more than a little of its mail (421 4.7.x), Microsoft may refuse it until it is asked to (550 5.7.1 S3150). ' +
  'DANE is not used: nothing here validates DNSSEC'

export async function directSending({ dns }: Pick<App, 'dns'>, url: string): Promise<Check> {
  const name = 'direct sending'
  const { name: ours, bindAddress } = readMxUrl(url)
  const answer = await dns.addresses(ours)
  if (answer.outcome === 'none')
    return {
      name,
      ok: false,
      detail: `${ours} has no address in the DNS: receivers refuse who greets them so. ${outlook}`,
    }
  const faults = answer.outcome === 'failed' ? [`the DNS does not answer: ${answer.detail}`] : []
  const known = answer.outcome === 'found' ? answer.records : []
  if (bindAddress !== null && known.length > 0 && !known.includes(bindAddress))
    faults.push(`${ours} does not lead to ${bindAddress}, from which mail leaves`)
  const sources = bindAddress === null ? known : [bindAddress]
  for (const address of sources) faults.push(...faultsOf(ours, address, await dns.names(address)))
  if (faults.length > 0) return { name, ok: true, warning: true, detail: `${faults.join('; ')}. ${outlook}` }
  return { name, ok: true, detail: `${ours} is ${sources.join(', ')}, whose PTR records lead back to it. ${outlook}` }
}

function faultsOf(ours: string, address: string, answer: DnsAnswer<string>): string[] {
  const bytes = parseIp(address)
  if (bytes && classifyIp(bytes) !== 'public') return [`${address} is no public address: receivers see another one`]
  if (answer.outcome === 'failed') return [`the DNS does not answer: ${answer.detail}`]
  const refusal =
    'Gmail refuses mail from it (550 5.7.25), others put it off or take it for spam; who owns the address sets it'
  if (answer.outcome === 'none') return [`${address} has no PTR record: ${refusal}`]
  return answer.records.includes(ours)
    ? []
    : [`the PTR record of ${address} is ${answer.records.join(', ')}, not ${ours}: ${refusal}`]
}
