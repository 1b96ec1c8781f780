// The ends of many jobs of one kind in a handful of statements, where ending each by itself would cost more than running it.
// What it writes is what settleJob() writes; a kind takes part by having settleMany().

import { sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { outboxAttempts, outboxJobs } from '../../db/tables/outbox.ts'
import type { Tx } from '../app.ts'
import type { Ended, Job, JobKind, Outcome } from './job.ts'
import { endingOf, isTerminal } from './outbox.ts'

export interface Settling<P> {
  job: Job<P>
  result: Outcome
}

const finishJobs = prepared((db: Db) =>
  db
    .update(outboxJobs)
    .set({
      state: sql`e.value ->> 2`,
      dueAt: sql`coalesce(e.value ->> 3, due_at)`,
      attempt: sql`attempt - (e.value ->> 4)`,
      leaseOwner: null,
      leaseUntil: null,
      lastCode: sql`e.value ->> 5`,
      lastError: sql`e.value ->> 6`,
      finishedAt: sql`e.value ->> 7`,
    })
    .from(sql`json_each(${sql.placeholder('ends')}) AS e`)
    .where(sql`outbox_jobs.id = e.value ->> 0 AND outbox_jobs.fence = e.value ->> 1 AND outbox_jobs.state = 'running'`)
    .returning({ id: sql<string>`outbox_jobs.id`.as('id') })
    .prepare(),
)

const closeAttempts = prepared((db: Db) =>
  db
    .update(outboxAttempts)
    .set({
      endedAt: sql`${sql.placeholder('now')}`,
      outcome: sql`e.value ->> 8`,
      code: sql`e.value ->> 5`,
      detail: sql`e.value ->> 6`,
    })
    .from(sql`json_each(${sql.placeholder('ends')}) AS e`)
    .where(sql`outbox_attempts.job_id = e.value ->> 0 AND outbox_attempts.fence = e.value ->> 1`)
    .prepare(),
)

/** Ends the executions of several jobs. Returns the ids of those that were no longer ours: of them nothing was changed. */
export async function settleJobs<P>(tx: Tx, kind: JobKind<P>, settling: Settling<P>[]): Promise<string[]> {
  const ended: Ended<P>[] = settling.map(({ job, result }) => ({ job, ending: endingOf(tx, kind, job, result) }))
  const now = tx.now.getTime()
  const line = ({ job, ending }: Ended<P>, { outcome }: Outcome) => [
    job.id,
    job.fence,
    ending.state,
    ending.nextDueAt?.getTime() ?? null,
    outcome === 'defer' ? 1 : 0,
    ending.code,
    ending.detail,
    isTerminal(ending) ? now : null,
    outcome,
  ]
  const lines = settling.flatMap(({ result }, index) => {
    const one = ended[index]
    return one ? [line(one, result)] : []
  })
  const finished = await finishJobs(tx.db).all({ ends: JSON.stringify(lines) })
  const mine = new Set(finished.map(({ id }) => id))
  const ours = ended.filter(({ job }) => mine.has(job.id))
  await closeAttempts(tx.db).run({ now, ends: JSON.stringify(lines.filter(([id]) => mine.has(String(id)))) })
  await kind.settleMany?.(tx, ours)
  return settling.flatMap(({ job }) => (mine.has(job.id) ? [] : [job.id]))
}
