// Takes the signals of contacts and does what they mean to sequences: people leave by an exit or a goal, go on from a step that waits for
// an event, and begin. In one transaction, which removes the signals; the hand-over of each mail does it first, so that nobody is mailed
// after an exit that was answered.

import { sql } from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { type Definition, type Step, sequenceSignals, type Trigger } from '../../../db/tables/sequences.ts'
import type { Tx } from '../../core/app.ts'
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

/** The oldest signals of a workspace; true when there may be more. */
export async function takeSignals(tx: Tx, workspaceId: string, limit: number): Promise<boolean> {
  const rows = await tx.db
    .select()
    .from(sequenceSignals)
    .where(sql`workspace_id = ${workspaceId}`)
    .orderBy(sequenceSignals.id)
    .limit(limit)
  await applySignals(tx, workspaceId, rows)
  return rows.length === limit
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

/** All signals of these contacts; false when there were none. */
export async function takeSignalsFor(tx: Tx, workspaceId: string, contactIds: string[]): Promise<boolean> {
  const given = ofContacts.given(contactIds.map((contactId) => ({ contactId })))
  const rows = await findOfContacts(tx.db).all(given)
  await applySignals(tx, workspaceId, rows)
  return rows.length > 0
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
