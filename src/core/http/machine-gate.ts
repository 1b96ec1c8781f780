// Who may ask what is for the operator's programs: whoever has the token; without a token, only programs on this machine. A proxy on this
// machine looks local too, so requests that it forwards do not count: they carry a forwarding header or another host.

import { timingSafeEqual } from 'node:crypto'
import { sha256Hex } from '../../kit/digest.ts'
import { plainAddress } from '../../kit/ip-address.ts'
import { isLoopback } from '../../mail/smtp-url.ts'
import type { PeerSource } from './client-ip.ts'

const forwarding = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/** `given`: the token of the request, if it has one. */
export function isOfOperator(
  { token, given }: { token: string | undefined; given: string | undefined },
  request: Request,
  server: PeerSource | null,
): boolean {
  return token === undefined ? isOfThisMachine(request, server) : given !== undefined && isSame(given, token)
}

function isOfThisMachine(request: Request, server: PeerSource | null): boolean {
  if (forwarding.some((name) => request.headers.has(name))) return false
  const host = new URL(request.url).hostname.replace(/^\[|\]$/g, '')
  return isLoopback(host) && isLoopback(plainAddress(server?.requestIP(request)?.address ?? ''))
}

/** As long for any two. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(one)), Buffer.from(sha256Hex(other)))
}
