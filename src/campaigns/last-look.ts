// The last look before a campaign mail leaves, in the transaction of its hand-over: is the campaign still sending, is the person still
// on the list, still willing, not suppressed, not mailed too often. One query, for it is asked for every mail (I10).

import { sql } from 'drizzle-orm'
import type { ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import type { RecipientOutcome } from '../../db/tables/campaigns.ts'
import type { Reader } from '../app.ts'
import { day } from '../lib/duration.ts'
import { suppressionKey } from '../suppression/suppression.ts'
import { isTooOften } from './frequency.ts'
import { defaultSettings } from './settings.ts'

export interface Facts {
  /** The limits of the workspace; null for the defaults. */
  hoursBetween: number | null
  mailsPerWeek: number | null
  ignoreGuardrail: number | null
  campaign: string | null
  email: string | null
  subscribed: number | null
  subscription: string | null
  suppression: string | null
  /** When another campaign was last sent to the contact, ms; null for none in seven days. */
  lastMail: number | null
  mailsInWeek: number
}

const readFacts = prepared((db: ReadDb) =>
  db
    .select({
      number: sql<number>`l.key`,
      campaign: sql<string | null>`campaigns.status`,
      ignoreGuardrail: sql<number | null>`campaigns.ignore_guardrail`,
      hoursBetween: sql<number | null>`campaign_settings.hours_between`,
      mailsPerWeek: sql<number | null>`campaign_settings.mails_per_week`,
      email: sql<string | null>`contacts.email`,
      subscribed: sql<number | null>`contacts.subscribed`,
      subscription: sql<string | null>`subscriptions.status`,
      suppression: sql<string | null>`suppressions.reason`,
      lastMail: sql<number | null>`(SELECT max(sent_at) ${otherMails})`,
    })
    .from(
      sql`json_each(${sql.placeholder('looked')}) l CROSS JOIN (SELECT 1)
      LEFT JOIN campaigns ON campaigns.id = l.value ->> 1 LEFT JOIN contacts ON contacts.id = l.value ->> 2
      LEFT JOIN campaign_settings ON campaign_settings.workspace_id = l.value ->> 0
      LEFT JOIN subscriptions ON subscriptions.contact_id = l.value ->> 2 AND subscriptions.mailing_list_id = campaigns.mailing_list_id
      LEFT JOIN suppressions ON suppressions.workspace_id = l.value ->> 0 AND suppressions.email_hash = l.value ->> 4`,
    )
    .prepare(),
)

const otherMails = sql`FROM campaign_mails WHERE workspace_id = l.value ->> 0 AND contact_id = l.value ->> 2
  AND message_id <> l.value ->> 3 AND sent_at > ${sql.placeholder('weekAgo')}`

const countMails = prepared((db: ReadDb) =>
  db
    .select({ mails: sql<number>`(SELECT count(*) ${otherMails})` })
    .from(sql`json_each(${sql.placeholder('looked')}) l`)
    .prepare(),
)

export interface Looked {
  workspaceId: string
  campaignId: string
  contactId: string
  messageId: string
  email: string
}

/** In the order of `looked`. */
export async function factsOf(reader: Reader, looked: Looked[], now: Date): Promise<Facts[]> {
  const weekAgo = now.getTime() - 7 * day
  const lines = looked.map(lineOf)
  const rows = await readFacts(reader.db).all({ looked: JSON.stringify(lines), weekAgo })
  const facts: Facts[] = []
  for (const { number, ...row } of rows) {
    // Most people were not mailed in the last days, and there is nothing to count.
    const one = JSON.stringify([lines[number]])
    const counted = row.lastMail === null ? null : await countMails(reader.db).get({ looked: one, weekAgo })
    facts[number] = { ...row, mailsInWeek: counted?.mails ?? 0 }
  }
  return facts
}

function lineOf({ workspaceId, campaignId, contactId, messageId, email }: Looked): string[] {
  return [workspaceId, campaignId, contactId, messageId, suppressionKey(email)]
}

export type Verdict =
  | { verdict: 'send' }
  /** The campaign is paused: the mail waits. */
  | { verdict: 'halt' }
  | { verdict: 'skip'; outcome: RecipientOutcome; reason: string }

/** In the order of docs/choices.md, row 75. */
export function judge(facts: Facts, email: string, now: Date): Verdict {
  const skip = (outcome: RecipientOutcome, reason: string): Verdict => ({ verdict: 'skip', outcome, reason })
  if (facts.campaign === 'cancelled') return skip('cancelled', 'campaign_cancelled')
  if (facts.campaign !== 'sending') return { verdict: 'halt' }
  if (facts.email === null) return skip('unsubscribed', 'contact_deleted')
  if (facts.subscription !== 'active') return skip('unsubscribed', facts.subscription ?? 'left_list')
  if (!facts.subscribed) return skip('unsubscribed', 'all_mail')
  if (facts.suppression !== null) return skip('suppressed', facts.suppression)
  if (facts.email.toLowerCase() !== email.toLowerCase()) return skip('failed', 'address_changed')
  return isOften(facts, now) ? skip('rate_guardrail', 'too_often') : { verdict: 'send' }
}

/** True when the limit of mails per recipient holds for this campaign, and is reached. */
export function isOften({ ignoreGuardrail, lastMail, mailsInWeek, ...set }: Facts, now: Date): boolean {
  if (ignoreGuardrail) return false
  const limits = {
    hoursBetween: set.hoursBetween ?? defaultSettings.hoursBetween,
    mailsPerWeek: set.mailsPerWeek ?? defaultSettings.mailsPerWeek,
  }
  return isTooOften({ last: lastMail, inWeek: mailsInWeek }, limits, now)
}
