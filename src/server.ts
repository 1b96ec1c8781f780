// The whole product over HTTP: one line per feature. What comes before the first feature is shared by all of them; what comes before
// the router is in listen.ts.

import { type AnyElysia, Elysia } from 'elysia'
import { jobRoutes } from './activity/job-routes.ts'
import { activityRoutes } from './activity/routes.ts'
import type { App } from './app.ts'
import { approvalRoutes } from './approvals/routes.ts'
import { attentionOfInstallation } from './attention/attention.ts'
import { installationRoutes } from './attention/installation-routes.ts'
import { attentionRoutes } from './attention/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { noteReport } from './campaigns/feedback.ts'
import { addToCounts } from './campaigns/ledger.ts'
import { cancelCampaign } from './campaigns/lifecycle.ts'
import { campaignRoutes } from './campaigns/routes.ts'
import { capturedPages } from './captured/pages.ts'
import { capturedRoutes } from './captured/routes.ts'
import { foreignKeys, foreignRefusal, refuseAbsent } from './compat/dialects.ts'
import { compatRoutes } from './compat/routes.ts'
import { suppressionRoutes } from './consent/suppression-routes.ts'
import { contactAliases, contactExtensions, contactRoutes } from './contacts/routes.ts'
import { domainRoutes } from './domains/routes.ts'
import { eventHistoryRoutes, ruleTrialRoutes } from './events/history-routes.ts'
import { eventRoutes, ruleRoutes } from './events/routes.ts'
import { providerHookRoutes } from './feedback/provider-hooks.ts'
import { checkBodies } from './http/body-check.ts'
import { createEdge } from './http/edge.ts'
import { answerErrors } from './http/errors.ts'
import { healthRoutes } from './http/health.ts'
import { openApiDocument } from './http/openapi.ts'
import { createRouteTable, type RouteTable } from './http/route-table.ts'
import type { Vitals } from './http/vitals.ts'
import { importRoutes } from './imports/routes.ts'
import { jobKinds } from './jobs.ts'
import { withoutEnd } from './lib/text.ts'
import { formPages } from './lists/form-page.ts'
import { listPages } from './lists/pages.ts'
import { listRoutes } from './lists/routes.ts'
import { inboundRoutes } from './mailboxes/inbound-routes.ts'
import { mailboxMessageRoutes } from './mailboxes/message-routes.ts'
import { mailboxAccessRoutes, mailboxRoutes } from './mailboxes/routes.ts'
import { mcpCallRoutes } from './mcp/calls-routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { createSessions } from './mcp/sessions.ts'
import { movingRoutes } from './moving/routes.ts'
import { paymentArchiveRoutes, paymentRoutes } from './payments/routes.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { quarantineRoutes } from './quarantine/routes.ts'
import { treeComponents } from './rendering/tree-components.ts'
import { revisionRoutes } from './revisions/routes.ts'
import { contactListRoutes } from './segments/contact-routes.ts'
import { segmentRoutes } from './segments/routes.ts'
import { filterComponents } from './segments/schema.ts'
import { faultRoutes } from './sending/fault-routes.ts'
import { messageRoutes } from './sending/message-routes.ts'
import { previewRoutes } from './sending/preview-routes.ts'
import { sendingRoutes } from './sending/routes.ts'
import { viewPage } from './sending/view-page.ts'
import { statsRoutes } from './stats/routes.ts'
import { templateRoutes } from './templates/routes.ts'
import { trackingRoutes } from './tracking/routes.ts'
import { dashboardPages } from './ui/dashboard.ts'
import { docsPages } from './ui/docs.ts'
import { homePage } from './ui/home.ts'
import { eventTypes } from './webhooks/event-types.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { whyRoutes } from './why/routes.ts'
import { createAuthenticate } from './workspaces/auth.ts'
import { invitePages } from './workspaces/invite-pages.ts'
import { loginPages } from './workspaces/login-pages.ts'
import { passkeyPages } from './workspaces/passkeys/pages.ts'
import { passkeyRoutes } from './workspaces/passkeys/routes.ts'
import { peopleRoutes } from './workspaces/people-routes.ts'
import { leastRole } from './workspaces/roles.ts'
import { authRoutes, workspaceRoutes } from './workspaces/routes.ts'
import { refuseForeignOrigin } from './workspaces/same-site.ts'
import { secondFactorRoutes } from './workspaces/second-factor-routes.ts'
import { setUpPages } from './workspaces/set-up-pages.ts'
import { testClockRoutes } from './workspaces/test-clock-routes.ts'

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
    .onError(answerErrors(app, table, { foreignRefusal }))
    .onRequest(
      createEdge(app, {
        ...admission(app, table),
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
    .use(messageRoutes(app))
    .use(attentionRoutes(app, around))
    .use(installationRoutes(app).use(quarantineRoutes(app, jobKinds)))
    .use(whyRoutes(app, around))
    .use(listRoutes(app))
    .use(listPages(app).use(formPages(app)))
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
    .use(filesOfPeople(app))
    .use(contactListRoutes(app).use(contactExtensions(app)))
    .use(contactAliases(app))
    .use(jobRoutes(app, jobKinds))
    .use(campaignRoutes(app))
    .use(compatRoutes(app))
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
    .use(docsPages(app, openApi))
  checkBodies(server.routes)
  built.server = server
  return { server, table, mcpSessions }
}

/** Whom the edge admits. */
function admission(app: App, { takes, methodsOf }: RouteTable) {
  return {
    authenticate: createAuthenticate(app, takes, foreignKeys(app)),
    refuseForeignOrigin: (request: Request) => refuseForeignOrigin(request, app.config),
    // Some clients end a path with a slash, and the router does not mind.
    refuseAbsent: (method: string, path: string) => refuseAbsent(method, path, methodsOf(withoutEnd(path, '/'))),
  }
}

/** Who is in a workspace, how they sign in, what each of them did, and what they are asked for. */
function accessRoutes(app: App) {
  const ways = new Elysia().use(secondFactorRoutes(app)).use(passkeyRoutes(app))
  return new Elysia()
    .use(peopleRoutes(app))
    .use(ways)
    .use(auditRoutes(app))
    .use(approvalRoutes(app))
    .use(testClockRoutes(app))
}

/** Mailboxes, who reads them, and what comes in. */
function receivingRoutes(app: App) {
  const mailboxes = new Elysia().use(mailboxRoutes(app)).use(mailboxAccessRoutes(app)).use(mailboxMessageRoutes(app))
  return mailboxes.use(inboundRoutes(app))
}

/** People as files: of the caller's own, of other services, and what is kept about one of them. */
function filesOfPeople(app: App) {
  return new Elysia().use(importRoutes(app)).use(movingRoutes(app)).use(privacyRoutes(app))
}

/** The type that the dashboard's client is derived from. */
export type Server = ReturnType<typeof buildServer>['server']

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
