// Email Activity: every message and each change of its state. The message row is its state "queued"; each execution of its job is a
// "sending"; message_events holds the rest. Only this file writes a message's status.

import { and, asc, count, eq, inArray, sql } from 'drizzle-orm'
import { expecting } from '../../../../db/expecting.ts'
import type { Db, ReadDb } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { insertSelect, toRows } from '../../../../db/rows.ts'
import { type MessageStatus, messageEvents, messages } from '../../../../db/tables/messages.ts'
import { outboxAttempts } from '../../../../db/tables/outbox.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { type Sort, sortingOf } from '../../../core/http/sorting.ts'
import { forgetMails } from '../../../core/outbox/forget.ts'
import { erasedAddress } from '../../../kit/email-address.ts'
import { AppError } from '../../../kit/error.ts'
import type { Trace } from '../../../kit/trace.ts'
import { publishEmails } from '../../webhooks/email-events.ts'
import { countFigures, isFigure } from '../stats/count.ts'

export type Message = typeof messages.$inferSelect

export interface StatusChange {
  messageId: string
  /** The job that continues it; another one after a resend; null for a refusal that was only logged. */
  jobId: string | null
  status: MessageStatus
  /** Attempts so far. */
  attempts: number
  /** e.g. "250", "550 5.1.1", "crashed". */
  code: string | null
  /** The server's reply or an explanation, for people. */
  detail: string | null
  /** A bounce for a temporary reason. */
  soft?: boolean
  /** Of the attempt that led to it. */
  trace?: Trace | null | undefined
}

const { id, status, jobId, attempts, updatedAt } = messages
const { code, detail } = messageEvents
const changed = toRows({ id, status, jobId, attempts, code, detail }, { at: updatedAt })

const updateStatuses = prepared((db: Db) => {
  const { status, jobId, attempts } = changed.each
  return db
    .update(messages)
    .set({ status, jobId, attempts, updatedAt: changed.shared.at })
    .from(changed.list)
    .where(sql`messages.id = ${changed.each.id}`)
    .prepare()
})

const appendEvents = prepared((db: Db) => {
  const { id: messageId, status, code, detail } = changed.each
  const number = sql`(SELECT coalesce(max(number), 0) + 1 FROM message_events WHERE message_id = ${messageId})`
  const row = { messageId, number, status, at: changed.shared.at, code, detail }
  // A message may have been deleted meanwhile.
  const source = sql`${changed.list} JOIN messages ON messages.id = ${messageId}`
  return insertSelect(db, messageEvents, row, source).prepare()
})

/** Moves messages to a new state: their rows, history and webhooks. Deleted messages are skipped. */
export async function recordStatuses(tx: Tx, changes: (StatusChange & OfMessage)[]): Promise<void> {
  if (changes.length === 0) return
  const erased = await erasedAmong(tx, changes)
  const told = changes.map((one) => (erased.has(one.messageId) ? { ...one, detail: null } : one))
  const given = changed.given(told.map(toRow), { at: tx.now })
  await updateStatuses(tx.db).run(given)
  await appendEvents(tx.db).run(given)
  await countFigures(
    tx,
    changes.flatMap(({ messageId, status }) => (isFigure(status) ? [{ id: messageId, figure: status }] : [])),
  )
  await publishEmails(tx, told)
  const ended = changes.filter(({ messageId }) => erased.has(messageId))
  if (ended.length === 0) return
  const jobIds = ended.flatMap(({ jobId }) => jobId ?? [])
  await forgetMails(tx, { messageIds: [...erased], jobIds })
}

/** For a mail that was being sent when its recipient was erased: the outcome is recorded without them. */
async function erasedAmong(reader: Reader, changes: StatusChange[]): Promise<Set<string>> {
  const given = ofIds.given(changes.map(({ messageId }) => ({ id: messageId })))
  const rows = await expecting(reader.db, [], () => findErased(reader.db).all(given))
  return new Set(rows.map(({ id }) => id))
}

export type OfMessage = Pick<Message, 'workspaceId' | 'kind'>

/** A hand-over is in progress, or its attempt was given back. The attempt itself is the record, so no event is appended. */
export async function markInProgress(tx: Tx, changes: Omit<StatusChange, 'code' | 'detail'>[]): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map((change) => toRow({ ...change, code: null, detail: null }))
  await updateStatuses(tx.db).run(changed.given(rows, { at: tx.now }))
}

function toRow({ messageId, status, jobId, attempts, code, detail }: StatusChange) {
  return { id: messageId, status, jobId, attempts, code, detail }
}

const ofIds = toRows({ id })

const findOwners = prepared((db: ReadDb) =>
  db
    .select({ id, workspaceId: messages.workspaceId, kind: messages.kind, email: messages.email })
    .from(messages)
    .where(sql`id IN ${ofIds.pick('id')}`)
    .prepare(),
)

const findErased = prepared((db: ReadDb) =>
  db
    .select({ id })
    .from(messages)
    .where(sql`id IN ${ofIds.pick('id')} AND email = ${erasedAddress}`)
    .prepare(),
)

