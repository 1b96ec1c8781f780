// When a confirmation mail may go out: a form that is filled in a thousand times must flood no mailbox (list bombing). What is over a limit
// of its address, network or source is not dropped: it goes out as soon as the limit has room for it, first come, first served.

import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, max, min, ne, type SQL, sql } from 'drizzle-orm'
import { confirmationMails, confirmations, type HeldBy, subscriptionSources } from '../../db/tables/lists.ts'
import type { Reader, Tx } from '../app.ts'
import { suppressionKey } from '../consent/suppression.ts'
import { day, hour, minute } from '../lib/duration.ts'
import { parseIp } from '../lib/ip-address.ts'

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
const perAddress: Limit = { within: day, most: 5 }
const perNetwork: Limit = { within: hour, most: 60 }
const perSource: Limit = { within: hour, most: 2_000 }
/** Nobody waits longer than a link would work. */
const longestHoldMs = 7 * day
/** Longer than every limit looks back. */
const keptMs = 2 * day

export interface Asked {
  workspaceId: string
  contactId: string
  email: string
  sourceId: string | null
  mailingListIds: string[]
  ip: string | null
  why: 'opt_in' | 'resend'
}

export interface Slot {
  sentAt: Date
  /** What it waits for; null: it goes out now. */
  heldBy: HeldBy | null
}

/** Null: none is needed, because a link that was or will be mailed does the same; or none has room within a week. */
export async function findSlot(tx: Tx, asked: Asked): Promise<Slot | null> {
  let slot: Slot = { sentAt: tx.now, heldBy: null }
  for (const { which, limit, heldBy } of limitsOf(asked)) {
    const sentAt = await roomAt(tx, which, limit)
    if (sentAt > slot.sentAt) slot = { sentAt, heldBy }
  }
  if (slot.heldBy === null) return slot
  const isTooFar = slot.sentAt.getTime() > tx.now.getTime() + longestHoldMs
  return isTooFar || (await hasLink(tx, asked)) ? null : slot
}

function limitsOf({ workspaceId, email, sourceId, ip, why }: Asked) {
  const address = eq(confirmationMails.emailHash, suppressionKey(email))
  const here = and(address, eq(confirmationMails.workspaceId, workspaceId))
  const limits: { which: SQL | undefined; limit: Limit; heldBy: HeldBy }[] = [
    ...(why === 'resend' ? resendAsked : askedAgain).map((limit) => ({
      which: here,
      limit,
      heldBy: 'address' as const,
    })),
    { which: address, limit: perAddress, heldBy: 'address' },
  ]
  if (sourceId !== null)
    limits.push({ which: eq(confirmationMails.sourceId, sourceId), limit: perSource, heldBy: 'source' })
  if (ip !== null)
    limits.push({ which: eq(confirmationMails.network, networkAround(ip)), limit: perNetwork, heldBy: 'network' })
  return limits
}

/** Also after those that are held already. */
async function roomAt(tx: Tx, which: SQL | undefined, { within, most }: Limit): Promise<Date> {
  const [row] = await tx.db
    .select({ sentAt: confirmationMails.sentAt })
    .from(confirmationMails)
    .where(which)
    .orderBy(desc(confirmationMails.sentAt))
    .limit(1)
    .offset(most - 1)
  return new Date((row?.sentAt.getTime() ?? 0) + within)
}

async function hasLink(tx: Tx, { contactId, mailingListIds }: Asked): Promise<boolean> {
  const links = await tx.db
    .select({ lists: confirmations.mailingListIds })
    .from(confirmations)
    .where(
      and(eq(confirmations.contactId, contactId), isNull(confirmations.endedAt), gt(confirmations.expiresAt, tx.now)),
    )
  return links.some(({ lists }) => mailingListIds.every((id) => lists.includes(id)))
}

/** Takes the slot. True when it is the first of its workspace that waits for this network or source. */
export async function takeSlot(tx: Tx, asked: Asked, messageId: string, { sentAt, heldBy }: Slot): Promise<boolean> {
  const { workspaceId, sourceId, ip } = asked
  const network = ip === null ? null : networkAround(ip)
  const isFirst =
    heldBy !== null && heldBy !== 'address' && !(await isHolding(tx, { workspaceId, heldBy, network, sourceId }))
  const heldAt = heldBy === null ? null : tx.now
  const emailHash = suppressionKey(asked.email)
  await tx.db
    .insert(confirmationMails)
    .values({ emailHash, sentAt, messageId, workspaceId, sourceId, network, heldBy, heldAt })
  return isFirst
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

/** The /24 of an IPv4 address, the /48 of an IPv6 address: what one customer of a provider, or one who bombs, can have all of. */
export function networkAround(ip: string): string {
  const bytes = parseIp(ip)
  if (bytes === null) return ip
  if (bytes.length === 4) return `${bytes.slice(0, 3).join('.')}.0/24`
  const groups = [0, 2, 4].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16))
  return `${groups.join(':')}::/48`
}

export interface Held {
  heldBy: 'network' | 'source'
  /** The network, or the name of the source. */
  name: string
  sourceId: string | null
  count: number
  since: Date
  until: Date
}

/** What networks and sources wait for, those first that wait longest. An address that asks twice is nobody's business. */
export async function listHeld(reader: Reader, workspaceId: string, now: Date, most: number): Promise<Held[]> {
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

/** Forgets what no limit looks at any more; call until 0. */
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
