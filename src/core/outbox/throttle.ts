// What holds a lane of the outbox back.

import type { NextJob } from './due-jobs.ts'

/** Limits the jobs of a lane beyond its fixed limits, e.g. for an endpoint that fails. Lives as long as its app. */
export interface Throttle {
  /** What it allows in one poll of the outbox. */
  allowance(now: number): LaneAllowance
}

export interface LaneAllowance {
  /** How many more jobs of the partition may start now, in addition to those running and those granted already. */
  capacity(job: NextJob): number
  granted(job: NextJob, count: number): void
  /** When something that was held back may continue, in milliseconds since 1970; Infinity when no time is known. */
  readonly againAt: number
}
