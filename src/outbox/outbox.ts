// How an execution ends, by id and fence: who lost the job in the meantime changes nothing. And what carries on a job that has ended:
// its replay, and the word of an operator about a lost outcome.

import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { endedStates, type JournalPhase, outboxAttempts, outboxJobs, sendJournal } from '../../db/tables/outbox.ts'
import type { Tx } from '../app.ts'
import { backoffMs } from '../lib/backoff.ts'
import { journalHandOver } from './claim.ts'
import { enqueue } from './enqueue.ts'
import { touch } from './heads.ts'
import type { Ended, Ending, Job, JobKind, JobResult, Outcome } from './job.ts'
import { lanes } from './lanes.ts'

const finishJob = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .update(outboxJobs)
    .set({
      state: sql`${p('state')}`,
      dueAt: sql`coalesce(${p('dueAt')}, due_at)`,
      attempt: sql`attempt - ${p('givenBack')}`,
      leaseOwner: null,
      leaseUntil: null,
      lastCode: sql`${p('code')}`,
      lastError: sql`${p('detail')}`,
      finishedAt: sql`${p('finishedAt')}`,
    })
    .where(and(eq(outboxJobs.id, p('id')), eq(outboxJobs.fence, p('fence')), eq(outboxJobs.state, 'running')))
    .returning({ id: outboxJobs.id })
    .prepare()
})

const closeAttempt = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .update(outboxAttempts)
    .set({
      endedAt: sql`${p('endedAt')}`,
      outcome: sql`${p('outcome')}`,
      code: sql`${p('code')}`,
      detail: sql`${p('detail')}`,
    })
    .where(and(eq(outboxAttempts.jobId, p('id')), eq(outboxAttempts.fence, p('fence'))))
    .prepare()
})

const closeJournal = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .update(sendJournal)
    .set({
      phase: sql`${p('phase')}`,
      smtpReply: sql`${p('reply')}`,
      acceptedAt: sql`${p('acceptedAt')}`,
      ambiguousRetries: sql`ambiguous_retries + ${p('ambiguous')}`,
    })
    .where(eq(sendJournal.messageId, p('messageId')))
    .prepare()
})

const detailMaxLength = 1_000

/**
 * Ends one execution: the job's next state, its attempt, the journal and what the kind's settle() writes, in one transaction.
 * False when the job was no longer ours (an old fence): then nothing at all was changed.
 */
export async function settleJob<P>(tx: Tx, kind: JobKind<P>, job: Job<P>, result: JobResult): Promise<boolean> {
  const outcome = result.outcome === 'decide' ? await decided(tx, job, result.decide) : result
  if (outcome === null) return false
  const ending = endingOf(tx, kind, job, outcome, await repeatsOf(tx, kind, job, outcome))
  const mine = await finishJob(tx.db).all({
    id: job.id,
    fence: job.fence,
    state: ending.state,
    dueAt: ending.nextDueAt?.getTime() ?? null,
    givenBack: givenBack(job, outcome),
    code: ending.code,
    detail: ending.detail,
    finishedAt: isTerminal(ending) ? tx.now.getTime() : null,
  })
  if (mine.length === 0) return false
  if (ending.state === 'pending') touch(tx, job)
  const { code, detail } = ending
  await closeAttempt(tx.db).run({
    id: job.id,
    fence: job.fence,
    endedAt: tx.now.getTime(),
    outcome: outcome.outcome,
    code,
    detail,
  })
  if (kind.journals && ending.state !== 'ambiguous') await settleJournal(tx, kind.journals(job.payload), ending)
  await tell(tx, kind, [{ job, ending }])
  return true
}

/** Null when the job is no longer ours: then nothing is decided. */
async function decided<P>(tx: Tx, job: Job<P>, decide: (tx: Tx) => Promise<Outcome>): Promise<Outcome | null> {
  const held = await journalHandOver(tx, job, null)
  if (held === 'fenced') return null
  if (held === 'ours') return await decide(tx)
  return { outcome: 'cancelled', code: 'cancelled', detail: 'cancelled while it was running' }
}

