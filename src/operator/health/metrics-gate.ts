// Who may read /metrics: whoever has METRICS_TOKEN; without a token, only programs on this machine.

import type { Config } from '../../core/config.ts'
import type { PeerSource } from '../../core/http/client-ip.ts'
import { isOfOperator } from '../../core/http/machine-gate.ts'
import { AppError } from '../../kit/error.ts'

/** Throws `unauthorized`. */
export function createMetricsGate({ metricsToken: token }: Pick<Config, 'metricsToken'>) {
  return (request: Request, server: PeerSource | null): void => {
    const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (isOfOperator({ token, given }, request, server)) return
    const message = 'Metrics require METRICS_TOKEN as a bearer token, or a program on this machine.'
    throw new AppError('unauthorized', message)
  }
}
