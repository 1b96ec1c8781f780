// Wire shapes of webhooks. Only the response to a rotation contains a signing secret.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { type DeliveryState, deliveryStates, endpointStatuses } from '../../../db/tables/webhooks.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { oneOf, time, wholeNumber } from '../../core/http/wire.ts'
import { makerFields, toMakerFields } from '../../people/access/schema.ts'
import type { Attempt, Delivery, EndpointAttempt } from './deliveries.ts'
import type { Endpoint } from './endpoints.ts'
import { eventTypeNames, eventTypes } from './event-types.ts'
import type { FeedEvent } from './feed.ts'
import { defaultOverlapMs, maxOverlapMs, type Rotation } from './secrets.ts'
import type { TestResult } from './send-test.ts'
import { defaultPerSecond } from './throttle.ts'

const textOrNull = t.Union([t.String(), t.Null()])
const wholeOrNull = Type.Union([Type.Integer(), Type.Null()])

const status = oneOf(endpointStatuses)
const maxFilters = 100
const maxRate = 1_000

const endpointFields = {
  url: t.String({
    maxLength: 2_048,
    description: '`https://…`; not in a private network unless the installation allows it.',
    examples: ['https://hooks.example.com/paquebot'],
  }),
  status: t.Optional({ ...status, description: 'Default: `disabled`.' }),
  description: t.Optional(t.String({ maxLength: 500, description: 'For people.' })),
  eventFilters: t.Optional(
    t.Array(t.String({ maxLength: 100 }), {
      maxItems: maxFilters,
      description: 'Event type names, `contact.*` or `*`. Omitted or empty: all events.',
      examples: [['contact.*', 'email.hardBounced']],
    }),
  ),
  maxPerSecond: t.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: maxRate }), Type.Null()], {
      description: `Deliveries a second, default ${defaultPerSecond}; more than that waits. null: no limit.`,
    }),
  ),
}

export const createEndpointBody = refusing(t.Object(endpointFields))
export const updateEndpointBody = t.Partial(createEndpointBody)

export const endpointView = t.Object({
  id: t.String(),
  endpointId: t.String({ description: 'The same as `id`.' }),
  url: t.String(),
  status,
  disabledReason: t.Union([t.Literal('manual'), t.Literal('failing'), t.Literal('gone'), t.Null()], {
    description: 'Why it was disabled. `failing`: no delivery succeeded for five days. `gone`: it answered 410.',
  }),
  description: t.String(),
  eventFilters: t.Array(t.String()),
  maxPerSecond: wholeOrNull,
  hasSigningSecret: t.Boolean({ description: 'false: deliveries carry no signature. Rotate to get a secret.' }),
  failingSince: t.Union([time, t.Null()], { description: 'Since when every attempt has failed.' }),
  ...makerFields,
  createdAt: time,
  updatedAt: time,
})
export const endpointList = t.Object({ data: t.Array(endpointView) })

export function toEndpointView(endpoint: Endpoint): typeof endpointView.static {
  const { id, url, status, disabledReason, description, eventFilters, maxPerSecond, hasSigningSecret } = endpoint
  return {
    id,
    endpointId: id,
    url,
    status,
    disabledReason,
    description,
    eventFilters,
    maxPerSecond,
    hasSigningSecret,
    failingSince: endpoint.failingSince?.toISOString() ?? null,
    ...toMakerFields(endpoint),
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
  }
}

export const rotateBody = t.Optional(
  refusing(
    t.Object({
      overlapSeconds: t.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxOverlapMs / 1_000,
          description: `How long the previous secret also signs, default ${defaultOverlapMs / 1_000}. 0: not at all.`,
        }),
      ),
    }),
  ),
)

export const rotationView = t.Object({
  endpointId: t.String(),
  signingSecret: t.String({ description: 'Shown only once.', examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }),
  createdAt: time,
  previousSecretExpiresAt: t.Union([time, t.Null()], { description: 'Until when the previous secret also signs.' }),
})

export function toRotationView(endpointId: string, rotation: Rotation): typeof rotationView.static {
  const { signingSecret, createdAt, previousSecretExpiresAt } = rotation
  return {
    endpointId,
    signingSecret,
    createdAt: createdAt.toISOString(),
    previousSecretExpiresAt: previousSecretExpiresAt?.toISOString() ?? null,
  }
}

export const revokedView = t.Object({
  success: t.Literal(true),
  revoked: Type.Integer({ description: 'Secrets that no longer sign.' }),
})

const maxShownChars = 4_096

export const testView = t.Object({
  success: t.Literal(true),
  delivered: t.Boolean({ description: 'Whether the endpoint answered 2xx.' }),
  statusCode: wholeOrNull,
  code: t.Union([t.String(), t.Null()], { description: 'Why not, e.g. `http_error`, `timeout`, `blocked_ip`.' }),
  durationMs: Type.Integer(),
  responseBody: textOrNull,
  webhookId: t.String(),
  deliveryId: t.String(),
})

export function toTestView({ webhookId, deliveryId, attempt }: TestResult): typeof testView.static {
  const { status, code, durationMs, response } = attempt
  return {
    success: true,
    delivered: code === null,
    statusCode: status,
    code,
    durationMs,
    responseBody: response?.slice(0, maxShownChars) ?? null,
    webhookId,
    deliveryId,
  }
}

const state = oneOf(deliveryStates)