/** Every end is told to the kind of its job, in the transaction that changed the state. */
export async function tell<P>(tx: Tx, kind: JobKind<P>, ended: Ended<P>[]): Promise<void> {
  if (ended.length > 0) await kind.settleMany?.(tx, ended)
  for (const { job, ending } of ended) await kind.settle?.(tx, job, ending)
}

/** True for a state that a job never leaves. */
export function isTerminal({ state }: Ending): boolean {
  return endedStates.some((one) => one === state)
}

async function settleJournal(
  tx: Tx,
  messageId: string,
  { state, mayHaveArrived, detail }: Pick<Ending, 'state' | 'mayHaveArrived' | 'detail'>,
): Promise<void> {
  await closeJournal(tx.db).run({
    messageId,
    phase: journalPhaseOf(state),
    reply: detail,
    acceptedAt: state === 'done' ? tx.now.getTime() : null,
    ambiguous: mayHaveArrived ? 1 : 0,
  })
}

/** A mail whose outcome is lost again and again is a person's to judge: each repeat may be one more copy. */
const repeatsMax = 2

const readRepeats = prepared((db: Db) =>
  db
    .select({ repeats: sendJournal.ambiguousRetries })
    .from(sendJournal)
    .where(eq(sendJournal.messageId, sql.placeholder('messageId')))
    .prepare(),
)

async function repeatsOf<P>(tx: Tx, kind: JobKind<P>, job: Job<P>, { outcome }: Outcome): Promise<number> {
  if (outcome !== 'ambiguous' || !kind.journals) return 0
  return (await readRepeats(tx.db).get({ messageId: kind.journals(job.payload) }))?.repeats ?? 0
}

/** What the journal says of a hand-over that ended so. */
export function journalPhaseOf(state: Ending['state']): JournalPhase {
  return state === 'done' ? 'accepted' : state === 'pending' || state === 'held' ? 'prepared' : 'refused'
}

/** What a result means for its job: the next state, and when it runs again. `repeats`: of hand-overs whose outcome was lost, so far. */
export function endingOf<P>(tx: Tx, kind: JobKind<P>, job: Job<P>, result: Outcome, repeats = 0): Ending {
  const detail = result.detail?.slice(0, detailMaxLength) ?? null
  const report = result.report ?? null
  const told = { code: result.code ?? null, detail, jobId: job.id, mayHaveArrived: false, report }
  if (result.outcome === 'done' || result.outcome === 'dead' || result.outcome === 'cancelled') {
    return { ...told, state: result.outcome, nextDueAt: null }
  }
  if (result.outcome === 'hold') return { ...told, state: 'held', nextDueAt: null }
  if (result.outcome === 'defer')
    return { ...told, state: 'pending', nextDueAt: new Date(tx.now.getTime() + result.delayMs) }
  const ambiguous = result.outcome === 'ambiguous'
  const parks = lanes[kind.lane].whenAmbiguous === 'park' || repeats >= repeatsMax
  if (ambiguous && parks) return { ...told, state: 'ambiguous', nextDueAt: null }
  const endless = result.outcome === 'retry' ? result.atLeastEveryMs : undefined
  const scheduled = result.delayMs ?? backoffMs(kind.retryDelaysMs, job.attempt, tx.random)
  const delayMs = Math.min(scheduled, endless ?? scheduled)
  const nextDueAt = new Date(tx.now.getTime() + delayMs)
  const exhausted =
    endless === undefined && (job.attempt >= job.attemptsMax || (job.giveUpAt !== null && nextDueAt > job.giveUpAt))
  if (!exhausted) return { ...told, state: 'pending', nextDueAt, mayHaveArrived: ambiguous }
  // Out of attempts with the outcome unknown: saying "failed" would be a guess.
  return { ...told, state: ambiguous ? 'ambiguous' : 'dead', nextDueAt: null }
}

