// Holds, releases and cancels waiting jobs: `pending` ones wait for their time, `held` ones for a release.

import { and, eq, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import { outboxJobs, type WaitingState } from '../../../db/tables/outbox.ts'
import type { Tx } from '../app.ts'
import { notifyKind } from './complete.ts'
import { touch } from './due-jobs.ts'
import type { Job, JobKind } from './job.ts'

export interface Partition {
  lane: string
  workspaceId: string
  partitionKey: string
}

/** Every kind of job (src/operator/jobs.ts), or some of them. */
export type Kinds = readonly JobKind<never>[]

/** Holds the pending jobs of a partition until they are released. Running ones are not touched. */
export async function hold(tx: Tx, partition: Partition): Promise<void> {
  await tx.db.update(outboxJobs).set({ state: 'held' }).where(waitingIn('pending', partition))
  touch(tx, partition)
}

/** Releases all held jobs, or one of them. Each keeps its due time; what fell due meanwhile is due now. */
export async function release(tx: Tx, partition: Partition, jobId?: string): Promise<void> {
  await tx.db
    .update(outboxJobs)
    .set({ state: 'pending', dueAt: sql`max(due_at, ${tx.now.getTime()})` })
    .where(and(waitingIn('held', partition), jobId === undefined ? undefined : eq(outboxJobs.id, jobId)))
  touch(tx, partition)
}

/** At most this many waiting jobs of a partition; or the named jobs. */
type Chosen = (Partition & { limit: number }) | { jobIds: string[] }

/**
 * Cancels waiting jobs of these kinds, and notifies their kinds. A running job that is named is asked to stop before its hand-over. Returns
 * the outcome for each; of any other job nothing was changed.
 */
export async function cancelJobs(
  tx: Tx,
  kinds: readonly Pick<JobKind<never>, 'kind' | 'ended'>[],
  chosen: Chosen,
): Promise<Map<string, 'cancelled' | 'requested'>> {
  const limit = 'jobIds' in chosen ? chosen.jobIds.length : chosen.limit
  if (limit === 0) return new Map()
  const ofKinds = sql`kind IN ${oneOf(kinds.map(({ kind }) => kind))}`
  const waiting = (state: WaitingState) =>
    sql`SELECT id FROM outbox_jobs WHERE ${waitingIn(state, chosen)} AND ${ofKinds}`
  const rows = await tx.db
    .update(outboxJobs)
    .set({ state: 'cancelled', finishedAt: tx.now, lastCode: 'cancelled' })
    .where(sql`id IN (${waiting('pending')} UNION ALL ${waiting('held')} LIMIT ${limit})`)
    .returning()
  for (const kind of kinds) {
    const mine = rows.filter((row) => row.kind === kind.kind) as Job<never>[]
    await notifyKind(
      tx,
      kind,
      mine.map((job) => ({ job, ending: cancelledEnding(job) })),
    )
  }
  const outcomes = new Map<string, 'cancelled' | 'requested'>(rows.map(({ id }) => [id, 'cancelled']))
  if (!('jobIds' in chosen) || outcomes.size === limit) return outcomes
  const running = await tx.db
    .update(outboxJobs)
    .set({ cancelRequestedAt: tx.now })
    .where(sql`id IN ${oneOf(chosen.jobIds)} AND state = 'running' AND ${ofKinds}`)
    .returning({ id: outboxJobs.id })
  for (const { id } of running) outcomes.set(id, 'requested')
  return outcomes
}

/** Moves a pending job of a kind to another time. False when it does not wait any more. */
export async function moveJob(
  tx: Tx,
  { kind }: Pick<JobKind<never>, 'kind'>,
  { jobId, dueAt }: { jobId: string; dueAt: Date },
): Promise<boolean> {
  const waits = and(eq(outboxJobs.id, jobId), eq(outboxJobs.kind, kind), eq(outboxJobs.state, 'pending'))
  const [row] = await tx.db.update(outboxJobs).set({ dueAt }).where(waits).returning()
  if (row) touch(tx, row)
  return row !== undefined
}

function cancelledEnding({ id: jobId }: Job<never>) {
  const told = { code: 'cancelled', detail: null, nextDueAt: null, mayHaveArrived: false, report: null }
  return { ...told, state: 'cancelled', jobId } as const
}

/** Each state has its own index for finding the jobs of a partition. */
function waitingIn(state: WaitingState, chosen: Partition | { jobIds: string[] }): SQL {
  const inState = sql.raw(`state = '${state}'`)
  if ('jobIds' in chosen) return sql`${inState} AND id IN ${oneOf(chosen.jobIds)}`
  const { lane, workspaceId, partitionKey } = chosen
  return sql`${inState} AND lane = ${lane} AND workspace_id = ${workspaceId} AND partition_key = ${partitionKey}`
}
