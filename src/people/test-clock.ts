// The clock of a test workspace. Moving it moves the due times of what waits in the workspace, which looks the same and needs no second
// clock in every rule. Whatever is written afterwards uses the server's time as always.

import { sql } from 'drizzle-orm'
import { campaignMails, campaignRecipients, campaigns, untilWinner } from '../../db/tables/campaigns.ts'
import { confirmations } from '../../db/tables/lists.ts'
import { sequenceTests } from '../../db/tables/sequence-tests.ts'
import { idempotencyKeys } from '../../db/tables/workspaces.ts'
import { type App, write } from '../core/app.ts'
import { bringForward, readWaiting } from '../core/outbox/bring-forward.ts'
import { day, parseDuration } from '../kit/duration.ts'
import { invalidField } from '../kit/error.ts'
import { testIdOf } from '../kit/id.ts'

const longestMs = 400 * day

export interface TestClock {
  now: Date
  waiting: number
  nextDueAt: Date | null
}

export async function readTestClock(app: App, workspaceId: string): Promise<TestClock> {
  return { now: app.clock.now(), ...(await readWaiting(app, testIdOf(workspaceId))) }
}

/** Moves the clock of the workspace's test workspace, in one transaction. Throws `validation_failed`. */
export async function advanceTestClock(app: App, workspaceId: string, advance: string): Promise<number> {
  const byMs = parseDuration(advance)
  if (byMs === null || byMs <= 0 || byMs > longestMs)
    throw invalidField('advance', 'must be a duration like 90s, 15m, 12h or 7d, of at most 400d')
  const testId = testIdOf(workspaceId)
  return await write(app, async (tx) => {
    const moved = await bringForward(tx, testId, byMs)
    const ofContacts = sql`contact_id IN (SELECT id FROM contacts WHERE workspace_id = ${testId})`
    await tx.db
      .update(confirmations)
      .set({ expiresAt: sql`expires_at - ${byMs}` })
      .where(ofContacts)
    const mine = sql`workspace_id = ${testId}`
    await tx.db
      .update(campaignMails)
      .set({ sentAt: sql`sent_at - ${byMs}` })
      .where(mine)
    const ofCampaigns = sql`campaign_id IN (SELECT id FROM campaigns WHERE ${mine})`
    await tx.db
      .update(campaignRecipients)
      .set({ sendAfter: sql`send_after - ${byMs}` })
      .where(sql`${ofCampaigns} AND state = 'queued' AND send_after < ${untilWinner.getTime()}`)
    await tx.db
      .update(campaigns)
      .set({ winnerDueAt: sql`winner_due_at - ${byMs}` })
      .where(sql`${mine} AND winner_due_at IS NOT NULL AND winner IS NULL`)
    await tx.db
      .update(sequenceTests)
      .set({ winnerDueAt: sql`winner_due_at - ${byMs}` })
      .where(sql`${mine} AND winner_due_at IS NOT NULL AND winner IS NULL`)
    await tx.db
      .update(idempotencyKeys)
      .set({ expiresAt: sql`expires_at - ${byMs}` })
      .where(mine)
    return moved
  })
}
