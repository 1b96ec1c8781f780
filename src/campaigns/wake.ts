// The jobs of a campaign: there is at most one page job, pending or running, and one delivery for each mail that is prepared.

import type { Tx } from '../app.ts'
import { ensureJob } from '../outbox/enqueue.ts'
import type { Partition } from '../outbox/waiting.ts'

export interface PagePayload {
  campaignId: string
}

/** What page.ts makes into a kind; here, so that the end of a delivery can ask for the next page. */
export const pagePolicy = { kind: 'campaign.page', lane: 'campaign.page', attemptsMax: 20 } as const

/** Asks for the next page at `runAt`, or earlier if it is asked for already. A page that runs looks again when it ends. */
export async function wakePages(
  tx: Tx,
  { workspaceId, campaignId }: { workspaceId: string; campaignId: string },
  runAt: Date = tx.now,
): Promise<void> {
  const payload: PagePayload = { campaignId }
  await ensureJob(tx, pagePolicy, { workspaceId, payload, dedupeKey: campaignId, partitionKey: campaignId, runAt })
}

/** Lane of the deliveries. */
export const deliveryLane = 'mail.campaign'

export function deliveriesOf({ id, workspaceId }: { id: string; workspaceId: string }): Partition {
  return { lane: deliveryLane, workspaceId, partitionKey: id }
}
