// The campaign tools: drafts, their numbers, and sending, which asks a person first if the client can. They call the functions of
// campaign-calls.ts and contain no rules.

import { Type } from '@sinclair/typebox'
import { type CampaignStatus, campaignStatuses } from '../../../db/tables/campaigns.ts'
import type { App } from '../../core/app.ts'
import type { Campaign } from '../../features/campaigns/campaign.ts'
import { loadCampaignView } from '../../features/campaigns/campaign-view.ts'
import { getCampaign } from '../../features/campaigns/campaigns.ts'
import { type CampaignForecastView, lateText } from '../../features/campaigns/forecast-schema.ts'
import { sendable } from '../../features/campaigns/lifecycle.ts'
import { campaignListItem, campaignView, createBody, sendView } from '../../features/campaigns/schema.ts'
import { checkSend } from '../../features/campaigns/send.ts'
import { AppError } from '../../kit/error.ts'
import { visible } from '../../kit/visible.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import type { Workspace } from '../../people/workspaces.ts'
import type { WorkspaceCaller } from './callers.ts'
import { createCampaignTool, listCampaignsTool, type SendToolInput, sendCampaignTool } from './campaign-calls.ts'
import { contentArgument } from './content-argument.ts'
import { askPerson, type Exchange, isQuestion, type Question, saidYes } from './exchange.ts'
import { generateCampaign } from './generate-campaign.ts'
import { heldFields, keep, toldOf } from './held.ts'
import type { Report } from './surface.ts'
import { defineTool, type Tool } from './tool.ts'

const closed = { additionalProperties: false }
const text = Type.String()
const nullable = Type.Union([text, Type.Null()])
const id = Type.String({ minLength: 1, maxLength: 100, description: 'The id of the campaign, `cmp_…`.' })
const issues = Type.Array(Type.Object({ path: text, message: text, code: text }))
const byReason = Type.Record(text, Type.Integer(), { description: 'How many would be skipped, by reason.' })
const { ignoreGuardrail: _, content: __, ...draftFields } = createBody.properties
const view = Type.Omit(campaignView, ['warnings'])

const create = defineTool({
  name: 'create_campaign',
  scope: 'campaigns.write',
  title: 'Create a campaign',
  says: {
    purpose: 'Creates the draft of a campaign: one mail to everybody on a mailing list.',
    notFor:
      'Sending it (send_campaign), mail to individuals, or HTML: content is a component tree, or the slug of a template.',
    returns: '`campaignId`, how many would get it now, how many would not and why, and `warnings`.',
    whenToUse:
      'To write to everybody on a list. Read the resource paquebot://component-tree for the node types first. Workflow: create_campaign, send_campaign with dryRun, then send_campaign once a person has agreed.',
  },
  input: Type.Object({ ...draftFields, content: Type.Optional(contentArgument) }, closed),
  output: Type.Object({
    campaignId: text,
    status: Type.Literal('draft'),
    estimatedRecipients: Type.Integer(),
    skipped: byReason,
    warnings: issues,
  }),
  touches: { reads: 'own', acts: 'inside' },
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, input) {
    return { structured: await createCampaignTool(app, workspace, input) }
  },
})

