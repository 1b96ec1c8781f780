// Email Activity: every message and each change of its state. The message row is its state "queued"; each execution of its job
// is a "sending"; message_events holds the rest. Nothing else writes a message's status.

import { and, asc, count, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { type MessageStatus, messageEvents, messages } from '../../db/tables/messages.ts'
import { outboxAttempts } from '../../db/tables/outbox.ts'
import type { Reader, Tx } from '../app.ts'
import { AppError } from '../lib/error.ts'
import { publishEmail, publishEmails } from './email-events.ts'

export type Message = typeof messages.$inferSelect

/** Stands where the address of an erased person was (RFC 2606: `.invalid` is nobody's). */
export const erasedAddress = 'erased@erased.invalid'

export interface StatusChange {
  messageId: string
  /** The job that carries it on; another one after a resend; null for a refusal that was only logged. */
  jobId: string | null
  status: MessageStatus
  /** Executions so far. */
  attempts: number
  /** e.g. "250", "550 5.1.1", "crashed". */
  code: string | null
  /** The server's reply or what happened, for people. */
  detail: string | null
  /** A bounce for a passing reason. */
  soft?: boolean
}

const updateStatus = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .update(messages)
    .set({
      status: sql`${p('status')}`,
      jobId: sql`${p('jobId')}`,
      attempts: sql`${p('attempts')}`,
      updatedAt: sql`${p('at')}`,
    })
    .where(eq(messages.id, p('messageId')))
    .returning({ email: messages.email, workspaceId: messages.workspaceId, kind: messages.kind })
    .prepare()
})

const appendEvent = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .insert(messageEvents)
    .values({
      messageId: p('messageId'),
      number: sql`(SELECT coalesce(max(number), 0) + 1 FROM message_events WHERE message_id = ${p('messageId')})`,
      status: p('status'),
      at: p('at'),
      code: p('code'),
      detail: p('detail'),
    })
    .prepare()
})

/** The message is in a new state: its row, its history and the webhooks say so. Returns its recipient; null when it does not exist. */
export async function recordStatus(tx: Tx, change: StatusChange): Promise<string | null> {
  const { code, detail, messageId, status, soft } = change
  const message = await updateMessage(tx, change)
  if (!message) return null
  await appendEvent(tx.db).run({ messageId, status, at: tx.now, code, detail })
  await publishEmail(tx, { ...message, messageId, status, code, detail, soft })
  return message.email
}

const updateStatuses = prepared((db: Db) =>
  db
    .update(messages)
    .set({
      status: sql`e.value ->> 1`,
      jobId: sql`e.value ->> 2`,
      attempts: sql`e.value ->> 3`,
      updatedAt: sql`${sql.placeholder('at')}`,
    })
    .from(sql`json_each(${sql.placeholder('changes')}) AS e`)
    .where(sql`messages.id = e.value ->> 0`)
    .prepare(),
)

const appendEvents = prepared((db: Db) =>
  db
    .insert(messageEvents)
    .select(
      sql`SELECT value ->> 0, (SELECT coalesce(max(number), 0) + 1 FROM message_events WHERE message_id = value ->> 0), value ->> 1,
        ${sql.placeholder('at')}, value ->> 4, value ->> 5 FROM json_each(${sql.placeholder('changes')})`,
    )
    .prepare(),
)

/** What recordStatus() does, for many messages that exist, each of them once. */
export async function recordStatuses(
  tx: Tx,
  changes: (StatusChange & Pick<Message, 'workspaceId' | 'kind'>)[],
): Promise<void> {
  const lines = changes.map(({ messageId, status, jobId, attempts, code, detail }) => {
    return [messageId, status, jobId, attempts, code, detail]
  })
  const bound = { at: tx.now.getTime(), changes: JSON.stringify(lines) }
  await updateStatuses(tx.db).run(bound)
  await appendEvents(tx.db).run(bound)
  await publishEmails(tx, changes)
}

/** A hand-over is under way, or was given back. The attempt itself is the record of it, so no event is appended. */
export async function markInProgress(tx: Tx, change: Omit<StatusChange, 'code' | 'detail'>): Promise<string | null> {
  return (await updateMessage(tx, change))?.email ?? null
}

