// Events as they were received, newest first, what each set off, and which names were seen. An id sorts by the time of its event, so a
// span of time is a span of ids.

import { and, asc, desc, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { contacts } from '../../../db/tables/contacts.ts'
import { eventRules, events, ruleRuns } from '../../../db/tables/events.ts'
import { outboxJobs } from '../../../db/tables/outbox.ts'
import type { Reader } from '../../core/app.ts'
import type { PageBounds } from '../../core/http/pagination.ts'
import { AppError } from '../../kit/error.ts'
import { firstId } from '../../kit/id.ts'
import { findContactByEmail } from '../contacts/consent/find-contact.ts'
import type { Rule } from './matching.ts'

export type Event = typeof events.$inferSelect
export type ListedEvent = Omit<Event, 'properties'> & { email: string | null }

export interface EventFilter {
  name?: string | undefined
  /** Of the contact. */
  email?: string | undefined
  /** Received at this time or later. */
  from?: Date | undefined
  /** Received before. */
  until?: Date | undefined
}

/** A request never counts further than this. */
const maxCounted = 10_000

const { properties: _, ...listedColumns } = {
  id: events.id,
  workspaceId: events.workspaceId,
  name: events.name,
  contactId: events.contactId,
  properties: events.properties,
  origin: events.origin,
  callerEventId: events.callerEventId,
  occurredAt: events.occurredAt,
  createdAt: events.createdAt,
}

/** Newest first; one more than `limit`. */
export async function listEvents(
  reader: Reader,
  workspaceId: string,
  filter: EventFilter,
  { limit, after }: PageBounds,
): Promise<{ rows: ListedEvent[]; total: number }> {
  const wanted = await matching(reader, workspaceId, filter)
  if (wanted === null) return { rows: [], total: 0 }
  const rows = await reader.db
    .select({ ...listedColumns, email: contacts.email })
    .from(events)
    .leftJoin(contacts, eq(contacts.id, events.contactId))
    .where(and(wanted, after === undefined ? undefined : lt(events.id, after)))
    .orderBy(desc(events.id))
    .limit(limit + 1)
  const some = reader.db.select({ id: events.id }).from(events).where(wanted).limit(maxCounted)
  const [counted] = await reader.db.select({ total: sql<number>`count(*)` }).from(some.as('some'))
  return { rows, total: counted?.total ?? 0 }
}

/** Null: nobody has that address. Each choice is one index, from its beginning. */
async function matching(
  reader: Reader,
  workspaceId: string,
  { name, email, from, until }: EventFilter,
): Promise<SQL | undefined | null> {
  const contact = email === undefined ? undefined : await findContactByEmail(reader, workspaceId, email)
  if (contact === null) return null
  return and(
    contact === undefined ? eq(events.workspaceId, workspaceId) : eq(events.contactId, contact.id),
    name === undefined ? undefined : eq(events.name, name),
    from === undefined ? undefined : gte(events.id, firstId('evt', from)),
    until === undefined ? undefined : lt(events.id, firstId('evt', until)),
  )
}

/** Throws not_found, also for another workspace's. */
export async function getEvent(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<Event & { email: string | null }> {
  const [row] = await reader.db
    .select({ ...listedColumns, properties: events.properties, email: contacts.email })
    .from(events)
    .leftJoin(contacts, eq(contacts.id, events.contactId))
    .where(and(eq(events.workspaceId, workspaceId), eq(events.id, id)))
  if (!row) throw new AppError('not_found', 'there is no such event')
  return row
}

const runColumns = {
  ruleId: ruleRuns.ruleId,
  ruleName: eventRules.name,
  action: eventRules.action,
  status: ruleRuns.status,
  reason: ruleRuns.reason,
  jobId: ruleRuns.jobId,
  messageId: ruleRuns.messageId,
  runAt: outboxJobs.dueAt,
  createdAt: ruleRuns.createdAt,
}

/** What rules did for an event, oldest rule first; a rule that was deleted has no name. */
export async function runsOfEvent(reader: Reader, { contactId, id }: Pick<Event, 'contactId' | 'id'>) {
  return await reader.db
    .select(runColumns)
    .from(ruleRuns)
    .leftJoin(eventRules, eq(eventRules.id, ruleRuns.ruleId))
    .leftJoin(outboxJobs, eq(outboxJobs.id, ruleRuns.jobId))
    .where(and(eq(ruleRuns.contactId, contactId), eq(ruleRuns.eventId, id)))
    .orderBy(asc(ruleRuns.ruleId))
}
export type EventRun = Awaited<ReturnType<typeof runsOfEvent>>[number]

/** The first event that cancels what the rule scheduled for this one, if it came in time. */
export async function cancelledBy(
  reader: Reader,
  { cancelOn }: Rule,
  event: Pick<Event, 'id' | 'contactId'>,
  runAt: Date,
): Promise<Event | null> {
  if (cancelOn.length === 0) return null
  const [row] = await reader.db
    .select()
    .from(events)
    .where(
      and(
        eq(events.contactId, event.contactId),
        gt(events.id, event.id),
        lt(events.id, firstId('evt', runAt)),
        inArray(events.name, cancelOn),
      ),
    )
    .orderBy(asc(events.id))
    .limit(1)
  return row ?? null
}

export interface SeenName {
  name: string
  /** The newest event of that name. */
  lastEventId: string
  lastAt: number
}

/** By name; one more than `limit`. One step through the index for each name, however many events there are. */
export async function listEventNames(
  reader: Reader,
  workspaceId: string,
  { limit, after = '' }: PageBounds,
): Promise<{ rows: SeenName[]; total: number }> {
  const rows = await reader.db.all<SeenName>(
    sql`${namesAfter(workspaceId, after, limit + 1)}
      SELECT seen.name AS name, newest.id AS lastEventId, newest.created_at AS lastAt
      FROM seen JOIN events AS newest ON newest.id = (SELECT max(e.id) FROM events AS e
        WHERE e.workspace_id = ${workspaceId} AND e.name = seen.name)
      WHERE seen.name IS NOT NULL ORDER BY seen.name`,
  )
  const [counted] = await reader.db.all<{ total: number }>(
    sql`${namesAfter(workspaceId, '', maxCounted)} SELECT count(name) AS total FROM seen`,
  )
  return { rows, total: counted?.total ?? 0 }
}

function namesAfter(workspaceId: string, after: string, limit: number): SQL {
  return sql`WITH RECURSIVE seen(name) AS (
    SELECT min(e.name) FROM events AS e WHERE e.workspace_id = ${workspaceId} AND e.name > ${after}
    UNION ALL
    SELECT (SELECT min(e.name) FROM events AS e WHERE e.workspace_id = ${workspaceId} AND e.name > seen.name)
    FROM seen WHERE seen.name IS NOT NULL LIMIT ${limit})`
}
