// Chooses which due jobs run next, and claims them. Pending jobs are indexed by (lane, workspace, partition, due time), and reading the
// earliest job of each partition shows what is due. So neither a flood from one workspace nor a full endpoint makes anybody else scan.

import { and, eq, sql } from 'drizzle-orm'
import { isUnavailable } from '../../../db/faults.ts'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows, unmappedValue } from '../../../db/rows.ts'
import { outboxAttempts, outboxJobs } from '../../../db/tables/outbox.ts'
import { fairShare } from '../../kit/fair-share.ts'
import type { Reader, Tx } from '../app.ts'
import type { NextJob } from './due-jobs.ts'
import type { JobRow } from './job.ts'
import { type Lane, type LanePolicy, type Lanes, lanes, turnOfWorkspace } from './lanes.ts'
import type { LaneAllowance } from './throttle.ts'

/** How many jobs of one partition. */
export interface Share extends NextJob {
  count: number
}

/** What is running now, in this process. */
export interface InFlight {
  lane(lane: Lane): number
  workspace(lane: Lane, workspaceId: string): number
  partition(lane: Lane, workspaceId: string, partitionKey: string): number
}

/**
 * Divides the free places of each lane among the due partitions: workspaces take turns of 8 at most, starting after the one served last
 * (`lastServed`, which this function updates for its caller).
 */
export function scheduleFairly(
  jobs: NextJob[],
  now: number,
  inFlight: InFlight,
  lastServed: Map<Lane, string>,
  { allowances = new Map(), policies = lanes }: { allowances?: Map<Lane, LaneAllowance>; policies?: Lanes } = {},
): Share[] {
  const due = Map.groupBy(
    jobs.filter((job) => job.dueAt <= now && job.lane in lanes),
    (job) => job.lane,
  )
  return [...due].flatMap(([lane, laneHeads]) =>
    scheduleLane(lane, laneHeads, { inFlight, lastServed, allowance: allowances.get(lane), policy: policies[lane] }),
  )
}

interface LaneParts {
  inFlight: InFlight
  lastServed: Map<Lane, string>
  allowance: LaneAllowance | undefined
  policy: LanePolicy
}

function scheduleLane(lane: Lane, all: NextJob[], { inFlight, lastServed, allowance, policy }: LaneParts): Share[] {
  let free = policy.concurrency - inFlight.lane(lane)
  const jobs = policy.inBatches ? all.filter((job) => hasCapacityForBatch(job, free, { inFlight, policy })) : all
  const shares = new Map<NextJob, Share>()
  const workspaces = rotate([...Map.groupBy(jobs, (job) => job.workspaceId)], lastServed.get(lane))
  for (let granted = true; granted && free > 0; ) {
    granted = false
    // Where less is free than a turn for each, everybody's is as small: who comes first would have a whole one, and the last what is left.
    const most = Math.max(1, Math.min(turnOfWorkspace, Math.floor(free / workspaces.length)))
    for (const [workspaceId, partitions] of workspaces) {
      let turn = Math.min(most, free)
      for (const job of partitions) {
        const already = sumShares(shares, (share) => share.workspaceId === workspaceId)
        const capacity = Math.min(
          turn,
          policy.perWorkspace - inFlight.workspace(lane, workspaceId) - already,
          fairShare(free, inFlight.workspace(lane, workspaceId) + already, policy.timesFree),
          policy.perPartition - inFlight.partition(lane, workspaceId, job.partitionKey) - (shares.get(job)?.count ?? 0),
          allowance?.capacity(job) ?? Number.POSITIVE_INFINITY,
        )
        if (capacity <= 0) continue
        allowance?.granted(job, capacity)
        shares.set(job, { ...job, count: (shares.get(job)?.count ?? 0) + capacity })
        lastServed.set(lane, workspaceId)
        turn -= capacity
        free -= capacity
        granted = true
      }
    }
  }
  return [...shares.values()]
}

/** None of the partition could start now, whatever is due of it. */
export function isFull(job: NextJob, inFlight: InFlight, policies: Lanes): boolean {
  if (!(job.lane in lanes)) return false
  const policy = policies[job.lane]
  const free = policy.concurrency - inFlight.lane(job.lane)
  return free <= 0 || (policy.inBatches && !hasCapacityForBatch(job, free, { inFlight, policy }))
}

function hasCapacityForBatch(
  { lane, workspaceId, partitionKey }: NextJob,
  free: number,
  { inFlight, policy }: Pick<LaneParts, 'inFlight' | 'policy'>,
): boolean {
  const mayHave = fairShare(free, inFlight.workspace(lane, workspaceId), policy.timesFree)
  return inFlight.partition(lane, workspaceId, partitionKey) <= mayHave
}

