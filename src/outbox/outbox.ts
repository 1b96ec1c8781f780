// All SQL of the outbox but the claim (claim.ts). Jobs are written in the transaction of what they are for, and finished by
// id and fence: who lost the job in the meantime changes nothing.

import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared, stored } from '../../db/prepared.ts'
import { type JournalPhase, outboxAttempts, outboxJobs, sendJournal } from '../../db/tables/outbox.ts'
import type { Tx } from '../app.ts'
import { backoffMs } from '../lib/backoff.ts'
import { firstId, newIdDueAt } from '../lib/id.ts'
import { journalHandOver } from './claim.ts'
import { touch } from './heads.ts'
import type { Ending, Job, JobKind, JobResult, Outcome } from './job.ts'
import { lanes } from './lanes.ts'

export interface EnqueueOptions<P> {
  workspaceId: string
  payload: P
  /** Default: now. */
  runAt?: Date
  /** While a job of this kind with the same key is pending or running, a second one is a conflict (unique index). */
  dedupeKey?: string
  partitionKey?: string
  /** Lower runs first among jobs due at the same moment. */
  priority?: number
  giveUpAt?: Date
  parentId?: string
}

const insertJob = prepared((db: Db) => {
  return db
    .insert(outboxJobs)
    .values({
      id: stored('id'),
      workspaceId: stored('workspaceId'),
      lane: stored('lane'),
      kind: stored('kind'),
      partitionKey: stored('partitionKey'),
      dedupeKey: stored('dedupeKey'),
      priority: stored('priority'),
      state: 'pending',
      dueAt: stored('dueAt'),
      attempt: 0,
      attemptsMax: stored('attemptsMax'),
      giveUpAt: stored('giveUpAt'),
      fence: 0,
      payload: stored('payload'),
      parentId: stored('parentId'),
      createdAt: stored('createdAt'),
    })
    .prepare()
})

/** As much of a kind as it takes to write a job of it. */
export type JobHead<P> = Pick<JobKind<P>, 'kind' | 'lane' | 'attemptsMax'>

/** Writes a job; it runs after the commit. Returns its id. */
export async function enqueue<P>(tx: Tx, kind: JobHead<P>, options: EnqueueOptions<P>): Promise<string> {
  const dueAt = options.runAt ?? tx.now
  // The table is clustered by id, so jobs that fall due together lie together.
  const id = newIdDueAt(tx, 'job', { due: dueAt, now: tx.now })
  await insertJob(tx.db).run({
    id,
    workspaceId: options.workspaceId,
    lane: kind.lane,
    kind: kind.kind,
    partitionKey: options.partitionKey ?? '',
    dedupeKey: options.dedupeKey ?? null,
    priority: options.priority ?? 0,
    dueAt: dueAt.getTime(),
    attemptsMax: kind.attemptsMax,
    giveUpAt: options.giveUpAt?.getTime() ?? null,
    payload: JSON.stringify(options.payload),
    parentId: options.parentId ?? null,
    createdAt: tx.now.getTime(),
  })
  touch(tx, { lane: kind.lane, workspaceId: options.workspaceId, partitionKey: options.partitionKey ?? '' })
  return id
}

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
  await tell(tx, kind, job, ending)
  return true
}

/** Null when the job is no longer ours: then nothing is decided. */
async function decided<P>(tx: Tx, job: Job<P>, decide: (tx: Tx) => Promise<Outcome>): Promise<Outcome | null> {
  const held = await journalHandOver(tx, job, null)
  if (held === 'fenced') return null
  if (held === 'ours') return await decide(tx)
  return { outcome: 'cancelled', code: 'cancelled', detail: 'cancelled while it was running' }
}

async function tell<P>(tx: Tx, kind: JobKind<P>, job: Job<P>, ending: Ending): Promise<void> {
  await kind.settle?.(tx, job, ending)
  await kind.settleMany?.(tx, [{ job, ending }])
}

/** True for a state that a job never leaves. */
export function isTerminal({ state }: Ending): boolean {
  return state !== 'pending' && state !== 'ambiguous'
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
  return state === 'done' ? 'accepted' : state === 'pending' ? 'prepared' : 'refused'
}

