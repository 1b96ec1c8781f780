// Keeps the log of webhooks for 30 days: events, and finished deliveries with their attempts. Small transactions.

import { and, lt, ne, sql } from 'drizzle-orm'
import { webhookAttempts, webhookDeliveries } from '../../../db/tables/webhooks.ts'
import type { Tx } from '../../core/app.ts'
import { firstIdAt } from './deliveries.ts'

/** Rows of one portion (src/operator/jobs.ts). */
const batch = 200

/** Deletes finished deliveries created before `horizon`. Returns how many; call until 0. */
export async function deleteOldDeliveries(tx: Tx, horizon: Date): Promise<number> {
  const gone = await tx.db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(lt(webhookDeliveries.id, firstIdAt(horizon)), ne(webhookDeliveries.state, 'pending')))
    .orderBy(webhookDeliveries.id)
    .limit(batch)
  if (gone.length === 0) return 0
  const oneOfThem = sql`(SELECT value FROM json_each(${JSON.stringify(gone.map(({ id }) => id))}))`
  await tx.db.delete(webhookAttempts).where(sql`delivery_id IN ${oneOfThem}`)
  await tx.db.delete(webhookDeliveries).where(sql`id IN ${oneOfThem}`)
  return gone.length
}

/** Deletes events created before `horizon`; their deliveries were deleted first. Returns how many; call until 0. */
export async function deleteOldEvents(tx: Tx, horizon: Date): Promise<number> {
  const gone = await tx.db.all<{ sequence: number }>(sql`DELETE FROM webhook_events WHERE sequence IN (
    SELECT sequence FROM (SELECT sequence, created_at FROM webhook_events ORDER BY sequence LIMIT ${batch})
    WHERE created_at < ${horizon.getTime()}) RETURNING sequence`)
  return gone.length
}
