// Writing jobs, in the transaction of what they are for: they run after its commit, and only if it comes.

import { sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared, stored } from '../../db/prepared.ts'
import { rowsOf } from '../../db/rows.ts'
import { openWithKey, outboxJobs } from '../../db/tables/outbox.ts'
import type { Tx } from '../app.ts'
import { newId, newIdDueAt } from '../lib/id.ts'
import { touch } from './heads.ts'
import type { JobKind } from './job.ts'

export interface NewJob<P> {
  workspaceId: string
  payload: P
  /** Default: now. */
  runAt?: Date
  partitionKey?: string
  /** Lower runs first among jobs due at the same moment. */
  priority?: number
  giveUpAt?: Date
  parentId?: string
}

/** As much of a kind as it takes to write a job of it. */
export type JobHead<P> = Pick<JobKind<P>, 'kind' | 'lane' | 'attemptsMax'>

const { id, workspaceId, partitionKey, priority, dueAt, giveUpAt, payload, parentId } = outboxJobs
const { lane, kind, attemptsMax, createdAt } = outboxJobs
const newJobs = rowsOf(
  { id, workspaceId, partitionKey, priority, dueAt, giveUpAt, payload, parentId },
  { lane, kind, attemptsMax, createdAt },
)

const insertMany = prepared((db: Db) =>
  newJobs.insertInto(db, outboxJobs, { ...newJobs.each, ...newJobs.shared, state: 'pending' }).prepare(),
)

// One row as VALUES costs a third less than as a list of one.
const insertion = (db: Db) =>
  db.insert(outboxJobs).values({
    id: stored('id'),
    workspaceId: stored('workspaceId'),
    lane: stored('lane'),
    kind: stored('kind'),
    partitionKey: stored('partitionKey'),
    dedupeKey: stored('dedupeKey'),
    priority: stored('priority'),
    state: 'pending',
    dueAt: stored('dueAt'),
    attemptsMax: stored('attemptsMax'),
    giveUpAt: stored('giveUpAt'),
    payload: stored('payload'),
    parentId: stored('parentId'),
    createdAt: stored('createdAt'),
  })

const insertOne = prepared((db: Db) => insertion(db).prepare())

const insertOrBringForward = prepared((db: Db) =>
  insertion(db)
    .onConflictDoUpdate({
      target: [workspaceId, kind, outboxJobs.dedupeKey],
      targetWhere: openWithKey,
      set: { dueAt: sql`min(due_at, excluded.due_at)` },
      setWhere: sql`state <> 'running'`,
    })
    .prepare(),
)

/** Writes a job. Returns its id. */
export async function enqueue<P>(tx: Tx, kind: JobHead<P>, job: NewJob<P>): Promise<string> {
  return await insert(tx, kind, job, null)
}

/**
 * There is a job of this kind and key, due at `runAt` or earlier: one that waits is brought forward, a running one stays as it is, and
 * where there is none it is written.
 */
export async function ensureJob<P>(tx: Tx, kind: JobHead<P>, job: NewJob<P> & { dedupeKey: string }): Promise<void> {
  await insert(tx, kind, job, job.dedupeKey)
}

/** Writes jobs of one kind. Returns their ids, in the order of the list. */
export async function enqueueMany<P>(tx: Tx, head: JobHead<P>, jobs: NewJob<P>[]): Promise<string[]> {
  const rows = jobs.map((job) => valuesOf(tx, job))
  const { kind, lane, attemptsMax } = head
  await insertMany(tx.db).run(newJobs.given(rows, { kind, lane, attemptsMax, createdAt: tx.now }))
  for (const row of rows) touch(tx, { lane, ...row })
  return rows.map((row) => row.id)
}

async function insert<P>(tx: Tx, head: JobHead<P>, job: NewJob<P>, dedupeKey: string | null): Promise<string> {
  const row = valuesOf(tx, job)
  const { kind, lane, attemptsMax } = head
  const statement = dedupeKey === null ? insertOne : insertOrBringForward
  await statement(tx.db).run({
    ...row,
    kind,
    lane,
    attemptsMax,
    dedupeKey,
    dueAt: row.dueAt.getTime(),
    giveUpAt: row.giveUpAt?.getTime() ?? null,
    payload: JSON.stringify(row.payload),
    createdAt: tx.now.getTime(),
  })
  touch(tx, { lane, ...row })
  return row.id
}

function valuesOf<P>(tx: Tx, { runAt: due = tx.now, ...job }: NewJob<P>) {
  return {
    // The table is clustered by id, so jobs that fall due together lie together.
    id: due === tx.now ? newId(tx, 'job', due) : newIdDueAt(tx, 'job', { due, now: tx.now }),
    workspaceId: job.workspaceId,
    partitionKey: job.partitionKey ?? '',
    priority: job.priority ?? 0,
    dueAt: due,
    giveUpAt: job.giveUpAt ?? null,
    payload: job.payload,
    parentId: job.parentId ?? null,
  }
}
