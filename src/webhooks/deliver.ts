// The job of one delivery: tried until it is taken, on its schedule, as often as that goes. Whether its endpoint still exists
// and is active is asked at each attempt; what an attempt means for the delivery and the endpoint is written with its end.

import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db, ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { type DeliveryState, webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../db/tables/webhooks.ts'
import type { App, Tx } from '../app.ts'
import { createBatch } from '../lib/batch.ts'
import { second } from '../lib/duration.ts'
import { defineJob, type Ended, type Ending, type Job, type JobResult } from '../outbox/job.ts'
import { type AttemptReport, attemptDelivery, type Target } from './attempt.ts'
import { type DeliverWebhook, deliveryJob } from './deliveries.ts'
import { disableEndpoint } from './endpoints.ts'
import { askedDelayMs, failingUntilDisabledMs, retryDelaysMs } from './schedule.ts'
import { endpointThrottle, type FlightEnd } from './throttle.ts'

/** Longer than the dialer takes at most. */
const timeoutMs = 25 * second
/** Characters of an answer that are kept. */
const keptResponseChars = 1_024

export const deliverWebhook = defineJob<DeliverWebhook>({
  ...deliveryJob,
  timeoutMs,
  retryDelaysMs,
  throttle: endpointThrottle,

  async run(app, job, { signal }) {
    const throttle = endpointThrottle(app)
    const flight = throttle.begin(job.workspaceId, job.payload.endpointId, app.clock.now().getTime())
    let end: FlightEnd = null
    try {
      const target = await targetOf(app, job.payload)
      if (!target) return dropped('endpoint_deleted')
      if (target.status === 'disabled') return dropped('endpoint_disabled')
      throttle.allow(flight, target.maxPerSecond)
      const attempt = await attemptDelivery(app, target, { signal })
      if (attempt.code === 'aborted') return stopped
      end = attempt.code === null ? 'succeeded' : 'failed'
      return resultOf(attempt, job, target.isFailing)
    } finally {
      throttle.end(flight, end, app.clock.now().getTime())
    }
  },

  async settle(tx, ended) {
    const reported = ended.map(({ job, ending }) => ({ job, ending, report: reportOf(tx, ending) }))
    await recordDeliveries(tx, reported)
    const attempts = reported.flatMap(({ job, report }) =>
      report ? [{ deliveryId: job.payload.deliveryId, report, endpointId: job.payload.endpointId }] : [],
    )
    await recordAttempts(tx, attempts)
    for (const { endpointId, report } of attempts) {
      if (report.code !== null) await recordFailure(tx, endpointId, report)
      else if (report.wasFailing) await recordRecovery(tx, endpointId)
    }
  },
})

function dropped(code: string): JobResult {
  return { outcome: 'cancelled', code, detail: 'nothing was sent' }
}

const stopped: JobResult = { outcome: 'defer', code: 'stopped', detail: 'the process ended', delayMs: 0 }

interface Report extends AttemptReport {
  /** The endpoint was known to fail when the attempt began. */
  wasFailing: boolean
}

function resultOf(attempt: AttemptReport, job: Job<DeliverWebhook>, wasFailing: boolean): JobResult {
  const report: Report = { ...attempt, wasFailing }
  const { code, status } = attempt
  if (code === null) return { outcome: 'done', code: String(status), report }
  const detail = status === null ? 'no answer was read' : `answered ${status}`
  if (code === 'gone') return { outcome: 'dead', code, detail, report }
  const delayMs = askedDelayMs(attempt.retryAfter, job.attempt, attempt.at)
  return { outcome: 'retry', code, detail, report, ...(delayMs === null ? {} : { delayMs }) }
}

/** A crash, or a job that outlived its time, is an attempt too: the request may have arrived. */
function reportOf(tx: Tx, { code, report }: Ending): Report | null {
  if (report !== null) return report as Report
  if (code !== 'crashed' && code !== 'timeout' && code !== 'exception') return null
  const failure = code === 'timeout' ? code : 'crashed'
  return {
    at: tx.now,
    durationMs: 0,
    status: null,
    code: failure,
    response: null,
    retryAfter: undefined,
    wasFailing: false,
  }
}

interface JobTarget extends Target {
  status: string
  maxPerSecond: number | null
  isFailing: boolean
}

const findTargets = prepared((db: ReadDb) => {
  const secrets = sql.raw(`(SELECT json_group_array(sealed) FROM (SELECT secret_sealed AS sealed FROM webhook_secrets s
    WHERE s.endpoint_id = e.id AND (s.expires_at IS NULL OR s.expires_at > `)
  return db
    .select({
      deliveryId: sql<string>`delivery_id`,
      endpointId: sql<string>`endpoint_id`,
      url: sql<string>`url`,
      status: sql<string>`status`,
      maxPerSecond: sql<number | null>`max_per_second`,
      isFailing: sql<number>`is_failing`,
      webhookId: sql<string>`webhook_id`,
      payload: sql<string>`payload`,
      hops: sql<number>`hops`,
      secrets: sql<string>`secrets`,
    })
    .from(
      sql`(SELECT d.id AS delivery_id, e.id AS endpoint_id, e.url, e.status, e.max_per_second, e.failing_since IS NOT NULL AS is_failing,
        v.id AS webhook_id, v.payload, v.hops, ${secrets}${sql.placeholder('now')}) ORDER BY number DESC)) AS secrets
        FROM json_each(${sql.placeholder('keys')}) k
        JOIN webhook_deliveries d ON d.endpoint_id = k.value ->> 0 AND d.id = k.value ->> 1
        JOIN webhook_endpoints e ON e.id = d.endpoint_id JOIN webhook_events v ON v.sequence = d.event_sequence)`,
    )
    .prepare()
})

const loaders = new WeakMap<App, (key: string) => Promise<JobTarget | undefined>>()

/** Where deliveries go, those of jobs that start together in one query. Nothing for a deleted endpoint. */
function targetOf(app: App, { endpointId, deliveryId }: DeliverWebhook): Promise<JobTarget | undefined> {
  let load = loaders.get(app)
  if (!load) {
    load = createBatch((keys) => loadTargets(app, keys))
    loaders.set(app, load)
  }
  return load(`${endpointId} ${deliveryId}`)
}

async function loadTargets(app: App, keys: string[]): Promise<Map<string, JobTarget>> {
  const pairs = JSON.stringify(keys.map((key) => key.split(' ')))
  const rows = await findTargets(app.db).all({ keys: pairs, now: app.clock.now().getTime() })
  return new Map(
    rows.map(({ deliveryId, isFailing, secrets, ...row }) => [
      `${row.endpointId} ${deliveryId}`,
      { ...row, isFailing: Boolean(isFailing), secrets: JSON.parse(secrets) as string[] },
    ]),
  )
}

const updateDeliveries = prepared((db: Db) =>
  db
    .update(webhookDeliveries)
    .set({
      state: sql`e.value ->> 1`,
      attempts: sql`attempts + (e.value ->> 2)`,
      lastStatus: sql`coalesce(e.value ->> 3, last_status)`,
      lastCode: sql`e.value ->> 4`,
      nextAttemptAt: sql`e.value ->> 5`,
      updatedAt: sql`${sql.placeholder('now')}`,
    })
    .from(sql`json_each(${sql.placeholder('ends')}) AS e`)
    .where(sql`webhook_deliveries.id = e.value ->> 0`)
    .prepare(),
)

interface Reported extends Ended<DeliverWebhook> {
  report: Report | null
}

const stateOf: Record<Ending['state'], DeliveryState> = {
  done: 'delivered',
  pending: 'pending',
  held: 'pending',
  cancelled: 'skipped',
  dead: 'failed',
  ambiguous: 'failed',
}

async function recordDeliveries(tx: Tx, reported: Reported[]): Promise<void> {
  const ends = reported.map(({ job, ending: { state, code, nextDueAt }, report }) => [
    job.payload.deliveryId,
    stateOf[state],
    report === null ? 0 : 1,
    report?.status ?? null,
    state === 'done' ? null : (report?.code ?? code),
    nextDueAt?.getTime() ?? null,
  ])
  await updateDeliveries(tx.db).run({ ends: JSON.stringify(ends), now: tx.now.getTime() })
}

const insertAttempts = prepared((db: Db) =>
  db
    .insert(webhookAttempts)
    .select(
      sql`SELECT value ->> 0, (SELECT coalesce(max(number), 0) + 1 FROM webhook_attempts a WHERE a.delivery_id = value ->> 0),
        value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(${sql.placeholder('attempts')})`,
    )
    .prepare(),
)

/** Appends to the attempts of deliveries, at most one to each. */
export async function recordAttempts(tx: Tx, attempts: { deliveryId: string; report: AttemptReport }[]): Promise<void> {
  if (attempts.length === 0) return
  const lines = attempts.map(({ deliveryId, report: { at, durationMs, status, code, response } }) => {
    return [deliveryId, at.getTime(), durationMs, status, code, response?.slice(0, keptResponseChars) ?? null]
  })
  await insertAttempts(tx.db).run({ attempts: JSON.stringify(lines) })
}

/** Notes since when the endpoint fails; disables one that is gone, or that has done nothing else for five days. */
async function recordFailure(tx: Tx, endpointId: string, { at, code }: Report): Promise<void> {
  const [endpoint] = await tx.db
    .update(webhookEndpoints)
    .set({ failingSince: sql`coalesce(failing_since, ${at.getTime()})` })
    .where(eq(webhookEndpoints.id, endpointId))
    .returning()
  if (!endpoint) return
  const failingMs = tx.now.getTime() - (endpoint.failingSince?.getTime() ?? tx.now.getTime())
  if (code === 'gone') await disableEndpoint(tx, endpoint, 'gone')
  else if (failingMs >= failingUntilDisabledMs) await disableEndpoint(tx, endpoint, 'failing')
}

async function recordRecovery(tx: Tx, endpointId: string): Promise<void> {
  await tx.db
    .update(webhookEndpoints)
    .set({ failingSince: null })
    .where(and(eq(webhookEndpoints.id, endpointId), isNotNull(webhookEndpoints.failingSince)))
}
