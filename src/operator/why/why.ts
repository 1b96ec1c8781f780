// Answers "why is this not moving?" for a lane, a campaign or a mail: the current obstacles, in the order in which sending would meet them.
// Every rule is evaluated by its own function; nothing is decided here.

import { eq } from 'drizzle-orm'
import { untilWinner } from '../../../db/tables/campaigns.ts'
import { outboxJobs } from '../../../db/tables/outbox.ts'
import { installation } from '../../../db/tables/workspaces.ts'
import { type App, write } from '../../core/app.ts'
import type { Lane } from '../../core/outbox/lanes.ts'
import { serverOff } from '../../core/outbox/rescue.ts'
import { listSendingFaults } from '../../core/outbox/sending-faults.ts'
import { mustBeApproved } from '../../features/campaigns/approval.ts'
import type { Campaign } from '../../features/campaigns/campaign.ts'
import { getCampaign, listCampaigns } from '../../features/campaigns/campaigns.ts'
import { countPutAside, findNextDeparture } from '../../features/campaigns/departure.ts'
import { findObjection, loadFacts } from '../../features/campaigns/eligibility.ts'
import { maxDelayed } from '../../features/campaigns/fill-window.ts'
import { loadCounts } from '../../features/campaigns/ledger.ts'
import { loadAllowance } from '../../features/campaigns/reputation/caps.ts'
import { checkSender } from '../../features/campaigns/reputation/sender-check.ts'
import { deliveryPartition, pagePolicy } from '../../features/campaigns/wake.ts'
import { findSuppressions } from '../../features/contacts/consent/suppression.ts'
import { type ActivityRecord, getActivity } from '../../features/sending/activity/activity.ts'
import { getDelivery } from '../../features/webhooks/deliveries.ts'
import { getEndpoint } from '../../features/webhooks/endpoints.ts'
import { withDeadline } from '../../kit/deadline.ts'
import { second } from '../../kit/duration.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import { type Fault, parseScope } from '../../mail/sending-hold.ts'
import { loadCampaignSettings } from '../../people/campaign-settings.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { type Around, type Item, listAttention } from '../attention/attention.ts'
import { ofFault } from '../attention/installation.ts'
import type { Code as AttentionCode, Finding } from '../attention/rules.ts'
import { ofPaused } from '../attention/workspace.ts'
import { aboutLane, aboutPartition, whyWaiting } from './jobs.ts'
import { asAttention, because, type Code, inOrder, type Reason } from './reasons.ts'

const writeWithinMs = 3 * second
/** How many of the campaigns that are being sent are checked for the lane. */
const mostCampaigns = 20

/** The obstacles for everything, and for each kind of lane. */
const ofAll: AttentionCode[] = ['sending_held', 'dispatcher_stopped', 'disk_full']
const ofMail: AttentionCode[] = [
  'workspace_suspended',
  'mail_held',
  'mail_server_fails',
  'mail_refused',
  'receiver_refuses',
  'receiver_slow',
  'domain_taken',
  'domain_unproven',
]
/** They may be about mail to one receiving domain. */
const ofDomains: Code[] = ['mail_server_fails', 'receiver_refuses', 'receiver_slow']
const ofWebhooks: AttentionCode[] = ['endpoint_disabled', 'endpoint_failing']
const ofCampaigns: AttentionCode[] = ['campaign_stopped', 'campaign_paused']
const ofImports: AttentionCode[] = ['import_stuck', 'import_failed']

function stoppingCodes(lane: Lane): AttentionCode[] {
  if (lane === 'webhook') return [...ofAll, ...ofWebhooks]
  if (lane === 'fan_out') return ofAll
  if (lane === 'import') return [...ofAll, ...ofImports]
  if (lane === 'campaign.page') return [...ofAll, 'workspace_suspended', ...ofCampaigns]
  if (lane === 'mail.campaign') return [...ofAll, ...ofMail, ...ofCampaigns]
  return lane.startsWith('mail.') ? [...ofAll, ...ofMail] : [...ofAll, 'workspace_suspended']
}

export async function whyLane(app: App, workspace: Workspace, lane: Lane, around: Around): Promise<Reason[]> {
  const reasons = await general(app, workspace, around, stoppingCodes(lane))
  if (lane === 'campaign.page' || lane === 'mail.campaign') {
    const { rows } = await listCampaigns(app, workspace.id, { status: 'sending', limit: mostCampaigns })
    for (const campaign of rows) reasons.push(...(await listLimits(app, workspace, campaign)))
  }
  return inOrder([...reasons, ...(await aboutLane(app, { workspaceId: workspace.id, lane }, around))])
}

