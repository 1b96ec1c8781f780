// A campaign as it is answered, with its numbers by outcome and the hash that an approval names.

import type { App } from '../../core/app.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { contentHash } from './approved-hash.ts'
import { getCampaign } from './campaigns.ts'
import { loadCounts } from './ledger.ts'
import { toCampaignView } from './schema.ts'

export async function loadCampaignView(
  app: App,
  workspace: Workspace,
  campaignId: string,
): Promise<ReturnType<typeof toCampaignView> & { contentHash: string }> {
  const campaign = await getCampaign(app, workspace.id, campaignId)
  return {
    ...toCampaignView(campaign, await loadCounts(app, campaignId), workspace),
    contentHash: await contentHash(app, campaign),
  }
}