/** The workspace and recipient of each message, by its id; deleted ones are missing. */
export async function loadOwners(reader: Reader, ids: string[]) {
  const rows = await findOwners(reader.db).all(ofIds.given(ids.map((id) => ({ id }))))
  return new Map(rows.map((row) => [row.id, row]))
}

interface ActivityEvent {
  status: MessageStatus
  at: Date
  code: string | null
  detail: string | null
}

/** One execution of the job that delivers it. */
type Attempt = Pick<typeof outboxAttempts.$inferSelect, 'startedAt' | 'endedAt' | 'outcome' | 'code' | 'detail'>

export interface ActivityRecord {
  message: Message
  events: ActivityEvent[]
  /** Oldest first; those of finished jobs go after 30 days. */
  attempts: Attempt[]
}

/** One message with its history. Throws not_found, also for another workspace's. */
export async function getActivity(reader: Reader, workspaceId: string, messageId: string): Promise<ActivityRecord> {
  const record = await findActivity(reader, workspaceId, messageId)
  if (record) return record
  throw new AppError('not_found', `no message ${JSON.stringify(messageId.slice(0, 80))} in this workspace`)
}

/** Null also for a message that retention has deleted. */
export async function findActivity(
  reader: Reader,
  workspaceId: string,
  messageId: string,
): Promise<ActivityRecord | null> {
  const [message] = await reader.db
    .select()
    .from(messages)
    .where(and(eq(messages.workspaceId, workspaceId), eq(messages.id, messageId)))
  if (!message) return null
  const [record] = await withEvents(reader, [message])
  return record ?? { message, events: [], attempts: [] }
}

/** These messages in the order of their ids; deleted ones are missing. */
export async function listActivityById(reader: Reader, workspaceId: string, ids: string[]): Promise<ActivityRecord[]> {
  const mine = and(eq(messages.workspaceId, workspaceId), inArray(messages.id, ids))
  return withEvents(reader, await reader.db.select().from(messages).where(mine).orderBy(messages.id))
}

const byId = { column: messages.id, of: ({ message }: ActivityRecord) => message.id }
export const activityOrders = { first: '-createdAt', named: { createdAt: { key: byId } } } as const
export type ActivitySort = Sort<keyof typeof activityOrders.named>

interface ActivityPage {
  sort?: ActivitySort | undefined
  /** The place of the last message of the page before. */
  after: string | undefined
  limit: number
}

/** Newest first, unless asked otherwise. */
export async function listActivity(
  reader: Reader,
  workspaceId: string,
  { sort, after, limit }: ActivityPage,
): Promise<ActivityRecord[]> {
  const { order, beyond } = sortingOf(activityOrders, sort)
  const rows = await reader.db
    .select()
    .from(messages)
    .where(and(eq(messages.workspaceId, workspaceId), beyond(after)))
    .orderBy(order)
    .limit(limit)
  return withEvents(reader, rows)
}

/** When the mail with this rowid was accepted, or the last one before it. */
export async function timeOfMail(reader: Reader, rowid: number): Promise<Date | null> {
  const [row] = await reader.db
    .select({ at: messages.createdAt })
    .from(messages)
    .where(sql`rowid <= ${rowid}`)
    .orderBy(sql`rowid DESC`)
    .limit(1)
  return row?.at ?? null
}

/** A request never counts further than this, so the list of a large installation stays as fast as that of a small one. */
const maxCounted = 10_000

/** How many messages there are, at most 10,000. */
export async function countActivity(reader: Reader, workspaceId: string): Promise<number> {
  const some = reader.db
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.workspaceId, workspaceId))
    .limit(maxCounted)
  const rows = await reader.db.select({ total: count() }).from(some.as('some'))
  return rows[0]?.total ?? 0
}

export async function withEvents(reader: Reader, rows: Message[]): Promise<ActivityRecord[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const changes = await reader.db
    .select()
    .from(messageEvents)
    .where(inArray(messageEvents.messageId, ids))
    .orderBy(asc(messageEvents.messageId), asc(messageEvents.number))
  const executions = await reader.db
    .select()
    .from(outboxAttempts)
    .where(
      inArray(
        outboxAttempts.jobId,
        rows.flatMap(({ jobId }) => jobId ?? []),
      ),
    )
    .orderBy(asc(outboxAttempts.jobId), asc(outboxAttempts.fence))
  return rows.map((message) => {
    const attempts = executions.filter(({ jobId }) => jobId === message.jobId)
    const events = [
      ...(message.jobId === null ? [] : [event('queued', message.createdAt)]),
      ...attempts.map(({ startedAt }) => event('sending', startedAt)),
      ...changes.filter((change) => change.messageId === message.id),
    ]
    events.sort((one, other) => one.at.getTime() - other.at.getTime())
    return { message, events, attempts }
  })
}

function event(status: MessageStatus, at: Date): ActivityEvent {
  return { status, at, code: null, detail: null }
}
