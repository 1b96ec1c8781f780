// Who leaves by a mail that tests a variant of a campaign is counted for that variant.

import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { campaignCounts, campaignRecipients, countOf } from '../../../../db/tables/campaigns.ts'
import { messages } from '../../../../db/tables/messages.ts'
import type { Tx } from '../../../core/app.ts'

export async function countLeaver(tx: Tx, messageId: string): Promise<void> {
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