/** Attempts that do not count: one that was put off or held, and the last one of a job that is tried for as long as it takes. */
export function givenBack<P>(job: Job<P>, result: Outcome): 0 | 1 {
  if (result.outcome === 'defer' || result.outcome === 'hold') return 1
  const endless = result.outcome === 'retry' && result.atLeastEveryMs !== undefined
  return endless && job.attempt >= job.attemptsMax ? 1 : 0
}

/**
 * A dead or cancelled job, run again as a new one that remembers its parent; what it is for is told as after a resend. Null when there is
 * no such job, or when it was replayed before: then its replay is the one to replay.
 */
export async function replayJob<P>(
  tx: Tx,
  kind: JobKind<P>,
  workspaceId: string,
  jobId: string,
): Promise<string | null> {
  const [row] = await tx.db
    .select()
    .from(outboxJobs)
    .where(
      and(
        eq(outboxJobs.id, jobId),
        eq(outboxJobs.workspaceId, workspaceId),
        inArray(outboxJobs.state, ['dead', 'cancelled']),
      ),
    )
  if (!row || row.kind !== kind.kind || (await wasReplayed(tx, jobId))) return null
  const job = { ...row, payload: row.payload as P }
  const { partitionKey, priority } = row
  const again = await enqueue(tx, kind, { workspaceId, payload: job.payload, partitionKey, priority, parentId: jobId })
  const told = { code: 'replayed', detail: null, mayHaveArrived: false, report: null } as const
  await tell(tx, kind, [{ job, ending: { ...told, state: 'pending', jobId: again, nextDueAt: tx.now } }])
  return again
}

async function wasReplayed(tx: Tx, jobId: string): Promise<boolean> {
  const rows = await tx.db.select({ id: outboxJobs.id }).from(outboxJobs).where(eq(outboxJobs.parentId, jobId)).limit(1)
  return rows.length > 0
}

/** What an operator knows about a job whose outcome was lost: it did arrive, or it shall be sent again (a new job). */
export async function resolveAmbiguous<P>(
  tx: Tx,
  kind: JobKind<P>,
  { workspaceId, jobId, verdict }: { workspaceId: string; jobId: string; verdict: 'done' | 'resend' },
): Promise<{ outcome: 'done' } | { outcome: 'resent'; jobId: string } | { outcome: 'not_found' }> {
  const [row] = await tx.db
    .update(outboxJobs)
    .set({ state: verdict === 'done' ? 'done' : 'cancelled', lastCode: `resolved_${verdict}`, finishedAt: tx.now })
    .where(and(eq(outboxJobs.id, jobId), eq(outboxJobs.workspaceId, workspaceId), eq(outboxJobs.state, 'ambiguous')))
    .returning()
  if (!row || row.kind !== kind.kind) return { outcome: 'not_found' }
  const job = { ...row, payload: row.payload as P }
  const told = {
    code: `resolved_${verdict}`,
    detail: null,
    jobId,
    mayHaveArrived: false,
    nextDueAt: null,
    report: null,
  }
  const known =
    verdict === 'done'
      ? ({ ...told, state: 'done' } as const)
      : ({ ...told, state: 'pending', mayHaveArrived: true } as const)
  if (kind.journals) await settleJournal(tx, kind.journals(job.payload), known)
  if (verdict === 'done') {
    await tell(tx, kind, [{ job, ending: known }])
    return { outcome: 'done' }
  }
  const { partitionKey, priority } = row
  const again = await enqueue(tx, kind, { workspaceId, payload: job.payload, partitionKey, priority, parentId: jobId })
  await tell(tx, kind, [{ job, ending: { ...known, jobId: again, nextDueAt: tx.now } }])
  return { outcome: 'resent', jobId: again }
}
