// Serves the routes of server.ts on a port: what happens to a request before the router sees it, outermost first, and how a server stops.

import { databaseUnavailable } from '../../db/faults.ts'
import type { App } from '../core/app.ts'
import { maxRequestBytes } from '../core/http/body.ts'
import { BodyBudget, mayBeLarge } from '../core/http/body-budget.ts'
import { rememberOriginal } from '../core/http/client-ip.ts'
import { problemResponse } from '../core/http/errors.ts'
import { measureRequests } from '../core/http/measure-requests.ts'
import { observeRequests } from '../core/http/observe-requests.ts'
import { hasOrigin, pathStart } from '../core/http/request-target.ts'
import type { RouteTable } from '../core/http/route-table.ts'
import { aliasPrefix } from '../core/http/surface.ts'
import { closeWaits } from '../features/sending/activity/captured-wait.ts'
import { closeTails } from '../features/sending/activity/live.ts'
import { AppError } from '../kit/error.ts'
import { afterHops, countHops, hopsHeader } from '../kit/hops.ts'
import { listenFailure } from '../kit/listen.ts'
import { beginUrgent } from '../kit/turn.ts'
import type { Vitals } from '../operator/health/vitals.ts'
import { auditRequests } from '../people/access/audit/requests.ts'
import { whoseOf } from '../people/access/auth.ts'
import { type Answering, Door } from './door.ts'
import { buildServer } from './server.ts'

/** Far above our own limit, so that a request over that gets our own answer: from its headers, or while the body is counted. */
const bunBodyLimit = 40 * maxRequestBytes
const idleTimeoutSeconds = 30
/** The most bytes of bodies in memory at once. */
const maxBodiesBytes = 64 * 1024 * 1024
const stopWithinMs = 5_000

export interface Listening {
  /** With the actual port: `http://127.0.0.1:3000`. */
  url: string
  listening: Bun.Server<undefined>
  door: Door
  /** Requests that are not answered yet. */
  pending(): number
  /** Ends the streams that stay open by themselves. */
  endStreams(): void
  /** Accepts no new connections, lets requests finish, and cuts off the rest after 5 s. */
  stop(): Promise<void>
}

export interface ListenOptions {
  /** 0 = any free one; a default BASE_URL then follows it. */
  port: number
  host: string
  vitals: Vitals
  /** Goes on with the port of this one, and answers the requests that wait there. */
  after?: Listening | undefined
}

/** Serves until stop(). Throws when the port is in use. */
export function startServer(app: App, { port, host, vitals, after }: ListenOptions): Listening {
  const { server, table, mcpSessions } = buildServer(app, vitals)
  const bodies = new BodyBudget(maxBodiesBytes)
  const audited = auditRequests(app, { table, peers: () => server.server }, (request) => server.fetch(request))
  const answer = onceSynced(app, observeRequests(app, { table, whoseOf }, audited))
  const answering: Answering = {
    answer: measureRequests(
      app,
      table,
      urgently((incoming) => {
        const request = withoutAlias(incoming, table)
        const hops = request.headers.get(hopsHeader)
        if (mayBeLarge(request)) return bodies.during(request, () => afterHops(countHops(hops), () => answer(request)))
        return hops === null ? answer(request) : afterHops(countHops(hops), () => answer(request))
      }),
    ),
    failed: (error) => {
      if (error instanceof AppError) return problemResponse(app, error, { path: '', requestId: '' })
      app.log.error('a request failed outside of its route', { error })
      const failure = new AppError('internal_error', 'Internal error; try again.')
      return problemResponse(app, failure, { path: '', requestId: '' })
    },
  }
  const { door, listening } = after ? goOnWith(after, answering) : listen(answering, { port, host })
  server.server = listening
  const address = host.includes(':') ? `[${host}]` : host
  const url = `http://${address}:${listening.port}`
  if (app.config.port === 0) app.config.baseUrl = app.config.baseUrl.replace(/:0$/, `:${listening.port}`)
  const endStreams = () => {
    mcpSessions.close()
    closeTails(app)
    closeWaits(app)
  }
  const stop = () => {
    endStreams()
    return stopWithin(listening, stopWithinMs)
  }
  return { url, door, listening, pending: () => listening.pendingRequests, endStreams, stop }
}

function goOnWith({ door, listening }: Listening, answering: Answering): Pick<Listening, 'door' | 'listening'> {
  door.open(answering)
  return { door, listening }
}

function listen(answering: Answering, { port, host }: { port: number; host: string }) {
  const door = new Door(answering)
  try {
    const listening = Bun.serve({
      port,
      hostname: host,
      development: false,
      // Otherwise two servers could share the port, and each would get some of the requests.
      reusePort: false,
      maxRequestBodySize: bunBodyLimit,
      idleTimeout: idleTimeoutSeconds,
      fetch: (request) => door.answer(request),
      error: (error: Error) => door.failed(error),
    })
    return { door, listening }
  } catch (error) {
    throw listenFailure(error, { host, port, setting: 'PORT' })
  }
}

/** An answer may tell what was read of a commit that a power cut could still undo: it waits until none could. Of a server none is read before. */
function onceSynced(app: App, answer: (request: Request) => Response | Promise<Response>): typeof answer {
  const { kind, writer } = app.database
  if (kind !== 'local') return answer
  return async (request) => {
    const response = await answer(request)
    const { unsynced } = writer
    if (unsynced === null) return response
    return await unsynced.then(
      () => response,
      (error) =>
        problemResponse(app, databaseUnavailable(error), { path: new URL(request.url).pathname, requestId: '' }),
    )
  }
}

/** No slice of long work starts while somebody waits for a response. */
function urgently(answer: (request: Request) => Response | Promise<Response>): typeof answer {
  return (request) => {
    const ended = beginUrgent()
    const answered = answer(request)
    if (answered instanceof Promise) answered.then(ended, ended)
    else ended()
    return answered
  }
}

async function stopWithin(listening: Bun.Server<unknown>, graceMs: number): Promise<void> {
  const cut = setTimeout(() => void listening.stop(true), graceMs)
  await listening.stop()
  clearTimeout(cut)
}

/** `/api/v1/…` is handled by `/v1/…`, unless a route with exactly that path exists. */
function withoutAlias(request: Request, table: RouteTable): Request {
  const { url } = request
  const start = pathStart(url)
  // A request target without an origin is refused by the edge.
  if (!hasOrigin(url) || !url.startsWith(aliasPrefix, start)) return request
  const { pathname } = new URL(url)
  if (table.methodsOf(pathname).includes(request.method)) return request
  const plain = new Request(url.slice(0, start) + url.slice(start + '/api'.length), request)
  rememberOriginal(plain, request)
  return plain
}
