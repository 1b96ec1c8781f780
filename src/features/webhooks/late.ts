// Deliveries that are due but have not been tried yet: which endpoints have some, how many, and trying one of them at once.

import { and, eq, sql } from 'drizzle-orm'
import { webhookEndpoints } from '../../../db/tables/webhooks.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { moveJob } from '../../core/outbox/waiting.ts'
import { AppError } from '../../kit/error.ts'
import { type Delivery, deliveryJob, noteNextAttempt } from './deliveries.ts'

/** A request never counts further than this. */
export const maxCounted = 10_000

const isPendingAt = (workspaceId: string, endpointId: unknown) =>
  sql`FROM outbox_jobs WHERE state = 'pending' AND lane = ${deliveryJob.lane} AND workspace_id = ${workspaceId} AND partition_key = ${endpointId}`

/** Active endpoints whose first delivery has been due since before `time`, the latest first. */
export async function listLateEndpoints(
  { db }: Reader,
  workspaceId: string,
  time: Date,
): Promise<{ id: string; name: string; dueAt: Date }[]> {
  const first = sql<number>`(SELECT min(due_at) ${isPendingAt(workspaceId, sql`webhook_endpoints.id`)})`
  const rows = await db
    .select({ id: webhookEndpoints.id, name: webhookEndpoints.url, dueAt: first })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.workspaceId, workspaceId),
        eq(webhookEndpoints.status, 'active'),
        sql`${first} < ${time.getTime()}`,
      ),
    )
    .orderBy(first)
  return rows.map((row) => ({ ...row, dueAt: new Date(row.dueAt) }))
}

interface EndpointReference {
  workspaceId: string
  endpointId: string
}

/** How many are due before `time`, or then and before the job `jobId`. */
export async function countDue(
  { db }: Reader,
  { workspaceId, endpointId }: EndpointReference,
  time: Date,
  jobId = '',
): Promise<number> {
  const isBefore = sql`(due_at, id) < (${time.getTime()}, ${jobId})`
  const [row] = await db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM (SELECT 1 ${isPendingAt(workspaceId, endpointId)} AND ${isBefore} LIMIT ${maxCounted})`,
  )
  return Number(row?.count ?? 0)
}

/** It is tried before what else waits for its endpoint, as soon as that may have one. Throws `invalid_state_transition` unless it waits. */
export async function deliverNow(tx: Tx, { id, endpointId, workspaceId, jobId }: Delivery): Promise<Date> {
  const [row] = await tx.db.all<{ first: number | null }>(
    sql`SELECT min(due_at) AS first ${isPendingAt(workspaceId, endpointId)}`,
  )
  const dueAt = new Date(Math.min(tx.now.getTime(), Number(row?.first ?? tx.now.getTime()) - 1))
  if (jobId === null || !(await moveJob(tx, deliveryJob, { jobId, dueAt })))
    throw new AppError('invalid_state_transition', 'This delivery is not waiting: it is being tried, or has ended.')
  await noteNextAttempt(tx, id, tx.now)
  return tx.now
}
