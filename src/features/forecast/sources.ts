// What a forecast is about: the published sequences of a workspace, its campaigns that are scheduled or sent, and what each asks of people.

import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import { campaigns } from '../../../db/tables/campaigns.ts'
import type { SegmentFilter } from '../../../db/tables/segments.ts'
import { type Definition, type EventStep, sequences } from '../../../db/tables/sequences.ts'
import type { App, Reader } from '../../core/app.ts'
import { loadPaces } from '../../core/relays.ts'
import { AppError } from '../../kit/error.ts'
import { RelayPace } from '../../mail/relay-pace.ts'
import { type CampaignSettings, loadCampaignSettings } from '../../people/campaign-settings.ts'
import { holdsAll, type Workspace } from '../../people/workspaces.ts'
import { mustBeUnchanged } from '../campaigns/approval.ts'
import type { Campaign } from '../campaigns/campaign.ts'
import { getCampaign } from '../campaigns/campaigns.ts'
import type { DepartureRules } from '../campaigns/departure.ts'
import { loadCounts } from '../campaigns/ledger.ts'
import { checkSender } from '../campaigns/reputation/sender-check.ts'
import { mustShareDomain } from '../campaigns/test-senders.ts'
import { contentsToSend } from '../campaigns/variant-contents.ts'
import { loadMailParts } from '../sequences/mails.ts'
import { findOpenVersions } from '../sequences/runs.ts'
import { findTest, type TestedStep, testedSteps } from '../sequences/step-tests.ts'
import { type Definitions, loadDefinitions, type Sequence, versionKey } from '../sequences/versions.ts'
import type { Page } from '../sequences/world.ts'
import { Tally } from './tally.ts'

/** What the steps of a version ask of a person, and what makes two people unlike. */
export interface Questions {
  filters: SegmentFilter[]
  /** Steps whose clicks are asked for. */
  clicked: string[]
  lookBacks: EventStep[]
  /** Whether a branch asks about the event of the run. */
  byEvent: boolean
  /** Date properties that are waited for. */
  dates: string[]
  /** Whether a branch draws lots. */
  drawsLots: boolean
  /** Steps that try variants. */
  tested: TestedStep[]
}

export interface SequenceSource {
  kind: 'sequence'
  id: string
  name: string
  /** Why nothing of it would leave; null: it does. */
  problem: string | null
  tally: Tally
  page: Page
  questions: Map<string, Questions>
  /** Who has won by now at a tested step, by version and step; none is chosen in the days ahead. */
  winners: Map<string, string | null>
}

export interface CampaignSource {
  kind: 'campaign'
  id: string
  name: string
  problem: string | null
  tally: Tally
  campaign: Campaign
  rules: DepartureRules
  domain: string
  /** What the relays of its mail carry. */
  relays: RelayPace
  startsAt: Date
  /** Mails that left before their end was known. */
  onTheirWay: number
}

export type Source = SequenceSource | CampaignSource

/** Campaigns over the same relays share them. */
type SharedPaces = Map<string, RelayPace>

export interface Sources {
  workspace: Workspace
  settings: CampaignSettings
  sequences: SequenceSource[]
  campaigns: CampaignSource[]
  definitions: Definitions
}

/** `campaignId`: a campaign that is looked at as if it were sent now, whatever its state. */
export async function loadSources(
  app: App,
  workspace: Workspace,
  { campaignId, now }: { campaignId: string | null; now: Date },
): Promise<Sources> {
  const settings = await loadCampaignSettings(app, workspace.id)
  const definitions: Definitions = new Map()
  const ofSequences = await loadSequences(app, workspace, definitions)
  const ofCampaigns: CampaignSource[] = []
  const shared: SharedPaces = new Map()
  for (const id of await listCampaignIds(app, workspace.id, campaignId))
    ofCampaigns.push(await loadCampaign(app, { workspace, settings, now, shared }, id))
  return { workspace, settings, sequences: ofSequences, campaigns: ofCampaigns, definitions }
}

async function loadSequences(app: App, workspace: Workspace, all: Definitions): Promise<SequenceSource[]> {
  const mine = and(eq(sequences.workspaceId, workspace.id), eq(sequences.state, 'active'), isNotNull(sequences.version))
  const rows = await app.db.select().from(sequences).where(mine).orderBy(asc(sequences.id))
  const sources: SequenceSource[] = []
  for (const sequence of rows) {
    const definitions = await loadOpen(app, sequence)
    for (const [key, definition] of definitions) all.set(key, definition)
    const { mails, problem } = await loadMailParts(app, workspace, definitions)
    sources.push({
      kind: 'sequence',
      id: sequence.id,
      name: sequence.name,
      problem: whyNothingLeaves(workspace) ?? problem,
      tally: new Tally(workspace.timeZone),
      page: { sequence, workspace, definitions, mails },
      questions: new Map([...definitions].map(([key, definition]) => [key, questionsIn(definition)])),
      winners: await findWinners(app, sequence, definitions),
    })
  }
  return sources
}

