// Takes the signals of contacts and does what they mean to sequences: people leave by an exit or a goal, go on from a step that waits for
// an event, and begin. In one transaction, which removes the signals; the hand-over of each mail does it first, so that nobody is mailed
// after an exit that was answered. One that throws is set aside, and its contact gets no mail of a sequence until it could be taken.

import { eq, sql } from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { type Definition, type Step, sequenceSignals, type Trigger } from '../../../db/tables/sequences.ts'
import type { Tx } from '../../core/app.ts'
import { minute } from '../../kit/duration.ts'
import { failureText } from '../../kit/error.ts'
import { getWorkspace } from '../../people/workspaces.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import { matches } from '../events/matching.ts'
import { type Beginning, begin, type History, keyOf, loadHistory, type Moment } from './begin.ts'
import { gather } from './digest.ts'
import { end, findStep } from './moves.ts'
import { type Changes, findOpenRuns, type Run, RunChanges } from './runs.ts'
import { type Event, loadContacts, loadEvents } from './subjects.ts'
import {
  type Definitions,
  findWaiting,
  loadDefinitions,
  type Sequence,
  signalOfTrigger,
  versionKey,
} from './versions.ts'
import { wakeDue } from './wake.ts'

type SignalRow = typeof sequenceSignals.$inferSelect

/** When a signal that could not be taken is tried again. */
const againAfterMs = 10 * minute
const maxFailure = 500

/** None of a contact of whom another one was set aside: those wait behind it, so that the order stays. */
const isFree = sql`NOT EXISTS (SELECT 1 FROM sequence_signals AS aside WHERE aside.contact_id = sequence_signals.contact_id AND aside.failure IS NOT NULL)`

async function findOldest(tx: Tx, workspaceId: string, limit: number): Promise<SignalRow[]> {
  return await tx.db
    .select()
    .from(sequenceSignals)
    .where(sql`workspace_id = ${workspaceId} AND failure IS NULL AND ${isFree}`)
    .orderBy(sequenceSignals.id)
    .limit(limit)
}

/** The oldest signals of a workspace; true when there may be more. */
export async function takeSignals(tx: Tx, workspaceId: string, limit: number): Promise<boolean> {
  const rows = await findOldest(tx, workspaceId, limit)
  await applySignals(tx, workspaceId, rows)
  return rows.length === limit
}

/** The oldest cannot be taken: it waits, and those of the same contact behind it. */
export async function setSignalAside(tx: Tx, workspaceId: string, error: unknown): Promise<boolean> {
  const [row] = await findOldest(tx, workspaceId, 1)
  if (!row) return false
  await tx.db.update(sequenceSignals).set(asideFrom(tx, error)).where(eq(sequenceSignals.id, row.id))
  return true
}

const asideFrom = ({ now }: Tx, error: unknown) => ({
  failure: failureText(error).slice(0, maxFailure),
  againAt: new Date(now.getTime() + againAfterMs),
})

async function findAside(tx: Tx, workspaceId: string): Promise<string | undefined> {
  const [row] = await tx.db
    .select({ contactId: sequenceSignals.contactId })
    .from(sequenceSignals)
    .where(sql`workspace_id = ${workspaceId} AND failure IS NOT NULL AND again_at <= ${tx.now.getTime()}`)
    .orderBy(sequenceSignals.againAt)
    .limit(1)
  return row?.contactId
}

/** All of the next contact whose signal was set aside long enough ago; false when there is none. */
export async function takeAside(tx: Tx, workspaceId: string): Promise<boolean> {
  const contactId = await findAside(tx, workspaceId)
  if (contactId === undefined) return false
  const of = await tx.db.select().from(sequenceSignals).where(eq(sequenceSignals.contactId, contactId))
  await applySignals(
    tx,
    workspaceId,
    of.sort((one, other) => (one.id < other.id ? -1 : 1)),
  )
  return true
}

