// The whole product over HTTP: one line per feature. What comes before the first feature is shared by all of them; what comes before
// the router is in listen.ts.

import { type AnyElysia, Elysia } from 'elysia'
import { type App, createOwn } from '../core/app.ts'
import { readConfig } from '../core/config.ts'
import { checkBodies } from '../core/http/body-check.ts'
import { createEdge } from '../core/http/edge.ts'
import { answerErrors } from '../core/http/errors.ts'
import { openApiDocument } from '../core/http/openapi/openapi.ts'
import { createRouteTable, type RouteTable } from '../core/http/route-table.ts'
import { isAtLinkDomain } from '../core/http/served-at.ts'
import { noteReport } from '../features/campaigns/feedback.ts'
import { cancelCampaign } from '../features/campaigns/lifecycle.ts'
import { archivePages } from '../features/campaigns/public-archive/pages.ts'
import { pauseRecurring } from '../features/campaigns/recurring/recurring.ts'
import { recurringRoutes } from '../features/campaigns/recurring/routes.ts'
import { campaignRoutes } from '../features/campaigns/routes.ts'
import { suppressionRoutes } from '../features/contacts/consent/suppression-routes.ts'
import { importRoutes } from '../features/contacts/imports/routes.ts'
import { contactAliases, contactExtensions, contactRoutes } from '../features/contacts/routes.ts'
import { contactListRoutes } from '../features/contacts/segments/contact-routes.ts'
import { segmentRoutes } from '../features/contacts/segments/routes.ts'
import { filterComponents } from '../features/contacts/segments/schema.ts'
import { blockRoutes } from '../features/content/blocks/routes.ts'
import { mediaRoutes } from '../features/content/media/routes.ts'
import { mediaPages } from '../features/content/media/serve.ts'
import { treeComponents } from '../features/content/rendering/tree-components.ts'
import { starterRoutes } from '../features/content/starters/routes.ts'
import { templateRoutes } from '../features/content/templates/routes.ts'
import { eventHistoryRoutes, ruleTrialRoutes } from '../features/events/history-routes.ts'
import { paymentArchiveRoutes, paymentRoutes } from '../features/events/payments/routes.ts'
import { eventRoutes, ruleRoutes } from '../features/events/routes.ts'
import { forecastRoutes } from '../features/forecast/routes.ts'
import { formPages } from '../features/lists/form-page.ts'
import { importContentRoutes } from '../features/lists/moving/import-routes.ts'
import { movingRoutes } from '../features/lists/moving/routes.ts'
import { listPages } from '../features/lists/pages.ts'
import { listRoutes } from '../features/lists/routes.ts'
import { inboundRoutes } from '../features/mailboxes/inbound-routes.ts'
import { mailboxMessageRoutes } from '../features/mailboxes/message-routes.ts'
import { mailboxAccessRoutes, mailboxRoutes } from '../features/mailboxes/routes.ts'
import { oauthRoutes } from '../features/oauth/routes.ts'
import { approvalLinkPages } from '../features/review/approvals/link-pages.ts'
import { approvalRoutes } from '../features/review/approvals/routes.ts'
import { revisionRoutes } from '../features/review/revisions/routes.ts'
import { activityRoutes } from '../features/sending/activity/routes.ts'
import { capturedPages } from '../features/sending/captured/pages.ts'
import { capturedRoutes } from '../features/sending/captured/routes.ts'
import { domainRoutes } from '../features/sending/domains/routes.ts'
import { faultRoutes } from '../features/sending/fault-routes.ts'
import { providerHookRoutes } from '../features/sending/feedback/provider-hooks.ts'
import { messageRoutes } from '../features/sending/message-routes.ts'
import { previewMail } from '../features/sending/preview.ts'
import { previewRoutes } from '../features/sending/preview-routes.ts'
import { reportRoutes } from '../features/sending/reports/routes.ts'
import { sendingRoutes } from '../features/sending/routes.ts'
import { statsRoutes } from '../features/sending/stats/routes.ts'
import { trackingRoutes } from '../features/sending/tracking/routes.ts'
import { viewPage } from '../features/sending/view-page.ts'
import { countEngaged } from '../features/sequences/engagement.ts'
import { sequenceRoutes } from '../features/sequences/routes.ts'
import { sequenceComponents } from '../features/sequences/schema.ts'
import { pauseSequence } from '../features/sequences/sequences.ts'
import { eventTypes } from '../features/webhooks/event-types.ts'
import { tellRefusal } from '../features/webhooks/limit-events.ts'
import { webhookRoutes } from '../features/webhooks/routes.ts'
import { withoutEnd } from '../kit/text.ts'
import { attentionOfInstallation } from '../operator/attention/attention.ts'
import { installationRoutes } from '../operator/attention/installation-routes.ts'
import { attentionRoutes } from '../operator/attention/routes.ts'
import { healthRoutes } from '../operator/health/health.ts'
import { noVitals, type Vitals } from '../operator/health/vitals.ts'
import { jobKinds } from '../operator/jobs.ts'
import { jobRoutes } from '../operator/outbox/job-routes.ts'
import { privacyRoutes } from '../operator/privacy/routes.ts'
import { quarantineRoutes } from '../operator/quarantine/routes.ts'
import { receiverRoutes } from '../operator/receivers/routes.ts'
import { relayRoutes } from '../operator/relays/routes.ts'
import { tenantRoutes } from '../operator/tenants/routes.ts'
import { whyRoutes } from '../operator/why/routes.ts'
import { apiKeyRoutes } from '../people/access/api-key-routes.ts'
import { auditRoutes } from '../people/access/audit-routes.ts'
import { createAuthenticate, whoseOf } from '../people/access/auth.ts'
import { leastRole } from '../people/access/roles.ts'
import { refuseForeignOrigin } from '../people/access/same-site.ts'
import { testClockRoutes } from '../people/access/test-clock-routes.ts'
import { workspaceRoutes } from '../people/access/workspace-routes.ts'
import { tlsAskRoutes } from '../people/links/ask-routes.ts'
import { invitePages } from '../people/members/invite-pages.ts'
import { peopleRoutes } from '../people/members/people-routes.ts'
import { preferenceRoutes } from '../people/preferences/routes.ts'
import { loginPages } from '../people/sign-in/login-pages.ts'
import { passkeyRoutes } from '../people/sign-in/passkey-routes.ts'
import { passkeyPages } from '../people/sign-in/passkeys/pages.ts'
import { authRoutes } from '../people/sign-in/routes.ts'
import { secondFactorRoutes } from '../people/sign-in/second-factor-routes.ts'
import { setUpPages } from '../people/sign-in/set-up-pages.ts'
import { compatRoutes, foreignKeys, foreignRefusal, refuseAbsent } from './compat/dialects.ts'
import { createLinkGate, plainRefusal } from './link-pages.ts'
import { mcpCallRoutes } from './mcp/calls-routes.ts'
import type { Operations } from './mcp/declared-tools.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { createSessions } from './mcp/sessions.ts'
import { dashboardPages } from './ui/dashboard.ts'
import { docsPages } from './ui/docs.ts'
import { homePage } from './ui/home.ts'

const apiHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** The route table. `server.handle(request)` needs no port. */
export function buildServer(app: App, vitals: Vitals) {
  const built: { server: AnyElysia | null } = { server: null }
  const table = createRouteTable(() => built.server?.routes ?? [])
  const mcpSessions = createSessions(app)
  const around = { kinds: jobKinds, vitals }
  const operations: Operations = { routes: () => server.routes, handle: (request) => server.handle(request) }
  const told = {
    events: eventTypes,
    components: { ...treeComponents(), ...filterComponents(), ...sequenceComponents() },
    leastRole,
  }
  const openApi = once(
    async () => built.server && (await openApiDocument(built.server, { baseUrl: app.config.baseUrl, ...told })),
  )
  // 'typebox' and not the default, which turns a value of the wrong type into {} before it is validated.
  const server = new Elysia({ handler: { standardHostname: false }, normalize: 'typebox' })
    .headers(securityHeaders(app))
    .onError(answering(app, answerErrors(app, table, { foreignRefusal })))
    .onRequest(createEdge(app, { ...admission(app, table), server: () => built.server?.server ?? null, routes: table }))
    .use(authRoutes(app))
    .use(apiKeyRoutes(app))
    .use(workspaceRoutes(app))
    .use(accessRoutes(app))
    .use(templateRoutes(app, { kinds: jobKinds, cancelCampaign, pauseRecurring, pauseSequence }))
    .use(contentRoutes(app))
    .use(sendingRoutes(app))
    .use(domainRoutes(app).use(reportRoutes(app)))
    .use(viewPage(app))
    .use(faultRoutes(app))
    .use(messageRoutes(app))
    .use(attentionRoutes(app, around))
    .use(ownRoutes(app))
    .use(whyRoutes(app, around))
    .use(listRoutes(app))
    .use(listPages(app).use(formPages(app)).use(archivePages(app)))
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
    .use(mcpRoutes(app, mcpSessions, operations).use(oauthRoutes(app)))
    .use(webhookRoutes(app))
    .use(contactsRoutes(app))
    .use(jobRoutes(app, jobKinds))
    .use(campaignRoutes(app).use(recurringRoutes(app)).use(forecastRoutes(app)))
    .use(sequenceRoutes(app))
    .use(compatRoutes(app))
    .use(revisionRoutes(app))
    .use(trackingRoutes(app, countEngaged))
    .use(providerHookRoutes(app, noteReport))
    .use(loginPages(app))
    .use(passkeyPages(app))
    .use(setUpPages(app))
    .use(invitePages(app))
    .use(homePage(app))
    .use(dashboardPages(app))
    .use(capturedPages(app))
    .use(tlsAskRoutes(app))
    .use(healthRoutes(app, vitals, async () => (await attentionOfInstallation(app, vitals)).map(({ code }) => code)))
    .use(docsPages(app, openApi))
  checkBodies(server.routes)
  built.server = server
  return { server, table, mcpSessions }
}

