// The ledger of a campaign: every contact of its audience in one state, and the counts by state, changed in one transaction. A campaign is
// sent when its audience was copied and no recipient is open.

import { eq, inArray, sql } from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { countOf } from '../../../db/tables/ab-tests.ts'
import {
  campaignCounts,
  campaignRecipients,
  campaigns,
  openStates,
  type RecipientState,
  recipientOutcomes,
} from '../../../db/tables/campaigns.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { publishCampaign } from './campaign-events.ts'

export type Counts = Record<RecipientState, number>

const isOpen = (state: RecipientState) => openStates.some((one) => one === state)

const findState = prepared((db: Db) =>
  db
    .select({ state: campaignRecipients.state, variant: campaignRecipients.variant })
    .from(campaignRecipients)
    .where(sql`campaign_id = ${sql.placeholder('campaignId')} AND contact_id = ${sql.placeholder('contactId')}`)
    .prepare(),
)

const moveFrom = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .update(campaignRecipients)
    .set({ state: sql`${p('state')}`, reason: sql`${p('reason')}`, updatedAt: sql`${p('at')}` })
    .where(
      sql`campaign_id = ${p('campaignId')} AND contact_id = ${p('contactId')} AND state = ${p('from')} AND state <> ${p('state')}`,
    )
    .returning({ variant: campaignRecipients.variant })
    .prepare()
})

const changes = toRows(
  { name: campaignCounts.name, count: campaignCounts.count },
  { campaignId: campaignCounts.campaignId },
)

const shift = prepared((db: Db) =>
  changes
    .insertInto(db, campaignCounts, { ...changes.each, ...changes.shared })
    .onConflictDoUpdate({
      target: [campaignCounts.campaignId, campaignCounts.name],
      set: { count: sql`campaign_counts.count + excluded.count` },
    })
    .returning({ name: campaignCounts.name, count: campaignCounts.count })
    .prepare(),
)

/** Adds to counts by name. Returns those that changed. */
export async function addToCounts(
  tx: Tx,
  campaignId: string,
  changeByName: Record<string, number>,
): Promise<Map<string, number>> {
  const given = Object.entries(changeByName).flatMap(([name, count]) => (count === 0 ? [] : [{ name, count }]))
  if (given.length === 0) return new Map()
  const rows = await shift(tx.db).all(changes.given(given, { campaignId }))
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** A change of counts, with the same for the variant that is tested. */
function withVariant(variant: string | null, change: Record<string, number>): Record<string, number> {
  if (variant === null) return change
  const same = Object.entries(change).map(([name, count]) => [countOf(variant, name), count])
  return { ...change, ...Object.fromEntries(same) }
}

function sumOf(changes: Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const [name, count] of changes.flatMap((change) => Object.entries(change))) sum[name] = (sum[name] ?? 0) + count
  return sum
}

/** What a recipient did: counted for the campaign, and for the variant that they got. */
export async function countDeed(
  tx: Tx,
  { campaignId, contactId }: { campaignId: string; contactId: string | null },
  changeByName: Record<string, number>,
): Promise<void> {
  const row = contactId === null ? undefined : await findState(tx.db).get({ campaignId, contactId })
  await addToCounts(tx, campaignId, withVariant(row?.variant ?? null, changeByName))
}

export interface Move {
  campaignId: string
  contactId: string
  to: RecipientState
  reason: string | null
}

/** Whether nothing more is tried for this recipient. */
export async function hasOutcome(tx: Tx, recipient: { campaignId: string; contactId: string }): Promise<boolean> {
  const row = await findState(tx.db).get(recipient)
  return row !== undefined && !isOpen(row.state)
}

