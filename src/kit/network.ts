// The network behind an address: what every limit per address counts by. Whoever has one address of an IPv6 network has all of it, and one
// IPv4 address may be written in several ways.

import { type IpBytes, ipv4Within, parseIp } from './ip-address.ts'

declare const network: unique symbol

/** The key of a limit. Only this file makes one, so no limit can count by an address as it was written. */
export type Network = string & { readonly [network]: true }

/** What one machine can have all of: an IPv4 address, the /64 of an IPv6 address. What is no address counts as one network. */
export function networkOf(address: string): Network {
  return (firstBytes(address, { ipv4: 4, ipv6: 8 }) ?? '') as Network
}

/** What one customer of a provider can have all of: the /24 of an IPv4 address, the /48 of an IPv6 address. Null: no address. */
export function networkAround(address: string): Network | null {
  return firstBytes(address, { ipv4: 3, ipv6: 6 })
}

/** The first bytes of it. A mapped or translated IPv4 address is one. */
function firstBytes(address: string, { ipv4, ipv6 }: { ipv4: number; ipv6: number }): Network | null {
  const written = parseIp(address.split('%')[0] ?? '')
  if (written === null) return null
  const bytes = ipv4Within(written) ?? written
  return (bytes.length === 4 ? ofIpv4(bytes, ipv4) : ofIpv6(bytes, ipv6)) as Network
}

function ofIpv4(bytes: IpBytes, kept: number): string {
  const text = bytes.map((byte, index) => (index < kept ? byte : 0)).join('.')
  return kept === 4 ? text : `${text}/${kept * 8}`
}

function ofIpv6(bytes: IpBytes, kept: number): string {
  const groups: string[] = []
  for (let at = 0; at < kept; at += 2) groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16))
  return `${groups.join(':')}::/${kept * 8}`
}
