// The jobs of a campaign: at most one pending or running page job, and one delivery per prepared mail.

import type { Tx } from '../../core/app.ts'
import { ensureJob } from '../../core/outbox/enqueue.ts'
import { cancelJobs, type Partition } from '../../core/outbox/waiting.ts'

export interface PagePayload {
  campaignId: string
}

/** The kind of page.ts, defined here so that the end of a delivery can ask for the next page. */
export const pagePolicy = { kind: 'campaign.page', lane: 'campaign.page', attemptsMax: 20 } as const

/** Requests the next page at `runAt`, or earlier if one is already due earlier. A running page checks again when it ends. */
export async function wakePages(
  tx: Tx,
  { workspaceId, campaignId }: { workspaceId: string; campaignId: string },
  runAt: Date = tx.now,
): Promise<void> {
  const payload: PagePayload = { campaignId }
  await ensureJob(tx, pagePolicy, { workspaceId, payload, dedupeKey: campaignId, partitionKey: campaignId, runAt })
}

/** The job that starts it at its time, of lifecycle.ts. */
export const startPolicy = { kind: 'campaign.start', lane: 'campaign.page', attemptsMax: 5 } as const
const mostStarts = 10

/** A campaign that leaves its schedule ends the job that waits for its time. */
export async function endSchedule(tx: Tx, { id, workspaceId }: { id: string; workspaceId: string }): Promise<void> {
  const partition = { lane: startPolicy.lane, workspaceId, partitionKey: id }
  await cancelJobs(tx, [startPolicy], { ...partition, limit: mostStarts })
}

/** The lane of the deliveries. */
export const deliveryLane = 'mail.campaign'

export function deliveryPartition({ id, workspaceId }: { id: string; workspaceId: string }): Partition {
  return { lane: deliveryLane, workspaceId, partitionKey: id }
}
