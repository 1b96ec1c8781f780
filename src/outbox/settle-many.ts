// The ends of many jobs of one kind in a handful of statements, where ending each by itself would cost more than running it.
// What it writes is what settleJob() writes; a kind takes part by having settleMany().

import { sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { outboxAttempts, outboxJobs, sendJournal } from '../../db/tables/outbox.ts'
import type { Tx } from '../app.ts'
import { touch } from './heads.ts'
import type { Ended, Job, JobKind, Outcome } from './job.ts'
import { endingOf, givenBack, isTerminal, journalPhaseOf, tell } from './outbox.ts'

export interface Settling<P> {
  job: Job<P>
  result: Outcome
}

const ends = sql`json_each(${sql.placeholder('ends')}) AS e`

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
    .from(ends)
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
    .from(ends)
    .where(sql`outbox_attempts.job_id = e.value ->> 0 AND outbox_attempts.fence = e.value ->> 1`)
    .prepare(),
)

const closeJournals = prepared((db: Db) =>
  db
    .update(sendJournal)
    .set({
      phase: sql`e.value ->> 1`,
      smtpReply: sql`e.value ->> 2`,
      acceptedAt: sql`e.value ->> 3`,
      ambiguousRetries: sql`ambiguous_retries + (e.value ->> 4)`,
    })
    .from(ends)
    .where(sql`send_journal.message_id = e.value ->> 0`)
    .prepare(),
)

/** Ends the executions of several jobs. Returns the ids of those that were no longer ours: of them nothing was changed. */
export async function settleJobs<P>(tx: Tx, kind: JobKind<P>, settling: Settling<P>[]): Promise<string[]> {
  const ended = settling.map(({ job, result }) => ({ job, result, ending: endingOf(tx, kind, job, result) }))
  const now = tx.now.getTime()
  const line = ({ job, result, ending }: (typeof ended)[number]) => [
    job.id,
    job.fence,
    ending.state,
    ending.nextDueAt?.getTime() ?? null,
    givenBack(job, result),
    ending.code,
    ending.detail,
    isTerminal(ending) ? now : null,
    result.outcome,
  ]
  const finished = await finishJobs(tx.db).all({ ends: JSON.stringify(ended.map(line)) })
  const mine = new Set(finished.map(({ id }) => id))
  const ours = ended.filter(({ job }) => mine.has(job.id))
  await closeAttempts(tx.db).run({ now, ends: JSON.stringify(ours.map(line)) })
  for (const { job, ending } of ours) if (ending.state === 'pending') touch(tx, job)
  await endJournals(tx, kind, ours)
  await tell(tx, kind, ours)
  return settling.flatMap(({ job }) => (mine.has(job.id) ? [] : [job.id]))
}

async function endJournals<P>(tx: Tx, kind: JobKind<P>, ended: Ended<P>[]): Promise<void> {
  const lines = ended.flatMap(({ job, ending }) => {
    if (!kind.journals || ending.state === 'ambiguous') return []
    const { state, detail, mayHaveArrived } = ending
    const acceptedAt = state === 'done' ? tx.now.getTime() : null
    return [[kind.journals(job.payload), journalPhaseOf(state), detail, acceptedAt, mayHaveArrived ? 1 : 0]]
  })
  if (lines.length > 0) await closeJournals(tx.db).run({ ends: JSON.stringify(lines) })
}
