// Counts and times every attempt of a job, and counts jobs taken over, for /metrics. Where a collector is configured, each attempt is also
// a span.

import { second } from '../../kit/duration.ts'
import { measures } from '../../kit/measures.ts'
import { noteAttempt, traceIn, tracing } from '../../kit/trace.ts'
import type { App } from '../app.ts'
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

const failures = ['retry', 'dead', 'ambiguous', null]

/** Runs `work`, which returns how the attempt ended, in the trace of what enqueued the job. */
export async function traceAttempt(app: App, row: JobRow, work: () => Promise<string | null>): Promise<void> {
  if (app.tracer === null) return void (await work())
  const { id, kind, lane, workspaceId, attempt, payload } = row
  const span = app.tracer.begin(kind, 'consumer', traceIn(payload))
  if (span.sampled) noteAttempt(row, span)
  const outcome = await tracing(span, work)
  const attributes = {
    'paquebot.job_id': id,
    'paquebot.lane': lane,
    'paquebot.workspace_id': workspaceId === '' ? null : workspaceId,
    'paquebot.attempt': attempt,
    'paquebot.outcome': outcome,
  }
  span.end(attributes, { hasFailed: failures.includes(outcome) })
}

/** Logs and counts jobs that were taken over. */
export function noteRescued(app: App, jobs: number): void {
  app.own(measures).rescued.add({}, jobs)
  app.log.warn('rescued jobs of a process that ended', { jobs })
}
