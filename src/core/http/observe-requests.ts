// Observes every request: a line in the debug log, and a span where traces are exported. Both name the pattern of the route instead of the
// path, so they contain nothing from a path or a query.

import { parseTraceparent, tracing } from '../../kit/trace.ts'
import type { Span } from '../../kit/tracing/tracer.ts'
import type { App } from '../app.ts'
import { pathOf } from './request-target.ts'
import type { RouteTable } from './route-table.ts'

type Answering = (request: Request) => Response | Promise<Response>

/** The caller of the request, once it is known. */
type WhoseOf = (request: Request) => { workspaceId: string; keyId: string | null } | null

interface ObserverParts {
  table: Pick<RouteTable, 'operationOf'>
  whoseOf: WhoseOf
}

const firstFailure = 500

/** The same as `answer` where there is neither a debug log nor a collector. */
export function observeRequests(app: App, { table, whoseOf }: ObserverParts, answer: Answering): Answering {
  const { tracer, log } = app
  const isLogged = app.config.logLevel === 'debug'
  if (tracer === null && !isLogged) return answer
  const note = (request: Request, response: Response, beganAt: number, span: Span | null) => {
    const { method } = request
    const { id, route } = nameOperation(table, request)
    const { status } = response
    const requestId = response.headers.get('x-request-id') ?? undefined
    const whose = whoseOf(request)
    const ms = Math.round((performance.now() - beganAt) * 10) / 10
    if (isLogged) log.debug('request', { requestId, method, route, status, ms, ...whose })
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'paquebot.operation': id,
      'paquebot.request_id': requestId,
      'paquebot.workspace_id': whose?.workspaceId,
      'paquebot.key_id': whose?.keyId,
    }
    span?.end(attributes, { name: `${method} ${route}`, hasFailed: status >= firstFailure })
  }
  return async (request) => {
    const beganAt = performance.now()
    const parent = parseTraceparent(request.headers.get('traceparent'))
    const span = tracer?.begin(request.method, 'server', parent) ?? null
    const work = async () => {
      const response = await answer(request)
      note(request, response, beganAt, span)
      return response
    }
    return span === null ? await work() : await tracing(span, work)
  }
}

/** An address that cannot be read, or of no route, has no pattern. */
function nameOperation(table: ObserverParts['table'], request: Request): { id: string; route: string } {
  try {
    const { id, route } = table.operationOf(request.method, pathOf(request))
    return { id, route: route ?? '…' }
  } catch {
    return { id: 'unreadable', route: '…' }
  }
}
