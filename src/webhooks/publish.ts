// Saying that something happened: one event, and a delivery with its job for each endpoint that wants it, in the transaction of
// what it reports. A workspace without endpoints pays one look-up.

import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { webhookEndpoints, webhookEvents } from '../../db/tables/webhooks.ts'
import type { Tx } from '../app.ts'
import { newId } from '../lib/id.ts'
import { addDelivery } from './deliveries.ts'
import { type EventData, type EventType, matchesFilters } from './event-types.ts'

/** Of a payload, in bytes. */
const maxPayloadBytes = 256 * 1024
const schemaVersion = '1.0.0'
/** Members of the data that clients of the family look for at the top as well (docs/choices.md, "Webhooks"). */
const repeated = [
  'contactIdentity',
  'email',
  'sourceType',
  'campaignId',
  'ruleId',
  'transactionalId',
  'mailingLists',
  'message',
]

export interface PublishedEvent {
  /** The Webhook-Id. */
  id: string
  sequence: number
  workspaceId: string
  type: EventType
  payload: string
  hops: number
}

const endpointsOf = prepared((db: Db) =>
  db
    .select({
      id: webhookEndpoints.id,
      status: webhookEndpoints.status,
      eventFilters: webhookEndpoints.eventFilters,
    })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.workspaceId, sql.placeholder('workspaceId')))
    .prepare(),
)

/**
 * Reports an event of a workspace: `await publish(tx, workspaceId, 'contact.created', { contactIdentity })`. Data that costs a
 * query is given as a function, which is not called when nobody listens. Endpoints that are disabled get a skipped delivery.
 */
export async function publish<T extends EventType>(
  tx: Tx,
  workspaceId: string,
  type: T,
  data: EventData<T> | (() => Promise<EventData<T>>),
  { except }: { /** An endpoint that is not told. */ except?: string } = {},
): Promise<void> {
  const endpoints = await endpointsOf(tx.db).all({ workspaceId })
  if (endpoints.length === 0) return
  const event = await recordEvent(tx, workspaceId, type, typeof data === 'function' ? await data() : data)
  for (const { id, status, eventFilters } of endpoints) {
    if (id === except || !matchesFilters(eventFilters, type)) continue
    await addDelivery(tx, event, { endpointId: id, state: status === 'active' ? 'pending' : 'skipped' })
  }
}

/** Whether anybody is told anything of a workspace. */
export async function hasEndpoints(tx: Tx, workspaceId: string): Promise<boolean> {
  return (await endpointsOf(tx.db).all({ workspaceId })).length > 0
}

const insertEvent = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .insert(webhookEvents)
    .values({
      id: p('id'),
      workspaceId: p('workspaceId'),
      type: p('type'),
      payload: p('payload'),
      hops: p('hops'),
      createdAt: p('createdAt'),
    })
    .returning({ sequence: webhookEvents.sequence })
    .prepare()
})

/** Writes the event alone: publish() also tells the endpoints. */
export async function recordEvent<T extends EventType>(
  tx: Tx,
  workspaceId: string,
  type: T,
  data: EventData<T>,
): Promise<PublishedEvent> {
  const id = newId(tx, 'wh', tx.now)
  const payload = payloadOf(type, data, tx.now)
  const hops = tx.hops ?? 0
  const row = await insertEvent(tx.db).get({ id, workspaceId, type, payload, hops, createdAt: tx.now })
  return { id, sequence: row.sequence, workspaceId, type, payload, hops }
}

/** The body of a delivery, at most 256 KB: what is larger loses its data but for who it is about, and says so. */
export function payloadOf(type: string, data: object, now: Date): string {
  const payload = envelope(type, data, now)
  if (Buffer.byteLength(payload) <= maxPayloadBytes) return payload
  const { contactIdentity } = data as { contactIdentity?: unknown }
  return envelope(type, { ...(contactIdentity === undefined ? {} : { contactIdentity }), truncated: true }, now)
}

function envelope(type: string, data: object, now: Date): string {
  const shown = Object.fromEntries(Object.entries(data).filter(([name]) => repeated.includes(name)))
  return JSON.stringify({
    type,
    timestamp: now.toISOString(),
    eventName: type,
    eventTime: Math.floor(now.getTime() / 1000),
    webhookSchemaVersion: schemaVersion,
    ...shown,
    data,
  })
}