/** The key of a tested step in the winners. */
export const winnerKey = (version: number, stepId: string) => `${version} ${stepId}`

async function findWinners(
  reader: Reader,
  sequence: Sequence,
  definitions: Definitions,
): Promise<Map<string, string | null>> {
  const winners = new Map<string, string | null>()
  for (const version of await openVersions(reader, sequence)) {
    const definition = definitions.get(versionKey(sequence.id, version))
    for (const { id } of definition === undefined ? [] : testedSteps(definition)) {
      const test = await findTest(reader, { sequenceId: sequence.id, version }, id)
      winners.set(winnerKey(version, id), test?.winner ?? null)
    }
  }
  return winners
}

/** The versions in which somebody is, and the one that people begin. */
async function openVersions(reader: Reader, { id, version }: Sequence): Promise<number[]> {
  return [...new Set([...(await findOpenVersions(reader, id)), version ?? 1])]
}

async function loadOpen(reader: Reader, sequence: Sequence): Promise<Definitions> {
  const versions = await openVersions(reader, sequence)
  return await loadDefinitions(
    reader,
    versions.map((version) => ({ sequenceId: sequence.id, version })),
  )
}

function questionsIn(definition: Definition): Questions {
  const { steps } = definition
  const conditions = steps.flatMap((step) => (step.type === 'branch' ? step.branches.map((one) => one.if) : []))
  return {
    filters: conditions.flatMap((one) => ('contact' in one ? [one.contact] : [])),
    clicked: conditions.flatMap((one) => ('clicked' in one ? [one.clicked] : [])),
    lookBacks: steps.flatMap((step) => (step.type === 'event' && step.lookBack !== undefined ? [step] : [])),
    byEvent: conditions.some((one) => 'event' in one),
    dates: steps.flatMap((step) => (step.type === 'wait' && step.date !== undefined ? [step.date] : [])),
    drawsLots: conditions.some((one) => 'share' in one),
    tested: testedSteps(definition),
  }
}

async function listCampaignIds(reader: Reader, workspaceId: string, campaignId: string | null): Promise<string[]> {
  const mine = and(eq(campaigns.workspaceId, workspaceId), inArray(campaigns.status, ['scheduled', 'sending']))
  const rows = await reader.db.select({ id: campaigns.id }).from(campaigns).where(mine).orderBy(asc(campaigns.id))
  return [...new Set([...rows.map(({ id }) => id), ...(campaignId === null ? [] : [campaignId])])]
}

async function loadCampaign(
  app: App,
  { workspace, settings, now, shared }: Pick<Sources, 'workspace' | 'settings'> & { now: Date; shared: SharedPaces },
  id: string,
): Promise<CampaignSource> {
  const campaign = await getCampaign(app, workspace.id, id)
  const { sending, delayed } = await loadCounts(app, id)
  const { domain, from, problem } = await checkCampaign(app, workspace, campaign)
  const paces = await loadPaces(app, { workspaceId: workspace.id, stream: 'marketing', from })
  const relays = shared.getOrInsertComputed(
    JSON.stringify(paces?.map(({ relayId }) => relayId) ?? null),
    () => new RelayPace(paces, now),
  )
  const scheduledAt = campaign.status === 'scheduled' ? campaign.scheduledAt : null
  return {
    kind: 'campaign',
    id,
    name: campaign.name,
    problem: whyNothingLeaves(workspace) ?? problem,
    tally: new Tally(workspace.timeZone),
    campaign,
    rules: { campaign, workspace, settings },
    domain,
    relays,
    startsAt: scheduledAt !== null && scheduledAt > now ? scheduledAt : now,
    onTheirWay: sending + delayed,
  }
}

function whyNothingLeaves(workspace: Workspace): string | null {
  return holdsAll(workspace) === null ? null : 'The workspace is suspended.'
}

async function checkCampaign(app: App, workspace: Workspace, campaign: Campaign) {
  try {
    const { domain, sender } = await checkSender(app, workspace, campaign)
    mustShareDomain(campaign, domain)
    await contentsToSend(app, campaign)
    await mustBeUnchanged(app, campaign)
    return { domain, from: sender.email, problem: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { domain: '', from: '', problem: error.message }
  }
}

export function questionsOf({ questions }: SequenceSource, version: number, id: string): Questions {
  const found = questions.get(versionKey(id, version))
  if (found === undefined) throw new Error('a run is in a version that was not read')
  return found
}
