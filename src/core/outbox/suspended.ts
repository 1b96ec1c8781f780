// The last question before a mail of a suspended workspace, or of one that is being erased, would leave: what the dispatcher (due-jobs.ts) had claimed by then waits, too.

import { sql } from 'drizzle-orm'
import { expecting } from '../../../db/expecting.ts'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { minute } from '../../kit/duration.ts'
import type { Tx } from '../app.ts'
import type { Outcome } from './job.ts'

/** Code of a mail that was about to leave. */
export const suspendedCode = 'workspace_suspended'

const readSuspended = prepared((db: ReadDb) =>
  db
    .select({ id: sql<string>`id` })
    .from(sql`(SELECT id FROM workspaces WHERE suspended_at IS NOT NULL
      UNION ALL SELECT workspace_id FROM workspace_moves WHERE absent IS NOT NULL)`)
    .prepare(),
)

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
