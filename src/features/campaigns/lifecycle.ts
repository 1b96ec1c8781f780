// The state changes of a campaign: approve, schedule, send, pause, resume, cancel. Each is one transaction that reads the state first, so a
// second send finds `sending` and sends nothing.

import { and, eq } from 'drizzle-orm'
import { isUnavailable } from '../../../db/faults.ts'
import { type CampaignForecast, type CampaignStatus, campaigns } from '../../../db/tables/campaigns.ts'
import { type App, type Tx, write } from '../../core/app.ts'
import { enqueue } from '../../core/outbox/enqueue.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { hold, release } from '../../core/outbox/waiting.ts'
import { hour, minute } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { getWorkspace } from '../../people/workspaces.ts'
import { isGuarded, mustBeApproved, mustBeAsSeen, mustHaveApproval, type Starter } from './approval.ts'
import { approvedHash, type Counted, contentHash, countMembers, loadWatched } from './approved-hash.ts'
import { countAudience, countRecipients } from './audience.ts'
import type { Campaign } from './campaign.ts'
import { publishCampaign } from './campaign-events.ts'
import { getCampaign, unbound } from './campaigns.ts'
import { settingsIn } from './contents.ts'
import { checkSender } from './reputation/sender-check.ts'
import type { Schedule } from './schedule.ts'
import { contentsToSend, freezeContents } from './variant-contents.ts'
import { deliveryPartition, endSchedule, startPolicy, wakePages } from './wake.ts'

/** A schedule that is overdue by more than this needs a person to resume it. */
const missedAfterMs = hour
/** A campaign that may start. */
export const sendable: CampaignStatus[] = ['draft', 'approved', 'scheduled']

export interface Approval {
  /** The member. */
  approvedBy: string
  /** The hash of what the member saw. */
  contentHash: string
}

/** Binds what was seen: an edit makes it a draft again. Throws `revision_mismatch` when it has changed since. */
export async function approveCampaign(
  app: App,
  workspaceId: string,
  id: string,
  approval: Approval,
): Promise<Campaign> {
  const campaign = await getCampaign(app, workspaceId, id)
  const now = app.clock.now()
  const counted = {
    audience: await countAudience(app, campaign, now),
    recipients: await countRecipients(app, campaign, now),
  }
  return await write(app, (tx) => approve(tx, { workspaceId, id }, { ...approval, counted }))
}

async function approve(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
  approval: Approval & { counted: Counted },
): Promise<Campaign> {
  const campaign = await inState(tx, workspaceId, id, ['draft', 'approved'], 'approved')
  const { contents } = await contentsToSend(tx, campaign)
  mustBeAsSeen(approval.contentHash, await contentHash(tx, campaign))
  const approved = {
    settings: settingsIn(campaign),
    contents: contents.map(({ content: _, ...said }) => said),
  }
  const by = { approvedBy: approval.approvedBy, approvedAt: tx.now, refusedBy: null }
  return await change(tx, campaign, {
    status: 'approved',
    ...(await bound(tx, campaign, approval.counted)),
    approved,
    ...by,
  })
}

/** What it is now, and how many it is for. */
async function bound(tx: Tx, campaign: Campaign, counted: Counted): Promise<Partial<Campaign>> {
  const watched = await loadWatched(tx, campaign, counted)
  return { approvedHash: await approvedHash(tx, campaign), watched, newcomers: 0, shownChange: null }
}

/** A member who schedules, starts or resumes it approves it as it is, for all of its list, where that is asked for. */
async function boundByMember(tx: Tx, campaign: Campaign, { byPerson }: Starter): Promise<Partial<Campaign>> {
  if (!byPerson || !(await isGuarded(tx, campaign))) return {}
  const recipients = await countMembers(tx, campaign)
  return await bound(tx, campaign, { audience: campaign.startedAt === null ? recipients : null, recipients })
}

/** It needs no decision again before it is edited, and is no longer approved. */
export async function refuseCampaign(tx: Tx, workspaceId: string, id: string, approval: Approval): Promise<Campaign> {
  const campaign = await inState(tx, workspaceId, id, ['draft', 'approved'], 'draft')
  mustBeAsSeen(approval.contentHash, await contentHash(tx, campaign))
  const unapproved = { ...unbound, approvedBy: null, approvedAt: null }
  return await change(tx, campaign, { status: 'draft', ...unapproved, refusedBy: approval.approvedBy })
}