/** Moves one recipient, and the counts. Returns the counts of the two states, or null when it is already in that state or unknown. */
export async function moveRecipient(tx: Tx, { campaignId, contactId, to, reason }: Move): Promise<Moved | null> {
  const set = { campaignId, contactId, state: to, reason, at: tx.now.getTime() }
  const moved = await moveFrom(tx.db).get({ ...set, from: 'sending' })
  const before = moved ? { state: 'sending' as const, variant: moved.variant } : await findFrom(tx, set)
  if (before === null) return null
  const { state: from, variant } = before
  const counts = await addToCounts(tx, campaignId, withVariant(variant, { [from]: -1, [to]: 1 }))
  if (isOpen(to) && !isOpen(from)) await reopen(tx, campaignId)
  return { from, sending: counts.get('sending') ?? null, closed: isOpen(from) && !isOpen(to) }
}

/** The move of a queued recipient to its next state. */
export type QueuedMove = Pick<
  typeof campaignRecipients.$inferSelect,
  'contactId' | 'state' | 'reason' | 'messageId' | 'variant'
>

const fromQueue = toRows(
  {
    contactId: campaignRecipients.contactId,
    state: campaignRecipients.state,
    reason: campaignRecipients.reason,
    messageId: campaignRecipients.messageId,
    variant: campaignRecipients.variant,
  },
  { campaignId: campaignRecipients.campaignId, now: campaignRecipients.updatedAt },
)

// An upsert of existing rows: it seeks each by its key, whatever the planner thinks of the list.
const moveFromQueue = prepared((db: Db) =>
  fromQueue
    .insertInto(db, campaignRecipients, {
      ...fromQueue.each,
      campaignId: fromQueue.shared.campaignId,
      updatedAt: fromQueue.shared.now,
    })
    .onConflictDoUpdate({
      target: [campaignRecipients.campaignId, campaignRecipients.contactId],
      set: {
        state: sql`excluded.state`,
        reason: sql`excluded.reason`,
        messageId: sql`excluded.message_id`,
        variant: sql`excluded.variant`,
        updatedAt: sql`excluded.updated_at`,
      },
    })
    .prepare(),
)

/** Moves many queued recipients, and the counts. */
export async function moveQueued(tx: Tx, campaignId: string, moves: QueuedMove[]): Promise<void> {
  await moveFromQueue(tx.db).run(fromQueue.given(moves, { campaignId, now: tx.now }))
  const taken = sumOf(moves.map(({ state, variant }) => withVariant(variant, { [state]: 1 })))
  await addToCounts(tx, campaignId, { ...taken, queued: -moves.length })
}

const sentRows = toRows(
  { contactId: campaignRecipients.contactId },
  { campaignId: campaignRecipients.campaignId, now: campaignRecipients.updatedAt },
)

// IN seeks each row by its key; a join with the list would scan the whole campaign.
const moveToSent = prepared((db: Db) =>
  db
    .update(campaignRecipients)
    .set({ state: 'sent', reason: null, updatedAt: sentRows.shared.now })
    .where(
      sql`campaign_id = ${sentRows.shared.campaignId} AND contact_id IN ${sentRows.pick('contactId')} AND state = 'sending'`,
    )
    .returning({ contactId: campaignRecipients.contactId, variant: campaignRecipients.variant })
    .prepare(),
)

/** The common end of many at once: from their first attempt to sent. Returns those that were not in it, and how many are left. */
export async function moveManyToSent(
  tx: Tx,
  campaignId: string,
  contactIds: string[],
): Promise<{ others: string[]; sending: number | null }> {
  const list = contactIds.map((contactId) => ({ contactId }))
  const moved = await moveToSent(tx.db).all(sentRows.given(list, { campaignId, now: tx.now }))
  const change = sumOf(moved.map(({ variant }) => withVariant(variant, { sending: -1, sent: 1 })))
  const counts = await addToCounts(tx, campaignId, change)
  const known = new Set(moved.map(({ contactId }) => contactId))
  return { others: contactIds.filter((id) => !known.has(id)), sending: counts.get('sending') ?? null }
}

