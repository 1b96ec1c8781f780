// The last look before a campaign mail leaves, in the transaction of its hand-over: is the campaign still sending, is the person still
// on the list, still willing, not suppressed, not mailed too often. One query, for it is asked for every mail (I10).

import { sql } from 'drizzle-orm'
import type { ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import type { RecipientOutcome } from '../../db/tables/campaigns.ts'
import type { Reader } from '../app.ts'
import { day } from '../lib/duration.ts'
import { suppressionKey } from '../suppression/suppression.ts'
import { isTooOften, type Limits } from './frequency.ts'

export interface Facts {
  campaign: string | null
  email: string | null
  subscribed: number | null
  subscription: string | null
  suppression: string | null
  /** When another campaign was last sent to the contact, ms; null for none in seven days. */
  lastMail: number | null
  mailsInWeek: number
}

const readFacts = prepared((db: ReadDb) => {
  const p = sql.placeholder
  const others = sql`FROM campaign_mails WHERE workspace_id = ${p('workspaceId')} AND contact_id = ${p('contactId')}
    AND message_id <> ${p('messageId')} AND sent_at > ${p('weekAgo')}`
  return db
    .select({
      campaign: sql<string | null>`(SELECT status FROM campaigns WHERE id = ${p('campaignId')})`,
      email: sql<string | null>`(SELECT email FROM contacts WHERE id = ${p('contactId')})`,
      subscribed: sql<number | null>`(SELECT subscribed FROM contacts WHERE id = ${p('contactId')})`,
      subscription: sql<
        string | null
      >`(SELECT status FROM subscriptions WHERE contact_id = ${p('contactId')} AND mailing_list_id = ${p('mailingListId')})`,
      suppression: sql<
        string | null
      >`(SELECT reason FROM suppressions WHERE workspace_id = ${p('workspaceId')} AND email_hash = ${p('emailHash')})`,
      lastMail: sql<number | null>`(SELECT max(sent_at) ${others})`,
      mailsInWeek: sql<number>`(SELECT count(*) ${others})`,
    })
    .from(sql`(SELECT 1)`)
    .prepare()
})

export interface Looked {
  workspaceId: string
  campaignId: string
  mailingListId: string
  contactId: string
  messageId: string
  email: string
}

export async function factsOf(reader: Reader, { email, ...about }: Looked, now: Date): Promise<Facts> {
  const row = await readFacts(reader.db).get({
    ...about,
    emailHash: suppressionKey(email),
    weekAgo: now.getTime() - 7 * day,
  })
  if (!row) throw new Error('a select without a table gave no row')
  return row
}

export type Verdict =
  | { verdict: 'send' }
  /** The campaign is paused: the mail waits. */
  | { verdict: 'halt' }
  | { verdict: 'skip'; outcome: RecipientOutcome; reason: string }

/** In the order of docs/choices.md, row 75. */
export function judge(
  facts: Facts,
  { email, limits, now }: { email: string; limits: Limits | null; now: Date },
): Verdict {
  const skip = (outcome: RecipientOutcome, reason: string): Verdict => ({ verdict: 'skip', outcome, reason })
  if (facts.campaign === 'cancelled') return skip('cancelled', 'campaign_cancelled')
  if (facts.campaign !== 'sending') return { verdict: 'halt' }
  if (facts.email === null) return skip('unsubscribed', 'contact_deleted')
  if (facts.subscription !== 'active') return skip('unsubscribed', facts.subscription ?? 'left_list')
  if (!facts.subscribed) return skip('unsubscribed', 'all_mail')
  if (facts.suppression !== null) return skip('suppressed', facts.suppression)
  if (facts.email.toLowerCase() !== email.toLowerCase()) return skip('failed', 'address_changed')
  const recent = { last: facts.lastMail, inWeek: facts.mailsInWeek }
  if (limits !== null && isTooOften(recent, limits, now)) return skip('rate_guardrail', 'too_often')
  return { verdict: 'send' }
}
