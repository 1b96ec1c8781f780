// What a workspace may accept by its plan: mails a day and a month, mails a second, contacts. A workspace without limits costs no statement.
// What is accepted is counted in the same transaction, so the number is exact, whichever process accepts.

import { eq, sql } from 'drizzle-orm'
import { expecting } from '../../db/expecting.ts'
import type { Db, ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { toRows } from '../../db/rows.ts'
import { type LimitName, type Limits, workspaceDays, workspaces } from '../../db/tables/workspaces.ts'
import type { Reader, Tx } from '../core/app.ts'
import { day, second } from '../kit/duration.ts'
import { AppError } from '../kit/error.ts'
import type { Workspace } from './workspaces.ts'

export const noLimits: Limits = { mailsPerDay: null, mailsPerMonth: null, mailsPerSecond: null, contacts: null }

/** Given members replace those it has; null clears one. */
export async function setLimits(tx: Tx, { id, limits }: Limited, change: Partial<Limits>): Promise<void> {
  const next = { ...(limits ?? noLimits), ...change }
  await tx.db.update(workspaces).set({ limits: next, updatedAt: tx.now }).where(eq(workspaces.id, id))
}

/** A rate may be used ahead by this much. */
const aheadMs = second

type Limited = Pick<Workspace, 'id' | 'limits'>

/** How many more mails may be accepted now; which limit says so, and when it allows more. */
export type MailsLeft = { left: number; by: null } | { left: number; by: LimitName; most: number; until: Date }

const readCounts = prepared((db: ReadDb) => {
  const p = sql.placeholder
  return db
    .select({
      today: sql<number>`coalesce(sum(CASE WHEN day = ${p('today')} THEN mails END), 0)`,
      month: sql<number>`coalesce(sum(mails), 0)`,
      pacedUntil: sql<number>`coalesce(max(paced_until), 0)`,
    })
    .from(workspaceDays)
    .where(sql`workspace_id = ${p('workspaceId')} AND day >= ${p('monthFrom')}`)
    .prepare()
})

const addMails = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .insert(workspaceDays)
    .values({
      workspaceId: p('workspaceId'),
      day: sql`${p('today')}`,
      mails: p('mails'),
      pacedUntil: p('pacedUntil'),
    })
    .onConflictDoUpdate({
      target: [workspaceDays.workspaceId, workspaceDays.day],
      set: { mails: sql`mails + excluded.mails`, pacedUntil: sql`excluded.paced_until` },
    })
    .prepare()
})

const sentRows = toRows(
  { workspaceId: workspaceDays.workspaceId, sentBytes: workspaceDays.sentBytes },
  { day: workspaceDays.day },
)

const addBytes = prepared((db: Db) =>
  sentRows
    .insertInto(db, workspaceDays, { ...sentRows.each, ...sentRows.shared, mails: sql`0` })
    .onConflictDoUpdate({
      target: [workspaceDays.workspaceId, workspaceDays.day],
      set: { sentBytes: sql`sent_bytes + excluded.sent_bytes` },
    })
    .prepare(),
)

/** Adds to the day what was sent, by workspace; each has limits. */
export async function addSentBytes(tx: Tx, bytes: Map<string, number>): Promise<void> {
  const rows = [...bytes].map(([workspaceId, sentBytes]) => ({ workspaceId, sentBytes }))
  await addBytes(tx.db).run(sentRows.given(rows, { day: dayOf(tx.now) }))
}

interface Counted {
  today: number
  month: number
  pacedUntil: number
}

/** The beginning of the day of UTC. */
function dayOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / day) * day)
}

async function loadCounts(reader: Reader, workspaceId: string, now: Date): Promise<Counted> {
  const monthFrom = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  const [row] = await readCounts(reader.db).all({ workspaceId, today: dayOf(now).getTime(), monthFrom })
  return row ?? { today: 0, month: 0, pacedUntil: 0 }
}

/** The limit that leaves least. A rate leaves any number or none: what is beyond it is waited for afterwards. */
function leftBy(limits: Limits, { today, month, pacedUntil }: Counted, now: Date): MailsLeft {
  const { mailsPerDay, mailsPerMonth, mailsPerSecond } = limits
  const found: MailsLeft[] = []
  const add = (by: LimitName, most: number | null, used: number, until: Date) => {
    if (most !== null) found.push({ left: Math.max(0, most - used), by, most, until })
  }
  add('mailsPerMonth', mailsPerMonth, month, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)))
  add('mailsPerDay', mailsPerDay, today, new Date(dayOf(now).getTime() + day))
  if (mailsPerSecond !== null && pacedUntil >= now.getTime() + aheadMs)
    found.push({
      left: 0,
      by: 'mailsPerSecond',
      most: mailsPerSecond,
      until: new Date(Math.ceil(pacedUntil) - aheadMs + 1),
    })
  return found.reduce((least, one) => (one.left < least.left ? one : least), {
    left: Number.POSITIVE_INFINITY,
    by: null,
  } as MailsLeft)
}

/** For what asks before it prepares mails: campaigns, sequences. */
export async function mailsLeft(reader: Reader, { id, limits }: Limited, now: Date): Promise<MailsLeft> {
  if (limits === null) return { left: Number.POSITIVE_INFINITY, by: null }
  return leftBy(limits, await loadCounts(reader, id, now), now)
}

/** The days of a month to come, for a forecast. Rates are left out: they shape minutes, not days. */
export class MailsAhead {
  readonly #limits: Limits
  readonly #days = new Map<number, number>()

  private constructor(limits: Limits) {
    this.#limits = { ...limits, mailsPerSecond: null }
  }