const send = defineTool({
  name: 'send_campaign',
  scope: 'campaigns.send',
  title: 'Send a campaign',
  says: {
    purpose: 'Sends a draft, approved or scheduled campaign to its mailing list, now or at `scheduledAt`.',
    notFor: 'Trials: use `dryRun`. A campaign is sent once; a second send is refused. Sent mail cannot be recalled.',
    returns:
      '`status`, `recipients`, `skipped` by reason, what the trust level still allows (`capRemaining`, `nextSendAt`) and a `forecast`.',
    whenToUse:
      'With `dryRun: true` at any time. Without it only when a person asked for exactly this send: a client that can show a form asks its user first, and a workspace may require the approval of a member (`approval_required`). Give an `idempotencyKey`, and repeat with the same one if there was no answer.',
  },
  input: Type.Object(
    {
      campaignId: id,
      scheduledAt: Type.Optional(
        Type.String({
          maxLength: 40,
          description: 'ISO 8601, with an offset or in the time zone of the workspace. Default: now.',
        }),
      ),
      idempotencyKey: Type.Optional(
        Type.String({ minLength: 1, maxLength: 256, description: 'A repeated key never sends twice.' }),
      ),
      dryRun: Type.Optional(Type.Boolean({ description: 'Reports what would happen, and changes nothing.' })),
    },
    closed,
  ),
  output: Type.Object({ ...Type.Omit(sendView, ['exact', 'timing']).properties, ...heldFields }),
  touches: { reads: 'own', acts: 'outside' },
  actsAtOnce: true,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  async run(app, { workspace }: WorkspaceCaller, input, exchange) {
    const agreed = await confirmation(app, workspace, input, exchange)
    return isQuestion(agreed) ? agreed : { structured: await sendCampaignTool(app, workspace, { ...input, ...agreed }) }
  },
  async ask(app, caller, input) {
    const { campaignId, scheduledAt } = input
    const found = await sendCampaignTool(app, caller.workspace, { ...input, dryRun: true })
    if (input.dryRun) return { structured: found }
    const call = { campaignId, ...withoutUndefined({ scheduledAt }) }
    const { id: approvalId } = await keep(app, caller, { action: 'send_campaign', input: call })
    return toldOf(app, caller, { ...found, held: true, approvalId })
  },
})

const list = defineTool({
  name: 'list_campaigns',
  scope: 'campaigns.read',
  title: 'List campaigns',
  says: {
    purpose: 'Lists the campaigns of the workspace, newest first, each with its numbers by outcome.',
    notFor: 'The content of a campaign, or who its recipients are.',
    returns: '`campaigns` and `nextCursor`, null at the end.',
    whenToUse: 'To find a campaign, or to see what is being sent (`status: sending`).',
  },
  input: Type.Object(
    {
      status: Type.Optional(Type.Unsafe<CampaignStatus>(Type.String({ enum: [...campaignStatuses] }))),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 20.' })),
      cursor: Type.Optional(Type.String({ maxLength: 500, description: '`nextCursor` of the previous page.' })),
    },
    closed,
  ),
  output: Type.Object({ campaigns: Type.Array(campaignListItem), nextCursor: nullable }),
  // A campaign that was made of a feed says what stands there.
  touches: { reads: 'untrusted', acts: 'no' },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, input) {
    return { structured: await listCampaignsTool(app, workspace, input) }
  },
})

const get = defineTool({
  name: 'get_campaign',
  scope: 'campaigns.read',
  title: 'Read a campaign',
  says: {
    purpose: 'Reads one campaign with its status and its numbers by outcome.',
    notFor: 'Its single recipients.',
    returns: 'The campaign; `stats` has how many are queued, sent, bounced, suppressed …',
    whenToUse: 'To follow a send, or to see its result.',
  },
  input: Type.Object({ campaignId: id }, closed),
  output: view,
  // A campaign that was made of a feed says what stands there.
  touches: { reads: 'untrusted', acts: 'no' },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, input) {
    return { structured: await loadCampaignView(app, workspace, input.campaignId) }
  },
})

export const campaignTools: Tool<WorkspaceCaller>[] = [create, send, list, get, generateCampaign]

export const campaignReport: Report<WorkspaceCaller> = {
  prefix: 'paquebot://campaigns/',
  scope: 'campaigns.read',
  name: 'Campaign report',
  description: 'The result of a campaign: its status, its times, and its recipients by outcome.',
  mimeType: 'text/markdown',
  async text(app, { workspace }, campaignId) {
    const found = await loadCampaignView(app, workspace, campaignId).catch((error) => {
      if (error instanceof AppError && error.code === 'not_found') return undefined
      throw error
    })
    return found && visible(reportOf(found))
  },
}

