// Publishes what happened, in the transaction of what it reports: one event, and a delivery with its job for each subscribed endpoint; where
// there are many, a job that writes those (fan-out.ts). A workspace without endpoints only pays one look-up.

import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { insertSelect, toRows } from '../../../db/rows.ts'
import { webhookEvents } from '../../../db/tables/webhooks.ts'
import type { Tx } from '../../core/app.ts'
import { isTestWorkspace, newId } from '../../kit/id.ts'
import type { Trace } from '../../kit/trace.ts'
import { addDeliveries, type NewDelivery } from './deliveries.ts'
import { type EventData, type EventType, matchesFilters } from './event-types.ts'
import { fanOut } from './fan-out.ts'
import { findEndpoints, type ListeningEndpoint } from './listening.ts'

/** The largest payload, in bytes, that receivers must expect (Standard Webhooks, "Payload size"). */
const maxPayloadBytes = 20_000
const schemaVersion = '1.0.0'
/** Members of the data that are also at the top level, where Loops clients expect them. */
const repeated = [
  'test',
  'contactIdentity',
  'email',
  'sourceType',
  'campaignId',
  'ruleId',
  'sequenceId',
  'transactionalId',
  'mailingLists',
  'message',
]

export interface PublishedEvent {
  /** The Webhook-Id. */
  id: string
  sequence: number
  workspaceId: string
  type: string
  payload: string
  hops: number
  trace?: Trace | null | undefined
}

/** One event to publish. */
export type Publication = { [T in EventType]: PublicationOf<T> }[EventType]

interface PublicationOf<T extends EventType> {
  workspaceId: string
  type: T
  data: EventData<T>
  /** Which trace it belongs to, if not that of the transaction. */
  trace?: Trace | null | undefined
}

interface PublishOptions {
  /** An endpoint that must not be notified. */
  except?: string
}

/**
 * Publishes an event: `await publish(tx, workspaceId, 'contact.created', { contactIdentity })`. Data that costs a query is given as a
 * function, which is not called when nobody listens.
 */
export async function publish<T extends EventType>(
  tx: Tx,
  workspaceId: string,
  type: T,
  data: EventData<T> | (() => Promise<EventData<T>>),
  options: PublishOptions = {},
): Promise<void> {
  const endpoints = await findEndpoints(tx, [workspaceId])
  if (endpoints.length === 0) return
  const publication = { workspaceId, type, data: typeof data === 'function' ? await data() : data }
  await deliver(tx, endpoints, await recordEvents(tx, [publication]), options)
}

/** Publishes events. */
export async function publishAll(tx: Tx, list: Publication[]): Promise<void> {
  const endpoints = await findEndpoints(
    tx,
    list.map(({ workspaceId }) => workspaceId),
  )
  const listening = new Set(endpoints.map(({ workspaceId }) => workspaceId))
  const told = list.filter(({ workspaceId }) => listening.has(workspaceId))
  if (told.length > 0) await deliver(tx, endpoints, await recordEvents(tx, told))
}

async function deliver(
  tx: Tx,
  endpoints: ListeningEndpoint[],
  events: PublishedEvent[],
  { except }: PublishOptions = {},
): Promise<void> {
  const deliveries: NewDelivery[] = []
  for (const event of events) {
    const told = endpoints
      .filter((one) => one.workspaceId === event.workspaceId && one.id !== except)
      .filter(({ eventFilters }) => matchesFilters(eventFilters, event.type))
    deliveries.push(...(await fanOut(tx, event, told)))
  }
  await addDeliveries(tx, deliveries)
}

const { id, workspaceId, type, payload, hops, createdAt } = webhookEvents
const newEvents = toRows({ id, workspaceId, type, payload }, { hops, createdAt })

const insertEvents = prepared((db: Db) =>
  insertSelect(
    db,
    webhookEvents,
    { ...newEvents.each, ...newEvents.shared },
    sql`${newEvents.list} WHERE true ORDER BY ${newEvents.number}`,
  )
    .returning({ id, sequence: webhookEvents.sequence })
    .prepare(),
)

/** Writes only the events; publish() also creates deliveries. */
export async function recordEvents(
  tx: Tx,
  list: { workspaceId: string; type: string; data: object; trace?: Trace | null | undefined }[],
): Promise<PublishedEvent[]> {
  const hops = tx.hops ?? 0
  const rows = list.map(({ workspaceId, type, data, trace }) => {
    return {
      id: newId(tx, 'wh', tx.now),
      workspaceId,
      type,
      payload: toPayload(type, marked(workspaceId, data), tx.now),
      trace,
    }
  })
  const stored = await insertEvents(tx.db).all(newEvents.given(rows, { hops, createdAt: tx.now }))
  const sequences = new Map(stored.map(({ id, sequence }) => [id, sequence]))
  return rows.map((row) => ({ ...row, hops, sequence: sequences.get(row.id) ?? 0 }))
}

/** What happened in a test workspace says so. */
function marked(workspaceId: string, data: object): object {
  return isTestWorkspace(workspaceId) ? { ...data, test: true } : data
}

/** The body of a delivery. If it is too large it loses its largest members until it fits, and says so. */
export function toPayload(type: string, data: object, now: Date): string {
  const payload = envelope(type, data, now)
  let left = Buffer.byteLength(payload)
  if (left <= maxPayloadBytes) return payload
  const members = listMembers(data).sort((one, other) => one.size - other.size)
  for (let largest = members.pop(); largest; largest = members.pop()) {
    left -= largest.size
    if (left > maxPayloadBytes) continue
    const shorter = envelope(type, { ...fromMembers(members), truncated: true }, now)
    if (Buffer.byteLength(shorter) <= maxPayloadBytes) return shorter
  }
  return envelope(type, { truncated: true }, now)
}

/** What can be left out separately: a member, or one inside of it, so that ids stay when a long text goes. */
interface Member {
  name: string
  inside: string | null
  value: unknown
  /** Bytes that it takes in the payload. */
  size: number
}

function listMembers(data: object): Member[] {
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
