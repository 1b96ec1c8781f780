// How much is waiting, running or stuck, by lane, and what has waited longest. Reads partial indexes only; finished jobs are not counted.

import { type SQL, sql } from 'drizzle-orm'
import type { JobState } from '../../../db/tables/outbox.ts'
import { nextTurn } from '../../kit/turn.ts'
import type { Reader } from '../app.ts'
import { nextJobs } from './due-jobs.ts'
import { type Lane, lanes } from './lanes.ts'

export interface Depth {
  lane: string
  state: JobState
  count: number
}

export async function outboxDepth(reader: Reader): Promise<Depth[]> {
  const pending: Depth[] = []
  for (const lane of Object.keys(lanes)) {
    const count = await countPending(reader, lane)
    if (count > 0) pending.push({ lane, state: 'pending', count })
  }
  const others = await reader.db.all<Depth>(
    sql`SELECT lane, 'running' AS state, count(*) AS count FROM outbox_jobs WHERE state = 'running' GROUP BY lane
      UNION ALL SELECT lane, state, count(*) FROM outbox_jobs WHERE state IN ('held', 'dead', 'ambiguous') GROUP BY lane, state`,
  )
  return [...pending, ...others.map(({ lane, state, count }) => ({ lane, state, count }))]
}

/** So many that others have their turn before the next ones. */
const countedAtOnce = 20_000

/** In steps along the index: a million may be pending. */
async function countPending(reader: Reader, lane: string): Promise<number> {
  const place = sql.raw('workspace_id, partition_key, due_at, priority, id')
  const after = (last: string | null) =>
    last === null
      ? sql`FROM outbox_jobs WHERE state = 'pending' AND lane = ${lane}`
      : sql`FROM outbox_jobs WHERE state = 'pending' AND lane = ${lane}
          AND (${place}) > (${last} ->> 0, ${last} ->> 1, ${last} ->> 2, ${last} ->> 3, ${last} ->> 4)`
  let last: string | null = null
  for (let counted = 0; ; counted += countedAtOnce) {
    const [end]: { place: string }[] = await reader.db.all<{ place: string }>(
      sql`SELECT json_array(${place}) AS place ${after(last)} ORDER BY ${place} LIMIT 1 OFFSET ${countedAtOnce - 1}`,
    )
    if (!end) {
      const [rest] = await reader.db.all<{ count: number }>(sql`SELECT count(*) AS count ${after(last)}`)
      return counted + Number(rest?.count)
    }
    last = end.place
    await nextTurn()
  }
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
