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

/** Of a payload, in bytes: what receivers may count on (Standard Webhooks, "Payload size"). */
const maxPayloadBytes = 20_000
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

/** The body of a delivery. What is larger loses its largest members until it fits, and says so. */
export function payloadOf(type: string, data: object, now: Date): string {
  const payload = envelope(type, data, now)
  let left = Buffer.byteLength(payload)
  if (left <= maxPayloadBytes) return payload
  const members = membersOf(data).sort((one, other) => one.size - other.size)
  for (let largest = members.pop(); largest; largest = members.pop()) {
    left -= largest.size
    if (left > maxPayloadBytes) continue
    const shorter = envelope(type, { ...fromMembers(members), truncated: true }, now)
    if (Buffer.byteLength(shorter) <= maxPayloadBytes) return shorter
  }
  return envelope(type, { truncated: true }, now)
}

/** What can be left out by itself: a member, or one inside of it, so that ids stay where a text goes. */
interface Member {
  name: string
  inside: string | null
  value: unknown
  /** Bytes that it takes in the payload. */
  size: number
}

function membersOf(data: object): Member[] {
  const member = (name: string, inside: string | null, value: unknown): Member => {
    const bytes = Buffer.byteLength(JSON.stringify(value) ?? '')
    return { name, inside, value, size: repeated.includes(name) ? 2 * bytes : bytes }
  }
  return Object.entries(data).flatMap(([name, value]) => {
    const isOpen = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isOpen) return [member(name, null, value)]
    return Object.entries(value).map(([inside, below]) => member(name, inside, below))
  })
}

function fromMembers(members: Member[]): Record<string, unknown> {
  const open = new Map<string, Record<string, unknown>>()
  const whole: [string, unknown][] = []
  for (const { name, inside, value } of members) {
    if (inside === null) whole.push([name, value])
    else open.set(name, Object.assign(open.get(name) ?? {}, { [inside]: value }))
  }
  return Object.fromEntries([...open, ...whole])
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
