// The campaign tools of the MCP endpoint as plain functions, with their inputs and results. Transport, scopes and asking a person belong to
// the endpoint; the rules are those of REST.

import type { CampaignStatus } from '../../db/tables/campaigns.ts'
import type { App } from '../app.ts'
import { type Issue, invalidField } from '../lib/error.ts'
import { toOneLine } from '../lib/text.ts'
import type { Node } from '../rendering/nodes.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { contentHash } from './approved-hash.ts'
import { estimateAudience } from './audience.ts'
import { getCampaign, listCampaigns } from './campaigns.ts'

import { draftCampaign, type NewDraft } from './draft.ts'
import { countsOfMany, loadCounts } from './ledger.ts'
import { toCampaignView } from './schema.ts'
import { type SendResult, sendCampaign } from './send.ts'

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
): Promise<Omit<SendResult, 'exact'>> {
  const { result } = await sendCampaign(app, workspace, campaignId, request)
  const { exact: _, ...answer } = result
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
  return { campaigns: shown.map((row) => toCampaignView(row, counts.get(row.id) ?? {})), nextCursor }
}

async function openCursor(app: App, cursor: string, context: string): Promise<string> {
  try {
    return await app.sealer.open(cursor, context)
  } catch {
    throw invalidField('cursor', 'is not a nextCursor of list_campaigns', 'invalid_cursor')
  }
}

/** get_campaign, and its route: with its numbers by outcome, and the hash that an approval names. */
export async function getCampaignTool(
  app: App,
  workspace: Workspace,
  { campaignId }: { campaignId: string },
): Promise<ReturnType<typeof toCampaignView> & { contentHash: string }> {
  const campaign = await getCampaign(app, workspace.id, campaignId)
  return {
    ...toCampaignView(campaign, await loadCounts(app, campaignId)),
    contentHash: await contentHash(app, campaign),
  }
}

export interface OutlineInput {
  prompt: string
  mailingListId?: string | undefined
  tone?: string | undefined
  locale?: string | undefined
}

export interface Outline {
  name: string
  subject: string
  previewText: string
  content: Node[]
  locale: string
  mailingListId: string | null
  /** True: the text is not written yet. */
  placeholder: boolean
  /** What to do next. */
  next: string
}

const maxSubject = 80

/** generate_campaign without a model: the same outline for the same prompt, to be filled in. Nothing is stored. */
export function outlineCampaign(workspace: Workspace, { prompt, mailingListId, tone, locale }: OutlineInput): Outline {
  const plain = withoutBraces(prompt).trim()
  if (plain === '') throw invalidField('prompt', 'is empty')
  const company = workspace.brand.companyName ?? workspace.name
  const subject = plain.length <= maxSubject ? plain : `${plain.slice(0, maxSubject - 1).trimEnd()}…`
  const manner = tone ? ` Tone: ${withoutBraces(tone).slice(0, 100)}.` : ''
  const { website } = workspace.brand
  return {
    name: subject,
    subject,
    previewText: `News from ${company}`.slice(0, 200),
    content: [
      { type: 'header', text: company },
      { type: 'heading', text: subject, level: 1 },
      { type: 'text', text: 'Hello {{contact.firstName|there}},' },
      { type: 'text', text: `[One paragraph that says why you write: ${plain.slice(0, 1_000)}.${manner}]` },
      { type: 'text', text: '[One paragraph with the details that matter to the reader.]' },
      ...(website ? [{ type: 'button', text: '[What to do next]', href: website } satisfies Node] : []),
      { type: 'text', text: `Yours,\n${workspace.brand.senderName ?? company}` },
      { type: 'footer' },
    ],
    locale: locale ?? workspace.primaryLocale,
    mailingListId: mailingListId ?? null,
    placeholder: true,
    next: 'Replace every text in [brackets], then call create_campaign with name, subject, mailingListId and content.',
  }
}

/** On one line, without variables. */
function withoutBraces(text: string): string {
  return toOneLine(text).replace(/[\s{}]+/g, ' ')
}
