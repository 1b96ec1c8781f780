// Ends executions: writes the next state of each job, its attempt, the journal and the consequences for the domain in one transaction. Jobs
// are matched by id and fence, so a process that has lost a job changes nothing of it.

import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { orNull, toRows, unmappedValue } from '../../../db/rows.ts'
import { endedStates, type JournalPhase, outboxAttempts, outboxJobs, sendJournal } from '../../../db/tables/outbox.ts'
import { backoffMs } from '../../kit/backoff.ts'
import { type App, type Tx, write } from '../app.ts'
import { touch } from './due-jobs.ts'
import { checkOwnership } from './hand-over.ts'
import type { Ended, Ending, Job, JobKind, JobResult, JobRow, Outcome } from './job.ts'
import { lanes } from './lanes.ts'

export interface Completion<P> {
  job: Job<P>
  result: JobResult
}

interface Decided<P> extends Ended<P> {
  outcome: Outcome
}

const { id, fence, state, dueAt, lastCode: code, lastError: detail, finishedAt } = outboxJobs
const ends = toRows(
  {
    id,
    fence,
    state,
    dueAt: orNull(dueAt),
    givenBack: unmappedValue<number>(),
    code,
    detail,
    finishedAt,
    outcome: outboxAttempts.outcome,
    relayId: orNull(outboxAttempts.relayId),
  },
  { now: outboxAttempts.startedAt },
)

const complete = prepared((db: Db) => {
  const { id, fence, state, dueAt, givenBack, code, detail, finishedAt } = ends.each
  return db
    .update(outboxJobs)
    .set({
      state,
      dueAt: sql`coalesce(${dueAt}, due_at)`,
      attempt: sql`attempt - ${givenBack}`,
      leaseOwner: null,
      leaseUntil: null,
      lastCode: code,
      lastError: detail,
      finishedAt,
    })
    .from(ends.list)
    .where(sql`outbox_jobs.id = ${id} AND outbox_jobs.fence = ${fence}`)
    .prepare()
})

const closeAttempts = prepared((db: Db) => {
  const { id, fence, outcome, code, detail, relayId } = ends.each
  return db
    .update(outboxAttempts)
    .set({ endedAt: ends.shared.now, outcome, code, detail, relayId })
    .from(ends.list)
    .where(sql`outbox_attempts.job_id = ${id} AND outbox_attempts.fence = ${fence}`)
    .prepare()
})

const { messageId, phase, smtpReply: reply, acceptedAt } = sendJournal
const lines = toRows({ messageId, phase, reply, acceptedAt, mayHaveArrived: unmappedValue<number>() })

const closeJournals = prepared((db: Db) => {
  const { messageId, phase, reply, acceptedAt, mayHaveArrived } = lines.each
  return db
    .update(sendJournal)
    .set({ phase, smtpReply: reply, acceptedAt, ambiguousRetries: sql`ambiguous_retries + ${mayHaveArrived}` })
    .from(lines.list)
    .where(sql`send_journal.message_id = ${messageId}`)
    .prepare()
})

/** Ends executions. Returns the ids of jobs that were no longer ours; of those nothing was changed. */
export async function completeJobs<P>(tx: Tx, kind: JobKind<P>, completions: Completion<P>[]): Promise<string[]> {
  const decided = await decide(tx, kind, completions)
  if (decided.length > 0) {
    const given = ends.given(decided.map(rowOf(tx)), { now: tx.now })
    await complete(tx.db).run(given)
    await closeAttempts(tx.db).run(given)
  }
  for (const { job, ending } of decided) if (ending.state === 'pending') touch(tx, job)
  await writeJournal(tx, kind, decided)
  await notifyKind(tx, kind, decided)
  const ours = new Set(decided.map(({ job }) => job.id))
  return completions.flatMap(({ job }) => (ours.has(job.id) ? [] : [job.id]))
}

const rowOf =
  (tx: Tx) =>
  <P>({ job, outcome, ending }: Decided<P>) => ({
    id: job.id,
    fence: job.fence,
    state: ending.state,
    dueAt: ending.nextDueAt,
    givenBack: givenBack(job, outcome),
    code: ending.code,
    detail: ending.detail,
    finishedAt: isTerminal(ending) ? tx.now : null,
    outcome: outcome.outcome,
    relayId: outcome.relayId ?? null,
  })

/** The next states of the jobs that are still ours. */
async function decide<P>(tx: Tx, kind: JobKind<P>, completions: Completion<P>[]): Promise<Decided<P>[]> {
  const jobs = completions.map(({ job }) => job)
  const [standing, repeats] = await Promise.all([checkOwnership(tx, jobs), countRepeats(tx, kind, completions)])
  const decided: Decided<P>[] = []
  for (const [index, { job, result }] of completions.entries()) {
    const now = standing[index]
    if (now === undefined || now === 'fenced') continue
    const isCancelled = now === 'cancelled'
    const outcome = result.outcome !== 'decide' ? result : isCancelled ? cancelledMeanwhile : await result.decide(tx)
    const ending = toEnding(tx, kind, job, outcome, repeats.get(job.id) ?? 0)
    decided.push({ job, outcome, ending: isCancelled && goesOn(ending) ? stopped(ending) : ending })
  }
  return decided
}

