// A rehearsal: the draft of a sequence is gone through for somebody, by the functions that do it in earnest, on a clock that goes from one due
// time to the next. Each person is a transaction that is rolled back, so nothing is sent and nothing stays.

import { and, eq, sql } from 'drizzle-orm'
import { events } from '../../../db/tables/events.ts'
import { messages } from '../../../db/tables/messages.ts'
import { outboxJobs } from '../../../db/tables/outbox.ts'
import { type Definition, type Span, sequenceRuns, sequences, sequenceVersions } from '../../../db/tables/sequences.ts'
import { type App, type Tx, writeInTurn } from '../../core/app.ts'
import type { Job } from '../../core/outbox/job.ts'
import { spanMs } from '../../kit/duration.ts'
import { invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { type Contact, findContacts } from '../contacts/consent/find-contact.ts'
import { noteSignals, signalOf } from '../signals.ts'
import { advance } from './advance.ts'
import { beginRuns } from './begin.ts'
import { checkHandOvers, type DeliverSequenceMail, moveRuns } from './deliver.ts'
import { loadMailParts } from './mails.ts'
import { loadPath, type PathLine } from './run-acts.ts'
import { findOpenRuns, type Run } from './runs.ts'
import { openTests } from './step-tests.ts'
import { takeSignalsFor } from './take-signals.ts'
import { addTriggers, type Sequence, versionKey } from './versions.ts'
import type { Page } from './world.ts'

/** Steps of the clock for one person. */
const maxMoments = 500

interface RehearsedEvent {
  event: string
  /** After the begin. */
  after: Span
  properties: Record<string, unknown>
}

export interface RehearsalRequest {
  emails: string[]
  /** The properties of the event that begins it. */
  properties: Record<string, unknown>
  /** What happens meanwhile. */
  events: RehearsedEvent[]
}

export interface Rehearsed {
  email: string
  /** Where the person is at the end. */
  run: Run
  path: PathLine[]
}

/** Throws 422 for an address that no contact has, and for a draft whose mails cannot be made. */
export async function rehearse(
  app: App,
  workspace: Workspace,
  sequence: Sequence,
  request: RehearsalRequest,
): Promise<Rehearsed[]> {
  const names = request.emails.map((email) => ({ workspaceId: workspace.id, email, userId: null }))
  const contacts = await findContacts(app, names)
  const unknown = contacts.indexOf(null)
  if (unknown >= 0) throw invalidField(`emails[${unknown}]`, 'there is no such contact', 'unknown_contact')
  const version = (sequence.version ?? 0) + 1
  const definitions = new Map([[versionKey(sequence.id, version), sequence.draft]])
  const { mails, problem } = await loadMailParts(app, workspace, definitions)
  if (problem !== null) throw invalidField('definition', problem, 'not_publishable')
  const page: Page = { sequence: { ...sequence, version, state: 'active' }, workspace, definitions, mails }
  const rehearsed: Rehearsed[] = []
  for (const contact of contacts)
    if (contact !== null) rehearsed.push(await rehearseOne(app, page, { contact, definition: sequence.draft, request }))
  return rehearsed
}

interface Rehearsing {
  contact: Contact
  definition: Definition
  request: RehearsalRequest
}

/** Carries the result out of a transaction that must not be committed. */
class RolledBack extends Error {
  readonly result: Rehearsed

  constructor(result: Rehearsed) {
    super('a rehearsal is never committed')
    this.result = result
  }
}

async function rehearseOne(app: App, page: Page, rehearsing: Rehearsing): Promise<Rehearsed> {
  try {
    return await writeInTurn(app, page.workspace.id, async (tx) => {
      throw new RolledBack(await goThrough(tx, page, rehearsing))
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result
    throw error
  }
}

async function goThrough(tx: Tx, page: Page, { contact, definition, request }: Rehearsing): Promise<Rehearsed> {
  const { sequence } = page
  const began = tx.now
  await publishFor(tx, page, contact)
  const event = await addEvent(tx, contact, startOf(definition), request.properties)
  await beginRuns(tx, [{ sequence, definition, contact, event }])
  const ahead = request.events
    .map((one) => ({ ...one, at: new Date(began.getTime() + spanMs(one.after)) }))
    .sort((one, other) => one.at.getTime() - other.at.getTime())
  let now = began
  for (let moments = 0; moments < maxMoments; moments++) {
    const then = { ...tx, now }
    while (ahead[0] && ahead[0].at <= now) await happen(then, contact, ahead.shift())
    await advance(then, page, 1)
    await deliver(then, sequence.id, contact)
    const due = await nextDue(tx, sequence.id, contact.id)
    const next = [due, ahead[0]?.at ?? null]
      .filter((at) => at !== null)
      .sort((one, other) => one.getTime() - other.getTime())[0]
    if (next === undefined) break
    if (next > now) now = next
  }
  const [run] = await tx.db
    .select()
    .from(sequenceRuns)
    .where(sql`sequence_id = ${sequence.id} AND contact_id = ${contact.id}`)
  if (!run) throw new Error('nobody began the rehearsal')
  return { email: contact.email, run, path: await loadPath(tx, run.id) }
}

/** As if the draft were published, and the person had never been in it. */
async function publishFor(tx: Tx, { sequence, workspace }: Page, contact: Contact): Promise<void> {
  const { id: sequenceId, version, draft: definition } = sequence
  const open = await findOpenRuns(tx, [contact.id])
  for (const { id } of open) await tx.db.delete(sequenceRuns).where(eq(sequenceRuns.id, id))
  await tx.db.delete(sequenceRuns).where(sql`sequence_id = ${sequenceId} AND contact_id = ${contact.id}`)
  const published = { contentHash: '', publishedAt: tx.now, publishedBy: workspace.id }
  await openTests(tx, sequence, { version: version ?? 1, definition })
  await tx.db.insert(sequenceVersions).values({ sequenceId, version: version ?? 1, definition, ...published })
  await tx.db.update(sequences).set({ state: 'active', version }).where(eq(sequences.id, sequenceId))
  await addTriggers(tx, sequence, definition)
}

function startOf({ start }: Definition): string {
  return start !== null && 'event' in start ? start.event : 'rehearsal'
}

async function addEvent(tx: Tx, contact: Contact, name: string, properties: Record<string, unknown>) {
  const id = newId(tx, 'evt', tx.now)
  await tx.db.insert(events).values({
    id,
    workspaceId: contact.workspaceId,
    name,
    contactId: contact.id,
    properties,
    origin: 'api',
    occurredAt: tx.now,
    createdAt: tx.now,
  })
  return { id, name, properties }
}

async function happen(tx: Tx, contact: Contact, one: RehearsedEvent | undefined): Promise<void> {
  if (!one) return
  const { id: eventId } = await addEvent(tx, contact, one.event, one.properties)
  const { workspaceId, id: contactId } = contact
  await noteSignals(tx, [{ workspaceId, contactId, signal: signalOf.event(one.event), eventId }])
  await takeSignalsFor(tx, workspaceId, [contactId])
}

/** A mail that was prepared is asked about as at its hand-over, and taken by a server that refuses nothing. */
async function deliver(tx: Tx, sequenceId: string, contact: Contact): Promise<void> {
  const [row] = await tx.db
    .select({ job: outboxJobs })
    .from(sequenceRuns)
    .innerJoin(messages, eq(messages.id, sequenceRuns.messageId))
    .innerJoin(outboxJobs, eq(outboxJobs.id, messages.jobId))
    .where(
      and(
        eq(sequenceRuns.sequenceId, sequenceId),
        eq(sequenceRuns.contactId, contact.id),
        eq(sequenceRuns.state, 'sending'),
      ),
    )
  if (!row) return
  const job = row.job as Job<DeliverSequenceMail>
  const [verdict] = await checkHandOvers(tx, [job])
  const { code = '250', detail = null } = verdict ?? {}
  const rest = { detail, nextDueAt: null, jobId: job.id, mayHaveArrived: false, report: null }
  await moveRuns(tx, [{ job, ending: { ...rest, code, state: verdict === null ? 'done' : 'cancelled' } }])
}

async function nextDue(tx: Tx, sequenceId: string, contactId: string): Promise<Date | null> {
  const [run] = await tx.db
    .select({ dueAt: sequenceRuns.dueAt })
    .from(sequenceRuns)
    .where(sql`sequence_id = ${sequenceId} AND contact_id = ${contactId} AND state = 'waiting'`)
  return run?.dueAt ?? null
}
