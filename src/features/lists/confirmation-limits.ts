// Decides when a confirmation mail may go out. A form that is submitted a thousand times must not flood a mailbox (list bombing), and must
// stay open to everybody else meanwhile. A mail above a limit of its mailbox, network or source is held until the limit has room for it.
// Only few may wait per mailbox and network; beyond that no mail is queued.

import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  min,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import { confirmationMails, confirmations, type HeldBy, subscriptionSources } from '../../../db/tables/lists.ts'
import { messages } from '../../../db/tables/messages.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { day, hour, minute } from '../../kit/duration.ts'
import { mailboxOf } from '../../kit/email-address.ts'
import type { Network } from '../../kit/network.ts'

interface Limit {
  within: number
  most: number
}

/** The form was filled in again. */
const askedAgain: Limit[] = [
  { within: 10 * minute, most: 1 },
  { within: day, most: 3 },
]
/** The person asked for another mail. */
const resendAsked: Limit[] = [{ within: minute, most: 1 }]
/** Over all workspaces. */
const perMailbox: Limit = { within: day, most: 5 }
const perNetwork: Limit = { within: hour, most: 60 }
const perSource: Limit = { within: hour, most: 2_000 }
/** Of one mailbox and of one network that may wait at once. */
const mostHeld = { address: 3, network: 60 }
/** Nobody waits longer than a link would work. */
const longestHoldMs = 7 * day
/** Longer than every limit looks back. */
const keptMs = 2 * day
/** More than may be there of one mailbox or network. */
const mostSlots = 1_000

export interface LimitedMail {
  workspaceId: string
  contactId: string
  email: string
  sourceId: string | null
  mailingListIds: string[]
  /** networkAround() whoever asked. */
  network: Network | null
  why: 'opt_in' | 'resend'
}

/** The fields that limits count by. */
export type LimitedBy = Pick<LimitedMail, 'workspaceId' | 'email' | 'sourceId' | 'network' | 'why'>

export interface Slot {
  sentAt: Date
  /** What it waits for; null: it goes out now. */
  heldBy: HeldBy | null
}

/** Null: none is needed, because a link that was or will be mailed does the same; or too many wait already. */
export async function findSlot(tx: Tx, request: LimitedMail): Promise<Slot | null> {
  const slot = await firstRoom(tx, request)
  if (slot?.heldBy == null) return slot
  const isTooFar = slot.sentAt.getTime() > tx.now.getTime() + longestHoldMs
  return isTooFar || (await hasLink(tx, request)) ? null : slot
}

/** Null: as many wait already as may. */
export async function firstRoom(tx: Tx, request: LimitedBy): Promise<Slot | null> {
  const counters = await loadCounters(tx, request)
  const now: Slot = { sentAt: tx.now, heldBy: null }
  const own = roomFrom(counters, now)
  const slot = own.heldBy === null ? roomFrom(counters, await roomOfSource(tx, request, now)) : own
  if (slot.heldBy === null) return slot
  return counters.some(({ taken, mostHeld }) => taken.filter((at) => at > tx.now.getTime()).length >= mostHeld)
    ? null
    : slot
}

/** The mails that a limit counts, those that are held among them. */
interface Counter {
  heldBy: HeldBy
  limits: Limit[]
  mostHeld: number
  /** When each went or goes out, the first first. */
  taken: number[]
}

async function loadCounters(tx: Tx, { workspaceId, email, network, why }: LimitedBy): Promise<Counter[]> {
  const mailbox = eq(confirmationMails.mailboxHash, mailboxHash(email))
  const here = and(mailbox, eq(confirmationMails.workspaceId, workspaceId))
  const count = async (heldBy: 'address' | 'network', which: SQL | undefined, limits: Limit[]): Promise<Counter> => {
    const longest = Math.max(...limits.map(({ within }) => within))
    return { heldBy, limits, mostHeld: mostHeld[heldBy], taken: await listSlots(tx, which, longest) }
  }
  return [
    await count('address', here, why === 'resend' ? resendAsked : askedAgain),
    await count('address', mailbox, [perMailbox]),
    ...(network === null ? [] : [await count('network', eq(confirmationMails.network, network), [perNetwork])]),
  ]
}

