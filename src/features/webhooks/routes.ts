// Webhook endpoints, their secrets, their deliveries, and the event feed. People manage endpoints: the specification opens these routes to
// sessions only. What a consumer needs (the feed, the types) also accepts a key.

import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension, specified } from '../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { invalidField } from '../../kit/error.ts'
import { auth, toGrantor } from '../../people/access/auth.ts'
import { successBody } from '../../people/access/schema.ts'
import type { Workspace } from '../../people/workspaces.ts'
import {
  countDeliveries,
  countEndpointAttempts,
  type EndpointAttempt,
  getDelivery,
  listAttempts,
  listDeliveries,
  listEndpointAttempts,
  replayDelivery,
  replayRange,
} from './deliveries.ts'
import {
  checkEndpointUrl,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  updateEndpoint,
} from './endpoints.ts'
import { listEvents } from './feed.ts'
import { deliverNow } from './late.ts'
import {
  createEndpointBody,
  deliveryDetail,
  deliveryFilter,
  deliveryView,
  endpointAttemptView,
  endpointList,
  endpointView,
  eventTypeList,
  feedLimit,
  feedQuery,
  feedView,
  movedView,
  replayBody,
  replayedView,
  revokedView,
  rotateBody,
  rotationView,
  testView,
  toDeliveryDetail,
  toDeliveryView,
  toEndpointAttemptView,
  toEndpointView,
  toEventTypeViews,
  toFeedEvent,
  toRotationView,
  toTestView,
  updateEndpointBody,
} from './schema.ts'
import { defaultOverlapMs, revokePreviousSecrets, rotateSecret } from './secrets.ts'
import { sendTest } from './send-test.ts'

const path = '/v1/webhook-endpoints'

export function webhookRoutes(app: App) {
  return new Elysia()
    .use(endpointRoutes(app))
    .use(deliveryRoutes(app))
    .use(againRoutes(app))
    .use(attemptRoutes(app))
    .use(feedRoutes(app))
}

function endpointRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .post(
      '',
      async ({ workspace, credential, body, set }) => {
        checkEndpointUrl(app, body.url)
        const { userId: madeBy } = toGrantor(credential)
        const endpoint = await write(app, (tx) => createEndpoint(tx, workspace.id, { ...body, madeBy }))
        set.status = 201
        return toEndpointView(endpoint)
      },
      {
        session: true,
        body: createEndpointBody,
        response: { 201: endpointView },
        detail: specified(
          'createWebhookEndpoint',
          'Create an endpoint, disabled unless `status` is `active`',
          'The endpoint is disabled unless `status` is `active`. Deliveries are unsigned until a signing secret is created. At most 100 per workspace; beyond that, 409.',
          [409],
        ),
      },
    )
    .get('', async ({ workspace }) => ({ data: (await listEndpoints(app, workspace.id)).map(toEndpointView) }), {
      session: true,
      response: endpointList,
      detail: {
        ...specified(
          'listWebhookEndpoints',
          'List the endpoints',
          'Each endpoint with whether its deliveries are signed and, if they are failing, since when.',
        ),
        command: ['id', 'status', 'url', 'eventFilters'],
      },
    })
    .get(
      '/:endpointId',
      async ({ workspace, params }) => toEndpointView(await getEndpoint(app, workspace.id, params.endpointId)),
      {
        session: true,
        response: endpointView,
        detail: extension(
          'getWebhookEndpoint',
          'Fetch one endpoint',
          'Returns one endpoint with its filters, its rate and, if it is disabled, the reason.',
        ),
      },
    )
    .patch(
      '/:endpointId',
      async ({ workspace, credential, params, body }) => {
        if (body.url !== undefined) checkEndpointUrl(app, body.url)
        const change = { ...body, madeBy: toGrantor(credential).userId }
        const endpoint = await write(app, (tx) => updateEndpoint(tx, workspace.id, params.endpointId, change))
        return toEndpointView(endpoint)
      },
      {
        session: true,
        body: updateEndpointBody,
        response: endpointView,
        detail: specified(
          'updateWebhookEndpoint',
          'Change URL, status, description, filters or rate',
          'Only the fields in the request change. `status: "active"` also enables an endpoint that was disabled because it failed.',
        ),
      },
    )
    .delete(
      '/:endpointId',
      async ({ workspace, params }) => {
        await write(app, (tx) => deleteEndpoint(tx, workspace.id, params.endpointId))
        return { success: true as const, message: 'Webhook endpoint deleted.' }
      },
      {
        session: true,
        response: successBody,
        detail: extension('deleteWebhookEndpoint', 'Delete an endpoint', 'Pending deliveries to it are discarded.'),
      },
    )
    .use(secretRoutes(app))
}

function secretRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .post(
      '/:endpointId/signing-secret',
      async ({ workspace, params, body, set }) => {
        const overlapMs = body?.overlapSeconds === undefined ? defaultOverlapMs : body.overlapSeconds * 1_000
        set.headers['cache-control'] = 'no-store'
        const rotation = await rotateSecret(app, workspace.id, params.endpointId, overlapMs)
        return toRotationView(params.endpointId, rotation)
      },
      {
        session: true,
        body: rotateBody,
        response: rotationView,
        detail: specified(
          'rotateSigningSecret',
          'Create a new signing secret, shown only once',
          'The secret is in this response and is never shown again. The previous secret goes on signing as well for `overlapSeconds`, so that receivers can switch.',
        ),
      },
    )
    .delete(
      '/:endpointId/signing-secret/previous',
      async ({ workspace, params }) => {
        const revoked = await write(app, (tx) => revokePreviousSecrets(tx, workspace.id, params.endpointId))
        return { success: true as const, revoked }
      },
      {
        session: true,
        response: revokedView,
        detail: extension(
          'revokePreviousSigningSecrets',
          'Stop signing with previous secrets',
          'Ends the overlap of a rotation: from now on only the newest secret signs.',
        ),
      },
    )
    .post(
      '/:endpointId/send-test',
      async ({ workspace, params }) => toTestView(await sendTest(app, workspace.id, params.endpointId)),
      {
        session: true,
        response: testView,
        detail: specified(
          'sendTestWebhook',
          'Deliver a `testing.testEvent` at once, once; also to a disabled endpoint',
          'Makes one attempt during this request, also to a disabled endpoint. 200 whatever the endpoint answered: see `delivered` and `statusCode`.',
        ),
      },
    )
}

function attemptRoutes(app: App) {
  return new Elysia({ prefix: `${path}/:endpointId/attempts` }).use(auth).get(
    '',
    async ({ workspace, params, query }) => {
      const { id } = await getEndpoint(app, workspace.id, params.endpointId)
      const request = { workspaceId: workspace.id, path: `${path}/${id}/attempts`, query }
      const bounds = await readPage(app, request)
      const rows = await listEndpointAttempts(app, id, bounds)
      const total = await countEndpointAttempts(app, id)
      const idOf = ({ deliveryId, number }: EndpointAttempt) => `${deliveryId} ${number}`
      return writePage(app, request, bounds, { rows, total, idOf, view: toEndpointAttemptView })
    },
    {
      session: true,
      query: t.Object(pageQuery),
      response: pageOf(endpointAttemptView),
      detail: extension(
        'listEndpointAttempts',
        'List delivery attempts, newest deliveries first',
        'Each attempt with its duration and the response: shows how an endpoint performs over time.',
      ),
    },
  )
}

function deliveryRoutes(app: App) {
  const endpointOf = (workspace: Workspace, endpointId: string) => getEndpoint(app, workspace.id, endpointId)
  return new Elysia({ prefix: `${path}/:endpointId` })
    .use(auth)
    .get(
      '/deliveries',
      async ({ workspace, params, query }) => {
        const { id } = await endpointOf(workspace, params.endpointId)
        const request = { workspaceId: workspace.id, path: `${path}/${id}/deliveries`, query }
        const bounds = await readPage(app, request)
        const filter = { state: query.state, type: query.type, ...range(query) }
        const rows = await listDeliveries(app, id, { ...filter, before: bounds.after, limit: bounds.limit + 1 })
        const total = await countDeliveries(app, id, filter)
        return writePage(app, request, bounds, { rows, total, idOf: (row) => row.id, view: toDeliveryView })
      },
      {
        session: true,
        query: t.Object({ ...deliveryFilter, ...pageQuery }),
        response: pageOf(deliveryView),
        detail: {
          ...extension(
            'listDeliveries',
            'List deliveries, newest first',
            'Past and pending deliveries to this endpoint, filtered by state, type and time.',
          ),
          command: ['id', 'createdAt', 'type', 'state', 'attempts'],
        },
      },
    )
    .get(
      '/deliveries/:deliveryId',
      async ({ workspace, params }) => {
        const { id } = await endpointOf(workspace, params.endpointId)
        const delivery = await getDelivery(app, id, params.deliveryId)
        return toDeliveryDetail(delivery, await listAttempts(app, delivery.id))
      },
      {
        session: true,
        response: deliveryDetail,
        detail: extension(
          'getDelivery',
          'Fetch one delivery with all its attempts',
          'Each attempt with its time, duration and the beginning of the answer.',
        ),
      },
    )
}

