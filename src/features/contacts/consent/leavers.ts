// Who leaves by a mail that tests a variant, of a campaign or of a send step, is counted for that variant; so are bounces and complaints of a
// step, which has no ledger.

import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { countOf } from '../../../../db/tables/ab-tests.ts'
import { campaignCounts, campaignRecipients } from '../../../../db/tables/campaigns.ts'
import { messages } from '../../../../db/tables/messages.ts'
import { sequenceTestCounts } from '../../../../db/tables/sequence-tests.ts'
import { sequencePath, sequenceRuns } from '../../../../db/tables/sequences.ts'
import type { Tx } from '../../../core/app.ts'

export async function countLeaver(tx: Tx, messageId: string): Promise<void> {
  await countOfCampaign(tx, messageId)
  await countOfStep(tx, messageId, 'left')
}

async function countOfCampaign(tx: Tx, messageId: string): Promise<void> {
  const { campaignId, contactId, variant } = campaignRecipients
  const [tested] = await tx.db
    .select({ campaignId, variant })
    .from(messages)
    .innerJoin(campaignRecipients, and(eq(campaignId, messages.campaignId), eq(contactId, messages.contactId)))
    .where(and(eq(messages.id, messageId), isNotNull(variant)))
  if (tested?.variant == null) return
  await tx.db
    .insert(campaignCounts)
    .values({ campaignId: tested.campaignId, name: countOf(tested.variant, 'left'), count: 1 })
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
