// Webhook events about a campaign.

import type { Tx } from '../../core/app.ts'
import type { EventData } from '../webhooks/event-types.ts'
import { publish } from '../webhooks/publish.ts'
import type { Campaign } from './campaign.ts'

export async function publishCampaign(
  tx: Tx,
  { id: campaignId, workspaceId, name }: Pick<Campaign, 'id' | 'workspaceId' | 'name'>,
  type: 'campaign.scheduled' | 'campaign.started' | 'campaign.paused' | 'campaign.winnerChosen' | 'campaign.completed',
  more: Omit<EventData<'campaign.started'>, 'campaignId' | 'name'> = {},
): Promise<void> {
  await publish(tx, workspaceId, type, { campaignId, name, ...more })
}
