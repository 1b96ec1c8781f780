// Tells the endpoints of a workspace of an event. Which ones is decided in the transaction of the event; the deliveries of many are written
// by a job, some at a time, so that what a call costs others does not grow with the endpoints of its workspace.

import { eq } from 'drizzle-orm'
import { webhookEvents } from '../../../db/tables/webhooks.ts'
import type { Tx } from '../../core/app.ts'
import { enqueue, type JobHead } from '../../core/outbox/enqueue.ts'
import { defineJob, type Job, type Outcome } from '../../core/outbox/job.ts'
import { minute, second } from '../../kit/duration.ts'
import { attemptTrace, type Trace } from '../../kit/trace.ts'
import { addDeliveries, type NewDelivery } from './deliveries.ts'
import { findEndpoints, type ListeningEndpoint } from './listening.ts'

interface FanOut {
  /** The Webhook-Id: its sequence is another one after a move. */
  eventId: string
  /** Who is still to be told. */
  endpointIds: string[]
}

/** With at most so many endpoints to tell, their deliveries cost less than a job that writes them. */
const endpointsAtOnce = 16
/** Of one transaction of the job. */
const endpointsPerStep = 32
const retryDelaysMs = [second, 5 * second, minute, 5 * minute, 15 * minute]

const fanOutJob: JobHead<FanOut> = { kind: 'fan-out-event', lane: 'fan_out', attemptsMax: retryDelaysMs.length + 1 }

type Event = NewDelivery['event'] & { id: string }

/** Writes the deliveries of an event to these endpoints, or a job that does. Returns what is to be written now. */
export async function fanOut(tx: Tx, event: Event, endpoints: ListeningEndpoint[]): Promise<NewDelivery[]> {
  if (endpoints.length <= endpointsAtOnce) return endpoints.map((endpoint) => toDelivery(event, endpoint))
  const { id: eventId, workspaceId, trace } = event
  const endpointIds = endpoints.map(({ id }) => id)
  await enqueue(tx, fanOutJob, { workspaceId, payload: { eventId, endpointIds }, trace })
  return []
}

/** A disabled endpoint gets a skipped delivery. */
function toDelivery(event: Event, { id, status }: ListeningEndpoint): NewDelivery {
  return { event, endpointId: id, state: status === 'active' ? 'pending' : 'skipped' }
}

export const fanOutEvent = defineJob<FanOut>({
  ...fanOutJob,
  timeoutMs: 30 * second,
  retryDelaysMs,
  run: async (_app, job) => ({ outcome: 'decide', decide: (tx) => tellSome(tx, job) }),
})

/** The deliveries, the end of the job and the job for the rest are one transaction, so each endpoint is told once. */
async function tellSome(tx: Tx, job: Job<FanOut>): Promise<Outcome> {
  const { workspaceId, payload } = job
  const event = await findEvent(tx, payload.eventId, attemptTrace(job))
  if (event === null) return { outcome: 'cancelled', code: 'event_gone', detail: 'the event is no longer stored' }
  const some = new Set(payload.endpointIds.slice(0, endpointsPerStep))
  const rest = payload.endpointIds.slice(endpointsPerStep)
  const endpoints = (await findEndpoints(tx, [workspaceId])).filter(({ id }) => some.has(id))
  await addDeliveries(
    tx,
    endpoints.map((endpoint) => toDelivery(event, endpoint)),
  )
  if (rest.length > 0)
    await enqueue(tx, fanOutJob, {
      workspaceId,
      payload: { eventId: event.id, endpointIds: rest },
      parentId: job.id,
      trace: event.trace,
    })
  return { outcome: 'done' }
}

async function findEvent(tx: Tx, eventId: string, trace: Trace | null): Promise<Event | null> {
  const { id, sequence, workspaceId, type } = webhookEvents
  const [row] = await tx.db.select({ id, sequence, workspaceId, type }).from(webhookEvents).where(eq(id, eventId))
  return row ? { ...row, trace } : null
}
