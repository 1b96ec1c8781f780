// Who is calling. X-Forwarded-For is anybody's text: it is believed only as far as the proxies that we were told to trust.

import { BlockList, isIP } from 'node:net'
import { parseIp } from '../lib/ip-address.ts'

/** The part of Bun's server that knows the peer. */
export interface PeerSource {
  requestIP(request: Request): { address: string } | null
}

/** Requests that replace another one (an alias path): the peer is known of the first. */
const originals = new WeakMap<Request, Request>()

/** Says that `copy` stands for `original`. */
export function rememberOriginal(copy: Request, original: Request): void {
  originals.set(copy, original)
}

/** `clientIp(request, server)`: the caller's address, or '' when the connection is gone. */
export function createClientIp(trustedProxies: string[]) {
  const trusted = blockList(trustedProxies)
  return (request: Request, server: PeerSource | null): string => {
    const peer = plainAddress(server?.requestIP(originals.get(request) ?? request)?.address ?? '')
    if (!isTrusted(trusted, peer)) return peer
    const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => plainAddress(hop.trim()))
    // Each proxy appends the address it saw: the first one from the right that is not a proxy of ours is the caller.
    const caller = hops.findLast((hop) => isIP(hop) === 0 || !isTrusted(trusted, hop))
    return caller !== undefined && isIP(caller) !== 0 ? caller : peer
  }
}

/** From where and with what somebody calls. */
export interface Device {
  ip: string
  userAgent: string | null
}

/** `deviceOf(request, server)`. */
export function createDeviceOf(trustedProxies: string[]) {
  const clientIp = createClientIp(trustedProxies)
  return (request: Request, server: PeerSource | null): Device => ({
    ip: clientIp(request, server),
    userAgent: request.headers.get('user-agent'),
  })
}

/** What a limit counts by: an IPv4 address, or the /64 of an IPv6 address, for a machine has all of that. */
export function networkOf(address: string): string {
  const bytes = address.includes(':') ? parseIp(address) : null
  return bytes === null ? address : `${Buffer.from(bytes.slice(0, 8)).toString('hex')}::/64`
}

/** Addresses and CIDR blocks, checked by config.ts. */
function blockList(entries: string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return list
}

function isTrusted(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** `::ffff:192.0.2.1` is the IPv4 address it carries. */
function plainAddress(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && address.includes('.')
    ? address.slice('::ffff:'.length)
    : address
}