/** The routes as they are declared, without an installation: creating them reads only the settings of an app. */
export function declaredRoutes(): readonly unknown[] {
  const app = { config: readConfig({}) } as App
  const { server, mcpSessions } = buildServer(Object.assign(app, { own: createOwn(() => app) }), noVitals)
  mcpSessions.close()
  return server.routes
}

/** A refusal for a limit of a plan is told before it is answered. */
function answering(app: App, answer: ReturnType<typeof answerErrors>) {
  // Named one by one: Elysia reads from this what each route needs, and would give all of them cookies, headers and query as well.
  return async ({ error, request, path, set, unknownNames }: Parameters<typeof answer>[0]) => {
    const whose = whoseOf(request)
    if (whose !== null) await tellRefusal(app, whose.workspaceId, error)
    const answered = answer({ error, request, path, set, unknownNames })
    return isAtLinkDomain(request) ? plainRefusal(answered) : answered
  }
}

/** Whom the edge admits. */
function admission(app: App, { takes, methodsOf }: RouteTable) {
  return {
    authenticate: createAuthenticate(app, takes, foreignKeys(app)),
    linkGate: createLinkGate(app),
    refuseForeignOrigin: (request: Request) => refuseForeignOrigin(request, app.config),
    // Some clients end a path with a slash, and the router does not mind.
    refuseAbsent: (method: string, path: string) => refuseAbsent(method, path, methodsOf(withoutEnd(path, '/'))),
  }
}

/** What is of the installation itself. */
function ownRoutes(app: App) {
  const relays = relayRoutes(app).use(receiverRoutes(app))
  return installationRoutes(app).use(quarantineRoutes(app, jobKinds)).use(relays).use(tenantRoutes(app))
}

/** Members of a workspace, their sign-in, the audit log, and approvals. */
function accessRoutes(app: App) {
  const ways = new Elysia().use(secondFactorRoutes(app)).use(passkeyRoutes(app))
  return new Elysia()
    .use(peopleRoutes(app))
    .use(preferenceRoutes(app))
    .use(ways)
    .use(auditRoutes(app))
    .use(approvalRoutes(app).use(approvalLinkPages(app)))
    .use(testClockRoutes(app))
}

/** What mails are made of: pictures, blocks, starters, and previews. */
function contentRoutes(app: App) {
  const starting = starterRoutes(app, (workspace, mail) =>
    previewMail(app, workspace, { ...mail, fromName: null }, mail),
  )
  return mediaRoutes(app).use(mediaPages(app)).use(previewRoutes(app)).use(blockRoutes(app)).use(starting)
}

/** Mailboxes, their tokens, and inbound mail. */
function receivingRoutes(app: App) {
  const mailboxes = new Elysia().use(mailboxRoutes(app)).use(mailboxAccessRoutes(app)).use(mailboxMessageRoutes(app))
  return mailboxes.use(inboundRoutes(app))
}

/** Contacts: their segments, suppressions, imports, and the data of one person. */
function contactsRoutes(app: App) {
  return new Elysia()
    .use(contactRoutes(app))
    .use(segmentRoutes(app))
    .use(suppressionRoutes(app))
    .use(importRoutes(app))
    .use(movingRoutes(app))
    .use(importContentRoutes(app))
    .use(privacyRoutes(app))
    .use(contactListRoutes(app).use(contactExtensions(app)))
    .use(contactAliases(app))
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
