// Jobs that the clock enqueues.

import { Cron } from 'croner'
import { type App, write } from '../app.ts'
import { ensureJob } from './enqueue.ts'
import type { JobKind } from './job.ts'

/** A job that croner enqueues; a run is skipped while the previous one is pending or running. */
export interface Schedule {
  /** A croner pattern, in UTC. */
  cron: string
  kind: JobKind<Record<string, never>>
}

/** Until each of them is stopped. */
export function startSchedules(app: App, schedules: Schedule[]): Cron[] {
  return schedules.map(({ cron, kind }) => new Cron(cron, { utcOffset: 0 }, () => enqueue(app, kind)))
}

async function enqueue(app: App, kind: Schedule['kind']): Promise<void> {
  try {
    await write(app, (tx) => ensureJob(tx, kind, { workspaceId: '', payload: {}, dedupeKey: kind.kind }))
  } catch (error) {
    app.log.error('a scheduled job could not be enqueued', { kind: kind.kind, error })
  }
}
