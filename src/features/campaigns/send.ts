// Sending a campaign, now or at a time, and the dry run before it: who would get it, why others would not, when it would finish.

import type { App } from '../../core/app.ts'
import { idempotent } from '../../core/http/idempotency.ts'
import type { Issue } from '../../kit/error.ts'
import { loadCampaignSettings } from '../../people/campaign-settings.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { mustBeApproved, type Starter } from './approval.ts'
import { contentHash } from './approved-hash.ts'
import { estimateAudience } from './audience.ts'
import type { Campaign } from './campaign.ts'
import { getCampaign } from './campaigns.ts'
import { contentsToSend } from './contents.ts'
import { mustBeIn, scheduleCampaign, scheduleTime, sendable, startCampaign } from './lifecycle.ts'
import { forecastDays, loadAllowance } from './reputation/caps.ts'
import { checkSender } from './reputation/sender-check.ts'

export interface SendRequest {
  scheduledAt?: string | undefined
  dryRun?: boolean | undefined
  idempotencyKey?: string | null | undefined
  /** The hash of what the caller saw. */
  contentHash?: string | undefined
  /** True for a person at the dashboard: then no approval is required. */
  byPerson?: boolean
}

export interface SendResult {
  campaignId: string
  status: Campaign['status']
  recipients: number
  skipped: Record<string, number>
  /** Recipients that can be reached now; null when unlimited. */
  capRemaining: number | null
  nextSendAt: string | null
  /** "finishes in 3 days at M1". */
  forecast: string
  exact: boolean
  contentHash: string
  warnings: Issue[]
}

const sendRoute = 'POST /v1/campaigns/send'

/**
 * The second send of a campaign throws `invalid_state_transition`; with the key of the first it gets the first answer. Throws
 * `dmarc_required`, `domain_not_verified`, `no_content`, 403 `forbidden` when an agent's send needs an approval, and
 * `revision_mismatch` when it is not what the asker saw.
 */
export async function sendCampaign(
  app: App,
  workspace: Workspace,
  campaignId: string,
  request: SendRequest = {},
): Promise<{ result: SendResult; replayed: boolean }> {
  const { scheduledAt, dryRun = false, idempotencyKey = null } = request
  const starter: Starter = { byPerson: request.byPerson ?? false, contentHash: request.contentHash }
  const body = { campaignId, scheduledAt, dryRun }
  const key = dryRun ? null : idempotencyKey
  const answer = await idempotent<SendResult>(
    app,
    { workspaceId: workspace.id, route: sendRoute, key, body },
    async () => {
      const campaign = await getCampaign(app, workspace.id, campaignId)
      if (dryRun) {
        const response = await preflight(app, workspace, campaign)
        return async () => ({ status: 200, response })
      }
      const { before, at } = await checkSend(app, workspace, campaign, { scheduledAt, asker: starter })
      return async (tx) => {
        const moved = at
          ? await scheduleCampaign(tx, workspace.id, campaignId, { at, asker: starter })
          : await startCampaign(tx, workspace.id, campaignId, starter)
        const nextSendAt = moved.scheduledAt?.toISOString() ?? before.nextSendAt
        return { status: 200, response: { ...before, status: moved.status, nextSendAt } }
      }
    },
  )
  return { result: answer.response, replayed: answer.replayed }
}

/** Everything that would refuse a send, in the same order, and nothing else. */
export async function checkSend(
  app: App,
  workspace: Workspace,
  campaign: Campaign,
  { scheduledAt, asker: starter }: { scheduledAt?: string | undefined; asker: Starter },
): Promise<{ before: SendResult; at: Date | null }> {
  mustBeIn(campaign, sendable, 'sending')
  const before = await preflight(app, workspace, campaign)
  const at = scheduledAt === undefined ? null : scheduleTime(workspace, scheduledAt, app.clock.now())
  await mustBeApproved(app, campaign, starter)
  return { before, at }
}

/** What a send would do now. Throws what would refuse it. */
export async function preflight(app: App, workspace: Workspace, campaign: Campaign): Promise<SendResult> {
  const said = await contentsToSend(app, campaign)
  const { domain, warnings } = await checkSender(app, workspace, campaign)
  const settings = await loadCampaignSettings(app, workspace.id)
  const now = app.clock.now()
  const { recipients, skipped, exact } = await estimateAudience(app, campaign, now)
  const allowance = await loadAllowance(app, workspace, { settings, domain, now })
  const days = forecastDays(recipients, allowance)
  const limit =
    allowance.by === 'level' ? workspace.trustLevel : allowance.by === 'operator' ? 'the cap set' : 'the warm-up'
  return {
    campaignId: campaign.id,
    status: campaign.status,
    recipients,
    skipped,
    capRemaining: Number.isFinite(allowance.remaining) ? allowance.remaining : null,
    nextSendAt: (campaign.nextSendAt ?? allowance.nextAt)?.toISOString() ?? null,
    forecast: days === 0 ? 'finishes today' : `finishes in ${days} ${days === 1 ? 'day' : 'days'} at ${limit}`,
    exact,
    contentHash: await contentHash(app, campaign),
    warnings: [...warnings, ...said.warnings, ...addressWarning(workspace), ...sandboxWarning(workspace)],
  }
}

function addressWarning({ brand }: Workspace): Issue[] {
  if (brand.companyAddress) return []
  const message = 'The brand has no company address; a marketing mail needs one by law in many countries.'
  return [{ path: 'brand.companyAddress', message, code: 'missing_address' }]
}

function sandboxWarning({ trustLevel }: Workspace): Issue[] {
  if (trustLevel !== 'M0') return []
  const message = 'At trust level M0 only members of the workspace are sent to.'
  return [{ path: 'trustLevel', message, code: 'sandbox' }]
}