async function listSlots(tx: Tx, which: SQL | undefined, within: number): Promise<number[]> {
  const rows = await tx.db
    .select({ sentAt: confirmationMails.sentAt })
    .from(confirmationMails)
    .where(and(which, gt(confirmationMails.sentAt, new Date(tx.now.getTime() - within))))
    .orderBy(asc(confirmationMails.sentAt))
    .limit(mostSlots)
  return rows.map(({ sentAt }) => sentAt.getTime())
}

/** The first time from that of `slot` on that suits every limit. */
function roomFrom(counters: Counter[], slot: Slot): Slot {
  const at = slot.sentAt.getTime()
  for (const { heldBy, limits, taken } of counters)
    for (const limit of limits) {
      const free = roomAt(taken, limit, at)
      if (free > at) return roomFrom(counters, { sentAt: new Date(free), heldBy })
    }
  return slot
}

/** The first time from `from` on at which one more leaves no span of `within` with more than `most`. */
function roomAt(taken: number[], { within, most }: Limit, from: number): number {
  const fits = (at: number) => {
    const near = taken.filter((one) => Math.abs(one - at) < within)
    return !near.some((first, index) => {
      const last = near[index + most - 1]
      return last !== undefined && Math.max(last, at) - Math.min(first, at) < within
    })
  }
  return [from, ...taken.map((one) => one + within)].find((at) => at >= from && fits(at)) ?? from
}

/**
 * Now, or after those that wait for the source. What waits for a mailbox or a network takes no room of the source before its time, or one
 * visitor could close the form for all.
 */
async function roomOfSource(tx: Tx, { sourceId }: LimitedBy, now: Slot): Promise<Slot> {
  if (sourceId === null) return now
  const { within, most } = perSource
  const roomAfter = async (which: SQL | undefined) => {
    const [row] = await tx.db
      .select({ sentAt: confirmationMails.sentAt })
      .from(confirmationMails)
      .where(and(eq(confirmationMails.sourceId, sourceId), which))
      .orderBy(desc(confirmationMails.sentAt))
      .limit(1)
      .offset(most - 1)
    return new Date((row?.sentAt.getTime() ?? 0) + within)
  }
  const hasGone = lte(confirmationMails.sentAt, tx.now)
  if ((await roomAfter(hasGone)) <= tx.now) return now
  return { sentAt: await roomAfter(or(hasGone, eq(confirmationMails.heldBy, 'source'))), heldBy: 'source' }
}

async function hasLink(tx: Tx, { contactId, mailingListIds }: LimitedMail): Promise<boolean> {
  const links = await tx.db
    .select({ lists: confirmations.mailingListIds })
    .from(confirmations)
    .where(
      and(
        eq(confirmations.contactId, contactId),
        isNull(confirmations.endedAt),
        gt(confirmations.expiresAt, tx.now),
        notExists(mailThatNeverLeft(tx)),
      ),
    )
  return links.some(({ lists }) => mailingListIds.every((id) => lists.includes(id)))
}

function mailThatNeverLeft(tx: Tx) {
  return tx.db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(eq(messages.id, confirmations.messageId), inArray(messages.status, ['cancelled', 'failed', 'suppressed'])),
    )
}

/** Takes the slot. True when it is the first of its workspace that waits for this network or source. */
export async function takeSlot(
  tx: Tx,
  request: LimitedMail,
  messageId: string,
  { sentAt, heldBy }: Slot,
): Promise<boolean> {
  const { workspaceId, sourceId, network } = request
  const isFirst =
    heldBy !== null && heldBy !== 'address' && !(await isHolding(tx, { workspaceId, heldBy, network, sourceId }))
  const heldAt = heldBy === null ? null : tx.now
  await tx.db.insert(confirmationMails).values({
    mailboxHash: mailboxHash(request.email),
    sentAt,
    messageId,
    workspaceId,
    sourceId,
    network,
    heldBy,
    heldAt,
  })
  return isFirst
}

