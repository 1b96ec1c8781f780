// Outbound webhooks: endpoints and their signing secrets, events in commit order, and the deliveries of events to endpoints with their
// attempts. A pending delivery has a job in tables/outbox.

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at, createdAt, json, madeBy, updatedAt, workspaceId } from './columns.ts'

export const endpointStatuses = ['active', 'disabled'] as const
export type EndpointStatus = (typeof endpointStatuses)[number]
/** Why an endpoint is disabled: by a request, because it failed for days, or because it answered 410. */
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
    /** Event names, `contact.*` or `*`. */
    eventFilters: json<string[]>('event_filters').notNull(),
    /** Deliveries a second; null = no limit. */
    maxPerSecond: integer('max_per_second'),
    /** When the current run of failures began; null = the last attempt succeeded. */
    failingSince: at('failing_since'),
    /** Who set its URL, or made it active again. */
    madeBy: madeBy(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('webhook_endpoints_list').on(table.workspaceId, table.id)],
)

/** The highest number is the current secret; the others also sign until they expire. */
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

/** An event exactly as it is sent. Stored only for workspaces that have an endpoint. */
export const webhookEvents = sqliteTable(
  'webhook_events',
  {
    /** In commit order; never reused. */
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    /** The Webhook-Id. */
    id: text('id').notNull().unique(),
    workspaceId: workspaceId(),
    type: text('type').notNull(),
    payload: text('payload').notNull(),
    /** How many deliveries led to it, as far as known. */
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
    /** Sorts by time, so events delivered together are stored together. */
    id: text('id').primaryKey(),
    endpointId: text('endpoint_id').notNull(),
    workspaceId: workspaceId(),
    eventSequence: integer('event_sequence').notNull(),
    type: text('type').notNull(),
    state: text('state').$type<DeliveryState>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** The last attempt: the HTTP status, and a reason if it failed. */
    lastStatus: integer('last_status'),
    lastCode: text('last_code'),
    /** The job that delivers it, while it is pending. */
    jobId: text('job_id'),
    /** When a pending one is tried next. */
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

/** Spelled out, because SQLite compares the condition of an index with that of a query. */
export const hasAddress = sql`instr(response, '@') > 0`

/** One request to an endpoint, including replays. Append only. */
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
    /** The beginning of the response body, or the target of a redirect. */
    response: text('response'),
  },
  (table) => [
    primaryKey({ columns: [table.deliveryId, table.number] }),
    // Those that may hold an address.
    index('webhook_attempts_addresses').on(table.deliveryId, table.number).where(hasAddress),
  ],
)
