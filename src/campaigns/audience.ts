// Who a campaign is for: taken into the ledger page by page when it starts, and estimated before. The audience is everybody whose
// subscription to the list is active; who is asked to confirm and has not is listed as unconfirmed.

import { eq, sql } from 'drizzle-orm'
import { campaigns } from '../../db/tables/campaigns.ts'
import type { Reader, Tx } from '../app.ts'
import { suppressionKey } from '../suppression/suppression.ts'
import type { Campaign } from './campaigns.ts'
import { filterSql } from './filter.ts'
import { isTooOften, recentMails } from './frequency.ts'
import { addToCounts } from './ledger.ts'
import type { CampaignSettings } from './settings.ts'

/** Contacts of one page: one transaction, some 15 ms. */
const pageSize = 5_000

/** In this order; a cursor is `active con_…`. */
const passes = ['active', 'pending'] as const
type Pass = (typeof passes)[number]

function readCursor(cursor: string): { pass: Pass; after: string } {
  const [pass = '', after = ''] = cursor.split(' ')
  return { pass: passes.find((one) => one === pass) ?? 'active', after }
}

/** Takes the next page of the audience into the ledger. True when that was the last. */
export async function takeSnapshotPage(tx: Tx, campaign: Campaign): Promise<boolean> {
  const { pass, after } = readCursor(campaign.snapshotCursor)
  const last = await endOfPage(tx, campaign, { pass, after })
  const upTo = last === null ? sql`` : sql`AND s.contact_id <= ${last}`
  const state = pass === 'active' ? 'queued' : 'unconfirmed'
  const reason = pass === 'active' ? null : 'pending'
  await tx.db.run(
    sql`INSERT INTO campaign_recipients SELECT ${campaign.id}, s.contact_id, ${state}, ${reason}, NULL, ${tx.now.getTime()}
      FROM subscriptions s ${withContacts(campaign)}
      WHERE s.mailing_list_id = ${campaign.mailingListId} AND s.status = ${pass} AND s.contact_id > ${after} ${upTo} ${matching(campaign)}
      ORDER BY s.contact_id ON CONFLICT DO NOTHING`,
  )
  const [row] = await tx.db.all<{ taken: number }>(sql`SELECT changes() AS taken`)
  await addToCounts(tx, campaign.id, { [state]: row?.taken ?? 0 })
  const cursor = last === null ? (pass === 'active' ? 'pending ' : null) : `${pass} ${last}`
  await tx.db
    .update(campaigns)
    .set(cursor === null ? { snapshotDoneAt: tx.now } : { snapshotCursor: cursor })
    .where(eq(campaigns.id, campaign.id))
  return cursor === null
}

/** The contact that ends a full page; null when the page is the last of its pass. */
async function endOfPage(tx: Tx, { mailingListId }: Campaign, { pass, after }: { pass: Pass; after: string }) {
  const [row] = await tx.db.all<{ id: string }>(
    sql`SELECT contact_id AS id FROM subscriptions WHERE mailing_list_id = ${mailingListId} AND status = ${pass}
      AND contact_id > ${after} ORDER BY contact_id LIMIT 1 OFFSET ${pageSize - 1}`,
  )
  return row?.id ?? null
}

const withContacts = ({ audienceFilter }: Campaign) =>
  audienceFilter === null ? sql`` : sql`JOIN contacts c ON c.id = s.contact_id`

const matching = ({ audienceFilter }: Campaign) =>
  audienceFilter === null ? sql`` : sql`AND ${filterSql(audienceFilter)}`

export interface Estimate {
  /** Everybody who is on the list or about to be. */
  audience: number
  recipients: number
  /** By reason. */
  skipped: Record<string, number>
  /** False when the list is so long that only its first members were looked at and the rest was reckoned from them. */
  exact: boolean
}

/** Contacts that a dry run looks at one by one. */
const estimateLimit = 20_000
const estimatePage = 1_000