/** Throws not_found. */
export async function whyCampaign(
  app: App,
  workspace: Workspace,
  campaignId: string,
  around: Around,
): Promise<Reason[]> {
  const campaign = await getCampaign(app, workspace.id, campaignId)
  const { status, scheduledAt, updatedAt: since } = campaign
  if (status === 'sent' || status === 'cancelled' || status === 'failed')
    return [because('ended', { since, detail: status })]
  const reasons = await general(app, workspace, around, [...ofAll, ...ofMail])
  if (status === 'paused') return inOrder([...reasons, paused(campaign)])
  if (status !== 'sending') {
    const own =
      status === 'scheduled' ? 'campaign_scheduled' : status === 'approved' ? 'campaign_approved' : 'campaign_draft'
    const approval = await missingApproval(app, campaign)
    const sender = await checkSenderNow(app, workspace, campaign)
    return inOrder([...reasons, ...approval, ...sender.refused, because(own, { since, until: scheduledAt })])
  }
  reasons.push(...(await listLimits(app, workspace, campaign)), ...(await listJobs(app, campaign, around)))
  return inOrder(reasons.length === 0 ? [because('preparing', { since })] : reasons)
}

/** Throws not_found. */
export async function whyMessage(app: App, workspace: Workspace, messageId: string, around: Around): Promise<Reason[]> {
  const record = await getActivity(app, workspace.id, messageId)
  const { status, kind, updatedAt: since, campaignId } = record.message
  const last = record.events.at(-1)
  const detail = [status, last?.code, last?.detail].filter((part) => part !== undefined && part !== null).join(': ')
  if (status === 'uncertain') return [asAttention({ code: 'mail_uncertain', since, workspaceId: workspace.id, detail })]
  if (status !== 'queued' && status !== 'sending' && status !== 'delayed')
    return [because('ended', { since, detail }), ...(await keptHere(app, workspace, around, status))]
  const domain = addressDomain(record.message.email).toLowerCase()
  const receivers = [domain, app.mailer.receiverOf(domain)]
  const reasons = (await general(app, workspace, around, [...ofAll, ...ofMail])).filter(
    ({ code, thing }) => !ofDomains.includes(code) || thing === null || receivers.includes(thing.id),
  )
  const isOfCampaign = kind === 'campaign' && campaignId !== null
  const campaign = isOfCampaign ? await getCampaign(app, workspace.id, campaignId) : null
  if (campaign?.status === 'paused') reasons.push(paused(campaign))
  return inOrder([...reasons, ...(await objections(app, record, campaign)), ...(await aboutJob(app, record, around))])
}

/** Of a delivery to a webhook endpoint. Throws not_found. */
export async function whyDelivery(
  app: App,
  workspace: Workspace,
  { endpointId, deliveryId }: { endpointId: string; deliveryId: string },
  around: Around,
): Promise<Reason[]> {
  const endpoint = await getEndpoint(app, workspace.id, endpointId)
  const { state, jobId, updatedAt: since } = await getDelivery(app, endpoint.id, deliveryId)
  if (state !== 'pending') return [because('ended', { since, detail: state })]
  const reasons = (await general(app, workspace, around, [...ofAll, ...ofWebhooks])).filter(
    ({ thing }) => thing === null || thing.id === endpointId,
  )
  return inOrder([...reasons, ...(await aboutOneJob(app, jobId, around))])
}

/** The obstacles for everything, the outermost first. */
async function general(app: App, workspace: Workspace, around: Around, wanted: AttentionCode[]): Promise<Reason[]> {
  const items = await listAttention(app, workspace, { ...around, operator: true })
  const faults = await listSendingFaults(app, app.clock.now(), workspace.id)
  const about = (item: Item) => {
    const found = faults.map((fault) => ({ ...ofFault(fault, parseScope(fault.scope).workspaceId), fault }))
    const isSame = (one: Finding) => one.code === item.code && one.workspaceId === item.workspaceId
    const isThere = ({ scope }: Fault) => item.relayId === undefined || parseScope(scope).relayId === item.relayId
    const isIt = (one: (typeof found)[number]) => isSame(one) && isThere(one.fault) && one.thing?.id === item.thing?.id
    const fault = found.find(isIt)?.fault
    if (fault === undefined) return {}
    const { relayId, domain } = parseScope(fault.scope)
    return { until: fault.heldUntil, path: { relayId, receiver: domain } }
  }
  const found = items.filter(({ code }) => wanted.includes(code)).map((item) => asAttention(item, about(item)))
  const isHeld = found.some(({ code }) => code === 'sending_held' || code === 'dispatcher_stopped')
  const off = isHeld ? [] : await notServed(app, around)
  return [...off, ...((await takesWrites(app)) ? [] : [because('database_hangs')]), ...found]
}

/** Waits for the lock that each write needs, and writes nothing. */
async function takesWrites(app: App): Promise<boolean> {
  const looked = write(app, async (tx) => {
    await tx.db.select().from(installation).limit(1)
    return true
  })
  return await withDeadline(
    looked.catch(() => false),
    writeWithinMs,
    false,
  )
}

/** Asked by a process that does not send itself. */
async function notServed(app: App, { vitals }: Around): Promise<Reason[]> {
  if (vitals !== undefined && vitals.lastTickAt() !== null) return []
  const off = await serverOff(app)
  return off === null ? [] : [asAttention({ code: 'server_off', workspaceId: null, ...off })]
}