/** They still cannot be taken. */
export async function leaveAside(tx: Tx, workspaceId: string, error: unknown): Promise<boolean> {
  const contactId = await findAside(tx, workspaceId)
  if (contactId === undefined) return false
  const aside = sql`contact_id = ${contactId} AND failure IS NOT NULL`
  await tx.db.update(sequenceSignals).set(asideFrom(tx, error)).where(aside)
  return true
}

/** When the next signals of a workspace can be taken; null: there are none. */
export async function findNextSignals(tx: Tx, workspaceId: string): Promise<Date | null> {
  if ((await findOldest(tx, workspaceId, 1)).length > 0) return tx.now
  const [aside] = await tx.db
    .select({ at: sql`min(again_at)`.mapWith(sequenceSignals.againAt) })
    .from(sequenceSignals)
    .where(sql`workspace_id = ${workspaceId} AND failure IS NOT NULL`)
  return aside?.at ?? null
}

const ofContacts = toRows({ contactId: sequenceSignals.contactId })
const findOfContacts = prepared((db: Db) =>
  db
    .select()
    .from(sequenceSignals)
    .where(sql`contact_id IN ${ofContacts.pick('contactId')}`)
    .orderBy(sequenceSignals.id)
    .prepare(),
)

/** All signals of these contacts. `stuck`: contacts of whom one was set aside, so that it is not known what happened to them. */
export async function takeSignalsFor(
  tx: Tx,
  workspaceId: string,
  contactIds: string[],
): Promise<{ anyTaken: boolean; stuck: Set<string> }> {
  const given = ofContacts.given(contactIds.map((contactId) => ({ contactId })))
  const rows = await findOfContacts(tx.db).all(given)
  const stuck = new Set(rows.flatMap(({ failure, contactId }) => (failure === null ? [] : [contactId])))
  const free = rows.filter(({ contactId }) => !stuck.has(contactId))
  await applySignals(tx, workspaceId, free)
  return { anyTaken: free.length > 0, stuck }
}

