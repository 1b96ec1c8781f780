// POST /v1/events/send: the contact, the event, what rules do now and the jobs for later, in one transaction; a throw anywhere writes
// nothing. A repeat with the same Idempotency-Key or eventId finds what the first one created.

import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { events } from '../../../db/tables/events.ts'
import { type App, type Reader, type Tx, writeRoutine } from '../../core/app.ts'
import { coalesceRequests } from '../../core/http/coalesce-requests.ts'
import {
  type Answer,
  idempotentBy,
  keepOutcomes,
  type Outcome,
  type RequestKey,
  toOutcome,
} from '../../core/http/idempotency.ts'
import { conflicting } from '../../kit/aliases.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { parseTime } from '../../kit/time.ts'
import { currentTrace, type Trace } from '../../kit/trace.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { type Contact, type ContactReference, findContacts } from '../contacts/consent/find-contact.ts'
import type { Evidence } from '../contacts/consent/ledger.ts'
import { upsertContact } from '../contacts/contacts.ts'
import { type ContactFields, readContactFields } from '../contacts/fields.ts'
import { type RulesOfEvent, rulesOfEvent } from './matching.ts'
import { type Occurrence, type RecordedEvent, recordEvents } from './record-event.ts'
import { jobsOfEvent } from './runs.ts'
import { checkProperties, type EventAnswer, type EventBody, eventFields } from './schema.ts'

const route = 'POST /v1/events/send'

/** A request whose own fields are valid. */
interface EventRequest {
  workspaceId: string
  body: EventBody
  fields: ContactFields
  properties: Record<string, unknown>
  occurredAt: Date | null
  rules: RulesOfEvent
  warnings: Issue[]
  /** The origin of its consent changes. */
  evidence: Evidence
  trace: Trace | null
}

export async function acceptEvent(
  app: App,
  workspace: Workspace,
  body: EventBody,
  { key, evidence }: { key: string | null; evidence: Evidence },
): Promise<Answer<EventAnswer> & { replayed: boolean }> {
  const prepare = async () => ({ ...(await checkRequest(app, workspace, body)), evidence, trace: currentTrace() })
  const commit = (request: EventRequest, key: RequestKey | null) => app.own(eventAccepter)({ request, key })
  return await idempotentBy(app, { workspaceId: workspace.id, route, key, body }, prepare, commit)
}

interface EventBatchItem {
  request: EventRequest
  key: RequestKey | null
}

function eventAccepter(app: App): (asked: EventBatchItem) => Promise<Outcome<EventAnswer>> {
  return coalesceRequests(app, (list: EventBatchItem[]) => acceptAll(app, list))
}

async function acceptAll(app: App, list: EventBatchItem[]): Promise<Outcome<EventAnswer>[]> {
  const nobody = { workspaceId: '', email: null, userId: null }
  const contacts = await findContacts(
    app,
    list.map(({ request }) => toReference(request) ?? nobody),
  )
  const known = list.map(({ request }, index) => ({ ...request, known: contacts[index] ?? null }))
  return await writeRoutine(app, async (tx) => {
    const answers = await ingest(tx, known)
    const outcomes = answers.map((response, index) => {
      return { key: list[index]?.key ?? null, outcome: toOutcome({ status: 200, response }) }
    })
    await keepOutcomes(tx, outcomes)
    return outcomes.map(({ outcome }) => outcome)
  })
}

async function checkRequest(
  app: App,
  workspace: Workspace,
  body: EventBody,
): Promise<Omit<EventRequest, 'evidence' | 'trace'>> {
  const { fields, warnings } = readContact(body)
  if (fields.email === undefined && !fields.userId) {
    const message = 'say which contact: email or userId'
    throw new AppError('missing_required_field', message, { errors: [{ path: 'email', message, code: 'required' }] })
  }
  const properties = body.eventProperties ?? {}
  checkProperties(properties)
  const occurredAt = readOccurredAt(body.occurredAt)
  const rules = await rulesOfEvent(app, workspace.id, body.eventName)
  return { workspaceId: workspace.id, body, fields, properties, occurredAt, rules, warnings }
}

/** `contactProperties`, and everything else at the top level: two places for the same fields. */
function readContact(body: EventBody): { fields: ContactFields; warnings: Issue[] } {
  const top = readContactFields(body, eventFields)
  if (body.contactProperties === undefined) return top
  for (const [name, value] of Object.entries(body.contactProperties)) {
    const twice = Object.hasOwn(body, name) && !eventFields.some((field) => field === name)
    if (twice && !isDeepStrictEqual(Reflect.get(body, name), value))
      throw conflicting(name, `contactProperties.${name}`)
  }
  const nested = withPath('contactProperties', () => readContactFields(body.contactProperties ?? {}))
  return {
    fields: { ...nested.fields, ...top.fields, properties: { ...nested.fields.properties, ...top.fields.properties } },
    warnings: [...top.warnings, ...nested.warnings.map((issue) => below('contactProperties', issue))],
  }
}