/** Failures of the job so far count no more: it got on. */
export async function countAnew(app: App, job: JobRow): Promise<void> {
  if (job.attempt <= 1) return
  await write(app, (tx) =>
    tx.db
      .update(outboxJobs)
      .set({ attempt: 1 })
      .where(and(eq(id, job.id), eq(fence, job.fence))),
  )
  job.attempt = 1
}

const cancelledMeanwhile: Outcome = {
  outcome: 'cancelled',
  code: 'cancelled',
  detail: 'cancelled while it was running',
}

/** A job that was asked to stop does not continue, except a mail that may have arrived, which must. */
function goesOn({ state, mayHaveArrived }: Ending): boolean {
  return (state === 'pending' || state === 'held') && !mayHaveArrived
}

function stopped(ending: Ending): Ending {
  return { ...ending, state: 'cancelled', code: 'cancelled', detail: null, nextDueAt: null }
}

/** Notifies the kind of each job, in the transaction that changed the state. */
export async function notifyKind<P>(tx: Tx, kind: Pick<JobKind<P>, 'ended'>, ended: Ended<P>[]): Promise<void> {
  if (ended.length > 0) await kind.ended?.(tx, ended)
}

/** True for a final state. */
function isTerminal({ state }: Ending): boolean {
  return endedStates.some((one) => one === state)
}

/** Journals the outcome of hand-overs. One with an unknown outcome stays as it is. */
export async function writeJournal<P>(tx: Tx, kind: JobKind<P>, ended: Ended<P>[]): Promise<void> {
  const rows = ended.flatMap(({ job, ending: { state, detail: reply, mayHaveArrived } }) => {
    if (!kind.journals || state === 'ambiguous') return []
    const acceptedAt = state === 'done' ? tx.now : null
    const messageId = kind.journals(job.payload)
    return [{ messageId, phase: toPhase(state), reply, acceptedAt, mayHaveArrived: mayHaveArrived ? 1 : 0 }]
  })
  if (rows.length > 0) await closeJournals(tx.db).run(lines.given(rows))
}

function toPhase(state: Ending['state']): JournalPhase {
  return state === 'done' ? 'accepted' : state === 'pending' || state === 'held' ? 'prepared' : 'refused'
}

/** A mail whose outcome is lost again and again is left to a person, because each repeat may be one more copy. */
const repeatsMax = 2

const ofMessages = toRows({ messageId })

const readRepeats = prepared((db: Db) =>
  db
    .select({ messageId, repeats: sendJournal.ambiguousRetries })
    .from(sendJournal)
    .where(sql`message_id IN ${ofMessages.pick('messageId')}`)
    .prepare(),
)

/** How many hand-overs lost their outcome so far, by job; queried only for those that lost one now, or may not be tried again. */
async function countRepeats<P>(
  tx: Tx,
  { journals }: JobKind<P>,
  completions: Completion<P>[],
): Promise<Map<string, number>> {
  const asked = completions.filter(({ job, result }) => {
    return journals && (result.outcome === 'ambiguous' || (result.outcome === 'retry' && mayBeLast(job)))
  })
  if (asked.length === 0 || !journals) return new Map()
  const given = asked.map(({ job }) => ({ messageId: journals(job.payload) }))
  const rows = await readRepeats(tx.db).all(ofMessages.given(given))
  const byMessage = new Map(rows.map(({ messageId, repeats }) => [messageId, repeats]))
  return new Map(asked.map(({ job }) => [job.id, byMessage.get(journals(job.payload)) ?? 0]))
}

function mayBeLast({ attempt, attemptsMax, giveUpAt }: Pick<JobRow, 'attempt' | 'attemptsMax' | 'giveUpAt'>): boolean {
  return attempt >= attemptsMax || giveUpAt !== null
}

const detailMaxLength = 1_000

/** The next state of a job for a result, and when it runs again. `repeats`: how many hand-overs lost their outcome so far. */
function toEnding<P>(tx: Tx, kind: JobKind<P>, job: Job<P>, result: Outcome, repeats: number): Ending {
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
  if (ambiguous) return { ...told, state: 'ambiguous', nextDueAt: null }
  if (repeats === 0) return { ...told, state: 'dead', nextDueAt: null }
  // An earlier hand-over may have arrived, whatever was said since: "failed" would be a guess.
  const since = `an earlier attempt may have arrived; the last one: ${detail ?? told.code}`
  return { ...told, state: 'ambiguous', detail: since.slice(0, detailMaxLength), nextDueAt: null }
}

/** Attempts that do not count: one that was deferred or held, and the last one of a job that is retried for as long as it takes. */
function givenBack<P>(job: Job<P>, result: Outcome): 0 | 1 {
  if (result.outcome === 'defer' || result.outcome === 'hold') return 1
  const endless = result.outcome === 'retry' && result.atLeastEveryMs !== undefined
  return endless && job.attempt >= job.attemptsMax ? 1 : 0
}