function updateMessage(tx: Tx, { messageId, status, attempts, jobId }: Omit<StatusChange, 'code' | 'detail'>) {
  return updateStatus(tx.db).get({ messageId, status, attempts, jobId, at: tx.now.getTime() })
}

interface ActivityEvent {
  status: MessageStatus
  at: Date
  code: string | null
  detail: string | null
}

export interface ActivityRecord {
  message: Message
  events: ActivityEvent[]
}

/** One message with its history. Throws not_found, also for another workspace's. */
export async function getActivity(reader: Reader, workspaceId: string, messageId: string): Promise<ActivityRecord> {
  const record = await findActivity(reader, workspaceId, messageId)
  if (record) return record
  throw new AppError('not_found', `no message ${JSON.stringify(messageId.slice(0, 80))} in this workspace`)
}

/** Null also for a message that retention has removed. */
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
  return record ?? { message, events: [] }
}

/** Of these messages, in the order of their ids; those that are not there are left out. */
export async function listActivityOf(reader: Reader, workspaceId: string, ids: string[]): Promise<ActivityRecord[]> {
  const mine = and(eq(messages.workspaceId, workspaceId), inArray(messages.id, ids))
  return withEvents(reader, await reader.db.select().from(messages).where(mine).orderBy(messages.id))
}

export interface ActivityFilter {
  idempotencyKey?: string | undefined
  status?: MessageStatus | undefined
  email?: string | undefined
}

/** Newest first; `before` is the id of the last message of the page before. */
export async function listActivity(
  reader: Reader,
  workspaceId: string,
  { before, limit, ...filter }: ActivityFilter & { before: string | undefined; limit: number },
): Promise<ActivityRecord[]> {
  const rows = await reader.db
    .select()
    .from(messages)
    .where(and(matching(workspaceId, filter), before === undefined ? undefined : lt(messages.id, before)))
    .orderBy(desc(messages.id))
    .limit(limit)
  return withEvents(reader, rows)
}

/** A request never counts more than this: the list of a large installation stays as fast as that of a small one. */
const maxCounted = 10_000

/** How many messages match, at most 10,000. */
export async function countActivity(reader: Reader, workspaceId: string, filter: ActivityFilter): Promise<number> {
  const some = reader.db
    .select({ id: messages.id })
    .from(messages)
    .where(matching(workspaceId, filter))
    .limit(maxCounted)
  const rows = await reader.db.select({ total: count() }).from(some.as('some'))
  return rows[0]?.total ?? 0
}

function matching(workspaceId: string, { idempotencyKey, status, email }: ActivityFilter): SQL | undefined {
  return and(
    eq(messages.workspaceId, workspaceId),
    idempotencyKey === undefined ? undefined : eq(messages.idempotencyKey, idempotencyKey),
    status === undefined ? undefined : eq(messages.status, status),
    // As suppression compares addresses; an address is ASCII, so lower() is enough.
    email === undefined ? undefined : eq(sql`lower(${messages.email})`, email.toLowerCase()),
  )
}

async function withEvents(reader: Reader, rows: Message[]): Promise<ActivityRecord[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const changes = await reader.db
    .select()
    .from(messageEvents)
    .where(inArray(messageEvents.messageId, ids))
    .orderBy(asc(messageEvents.messageId), asc(messageEvents.number))
  const started = await reader.db
    .select({ jobId: outboxAttempts.jobId, at: outboxAttempts.startedAt })
    .from(outboxAttempts)
    .where(
      inArray(
        outboxAttempts.jobId,
        rows.flatMap(({ jobId }) => jobId ?? []),
      ),
    )
  return rows.map((message) => ({
    message,
    events: [
      ...(message.jobId === null ? [] : [event('queued', message.createdAt)]),
      ...started.filter((attempt) => attempt.jobId === message.jobId).map((attempt) => event('sending', attempt.at)),
      ...changes.filter((change) => change.messageId === message.id),
    ].sort((one, other) => one.at.getTime() - other.at.getTime()),
  }))
}

function event(status: MessageStatus, at: Date): ActivityEvent {
  return { status, at, code: null, detail: null }
}
