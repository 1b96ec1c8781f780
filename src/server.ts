// The whole product over HTTP: one line per feature. What comes before the first feature is shared by all of them.

import { type AnyElysia, Elysia } from 'elysia'
import { closeWaits } from './activity/captured-wait.ts'
import { jobRoutes } from './activity/job-routes.ts'
import { closeTails } from './activity/live.ts'
import { activityRoutes } from './activity/routes.ts'
import type { App } from './app.ts'
import { approvalRoutes } from './approvals/routes.ts'
import { attentionOfInstallation } from './attention/attention.ts'
import { installationRoutes } from './attention/installation-routes.ts'
import { attentionRoutes } from './attention/routes.ts'
import { auditRequests } from './audit/requests.ts'
import { auditRoutes } from './audit/routes.ts'
import { noteReport } from './campaigns/feedback.ts'
import { addToCounts } from './campaigns/ledger.ts'
import { cancelCampaign } from './campaigns/lifecycle.ts'
import { campaignRoutes } from './campaigns/routes.ts'
import { capturedPages } from './captured/pages.ts'
import { capturedRoutes } from './captured/routes.ts'
import { loopsRoutes } from './compat/loops.ts'
import { suppressionRoutes } from './consent/suppression-routes.ts'
import { contactAliases, contactExtensions, contactRoutes } from './contacts/routes.ts'
import { domainRoutes } from './domains/routes.ts'
import { eventHistoryRoutes, ruleTrialRoutes } from './events/history-routes.ts'
import { eventRoutes, ruleRoutes } from './events/routes.ts'
import { providerHookRoutes } from './feedback/provider-hooks.ts'
import { maxRequestBytes } from './http/body.ts'
import { BodyBudget, mayBeLarge } from './http/body-budget.ts'
import { checkBodies } from './http/body-check.ts'
import { rememberOriginal } from './http/client-ip.ts'
import { docsRoutes } from './http/docs.ts'
import { createEdge } from './http/edge.ts'
import { answerErrors, problemResponse } from './http/errors.ts'
import { healthRoutes, type Vitals } from './http/health.ts'
import { measureRequests } from './http/measure-requests.ts'
import { openApiDocument } from './http/openapi.ts'
import { logRequests } from './http/request-log.ts'
import { hasOrigin, pathStart } from './http/request-target.ts'
import { createRouteTable, type RouteTable } from './http/route-table.ts'
import { aliasPrefix } from './http/surface.ts'
import { importRoutes } from './imports/routes.ts'
import { jobKinds } from './jobs.ts'
import { AppError } from './lib/error.ts'
import { afterHops, hopsHeader, hopsOf } from './lib/hops.ts'
import { listenFailure } from './lib/listen.ts'
import { beginUrgent } from './lib/turn.ts'
import { listPages } from './lists/pages.ts'
import { listRoutes } from './lists/routes.ts'
import { inboundRoutes } from './mailboxes/inbound-routes.ts'
import { mailboxMessageRoutes } from './mailboxes/message-routes.ts'
import { mailboxAccessRoutes, mailboxRoutes } from './mailboxes/routes.ts'
import { mcpCallRoutes } from './mcp/calls-routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { createSessions } from './mcp/sessions.ts'
import { paymentArchiveRoutes, paymentRoutes } from './payments/routes.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { treeComponents } from './rendering/tree-components.ts'
import { revisionRoutes } from './revisions/routes.ts'
import { segmentRoutes } from './segments/routes.ts'
import { filterComponents } from './segments/schema.ts'
import { faultRoutes } from './sending/fault-routes.ts'
import { previewRoutes } from './sending/preview-routes.ts'
import { sendingRoutes } from './sending/routes.ts'
import { viewPage } from './sending/view-page.ts'
import { statsRoutes } from './stats/routes.ts'
import { templateRoutes } from './templates/routes.ts'
import { trackingRoutes } from './tracking/routes.ts'
import { dashboardPages } from './ui/dashboard.ts'
import { homePage } from './ui/home.ts'
import { eventTypes } from './webhooks/event-types.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { createAuthenticate } from './workspaces/auth.ts'
import { invitePages } from './workspaces/invite-pages.ts'
import { loginPages } from './workspaces/login-pages.ts'
import { passkeyPages } from './workspaces/passkeys/pages.ts'
import { passkeyRoutes } from './workspaces/passkeys/routes.ts'
import { peopleRoutes } from './workspaces/people-routes.ts'
import { leastRole } from './workspaces/roles.ts'
import { authRoutes, workspaceRoutes } from './workspaces/routes.ts'
import { secondFactorRoutes } from './workspaces/second-factor-routes.ts'
import { setUpPages } from './workspaces/set-up-pages.ts'

/** Far above our own limit, so that a request over that gets our own answer: from its headers, or while the body is counted. */
const bunBodyLimit = 40 * maxRequestBytes
const idleTimeoutSeconds = 30
/** The most bytes of bodies in memory at once. */
const maxBodiesBytes = 64 * 1024 * 1024
const stopWithinMs = 5_000

const apiHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** The route table. `server.handle(request)` needs no port. */
export function buildServer(app: App, vitals: Vitals) {
  const built: { server: AnyElysia | null } = { server: null }
  const table = createRouteTable(() => built.server?.routes ?? [])
  const mcpSessions = createSessions(app)
  const around = { kinds: jobKinds, vitals }
  const told = { events: eventTypes, components: { ...treeComponents(), ...filterComponents() }, leastRole }
  const openApi = once(
    async () => built.server && (await openApiDocument(built.server, { baseUrl: app.config.baseUrl, ...told })),
  )
  // 'typebox' and not the default, which turns a value of the wrong type into {} before it is validated.
  const server = new Elysia({ handler: { standardHostname: false }, normalize: 'typebox' })
    .headers(securityHeaders(app))
    .onError(answerErrors(app, table))
    .onRequest(
      createEdge(app, {
        authenticate: createAuthenticate(app, table.takes),
        server: () => built.server?.server ?? null,
        routes: table,
      }),
    )
    .use(authRoutes(app))
    .use(workspaceRoutes(app))
    .use(accessRoutes(app))
    .use(templateRoutes(app, { kinds: jobKinds, cancelCampaign }))
    .use(previewRoutes(app))
    .use(sendingRoutes(app))
    .use(domainRoutes(app))
    .use(viewPage(app))
    .use(faultRoutes(app))
    .use(attentionRoutes(app, around))
    .use(installationRoutes(app))
    .use(listRoutes(app))
    .use(listPages(app))
    .use(eventRoutes(app))
    .use(ruleRoutes(app))
    .use(eventHistoryRoutes(app))
    .use(ruleTrialRoutes(app))
    .use(paymentRoutes(app))
    .use(paymentArchiveRoutes(app))
    .use(capturedRoutes(app))
    .use(activityRoutes(app))
    .use(statsRoutes(app))
    .use(receivingRoutes(app))
    .use(mcpCallRoutes(app))
    .use(mcpRoutes(app, mcpSessions, around))
    .use(webhookRoutes(app))
    .use(contactRoutes(app))
    .use(segmentRoutes(app))
    .use(suppressionRoutes(app))
    .use(importRoutes(app))
    .use(privacyRoutes(app))
    .use(contactExtensions(app))
    .use(contactAliases(app))
    .use(jobRoutes(app, jobKinds))
    .use(campaignRoutes(app))
    .use(loopsRoutes(app))
    .use(revisionRoutes(app))
    .use(trackingRoutes(app, addToCounts))
    .use(providerHookRoutes(app, noteReport))
    .use(loginPages(app))
    .use(passkeyPages(app))
    .use(setUpPages(app))
    .use(invitePages(app))
    .use(homePage(app))
    .use(dashboardPages(app))
    .use(capturedPages(app))
    .use(healthRoutes(app, vitals, async () => (await attentionOfInstallation(app, vitals)).map(({ code }) => code)))
    .use(docsRoutes(openApi))
  checkBodies(server.routes)
  built.server = server
  return { server, table, mcpSessions }
}

/** Who is in a workspace, how they sign in, what each of them did, and what they are asked for. */
function accessRoutes(app: App) {
  const ways = new Elysia().use(secondFactorRoutes(app)).use(passkeyRoutes(app))
  return new Elysia().use(peopleRoutes(app)).use(ways).use(auditRoutes(app)).use(approvalRoutes(app))
}

/** Mailboxes, who reads them, and what comes in. */
function receivingRoutes(app: App) {
  const mailboxes = new Elysia().use(mailboxRoutes(app)).use(mailboxAccessRoutes(app)).use(mailboxMessageRoutes(app))
  return mailboxes.use(inboundRoutes(app))
}

/** The type that the dashboard's client is derived from. */
export type Server = ReturnType<typeof buildServer>['server']

export interface Listening {
  /** With the actual port: `http://127.0.0.1:3000`. */
  url: string
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
}

/** Serves until stop(). Throws when the port is in use. */
export function startServer(app: App, { port, host, vitals }: ListenOptions): Listening {
  const { server, table, mcpSessions } = buildServer(app, vitals)
  const bodies = new BodyBudget(maxBodiesBytes)
  const answer = auditRequests(app, { table, peers: () => server.server }, (request) => server.fetch(request))
  const listening = listen({
    port,
    hostname: host,
    development: false,
    // Otherwise two servers could share the port, and each would get some of the requests.
    reusePort: false,
    maxRequestBodySize: bunBodyLimit,
    idleTimeout: idleTimeoutSeconds,
    fetch: measureRequests(
      app,
      table,
      logRequests(
        app,
        table,
        urgently((incoming) => {
          const request = withoutAlias(incoming, table)
          const hops = request.headers.get(hopsHeader)
          if (mayBeLarge(request)) return bodies.during(request, () => afterHops(hopsOf(hops), () => answer(request)))
          return hops === null ? answer(request) : afterHops(hopsOf(hops), () => answer(request))
        }),
      ),
    ),
    error: (error: Error) => {
      app.log.error('a request failed outside of its route', { error })
      const failure = new AppError('internal_error', 'Internal error; try again.')
      return problemResponse(app, failure, { path: '', requestId: '' })
    },
  })
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
  return { url, pending: () => listening.pendingRequests, endStreams, stop }
}

function listen(options: Bun.Serve.Options<undefined> & { hostname: string; port: number }): Bun.Server<undefined> {
  try {
    return Bun.serve(options)
  } catch (error) {
    throw listenFailure(error, { host: options.hostname, port: options.port, setting: 'PORT' })
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

function securityHeaders(app: App): Record<string, string> {
  const isHttps = app.config.baseUrl.startsWith('https:')
  return isHttps ? { ...apiHeaders, 'strict-transport-security': 'max-age=31536000' } : apiHeaders
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
