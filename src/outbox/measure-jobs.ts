// Counts and times every attempt of a job, and counts those taken over, for /metrics.

import type { App } from '../app.ts'
import { second } from '../lib/duration.ts'
import { measures } from '../lib/measures.ts'
import type { JobRow } from './job.ts'

/** Called when an attempt begins; returns what to call when its end is written. */
export function measureAttempt(app: App, { lane, kind, dueAt }: JobRow): (outcome: string) => void {
  const { jobs, jobSeconds, jobWaitSeconds } = app.own(measures)
  const beganAt = performance.now()
  jobWaitSeconds.observe({ lane }, Math.max(0, app.clock.now().getTime() - dueAt.getTime()) / second)
  return (outcome) => {
    jobs.add({ lane, kind, outcome })
    jobSeconds.observe({ lane }, (performance.now() - beganAt) / second)
  }
}

/** Tells the log and the metrics of jobs that were taken over. */
export function noteRescued(app: App, jobs: number): void {
  app.own(measures).rescued.add({}, jobs)
  app.log.warn('rescued jobs of a process that ended', { jobs })
}
