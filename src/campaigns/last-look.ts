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
  return db
    .select({
      campaign: sql<string | null>`campaigns.status`,
      email: sql<string | null>`contacts.email`,
      subscribed: sql<number | null>`contacts.subscribed`,
      subscription: sql<string | null>`subscriptions.status`,
      suppression: sql<string | null>`suppressions.reason`,
      lastMail: sql<number | null>`(SELECT max(sent_at) ${otherMails})`,
    })
    .from(
      sql`(SELECT 1) LEFT JOIN campaigns ON campaigns.id = ${p('campaignId')} LEFT JOIN contacts ON contacts.id = ${p('contactId')}
      LEFT JOIN subscriptions ON subscriptions.contact_id = ${p('contactId')} AND subscriptions.mailing_list_id = ${p('mailingListId')}
      LEFT JOIN suppressions ON suppressions.workspace_id = ${p('workspaceId')} AND suppressions.email_hash = ${p('emailHash')}`,
    )
    .prepare()
})

const otherMails = sql`FROM campaign_mails WHERE workspace_id = ${sql.placeholder('workspaceId')}
  AND contact_id = ${sql.placeholder('contactId')} AND message_id <> ${sql.placeholder('messageId')} AND sent_at > ${sql.placeholder('weekAgo')}`

const countMails = prepared((db: ReadDb) =>
  db
    .select({ mails: sql<number>`(SELECT count(*) ${otherMails})` })
    .from(sql`(SELECT 1)`)
    .prepare(),
)

export interface Looked {
  workspaceId: string
  campaignId: string
  mailingListId: string
  contactId: string
  messageId: string
  email: string
}

export async function factsOf(reader: Reader, { email, ...about }: Looked, now: Date): Promise<Facts> {
  const weekAgo = now.getTime() - 7 * day
  const row = await readFacts(reader.db).get({ ...about, emailHash: suppressionKey(email), weekAgo })
  if (!row) throw new Error('a join with one row gave none')
  // Most people were not mailed in the last days, and there is nothing to count.
  const counted = row.lastMail === null ? null : await countMails(reader.db).get({ ...about, weekAgo })
  return { ...row, mailsInWeek: counted?.mails ?? 0 }
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