/** The rarer moves: the state is read first. */
async function findFrom(
  tx: Tx,
  set: { campaignId: string; contactId: string; state: RecipientState; reason: string | null; at: number },
): Promise<{ state: RecipientState; variant: string | null } | null> {
  const row = await findState(tx.db).get({ campaignId: set.campaignId, contactId: set.contactId })
  if (!row || row.state === set.state) return null
  await moveFrom(tx.db).get({ ...set, from: row.state })
  return row
}

export interface Moved {
  from: RecipientState
  /** How many are in their first execution, when the move changed that. */
  sending: number | null
  /** True when the recipient has its outcome now. */
  closed: boolean
}

/** An operator sends an uncertain mail again, so the campaign has an open recipient once more. */
async function reopen(tx: Tx, campaignId: string): Promise<void> {
  await tx.db
    .update(campaigns)
    .set({ status: 'sending', endedAt: null, updatedAt: tx.now })
    .where(sql`id = ${campaignId} AND status = 'sent'`)
}

const readCounts = prepared((db: Parameters<typeof countsQuery>[0]) => countsQuery(db))

function countsQuery(db: Reader['db']) {
  return db
    .select({ name: campaignCounts.name, count: campaignCounts.count })
    .from(campaignCounts)
    .where(eq(campaignCounts.campaignId, sql.placeholder('campaignId')))
    .prepare()
}

/** Recipients by state, and everything else counted for a campaign. */
export async function loadCounts(reader: Reader, campaignId: string): Promise<Counts & Record<string, number>> {
  const zero = Object.fromEntries([...openStates, ...recipientOutcomes].map((state) => [state, 0])) as Counts
  const rows = await readCounts(reader.db).all({ campaignId })
  return { ...zero, ...Object.fromEntries(rows.map(({ name, count }) => [name, count])) }
}

/** Those of these contacts who have no mail yet. */
export async function queuedAmong(
  reader: Reader,
  campaignId: string,
  contactIds: string[],
): Promise<{ contactId: string; sendAfter: Date | null }[]> {
  return await reader.db
    .select({ contactId: campaignRecipients.contactId, sendAfter: campaignRecipients.sendAfter })
    .from(campaignRecipients)
    .where(sql`campaign_id = ${campaignId} AND contact_id IN ${oneOf(contactIds)} AND state = 'queued'`)
}

/** The counts of many campaigns at once. */
export async function countsOfMany(reader: Reader, ids: string[]): Promise<Map<string, Record<string, number>>> {
  const rows =
    ids.length === 0 ? [] : await reader.db.select().from(campaignCounts).where(inArray(campaignCounts.campaignId, ids))
  const byId = Map.groupBy(rows, (row) => row.campaignId)
  return new Map([...byId].map(([id, own]) => [id, Object.fromEntries(own.map(({ name, count }) => [name, count]))]))
}

/** How many of the audience may still be sent to. */
function countOpen(counts: Record<string, number>): number {
  return openStates.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
}

/** Everybody in the ledger. */
export function countAudience(counts: Record<string, number>): number {
  return [...openStates, ...recipientOutcomes].reduce((sum, state) => sum + (counts[state] ?? 0), 0)
}

/** The campaign is sent when the whole audience was copied and nobody is open. True when this ended it. */
export async function endIfComplete(tx: Tx, campaignId: string): Promise<boolean> {
  const counts = await loadCounts(tx, campaignId)
  if (countOpen(counts) > 0) return false
  const ended = await tx.db
    .update(campaigns)
    .set({ status: 'sent', endedAt: tx.now, nextSendAt: null, updatedAt: tx.now })
    .where(sql`id = ${campaignId} AND status = 'sending' AND snapshot_done_at IS NOT NULL`)
    .returning()
  for (const campaign of ended)
    await publishCampaign(tx, campaign, 'campaign.completed', { recipients: countAudience(counts) })
  return ended.length > 0
}
