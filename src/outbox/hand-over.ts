// The hand-over: committed before the outside effect happens, so that a crash knows what may have arrived. Of many jobs of one kind at
// once: the kind is asked who may still be served, then the journal of those says that they are being handed over.

import { sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { rowsOf } from '../../db/rows.ts'
import { outboxJobs, sendJournal } from '../../db/tables/outbox.ts'
import type { Tx } from '../app.ts'
import { type Job, type JobKind, LostJob } from './job.ts'

const { id, fence } = outboxJobs
const handOvers = rowsOf({ id, fence, messageId: sendJournal.messageId }, { now: sendJournal.handedOverAt })

// Once more for the same fence changes nothing: an answer may have been lost.
const enter = prepared((db: Db) => {
  const { id, fence, messageId } = handOvers.each
  return db
    .update(sendJournal)
    .set({ phase: 'handing_over', handedOverAt: handOvers.shared.now })
    .from(sql`${handOvers.list} JOIN outbox_jobs j ON j.id = ${id}`)
    .where(
      sql`send_journal.message_id = ${messageId} AND send_journal.fence = ${fence} AND send_journal.job_id = j.id
        AND send_journal.phase IN ('prepared', 'handing_over') AND j.fence = ${fence} AND j.state = 'running'
        AND j.cancel_requested_at IS NULL`,
    )
    .returning({ jobId: sql<string>`send_journal.job_id`.as('job_id') })
    .prepare()
})

/** For each job null, or why it may not be handed over: LostJob, or what the kind's guard() says. */
export async function handOver<P>(tx: Tx, kind: JobKind<P>, jobs: Job<P>[]): Promise<(Error | null)[]> {
  const verdicts = (await kind.guard?.(tx, jobs)) ?? jobs.map(() => null)
  const allowed = jobs.filter((_, index) => verdicts[index] === null)
  const entered = await enterJournal(tx, kind, allowed)
  const others = allowed.filter(({ id }) => !entered.has(id))
  const standing = new Map((await standingOf(tx, others)).map((one, index) => [others[index]?.id, one]))
  return jobs.map(({ id }, index) => {
    const verdict = verdicts[index] ?? null
    if (verdict !== null || entered.has(id)) return verdict
    const now = standing.get(id) ?? 'fenced'
    // A journal that could not be entered of a job that is ours was closed by somebody else.
    if (now === 'ours') return kind.journals ? new LostJob('fenced') : null
    return new LostJob(now)
  })
}

async function enterJournal<P>(tx: Tx, { journals }: JobKind<P>, jobs: Job<P>[]): Promise<Set<string>> {
  if (!journals || jobs.length === 0) return new Set()
  const rows = jobs.map(({ id, fence, payload }) => ({ id, fence, messageId: journals(payload) }))
  const entered = await enter(tx.db).all(handOvers.given(rows, { now: tx.now }))
  return new Set(entered.map(({ jobId }) => jobId))
}

const claims = rowsOf({ id, fence })

const readClaims = prepared((db: Db) =>
  db
    .select({ id, cancelRequestedAt: outboxJobs.cancelRequestedAt })
    .from(outboxJobs)
    .where(sql`(id, fence) IN ${claims.pick('id', 'fence')} AND state = 'running'`)
    .prepare(),
)

/** Whether each job is still ours, was asked to stop, or is another's by now. */
export async function standingOf(
  tx: Tx,
  jobs: { id: string; fence: number }[],
): Promise<('ours' | 'cancelled' | 'fenced')[]> {
  if (jobs.length === 0) return []
  const rows = await readClaims(tx.db).all(claims.given(jobs.map(({ id, fence }) => ({ id, fence }))))
  const found = new Map(rows.map((row) => [row.id, row]))
  return jobs.map(({ id }) => {
    const row = found.get(id)
    if (!row) return 'fenced'
    return row.cancelRequestedAt === null ? 'ours' : 'cancelled'
  })
}
