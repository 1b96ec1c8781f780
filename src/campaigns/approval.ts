// Whether a campaign may start. Checked wherever one starts or continues: send, schedule, its time has come, resume, agents' tools. An
// approval is bound to a hash of everything a recipient will see and of the audience, and names the hash that the member saw.

import type { Reader } from '../app.ts'
import { AppError } from '../lib/error.ts'
import { loadCampaignSettings } from '../workspaces/campaign-settings.ts'
import type { Campaign } from './campaigns.ts'
import { contentHash } from './contents.ts'

/** Who starts it. A signed-in member approves by starting it. */
export interface Asker {
  byPerson: boolean
  /** The hash of what they saw; only that may start. */
  contentHash?: string | undefined
}

/** Throws 409 when it is not what was seen or approved, 403 when a member has to approve it first. */
export async function mustBeApproved(reader: Reader, campaign: Campaign, asker: Asker): Promise<void> {
  const current = await contentHash(reader, campaign)
  mustBeAsSeen(asker.contentHash, current)
  if (campaign.approvedHash !== null && campaign.approvedHash !== current) {
    const message = 'what it says or whom it goes to has changed since it was approved; approve it again'
    throw new AppError('invalid_state_transition', message, approvalRequired(message))
  }
  await mustHaveApproval(reader, campaign, asker)
}

/** A campaign that has started does not change any more; this only checks who may let it continue. */
export async function mustHaveApproval(reader: Reader, campaign: Campaign, { byPerson }: Asker): Promise<void> {
  if (byPerson || campaign.approvedHash !== null) return
  if (!(await loadCampaignSettings(reader, campaign.workspaceId)).agentsNeedApproval) return
  const message = 'This workspace asks for an approval by a member before a campaign is sent.'
  throw new AppError('forbidden', message, approvalRequired(message))
}

const approvalRequired = (message: string) => ({
  errors: [{ path: 'campaignId', message, code: 'approval_required' }],
})

/** Throws `revision_mismatch` when it was changed in the meantime. */
export function mustBeAsSeen(seen: string | undefined, current: string): void {
  if (seen === undefined || seen === current) return
  const message = `contentHash is not that of what would leave now (${current}): read it again`
  throw new AppError('revision_mismatch', message, {
    extra: { contentHash: current },
    errors: [{ path: 'contentHash', message, code: 'revision_mismatch' }],
  })
}
