// POST /v1/events/send: the contact, the event, what rules do now and the jobs for later, in one transaction; a throw anywhere writes
// nothing. A repeat with the same Idempotency-Key, or with the same eventId, finds what the first one made.

import { isDeepStrictEqual } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import type { ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { events } from '../../db/tables/events.ts'
import type { App, Reader, Tx } from '../app.ts'
import type { Evidence } from '../contacts/consent.ts'
import { type Contact, findContactByEmail, findContactByUserId, upsertContact } from '../contacts/contacts.ts'
import { type ContactFields, readContactFields } from '../contacts/fields.ts'
import { type Answer, idempotent } from '../http/idempotency.ts'
import { conflicting } from '../lib/aliases.ts'
import { AppError, type Issue, invalidField } from '../lib/error.ts'
import { parseTime } from '../lib/time.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { type RulesOfEvent, rulesOfEvent } from './matching.ts'
import { type RecordedEvent, recordEvent } from './record-event.ts'
import { jobsOfEvent } from './runs.ts'
import { checkProperties, type EventAnswer, type EventBody, eventFields } from './schema.ts'

const route = 'POST /v1/events/send'

/** A request whose own parts are in order. */
interface Request {
  workspaceId: string
  body: EventBody
  fields: ContactFields
  properties: Record<string, unknown>
  occurredAt: Date | null
  rules: RulesOfEvent
  warnings: Issue[]
  /** Of whatever it changes about consent. */
  evidence: Evidence
}

export async function acceptEvent(
  app: App,
  workspace: Workspace,
  body: EventBody,
  { key, evidence }: { key: string | null; evidence: Evidence },
): Promise<Answer<EventAnswer> & { replayed: boolean }> {
  return await idempotent<EventAnswer>(app, { workspaceId: workspace.id, route, key, body }, async () => {
    const request = { ...(await checkRequest(app, workspace, body)), evidence }
    return async (tx) => ({ status: 200, response: await ingest(tx, request) })
  })
}

async function checkRequest(app: App, workspace: Workspace, body: EventBody): Promise<Omit<Request, 'evidence'>> {
  const { fields, warnings } = contactFieldsOf(body)
  if (fields.email === undefined && !fields.userId) {
    const message = 'name the contact: email or userId'
    throw new AppError('missing_required_field', message, { errors: [{ path: 'email', message, code: 'required' }] })
  }
  const properties = body.eventProperties ?? {}
  checkProperties(properties)
  const occurredAt = timeOf(body.occurredAt)
  const rules = await rulesOfEvent(app, workspace.id, body.eventName)
  return { workspaceId: workspace.id, body, fields, properties, occurredAt, rules, warnings }
}

/** `contactProperties`, and everything else at the top level: two places for one field. */
function contactFieldsOf(body: EventBody): { fields: ContactFields; warnings: Issue[] } {
  const top = readContactFields(body, eventFields)
  if (body.contactProperties === undefined) return top
  for (const [name, value] of Object.entries(body.contactProperties)) {
    const twice = Object.hasOwn(body, name) && !eventFields.some((field) => field === name)
    if (twice && !isDeepStrictEqual(Reflect.get(body, name), value))
      throw conflicting(name, `contactProperties.${name}`)
  }
  const nested = within('contactProperties', () => readContactFields(body.contactProperties ?? {}))
  return {
    fields: { ...nested.fields, ...top.fields, properties: { ...nested.fields.properties, ...top.fields.properties } },
    warnings: [...top.warnings, ...nested.warnings.map((issue) => below('contactProperties', issue))],
  }
}

function within<T>(path: string, read: () => T): T {
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

function timeOf(occurredAt: string | undefined): Date | null {
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

async function ingest(tx: Tx, request: Request): Promise<EventAnswer> {
  const { workspaceId, body, properties, warnings } = request
  const told = body.eventId === undefined ? null : await toldBefore(tx, workspaceId, body.eventId)
  if (told) return answer(told, [...warnings, alreadyTold])
  const contact = await contactOf(tx, request)
  const recorded = await recordEvent(tx, request.rules, {
    name: body.eventName,
    contact,
    properties,
    origin: 'api',
    callerEventId: body.eventId ?? null,
    occurredAt: request.occurredAt ?? tx.now,
  })
  return answer(recorded, warnings)
}

const alreadyTold: Issue = {
  path: 'eventId',
  code: 'duplicate_event',
  message: 'this event was told before; nothing was changed',
}

function answer({ eventId, jobs }: RecordedEvent, warnings: Issue[]): EventAnswer {
  return {
    success: true,
    eventId,
    jobs: jobs.map(({ jobId, templateId, runAt }) => ({ jobId, templateId, runAt: runAt.toISOString() })),
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}

const byCallerId = prepared((db: ReadDb) =>
  db
    .select({ id: events.id, contactId: events.contactId })
    .from(events)
    .where(
      and(
        eq(events.workspaceId, sql.placeholder('workspaceId')),
        eq(events.callerEventId, sql.placeholder('callerEventId')),
      ),
    )
    .prepare(),
)

async function toldBefore(reader: Reader, workspaceId: string, callerEventId: string): Promise<RecordedEvent | null> {
  const event = await byCallerId(reader.db).get({ workspaceId, callerEventId })
  return event ? { eventId: event.id, jobs: await jobsOfEvent(reader, event.contactId, event.id) } : null
}

/** Most events name a contact that is known, and say nothing of it: then nothing is written. */
async function contactOf(tx: Tx, { workspaceId, fields, evidence }: Request): Promise<Contact> {
  const known = await namedAlone(tx, workspaceId, fields)
  return known ?? (await upsertContact(tx, workspaceId, fields, evidence)).contact
}

/** The contact, when its e-mail or its userId is all that was said of it. */
async function namedAlone(tx: Tx, workspaceId: string, fields: ContactFields): Promise<Contact | null> {
  const { email, userId, properties, ...rest } = fields
  if (Object.keys(rest).length > 0 || Object.keys(properties).length > 0) return null
  if (email !== undefined) return userId === undefined ? await findContactByEmail(tx, workspaceId, email) : null
  return userId ? await findContactByUserId(tx, workspaceId, userId) : null
}
