// Lists the jobs of a workspace: waiting, running, stuck. A list is combined from a short index range per kind and state, so listing a
// large outbox is as fast as listing a small one.

import { desc, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { type JobState, jobStates, outboxJobs } from '../../../db/tables/outbox.ts'
import type { Reader } from '../../core/app.ts'
import type { JobRow } from '../../core/outbox/job.ts'
import type { Kinds } from '../../core/outbox/waiting.ts'

export interface JobFilter {
  lane?: string | undefined
  /** Default: any. */
  states?: readonly JobState[] | undefined
  kind?: string | undefined
  /** Without those that another job repeats. */
  isLast?: true
}

export interface ListedJob extends JobRow {
  /** The job that repeats it. */
  retriedAs: string | null
}

/** A request never counts further than this. */
const maxCounted = 10_000

/** Latest due time first; `before` is the id of the last job of the previous page. */
export async function listJobs(
  reader: Reader,
  { workspaceId, kinds }: { workspaceId: string; kinds: Kinds },
  { before, limit, ...filter }: JobFilter & { before: string | undefined; limit: number },
): Promise<ListedJob[]> {
  const found = selectIds(workspaceId, kindNames(kinds, filter), { ...filter, from: before, limit })
  if (found === null) return []
  return await reader.db
    .select({
      ...getTableColumns(outboxJobs),
      retriedAs: sql<string | null>`(SELECT c.id FROM outbox_jobs c WHERE c.parent_id = outbox_jobs.id LIMIT 1)`,
    })
    .from(outboxJobs)
    .where(sql`id IN (SELECT id FROM (${found}) ORDER BY id DESC LIMIT ${limit})`)
    .orderBy(desc(outboxJobs.id))
}

/** The first to fall due first; `after` is the id of the last job of the previous page. */
export async function listNextJobs(
  reader: Reader,
  { workspaceId, kinds }: { workspaceId: string; kinds: Kinds },
  { after, limit, ...filter }: JobFilter & { after: string | undefined; limit: number },
): Promise<JobRow[]> {
  const found = selectIds(workspaceId, kindNames(kinds, filter), { ...filter, from: after, limit, oldest: true })
  if (found === null) return []
  return await reader.db
    .select()
    .from(outboxJobs)
    .where(sql`id IN (SELECT id FROM (${found}) ORDER BY id LIMIT ${limit})`)
    .orderBy(outboxJobs.id)
}

/** How many match, at most `limit`. */
export async function countJobs(
  reader: Reader,
  { workspaceId, kinds }: { workspaceId: string; kinds: Kinds },
  filter: JobFilter,
  limit = maxCounted,
): Promise<number> {
  const found = selectIds(workspaceId, kindNames(kinds, filter), { ...filter, limit })
  if (found === null) return 0
  const [row] = await reader.db.all<{ total: number }>(
    sql`SELECT count(*) AS total FROM (SELECT id FROM (${found}) LIMIT ${limit})`,
  )
  return row?.total ?? 0
}

/** The one that fell due first. */
export async function findOldestJob(
  reader: Reader,
  { workspaceId, kinds }: { workspaceId: string; kinds: Kinds },
  filter: JobFilter,
): Promise<JobRow | null> {
  const [first] = await listNextJobs(reader, { workspaceId, kinds }, { ...filter, after: undefined, limit: 1 })
  return first ?? null
}

/** Each kind runs in one lane. */
function kindNames(kinds: Kinds, { lane, kind }: JobFilter): string[] {
  const matching = kinds.filter((one) => (lane ?? one.lane) === one.lane && (kind ?? one.kind) === one.kind)
  return matching.map((one) => one.kind)
}

interface Range {
  states?: readonly JobState[] | undefined
  /** The id that they come after, in their order. */
  from?: string | undefined
  limit: number
  /** The first to fall due, and not the last. */
  oldest?: true
  isLast?: true
}

/** The ids of the first jobs of each kind and state. Null when no kind matches. */
function selectIds(
  workspaceId: string,
  names: string[],
  { states = jobStates, from, limit, oldest, isLast }: Range,
): SQL | null {
  const order = sql.raw(oldest ? 'ASC' : 'DESC')
  const beyond = from === undefined ? sql`` : sql`AND id ${sql.raw(oldest ? '>' : '<')} ${from}`
  const last = isLast ? sql`AND NOT EXISTS (SELECT 1 FROM outbox_jobs c WHERE c.parent_id = outbox_jobs.id)` : sql``
  const ranges = names.flatMap((name) =>
    states.map(
      (one) => sql`SELECT id FROM (SELECT id FROM outbox_jobs INDEXED BY ${sql.raw(indexByState[one])}
        WHERE workspace_id = ${workspaceId} AND kind = ${name} AND ${inState(one)} ${beyond} ${last} ORDER BY id ${order} LIMIT ${limit})`,
    ),
  )
  return ranges.length === 0 ? null : sql.join(ranges, sql` UNION ALL `)
}

/** Named explicitly, because the planner would prefer to scan the table in the order of the list. Few jobs run at a time. */
const indexByState: Record<JobState, string> = {
  pending: 'outbox_jobs_waiting',
  held: 'outbox_jobs_stuck',
  running: 'outbox_jobs_running',
  done: 'outbox_jobs_finished',
  cancelled: 'outbox_jobs_finished',
  dead: 'outbox_jobs_stuck',
  ambiguous: 'outbox_jobs_stuck',
}

/** Written like the partial indexes, because SQLite uses one only when the query repeats its exact condition. */
function inState(state: JobState): SQL {
  const stuck = " AND state IN ('held', 'dead', 'ambiguous')"
  const condition: Partial<Record<JobState, string>> = {
    done: ' AND finished_at IS NOT NULL',
    cancelled: ' AND finished_at IS NOT NULL',
    held: stuck,
    dead: stuck,
    ambiguous: stuck,
  }
  return sql.raw(`state = '${state}'${condition[state] ?? ''}`)
}
