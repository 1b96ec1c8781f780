// Explains why the jobs of a lane or of one partition wait. It reads a few jobs of each partition, the earliest due first.

import { type SQL, sql } from 'drizzle-orm'
import { outboxJobs } from '../../../db/tables/outbox.ts'
import type { App, Reader } from '../../core/app.ts'
import type { JobRow } from '../../core/outbox/job.ts'
import { chooseLanes, type Lane } from '../../core/outbox/lanes.ts'
import { findWait, listLimits } from '../../core/receivers.ts'
import { deliveryLane } from '../../features/campaigns/wake.ts'
import { held, putOff, throttled } from '../../features/sending/outcome.ts'
import { listEndpoints } from '../../features/webhooks/endpoints.ts'
import { countDue, maxCounted } from '../../features/webhooks/late.ts'
import { endpointThrottle } from '../../features/webhooks/throttle.ts'
import { second } from '../../kit/duration.ts'
import type { Around } from '../attention/attention.ts'
import { countJobs, findOldestJob } from '../outbox/jobs.ts'
import { findLastPath, findReceiver } from './path.ts'
import { asAttention, because, type Reason } from './reasons.ts'

const mostPartitions = 50
const mostOfPartition = 20
/** Counts stop here. */
const mostCounted = 1_000

interface WorkspaceLane {
  workspaceId: string
  lane: Lane
}

/** What stands, runs or waits in a lane of a workspace. */
export async function aboutLane(app: App, of: WorkspaceLane, around: Around): Promise<Reason[]> {
  const reasons = [
    ...(await unfinished(app, of, around)),
    ...(await aboutWaiting(app, await loadHeads(app, of), around)),
  ]
  return reasons.length === 0 ? [because('no_job')] : reasons
}

/** Those of one partition that wait. */
export async function aboutPartition(
  app: App,
  of: WorkspaceLane & { partitionKey: string },
  around: Around,
): Promise<Reason[]> {
  const rows = await app.db
    .select()
    .from(outboxJobs)
    .where(firstJob(of, sql`${of.partitionKey}`))
  return await aboutWaiting(app, rows, around)
}

async function unfinished(app: App, { lane, workspaceId }: WorkspaceLane, { kinds }: Around): Promise<Reason[]> {
  const of = { workspaceId, kinds }
  const reasons: Reason[] = []
  for (const [state, code] of [
    ['dead', 'jobs_dead'],
    ['ambiguous', 'mail_uncertain'],
    ['held', 'held'],
    ['running', 'running'],
  ] as const) {
    const oldest = await findOldestJob(app, of, { lane, states: [state] })
    if (oldest === null) continue
    const detail = `${await countJobs(app, of, { lane, states: [state] }, mostCounted)}, the first of them ${oldest.id}`
    const since = oldest.finishedAt ?? (state === 'running' ? null : oldest.dueAt)
    reasons.push(
      code === 'held' || code === 'running'
        ? because(code, { detail })
        : asAttention({ code, since, workspaceId, detail }),
    )
  }
  return reasons
}

/** The first to be due of each partition. */
async function loadHeads({ db }: Reader, of: WorkspaceLane): Promise<JobRow[]> {
  const pending = sql`FROM outbox_jobs WHERE state = 'pending' AND lane = ${of.lane} AND workspace_id = ${of.workspaceId}`
  const partitions = await db.all<{ name: string }>(
    sql`WITH RECURSIVE partitions(name) AS (SELECT min(partition_key) ${pending}
      UNION ALL SELECT (SELECT min(partition_key) ${pending} AND partition_key > name) FROM partitions WHERE name IS NOT NULL)
      SELECT name FROM partitions WHERE name IS NOT NULL LIMIT ${mostPartitions}`,
  )
  const heads: JobRow[] = []
  for (const { name } of partitions)
    heads.push(
      ...(await db
        .select()
        .from(outboxJobs)
        .where(firstJob(of, sql`${name}`))),
    )
  return heads
}

function firstJob({ lane, workspaceId }: WorkspaceLane, partitionKey: SQL): SQL {
  return sql`id IN (SELECT id FROM outbox_jobs WHERE state = 'pending' AND lane = ${lane} AND workspace_id = ${workspaceId}
    AND partition_key = ${partitionKey} ORDER BY due_at, priority LIMIT ${mostOfPartition})`
}

