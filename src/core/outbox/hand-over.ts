// The hand-over is committed before the outside effect happens, so that after a crash it is known what may have arrived. For many jobs of
// one kind at once: the kind's guard decides which may go ahead, and the journal records that those are being handed over.

import { sql } from 'drizzle-orm'
import { expecting } from '../../../db/expecting.ts'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { orNull, toRows } from '../../../db/rows.ts'
import { outboxJobs, sendJournal } from '../../../db/tables/outbox.ts'
import type { Tx } from '../app.ts'
import { type CarriedBy, type Job, type JobKind, LostJob, type Outcome } from './job.ts'
import { holdSuspended } from './suspended.ts'

const { id, fence } = outboxJobs
const { messageId, jobId, relayId, receiver } = sendJournal
const handOvers = toRows(
  { messageId, jobId, fence, relayId: orNull(relayId), receiver: orNull(receiver) },
  { now: sendJournal.handedOverAt },
)

// Repeating it for the same fence changes nothing, because an answer may have been lost.
const enter = prepared((db: Db) => {
  const { each, shared } = handOvers
  return handOvers
    .insertInto(db, sendJournal, { ...each, phase: 'handing_over', handedOverAt: shared.now })
    .onConflictDoUpdate({
      target: messageId,
      set: {
        jobId: sql`excluded.job_id`,
        fence: sql`excluded.fence`,
        phase: sql`excluded.phase`,
        relayId: sql`excluded.relay_id`,
        receiver: sql`excluded.receiver`,
        handedOverAt: sql`excluded.handed_over_at`,
      },
    })
    .prepare()
})

export interface HandingOver<P> extends CarriedBy {
  job: Job<P>
}

/** For each job null, or why it may not be handed over: LostJob, or the guard's refusal. */
export async function handOver<P>(
  tx: Tx,
  kind: JobKind<P>,
  handingOver: HandingOver<P>[],
): Promise<(Outcome | LostJob | null)[]> {
  const jobs = handingOver.map(({ job }) => job)
  const standing = await checkOwnership(tx, jobs)
  const ours = jobs.filter((_, index) => standing[index] === 'ours')
  const verdicts = (await kind.guard?.(tx, ours)) ?? []
  const waiting = kind.journals ? await holdSuspended(tx, ours) : []
  const refusals = new Map(ours.map((job, index) => [job, verdicts[index] ?? waiting[index] ?? null]))
  const allowed = handingOver.filter(({ job }) => refusals.get(job) === null)
  await enterJournal(tx, kind, allowed)
  await kind.handedOver?.(
    tx,
    allowed.map(({ job }) => job),
  )
  return jobs.map((job, index) => {
    const now = standing[index] ?? 'fenced'
    return now === 'ours' ? (refusals.get(job) ?? null) : new LostJob(now)
  })
}

async function enterJournal<P>(tx: Tx, { journals }: JobKind<P>, handingOver: HandingOver<P>[]): Promise<void> {
  if (!journals || handingOver.length === 0) return
  const rows = handingOver.map(({ job: { id: jobId, fence, payload }, relayId, receiver }) => {
    return { jobId, fence, messageId: journals(payload), relayId, receiver }
  })
  await enter(tx.db).run(handOvers.given(rows, { now: tx.now }))
}

const claims = toRows({ id, fence })

// A join, because `(id, fence) IN …` reads the list twice.
const readClaims = prepared((db: Db) => {
  const { id, fence } = claims.each
  return db
    .select({ id: sql<string>`j.id`, cancelRequestedAt: sql<number | null>`j.cancel_requested_at` })
    .from(
      sql`${claims.list} CROSS JOIN outbox_jobs AS j ON j.id = ${id} AND j.fence = ${fence} AND j.state = 'running'`,
    )
    .orderBy(sql`j.id`)
    .prepare()
})

/** Whether each job is still ours, was asked to stop, or belongs to another process. */
export async function checkOwnership(
  tx: Tx,
  jobs: { id: string; fence: number }[],
): Promise<('ours' | 'cancelled' | 'fenced')[]> {
  if (jobs.length === 0) return []
  const allOurs = jobs.map(({ id }) => [id, null]).sort()
  const given = claims.given(jobs.map(({ id, fence }) => ({ id, fence })))
  const rows = await expecting(tx.db, allOurs, () => readClaims(tx.db).all(given))
  const found = new Map(rows.map((row) => [row.id, row]))
  return jobs.map(({ id }) => {
    const row = found.get(id)
    if (!row) return 'fenced'
    return row.cancelRequestedAt === null ? 'ours' : 'cancelled'
  })
}
