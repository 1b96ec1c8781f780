// Writes jobs, in the transaction that they belong to: they run after its commit, and only if it commits.

import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { openWithKey, outboxJobs } from '../../../db/tables/outbox.ts'
import { newId, newIdDueAt } from '../../kit/id.ts'
import { type Trace, withTrace } from '../../kit/trace.ts'
import type { Tx } from '../app.ts'
import { touch } from './due-jobs.ts'
import type { JobKind } from './job.ts'

export interface NewJob<P> {
  workspaceId: string
  payload: P
  /** Default: now. */
  runAt?: Date | undefined
  partitionKey?: string | undefined
  /** Lower runs first among jobs due at the same moment. */
  priority?: number
  giveUpAt?: Date
  parentId?: string
  /** Which trace it belongs to, if not that of the transaction. */
  trace?: Trace | null | undefined
}

/** The part of a kind needed to write a job of it. */
export type JobHead<P> = Pick<JobKind<P>, 'kind' | 'lane' | 'attemptsMax'>

const { id, workspaceId, partitionKey, dedupeKey, priority, dueAt, giveUpAt, payload, parentId } = outboxJobs
const { lane, kind, attemptsMax, createdAt } = outboxJobs
const newJobs = toRows(
  { id, workspaceId, partitionKey, dedupeKey, priority, dueAt, giveUpAt, payload, parentId },
  { lane, kind, attemptsMax, createdAt },
)

const insertJobs = newJobs.adding(outboxJobs, { ...newJobs.each, ...newJobs.shared, state: 'pending' })

const insertOrBringForward = prepared((db: Db) =>
  newJobs
    .insertInto(db, outboxJobs, { ...newJobs.each, ...newJobs.shared, state: 'pending' })
    .onConflictDoUpdate({
      target: [workspaceId, kind, dedupeKey],
      targetWhere: openWithKey,
      set: { dueAt: sql`min(due_at, excluded.due_at)` },
      setWhere: sql`state <> 'running'`,
    })
    .prepare(),
)

/** Writes a job. Returns its id. */
export async function enqueue<P>(tx: Tx, head: JobHead<P>, job: NewJob<P>): Promise<string> {
  const row = toJobRow(tx, job)
  await insertJobs(tx.db, [row], toJobHead(tx, head))
  touch(tx, { lane: head.lane, ...row })
  return row.id
}

/**
 * Makes sure that a job of this kind and key is due at `runAt` or earlier: a pending one is brought forward, a running one stays, and if
 * there is none it is written.
 */
export async function ensureJob<P>(tx: Tx, head: JobHead<P>, job: NewJob<P> & { dedupeKey: string }): Promise<void> {
  const row = toJobRow(tx, job)
  await insertOrBringForward(tx.db).run(newJobs.given([row], toJobHead(tx, head)))
  touch(tx, { lane: head.lane, ...row })
}

/** Writes jobs of one kind. Returns their ids, in the order of the list. */
export async function enqueueMany<P>(tx: Tx, head: JobHead<P>, jobs: NewJob<P>[]): Promise<string[]> {
  const rows = jobs.map((job) => toJobRow(tx, job))
  await insertJobs(tx.db, rows, toJobHead(tx, head))
  for (const [at, { workspaceId, partitionKey }] of rows.entries()) {
    const before = rows[at - 1]
    if (before?.workspaceId === workspaceId && before.partitionKey === partitionKey) continue
    touch(tx, { lane: head.lane, workspaceId, partitionKey })
  }
  return rows.map((row) => row.id)
}

function toJobHead<P>({ now: createdAt }: Tx, { kind, lane, attemptsMax }: JobHead<P>) {
  return { kind, lane, attemptsMax, createdAt }
}

function toJobRow<P>(tx: Tx, job: NewJob<P> & { dedupeKey?: string }) {
  const { runAt: due = tx.now, trace = tx.trace } = job
  return {
    // The table is clustered by id, so jobs due together are stored together.
    id: due === tx.now ? newId(tx, 'job', due) : newIdDueAt(tx, 'job', { due, now: tx.now }),
    workspaceId: job.workspaceId,
    partitionKey: job.partitionKey ?? '',
    dedupeKey: job.dedupeKey ?? null,
    priority: job.priority ?? 0,
    dueAt: due,
    giveUpAt: job.giveUpAt ?? null,
    payload: withTrace(job.payload, trace),
    parentId: job.parentId ?? null,
  }
}
