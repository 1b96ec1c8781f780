// Who may get a campaign, and why not: the one rule, used by the dry run, by the batch that prepares mails, in the transaction of each
// hand-over, and by the explanation. loadFacts() loads the facts about a list of contacts; the decision is pure.

import { type SQL, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { orNull, toRows, unmappedValue } from '../../../db/rows.ts'
import { type CampaignStatus, campaignMails, campaigns, type RecipientOutcome } from '../../../db/tables/campaigns.ts'
import { type SuppressionReason, suppressions } from '../../../db/tables/contacts.ts'
import type { SubscriptionState } from '../../../db/tables/lists.ts'
import type { Reader } from '../../core/app.ts'
import { defaultSettings } from '../../people/campaign-settings.ts'
import { suppressedFromTheBeginning, suppressionKey } from '../contacts/consent/suppression.ts'
import type { hardBounce } from '../sending/outcome.ts'
import type { Campaign } from './campaign.ts'
import { isTooOften, type Limits, type Recent, weekMs } from './frequency.ts'

export interface Candidate {
  contactId: string
  /** The address the mail is sent to. */
  email: string
  /** The mail, if there is one: it does not count towards the contact's own frequency limit. */
  messageId: string | null
}

/** The facts about one candidate. */
export interface Facts<C extends Candidate = Candidate> {
  candidate: C
  campaign: CampaignFacts
  /** The contact's address; null when the contact was deleted. */
  email: string | null
  isSubscribed: boolean
  /** To the campaign's list; null for none. */
  subscription: SubscriptionState | null
  /** Of the address that the mail is sent to. */
  suppression: SuppressionReason | null
  /** Other campaigns sent to the contact in the last seven days. */
  mails: Recent
  /** The workspace is at M0, and the contact is not one of its members. */
  isOutsideSandbox: boolean
}

interface CampaignFacts extends Limits {
  status: CampaignStatus | null
  /** Whether the campaign is sent in spite of the frequency limit. */
  ignoresLimits: boolean
  /** False for mail to everybody who is subscribed, whatever list they are on. */
  hasList: boolean
}

type ObjectionReason =
  | SubscriptionState
  | SuppressionReason
  | 'contact_deleted'
  | 'left_list'
  | 'all_mail'
  | 'address_changed'
  | 'too_often'
  | 'held_out'
  | 'sandbox'

/** Why the ledger names an outcome, beside what a mail server replied. In the dashboard each has its words. */
export type OutcomeReason = ObjectionReason | 'campaign_cancelled' | 'campaign_ended' | typeof hardBounce

export interface Objection {
  outcome: RecipientOutcome
  reason: ObjectionReason
  /** What was found, in words. */
  message: string
}

interface Rule {
  check: 'list' | 'consent' | 'suppression' | 'address' | 'frequency' | 'trust_level'
  /** The outcome and the reason; null when there is no objection. */
  objection(facts: Facts, now: Date): [outcome: RecipientOutcome, reason: ObjectionReason] | null
  /** What was found, in words. */
  finding(facts: Facts): string
}

/** In the order of the checks: the first objection is the outcome. */
const rules: Rule[] = [
  {
    check: 'list',
    objection({ email, subscription, campaign }) {
      if (email === null) return ['unsubscribed', 'contact_deleted']
      if (subscription === 'active' || !campaign.hasList) return null
      return subscription === 'pending' ? ['unconfirmed', 'pending'] : ['unsubscribed', subscription ?? 'left_list']
    },
    finding: ({ email, subscription }) => (email === null ? 'contact deleted' : (subscription ?? 'not on the list')),
  },
  {
    check: 'consent',
    objection: ({ isSubscribed }) => (isSubscribed ? null : ['unsubscribed', 'all_mail']),
    finding: ({ email, isSubscribed }) =>
      email === null ? 'contact deleted' : isSubscribed ? 'subscribed' : 'unsubscribed from all mail',
  },
  {
    check: 'suppression',
    objection: ({ suppression }) => (suppression === null ? null : ['suppressed', suppression]),
    finding: ({ suppression }) => suppression ?? 'not suppressed',
  },
  {
    check: 'address',
    objection: (facts) => (isSameAddress(facts) ? null : ['failed', 'address_changed']),
    finding: (facts) =>
      facts.email === null
        ? 'contact deleted'
        : isSameAddress(facts)
          ? 'as it was'
          : 'changed since the mail was prepared',
  },
  {
    check: 'frequency',
    objection: ({ campaign, mails }, now) =>
      !campaign.ignoresLimits && isTooOften(mails, campaign, now) ? ['rate_guardrail', 'too_often'] : null,
    finding({ campaign: { hoursBetween, mailsPerWeek, ignoresLimits }, mails: { last, inWeek } }) {
      const when = last === null ? 'none in 7 days' : `last ${new Date(last).toISOString()}, ${inWeek} in 7 days`
      const aside = ignoresLimits ? ', which this campaign sets aside' : ''
      return `${when}; limits: one in ${hoursBetween} h, ${mailsPerWeek} in 7 days${aside}`
    },
  },
  {
    check: 'trust_level',
    objection: ({ isOutsideSandbox }) => (isOutsideSandbox ? ['failed', 'sandbox'] : null),
    finding: ({ isOutsideSandbox }) =>
      isOutsideSandbox ? 'at M0 only members of the workspace are sent to' : 'reaches this contact',
  },
]

function isSameAddress({ email, candidate }: Facts): boolean {
  return email?.toLowerCase() === candidate.email.toLowerCase()
}

/** Null when the contact may get it. */
export function findObjection(facts: Facts, now: Date): Objection | null {
  for (const { objection, finding } of rules) {
    const found = objection(facts, now)
    if (found === null) continue
    const [outcome, reason] = found
    return { outcome, reason, message: finding(facts) }
  }
  return null
}

export interface EligibilityCheck {
  check: Rule['check']
  ok: boolean
  value: string
}

/** Every check with its finding. */
export function eligibilityChecks(facts: Facts, now: Date): EligibilityCheck[] {
  return rules.map(({ check, objection, finding }) => {
    return { check, ok: objection(facts, now) === null, value: finding(facts) }
  })
}

const recipientRows = toRows(
  { contactId: campaignMails.contactId, messageId: orNull(campaignMails.messageId), emailHash: suppressions.emailHash },
  { sourceId: campaigns.id, workspaceId: campaigns.workspaceId, weekAgo: unmappedValue<number>() },
)
const { each, shared, list, number } = recipientRows

/** Whose mail it is: `row` is its row in `table`, where `listId` names its list. */
interface Source {
  row: SQL
  table: SQL
  listId: SQL
}

const campaignSource: Source = {
  row: sql`'status', one.status, 'ignoresLimits', one.ignore_guardrail, 'hasList', 1`,
  table: sql`campaigns`,
  listId: sql`(SELECT mailing_list_id FROM campaigns WHERE id = ${shared.sourceId})`,
}
/** `sourceId` is that of its list, or ''. */
const listSource: Source = {
  row: sql`'status', null, 'ignoresLimits', 0, 'hasList', ${shared.sourceId} <> ''`,
  table: sql`mailing_lists`,
  listId: sql`${shared.sourceId}`,
}

// One statement, because it runs for every mail. What all candidates share is in subqueries that run once.
const factsFrom = ({ row, table, listId }: Source) =>
  prepared((db: ReadDb) =>
    db
      .select({
        number,
        campaign: sql<string>`(SELECT json_object(${row},
        'hoursBetween', coalesce(hours_between, ${defaultSettings.hoursBetween}),
        'mailsPerWeek', coalesce(mails_per_week, ${defaultSettings.mailsPerWeek}))
        FROM (SELECT ${shared.workspaceId} AS own) LEFT JOIN ${table} AS one ON one.id = ${shared.sourceId}
        LEFT JOIN campaign_settings s ON s.workspace_id = own)`,
        email: sql<string | null>`contacts.email`,
        isSubscribed: sql<number | null>`contacts.subscribed`,
        subscription: sql<SubscriptionState | null>`subscriptions.status`,
        suppression: sql<SuppressionReason | null>`suppressions.reason`,
        mails: sql<
          string | null
        >`(SELECT CASE WHEN count(*) > 0 THEN json_object('last', max(sent_at), 'inWeek', count(*)) END
        FROM campaign_mails WHERE workspace_id = ${shared.workspaceId} AND contact_id = ${each.contactId}
        AND message_id IS NOT ${each.messageId} AND sent_at > ${shared.weekAgo})`,
        isOutsideSandbox: sql<number>`(SELECT trust_level FROM workspaces WHERE id = ${shared.workspaceId}) = 'M0'
        AND NOT EXISTS (SELECT 1 FROM members JOIN users ON users.id = members.user_id
          WHERE members.workspace_id = ${shared.workspaceId} AND users.email_proven_at IS NOT NULL
          AND lower(users.email) = contacts.email_key)`,
      })
      .from(
        sql`${list} LEFT JOIN contacts ON contacts.id = ${each.contactId}
        LEFT JOIN subscriptions ON subscriptions.contact_id = ${each.contactId} AND subscriptions.mailing_list_id = ${listId}
        LEFT JOIN suppressions ON suppressions.workspace_id = ${shared.workspaceId} AND suppressions.email_hash = ${each.emailHash}`,
      )
      .prepare(),
  )
const factsOfCampaign = factsFrom(campaignSource)
const factsOfList = factsFrom(listSource)

/** In the order of `candidates`. */
export function loadFacts<C extends Candidate>(
  reader: Reader,
  { id, workspaceId }: Pick<Campaign, 'id' | 'workspaceId'>,
  candidates: C[],
  now: Date,
): Promise<Facts<C>[]> {
  return readFacts(factsOfCampaign(reader.db), { sourceId: id, workspaceId, candidates, now })
}

/** The same of marketing mail that belongs to no campaign; `listId` null: to everybody who is subscribed. */
export function loadFactsOfList<C extends Candidate>(
  reader: Reader,
  { listId, workspaceId }: { listId: string | null; workspaceId: string },
  candidates: C[],
  now: Date,
): Promise<Facts<C>[]> {
  return readFacts(factsOfList(reader.db), { sourceId: listId ?? '', workspaceId, candidates, now })
}

interface Question<C> {
  sourceId: string
  workspaceId: string
  candidates: C[]
  now: Date
}

async function readFacts<C extends Candidate>(
  query: ReturnType<typeof factsOfCampaign>,
  { sourceId, workspaceId, candidates, now }: Question<C>,
): Promise<Facts<C>[]> {
  const rows = await query.all(
    recipientRows.given(
      candidates.map(({ contactId, messageId, email }) => ({ contactId, messageId, emailHash: suppressionKey(email) })),
      { sourceId, workspaceId, weekAgo: now.getTime() - weekMs },
    ),
  )
  const [first] = rows
  if (!first) return []
  const { ignoresLimits, hasList, ...limits } = JSON.parse(first.campaign) as CampaignFacts
  const campaign = { ...limits, ignoresLimits: Boolean(ignoresLimits), hasList: Boolean(hasList) }
  const facts: Facts<C>[] = []
  for (const { number, email, isSubscribed, subscription, suppression, mails, isOutsideSandbox } of rows) {
    const candidate = candidates[number]
    if (!candidate) continue
    facts[number] = {
      candidate,
      campaign,
      email,
      isSubscribed: isSubscribed === 1,
      subscription,
      suppression: suppression ?? suppressedFromTheBeginning(candidate.email),
      mails: mails === null ? none : (JSON.parse(mails) as Recent),
      isOutsideSandbox: isOutsideSandbox === 1,
    }
  }
  return facts
}

const none: Recent = { last: null, inWeek: 0 }
