// Mail of a suspended workspace waits, and so does what makes mail. The dispatcher learns within a second who is suspended; what it has
// claimed by then is asked about once more at the hand-over. Webhooks and upkeep go on.

import { sql } from 'drizzle-orm'
import { expecting } from '../../../db/expecting.ts'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { workspaces } from '../../../db/tables/workspaces.ts'
import { minute, second } from '../../kit/duration.ts'
import type { Reader, Tx } from '../app.ts'
import type { NextJob } from './due-jobs.ts'
import type { Outcome } from './job.ts'
import { type Lane, leavingLanes } from './lanes.ts'

/** Code of a mail that was about to leave. */
export const suspendedCode = 'workspace_suspended'

const waiting: ReadonlySet<Lane> = new Set<Lane>([
  ...leavingLanes.filter((lane) => lane !== 'webhook'),
  'campaign.page',
])
const readEveryMs = second

const readSuspended = prepared((db: ReadDb) =>
  db.select({ id: workspaces.id }).from(workspaces).where(sql`suspended_at IS NOT NULL`).prepare(),
)

export class Suspended {
  readonly #reader: Reader
  #ids = new Set<string>()
  #readAt = Number.NEGATIVE_INFINITY

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** `anew`: asks, however lately that was done. */
  async without(jobs: NextJob[], anew: boolean): Promise<NextJob[]> {
    if (jobs.length === 0) return jobs
    if (anew || performance.now() - this.#readAt >= readEveryMs) {
      this.#readAt = performance.now()
      this.#ids = new Set((await readSuspended(this.#reader.db).all()).map(({ id }) => id))
    }
    if (this.#ids.size === 0) return jobs
    return jobs.filter(({ lane, workspaceId }) => !(waiting.has(lane) && this.#ids.has(workspaceId)))
  }
}

const untilResumed: Outcome = {
  outcome: 'defer',
  code: suspendedCode,
  detail: 'the workspace is suspended',
  delayMs: minute,
}

/** For each job null, or that its mail has to wait. */
export async function holdSuspended(tx: Tx, jobs: { workspaceId: string }[]): Promise<(Outcome | null)[]> {
  if (jobs.length === 0) return []
  const rows = await expecting(tx.db, 'as before', () => readSuspended(tx.db).all())
  const ids = new Set(rows.map(({ id }) => id))
  return jobs.map(({ workspaceId }) => (ids.has(workspaceId) ? untilResumed : null))
}
