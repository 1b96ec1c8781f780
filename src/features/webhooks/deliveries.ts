// Deliveries: one event for one endpoint, its result, and sending it again. A pending delivery has a job; every job of the same delivery
// sends the same Webhook-Id.

import { and, desc, eq, gt, gte, inArray, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { type DeliveryState, webhookAttempts, webhookDeliveries, webhookEvents } from '../../../db/tables/webhooks.ts'
import { type App, type Reader, Steps, type Tx } from '../../core/app.ts'
import { enqueueMany, type JobHead } from '../../core/outbox/enqueue.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import type { Trace } from '../../kit/trace.ts'
import { retryDelaysMs } from './schedule.ts'

export type Delivery = typeof webhookDeliveries.$inferSelect & { webhookId: string; payload: string }
export type Attempt = typeof webhookAttempts.$inferSelect

export interface DeliverWebhook {
  endpointId: string
  deliveryId: string
}

/** The job of deliver.ts. */
export const deliveryJob: JobHead<DeliverWebhook> = {
  kind: 'deliver-webhook',
  lane: 'webhook',
  attemptsMax: retryDelaysMs.length + 1,
}

const { endpointId, id, workspaceId, eventSequence, type, state, jobId, nextAttemptAt, createdAt } = webhookDeliveries
const newDeliveries = toRows(
  { endpointId, id, workspaceId, eventSequence, type, state, jobId, nextAttemptAt },
  { createdAt },
)

const insert = newDeliveries.adding(webhookDeliveries, {
  ...newDeliveries.each,
  ...newDeliveries.shared,
  attempts: 0,
  updatedAt: newDeliveries.shared.createdAt,
})

export interface NewDelivery {
  event: { sequence: number; workspaceId: string; type: string; trace?: Trace | null | undefined }
  endpointId: string
  /** `delivered` and `failed` are for a test, which was already tried. */
  state: DeliveryState
}

/** Deliveries of events; a pending one with its job. Returns their ids. */
export async function addDeliveries(tx: Tx, list: NewDelivery[]): Promise<string[]> {
  if (list.length === 0) return []
  const rows = list.map(({ event, endpointId, state }) => {
    const { sequence: eventSequence, workspaceId, type, trace } = event
    const nextAttemptAt = state === 'pending' ? tx.now : null
    return { endpointId, id: newId(tx, 'whd', tx.now), workspaceId, eventSequence, type, state, nextAttemptAt, trace }
  })
  const pending = rows.filter(({ state }) => state === 'pending')
  const jobIds = await enqueueDeliveries(tx, pending)
  const jobs = new Map(pending.map((row, index) => [row.id, jobIds[index] ?? null]))
  const withJobs = rows.map((row) => ({ ...row, jobId: jobs.get(row.id) ?? null }))
  await insert(tx.db, withJobs, { createdAt: tx.now })
  return rows.map((row) => row.id)
}

/** `jobId`: the job that tried it before. */
type Open = Pick<Delivery, 'workspaceId' | 'endpointId' | 'id'> & {
  jobId?: string | null
  trace?: Trace | null | undefined
}

async function enqueueDeliveries(tx: Tx, deliveries: Open[]): Promise<string[]> {
  const jobs = deliveries.map(({ workspaceId, endpointId, id: deliveryId, jobId, trace }) => {
    const payload = { endpointId, deliveryId }
    return { workspaceId, payload, partitionKey: endpointId, trace, ...(jobId ? { parentId: jobId } : {}) }
  })
  return await enqueueMany(tx, deliveryJob, jobs)
}

export interface DeliveryFilter {
  /** `ended`: whatever does not wait. */
  state?: DeliveryState | 'ended' | undefined
  type?: string | undefined
  /** Created at this time or later. */
  from?: Date | undefined
  /** Created before. */
  until?: Date | undefined
}

/** Newest first; `before` is the id of the last one of the previous page. */
export async function listDeliveries(
  reader: Reader,
  endpointId: string,
  { before, limit, ...filter }: DeliveryFilter & { before: string | undefined; limit: number },
): Promise<Delivery[]> {
  const rows = await reader.db
    .select()
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.sequence, webhookDeliveries.eventSequence))
    .where(and(matching(endpointId, filter), before === undefined ? undefined : lt(webhookDeliveries.id, before)))
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit)
  return rows.map(toDelivery)
}

/** A request never counts further than this. */
const maxCounted = 10_000

export async function countDeliveries(reader: Reader, endpointId: string, filter: DeliveryFilter): Promise<number> {
  const some = reader.db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(matching(endpointId, filter))
    .limit(maxCounted)
  const [row] = await reader.db.select({ total: sql<number>`count(*)` }).from(some.as('some'))
  return row?.total ?? 0
}

/** Throws `not_found`. */
export async function getDelivery(reader: Reader, endpointId: string, deliveryId: string): Promise<Delivery> {
  const [row] = await reader.db
    .select()
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.sequence, webhookDeliveries.eventSequence))
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.id, deliveryId)))
  if (!row) throw new AppError('not_found', 'This endpoint has no such delivery.')
  return toDelivery(row)
}

export type EndpointAttempt = Attempt & { type: string }

