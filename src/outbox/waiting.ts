// What may be done to jobs that wait, for their time (`pending`) or because they are held: hold, release, cancel.

import { and, eq, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../db/bulk.ts'
import { outboxJobs, type WaitingState } from '../../db/tables/outbox.ts'
import type { Tx } from '../app.ts'
import { touch } from './heads.ts'
import type { Job, JobKind } from './job.ts'
import { notifyKind } from './settle.ts'

export interface Partition {
  lane: string
  workspaceId: string
  partitionKey: string
}

/** Every kind of job of the product (src/jobs.ts), or some of them. */
export type Kinds = readonly JobKind<never>[]

/** None of them runs before it is released. Those that run are not touched. */
export async function hold(tx: Tx, partition: Partition): Promise<void> {
  await tx.db.update(outboxJobs).set({ state: 'held' }).where(waitingIn('pending', partition))
  touch(tx, partition)
}

/** All that are held, or one of them. Each is due when it was; what has fallen due meanwhile is due now. */
export async function release(tx: Tx, partition: Partition, jobId?: string): Promise<void> {
  await tx.db
    .update(outboxJobs)
    .set({ state: 'pending', dueAt: sql`max(due_at, ${tx.now.getTime()})` })
    .where(and(waitingIn('held', partition), jobId === undefined ? undefined : eq(outboxJobs.id, jobId)))
  touch(tx, partition)
}

/** The waiting jobs of a partition, at most so many; or those that are named. */
type Chosen = (Partition & { limit: number }) | { jobIds: string[] }

/**
 * Ends those of these kinds that wait, and tells their kinds. One that runs is asked to stop before its hand-over if it was named. Says
 * for each what came of it; of the others nothing was changed.
 */
export async function cancelJobs(
  tx: Tx,
  kinds: Kinds,
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

function cancelledEnding({ id: jobId }: Job<never>) {
  const told = { code: 'cancelled', detail: null, nextDueAt: null, mayHaveArrived: false, report: null }
  return { ...told, state: 'cancelled', jobId } as const
}

/** Of each state those of a partition are found by an index of their own. */
function waitingIn(state: WaitingState, chosen: Partition | { jobIds: string[] }): SQL {
  const inState = sql.raw(`state = '${state}'`)
  if ('jobIds' in chosen) return sql`${inState} AND id IN ${oneOf(chosen.jobIds)}`
  const { lane, workspaceId, partitionKey } = chosen
  return sql`${inState} AND lane = ${lane} AND workspace_id = ${workspaceId} AND partition_key = ${partitionKey}`
}