/** For mails that were never handed over. What a receiver refused keeps its slot, because it was mail all the same. */
export async function giveBackSlots(tx: Tx, messageIds: string[]): Promise<void> {
  const mails = await tx.db
    .select({ id: messages.id, email: messages.email })
    .from(messages)
    .where(inArray(messages.id, oneOf(messageIds)))
  for (const { id, email } of mails)
    await tx.db
      .delete(confirmationMails)
      .where(and(eq(confirmationMails.mailboxHash, mailboxHash(email)), eq(confirmationMails.messageId, id)))
}

export function mailboxHash(email: string): string {
  return sha256Hex(mailboxOf(email))
}

type Key = Pick<typeof confirmationMails.$inferSelect, 'workspaceId' | 'network' | 'sourceId'> & {
  heldBy: 'network' | 'source'
}

async function isHolding(tx: Tx, { workspaceId, heldBy, network, sourceId }: Key): Promise<boolean> {
  const key =
    heldBy === 'network' ? eq(confirmationMails.network, network ?? '') : eq(confirmationMails.sourceId, sourceId ?? '')
  const [row] = await tx.db
    .select({ sentAt: confirmationMails.sentAt })
    .from(confirmationMails)
    .where(
      and(
        key,
        gt(confirmationMails.sentAt, tx.now),
        eq(confirmationMails.workspaceId, workspaceId),
        eq(confirmationMails.heldBy, heldBy),
      ),
    )
    .limit(1)
  return row !== undefined
}

export interface HeldSignUps {
  heldBy: 'network' | 'source'
  /** The network, or the name of the source. */
  name: string
  sourceId: string | null
  count: number
  since: Date
  until: Date
}

/** Held sign-ups by network and source, those first that wait longest. Repeats by a single address are not listed. */
export async function listHeld(reader: Reader, workspaceId: string, now: Date, most: number): Promise<HeldSignUps[]> {
  const { network, sourceId, heldBy, heldAt, sentAt } = confirmationMails
  const isByNetwork = sql`${heldBy} = 'network'`
  const rows = await reader.db
    .select({
      heldBy,
      network: sql<string | null>`CASE WHEN ${isByNetwork} THEN ${network} END`.as('held_network'),
      sourceId: sql<string | null>`CASE WHEN NOT ${isByNetwork} THEN ${sourceId} END`.as('held_source'),
      count: sql<number>`count(*)`,
      since: min(heldAt),
      until: max(sentAt),
    })
    .from(confirmationMails)
    .where(
      and(eq(confirmationMails.workspaceId, workspaceId), gt(sentAt, now), isNotNull(heldBy), ne(heldBy, 'address')),
    )
    .groupBy(heldBy, sql`held_network`, sql`held_source`)
    .orderBy(asc(min(heldAt)))
    .limit(most)
  const ids = rows.flatMap(({ sourceId }) => sourceId ?? [])
  const sources = await reader.db.select().from(subscriptionSources).where(inArray(subscriptionSources.id, ids))
  const names = new Map(sources.map(({ id, name }) => [id, name]))
  return rows.map(({ heldBy, network, sourceId, count, since, until }) => ({
    heldBy: heldBy === 'network' ? 'network' : 'source',
    name: network ?? names.get(sourceId ?? '') ?? '',
    sourceId,
    count,
    since: since ?? now,
    until: until ?? now,
  }))
}

const deletedAtOnce = 200

/** Deletes rows that no limit counts any more; call until 0. */
export async function deleteOldConfirmationMails(tx: Tx): Promise<number> {
  const old = tx.db
    .select({ key: sql`email_hash, sent_at, message_id` })
    .from(confirmationMails)
    .where(lte(confirmationMails.sentAt, new Date(tx.now.getTime() - keptMs)))
    .limit(deletedAtOnce)
  const gone = await tx.db
    .delete(confirmationMails)
    .where(sql`(email_hash, sent_at, message_id) IN ${old}`)
    .returning({ id: confirmationMails.messageId })
  return gone.length
}
