// The audience of a campaign: copied to its ledger page by page when it starts, and estimated before. It is everybody with an active
// subscription to the list; people who have not confirmed are listed as unconfirmed.

import { eq, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import { insertSelect } from '../../../db/rows.ts'
import { campaignRecipients, campaigns } from '../../../db/tables/campaigns.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { nextTurn, StepSize } from '../../kit/turn.ts'
import { segmentSql } from '../contacts/segments/compile.ts'
import { heldOut } from './ab-test.ts'
import type { Campaign } from './campaign.ts'
import { type Facts, findObjection, loadFacts, type Objection } from './eligibility.ts'
import { filterSql } from './filter.ts'
import { addToCounts } from './ledger.ts'

/** The size of a page, which is one transaction. */
export const contactsPerPage = { least: 250, most: 1_000 }

/** In this order; a cursor is `active con_…`. */
const passes = ['active', 'pending'] as const
type Pass = (typeof passes)[number]

function readCursor(cursor: string): { pass: Pass; after: string } {
  const [pass = '', after = ''] = cursor.split(' ')
  return { pass: passes.find((one) => one === pass) ?? 'active', after }
}

/** Copies the next `pageSize` of the audience to the ledger. True when those were the last. */
export async function takeSnapshotPage(tx: Tx, campaign: Campaign, pageSize: number): Promise<boolean> {
  const { pass, after } = readCursor(campaign.snapshotCursor)
  const last = await endOfPage(tx, campaign, { pass, after, pageSize })
  const upTo = last === null ? sql`` : sql`AND s.contact_id <= ${last}`
  const state = pass === 'active' ? 'queued' : 'unconfirmed'
  const reason = pass === 'active' ? null : 'pending'
  await insertSelect(
    tx.db,
    campaignRecipients,
    { campaignId: campaign.id, contactId: sql`s.contact_id`, state, reason, updatedAt: tx.now },
    sql`subscriptions s ${withContacts(campaign)}
      WHERE s.mailing_list_id = ${campaign.mailingListId} AND s.status = ${pass} AND s.contact_id > ${after} ${upTo} ${matching(campaign, tx.now)}
      ORDER BY s.contact_id`,
  ).onConflictDoNothing()
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
async function endOfPage(
  tx: Tx,
  { mailingListId }: Campaign,
  { pass, after, pageSize }: { pass: Pass; after: string; pageSize: number },
) {
  const [row] = await tx.db.all<{ id: string }>(
    sql`SELECT contact_id AS id FROM subscriptions WHERE mailing_list_id = ${mailingListId} AND status = ${pass}
      AND contact_id > ${after} ORDER BY contact_id LIMIT 1 OFFSET ${pageSize - 1}`,
  )
  return row?.id ?? null
}

const withContacts = ({ audienceFilter, segmentFilter }: Campaign) =>
  audienceFilter === null && segmentFilter === null ? sql`` : sql`JOIN contacts c ON c.id = s.contact_id`

/** Who of the list is meant; days count back from the begin of the campaign. */
function meant({ audienceFilter, segmentFilter, startedAt }: Campaign, now: Date): SQL | null {
  const conditions = [
    ...(audienceFilter === null ? [] : [filterSql(audienceFilter)]),
    ...(segmentFilter === null ? [] : [segmentSql(segmentFilter, startedAt ?? now)]),
  ]
  return conditions.length === 0 ? null : sql.join(conditions, sql` AND `)
}

function matching(campaign: Campaign, now: Date): SQL {
  const conditions = meant(campaign, now)
  return conditions === null ? sql`` : sql`AND ${conditions}`
}

export interface Estimate {
  /** Everybody on the list or waiting to confirm. */
  audience: number
  recipients: number
  /** By outcome. */
  skipped: Record<string, number>
  /** The recipients by the time zone that they have. */
  zones: Map<string | null, number>
  /** And by the domain of their address. */
  domains: Map<string, number>
  /** False when the list is so long that the numbers are estimated from its first members. */
  exact: boolean
}

/** Whom of these contacts the next pages of the snapshot would take, also those who have not confirmed. */
export async function membersAmong(reader: Reader, campaign: Campaign, ids: string[], now: Date): Promise<string[]> {
  const isTaken = sql`SELECT 1 FROM campaign_recipients r WHERE r.campaign_id = ${campaign.id} AND r.contact_id = s.contact_id`
  const rows = await reader.db.all<{ id: string }>(
    sql`SELECT s.contact_id AS id FROM subscriptions s ${withContacts(campaign)}
      WHERE s.mailing_list_id = ${campaign.mailingListId} AND s.status IN ${oneOf([...passes])} AND s.contact_id IN ${oneOf(ids)}
        AND NOT EXISTS (${isTaken}) ${matching(campaign, now)}`,
  )
  return rows.map(({ id }) => id)
}

/** How many members of a list a dry run checks one by one. */
const estimateLimit = 20_000
const membersPerSlice = { least: 100, most: 1_000 }

/** Who would get it now, and why others would not. Changes nothing. */
export async function estimateAudience(reader: Reader, campaign: Campaign, now: Date): Promise<Estimate> {
  const tally = new Map<string, number>()
  const zones = new Map<string | null, number>()
  const domains = new Map<string, number>()
  let exact = true
  for (const pass of passes) {
    const { seen, counts, timezones, byDomain } = await countFirst(reader, campaign, pass, now)
    const isAll = seen < estimateLimit
    exact &&= isAll
    const scale = isAll ? 1 : (await membersIn(reader, campaign, pass)) / seen
    for (const [name, count] of counts) add(tally, name, Math.round(count * scale))
    for (const [timezone, count] of timezones) add(zones, timezone, Math.round(count * scale))
    for (const [domain, count] of byDomain) add(domains, domain, Math.round(count * scale))
  }
  const audience = tally.values().reduce((sum, count) => sum + count, 0)
  const { recipients = 0, ...skipped } = Object.fromEntries(tally)
  return { audience, recipients, skipped, zones, domains, exact }
}

function add<K>(tally: Map<K, number>, name: K, count: number): void {
  tally.set(name, (tally.get(name) ?? 0) + count)
}

/**
 * Of the first members: how many were checked and, of those that match the filter, how many are recipients or have which outcome, and
 * which time zones and domains the recipients have.
 */
async function countFirst(reader: Reader, campaign: Campaign, pass: Pass, now: Date) {
  const counts = new Map<string, number>()
  const timezones = new Map<string | null, number>()
  const byDomain = new Map<string, number>()
  let seen = 0
  for await (const slice of slicesOf(reader, campaign, pass, { after: '', now })) {
    for (const facts of slice.facts) {
      const name = objectionTo(campaign, facts, now)?.outcome ?? 'recipients'
      add(counts, name, 1)
      if (name !== 'recipients') continue
      add(timezones, facts.candidate.timezone, 1)
      add(byDomain, addressDomain(facts.candidate.email).toLowerCase(), 1)
    }
    seen += slice.seen
    if (seen >= estimateLimit) break
  }
  return { seen, counts, timezones, byDomain }
}

/** Null for who would get it now or, in a test, once the winner is chosen. */
function objectionTo(campaign: Campaign, facts: Facts, now: Date): Objection | null {
  return findObjection(facts, now) ?? heldOut(campaign, facts.candidate.contactId)
}

/** The members of one pass after a contact, in slices that each have their turn: what is known of those that match the filter. */
async function* slicesOf(reader: Reader, campaign: Campaign, pass: Pass, { after, now }: { after: string; now: Date }) {
  const sizes = new StepSize(campaign.workspaceId, membersPerSlice)
  for (let last = after; ; ) {
    await nextTurn(campaign.workspaceId)
    const began = performance.now()
    const limit = sizes.next()
    const page = await membersAfter(reader, campaign, pass, { after: last, limit, now })
    const meant = page.filter(({ isMeant }) => isMeant)
    const facts = await loadFacts(reader, campaign, meant, now)
    last = page.at(-1)?.contactId ?? last
    const isEnd = page.length < limit
    yield { facts, seen: page.length, last, isEnd }
    if (isEnd) return
    sizes.took(page.length, performance.now() - began)
  }
}

/** Everybody whom it would go to, whether or not something is against them now. */
export async function countAudience(reader: Reader, campaign: Campaign, now: Date): Promise<number> {
  let count = 0
  for await (const page of pagesOf(reader, campaign, now)) count += page.length
  return count
}

/** The time zones that they have; null: somebody has none. */
export async function listTimeZones(reader: Reader, campaign: Campaign, now: Date): Promise<Set<string | null>> {
  const timezones = new Set<string | null>()
  for await (const page of pagesOf(reader, campaign, now)) for (const { timezone } of page) timezones.add(timezone)
  return timezones
}

/** All whom it would go to, in pages that each have their turn. */
async function* pagesOf(reader: Reader, campaign: Campaign, now: Date) {
  const sizes = new StepSize(campaign.workspaceId, membersPerSlice)
  for (let after = ''; ; ) {
    await nextTurn(campaign.workspaceId)
    const [began, limit] = [performance.now(), sizes.next()]
    const page = await membersAfter(reader, campaign, 'active', { after, limit, now })
    yield page.filter(({ isMeant }) => isMeant)
    if (page.length < limit) return
    after = page.at(-1)?.contactId ?? after
    sizes.took(page.length, performance.now() - began)
  }
}

/** Who would get it now, or once what passes by itself has passed: limits of frequency and of the trust level. Estimated like a dry run. */
export async function countRecipients(reader: Reader, campaign: Campaign, now: Date): Promise<number> {
  const { recipients, skipped } = await estimateAudience(reader, campaign, now)
  return recipients + (skipped.rate_guardrail ?? 0) + (skipped.failed ?? 0)
}

export interface AudienceMember {
  contactId: string
  email: string
  /** Null: they would get it now. */
  objection: Objection | null
}

export interface MembersPage {
  members: AudienceMember[]
  /** Where the next page goes on, as a cursor; null at the end. */
  next: string | null
}

/**
 * Members of the audience who would have this outcome now (`recipients`: who would get it). One call checks as many members as a dry run
 * does, so a page may have fewer than `limit`, and still a next one.
 */
export async function membersWith(
  reader: Reader,
  campaign: Campaign,
  { outcome, limit, cursor, now }: { outcome: string | undefined; limit: number; cursor: string; now: Date },
): Promise<MembersPage> {
  const members: AudienceMember[] = []
  const start = readCursor(cursor)
  let seen = 0
  for (const pass of passes.slice(passes.indexOf(start.pass))) {
    const after = pass === start.pass ? start.after : ''
    for await (const slice of slicesOf(reader, campaign, pass, { after, now })) {
      for (const facts of slice.facts) {
        const objection = objectionTo(campaign, facts, now)
        if (outcome !== undefined && (objection?.outcome ?? 'recipients') !== outcome) continue
        const { contactId, email } = facts.candidate
        members.push({ contactId, email, objection })
        if (members.length === limit) return { members, next: `${pass} ${contactId}` }
      }
      seen += slice.seen
      const following = pass === 'active' ? 'pending ' : null
      const next = slice.isEnd ? following : `${pass} ${slice.last}`
      if (seen >= estimateLimit && next !== null) return { members, next }
    }
  }
  return { members, next: null }
}

/** The next members of the list, including those that do not match the filter. */
async function membersAfter(
  reader: Reader,
  campaign: Campaign,
  pass: Pass,
  { after, limit, now }: { after: string; limit: number; now: Date },
) {
  const isMeant = meant(campaign, now) ?? sql`1`
  return await reader.db.all<{
    contactId: string
    email: string
    timezone: string | null
    messageId: null
    isMeant: number
  }>(
    sql`SELECT s.contact_id AS contactId, c.email AS email, c.timezone AS timezone, NULL AS messageId, ${isMeant} AS isMeant
      FROM subscriptions s JOIN contacts c ON c.id = s.contact_id
      WHERE s.mailing_list_id = ${campaign.mailingListId} AND s.status = ${pass} AND s.contact_id > ${after}
      ORDER BY s.contact_id LIMIT ${limit}`,
  )
}

/** For a list too long to check everybody. */
async function membersIn(reader: Reader, { mailingListId }: Campaign, pass: Pass): Promise<number> {
  const [row] = await reader.db.all<{ members: number }>(
    pass === 'active'
      ? sql`SELECT contact_count AS members FROM mailing_lists WHERE id = ${mailingListId}`
      : sql`SELECT count(*) AS members FROM subscriptions WHERE mailing_list_id = ${mailingListId} AND status = ${pass}`,
  )
  return row?.members ?? 0
}