function paused(campaign: Campaign): Reason {
  return asAttention({ ...ofPaused(campaign), workspaceId: campaign.workspaceId })
}

async function missingApproval(app: App, campaign: Campaign): Promise<Reason[]> {
  const message = await findRefusal(() => mustBeApproved(app, campaign, { byPerson: false }))
  return message === null ? [] : [because('approval_missing', { detail: message })]
}

async function checkSenderNow(app: App, workspace: Workspace, campaign: Campaign) {
  let domain = ''
  const message = await findRefusal(async () => {
    domain = (await checkSender(app, workspace, campaign)).domain
  })
  const thing = { id: campaign.id, name: campaign.name }
  return { domain, refused: message === null ? [] : [because('sender_refused', { detail: message, thing })] }
}

/** The words of the refusal; null for none. */
async function findRefusal(check: () => Promise<void>): Promise<string | null> {
  try {
    await check()
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** Why a campaign that is being sent prepares no more mails. */
async function listLimits(app: App, workspace: Workspace, campaign: Campaign): Promise<Reason[]> {
  const { domain, refused } = await checkSenderNow(app, workspace, campaign)
  const counts = await loadCounts(app, campaign.id)
  if (counts.queued === 0) return refused
  const thing = { id: campaign.id, name: campaign.name }
  if (counts.delayed >= maxDelayed)
    return [...refused, because('many_delayed', { detail: String(counts.delayed), until: campaign.nextSendAt, thing })]
  const settings = await loadCampaignSettings(app, workspace.id)
  const now = app.clock.now()
  const { remaining, used, cap, by, nextAt } = await loadAllowance(app, workspace, { settings, domain, now })
  if (remaining > 0) return [...refused, ...(await listPutAside(app, campaign, now))]
  const detail = `${used} of ${cap}, by ${by === 'level' ? `trust level ${workspace.trustLevel}` : by}; ${counts.queued} wait`
  return [...refused, because('capped', { detail, until: nextAt, thing })]
}

async function listPutAside(app: App, campaign: Campaign, now: Date): Promise<Reason[]> {
  const { id, name, localTime } = campaign
  const waiting = await countPutAside(app, id, now)
  if (waiting === 0) return []
  const local = localTime === null ? '' : `; it leaves at ${localTime} in the zone of each`
  const until = await findNextDeparture(app, id)
  const thing = { id, name }
  if (until !== null && until >= untilWinner)
    return [because('awaits_winner', { detail: `${waiting} wait`, until: campaign.winnerDueAt, thing })]
  return [because('put_aside', { detail: `${waiting} wait${local}`, until, thing })]
}

async function listJobs(app: App, campaign: Campaign, around: Around): Promise<Reason[]> {
  const { workspaceId, id: partitionKey } = campaign
  const pages = await aboutPartition(app, { workspaceId, lane: pagePolicy.lane, partitionKey }, around)
  const mails = await aboutPartition(app, { ...deliveryPartition(campaign), lane: 'mail.campaign' }, around)
  return [...mails, ...pages.map((one) => (one.code === 'due' ? because('preparing', { since: one.since }) : one))]
}

/** Why its recipient would not get it now. */
async function objections(app: App, { message }: ActivityRecord, campaign: Campaign | null): Promise<Reason[]> {
  const { id: messageId, contactId, email } = message
  if (campaign !== null && contactId !== null) {
    const [facts] = await loadFacts(app, campaign, [{ contactId, messageId, email }], app.clock.now())
    const objection = facts === undefined ? null : findObjection(facts, app.clock.now())
    return objection === null ? [] : [because('not_eligible', { detail: `${objection.outcome}: ${objection.message}` })]
  }
  const [suppressed] = await findSuppressions(app, [message])
  return suppressed ? [because('not_eligible', { detail: `suppressed: ${suppressed}` })] : []
}

async function aboutJob(app: App, { message, attempts }: ActivityRecord, around: Around): Promise<Reason[]> {
  return await aboutOneJob(app, message.jobId, around, attempts.at(-1)?.startedAt)
}

async function aboutOneJob(
  app: App,
  jobId: string | null,
  { vitals }: Around,
  since: Date | null = null,
): Promise<Reason[]> {
  const [job] = await app.db
    .select()
    .from(outboxJobs)
    .where(eq(outboxJobs.id, jobId ?? ''))
  if (!job) return [because('no_job')]
  if (job.state === 'pending') return [await whyWaiting(app, job, vitals)]
  if (job.state === 'held') return [because('held')]
  return [because('running', { since, detail: `attempt ${job.attempt}` })]
}

/** Captured mail has ended too, and will never arrive. */
async function keptHere(app: App, workspace: Workspace, around: Around, status: string): Promise<Reason[]> {
  return status === 'sent' ? await general(app, workspace, around, ['capture_mode']) : []
}
