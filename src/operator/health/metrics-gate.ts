// Who may read /metrics: whoever has METRICS_TOKEN; without a token, only programs on this machine. A proxy on this machine looks local
// too, so requests that it forwards do not count: they carry a forwarding header or another host.

import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../../core/config.ts'
import type { PeerSource } from '../../core/http/client-ip.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { AppError } from '../../kit/error.ts'
import { plainAddress } from '../../kit/ip-address.ts'
import { isLoopback } from '../../mail/smtp-url.ts'

const forwarding = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/** Throws `unauthorized`. */
export function createMetricsGate({ metricsToken }: Pick<Config, 'metricsToken'>) {
  return (request: Request, server: PeerSource | null): void => {
    const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (
      metricsToken === undefined ? isOfThisMachine(request, server) : given !== undefined && isSame(given, metricsToken)
    )
      return
    const message = 'Metrics require METRICS_TOKEN as a bearer token, or a program on this machine.'
    throw new AppError('unauthorized', message)
  }
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
