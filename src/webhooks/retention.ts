// The log of webhooks is kept for 30 days: events, and deliveries that have ended with their attempts. Small transactions.

import { sql } from 'drizzle-orm'
import type { Tx } from '../app.ts'
import { firstIdAt } from './deliveries.ts'

/** Rows that one transaction removes at most (I16). */
const batch = 1_000

/** Deletes deliveries made before `horizon` that have ended. Returns how many; call until 0. */
export async function deleteOldDeliveries(tx: Tx, horizon: Date): Promise<number> {
  // One seek for each endpoint, also those that are deleted: the table is ordered by endpoint, then by time.
  const gone = await tx.db.all<{ endpointId: string; id: string }>(sql`
    WITH RECURSIVE endpoints(id) AS (SELECT min(endpoint_id) FROM webhook_deliveries UNION ALL
      SELECT (SELECT min(endpoint_id) FROM webhook_deliveries WHERE endpoint_id > endpoints.id) FROM endpoints WHERE endpoints.id IS NOT NULL)
    SELECT d.endpoint_id AS endpointId, d.id AS id FROM endpoints e
    JOIN webhook_deliveries d ON d.endpoint_id = e.id AND d.id < ${firstIdAt(horizon)} AND d.state <> 'pending' LIMIT ${batch}`)
  if (gone.length === 0) return 0
  const pairs = JSON.stringify(gone.map(({ endpointId, id }) => [endpointId, id]))
  await tx.db.run(sql`DELETE FROM webhook_attempts WHERE delivery_id IN (SELECT value ->> 1 FROM json_each(${pairs}))`)
  await tx.db.run(
    sql`DELETE FROM webhook_deliveries WHERE (endpoint_id, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${pairs}))`,
  )
  return gone.length
}

/** Deletes events made before `horizon`; their deliveries go first. Returns how many; call until 0. */
export async function deleteOldEvents(tx: Tx, horizon: Date): Promise<number> {
  const gone = await tx.db.all<{ sequence: number }>(sql`DELETE FROM webhook_events WHERE sequence IN (
    SELECT sequence FROM (SELECT sequence, created_at FROM webhook_events ORDER BY sequence LIMIT ${batch})
    WHERE created_at < ${horizon.getTime()}) RETURNING sequence`)
  return gone.length
}