/** What a result means for its job: the next state, and when it runs again. `repeats`: of hand-overs whose outcome was lost, so far. */
export function endingOf<P>(tx: Tx, kind: JobKind<P>, job: Job<P>, result: Outcome, repeats = 0): Ending {
  const detail = result.detail?.slice(0, detailMaxLength) ?? null
  const report = result.report ?? null
  const told = { code: result.code ?? null, detail, jobId: job.id, mayHaveArrived: false, report }
  if (result.outcome === 'done' || result.outcome === 'dead' || result.outcome === 'cancelled') {
    return { ...told, state: result.outcome, nextDueAt: null }
  }
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

/** Attempts that do not count: one that was put off, and the last one of a job that is tried for as long as it takes. */
export function givenBack<P>(job: Job<P>, result: Outcome): 0 | 1 {
  if (result.outcome === 'defer') return 1
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
  await tell(tx, kind, job, { ...told, state: 'pending', jobId: again, nextDueAt: tx.now })
  return again
}

async function wasReplayed(tx: Tx, jobId: string): Promise<boolean> {
  const rows = await tx.db.select({ id: outboxJobs.id }).from(outboxJobs).where(eq(outboxJobs.parentId, jobId)).limit(1)
  return rows.length > 0
}

/** For a kind whose payload is about a person: nothing of a job that is done is kept. Called by its settle(). */
export async function forgetJob(tx: Tx, jobId: string): Promise<void> {
  await tx.db.delete(outboxAttempts).where(eq(outboxAttempts.jobId, jobId))
  await tx.db.delete(outboxJobs).where(eq(outboxJobs.id, jobId))
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
    await tell(tx, kind, job, known)
    return { outcome: 'done' }
  }
  const { partitionKey, priority } = row
  const again = await enqueue(tx, kind, { workspaceId, payload: job.payload, partitionKey, priority, parentId: jobId })
  await tell(tx, kind, job, { ...known, jobId: again, nextDueAt: tx.now })
  return { outcome: 'resent', jobId: again }
}

/** Cancels a pending job at once; asks a running one to stop before its hand-over. Null when it has ended or does not exist. */
export async function cancelJob<P>(
  tx: Tx,
  kind: JobKind<P>,
  workspaceId: string,
  jobId: string,
): Promise<'cancelled' | 'requested' | null> {
  const mine = and(eq(outboxJobs.id, jobId), eq(outboxJobs.workspaceId, workspaceId), eq(outboxJobs.kind, kind.kind))
  const [row] = await tx.db
    .update(outboxJobs)
    .set({ state: 'cancelled', finishedAt: tx.now, lastCode: 'cancelled' })
    .where(and(mine, eq(outboxJobs.state, 'pending')))
    .returning()
  if (row) {
    const told = { code: 'cancelled', detail: null, jobId, nextDueAt: null, mayHaveArrived: false, report: null }
    await tell(tx, kind, { ...row, payload: row.payload as P }, { ...told, state: 'cancelled' })
    return 'cancelled'
  }
  const [running] = await tx.db
    .update(outboxJobs)
    .set({ cancelRequestedAt: tx.now })
    .where(and(mine, eq(outboxJobs.state, 'running')))
    .returning({ id: outboxJobs.id })
  return running ? 'requested' : null
}

/** Rows that one transaction of the retention removes at most (I16). */
const retentionBatch = 1_000

/** Deletes finished jobs that ended before `horizon`, with their attempts and journal. Returns how many; call until 0. */
export async function deleteFinished(tx: Tx, horizon: Date): Promise<number> {
  // Ids sort by due time, so the oldest jobs are the first pages of the table.
  const gone = await tx.db
    .select({ id: outboxJobs.id })
    .from(outboxJobs)
    .where(
      and(
        lt(outboxJobs.id, firstId('job', horizon)),
        inArray(outboxJobs.state, ['done', 'dead', 'cancelled']),
        lt(outboxJobs.finishedAt, horizon),
      ),
    )
    .orderBy(outboxJobs.id)
    .limit(retentionBatch)
  const ids = gone.map(({ id }) => id)
  if (ids.length === 0) return 0
  const oneOfThem = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  await tx.db.delete(outboxAttempts).where(sql`job_id IN ${oneOfThem}`)
  await tx.db.delete(sendJournal).where(sql`job_id IN ${oneOfThem}`)
  await tx.db.delete(outboxJobs).where(sql`id IN ${oneOfThem}`)
  return ids.length
}
