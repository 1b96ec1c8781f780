// A campaign that stops by itself, and why: it can be resumed.

import { and, eq } from 'drizzle-orm'
import { campaigns } from '../../db/tables/campaigns.ts'
import type { Tx } from '../app.ts'
import { hold } from '../outbox/waiting.ts'
import { publishCampaign } from './campaign-events.ts'
import type { Campaign } from './campaigns.ts'
import { deliveriesOf } from './wake.ts'

/** Nothing when it does not send any more. */
export async function pauseSending(
  tx: Tx,
  campaign: Pick<Campaign, 'id' | 'workspaceId'>,
  pauseReason: string,
): Promise<void> {
  const paused = await tx.db
    .update(campaigns)
    .set({ status: 'paused', pauseReason, updatedAt: tx.now })
    .where(and(eq(campaigns.id, campaign.id), eq(campaigns.status, 'sending')))
    .returning()
  await hold(tx, deliveriesOf(campaign))
  for (const one of paused) await publishCampaign(tx, one, 'campaign.paused', { reason: pauseReason })
}
