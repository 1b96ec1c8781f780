// How much is waiting, running or stuck, by lane: for metrics and doctor. Reads partial indexes only; finished jobs are not counted.

import { sql } from 'drizzle-orm'
import type { JobState } from '../../db/tables/outbox.ts'
import type { Reader } from '../app.ts'

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