/** One reason of each kind, and each thing: with the earliest of its jobs. */
async function aboutWaiting(app: App, rows: JobRow[], { vitals }: Around): Promise<Reason[]> {
  const found = new Map<string, Reason>()
  for (const row of rows.toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())) {
    const reason = await whyWaiting(app, row, vitals)
    const key = `${reason.code} ${reason.thing?.id ?? ''}`
    if (!found.has(key)) found.set(key, reason)
  }
  return [...found.values()]
}

/** Why one job that is pending does not run. */
export async function whyWaiting(app: App, row: JobRow, vitals: Around['vitals']): Promise<Reason> {
  const { dueAt, lane, attempt, lastCode, lastError } = row
  const now = app.clock.now()
  const slowed = await slowedBy(app, row)
  if (slowed !== null) return slowed
  const thing = await findEndpoint(app, row)
  if (dueAt <= now) {
    const until = thing === null ? null : endpointThrottle(app).pausedUntil(thing.id, now)
    if (until !== null) return because('endpoint_paused', { until, thing })
    if (thing !== null) {
      const behind = await behindOthers(app, row, thing)
      if (behind !== null) return behind
    }
    return because('due', { since: dueAt, detail: placesIn(app, lane, vitals), thing })
  }
  const about = { until: dueAt, detail: lastError ?? lastCode, thing }
  if (lastCode === held || lastCode === putOff) return because('others_first', about)
  if (attempt > 0) {
    const detail = `attempt ${attempt}: ${about.detail ?? '-'}`
    return because('tried_again', { ...about, detail, path: await findLastPath(app, row) })
  }
  return because('scheduled', { until: dueAt, thing })
}

/** Where the receiver asked for less: a campaign's mail is told so before it is tried. */
async function slowedBy(app: App, row: JobRow): Promise<Reason | null> {
  const { lane, lastCode, dueAt } = row
  if (lane !== deliveryLane && lastCode !== throttled && lastCode !== putOff) return null
  const receiver = await findReceiver(app, row)
  if (receiver === null) return null
  const wait = await findWait(app, receiver)
  const slowed = lastCode === putOff ? (await listLimits(app, receiver))[0] : undefined
  const found = wait ?? (slowed && { relayId: slowed.relayId, until: dueAt, lastReply: slowed.limits.lastReply })
  if (found === undefined) return null
  const { relayId, lastReply } = found
  const until = new Date(Math.max(found.until.getTime(), dueAt.getTime()))
  const about = { until, detail: lastReply, thing: { id: receiver, name: receiver } }
  return because('receiver_slows', { ...about, path: { relayId, receiver } })
}

type ReasonThing = NonNullable<Reason['thing']>

async function findEndpoint(app: App, { lane, workspaceId, partitionKey: id }: JobRow): Promise<ReasonThing | null> {
  if (lane !== 'webhook') return null
  const endpoint = (await listEndpoints(app, workspaceId)).find((one) => one.id === id)
  return { id, name: endpoint?.url ?? id }
}

/** Null where nothing is before it. */
async function behindOthers(
  app: App,
  { id: jobId, workspaceId, dueAt }: JobRow,
  thing: ReasonThing,
): Promise<Reason | null> {
  const before = await countDue(app, { workspaceId, endpointId: thing.id }, dueAt, jobId)
  const wait = `${before === maxCounted ? `${maxCounted} or more` : before} wait before it`
  if (endpointThrottle(app).isSlow(thing.id)) return because('endpoint_slow', { since: dueAt, detail: wait, thing })
  const endpoint = (await listEndpoints(app, workspaceId)).find(({ id }) => id === thing.id)
  const maxPerSecond = endpoint?.maxPerSecond ?? null
  if (maxPerSecond === null || before < maxPerSecond) return null
  const until = new Date(app.clock.now().getTime() + (before / maxPerSecond) * second)
  return because('endpoint_full', { since: dueAt, until, detail: `${wait}, ${maxPerSecond} a second`, thing })
}

function placesIn(app: App, lane: string, vitals: Around['vitals']): string | null {
  const running = vitals?.inFlight()[lane]
  const policy = Object.entries(chooseLanes(app.database.kind, app.mailer.relays)).find(([name]) => name === lane)?.[1]
  return running === undefined || policy === undefined ? null : `${running} of ${policy.concurrency} places are in use`
}
