// How a campaign moves from state to state (docs/choices.md, rows 68-71): approve, schedule, send, pause, resume, cancel. Each is one
// transaction that reads the state first, so a second send finds `sending` and sends nothing.

import { and, eq } from 'drizzle-orm'
import { type CampaignStatus, campaigns } from '../../db/tables/campaigns.ts'
import { type App, type Tx, write } from '../app.ts'
import { day, hour, minute } from '../lib/duration.ts'
import { AppError, invalidField } from '../lib/error.ts'
import { parseTime } from '../lib/time.ts'
import { defineJob } from '../outbox/job.ts'
import { enqueue } from '../outbox/outbox.ts'
import { getWorkspace, type Workspace } from '../workspaces/workspaces.ts'
import { publishCampaign } from './campaign-events.ts'
import { type Campaign, getCampaign } from './campaigns.ts'
import { contentHash, effectiveContents, freezeContents, noContent } from './contents.ts'
import { checkSender } from './sender-check.ts'
import { haltDeliveries, letGoDeliveries, wakePages } from './wake.ts'

/** A schedule that is overdue by more waits for a click: its moment has passed (row 71). */
const missedAfterMs = hour
/** A campaign that may begin. */
export const sendable: CampaignStatus[] = ['draft', 'approved', 'scheduled']
const maxScheduleMs = 365 * day

/** Binds what it says now: an edit makes it a draft again. */
export async function approveCampaign(tx: Tx, workspaceId: string, id: string, approvedBy: string): Promise<Campaign> {
  const campaign = await inState(tx, workspaceId, id, ['draft', 'approved'], 'approved')
  if ((await effectiveContents(tx, campaign)).length === 0) throw noContent(campaign)
  const approvedHash = await contentHash(tx, campaign)
  return await change(tx, campaign, { status: 'approved', approvedHash, approvedBy, approvedAt: tx.now })
}

/** `at` as ISO 8601 with its offset, or local to the workspace's time zone (`2027-01-15T12:00`). */
export async function scheduleCampaign(tx: Tx, workspace: Workspace, id: string, at: Date): Promise<Campaign> {
  const campaign = await inState(tx, workspace.id, id, sendable, 'scheduled')
  await mustBeAsApproved(tx, campaign)
  if ((await effectiveContents(tx, campaign)).length === 0) throw noContent(campaign)
  await enqueue(tx, startScheduled, {
    workspaceId: workspace.id,
    payload: { campaignId: id, at: at.getTime() },
    partitionKey: id,
    runAt: at,
  })
  await publishCampaign(tx, campaign, 'campaign.scheduled', { scheduledAt: at.toISOString() })
  return await change(tx, campaign, { status: 'scheduled', scheduledAt: at })
}

/** Throws 422 for what is no time, has passed, or is more than a year ahead. */
export function scheduleTime(workspace: Workspace, text: string, now: Date): Date {
  const at = parseTime(text) ?? localTime(text, workspace.timeZone)
  if (at === null) {
    throw invalidField(
      'scheduledAt',
      'must be an ISO 8601 time like 2027-01-15T12:00:00Z, or 2027-01-15T12:00 in the time zone of the workspace',
      'invalid_time',
    )
  }
  if (at.getTime() <= now.getTime()) throw invalidField('scheduledAt', 'has passed', 'invalid_time')
  if (at.getTime() - now.getTime() > maxScheduleMs)
    throw invalidField('scheduledAt', 'must be at most 365 days ahead', 'invalid_time')
  return at
}

/** A wall-clock time in a zone. A time that a change of clocks skips is taken as one hour later. */
function localTime(text: string, timeZone: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return null
  const wanted = parseTime(`${text}Z`)
  if (wanted === null) return null
  // Twice: the offset at the first guess may be the one of the other side of a change of clocks.
  const once = new Date(wanted.getTime() - offsetAt(wanted, timeZone))
  return new Date(wanted.getTime() - offsetAt(once, timeZone))
}

function offsetAt(at: Date, timeZone: string): number {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)
  const wall = new Date(`${shown.replace(' ', 'T')}Z`).getTime()
  return wall - Math.floor(at.getTime() / 1_000) * 1_000
}

export async function unscheduleCampaign(tx: Tx, workspaceId: string, id: string): Promise<Campaign> {
  const campaign = await inState(tx, workspaceId, id, ['scheduled'], 'draft')
  const status = campaign.approvedHash === null ? 'draft' : 'approved'
  return await change(tx, campaign, { status, scheduledAt: null })
}

/** Begins to send. The sender was checked (checkSender). */
export async function startCampaign(tx: Tx, workspaceId: string, id: string): Promise<Campaign> {
  const campaign = await inState(tx, workspaceId, id, sendable, 'sending')
  return await begin(tx, campaign)
}