/** Of the newest deliveries first, each from its last attempt; `after` is `whd_… 3`. One more than `limit`. */
export async function listEndpointAttempts(
  reader: Reader,
  endpointId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<EndpointAttempt[]> {
  const [delivery = '', number = ''] = after?.split(' ') ?? []
  const { id, type } = webhookDeliveries
  const behind = or(lt(id, delivery), and(eq(id, delivery), lt(webhookAttempts.number, Number(number))))
  const rows = await reader.db
    .select({ type, attempt: webhookAttempts })
    .from(webhookDeliveries)
    .innerJoin(webhookAttempts, eq(webhookAttempts.deliveryId, id))
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        after === undefined ? undefined : and(lte(id, delivery), behind),
      ),
    )
    .orderBy(desc(id), desc(webhookAttempts.number))
    .limit(limit + 1)
  return rows.map(({ type, attempt }) => ({ ...attempt, type }))
}

/** At most 10,000 are counted. */
export async function countEndpointAttempts(reader: Reader, endpointId: string): Promise<number> {
  const some = reader.db
    .select({ number: webhookAttempts.number })
    .from(webhookDeliveries)
    .innerJoin(webhookAttempts, eq(webhookAttempts.deliveryId, webhookDeliveries.id))
    .where(eq(webhookDeliveries.endpointId, endpointId))
    .limit(maxCounted)
  const [row] = await reader.db.select({ total: sql<number>`count(*)` }).from(some.as('some'))
  return row?.total ?? 0
}

/** In order. */
export async function listAttempts(reader: Reader, deliveryId: string): Promise<Attempt[]> {
  return await reader.db
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, deliveryId))
    .orderBy(webhookAttempts.number)
}

type Joined = {
  webhook_deliveries: typeof webhookDeliveries.$inferSelect
  webhook_events: typeof webhookEvents.$inferSelect
}

function toDelivery({ webhook_deliveries: delivery, webhook_events: event }: Joined): Delivery {
  return { ...delivery, webhookId: event.id, payload: event.payload }
}

function matching(endpointId: string, { state, type, from, until }: DeliveryFilter): SQL | undefined {
  return and(
    eq(webhookDeliveries.endpointId, endpointId),
    state === undefined
      ? undefined
      : state === 'ended'
        ? ne(webhookDeliveries.state, 'pending')
        : eq(webhookDeliveries.state, state),
    type === undefined ? undefined : eq(webhookDeliveries.type, type),
    from === undefined ? undefined : gte(webhookDeliveries.id, firstIdAt(from)),
    until === undefined ? undefined : lt(webhookDeliveries.id, firstIdAt(until)),
  )
}

/** No id created at `at` or later sorts before it: ids begin with their time (RFC 9562, 5.7). */
export function firstIdAt(at: Date): string {
  return `whd_${Math.max(0, at.getTime()).toString(16).padStart(12, '0')}`
}

export async function noteNextAttempt(tx: Tx, deliveryId: string, at: Date): Promise<void> {
  await tx.db.update(webhookDeliveries).set({ nextAttemptAt: at, updatedAt: tx.now }).where(eq(id, deliveryId))
}

/** Sends one delivery again, whatever its result, with a full schedule. Throws `invalid_state_transition` while it is pending. */
export async function replayDelivery(tx: Tx, delivery: Delivery): Promise<void> {
  if (delivery.state === 'pending')
    throw new AppError('invalid_state_transition', 'This delivery is still being tried.')
  await reopen(tx, [delivery])
}

const replayedAtOnce = { least: 20, most: 200 }

/** Sends matching deliveries again, oldest first, in transactions of 50. Returns how many. */
export async function replayRange(
  app: App,
  { id: endpointId, workspaceId }: { id: string; workspaceId: string },
  { states, ...range }: Omit<DeliveryFilter, 'state'> & { states: DeliveryState[] },
): Promise<number> {
  let replayed = 0
  // What was reopened is not read again: an endpoint that fails at once must not cause an endless loop.
  let after = ''
  const steps = new Steps(app, workspaceId, replayedAtOnce)
  for (;;) {
    const last = after
    const [batch, size] = await steps.write(async (tx, size) => {
      const rows = await tx.db
        .select()
        .from(webhookDeliveries)
        .where(
          and(matching(endpointId, range), inArray(webhookDeliveries.state, states), gt(webhookDeliveries.id, last)),
        )
        .orderBy(webhookDeliveries.id)
        .limit(size)
      await reopen(tx, rows)
      return [rows, size] as const
    })
    replayed += batch.length
    after = batch.at(-1)?.id ?? ''
    if (batch.length < size) return replayed
  }
}

const reopened = toRows({ id, jobId }, { now: createdAt })
const reopenMany = prepared((db: Db) => {
  const { each, shared, list } = reopened
  const set = { state: 'pending' as const, jobId: each.jobId, nextAttemptAt: shared.now, updatedAt: shared.now }
  return db.update(webhookDeliveries).set(set).from(list).where(eq(id, each.id)).prepare()
})

async function reopen(tx: Tx, deliveries: Open[]): Promise<void> {
  const jobIds = await enqueueDeliveries(tx, deliveries)
  const rows = deliveries.map((delivery, index) => ({ id: delivery.id, jobId: jobIds[index] ?? null }))
  await reopenMany(tx.db).run(reopened.given(rows, { now: tx.now }))
}
