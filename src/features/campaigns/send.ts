// Sending a campaign, now or at a time, and the dry run before it: who would get it, why others would not, when it would finish.

import type { CampaignForecast, Limit } from '../../../db/tables/campaigns.ts'
import type { App } from '../../core/app.ts'
import { idempotent } from '../../core/http/idempotency.ts'
import { day } from '../../kit/duration.ts'
import { type Issue, invalidField } from '../../kit/error.ts'
import { ownValue } from '../../kit/own-value.ts'
import { type CampaignSettings, loadCampaignSettings } from '../../people/campaign-settings.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { mustBeApproved, type Starter } from './approval.ts'
import { contentHash } from './approved-hash.ts'
import { estimateAudience } from './audience.ts'
import type { Campaign } from './campaign.ts'
import { getCampaign } from './campaigns.ts'
import { forecastCompletionFrom } from './completion.ts'
import { type Timing, timingOf } from './departure.ts'
import { toLimitView } from './forecast-schema.ts'
import { mustBeIn, scheduleCampaign, sendable, startCampaign } from './lifecycle.ts'
import { limitText } from './limits.ts'
import { loadAllowance } from './reputation/caps.ts'
import { checkSender } from './reputation/sender-check.ts'
import { readSchedule, type Schedule } from './schedule.ts'
import { checkVariantAddresses, mustShareDomain } from './test-senders.ts'
import { contentsToSend } from './variant-contents.ts'

export interface SendRequest {
  scheduledAt?: string | undefined
  inRecipientZone?: boolean | undefined
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
  lastAt: string | null
  limit: (Limit & { message: string }) | null
  timing: Timing
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
  const { scheduledAt, inRecipientZone, dryRun = false, idempotencyKey = null } = request
  const starter: Starter = { byPerson: request.byPerson ?? false, contentHash: request.contentHash }
  const body = { campaignId, scheduledAt, inRecipientZone, dryRun }
  const key = dryRun ? null : idempotencyKey
  const answer = await idempotent<SendResult>(
    app,
    { workspaceId: workspace.id, route: sendRoute, key, body },
    async () => {
      const campaign = await getCampaign(app, workspace.id, campaignId)
      if (dryRun) {
        const schedule = await findSchedule(app, workspace, campaign, request)
        const { before: response } = await preflight(app, workspace, campaign, schedule)
        return async () => ({ status: 200, response })
      }
      const { before, forecast, schedule } = await checkSend(app, workspace, campaign, { ...request, asker: starter })
      return async (tx) => {
        const moved = schedule
          ? await scheduleCampaign(tx, workspace.id, campaignId, { ...schedule, asker: starter, forecast })
          : await startCampaign(tx, workspace.id, campaignId, { asker: starter, forecast })
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
  { asker: starter, ...request }: Pick<SendRequest, 'scheduledAt' | 'inRecipientZone'> & { asker: Starter },
): Promise<Preflight & { schedule: Schedule | null }> {
  mustBeIn(campaign, sendable, 'sending')
  const schedule = await findSchedule(app, workspace, campaign, request)
  const found = await preflight(app, workspace, campaign, schedule)
  await mustBeApproved(app, campaign, starter)
  return { ...found, schedule }
}

/** Null: now. */
async function findSchedule(
  app: App,
  workspace: Workspace,
  campaign: Campaign,
  { scheduledAt, inRecipientZone }: Pick<SendRequest, 'scheduledAt' | 'inRecipientZone'>,
): Promise<Schedule | null> {
  if (scheduledAt !== undefined) return await readSchedule(app, workspace, campaign, { scheduledAt, inRecipientZone })
  if (inRecipientZone) throw invalidField('inRecipientZone', 'needs scheduledAt, the local time', 'contradiction')
  return null
}

interface Preflight {
  before: SendResult
  /** What is kept of it, to be compared with what happens. */
  forecast: CampaignForecast
}

/** What a send would do, now or as scheduled. Throws what would refuse it. */
export async function preflight(
  app: App,
  workspace: Workspace,
  campaign: Campaign,
  schedule: Schedule | null = null,
): Promise<Preflight> {
  const said = await contentsToSend(app, campaign)
  const sender = await checkSender(app, workspace, campaign)
  const { domain, warnings } = sender
  mustShareDomain(campaign, domain)
  const settings = await loadCampaignSettings(app, workspace.id)
  const now = app.clock.now()
  const estimate = await estimateAudience(app, campaign, now)
  const { recipients, skipped, zones, exact } = estimate
  const localTime = schedule?.localTime ?? null
  const timing = timingOf({ campaign: { ...campaign, localTime }, workspace, settings }, zones, schedule?.at ?? now)
  const allowance = await loadAllowance(app, workspace, { settings, domain, now })
  const forecast = await forecastCompletionFrom(app, workspace, campaign, { schedule, sender, estimate })
  const before = {
    campaignId: campaign.id,
    status: campaign.status,
    recipients,
    skipped,
    capRemaining: Number.isFinite(allowance.remaining) ? allowance.remaining : null,
    nextSendAt: (campaign.nextSendAt ?? allowance.nextAt)?.toISOString() ?? null,
    forecast: forecastText(forecast, workspace),
    lastAt: forecast.lastAt === null ? null : new Date(forecast.lastAt).toISOString(),
    limit: toLimitView(forecast.limit),
    timing,
    exact,
    contentHash: await contentHash(app, campaign),
    warnings: [
      ...warnings,
      ...(await checkVariantAddresses(app, workspace, campaign)),
      ...said.warnings,
      ...addressWarning(workspace),
      ...sandboxWarning(workspace),
      ...timingWarnings(timing, settings, localTime),
    ],
  }
  return { before, forecast }
}

/** In whole days from when it is made, and why. */
function forecastText({ madeAt, lastAt, limit }: CampaignForecast, { trustLevel }: Workspace): string {
  const days = lastAt === null ? null : Math.floor((lastAt - madeAt) / day)
  if (days === 0) return 'finishes today'
  const caps = { level: trustLevel, operator: 'the cap set', warm_up: 'the warm-up' }
  const cap = ownValue<string>(caps, limit?.by ?? '')
  const why = cap !== undefined ? ` at ${cap}` : limit !== null ? `: ${limitText(limit)}` : ''
  return (days === null ? 'has no end in sight' : `finishes in ${days} ${days === 1 ? 'day' : 'days'}`) + why
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

/** Who does not get it when the others do. */
function timingWarnings(
  { atOnce, afterQuietHours }: Timing,
  { quietHours }: CampaignSettings,
  localTime: string | null,
): Issue[] {
  const issues: Issue[] = []
  if (localTime !== null && atOnce > 0) {
    const message = `For ${counted(atOnce)} ${localTime.slice(11, 16)} has passed in their time zone: they get it as soon as it begins.`
    issues.push({ path: 'scheduledAt', message, code: 'local_time_passed' })
  }
  if (quietHours !== null && afterQuietHours > 0) {
    const message = `For ${counted(afterQuietHours)} it falls into the quiet hours, ${quietHours.from} to ${quietHours.to} in their time zone: they get it within ten minutes after these end.`
    issues.push({ path: 'quietHours', message, code: 'quiet_hours' })
  }
  return issues
}

function counted(recipients: number): string {
  return recipients === 1 ? 'one recipient' : `${recipients} recipients`
}
