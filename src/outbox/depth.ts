// How much is waiting, running or stuck, by lane, and what has waited longest. Reads partial indexes only; finished jobs are not counted.

import { type SQL, sql } from 'drizzle-orm'
import type { JobState } from '../../db/tables/outbox.ts'
import type { Reader } from '../app.ts'
import { nextJobs } from './due-jobs.ts'
import { type Lane, lanes } from './lanes.ts'

export interface Depth {
  lane: string
  state: JobState
  count: number
}

export async function outboxDepth(reader: Reader): Promise<Depth[]> {
  const rows = await reader.db.all<Depth>(
    sql`SELECT lane, 'pending' AS state, count(*) AS count FROM outbox_jobs WHERE state = 'pending' GROUP BY lane
      UNION ALL SELECT lane, 'running', count(*) FROM outbox_jobs WHERE state = 'running' GROUP BY lane
      UNION ALL SELECT lane, state, count(*) FROM outbox_jobs WHERE state IN ('held', 'dead', 'ambiguous') GROUP BY lane, state`,
  )
  return rows.map(({ lane, state, count }) => ({ lane, state, count }))
}

/** When the job of each lane falls due, or fell due, that does so first. One index seek per partition, however many jobs wait. */
export async function oldestDue(reader: Reader, workspaceId: string): Promise<{ lane: Lane; dueAt: Date }[]> {
  const pending = (lane: SQL) =>
    sql`FROM outbox_jobs WHERE state = 'pending' AND lane = ${lane} AND workspace_id = ${workspaceId}`
  const rows = await reader.db.all<{ lane: Lane; dueAt: number }>(
    sql`WITH RECURSIVE partitions(of_lane, name) AS (
        SELECT value, (SELECT min(partition_key) ${pending(sql`value`)}) FROM json_each(${JSON.stringify(Object.keys(lanes))})
        UNION ALL SELECT of_lane, (SELECT min(partition_key) ${pending(sql`of_lane`)} AND partition_key > name)
        FROM partitions WHERE name IS NOT NULL)
      SELECT of_lane AS lane, min((SELECT min(due_at) ${pending(sql`of_lane`)} AND partition_key = name)) AS dueAt
      FROM partitions WHERE name IS NOT NULL GROUP BY of_lane`,
  )
  return rows.map(({ lane, dueAt }) => ({ lane, dueAt: new Date(dueAt) }))
}

/** The same for all workspaces together. */
export async function oldestDueOfAll(reader: Reader): Promise<{ lane: Lane; dueAt: Date }[]> {
  const oldest = new Map<Lane, number>()
  for (const { lane, dueAt } of await nextJobs(reader))
    oldest.set(lane, Math.min(dueAt, oldest.get(lane) ?? Number.POSITIVE_INFINITY))
  return [...oldest].map(([lane, dueAt]) => ({ lane, dueAt: new Date(dueAt) }))
}
