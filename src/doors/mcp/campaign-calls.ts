// What the campaign tools do, as plain functions. Scopes and asking a person belong to the tools; the rules are those of REST.

import type { CampaignStatus } from '../../../db/tables/campaigns.ts'
import type { App } from '../../core/app.ts'
import { estimateAudience } from '../../features/campaigns/audience.ts'
import { listCampaigns } from '../../features/campaigns/campaigns.ts'
import { draftCampaign, type NewDraft } from '../../features/campaigns/draft.ts'
import { countsOfMany } from '../../features/campaigns/ledger.ts'
import { toCampaignView } from '../../features/campaigns/schema.ts'
import { type SendResult, sendCampaign } from '../../features/campaigns/send.ts'
import { type Issue, invalidField } from '../../kit/error.ts'
import type { Workspace } from '../../people/workspaces.ts'

export interface CreatedCampaign {
  campaignId: string
  status: 'draft'
  estimatedRecipients: number
  skipped: Record<string, number>
  warnings: Issue[]
}

/** create_campaign: a draft to a mailing list. Nothing is sent. */
export async function createCampaignTool(app: App, workspace: Workspace, input: NewDraft): Promise<CreatedCampaign> {
  const { campaign, warnings } = await draftCampaign(app, workspace, input, { byPerson: false })
  const { recipients, skipped } = await estimateAudience(app, campaign, app.clock.now())
  return { campaignId: campaign.id, status: 'draft', estimatedRecipients: recipients, skipped, warnings }
}

export interface SendToolInput {
  campaignId: string
  scheduledAt?: string | undefined
  idempotencyKey?: string | undefined
  dryRun?: boolean | undefined
  /** The hash of what a person was shown and agreed to. */
  contentHash?: string | undefined
}

/** send_campaign. A person's consent reported by the client does not replace the approval of a member. */
export async function sendCampaignTool(
  app: App,
  workspace: Workspace,
  { campaignId, ...request }: SendToolInput,
): Promise<Omit<SendResult, 'exact' | 'timing'>> {
  const { result } = await sendCampaign(app, workspace, campaignId, request)
  const { exact: _, timing: __, ...answer } = result
  return answer
}

const defaultLimit = 20
const maxLimit = 100

export interface ListToolInput {
  status?: CampaignStatus | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

/** list_campaigns, newest first. */
export async function listCampaignsTool(
  app: App,
  workspace: Workspace,
  { status, limit = defaultLimit, cursor }: ListToolInput,
): Promise<{ campaigns: ReturnType<typeof toCampaignView>[]; nextCursor: string | null }> {
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw invalidField('limit', `must be a whole number from 1 to ${maxLimit}`)
  const context = `tool list_campaigns ${workspace.id}`
  const after = cursor === undefined ? undefined : await openCursor(app, cursor, context)
  const { rows } = await listCampaigns(app, workspace.id, { status, after, limit })
  const shown = rows.slice(0, limit)
  const counts = await countsOfMany(
    app,
    shown.map(({ id }) => id),
  )
  const last = shown.at(-1)
  const nextCursor = rows.length > limit && last ? await app.sealer.seal(last.id, context) : null
  return { campaigns: shown.map((row) => toCampaignView(row, counts.get(row.id) ?? {}, workspace)), nextCursor }
}

async function openCursor(app: App, cursor: string, context: string): Promise<string> {
  try {
    return await app.sealer.open(cursor, context)
  } catch {
    throw invalidField('cursor', 'is not a nextCursor of list_campaigns', 'invalid_cursor')
  }
}
