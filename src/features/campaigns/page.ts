// The job that drives a campaign: copies the audience to the ledger page by page, and keeps the window of prepared mails filled. Every page
// is one transaction, so it can be killed at any time; there is at most one such job per campaign.

import { eq, type SQL, sql } from 'drizzle-orm'
import { campaignRecipients, campaigns } from '../../../db/tables/campaigns.ts'
import { type App, Steps, type Tx, write } from '../../core/app.ts'
import { defineJob, type JobControl, type JobResult } from '../../core/outbox/job.ts'
import { cancelJobs } from '../../core/outbox/waiting.ts'
import { minute, second } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { approvalMissing, hasGrown, isGuarded, toPauseReason } from './approval.ts'
import { contactsPerPage, takeSnapshotPage } from './audience.ts'
import type { Campaign } from './campaign.ts'
import { getCampaign } from './campaigns.ts'
import { deliverCampaignMail } from './deliver.ts'
import { awaiting, type Fill, fillBatch } from './fill.ts'
import { recipientsPerBatch, refillBelow } from './fill-window.ts'
import { countAudience, endIfComplete, loadCounts, moveQueued } from './ledger.ts'
import { pauseSending } from './pause.ts'
import { checkSender } from './reputation/sender-check.ts'
import { loadSendContext, revisionFor } from './send-context.ts'
import { mustShareDomain } from './test-senders.ts'
import { deliveryPartition, type PagePayload, pagePolicy, wakePages } from './wake.ts'
import { awaitWinner } from './winner.ts'

/** How long one execution continues; the next one follows at once. */
const turnMs = 5 * second
/** How many recipients are cancelled at once. */
const cancelBatch = { least: 20, most: 200 }
/** The code of a page that left nobody open in a cancelled campaign. */
const allCancelled = 'cancelled'

export const campaignPage = defineJob<PagePayload>({
  ...pagePolicy,
  timeoutMs: 5 * minute,
  retryDelaysMs: [second, 10 * second, minute],

  async run(app, { workspaceId, payload }, { signal, progressed }) {
    const campaign = await getCampaign(app, workspaceId, payload.campaignId)
    const until = performance.now() + turnMs
    const turn = { more: () => !signal.aborted && performance.now() < until, progressed }
    if (campaign.status === 'cancelled') return await cancelOpen(app, campaign, turn)
    if (campaign.status !== 'sending') return { outcome: 'done', code: campaign.status }
    return await carryOn(app, campaign, turn)
  },

  async ended(tx, ended) {
    for (const { job, ending } of ended) {
      const { workspaceId, payload, attempt, attemptsMax } = job
      const { campaignId: id } = payload
      if (ending.state === 'dead') await pauseFailed(tx, { id, workspaceId }, ending.detail, attempt >= attemptsMax)
      else if (ending.state === 'done') await askAgain(tx, workspaceId, id, ending.code)
    }
  },
})

interface Turn extends Pick<JobControl, 'progressed'> {
  more(): boolean
}

async function carryOn(app: App, campaign: Campaign, { more, progressed }: Turn): Promise<JobResult> {
  const { workspaceId } = campaign
  const fill = await loadFill(app, campaign)
  if (fill === null) return { outcome: 'done', code: 'paused' }
  const pages = new Steps(app, workspaceId, contactsPerPage)
  const batches = new Steps(app, workspaceId, recipientsPerBatch)
  let taken = campaign.snapshotDoneAt !== null
  while (more()) {
    if (!taken)
      taken = await pages.write(
        async (tx, size) => (await ifSending(tx, campaign, (current) => takePage(tx, current, size))) ?? true,
      )
    const outcome = await batches.write(
      async (tx, size) => (await ifSending(tx, campaign, () => fillBatch(tx, fill, size)))?.outcome ?? 'full',
    )
    if (taken && outcome !== 'filled') return { outcome: 'done', code: outcome }
    await progressed()
  }
  return { outcome: 'done', code: 'more' }
}

/** True when it was the last. Somebody may have joined between the begin and now. */
async function takePage(tx: Tx, campaign: Campaign, size: number): Promise<boolean> {
  const isLast = await takeSnapshotPage(tx, campaign, size)
  const audience = campaign.watched?.audience ?? null
  if (audience === null || !(await isGuarded(tx, campaign))) return isLast
  const counts = await loadCounts(tx, campaign.id)
  const newcomers = countAudience(counts) - counts.unconfirmed - audience
  if (!hasGrown(audience, newcomers)) return isLast
  await tx.db.update(campaigns).set({ newcomers }).where(eq(campaigns.id, campaign.id))
  await pauseSending(tx, campaign, approvalMissing)
  return true
}