function sumShares(shares: Map<NextJob, Share>, wanted: (share: Share) => boolean): number {
  let sum = 0
  for (const share of shares.values()) if (wanted(share)) sum += share.count
  return sum
}

/** The list rotated to start after the entry named `last`. */
function rotate<T>(entries: [string, T][], last: string | undefined): [string, T][] {
  const start = last === undefined ? 0 : entries.findIndex(([name]) => name > last)
  return start <= 0 ? entries : [...entries.slice(start), ...entries.slice(0, start)]
}

const { lane, workspaceId, partitionKey } = outboxJobs
const wantedJobs = toRows(
  { lane, workspaceId, partitionKey, count: unmappedValue<number>() },
  { now: outboxJobs.dueAt, most: unmappedValue<number>() },
)

// The statement that claims jobs finds them itself, from the index alone, so two processes claim different ones.
const takeJobs = prepared((db: Db) => {
  const p = sql.placeholder
  const { lane, workspaceId, partitionKey, count } = wantedJobs.each
  // A LIMIT cannot be set per row.
  const due = sql`SELECT json_group_array(id) FROM (SELECT id FROM outbox_jobs WHERE state = 'pending' AND lane = ${lane}
    AND workspace_id = ${workspaceId} AND partition_key = ${partitionKey} AND due_at <= ${wantedJobs.shared.now}
    ORDER BY due_at, priority, id LIMIT ${wantedJobs.shared.most})`
  return db
    .update(outboxJobs)
    .set({
      state: 'running',
      fence: sql`fence + 1`,
      attempt: sql`attempt + 1`,
      leaseOwner: sql`${p('bootId')}`,
      leaseUntil: sql`${p('leaseUntil')}`,
    })
    .from(
      sql`(SELECT due.value AS id FROM ${wantedJobs.list}, json_each((${due})) AS due WHERE due.key < ${count}) AS taken`,
    )
    .where(sql`outbox_jobs.id = taken.id AND outbox_jobs.state = 'pending'`)
    .returning()
    .prepare()
})

// Only for jobs that this process has just claimed; a job whose lease happens to end in the same millisecond has its attempt row already.
const openAttempts = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .insert(outboxAttempts)
    .select(
      sql`SELECT id, fence, ${p('now')}, NULL, NULL, NULL, NULL, NULL FROM outbox_jobs
        WHERE state = 'running' AND lease_owner = ${p('bootId')} AND lease_until = ${p('leaseUntil')}`,
    )
    .onConflictDoNothing()
    .prepare()
})

interface Claimed {
  rows: JobRow[] | Promise<JobRow[]>
  bootId: string
  leaseUntil: number
}

/**
 * Claims the jobs of the shares for this process: state, fence, attempt, lease and attempt rows. Which ones they are is known after the
 * commit.
 */
export async function claimShares(
  tx: Tx,
  shares: Share[],
  { bootId, leaseMs }: { bootId: string; leaseMs: number },
): Promise<Claimed> {
  const now = tx.now.getTime()
  const claim = { bootId, leaseUntil: now + leaseMs }
  const most = Math.max(...shares.map(({ count }) => count))
  const rows = takeJobs(tx.db).all({ ...wantedJobs.given(shares, { now: tx.now, most }), ...claim })
  // Nobody asks about a claim that was not committed.
  if (rows instanceof Promise) rows.catch(() => {})
  await openAttempts(tx.db).run({ now, ...claim })
  return { rows, ...claim }
}

/**
 * The jobs of a committed claim. When the answer was lost they are queried, possibly together with running ones whose lease ends in the
 * same millisecond; when that answer is lost too, they are rescued after their lease.
 */
export async function claimedRows(reader: Reader, { rows, bootId, leaseUntil }: Claimed): Promise<JobRow[]> {
  try {
    return await rows
  } catch (error) {
    if (!isUnavailable(error)) throw error
    const ours = and(eq(outboxJobs.leaseOwner, bootId), eq(outboxJobs.leaseUntil, new Date(leaseUntil)))
    return await reader.db
      .select()
      .from(outboxJobs)
      .where(and(eq(outboxJobs.state, 'running'), ours))
      .all()
  }
}

/** In index order, because RETURNING has none. */
export function byTurn(one: JobRow, other: JobRow): number {
  const earlier = one.dueAt.getTime() - other.dueAt.getTime() || one.priority - other.priority
  return earlier || (one.id < other.id ? -1 : 1)
}