function withPath<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const errors = (error.details.errors ?? []).map((issue) => below(path, issue))
    throw new AppError(error.code, error.message, { ...error.details, errors })
  }
}

function below(path: string, issue: Issue): Issue {
  return { ...issue, path: issue.path === '' ? path : `${path}.${issue.path}` }
}

function readOccurredAt(occurredAt: string | undefined): Date | null {
  if (occurredAt === undefined) return null
  const at = parseTime(occurredAt)
  if (at === null)
    throw invalidField(
      'occurredAt',
      'must be an ISO 8601 time with an offset, like 2027-01-15T12:00:00Z',
      'invalid_time',
    )
  return at
}

interface ResolvedRequest extends EventRequest {
  /** The contact as it was found before the transaction. */
  known: Contact | null
}

/** Writes events in order. When one is refused this throws, and then each is run again by itself. */
async function ingest(tx: Tx, list: ResolvedRequest[]): Promise<EventAnswer[]> {
  const before = await toldBefore(tx, list)
  const occurrences: Occurrence[] = []
  for (const [index, request] of list.entries()) {
    if (before[index]) continue
    const { body, properties, rules, occurredAt, trace } = request
    const event = {
      name: body.eventName,
      contact: await contactForEvent({ ...tx, trace }, request),
      properties,
      origin: 'api' as const,
      callerEventId: body.eventId ?? null,
      occurredAt: occurredAt ?? tx.now,
      trace,
    }
    occurrences.push({ rules, event })
  }
  const recorded = await recordEvents(tx, occurrences)
  return list.map(({ warnings }, index) => {
    const told = before[index]
    return told ? answer(told, [...warnings, alreadyTold]) : answer(recorded.shift() ?? missingEvent(), warnings)
  })
}

function missingEvent(): never {
  throw new Error('an event was neither written nor refused')
}

const alreadyTold: Issue = {
  path: 'eventId',
  code: 'duplicate_event',
  message: 'this event was already received; nothing was changed',
}

function answer({ eventId, jobs }: RecordedEvent, warnings: Issue[]): EventAnswer {
  return {
    success: true,
    eventId,
    jobs: jobs.map(({ jobId, templateId, runAt }) => ({ jobId, templateId, runAt: runAt.toISOString() })),
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}

const callerIds = toRows({ workspaceId: events.workspaceId, callerEventId: events.callerEventId })

const byCallerId = prepared((db: ReadDb) =>
  db
    .select({ number: callerIds.number, id: events.id, contactId: events.contactId })
    .from(callerIds.list)
    .innerJoin(
      events,
      sql`events.workspace_id = ${callerIds.each.workspaceId} AND events.caller_event_id = ${callerIds.each.callerEventId}`,
    )
    .prepare(),
)

/** For each event the result of the earlier event with the same caller's id, or null. */
async function toldBefore(reader: Reader, list: EventRequest[]): Promise<(RecordedEvent | null)[]> {
  const before: (RecordedEvent | null)[] = list.map(() => null)
  const rows = list.map(({ workspaceId, body }) => ({ workspaceId, callerEventId: body.eventId ?? null }))
  if (rows.every(({ callerEventId }) => callerEventId === null)) return before
  const found = await byCallerId(reader.db).all(callerIds.given(rows))
  for (const { number, id, contactId } of found)
    before[number] = { eventId: id, jobs: await jobsOfEvent(reader, contactId, id) }
  return before
}

/** Most events name a known contact without changing it: then nothing is written. */
async function contactForEvent(tx: Tx, request: ResolvedRequest): Promise<Contact> {
  const { workspaceId, fields, evidence, known, rules } = request
  const name = toReference(request)
  // A rule changes the contact as it is now, not as it was read before.
  const isChanged = rules.triggered.some(({ action }) => action !== 'send_template')
  if (name && known && !isChanged) return known
  const [current] = name && known ? await findContacts(tx, [name]) : []
  return current ?? (await upsertContact(tx, workspaceId, fields, evidence)).contact
}

/** The contact's identity, when its e-mail or its userId is all that was given. */
function toReference({ workspaceId, fields }: EventRequest): ContactReference | null {
  const { email, userId, properties, ...rest } = fields
  if (Object.keys(rest).length > 0 || Object.keys(properties).length > 0) return null
  if (email !== undefined) return userId === undefined ? { workspaceId, email, userId: null } : null
  return userId ? { workspaceId, email: null, userId } : null
}