/** What a member schedules starts at its time if it is unchanged then; anything else needs an approval then. */
export async function scheduleCampaign(
  tx: Tx,
  workspaceId: string,
  id: string,
  { at, localTime, asker: starter, forecast = null }: Schedule & { asker: Starter; forecast?: CampaignForecast | null },
): Promise<Campaign> {
  const campaign = await inState(tx, workspaceId, id, sendable, 'scheduled')
  await mustBeApproved(tx, campaign, starter)
  await contentsToSend(tx, campaign)
  const wanted = starter.byPerson ? { wantedHash: await approvedHash(tx, campaign) } : {}
  const payload = { campaignId: id, at: at.getTime(), ...wanted }
  const approval = await boundByMember(tx, campaign, starter)
  const scheduled = await change(tx, campaign, {
    status: 'scheduled',
    scheduledAt: at,
    localTime,
    forecast,
    ...approval,
  })
  await enqueue(tx, startScheduled, { workspaceId, payload, partitionKey: id, runAt: at })
  await publishCampaign(tx, campaign, 'campaign.scheduled', { scheduledAt: at.toISOString() })
  return scheduled
}

export async function unscheduleCampaign(tx: Tx, workspaceId: string, id: string): Promise<Campaign> {
  const campaign = await inState(tx, workspaceId, id, ['scheduled'], 'draft')
  const isApproved = campaign.approvedBy !== null
  const status = isApproved ? 'approved' : 'draft'
  return await change(tx, campaign, {
    status,
    scheduledAt: null,
    localTime: null,
    forecast: null,
    ...(isApproved ? {} : unbound),
  })
}

/** Starts sending to everybody at once, whatever was scheduled. The sender was checked before (checkSender). */
export async function startCampaign(
  tx: Tx,
  workspaceId: string,
  id: string,
  { asker, forecast }: { asker: Starter; forecast: CampaignForecast },
): Promise<Campaign> {
  const campaign = await inState(tx, workspaceId, id, sendable, 'sending')
  return await begin(tx, { ...campaign, localTime: null, forecast }, asker)
}

/** The one place where a campaign starts, to leave at its local time where it has one. */
async function begin(tx: Tx, campaign: Campaign, starter: Starter): Promise<Campaign> {
  const { workspaceId, id: campaignId } = campaign
  await mustBeApproved(tx, campaign, starter)
  const frozen = await freezeContents(tx, campaign)
  const approval = await boundByMember(tx, campaign, starter)
  const { localTime, forecast } = campaign
  const started = await change(tx, campaign, {
    status: 'sending',
    startedAt: tx.now,
    localTime,
    forecast,
    pauseReason: null,
    ...frozen,
    ...approval,
  })
  await wakePages(tx, { workspaceId, campaignId })
  await publishCampaign(tx, campaign, 'campaign.started')
  return started
}

export async function pauseCampaign(tx: Tx, workspaceId: string, id: string): Promise<Campaign> {
  const campaign = await inState(tx, workspaceId, id, ['sending'], 'paused')
  await hold(tx, deliveryPartition(campaign))
  await publishCampaign(tx, campaign, 'campaign.paused', { reason: 'manual' })
  return await change(tx, campaign, { status: 'paused', pauseReason: 'manual', nextSendAt: null })
}

/** Continues where it stopped; a campaign that missed its window starts. */
export async function resumeCampaign(tx: Tx, workspaceId: string, id: string, starter: Starter): Promise<Campaign> {
  const campaign = await inState(tx, workspaceId, id, ['paused'], 'sending')
  if (campaign.startedAt === null) return await begin(tx, campaign, starter)
  await mustHaveApproval(tx, campaign, starter)
  const approval = await boundByMember(tx, campaign, starter)
  const resumed = await change(tx, campaign, { status: 'sending', pauseReason: null, ...approval })
  await release(tx, deliveryPartition(campaign))
  await wakePages(tx, { workspaceId, campaignId: id })
  return resumed
}

