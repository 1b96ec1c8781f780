// What all mails of a campaign share: the campaign, its sender, its compiled content. Looked up once a second rather than once per mail;
// what must hold at the hand-over is checked there, in its transaction (deliver.ts).

import type { TestVariant } from '../../../db/tables/ab-tests.ts'
import type { App } from '../../core/app.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import { localeChain } from '../../kit/locale.ts'
import type { DkimKey } from '../../mail/dkim.ts'
import { type CampaignSettings, loadCampaignSettings } from '../../people/campaign-settings.ts'
import { getWorkspace, type Workspace } from '../../people/workspaces.ts'
import type { Revision } from '../content/templates/resolve.ts'
import { findDkimKeys } from '../sending/domains/keys.ts'
import { chooseSender } from '../sending/sender.ts'
import { loadTracking, type Tracking } from '../sending/tracking/links.ts'
import { mustBeUnchanged, toPauseReason } from './approval.ts'
import type { Campaign } from './campaign.ts'
import { getCampaign } from './campaigns.ts'
import { compiledContents, noContent } from './contents.ts'
import { checkVariantAddresses } from './test-senders.ts'
import { compiledVariants } from './variant-contents.ts'

export interface SendContext {
  campaign: Campaign
  workspace: Workspace
  settings: CampaignSettings
  revisions: Map<string, Revision>
  /** What variants of a test say instead, by their name. */
  variants: Map<string, Map<string, Revision>>
  /** The keys that sign its mail; null for an unsigned domain. */
  keys: DkimKey[] | null
  /** Null when nothing is tracked. */
  tracking: Tracking | null
  /** Why its mail may no longer be sent: its sender, or what was approved is no longer what would leave. Null while it may. */
  refusal: AppError | null
}

const keptMs = 1_000
const contexts = () => new Map<string, { since: number; context: Promise<SendContext> }>()

/** Throws not_found. */
export function getSendContext(app: App, workspaceId: string, campaignId: string): Promise<SendContext> {
  const known = app.own(contexts)
  const now = performance.now()
  const found = known.get(campaignId)
  if (found && now - found.since < keptMs) return found.context
  const context = loadSendContext(app, workspaceId, campaignId)
  known.set(campaignId, { since: now, context })
  context.catch(() => known.delete(campaignId))
  return context
}

export async function loadSendContext(app: App, workspaceId: string, campaignId: string): Promise<SendContext> {
  const campaign = await getCampaign(app, workspaceId, campaignId)
  const workspace = await getWorkspace(app, workspaceId)
  const settings = await loadCampaignSettings(app, workspaceId)
  const revisions = await compiledContents(app, campaignId, workspace.brand)
  const from = parseAddress(campaign.fromEmail ?? app.config.mailFrom.address)
  const keys = from.ok ? await findDkimKeys(app, workspaceId, from.domain) : null
  const variants = await compiledVariants(app, campaign, workspace.brand)
  const all = [revisions, ...variants.values()].flatMap((ofOne) => [...ofOne.values()])
  const mails = all.map(({ compiled }) => compiled)
  const tracking = await loadTracking(app, campaignId, settings, mails)
  const refusal = await findRefusal(app, workspace, campaign)
  return { campaign, workspace, settings, revisions, variants, keys, tracking, refusal }
}

async function findRefusal(app: App, workspace: Workspace, campaign: Campaign): Promise<AppError | null> {
  try {
    await chooseSender(app, workspace, campaign, {})
    await checkVariantAddresses(app, workspace, campaign)
    await mustBeUnchanged(app, campaign)
    return null
  } catch (error) {
    const isMeant =
      error instanceof AppError && (error.code === 'domain_not_verified' || toPauseReason(error) !== error.code)
    if (isMeant) return error
    throw error
  }
}

/**
 * The content for a recipient: exact, base, brand, English, the campaign's own locale, any. Throws no_content when there is none at all.
 */
export function revisionFor(
  { campaign, workspace, revisions: own, variants }: SendContext,
  locale: string | null,
  variant: TestVariant | null = null,
): Revision {
  const revisions = (variant && variants.get(variant.name)) ?? own
  const chain = [...localeChain(locale ?? campaign.locale, workspace.primaryLocale), campaign.locale]
  const found = chain.flatMap((one) => revisions.get(one) ?? [])
  const revision = found[0] ?? revisions.values().next().value
  if (revision === undefined) throw noContent(campaign)
  return revision
}
