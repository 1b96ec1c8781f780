// The job of one delivery: retried on its schedule until it is accepted or the schedule ends. Each attempt checks that its endpoint still
// exists and is active; what an attempt means for the delivery and the endpoint is written with its end.

import { sql } from 'drizzle-orm'
import type { Db, ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { orNull, toRows, unmappedValue } from '../../../db/rows.ts'
import {
  type DeliveryState,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
} from '../../../db/tables/webhooks.ts'
import type { App, Tx } from '../../core/app.ts'
import { defineJob, type Ended, type Ending, type Job, type JobResult } from '../../core/outbox/job.ts'
import { createBatch } from '../../kit/batch.ts'
import { second } from '../../kit/duration.ts'
import { type AttemptReport, attemptDelivery, type Target } from './attempt.ts'
import { type DeliverWebhook, deliveryJob } from './deliveries.ts'
import { disableEndpoint } from './endpoints.ts'
import { askedDelayMs, failingUntilDisabledMs, retryDelaysMs } from './schedule.ts'
import { endpointThrottle, type FlightEnd } from './throttle.ts'

/** Longer than the dialer can take. */
const timeoutMs = 25 * second
/** How many characters of a response are stored. */
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
      const target = await findTarget(app, job.payload)
      if (!target) return dropped('endpoint_deleted')
      if (target.status === 'disabled') return dropped('endpoint_disabled')
      throttle.allow(flight, target.maxPerSecond)
      const attempt = await attemptDelivery(app, target, { signal })
      if (attempt.code === 'aborted') return stopped
      end = attempt.code === null ? 'succeeded' : 'failed'
      return toResult(attempt, job, target.isFailing)
    } finally {
      throttle.end(flight, end, app.clock.now().getTime())
    }
  },

  async ended(tx, ended) {
    const reported = ended.map(({ job, ending }) => ({ job, ending, report: toReport(tx, ending) }))
    await recordDeliveries(tx, reported)
    const attempts = reported.flatMap(({ job, report }) =>
      report ? [{ deliveryId: job.payload.deliveryId, report, endpointId: job.payload.endpointId }] : [],
    )
    await recordAttempts(tx, attempts)
    await recordHealth(tx, attempts)
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

function toResult(attempt: AttemptReport, job: Job<DeliverWebhook>, wasFailing: boolean): JobResult {
  const report: Report = { ...attempt, wasFailing }
  const { code, status } = attempt
  if (code === null) return { outcome: 'done', code: String(status), report }
  const detail = status === null ? 'no answer was read' : `answered ${status}`
  if (code === 'gone') return { outcome: 'dead', code, detail, report }
  const delayMs = askedDelayMs(attempt.retryAfter, job.attempt, attempt.at)
  return { outcome: 'retry', code, detail, report, ...(delayMs === null ? {} : { delayMs }) }
}

/** A crash, or a job that timed out, is also an attempt: the request may have arrived. */
function toReport(tx: Tx, { code, report }: Ending): Report | null {
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

const { endpointId, id } = webhookDeliveries
const wantedDeliveries = toRows({ endpointId, id }, { now: webhookDeliveries.createdAt })

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
        v.id AS webhook_id, v.payload, v.hops, ${secrets}${wantedDeliveries.shared.now}) ORDER BY number DESC)) AS secrets
        FROM ${wantedDeliveries.list} JOIN webhook_deliveries d ON d.endpoint_id = ${wantedDeliveries.each.endpointId} AND d.id = ${wantedDeliveries.each.id}
        JOIN webhook_endpoints e ON e.id = d.endpoint_id JOIN webhook_events v ON v.sequence = d.event_sequence)`,
    )
    .prepare()
})

const targets = (app: App) =>
  createBatch<JobTarget>(async (keys) => {
    const rows = keys.map((key) => {
      const [endpointId = '', id = ''] = key.split(' ')
      return { endpointId, id }
    })
    const found = await findTargets(app.db).all(wantedDeliveries.given(rows, { now: app.clock.now() }))
    return new Map(
      found.map(({ deliveryId, isFailing, secrets, ...row }) => [
        `${row.endpointId} ${deliveryId}`,
        { ...row, isFailing: Boolean(isFailing), secrets: JSON.parse(secrets) as string[] },
      ]),
    )
  })

/** The endpoints of deliveries; jobs that start together share one query. Undefined for a deleted endpoint. */
function findTarget(app: App, { endpointId, deliveryId }: DeliverWebhook): Promise<JobTarget | undefined> {
  return app.own(targets)(`${endpointId} ${deliveryId}`)
}

const { state, lastStatus, lastCode, nextAttemptAt, updatedAt } = webhookDeliveries
const ends = toRows({ id, state, tries: unmappedValue<number>(), lastStatus, lastCode, nextAttemptAt }, { updatedAt })

const updateDeliveries = prepared((db: Db) => {
  const { id, tries, lastStatus, ...each } = ends.each
  return db
    .update(webhookDeliveries)
    .set({
      ...each,
      attempts: sql`attempts + ${tries}`,
      lastStatus: sql`coalesce(${lastStatus}, last_status)`,
      updatedAt: ends.shared.updatedAt,
    })
    .from(ends.list)
    .where(sql`webhook_deliveries.id = ${id}`)
    .prepare()
})

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
  const rows = reported.map(({ job, ending: { state, code, nextDueAt }, report }) => ({
    id: job.payload.deliveryId,
    state: stateOf[state],
    tries: report === null ? 0 : 1,
    lastStatus: report?.status ?? null,
    lastCode: state === 'done' ? null : (report?.code ?? code),
    nextAttemptAt: nextDueAt,
  }))
  await updateDeliveries(tx.db).run(ends.given(rows, { updatedAt: tx.now }))
}

const { deliveryId, at, durationMs, status, code, response } = webhookAttempts
const newAttempts = toRows({ deliveryId, at, durationMs, status, code, response })

const insertAttempts = prepared((db: Db) => {
  const { each } = newAttempts
  const number = sql`(SELECT coalesce(max(number), 0) + 1 FROM webhook_attempts a WHERE a.delivery_id = ${each.deliveryId})`
  return newAttempts.insertInto(db, webhookAttempts, { ...each, number }).prepare()
})

/** Appends to the attempts of deliveries, at most one to each. */
export async function recordAttempts(tx: Tx, attempts: { deliveryId: string; report: AttemptReport }[]): Promise<void> {
  if (attempts.length === 0) return
  const rows = attempts.map(({ deliveryId, report: { at, durationMs, status, code, response } }) => {
    return { deliveryId, at, durationMs, status, code, response: response?.slice(0, keptResponseChars) ?? null }
  })
  await insertAttempts(tx.db).run(newAttempts.given(rows))
}

const failing = toRows({ endpointId: webhookEndpoints.id, since: orNull(webhookEndpoints.failingSince) })

const setFailing = prepared((db: Db) => {
  const { endpointId, since } = failing.each
  return db
    .update(webhookEndpoints)
    .set({ failingSince: sql`iif(${since} IS NULL, NULL, coalesce(failing_since, ${since}))` })
    .from(failing.list)
    .where(sql`webhook_endpoints.id = ${endpointId}`)
    .returning({
      id: sql<string>`webhook_endpoints.id`.as('id'),
      workspaceId: sql<string>`webhook_endpoints.workspace_id`.as('workspace_id'),
      url: sql<string>`webhook_endpoints.url`.as('url'),
      since: sql<number | null>`webhook_endpoints.failing_since`.as('since'),
    })
    .prepare()
})

/** Records since when endpoints fail, and which recovered; disables one that is gone, or that has only failed for five days. */
async function recordHealth(tx: Tx, attempts: { endpointId: string; report: Report }[]): Promise<void> {
  const gone = new Set(attempts.filter(({ report }) => report.code === 'gone').map(({ endpointId }) => endpointId))
  const ofEndpoint = Map.groupBy(attempts, ({ endpointId }) => endpointId)
  const changes = [...ofEndpoint].flatMap(([endpointId, own]): { endpointId: string; since: Date | null }[] => {
    const failure = own.find(({ report }) => report.code !== null)
    const answers = own.some(({ report }) => report.code === null)
    if (failure && (!answers || gone.has(endpointId))) return [{ endpointId, since: failure.report.at }]
    return own.some(({ report }) => report.wasFailing) ? [{ endpointId, since: null }] : []
  })
  const noted = changes.length === 0 ? [] : await setFailing(tx.db).all(failing.given(changes))
  for (const { since, ...endpoint } of noted) {
    if (gone.has(endpoint.id)) await disableEndpoint(tx, endpoint, 'gone')
    else if (since !== null && tx.now.getTime() - since >= failingUntilDisabledMs)
      await disableEndpoint(tx, endpoint, 'failing')
  }
}