function reportOf({
  name,
  status,
  subject,
  startedAt,
  endedAt,
  pauseReason,
  nextSendAt,
  stats,
  testResult,
  forecast,
}: typeof view.static) {
  const { sentence: test = null, winner = null, variants = [] } = testResult ?? {}
  const facts = {
    status,
    subject,
    startedAt,
    endedAt,
    pauseReason,
    nextSendAt,
    ...forecastFacts(forecast),
    test,
    winner,
  }
  const lines = Object.entries(facts).flatMap(([fact, value]) => (value === null ? [] : [`- ${fact}: ${value}`]))
  const counts = Object.entries(stats).map(([outcome, count]) => `| ${outcome} | ${count} |`)
  const parts = [`# ${name}`, '', ...lines, '', '| Recipients | |', '|---|---|', ...counts, '']
  if (variants.length === 0) return parts.join('\n')
  const tested = variants.map(
    (one) => `| ${one.name.replaceAll('|', '\\|')} | ${one.sent} | ${one.opened} | ${one.clicked} | ${one.left} |`,
  )
  return [...parts, '| Variant | sent | opened | clicked | left |', '|---|---|---|---|---|', ...tested, ''].join('\n')
}

/** When its last mail was to leave, why, and how wrong that was. */
function forecastFacts(forecast: CampaignForecastView | null) {
  const { lastAt = null, limit = null, lateSeconds = null } = forecast ?? {}
  const late = lateSeconds === null ? null : lateText(lateSeconds)
  return { lastMailForecast: lastAt, limitForecast: limit?.message ?? null, forecastWrongBy: late }
}

/** Asks a person before a send, until they agree to this campaign as it is; then returns the hash of what they agreed to. */
async function confirmation(
  app: App,
  workspace: Workspace,
  input: SendToolInput,
  { canAskPerson, answer, state }: Exchange,
): Promise<Question | Pick<SendToolInput, 'contentHash'>> {
  if (!canAskPerson || input.dryRun) return {}
  const campaign = await getCampaign(app, workspace.id, input.campaignId)
  // A campaign that was already sent needs no question: with its key the send gives the first answer, otherwise a refusal.
  if (!sendable.includes(campaign.status)) return {}
  const asker = { byPerson: false }
  const { before } = await checkSend(app, workspace, campaign, { scheduledAt: input.scheduledAt, asker })
  const { contentHash } = before
  const asked = JSON.stringify([campaign.id, contentHash, input.scheduledAt ?? null])
  const context = `tool send_campaign ${workspace.id}`
  if (answer.kind === 'elicit' && state !== undefined && (await opened(app, state, context)) === asked) {
    if (saidYes(answer)) return { contentHash }
    const declined = { path: 'campaignId', message: 'declined', code: 'declined' }
    throw new AppError('forbidden', 'The person who was asked declined. Nothing was sent.', { errors: [declined] })
  }
  return askPerson(questionOf(campaign, before.recipients, input), await app.sealer.seal(asked, context))
}

function questionOf({ name, subject, test }: Campaign, recipients: number, { scheduledAt }: SendToolInput): string {
  const people = `${recipients.toLocaleString('en')} ${recipients === 1 ? 'recipient' : 'recipients'}`
  const subjects = [...new Set([subject, ...(test?.variants ?? []).map((one) => one.subject ?? subject)])]
  const said = `${subjects.length === 1 ? 'subject' : 'subjects'} ${subjects.map((one) => `“${one}”`).join(', ')}`
  const tried = test === null ? '' : `, a test of ${test.variants.length} variants`
  return `Send the campaign “${name}” (${said}${tried}) to ${people} ${scheduledAt ? `at ${scheduledAt}` : 'now'}? Sent mail cannot be recalled.`
}

async function opened(app: App, state: string, context: string): Promise<string | null> {
  return await app.sealer.open(state, context).catch(() => null)
}
