// The job of one delivery: tried until it is taken, on its schedule, as often as that goes. Whether its endpoint still exists
// and is active is asked at each attempt; what an attempt means for the delivery and the endpoint is written with its end.

import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db, ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../db/tables/webhooks.ts'
import type { App, Tx } from '../app.ts'
import { createBatch } from '../lib/batch.ts'
import { second } from '../lib/duration.ts'
import { defineJob, type Ending, type Job, type JobResult } from '../outbox/job.ts'
import { type AttemptReport, attemptDelivery, type Target } from './attempt.ts'
import { type DeliverWebhook, deliveryJob } from './deliveries.ts'
import { disableEndpoint } from './endpoints.ts'
import { askedDelayMs, failingUntilDisabledMs, retryDelaysMs } from './schedule.ts'
import { endpointThrottle, type FlightEnd } from './throttle.ts'

/** Longer than the dialer takes at most. */
const timeoutMs = 25 * second
/** Characters of an answer that are kept. */
export const keptResponseChars = 1_024

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

  async settle(tx, job, ending) {
    const report = reportOf(tx, ending)
    await recordDelivery(tx, job, ending, report)
    if (!report) return
    await recordAttempt(tx, job.payload.deliveryId, report)
    if (report.code !== null) await recordFailure(tx, job.payload.endpointId, report)
    else if (report.wasFailing) await recordRecovery(tx, job.payload.endpointId)
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
      secrets: sql<string>`secrets`,
    })
    .from(
      sql`(SELECT d.id AS delivery_id, e.id AS endpoint_id, e.url, e.status, e.max_per_second, e.failing_since IS NOT NULL AS is_failing,
        v.id AS webhook_id, v.payload, ${secrets}${sql.placeholder('now')}) ORDER BY number DESC)) AS secrets
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

const updateDelivery = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .update(webhookDeliveries)
    .set({
      state: sql`${p('state')}`,
      attempts: sql`attempts + ${p('tried')}`,
      lastStatus: sql`coalesce(${p('status')}, last_status)`,
      lastCode: sql`${p('code')}`,
      nextAttemptAt: sql`${p('nextAttemptAt')}`,
      updatedAt: sql`${p('now')}`,
    })
    .where(and(eq(webhookDeliveries.endpointId, p('endpointId')), eq(webhookDeliveries.id, p('deliveryId'))))
    .prepare()
})

async function recordDelivery(
  tx: Tx,
  { payload }: Job<DeliverWebhook>,
  { state, code, nextDueAt }: Ending,
  report: Report | null,
): Promise<void> {
  await updateDelivery(tx.db).run({
    ...payload,
    state:
      state === 'done' ? 'delivered' : state === 'pending' ? 'pending' : state === 'cancelled' ? 'skipped' : 'failed',
    tried: report === null ? 0 : 1,
    status: report?.status ?? null,
    code: state === 'done' ? null : (report?.code ?? code),
    nextAttemptAt: nextDueAt?.getTime() ?? null,
    now: tx.now.getTime(),
  })
}

const insertAttempt = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .insert(webhookAttempts)
    .values({
      deliveryId: p('deliveryId'),
      number: sql`(SELECT coalesce(max(number), 0) + 1 FROM webhook_attempts WHERE delivery_id = ${p('deliveryId')})`,
      at: p('at'),
      durationMs: p('durationMs'),
      status: p('status'),
      code: p('code'),
      response: p('response'),
    })
    .prepare()
})

/** Appends to the attempts of a delivery. */
export async function recordAttempt(tx: Tx, deliveryId: string, report: AttemptReport): Promise<void> {
  const { at, durationMs, status, code, response } = report
  const kept = response?.slice(0, keptResponseChars) ?? null
  await insertAttempt(tx.db).run({ deliveryId, at, durationMs, status, code, response: kept })
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