export const deliveryFilter = {
  state: t.Optional(
    oneOf<DeliveryState | 'ended'>(
      [...deliveryStates, 'ended'],
      'Only those in this state; `ended`: all that are not waiting.',
    ),
  ),
  type: t.Optional(t.String({ maxLength: 100, description: 'Only events of this type.' })),
  from: t.Optional(t.String({ format: 'date-time', description: 'Created at this time or later.' })),
  until: t.Optional(t.String({ format: 'date-time', description: 'Created before this time.' })),
}

export const deliveryView = t.Object({
  id: t.String(),
  endpointId: t.String(),
  webhookId: t.String({ description: 'The Webhook-Id of every attempt.' }),
  type: t.String(),
  state,
  attempts: Type.Integer({ description: 'How many attempts were made so far.' }),
  statusCode: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The status code of the last response; null: there was none.',
  }),
  code: t.Union([t.String(), t.Null()], { description: 'Why the last attempt failed.' }),
  nextAttemptAt: t.Union([time, t.Null()], { description: 'Null: it is not tried again.' }),
  createdAt: time,
  updatedAt: time,
})

export function toDeliveryView(delivery: Delivery): typeof deliveryView.static {
  const { id, endpointId, webhookId, type, state, attempts, lastStatus, lastCode } = delivery
  return {
    id,
    endpointId,
    webhookId,
    type,
    state,
    attempts,
    statusCode: lastStatus,
    code: lastCode,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
    updatedAt: delivery.updatedAt.toISOString(),
  }
}

const attemptView = t.Object({
  number: Type.Integer(),
  at: time,
  durationMs: Type.Integer(),
  statusCode: wholeOrNull,
  code: textOrNull,
  response: t.Union([t.String(), t.Null()], {
    description: 'The beginning of the response, or the target of a redirect.',
  }),
})
const payload = t.Object({}, { additionalProperties: t.Unknown(), description: 'Exactly what is delivered.' })
export const deliveryDetail = t.Object({ ...deliveryView.properties, payload, attemptLog: t.Array(attemptView) })

export const endpointAttemptView = t.Object({
  deliveryId: t.String(),
  type: t.String(),
  number: Type.Integer({ description: '1 is the first of its delivery.' }),
  at: time,
  durationMs: Type.Integer(),
  statusCode: wholeOrNull,
  code: t.Union([t.String(), t.Null()], { description: 'Why it failed. Null: it was accepted.' }),
})

export function toEndpointAttemptView(attempt: EndpointAttempt): typeof endpointAttemptView.static {
  const { deliveryId, type, number, at, durationMs, status: statusCode, code } = attempt
  return { deliveryId, type, number, at: at.toISOString(), durationMs, statusCode, code }
}

export function toDeliveryDetail(delivery: Delivery, attempts: Attempt[]): typeof deliveryDetail.static {
  const attemptLog = attempts.map(({ number, at, durationMs, status, code, response }) => {
    return { number, at: at.toISOString(), durationMs, statusCode: status, code, response }
  })
  return { ...toDeliveryView(delivery), payload: JSON.parse(delivery.payload) as Record<string, unknown>, attemptLog }
}

const replayable = deliveryStates.filter((one): one is Exclude<DeliveryState, 'pending'> => one !== 'pending')
export const replayBody = refusing(
  t.Object({
    states: t.Optional(
      t.Array(oneOf(replayable), {
        minItems: 1,
        maxItems: replayable.length,
        description: 'Default: failed and skipped.',
      }),
    ),
    type: deliveryFilter.type,
    from: deliveryFilter.from,
    until: deliveryFilter.until,
  }),
)
export const replayedView = t.Object({
  success: t.Literal(true),
  replayed: Type.Integer({ description: 'How many deliveries are sent again.' }),
})

export const movedView = t.Object({ success: t.Literal(true), nextAttemptAt: time })

const defaultFeedLimit = 100
const maxFeedLimit = 500

export const feedQuery = t.Object({
  after: t.Optional(t.String({ maxLength: 100, description: 'Id of the last event you have, e.g. a Webhook-Id.' })),
  type: t.Optional(t.String({ maxLength: 100, description: 'Only events of this type.' })),
  limit: t.Optional(wholeNumber(`Default ${defaultFeedLimit}; at most ${maxFeedLimit}.`)),
})

export function feedLimit(limit: number | undefined): number {
  return Math.min(limit ?? defaultFeedLimit, maxFeedLimit)
}

const feedEvent = t.Object({
  id: t.String({ description: 'The Webhook-Id under which it is delivered.' }),
  type: t.String(),
  createdAt: time,
  payload,
})
export const feedView = t.Object({
  data: t.Array(feedEvent, { description: 'In the order in which it happened.' }),
  hasMore: t.Boolean({ description: 'True: there is more, request it at once.' }),
  nextAfter: t.Union([t.String(), t.Null()], {
    description: 'For `after` of the next request; unchanged if there was nothing new.',
  }),
})

export function toFeedEvent({ id, type, createdAt, payload }: FeedEvent): typeof feedEvent.static {
  return { id, type, createdAt: createdAt.toISOString(), payload: JSON.parse(payload) as Record<string, unknown> }
}

const eventTypeView = t.Object({
  name: t.String(),
  description: t.String(),
  schema: t.Object({}, { additionalProperties: t.Unknown(), description: 'JSON Schema of `data`.' }),
  example: t.Object({}, { additionalProperties: t.Unknown(), description: 'An example of `data`.' }),
})
export const eventTypeList = t.Object({ data: t.Array(eventTypeView) })

export function toEventTypeViews(): (typeof eventTypeList.static)['data'] {
  return eventTypeNames.map((name) => {
    const { says, schema, example } = eventTypes[name]
    return { name, description: says, schema: { ...schema }, example }
  })
}
