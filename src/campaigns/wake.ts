// Waking, halting and letting go of a campaign's jobs. There is at most one page job per campaign, pending or running.

import { and, eq, sql } from 'drizzle-orm'
import { outboxJobs } from '../../db/tables/outbox.ts'
import type { Tx } from '../app.ts'
import { touch } from '../outbox/heads.ts'
import { enqueue } from '../outbox/outbox.ts'

export interface PagePayload {
  campaignId: string
}

/** What page.ts makes into a kind; here, so that the end of a delivery can ask for the next page. */
export const pagePolicy = { kind: 'campaign.page', lane: 'campaign.page', attemptsMax: 20 } as const

/** Lane of the deliveries; their partition is the campaign. */
export const deliveryLane = 'mail.campaign'

/** A halted job is due so much later than it would be: some 300 years, and it keeps its place. */
export const haltMs = 1e13
const haltedFrom = 5e12

/** Asks for the next page at `at`, or earlier if it is asked for already. A page that runs looks again when it ends. */
export async function wakePages(
  tx: Tx,
  { workspaceId, campaignId }: { workspaceId: string; campaignId: string },
  at: Date = tx.now,
): Promise<void> {
  const mine = and(
    eq(outboxJobs.workspaceId, workspaceId),
    eq(outboxJobs.kind, pagePolicy.kind),
    eq(outboxJobs.dedupeKey, campaignId),
  )
  const open = await tx.db
    .select({ id: outboxJobs.id, state: outboxJobs.state, dueAt: outboxJobs.dueAt })
    .from(outboxJobs)
    .where(and(mine, sql`dedupe_key IS NOT NULL AND state IN ('pending', 'running')`))
  const [job] = open
  if (!job) {
    const payload: PagePayload = { campaignId }
    await enqueue(tx, pagePolicy, { workspaceId, payload, dedupeKey: campaignId, partitionKey: campaignId, runAt: at })
  } else if (job.state === 'pending' && job.dueAt > at) {
    await tx.db.update(outboxJobs).set({ dueAt: at }).where(eq(outboxJobs.id, job.id))
    touch(tx, { lane: pagePolicy.lane, workspaceId, partitionKey: campaignId })
  }
}

const pendingOf = (workspaceId: string, campaignId: string) =>
  sql`state = 'pending' AND lane = ${deliveryLane} AND workspace_id = ${workspaceId} AND partition_key = ${campaignId}`

/** Puts the waiting deliveries out of reach; those that run see the state at their hand-over. */
export async function haltDeliveries(tx: Tx, { id, workspaceId }: { id: string; workspaceId: string }): Promise<void> {
  await tx.db
    .update(outboxJobs)
    .set({ dueAt: sql`due_at + ${haltMs}` })
    .where(sql`${pendingOf(workspaceId, id)} AND due_at < ${haltedFrom}`)
}

export async function letGoDeliveries(tx: Tx, { id, workspaceId }: { id: string; workspaceId: string }): Promise<void> {
  await tx.db
    .update(outboxJobs)
    .set({ dueAt: sql`max(due_at - ${haltMs}, ${tx.now.getTime()})` })
    .where(sql`${pendingOf(workspaceId, id)} AND due_at > ${haltedFrom}`)
  touch(tx, { lane: deliveryLane, workspaceId, partitionKey: id })
}

/** One job that was given back as halted while its campaign went on. */
export async function letGoJob(tx: Tx, jobId: string): Promise<void> {
  await tx.db
    .update(outboxJobs)
    .set({ dueAt: tx.now })
    .where(and(eq(outboxJobs.id, jobId), eq(outboxJobs.state, 'pending')))
}

/** Up to `limit` deliveries that wait, whenever they are due. */
export async function waitingDeliveries(
  tx: Tx,
  { id, workspaceId }: { id: string; workspaceId: string },
  limit: number,
): Promise<string[]> {
  const rows = await tx.db.select({ id: outboxJobs.id }).from(outboxJobs).where(pendingOf(workspaceId, id)).limit(limit)
  return rows.map((row) => row.id)
}
