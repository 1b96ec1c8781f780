// What webhooks say about a campaign, and about the trust that its workspace has.

import type { TrustLevel } from '../../db/tables/workspaces.ts'
import type { Tx } from '../app.ts'
import type { EventData } from '../webhooks/event-types.ts'
import { publish } from '../webhooks/publish.ts'
import { setTrustLevel, type Workspace } from '../workspaces/workspaces.ts'
import type { Campaign } from './campaigns.ts'

export async function publishCampaign(
  tx: Tx,
  { id: campaignId, workspaceId, name }: Pick<Campaign, 'id' | 'workspaceId' | 'name'>,
  type: 'campaign.scheduled' | 'campaign.started' | 'campaign.paused' | 'campaign.completed',
  more: Omit<EventData<'campaign.started'>, 'campaignId' | 'name'> = {},
): Promise<void> {
  await publish(tx, workspaceId, type, { campaignId, name, ...more })
}

/** Sets the level and reports it when it is another one. */
export async function moveTrustLevel(
  tx: Tx,
  workspace: Pick<Workspace, 'id' | 'trustLevel'>,
  to: TrustLevel,
  why?: { reason: string; detail?: string },
): Promise<void> {
  const { id, trustLevel: from } = workspace
  await setTrustLevel(tx, workspace, to, why)
  if (from !== to) await publish(tx, id, 'workspace.trustLevelChanged', { from, to })
}
