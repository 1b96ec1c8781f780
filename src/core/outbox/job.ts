// What a kind of job is: how to run it (outside any transaction) and what each end means (inside one).

import type { JobState, outboxJobs } from '../../../db/tables/outbox.ts'
import type { App, Tx } from '../app.ts'
import type { Lane } from './lanes.ts'
import type { Throttle } from './throttle.ts'

export type JobRow = typeof outboxJobs.$inferSelect

export interface Job<P> extends Omit<JobRow, 'payload'> {
  payload: P
}

/** What carries a mail, and to whom; null: the relay of SMTP_URL, or none. */
export interface CarriedBy {
  relayId: string | null
  /** Of src/mail/receiver-groups.ts. */
  receiver: string | null
}

/** What a running job can do besides its work. */
export interface JobControl {
  /** Aborted at a graceful stop and when the job's time is up; work that is not handed over should end at once. */
  signal: AbortSignal
  /**
   * Commits that the outside effect is about to happen (journal phase `handing_over`), after the kind's guard(). Anything but null is the
   * guard's refusal: the effect must not happen, and the job ends so. Throws LostJob when the job is no longer ours or was cancelled.
   * `carriedBy`: for the journal.
   */
  handOver(carriedBy?: CarriedBy): Promise<Outcome | null>
  /** Called after a commit from which the next execution continues: earlier failures no longer count; this attempt is the first again. */
  progressed(): Promise<void>
}

/**
 * The result of run(): how it ended or, for a job whose only effect is in the database, `decide`: what to write and how it ends, in the one
 * transaction that ends the job. If that throws it is rolled back: an AppError ends the job as dead, anything else is retried.
 */
export type JobResult = Outcome | { outcome: 'decide'; decide(tx: Tx): Promise<Outcome> }

/** How one execution ended. A `retry` without attempts left, or past `giveUpAt`, becomes `dead`. */
export type Outcome = OneOf & {
  /** What carried a mail, for the record of the attempt. */
  relayId?: string | null
  /** Details for ended() of the same kind, beyond a code. */
  report?: unknown
}

type OneOf =
  | { outcome: 'done'; code?: string; detail?: string }
  /** `delayMs` overrides the schedule (Retry-After). `atLeastEveryMs`: not the job's fault, so it is retried for as long as it takes. */
  | { outcome: 'retry'; code: string; detail: string; delayMs?: number; atLeastEveryMs?: number }
  /** Not now, through no fault of the job: the attempt is given back. */
  | { outcome: 'defer'; code: string; detail: string; delayMs: number }
  /** Not until it is released (waiting.ts): the attempt is given back. */
  | { outcome: 'hold'; code: string; detail: string }
  | { outcome: 'dead'; code: string; detail: string }
  | { outcome: 'cancelled'; code: string; detail: string }
  /** Handed over, and nobody knows whether it arrived: the lane's policy decides. */
  | { outcome: 'ambiguous'; code: string; detail: string; delayMs?: number }

/** The new state of a job, passed to its kind in the same transaction. */
export interface Ending {
  state: Exclude<JobState, 'running'>
  code: string | null
  detail: string | null
  /** For `pending`: when it runs again. */
  nextDueAt: Date | null
  /** The job that continues: this one, or the new one of a resend. */
  jobId: string
  /** For `pending`: whether the last hand-over may have arrived. */
  mayHaveArrived: boolean
  /** What run() reported; null when it could not (a crash, a time-out, a cancelled job). */
  report: unknown
}

export interface JobKind<P> {
  kind: string
  lane: Lane
  /** The time-out of one execution; then it is aborted and counts as failed. */
  timeoutMs: number
  attemptsMax: number
  /** Delays after the first, second … failure, before jitter. */
  retryDelaysMs: number[]
  /** The message id whose hand-over is journalled. Without it the job is assumed to be repeatable. */
  journals?(payload: P): string
  /** Limits the jobs of the lane beyond its fixed limits. */
  throttle?(app: App): Throttle
  run(app: App, job: Job<P>, control: JobControl): Promise<JobResult>
  /** Writes what the ends of executions mean for the domain, in the transaction that changes the state. */
  ended?(tx: Tx, ended: Ended<P>[]): Promise<void>
  /**
   * Called in the transaction of the hand-over to check that it may still happen: for each job null, or how it ends instead.
   */
  guard?(tx: Tx, jobs: Job<P>[]): Promise<(Outcome | null)[]>
  /** Writes what the hand-over means for the domain, in the same transaction. */
  handedOver?(tx: Tx, jobs: Job<P>[]): Promise<void>
}

export interface Ended<P> {
  job: Job<P>
  ending: Ending
}

export function defineJob<P>(kind: JobKind<P>): JobKind<P> {
  return kind
}

/** Thrown by handOver(): another process owns the job now, or it was cancelled. Nothing may be sent. */
export class LostJob extends Error {
  readonly reason: 'fenced' | 'cancelled'

  constructor(reason: 'fenced' | 'cancelled') {
    super(`the job is no longer ours to finish: ${reason}`)
    this.reason = reason
  }
}

/** For the end of a job of a kind that this version does not know. */
export function unknownKind(row: JobRow): JobKind<unknown> {
  const run = () => Promise.reject(new Error(`no such kind: ${row.kind}`))
  return { kind: row.kind, lane: 'maintenance', timeoutMs: 0, attemptsMax: row.attemptsMax, retryDelaysMs: [], run }
}
