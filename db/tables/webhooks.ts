// Outbound webhooks: who is told (endpoints and their signing secrets), what happened (events, in the order of their commits),
// and what was told to whom (deliveries and their attempts). A delivery that is open has a job beside it (tables/outbox).

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at, createdAt, json, updatedAt, workspaceId } from '../columns.ts'

export const endpointStatuses = ['active', 'disabled'] as const
export type EndpointStatus = (typeof endpointStatuses)[number]
/** Why an endpoint is disabled: somebody said so, or it failed for days, or it answered 410. */
export type DisabledReason = 'manual' | 'failing' | 'gone'

export const webhookEndpoints = sqliteTable(
  'webhook_endpoints',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    url: text('url').notNull(),
    status: text('status').$type<EndpointStatus>().notNull(),
    disabledReason: text('disabled_reason').$type<DisabledReason>(),
    description: text('description').notNull(),
    /** Names, `contact.*` or `*`. */
    eventFilters: json<string[]>('event_filters').notNull(),
    /** Deliveries a second; null = no limit. */
    maxPerSecond: integer('max_per_second'),
    /** Since when every attempt has failed; null = the last one succeeded. */
    failingSince: at('failing_since'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('webhook_endpoints_list').on(table.workspaceId, table.id)],
)

/** The highest number signs for good; the others until they expire. */
export const webhookSecrets = sqliteTable(
  'webhook_secrets',
  {
    endpointId: text('endpoint_id').notNull(),
    /** 1, 2, 3 … within the endpoint. */
    number: integer('number').notNull(),
    /** AES-GCM sealed with SECRET_KEY. */
    secretSealed: text('secret_sealed').notNull(),
    expiresAt: at('expires_at'),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.endpointId, table.number] })],
)

/** What happened, exactly as it is sent. Kept only for workspaces that have an endpoint. */
export const webhookEvents = sqliteTable(
  'webhook_events',
  {
    /** In the order of the commits; never used twice. */
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    /** The Webhook-Id. */
    id: text('id').notNull().unique(),
    workspaceId: workspaceId(),
    type: text('type').notNull(),
    payload: text('payload').notNull(),
    /** Deliveries that led to it, as far as is known. */
    hops: integer('hops').notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [index('webhook_events_feed').on(table.workspaceId, table.sequence)],
)

export const deliveryStates = ['pending', 'delivered', 'failed', 'skipped'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    /** Sorts by time, so what is delivered together lies together. */
    id: text('id').primaryKey(),
    endpointId: text('endpoint_id').notNull(),
    workspaceId: workspaceId(),
    eventSequence: integer('event_sequence').notNull(),
    type: text('type').notNull(),
    state: text('state').$type<DeliveryState>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Of the last attempt: the HTTP status, and a reason where it was not a success. */
    lastStatus: integer('last_status'),
    lastCode: text('last_code'),
    /** The job that carries it on, while it is pending. */
    jobId: text('job_id'),
    /** Of a pending one. */
    nextAttemptAt: at('next_attempt_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('webhook_deliveries_list').on(table.endpointId, table.id),
    index('webhook_deliveries_undelivered')
      .on(table.endpointId, table.state, table.id)
      .where(sql`state IN ('failed', 'skipped')`),
  ],
)

/** One request to an endpoint, also over replays. Append only. */
export const webhookAttempts = sqliteTable(
  'webhook_attempts',
  {
    deliveryId: text('delivery_id').notNull(),
    /** 1, 2, 3 … within the delivery. */
    number: integer('number').notNull(),
    at: at('at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** Null when no answer was read. */
    status: integer('status'),
    /** Null = delivered. */
    code: text('code'),
    /** The beginning of the answer's body, or where a redirect pointed. */
    response: text('response'),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
)
