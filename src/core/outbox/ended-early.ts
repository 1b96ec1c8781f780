// The results of jobs whose kind did not say how they ended: they threw, took too long, were cancelled or stopped, or the database failed.

import { second } from '../../kit/duration.ts'
import { AppError, failureText } from '../../kit/error.ts'
import type { JobResult, Outcome } from './job.ts'

/** How long after a fault of the database it is tried again. */
export const databaseAgainMs = second

export const cancelled: JobResult = {
  outcome: 'cancelled',
  code: 'cancelled',
  detail: 'cancelled before it was handed over',
}

/** The run itself failed: after a hand-over nobody knows whether something arrived. */
export function failed(handedOver: boolean, code: string, detail: string): JobResult {
  return { outcome: handedOver ? 'ambiguous' : 'retry', code, detail }
}

/** Our own database failed before a hand-over, which says nothing about the job: no attempt is spent. */
export function databaseAway(error: unknown): JobResult {
  return { outcome: 'defer', code: 'database_unavailable', detail: failureText(error), delayMs: databaseAgainMs }
}

/** A job that threw before it had any effect: in run(), or in the transaction that should have ended it, which was rolled back. */
export function undecided(error: unknown): Outcome {
  if (error instanceof AppError) return { outcome: 'dead', code: error.code, detail: error.message }
  return { outcome: 'retry', code: 'exception', detail: failureText(error) }
}

export function stopped(handedOver: boolean): JobResult {
  if (handedOver)
    return { outcome: 'ambiguous', code: 'stopped_while_handing_over', detail: 'no reply before the process ended' }
  return { outcome: 'defer', code: 'stopped', detail: 'the process ended', delayMs: 0 }
}