async function begin(tx: Tx, campaign: Campaign): Promise<Campaign> {
  const { workspaceId, id: campaignId } = campaign
  await mustBeAsApproved(tx, campaign)
  await freezeContents(tx, campaign)
  const started = await change(tx, campaign, { status: 'sending', startedAt: tx.now, pauseReason: null })
  await wakePages(tx, { workspaceId, campaignId })
  await publishCampaign(tx, campaign, 'campaign.started')
  return started
}

export async function pauseCampaign(tx: Tx, workspaceId: string, id: string): Promise<Campaign> {
  const campaign = await inState(tx, workspaceId, id, ['sending'], 'paused')
  await haltDeliveries(tx, campaign)
  await publishCampaign(tx, campaign, 'campaign.paused', { reason: 'manual' })
  return await change(tx, campaign, { status: 'paused', pauseReason: 'manual', nextSendAt: null })
}

/** Goes on where it stopped; one that missed its window begins. */
export async function resumeCampaign(tx: Tx, workspaceId: string, id: string): Promise<Campaign> {
  const campaign = await inState(tx, workspaceId, id, ['paused'], 'sending')
  if (campaign.startedAt === null) return await begin(tx, campaign)
  const resumed = await change(tx, campaign, { status: 'sending', pauseReason: null })
  await letGoDeliveries(tx, campaign)
  await wakePages(tx, { workspaceId, campaignId: id })
  return resumed
}

/** Whoever has not been sent to will not be; the page job gives each of them the outcome. */
export async function cancelCampaign(tx: Tx, workspaceId: string, id: string): Promise<Campaign> {
  const allowed: CampaignStatus[] = ['draft', 'approved', 'scheduled', 'sending', 'paused']
  const campaign = await inState(tx, workspaceId, id, allowed, 'cancelled')
  if (campaign.startedAt !== null) await wakePages(tx, { workspaceId, campaignId: id })
  return await change(tx, campaign, { status: 'cancelled', endedAt: tx.now, scheduledAt: null, nextSendAt: null })
}

/** The cap has changed: campaigns that wait for the next day look again. */
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

/** Throws `invalid_state_transition` naming the state it is in. */
export function mustBeIn({ status }: Campaign, from: CampaignStatus[], to: CampaignStatus): void {
  if (from.includes(status)) return
  throw new AppError('invalid_state_transition', `a campaign that is ${status} cannot become ${to}`, {
    extra: { campaignStatus: status },
  })
}

async function change(tx: Tx, campaign: Campaign, to: Partial<Campaign>): Promise<Campaign> {
  const given = { ...to, updatedAt: tx.now }
  await tx.db.update(campaigns).set(given).where(eq(campaigns.id, campaign.id))
  return { ...campaign, ...given }
}

/** What was approved is what is sent: a template that changed since then is not. */
async function mustBeAsApproved(tx: Tx, campaign: Campaign): Promise<void> {
  if (campaign.approvedHash === null || campaign.approvedHash === (await contentHash(tx, campaign))) return
  throw new AppError('invalid_state_transition', 'the content has changed since it was approved; approve it again')
}

/** Runs at the time of a schedule; an older schedule of the same campaign finds another time and does nothing. */
export const startScheduled = defineJob<{ campaignId: string; at: number }>({
  kind: 'campaign.start',
  lane: 'campaign.page',
  timeoutMs: minute,
  attemptsMax: 5,
  retryDelaysMs: [10_000, minute],
  async run(app, { workspaceId, payload }) {
    const { campaignId, at } = payload
    const [campaign] = await app.db.select().from(campaigns).where(eq(campaigns.id, campaignId))
    if (campaign?.status !== 'scheduled' || campaign.scheduledAt?.getTime() !== at)
      return { outcome: 'done', code: 'superseded' }
    const late = app.clock.now().getTime() - at
    const reason = late > missedAfterMs ? 'missed_window' : await startOrReason(app, workspaceId, campaign)
    if (reason !== null) await write(app, (tx) => setAside(tx, campaign, reason))
    return { outcome: 'done', ...(reason === null ? {} : { code: reason }) }
  },
})

/** Null when it began; else the code of what stands against it. */
async function startOrReason(app: App, workspaceId: string, campaign: Campaign): Promise<string | null> {
  try {
    await checkSender(app, await getWorkspace(app, workspaceId), campaign)
    await write(app, (tx) => startCampaign(tx, workspaceId, campaign.id))
    return null
  } catch (error) {
    if (error instanceof AppError && error.code !== 'database_unavailable') return error.code
    throw error
  }
}

async function setAside(tx: Tx, campaign: Campaign, pauseReason: string): Promise<void> {
  await change(tx, campaign, { status: 'paused', pauseReason })
  await publishCampaign(tx, campaign, 'campaign.paused', { reason: pauseReason })
}
