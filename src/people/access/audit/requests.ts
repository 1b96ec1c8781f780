// Makes every request that may change something an act (kit/act.ts). Changes of settings are recorded in its transaction; an act that
// changed no settings leaves a line here once it has succeeded.

import type { App } from '../../../core/app.ts'
import { createDeviceOf, type PeerSource } from '../../../core/http/client-ip.ts'
import { pathOf } from '../../../core/http/request-target.ts'
import type { RouteTable } from '../../../core/http/route-table.ts'
import { acting, currentAct, newAct } from '../../../kit/act.ts'
import { leaveLine } from './leave-line.ts'

type Answering = (request: Request) => Response | Promise<Response>

const maxClientChars = 200
const firstRefusal = 400

/** `answer`, with what it does in the log. */
export function auditRequests(
  app: App,
  { table, peers }: { table: RouteTable; peers: () => PeerSource | null },
  answer: Answering,
): Answering {
  const deviceOf = createDeviceOf(app.config.trustedProxies)
  const operationOf = (request: Request) => table.operationOf(request.method, pathOf(request))
  const newActOf = (request: Request) => {
    const command = currentAct()
    return newAct(() => {
      const { ip, userAgent } = deviceOf(request, peers())
      const client = command?.about().client ?? userAgent?.slice(0, maxClientChars) ?? null
      return { operation: operationOf(request).id, ip: ip === '' ? null : ip, client }
    })
  }
  return (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return answer(request)
    const act = newActOf(request)
    return acting(act, async () => {
      const response = await answer(request)
      if (response.status >= firstRefusal || response.headers.has('idempotency-replayed')) return response
      const { id, looks } = operationOf(request)
      if (!looks && !act.idle) await leaveLine(app, act, { operation: id, path: pathOf(request) })
      return response
    })
  }
}
