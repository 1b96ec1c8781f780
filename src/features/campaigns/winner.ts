// The winner of a test: chosen by the clicks of people at its time, or by hand before. Everybody who waits gets it.

import { eq } from 'drizzle-orm'
import { campaigns } from '../../../db/tables/campaigns.ts'
import { type Tx, write } from '../../core/app.ts'
import { ensureJob } from '../../core/outbox/enqueue.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { hour, minute, second } from '../../kit/duration.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { findVariant } from './ab-test.ts'
import type { Campaign } from './campaign.ts'
import { publishCampaign } from './campaign-events.ts'
import { getCampaign } from './campaigns.ts'
import { loadCounts } from './ledger.ts'
import { judge, type TestVerdict } from './significance.ts'
import { resultsOf } from './test-results.ts'
import { pagePolicy, wakePages } from './wake.ts'

interface DueWinner {
  campaignId: string
}

const isRunning = ({ status }: Campaign) => status === 'sending' || status === 'paused'

/** Runs when the time of a test is over. One that was chosen by hand meanwhile stays. */
export const chooseWinner = defineJob<DueWinner>({
  kind: 'campaign.winner',
  lane: pagePolicy.lane,
  timeoutMs: minute,
  attemptsMax: 20,
  retryDelaysMs: [second, 10 * second, minute],
  async run(app, { workspaceId, payload }) {
    await write(app, async (tx) => {
      const campaign = await getCampaign(tx, workspaceId, payload.campaignId)
      if (!isRunning(campaign) || campaign.winner !== null || campaign.winnerDueAt === null) return
      const verdict = await verdictOn(tx, campaign)
      const leader = verdict.leader ?? campaign.test?.variants[0]?.name
      if (leader !== undefined) await setWinner(tx, campaign, leader, verdict)
    })
    return { outcome: 'done' }
  },
})

/**
 * All who are tested have their mail, and everybody else waits. Where clicks decide, the time begins now; asked again, it goes on. By hand
 * nothing is due.
 */
export async function awaitWinner(tx: Tx, campaign: Campaign): Promise<void> {
  const { id: campaignId, workspaceId, test } = campaign
  if (test?.winner?.by !== 'clicks') return
  const winnerDueAt = campaign.winnerDueAt ?? new Date(tx.now.getTime() + test.winner.afterHours * hour)
  await tx.db.update(campaigns).set({ winnerDueAt, nextSendAt: winnerDueAt }).where(eq(campaigns.id, campaignId))
  const job = { workspaceId, payload: { campaignId }, partitionKey: campaignId, dedupeKey: campaignId }
  await ensureJob(tx, chooseWinner, { ...job, runAt: winnerDueAt })
}

/** Throws 422 for a name that no variant has, 409 when there is nothing to choose. */
export async function chooseByHand(tx: Tx, workspaceId: string, campaignId: string, name: string): Promise<void> {
  const campaign = await getCampaign(tx, workspaceId, campaignId)
  mustAwaitWinner(campaign)
  if (findVariant(campaign, name) === null) {
    const names = campaign.test?.variants.map((one) => one.name).join(', ')
    throw invalidField('variant', `must be one of ${names}`, 'unknown_variant')
  }
  await setWinner(tx, campaign, name, await verdictOn(tx, campaign))
}

function mustAwaitWinner(campaign: Campaign): void {
  const refusal = (message: string) => new AppError('invalid_state_transition', message)
  if (campaign.test === null) throw refusal('the campaign has no test')
  if (campaign.test.winner === null) throw refusal('everybody is tested: nobody is left to get a winner')
  if (campaign.winner !== null) throw refusal(`the winner was chosen already: ${campaign.winner}`)
  if (!isRunning(campaign) || campaign.startedAt === null)
    throw refusal(`a campaign that is ${campaign.status} has no winner to choose`)
}

async function verdictOn(tx: Tx, campaign: Campaign): Promise<TestVerdict> {
  return judge(resultsOf(campaign, await loadCounts(tx, campaign.id)))
}

async function setWinner(tx: Tx, campaign: Campaign, winner: string, { sentence }: TestVerdict): Promise<void> {
  const { id: campaignId, workspaceId } = campaign
  const chosen = { winner, winnerChosenAt: tx.now, nextSendAt: null, updatedAt: tx.now }
  await tx.db.update(campaigns).set(chosen).where(eq(campaigns.id, campaignId))
  await publishCampaign(tx, campaign, 'campaign.winnerChosen', { winner, sentence })
  if (campaign.status === 'sending') await wakePages(tx, { workspaceId, campaignId })
}