/** In their order: an exit takes out whoever began by the signal before it. */
async function applySignals(tx: Tx, workspaceId: string, rows: SignalRow[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await tx.db.delete(sequenceSignals).where(sql`id IN ${oneOf(ids)}`)
  const contactIds = [...new Set(rows.map(({ contactId }) => contactId))]
  const found = await loadContacts(tx, contactIds)
  const known = await loadEvents(tx, rows)
  const open = await findOpenRuns(tx, contactIds)
  const waiting = await findWaiting(tx, workspaceId, [...new Set(rows.map(({ signal }) => signal))])
  const begins = waiting.flatMap(({ id: sequenceId, version }) => (version === null ? [] : [{ sequenceId, version }]))
  const definitions = await loadDefinitions(tx, [...open, ...begins])
  const signals = rows.flatMap((row) => {
    const contact = found.get(row.contactId)
    const event = row.eventId === null ? null : (known.get(row.eventId) ?? null)
    return contact ? [{ ...row, contact, event }] : []
  })
  const beginnings = new Map(
    signals.map((one) => [one, waiting.flatMap((sequence) => beginsBy(sequence, one, definitions))]),
  )
  const history = await loadHistory(tx, [...beginnings.values()].flat(), open)
  const { timeZone } = await getWorkspace(tx, workspaceId)
  const changes = new RunChanges()
  const moved = heed(tx, beginnings, { open, history, changes, definitions, timeZone })
  await changes.store(tx)
  await wakeDue(tx, moved)
}

interface Heeding {
  /** The open runs of these contacts. */
  open: Run[]
  history: History
  changes: Changes
  definitions: Definitions
  /** Of the workspace. */
  timeZone: string
}

/** Does what signals mean, with what each begins; returns the runs that go on, end or begin. */
export function heed(
  moment: Moment,
  beginnings: Map<SignalOfContact, Beginning[]>,
  { open, history, changes, definitions, timeZone }: Heeding,
): Run[] {
  const byContact = Map.groupBy(open, ({ contactId }) => contactId)
  const moved: Run[] = []
  for (const [signal, starts] of beginnings) {
    const own = byContact.getOrInsertComputed(signal.contact.id, () => [])
    const moving = { changes, definitions, now: moment.now, gatheredIn: new Set<string>() }
    moved.push(...own.filter((run) => moveOn(run, signal, moving)))
    const begun = starts.map((one) => begin(moment, one, { history, changes, timeZone }))
    own.push(...begun.filter((one) => typeof one === 'object'))
    moved.push(...begun.filter((one) => typeof one === 'object'))
  }
  return moved
}

export interface SignalOfContact extends Pick<SignalRow, 'signal' | 'eventId' | 'about'> {
  contact: Contact
  event: Event | null
}

interface Moving {
  changes: Changes
  definitions: Definitions
  now: Date
  /** The sequences in which a run has taken the event for its digest: it is in no other. */
  gatheredIn: Set<string>
}

/** An open run leaves by an exit or a goal, or its step has waited for this; false for one that stays as it was. */
function moveOn(run: Run, signal: SignalOfContact, moving: Moving): boolean {
  const { changes, definitions, now } = moving
  const definition = definitions.get(versionKey(run.sequenceId, run.version))
  if (!definition || run.endedAt !== null) return false
  const { exits, goals } = definition
  const isFor = (one: Trigger) => isMeant(one, signal) && isOfRun(one, run, { ...signal, definition })
  if (goals.some(isFor)) end(run, { changes, now }, 'completed', 'goal')
  else if (exits.some(isFor)) end(run, { changes, now }, 'exited', signal.signal)
  else {
    keep(run, signal, { ...moving, definition })
    if (!isAwaited(findStep(definition, run.stepId)?.step, run, isFor)) return false
    run.arrivedEventId = signal.eventId
    run.dueAt = now
    changes.change(run)
  }
  return true
}

/** For a digest of the run, and of no other run of that sequence. */
function keep(
  run: Run,
  signal: SignalOfContact,
  { changes, gatheredIn, definition }: Moving & { definition: Definition },
): void {
  const { event, contact } = signal
  const isAnyKey = definition.reEntry.key === null || keyOf({ definition, contact, event }) === run.key
  if (event === null || !isAnyKey || gatheredIn.has(run.sequenceId) || !gather(run, definition, event)) return
  gatheredIn.add(run.sequenceId)
  changes.change(run)
}

/** Whether the step has waited for this. */
function isAwaited(step: Step | undefined, run: Run, isFor: (trigger: Trigger) => boolean): boolean {
  if (run.state !== 'waiting' || step?.type !== 'event' || run.arrivedEventId !== null) return false
  const { event, filter = [], sameKey = false } = step
  return isFor({ event, filter, sameKey })
}

/** Of several runs of one person, the event of one cart is for that cart's. */
function isOfRun(trigger: Trigger, run: Run, of: Pick<Beginning, 'contact' | 'event' | 'definition'>): boolean {
  return !('sameKey' in trigger && trigger.sameKey) || keyOf(of) === run.key
}

/** Whether a signal is what a trigger is about, with its conditions. */
function isMeant(trigger: Trigger, { signal, event, contact, about }: SignalOfContact): boolean {
  if (signalOfTrigger(trigger) !== signal) return false
  if ('event' in trigger) return matches(trigger.filter ?? [], event?.properties ?? {})
  if ('property' in trigger)
    return trigger.equals === undefined || contact.properties[trigger.property] === trigger.equals
  if ('mail' in trigger) return trigger.campaignId === undefined || trigger.campaignId === about
  return true
}

/** Who begins a sequence by a signal, if it is what the sequence begins with. */
export function beginsBy(sequence: Sequence, signal: SignalOfContact, definitions: Definitions): Beginning[] {
  const definition = definitions.get(versionKey(sequence.id, sequence.version ?? 0))
  if (!definition?.start || !isMeant(definition.start, signal)) return []
  return [{ sequence, definition, contact: signal.contact, event: signal.event }]
}
