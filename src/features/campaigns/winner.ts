// The winner of a test: chosen by the clicks of people at its time, or by hand before. Everybody who waits gets it.

import { eq } from 'drizzle-orm'
import type { AbTest } from '../../../db/tables/ab-tests.ts'
import { campaigns } from '../../../db/tables/campaigns.ts'
import { type Tx, write } from '../../core/app.ts'
import { ensureJob } from '../../core/outbox/enqueue.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { hour, minute, second } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { resultsOf } from '../ab-tests/results.ts'
import { judge, type TestVerdict } from '../ab-tests/significance.ts'
import { firstOf, getVariant } from '../ab-tests/variants.ts'
import type { Campaign } from './campaign.ts'
import { publishCampaign } from './campaign-events.ts'
import { getCampaign } from './campaigns.ts'
import { loadCounts } from './ledger.ts'
import { pagePolicy, wakePages } from './wake.ts'

interface DueWinner {
  campaignId: string
}

const isRunning = ({ status }: Pick<Campaign, 'status'>) => status === 'sending' || status === 'paused'

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
      if (campaign.test === null) return
      const verdict = await verdictOn(tx, campaign.id, campaign.test)
      await setWinner(tx, campaign, verdict.leader ?? firstOf(campaign.test), verdict)
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
  const test = awaiting(campaign)
  const { name: winner } = getVariant(test, name)
  await setWinner(tx, campaign, winner, await verdictOn(tx, campaignId, test))
}

/** Its test, of which a winner can be chosen. */
function awaiting({ test, winner, startedAt, status }: Campaign): AbTest {
  const refusal = (message: string) => new AppError('invalid_state_transition', message)
  if (test === null) throw refusal('the campaign has no test')
  if (test.winner === null) throw refusal('everybody is tested: nobody is left to get a winner')
  if (winner !== null) throw refusal(`the winner was chosen already: ${winner}`)
  if (!isRunning({ status }) || startedAt === null)
    throw refusal(`a campaign that is ${status} has no winner to choose`)
  return test
}

async function verdictOn(tx: Tx, campaignId: string, test: AbTest): Promise<TestVerdict> {
  return judge(resultsOf(test, await loadCounts(tx, campaignId)))
}

async function setWinner(tx: Tx, campaign: Campaign, winner: string, { sentence }: TestVerdict): Promise<void> {
  const { id: campaignId, workspaceId } = campaign
  const chosen = { winner, winnerChosenAt: tx.now, nextSendAt: null, updatedAt: tx.now }
  await tx.db.update(campaigns).set(chosen).where(eq(campaigns.id, campaignId))
  await publishCampaign(tx, campaign, 'campaign.winnerChosen', { winner, sentence })
  if (campaign.status === 'sending') await wakePages(tx, { workspaceId, campaignId })
}
