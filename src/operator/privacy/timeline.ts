// Everything that happened with one person in one order, the newest first: events, mails with what became of them, first opens and
// clicks, changes of consent, suppression, campaigns that left them out. Each source is read in the order of an index, no further than the page needs.

import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { oneOf } from '../../../db/bulk.ts'
import { campaignRecipients, campaigns, trackedMails } from '../../../db/tables/campaigns.ts'
import { events } from '../../../db/tables/events.ts'
import { consentRecords } from '../../../db/tables/lists.ts'
import type { Reader } from '../../core/app.ts'
import type { Contact } from '../../features/contacts/consent/find-contact.ts'
import { findSuppression } from '../../features/contacts/consent/suppression.ts'
import { type ActivityRecord, timeOfMail } from '../../features/sending/activity/activity.ts'
import { searchActivity } from '../../features/sending/activity/search.ts'
import { firstId, type IdPrefix } from '../../kit/id.ts'

/** Looks for mails of one page: each at some thousand mails of everybody. */
const maxSearches = 4

type EntryOf<Type extends string, Value> = { type: Type; at: Date; id: string; value: Value }
export type TimelineEntry =
  | EntryOf<'event', typeof events.$inferSelect>
  | EntryOf<'mail', ActivityRecord & { tracked: typeof trackedMails.$inferSelect | null }>
  | EntryOf<'consent', typeof consentRecords.$inferSelect>
  | EntryOf<'suppression', NonNullable<Awaited<ReturnType<typeof findSuppression>>>>
  | EntryOf<
      'campaign',
      Omit<typeof campaignRecipients.$inferSelect, 'contactId' | 'messageId' | 'sendAfter' | 'variant'> & {
        name: string
      }
    >
  | EntryOf<'open' | 'click', { messageId: string; campaignId: string; name: string }>

/** Up to this moment; of those at that very moment the first `skip` were shown. */
export interface TimelinePosition {
  until: Date
  skip: number
}

export interface TimelinePage {
  entries: TimelineEntry[]
  next: TimelinePosition | null
}

export async function loadTimeline(
  reader: Reader,
  contact: Contact,
  { until, skip }: TimelinePosition,
  limit: number,
): Promise<TimelinePage> {
  // One more, to tell whether there is another page.
  const most = limit + skip + 1
  const mails = await listMails(reader, contact, until, most)
  const sources: TimelineEntry[][] = [
    mails.entries,
    await listEvents(reader, contact, until, most),
    await listConsents(reader, contact, until, most),
    await listCampaigns(reader, contact, until, most),
    await findSuppressionEntry(reader, contact, until),
  ]
  const { horizon } = mails
  const all = sources.flat().filter(({ at }) => horizon === null || at > horizon)
  all.sort((one, other) => other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : -1))
  const entries = all.slice(skip, skip + limit)
  if (all.length <= skip + limit) return { entries, next: horizon && { until: horizon, skip: 0 } }
  const last = entries.at(-1)?.at ?? until
  const shown = all.slice(0, skip + limit).filter(({ at }) => at.getTime() === last.getTime()).length
  return { entries, next: { until: last, skip: shown } }
}

/** `horizon`: after this moment all mails are known; null where these are all. */
async function listMails(reader: Reader, { workspaceId, id, emailKey }: Contact, until: Date, most: number) {
  const conditions = [{ field: 'person' as const, values: [id, emailKey], not: false }]
  const search = { conditions, before: new Date(until.getTime() + 1) }
  const records: ActivityRecord[] = []
  let from: number | null = null
  for (let searches = 0; searches < maxSearches && records.length < most; searches++) {
    const page = await searchActivity(reader, workspaceId, search, { from, limit: most })
    records.push(...page.records)
    from = page.next
    if (from === null) break
  }
  const ids = records.map(({ message }) => message.id)
  const rows = await reader.db
    .select()
    .from(trackedMails)
    .where(inArray(trackedMails.messageId, oneOf(ids)))
  const tracked = new Map(rows.map((row) => [row.messageId, row]))
  const entries = records.map((record): TimelineEntry => {
    const { id, createdAt: at } = record.message
    return { type: 'mail', at, id, value: { ...record, tracked: tracked.get(id) ?? null } }
  })
  return { entries, horizon: from === null ? null : ((await timeOfMail(reader, from)) ?? until) }
}

/** Ids sort by time. */
const upTo = (column: SQLiteColumn, prefix: IdPrefix, until: Date) =>
  lt(column, firstId(prefix, new Date(until.getTime() + 1)))

async function listEvents(reader: Reader, { id }: Contact, until: Date, most: number): Promise<TimelineEntry[]> {
  const rows = await reader.db
    .select()
    .from(events)
    .where(and(eq(events.contactId, id), upTo(events.id, 'evt', until)))
    .orderBy(desc(events.id))
    .limit(most)
  return rows.map((value) => ({ type: 'event', at: value.createdAt, id: value.id, value }))
}

async function listConsents(reader: Reader, { id }: Contact, until: Date, most: number): Promise<TimelineEntry[]> {
  const rows = await reader.db
    .select()
    .from(consentRecords)
    .where(and(eq(consentRecords.contactId, id), upTo(consentRecords.id, 'cns', until)))
    .orderBy(desc(consentRecords.id))
    .limit(most)
  return rows.map((value) => ({ type: 'consent', at: value.createdAt, id: value.id, value }))
}

/**
 * Campaigns that left the person out, and what they did first with the mails of the others; only these are tracked. One look into the
 * ledger of each campaign.
 */
async function listCampaigns(
  reader: Reader,
  { id, workspaceId }: Contact,
  until: Date,
  most: number,
): Promise<TimelineEntry[]> {
  const { campaignId, contactId, state, reason, messageId, updatedAt } = campaignRecipients
  const { openedAt, clickedAt } = trackedMails
  const upTo = (at: SQLiteColumn, also = sql`true`) => sql`iif(${at} <= ${until.getTime()} AND ${also}, ${at}, 0)`
  const latest = sql`max(${upTo(updatedAt, sql`${messageId} IS NULL`)}, ${upTo(openedAt)}, ${upTo(clickedAt)})`
  const rows = await reader.db
    .select({ campaignId, name: campaigns.name, state, reason, updatedAt, messageId, openedAt, clickedAt })
    .from(campaigns)
    .innerJoin(campaignRecipients, and(eq(campaignId, campaigns.id), eq(contactId, id)))
    .leftJoin(trackedMails, eq(trackedMails.messageId, messageId))
    .where(and(eq(campaigns.workspaceId, workspaceId), sql`${latest} > 0`))
    .orderBy(desc(latest))
    .limit(most)
  return rows.flatMap(({ messageId, openedAt, clickedAt, ...left }) => {
    const { campaignId, name, updatedAt } = left
    if (messageId === null) return [{ type: 'campaign' as const, at: updatedAt, id: campaignId, value: left }]
    const did = (type: 'open' | 'click', at: Date | null): TimelineEntry[] =>
      at === null || at > until
        ? []
        : [{ type, at, id: `${type} ${messageId}`, value: { messageId, campaignId, name } }]
    return [...did('open', openedAt), ...did('click', clickedAt)]
  })
}

async function findSuppressionEntry(
  reader: Reader,
  { workspaceId, email }: Contact,
  until: Date,
): Promise<TimelineEntry[]> {
  const value = await findSuppression(reader, workspaceId, email)
  return value && value.createdAt <= until
    ? [{ type: 'suppression', at: value.createdAt, id: value.emailHash, value }]
    : []
}