/** Sending again, or sooner. */
function againRoutes(app: App) {
  const endpointOf = (workspace: Workspace, endpointId: string) => getEndpoint(app, workspace.id, endpointId)
  return new Elysia({ prefix: `${path}/:endpointId` })
    .use(auth)
    .post(
      '/deliveries/:deliveryId/deliver-now',
      async ({ workspace, params }) => {
        const { id } = await endpointOf(workspace, params.endpointId)
        const nextAttemptAt = await write(app, async (tx) =>
          deliverNow(tx, await getDelivery(tx, id, params.deliveryId)),
        )
        return { success: true as const, nextAttemptAt: nextAttemptAt.toISOString() }
      },
      {
        session: true,
        response: movedView,
        detail: extension(
          'deliverNow',
          'Try a waiting delivery next, before the others',
          'It is tried as soon as the rate limit and the back-off of the endpoint allow it. 409 if it is not waiting.',
          [409],
        ),
      },
    )
    .post(
      '/deliveries/:deliveryId/replay',
      async ({ workspace, params }) => {
        const { id } = await endpointOf(workspace, params.endpointId)
        await write(app, async (tx) => replayDelivery(tx, await getDelivery(tx, id, params.deliveryId)))
        return { success: true as const, replayed: 1 }
      },
      {
        session: true,
        response: replayedView,
        detail: extension(
          'replayDelivery',
          'Deliver one again',
          'Uses the same `Webhook-Id` and payload. 409 while it is still being tried.',
          [409],
        ),
      },
    )
    .post(
      '/replay',
      async ({ workspace, params, body }) => {
        const endpoint = await endpointOf(workspace, params.endpointId)
        const { states = ['failed' as const, 'skipped' as const], type } = body
        return { success: true as const, replayed: await replayRange(app, endpoint, { states, type, ...range(body) }) }
      },
      {
        session: true,
        body: replayBody,
        response: replayedView,
        detail: extension(
          'replayDeliveries',
          'Deliver failed or skipped events again, in a time range or from the beginning',
          'By default those that failed or were skipped. Each keeps its `Webhook-Id`; `replayed` counts them.',
        ),
      },
    )
}

function feedRoutes(app: App) {
  return new Elysia({ prefix: '/v1' })
    .use(auth)
    .get(
      '/event-feed',
      async ({ workspace, query }) => {
        const limit = feedLimit(query.limit)
        const rows = await listEvents(app, workspace.id, { after: query.after, type: query.type, limit: limit + 1 })
        const shown = rows.slice(0, limit)
        const nextAfter = shown.at(-1)?.id ?? query.after ?? null
        return { data: shown.map(toFeedEvent), hasMore: rows.length > limit, nextAfter }
      },
      {
        auth: { scope: 'webhooks.read', session: true },
        query: feedQuery,
        response: feedView,
        detail: extension(
          'readEventFeed',
          'List events after a given one, in order',
          'For consumers that poll instead of receiving webhooks: pass `nextAfter` as `after` in the next request. Events are stored for 30 days.',
        ),
      },
    )
    .get('/webhook-event-types', () => ({ data: toEventTypeViews() }), {
      auth: { scope: 'webhooks.read', session: true },
      response: eventTypeList,
      detail: extension(
        'listWebhookEventTypes',
        'List every event type with the schema of its data and an example',
        'Every name that `eventFilters` accepts, with the JSON Schema of its `data` and an example.',
      ),
    })
}

/** Throws `validation_failed` for an invalid time. */
function range({ from, until }: { from?: string | undefined; until?: string | undefined }) {
  return { from: timeOf('from', from), until: timeOf('until', until) }
}

function timeOf(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw invalidField(field, `${field} must be an ISO 8601 time`, 'invalid_time')
  return at
}
