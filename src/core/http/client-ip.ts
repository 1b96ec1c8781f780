// Determines who is calling. Anybody can write X-Forwarded-For, so it is only believed as far as the configured proxies.

import { BlockList, isIP } from 'node:net'
import { plainAddress } from '../../kit/ip-address.ts'

/** The part of Bun's server that knows the peer address. */
export interface PeerSource {
  requestIP(request: Request): { address: string } | null
}

/** Requests that replace another one (an alias path): the peer is only known for the original. */
const originals = new WeakMap<Request, Request>()

/** Records that `copy` stands for `original`. */
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
    // Each proxy appends the address that it saw: the first one from the right that is not one of our proxies is the caller.
    const caller = hops.findLast((hop) => isIP(hop) === 0 || !isTrusted(trusted, hop))
    return caller !== undefined && isIP(caller) !== 0 ? caller : peer
  }
}

/** A caller's address and browser. */
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

/** Addresses and CIDR blocks, validated by config.ts. */
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
