// The frequency limit: at most one campaign in 16 hours and four in seven days per person, over all campaigns of the workspace. A mail is
// counted at its hand-over, in that transaction, and uncounted when it was not sent.

import { lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { campaignMails } from '../../../db/tables/campaigns.ts'
import type { Tx } from '../../core/app.ts'
import { day, hour } from '../../kit/duration.ts'
import type { CampaignSettings } from '../../people/campaign-settings.ts'

/** How long mails are remembered. */
export const weekMs = 7 * day

export type Limits = Pick<CampaignSettings, 'hoursBetween' | 'mailsPerWeek'>

export interface Recent {
  /** The last one, ms; null for none in seven days. */
  last: number | null
  inWeek: number
}

/** True when one more would be too many. */
export function isTooOften({ last, inWeek }: Recent, { hoursBetween, mailsPerWeek }: Limits, now: Date): boolean {
  if (hoursBetween > 0 && last !== null && last > now.getTime() - hoursBetween * hour) return true
  return mailsPerWeek > 0 && inWeek >= mailsPerWeek
}

const countedMails = toRows(
  { workspaceId: campaignMails.workspaceId, contactId: campaignMails.contactId, messageId: campaignMails.messageId },
  { now: campaignMails.sentAt },
)

const takePlaces = prepared((db: Db) =>
  countedMails
    .insertInto(db, campaignMails, { ...countedMails.each, sentAt: countedMails.shared.now })
    .onConflictDoUpdate({
      target: [campaignMails.workspaceId, campaignMails.contactId, campaignMails.messageId],
      set: { sentAt: sql`excluded.sent_at` },
    })
    .prepare(),
)

export interface CountedMail {
  workspaceId: string
  contactId: string
  messageId: string
}

/** A repeated hand-over of one message is counted once. */
export async function takeFrequencyPlaces(tx: Tx, places: CountedMail[]): Promise<void> {
  if (places.length === 0) return
  await takePlaces(tx.db).run(countedMails.given(places, { now: tx.now }))
}

const givePlacesBack = prepared((db: Db) =>
  db
    .delete(campaignMails)
    .where(sql`(workspace_id, contact_id, message_id) IN ${countedMails.pick('workspaceId', 'contactId', 'messageId')}`)
    .prepare(),
)

export async function giveBackFrequencyPlaces(tx: Tx, places: CountedMail[]): Promise<void> {
  if (places.length > 0) await givePlacesBack(tx.db).run(countedMails.given(places, { now: tx.now }))
}

const retentionBatch = 200

/** Deletes mails that no longer count. Returns how many; call until 0. */
export async function deleteOldPlaces(tx: Tx): Promise<number> {
  const old = tx.db
    .select({ key: sql`workspace_id, contact_id, message_id` })
    .from(campaignMails)
    .where(lt(campaignMails.sentAt, new Date(tx.now.getTime() - weekMs)))
    .limit(retentionBatch)
  const gone = await tx.db
    .delete(campaignMails)
    .where(sql`(workspace_id, contact_id, message_id) IN ${old}`)
    .returning({ messageId: campaignMails.messageId })
  return gone.length
}
