// The jobs of a workspace, listed: what waits, what runs, what is stuck. Each state is read from the index that holds it, so a list of a
// large outbox is as fast as that of a small one.

import { and, count, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { type JobState, outboxJobs } from '../../db/tables/outbox.ts'
import type { Reader } from '../app.ts'
import type { JobRow } from '../outbox/job.ts'
import { type Lane, lanes } from '../outbox/lanes.ts'

export interface JobFilter {
  lane?: string | undefined
  state?: JobState | undefined
  kind?: string | undefined
}

/** A request never counts more than this. */
const maxCounted = 10_000

/** Those that fall due last come first; `before` is the id of the last job of the page before. */
export async function listJobs(
  reader: Reader,
  workspaceId: string,
  { before, limit, ...filter }: JobFilter & { before: string | undefined; limit: number },
): Promise<JobRow[]> {
  return await reader.db
    .select()
    .from(outboxJobs)
    .where(and(matching(workspaceId, filter), before === undefined ? undefined : lt(outboxJobs.id, before)))
    .orderBy(desc(outboxJobs.id))
    .limit(limit)
}

/** How many match, at most 10,000. */
export async function countJobs(reader: Reader, workspaceId: string, filter: JobFilter): Promise<number> {
  const some = reader.db
    .select({ id: outboxJobs.id })
    .from(outboxJobs)
    .where(matching(workspaceId, filter))
    .limit(maxCounted)
  const [row] = await reader.db.select({ total: count() }).from(some.as('some'))
  return row?.total ?? 0
}

function matching(workspaceId: string, { lane, state, kind }: JobFilter): SQL | undefined {
  const laneNames = Object.keys(lanes) as Lane[]
  return and(
    eq(outboxJobs.workspaceId, workspaceId),
    state === undefined ? undefined : inState(state),
    // The index of pending jobs begins with the lane.
    lane === undefined
      ? state === 'pending'
        ? inArray(outboxJobs.lane, laneNames)
        : undefined
      : eq(outboxJobs.lane, lane),
    kind === undefined ? undefined : eq(outboxJobs.kind, kind),
  )
}

/** Written out, and as the partial indexes are: SQLite uses one only where the query repeats its very condition. */
function inState(state: JobState): SQL {
  const condition: Partial<Record<JobState, string>> = {
    done: ' AND finished_at IS NOT NULL',
    cancelled: ' AND finished_at IS NOT NULL',
    dead: ` AND state IN ('dead', 'ambiguous')`,
    ambiguous: ` AND state IN ('dead', 'ambiguous')`,
  }
  return sql.raw(`state = '${state}'${condition[state] ?? ''}`)
}
