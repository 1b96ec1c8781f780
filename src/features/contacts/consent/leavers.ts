// Who leaves by a mail is counted: in the figures over time, for its campaign, and for the variant that it tests, of a campaign or of a send
// step. So are bounces and complaints of a step, which has no ledger.

import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { countOf } from '../../../../db/tables/ab-tests.ts'
import { campaignCounts, campaignRecipients } from '../../../../db/tables/campaigns.ts'
import { messages } from '../../../../db/tables/messages.ts'
import { sequenceTestCounts } from '../../../../db/tables/sequence-tests.ts'
import { sequencePath, sequenceRuns } from '../../../../db/tables/sequences.ts'
import type { Tx } from '../../../core/app.ts'
import { countFigures } from '../../sending/stats/count.ts'

export async function countLeaver(tx: Tx, messageId: string): Promise<void> {
  await countFigures(tx, [{ id: messageId, figure: 'left' }])
  await countOfCampaign(tx, messageId)
  await countOfStep(tx, messageId, 'left')
}

async function countOfCampaign(tx: Tx, messageId: string): Promise<void> {
  const { campaignId, contactId, variant } = campaignRecipients
  const [mailed] = await tx.db
    .select({ campaignId, variant })
    .from(messages)
    .innerJoin(campaignRecipients, and(eq(campaignId, messages.campaignId), eq(contactId, messages.contactId)))
    .where(eq(messages.id, messageId))
  if (!mailed) return
  const names = ['left', ...(mailed.variant === null ? [] : [countOf(mailed.variant, 'left')])]
  await tx.db
    .insert(campaignCounts)
    .values(names.map((name) => ({ campaignId: mailed.campaignId, name, count: 1 })))
    .onConflictDoUpdate({
      target: [campaignCounts.campaignId, campaignCounts.name],
      set: { count: sql`campaign_counts.count + 1` },
    })
}

/** Nothing for a mail that tests no variant of a step. */
export async function countOfStep(tx: Tx, messageId: string, figure: 'left' | 'bounced' | 'complained'): Promise<void> {
  const { stepId, variant } = sequencePath
  const [tested] = await tx.db
    .select({ sequenceId: sequenceRuns.sequenceId, stepId, variant })
    .from(sequencePath)
    .innerJoin(sequenceRuns, eq(sequenceRuns.id, sequencePath.runId))
    .where(and(eq(sequencePath.messageId, messageId), isNotNull(variant)))
  if (tested?.variant == null) return
  const { variant: of, ...step } = tested
  const { sequenceId: ofSequence, stepId: ofStep, version: ofVersion, name: ofName } = sequenceTestCounts
  await tx.db
    .insert(sequenceTestCounts)
    .values({ ...step, version: of.version, name: countOf(of.name, figure), count: 1 })
    .onConflictDoUpdate({
      target: [ofSequence, ofStep, ofVersion, ofName],
      set: { count: sql`sequence_test_counts.count + 1` },
    })
}