/** Recipients that were not sent to will not be; the page job gives each of them the outcome. */
export async function cancelCampaign(tx: Tx, workspaceId: string, id: string): Promise<Campaign> {
  const allowed: CampaignStatus[] = ['draft', 'approved', 'scheduled', 'sending', 'paused']
  const campaign = await inState(tx, workspaceId, id, allowed, 'cancelled')
  if (campaign.startedAt !== null) await wakePages(tx, { workspaceId, campaignId: id })
  return await change(tx, campaign, { status: 'cancelled', endedAt: tx.now, scheduledAt: null, nextSendAt: null })
}

/** The cap has changed: campaigns that wait for the next day check again. */
export async function wakeHeldBack(tx: Tx, workspaceId: string): Promise<void> {
  const waiting = await tx.db
    .update(campaigns)
    .set({ nextSendAt: null })
    .where(and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.status, 'sending')))
    .returning({ campaignId: campaigns.id })
  for (const { campaignId } of waiting) await wakePages(tx, { workspaceId, campaignId })
}

async function inState(
  tx: Tx,
  workspaceId: string,
  id: string,
  from: CampaignStatus[],
  to: CampaignStatus,
): Promise<Campaign> {
  const campaign = await getCampaign(tx, workspaceId, id)
  mustBeIn(campaign, from, to)
  return campaign
}

/** Throws `invalid_state_transition` naming its state. */
export function mustBeIn({ status }: Campaign, from: CampaignStatus[], to: CampaignStatus): void {
  if (from.includes(status)) return
  throw new AppError('invalid_state_transition', `a campaign that is ${status} cannot become ${to}`, {
    extra: { campaignStatus: status },
  })
}

async function change(tx: Tx, campaign: Campaign, to: Partial<Campaign>): Promise<Campaign> {
  if (to.status !== undefined && campaign.status === 'scheduled') await endSchedule(tx, campaign)
  const given = { ...to, updatedAt: tx.now }
  await tx.db.update(campaigns).set(given).where(eq(campaigns.id, campaign.id))
  return { ...campaign, ...given }
}

interface Scheduled {
  campaignId: string
  at: number
  /** The hash of what a member scheduled. */
  wantedHash?: string
}

/** Runs at the time of a schedule. One that runs as its schedule is taken back finds that, and does nothing. */
export const startScheduled = defineJob<Scheduled>({
  ...startPolicy,
  timeoutMs: minute,
  retryDelaysMs: [10_000, minute],
  async run(app, { payload }) {
    const { campaignId, at, wantedHash } = payload
    const [campaign] = await app.db.select().from(campaigns).where(eq(campaigns.id, campaignId))
    if (campaign?.status !== 'scheduled' || campaign.scheduledAt?.getTime() !== at)
      return { outcome: 'done', code: 'superseded' }
    const late = app.clock.now().getTime() - at
    const reason = late > missedAfterMs ? 'missed_window' : await startOrReason(app, campaign, wantedHash)
    if (reason !== null) await write(app, (tx) => setAside(tx, campaign, reason))
    return { outcome: 'done', ...(reason === null ? {} : { code: reason }) }
  },
})

/** Null when it started; else the code of what prevents it. */
async function startOrReason(app: App, campaign: Campaign, wantedHash?: string): Promise<string | null> {
  const { workspaceId, id } = campaign
  try {
    await checkSender(app, await getWorkspace(app, workspaceId), campaign)
    await write(app, async (tx) => {
      const current = await inState(tx, workspaceId, id, sendable, 'sending')
      const asScheduled = current.approvedHash !== null
      const byPerson = !asScheduled && wantedHash === (await approvedHash(tx, current))
      await begin(tx, current, { byPerson, asScheduled })
    })
    return null
  } catch (error) {
    if (error instanceof AppError && !isUnavailable(error)) return error.details.errors?.[0]?.code ?? error.code
    throw error
  }
}

async function setAside(tx: Tx, campaign: Campaign, pauseReason: string): Promise<void> {
  await change(tx, campaign, { status: 'paused', pauseReason })
  await publishCampaign(tx, campaign, 'campaign.paused', { reason: pauseReason })
}