  /** Null: a workspace without limits. */
  static async load(reader: Reader, { id, limits }: Limited, now: Date): Promise<MailsAhead | null> {
    if (limits === null) return null
    const ahead = new MailsAhead(limits)
    const { today, month } = await loadCounts(reader, id, now)
    ahead.take(now, today)
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))
    if (month > today) ahead.take(first, month - today)
    return ahead
  }

  take(at: Date, mails: number): void {
    const begin = dayOf(at).getTime()
    this.#days.set(begin, (this.#days.get(begin) ?? 0) + mails)
  }

  left(now: Date): MailsLeft {
    const monthFrom = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
    const month = [...this.#days].reduce((sum, [begin, mails]) => (begin < monthFrom ? sum : sum + mails), 0)
    return leftBy(this.#limits, { today: this.#days.get(dayOf(now).getTime()) ?? 0, month, pacedUntil: 0 }, now)
  }
}

/** A limit that leaves no room for what was asked. */
export type Met = Extract<MailsLeft, { by: LimitName }>

/** Counts as many mails as accepted, all of them or none. Returns the limit that they would exceed; null: they were counted. */
export async function takeMails(tx: Tx, { id: workspaceId, limits }: Limited, mails: number): Promise<Met | null> {
  if (limits === null || mails === 0) return null
  const counts = await loadCounts(tx, workspaceId, tx.now)
  const room = leftBy(limits, counts, tx.now)
  if (room.by !== null && room.left < mails) return room
  const { mailsPerSecond } = limits
  const from = Math.max(counts.pacedUntil, tx.now.getTime())
  // Not whole milliseconds: of a thousand mails a second each would be rounded to one more.
  const pacedUntil = mailsPerSecond === null ? 0 : from + (mails * second) / mailsPerSecond
  await addMails(tx.db).run({ workspaceId, today: dayOf(tx.now).getTime(), mails, pacedUntil })
  return null
}

/** The same, for a request that is refused as a whole. Throws `limit_reached`. */
export async function mustTakeMails(tx: Tx, workspace: Limited, mails: number): Promise<void> {
  const met = await takeMails(tx, workspace, mails)
  if (met !== null) throw limitReached(met, mails, tx.now)
}

const mailWords = { mailsPerDay: 'a day', mailsPerMonth: 'a month', mailsPerSecond: 'a second' } as const

/** The refusal of so many mails. */
export function limitReached({ by, most, left, until }: Met, mails: number, now: Date): AppError {
  const per = by === 'contacts' ? '' : ` ${mailWords[by]}`
  const asked = left > 0 && mails > left ? `, ${left} are left, and this needs ${mails}` : ''
  const text = `This workspace may send ${most} mails${per}${asked}. More from ${until.toISOString()} on.`
  return new AppError('limit_reached', text, {
    extra: { limit: by, most, left, until: until.toISOString() },
    retryAfterSeconds: Math.max(1, (until.getTime() - now.getTime()) / second),
  })
}

const readContacts = prepared((db: ReadDb) => {
  const p = sql.placeholder
  return db
    .select({
      most: sql<number>`limits ->> 'contacts'`,
      held: sql<number>`coalesce((SELECT value FROM counters WHERE workspace_id = ${p('workspaceId')} AND name = 'contacts'), 0)`,
    })
    .from(workspaces)
    .where(sql`id = ${p('workspaceId')} AND limits ->> 'contacts' IS NOT NULL`)
    .prepare()
})

/** How many more contacts there may be; Infinity where none is too many. */
export async function countRoom(reader: Reader, workspaceId: string): Promise<number> {
  const [row] = await expecting(reader.db, [], () => readContacts(reader.db).all({ workspaceId }))
  return row === undefined ? Number.POSITIVE_INFINITY : Math.max(0, row.most - row.held)
}

/** Why an entry of a file makes no contact. */
export const noRoom = 'the plan allows no more contacts'

/** Throws `limit_reached` where one more contact is too many. */
export async function mustHaveRoom(tx: Tx, workspaceId: string): Promise<void> {
  const [row] = await expecting(tx.db, [], () => readContacts(tx.db).all({ workspaceId }))
  if (row === undefined || row.held < row.most) return
  const { most } = row
  const text = `This workspace may have ${most} contacts, and 0 more are possible.`
  throw new AppError('limit_reached', text, { extra: { limit: 'contacts', most, left: 0, until: null } })
}

/** Notes that a limit was met. True: for the first time on this day. */
export async function noteMet(tx: Tx, workspaceId: string, limit: LimitName): Promise<boolean> {
  const key = sql`workspace_id = ${workspaceId} AND day = ${dayOf(tx.now).getTime()}`
  const [row] = await tx.db.select({ met: workspaceDays.met }).from(workspaceDays).where(key)
  if (row?.met.includes(limit)) return false
  const met = [...(row?.met ?? []), limit]
  await tx.db
    .insert(workspaceDays)
    .values({ workspaceId, day: dayOf(tx.now), mails: 0, met })
    .onConflictDoUpdate({ target: [workspaceDays.workspaceId, workspaceDays.day], set: { met } })
  return true
}

const keptMs = 400 * day
const retentionBatch = 200

/** Removes days that no invoice needs any more. Returns how many; call until 0. */
export async function deleteOldDays(tx: Tx): Promise<number> {
  const old = sql`(SELECT workspace_id, day FROM workspace_days WHERE day < ${tx.now.getTime() - keptMs} LIMIT ${retentionBatch})`
  const gone = await tx.db
    .delete(workspaceDays)
    .where(sql`(workspace_id, day) IN ${old}`)
    .returning({ day: workspaceDays.day })
  return gone.length
}