/** Who would get it now, and why others would not (docs/choices.md, row 75). Changes nothing. */
export async function estimateAudience(
  reader: Reader,
  campaign: Campaign,
  { settings, now }: { settings: CampaignSettings; now: Date },
): Promise<Estimate> {
  const tally: Record<string, number> = {}
  let seen = 0
  let after = ''
  for (;;) {
    const page = await activeMembers(reader, campaign, after)
    for (const reason of await verdicts(reader, campaign, page, { settings, now }))
      tally[reason] = (tally[reason] ?? 0) + 1
    seen += page.length
    after = page.at(-1)?.contactId ?? after
    if (page.length < estimatePage || seen >= estimateLimit) break
  }
  const [active, pending] = [await membersIn(reader, campaign, 'active'), await membersIn(reader, campaign, 'pending')]
  const exact = seen < estimateLimit
  const scale = exact || seen === 0 ? 1 : active / seen
  const { recipients = 0, ...others } = Object.fromEntries(
    Object.entries(tally).map(([reason, count]) => [reason, Math.round(count * scale)]),
  )
  const skipped = { ...others, ...(pending > 0 ? { unconfirmed: pending } : {}) }
  return { audience: (exact ? seen : active) + pending, recipients, skipped, exact }
}

interface Member {
  contactId: string
  email: string
  subscribed: number
}

async function activeMembers(reader: Reader, campaign: Campaign, after: string): Promise<Member[]> {
  return await reader.db.all<Member>(
    sql`SELECT s.contact_id AS contactId, c.email AS email, c.subscribed AS subscribed
      FROM subscriptions s JOIN contacts c ON c.id = s.contact_id
      WHERE s.mailing_list_id = ${campaign.mailingListId} AND s.status = 'active' AND s.contact_id > ${after} ${matching(campaign)}
      ORDER BY s.contact_id LIMIT ${estimatePage}`,
  )
}

async function verdicts(
  reader: Reader,
  { workspaceId, ignoreGuardrail }: Campaign,
  members: Member[],
  { settings, now }: { settings: CampaignSettings; now: Date },
): Promise<string[]> {
  const suppressed = await suppressedOf(
    reader,
    workspaceId,
    members.map(({ email }) => email),
  )
  const ids = members.map(({ contactId }) => contactId)
  const recent = ignoreGuardrail ? new Map() : await recentMails(reader, workspaceId, ids, now)
  return members.map(({ contactId, email, subscribed }) => {
    if (!subscribed) return 'unsubscribed'
    if (suppressed.has(suppressionKey(email))) return 'suppressed'
    const mails = recent.get(contactId)
    return mails && isTooOften(mails, settings, now) ? 'rate_guardrail' : 'recipients'
  })
}

/** The keys of those that are suppressed, each with its reason. */
export async function suppressedOf(
  reader: Reader,
  workspaceId: string,
  emails: string[],
): Promise<Map<string, string>> {
  const keys = JSON.stringify(emails.map(suppressionKey))
  const rows = await reader.db.all<{ key: string; reason: string }>(
    sql`SELECT email_hash AS key, reason AS reason FROM suppressions
      WHERE workspace_id = ${workspaceId} AND email_hash IN (SELECT value FROM json_each(${keys}))`,
  )
  return new Map(rows.map(({ key, reason }) => [key, reason]))
}

/** Of a list without a filter, from its index alone; with one, no more than the dry run looks at. */
async function membersIn(reader: Reader, campaign: Campaign, status: Pass): Promise<number> {
  const [row] = await reader.db.all<{ members: number }>(
    sql`SELECT count(*) AS members FROM (SELECT 1 FROM subscriptions s ${withContacts(campaign)}
      WHERE s.mailing_list_id = ${campaign.mailingListId} AND s.status = ${status} ${matching(campaign)})`,
  )
  return row?.members ?? 0
}