/** Null when it is no longer being sent. */
async function ifSending<T>(
  tx: Tx,
  { workspaceId, id }: Campaign,
  step: (current: Campaign) => Promise<T>,
): Promise<T | null> {
  const current = await getCampaign(tx, workspaceId, id)
  return current.status === 'sending' ? await step(current) : null
}

/** What every batch needs. Null when the sender may no longer send, or there is no content: then the campaign is paused. */
async function loadFill(app: App, campaign: Campaign): Promise<Fill | null> {
  const context = await loadSendContext(app, campaign.workspaceId, campaign.id)
  try {
    if (context.refusal !== null) throw context.refusal
    const { sender, domain } = await checkSender(app, context.workspace, campaign)
    mustShareDomain(campaign, domain)
    revisionFor(context, null)
    return { context, sender, domain }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await write(app, (tx) => pauseSending(tx, campaign, toPauseReason(error)))
    return null
  }
}

/** When a page fails again and again, the campaign stops where it is, and can be resumed. */
async function pauseFailed(
  tx: Tx,
  campaign: Pick<Campaign, 'id' | 'workspaceId'>,
  detail: string | null,
  exhausted: boolean,
): Promise<void> {
  await pauseSending(tx, campaign, exhausted ? `failed: ${detail ?? 'no detail'}`.slice(0, 200) : 'failed')
}

/** After each page, in the transaction of its end: is there more to do, and when? */
async function askAgain(tx: Tx, workspaceId: string, campaignId: string, code: string | null): Promise<void> {
  const [campaign] = await tx.db.select().from(campaigns).where(eq(campaigns.id, campaignId))
  if (!campaign) return
  if (campaign.status === 'cancelled') {
    if (code !== allCancelled) await wakePages(tx, { workspaceId, campaignId })
    return
  }
  if (campaign.status !== 'sending' || (await endIfComplete(tx, campaignId))) return
  if (code === awaiting && campaign.winner === null) return await awaitWinner(tx, campaign)
  const counts = await loadCounts(tx, campaignId)
  if (campaign.snapshotDoneAt === null) await wakePages(tx, { workspaceId, campaignId })
  else if (counts.queued > 0 && counts.sending <= refillBelow)
    await wakePages(tx, { workspaceId, campaignId }, campaign.nextSendAt ?? tx.now)
}

/** Gives recipients of a cancelled campaign without an outcome the outcome `cancelled`; a running delivery finds out at its hand-over. */
async function cancelOpen(app: App, campaign: Campaign, { more, progressed }: Turn): Promise<JobResult> {
  const steps = new Steps(app, campaign.workspaceId, cancelBatch)
  while (more()) {
    const left = await steps.write(async (tx, limit) => {
      const cancelled = await cancelQueued(tx, campaign.id, limit * 5)
      const jobs = await cancelJobs(tx, [deliverCampaignMail], { ...deliveryPartition(campaign), limit })
      return cancelled + jobs.size
    })
    if (left === 0) return { outcome: 'done', code: allCancelled }
    await progressed()
  }
  return { outcome: 'done', code: 'more' }
}

/** First those that were not looked at, then those put aside. */
async function cancelQueued(tx: Tx, campaignId: string, limit: number): Promise<number> {
  const queued = (which: SQL) =>
    tx.db
      .select({ contactId: campaignRecipients.contactId })
      .from(campaignRecipients)
      .where(sql`campaign_id = ${campaignId} AND state = 'queued' AND ${which}`)
      .limit(limit)
  const cursor = sql`(SELECT fill_cursor FROM campaigns WHERE id = ${campaignId})`
  const next = await queued(sql`contact_id > ${cursor}`).orderBy(campaignRecipients.contactId)
  const rows = next.length > 0 ? next : await queued(sql`send_after IS NOT NULL`)
  if (rows.length === 0) return 0
  const cancelled = { state: 'cancelled', reason: 'campaign_cancelled', messageId: null, variant: null } as const
  await moveQueued(
    tx,
    campaignId,
    rows.map(({ contactId }) => ({ contactId, ...cancelled })),
  )
  const last = next.at(-1)
  if (last) await tx.db.update(campaigns).set({ fillCursor: last.contactId }).where(eq(campaigns.id, campaignId))
  return rows.length
}
