// What every request passes first, before its body is read: request id, credential, limits, form of the body. It runs on each request, so
// it reads few headers and creates no closures.

import { currentAct } from '../../kit/act.ts'
import { AppError } from '../../kit/error.ts'
import { currentHops, maxHops } from '../../kit/hops.ts'
import { networkOf } from '../../kit/network.ts'
import type { App } from '../app.ts'
import { admitBody } from './body.ts'
import { createClientIp, type PeerSource } from './client-ip.ts'
import { methodNotAllowed } from './errors.ts'
import { apiLimits, createLimiter } from './limiter.ts'
import { keyOf, type Rate, rateHeaders, rateLimited } from './rate-limit.ts'
import { pathOf } from './request-target.ts'
import type { RouteTable } from './route-table.ts'
import { compatPrefix, isApi } from './surface.ts'

/** Requests without a key, per address. Mail providers send the unsubscribes of many people from few addresses. */
const publicRate: Rate = { burst: 200, perSecond: 50 }
/** For pages with the many files that they load, and for other requests that need no key before their route. */
const pageRate: Rate = { burst: 1_000, perSecond: 100 }

const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/

export interface EdgeParts {
  /**
   * Finds the credential and stores it for the route, or throws 401/403. Resolves with the API key's id, if there is one, and with the
   * origin of a page that may read the response.
   */
  authenticate(request: Request): Promise<{ keyId: string | null; origin: string | null }>
  /** Throws 403 for a page of another origin. */
  refuseForeignOrigin(request: Request): void
  /** Throws 501 for a call of another service that is not implemented. */
  refuseAbsent(method: string, path: string): void
  /**
   * Null at a host of the installation itself. At a link domain it resolves with the answer to what is not there, or with null for what its
   * route answers.
   */
  linkGate(request: Request, path: string): Promise<Response | null> | null
  server(): PeerSource | null
  routes: RouteTable
}

/** Which source a page may use is only known from the request itself, so every page may ask. No cookies are involved. */
const preflight = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  'access-control-max-age': '86400',
}

interface EdgeContext {
  request: Request
  set: { headers: Record<string, string | number> }
}

/** Elysia's onRequest. Throws AppError: 400, 401, 403, 405, 413, 415, 429, 501, 503, 508. */
export function createEdge(app: App, parts: EdgeParts) {
  const { authenticate, refuseForeignOrigin, refuseAbsent, linkGate, server, routes } = parts
  const { trustedProxies } = app.config
  const apiLimiter = app.own(apiLimits)
  const publicLimiter = createLimiter(app, publicRate)
  const pageLimiter = createLimiter(app, pageRate)
  const clientIp = createClientIp(trustedProxies)
  return async ({ request, set }: EdgeContext): Promise<Response | undefined> => {
    const path = pathOf(request)
    const atLinkDomain = linkGate(request, path)
    const refusal = atLinkDomain === null ? null : await atLinkDomain
    if (refusal !== null) {
      const allowance = await pageLimiter.take(keyOf.network('page', networkOf(clientIp(request, server()))))
      if (!allowance.allowed) throw rateLimited(allowance)
      return refusal
    }
    const { body, isOpen, isFree, isKeyed, isTracked, isSignIn, isCrossOrigin } = routes.surfaceOf(path)
    // A CORS preflight carries no credential.
    if (isCrossOrigin && request.method === 'OPTIONS') return new Response(null, { status: 204, headers: preflight })
    const given = request.headers.get('x-request-id')
    const requestId =
      given !== null && requestIdPattern.test(given) ? given : `req_${app.random.uuidv7(app.clock.now())}`
    set.headers['x-request-id'] = requestId
    const act = currentAct()
    if (act) act.requestId = requestId
    if (currentHops() >= maxHops) throw new AppError('loop_detected', 'This request is part of a webhook loop.')
    if (isApi(path) && !isOpen) {
      const { keyId, origin } = await authenticate(request)
      if (origin !== null) {
        Object.assign(set.headers, { 'access-control-allow-origin': origin, vary: 'Origin' })
        const allowance = await publicLimiter.take(keyOf.network('public', networkOf(clientIp(request, server()))))
        if (!allowance.allowed) throw rateLimited(allowance)
      }
      if (apiLimiter && keyId !== null) {
        const allowance = await apiLimiter.take(keyOf.id('key', keyId))
        rateHeaders(set.headers, apiLimiter.rate, allowance)
        if (!allowance.allowed) throw rateLimited(allowance)
      }
    } else if (!isFree && !isKeyed) {
      const network = networkOf(clientIp(request, server()))
      const allowance = await (isOpen
        ? publicLimiter.take(keyOf.network(isTracked ? 'tracked' : 'public', network))
        : pageLimiter.take(keyOf.network('page', network)))
      if (!allowance.allowed) throw rateLimited(allowance)
      if (isSignIn) refuseForeignOrigin(request)
    }
    // Before anything of it is found wrong: its method, its body.
    if (path.startsWith(compatPrefix)) refuseAbsent(request.method, path)
    if (routes.isWrongMethod(request.method, path)) throw methodNotAllowed(request.method, routes.methodsOf(path))
    if (request.method !== 'GET' && request.method !== 'HEAD') admitBody(request, body, app)
    return undefined
  }
}
