// People begin a sequence: once, or again as it allows. Whoever may not is left out, with the reason.

import { sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { type Definition, sequenceRuns } from '../../../db/tables/sequences.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { day } from '../../kit/duration.ts'
import { newId } from '../../kit/id.ts'
import { fromLocal } from '../../kit/local-time.ts'
import { zoneOf } from '../../people/recipient-time.ts'
import { getWorkspace } from '../../people/workspaces.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import { mappedValue } from '../events/mapping.ts'
import { gather } from './digest.ts'
import { dueAt } from './moves.ts'
import { type Changes, findOpenRuns, type Run, RunChanges } from './runs.ts'
import type { Event } from './subjects.ts'
import type { Sequence } from './versions.ts'
import { wakeDue } from './wake.ts'

/** Open runs of one person, in all sequences. */
const maxOpen = 50
const maxKey = 200

export interface Beginning {
  sequence: Sequence
  definition: Definition
  contact: Contact
  event: Event | null
  /** The day of the contact that began it, `2027-01-15`: there is one run for each. */
  of?: string
}

/** Why somebody does not begin. */
export type NotBegun = 'already_in' | 'was_in' | 'too_soon' | 'too_many_runs'

/** By contact: the runs that decide whether one begins, in their order. Those that are open are the caller's own. */
export type History = Map<string, EarlierRun[]>

/** For each null, or why it would not begin. */
export async function refusals(reader: Reader, list: Beginning[], now: Date): Promise<(NotBegun | null)[]> {
  const history = await loadHistory(reader, list, await findOpenRuns(reader, contactsOf(list)))
  return list.map((one) => refusal(one, keyOf(one), history.get(one.contact.id) ?? [], now))
}

/** Of one workspace, in their order: the first of two alike may stop the second. Returns for each null, or why it did not begin. */
export async function beginRuns(tx: Tx, list: Beginning[]): Promise<(NotBegun | null)[]> {
  const [first] = list
  if (!first) return []
  const history = await loadHistory(tx, list, await findOpenRuns(tx, contactsOf(list)))
  const { timeZone } = await getWorkspace(tx, first.sequence.workspaceId)
  const changes = new RunChanges()
  const begun = list.map((one) => begin(tx, one, { history, changes, timeZone }))
  await changes.store(tx)
  await wakeDue(
    tx,
    begun.filter((one) => typeof one === 'object'),
  )
  return begun.map((one) => (typeof one === 'object' ? null : one))
}

/** When somebody begins, and where the ids of their runs come from. */
export type Moment = Pick<Tx, 'now' | 'random'>

interface Begins {
  history: History
  changes: Changes
  /** Of the workspace. */
  timeZone: string
}

/** The run that begins, which is in the history from now on, or why none does. */
export function begin(moment: Moment, one: Beginning, { history, changes, timeZone }: Begins): Run | NotBegun {
  const { sequence, definition, contact, event, of } = one
  const own = history.getOrInsertComputed(contact.id, () => [])
  const key = keyOf(one)
  const refused = refusal(one, key, own, moment.now)
  if (refused !== null) return refused
  const [first] = definition.steps
  if (first === undefined) throw new Error('a sequence without steps was published')
  const zone = zoneOf(contact, { timeZone })
  const from = of === undefined ? moment.now : startOfDay(of, zone)
  const run: Run = {
    ...blankRun,
    id: newId(moment, 'run', moment.now),
    workspaceId: sequence.workspaceId,
    sequenceId: sequence.id,
    version: sequence.version ?? 1,
    contactId: contact.id,
    key,
    stepId: first.id,
    enteredAt: moment.now,
    dueAt: dueAt(first, { now: new Date(Math.max(from.getTime(), moment.now.getTime())), contact, zone }),
    eventId: event?.id ?? null,
    startedAt: moment.now,
  }
  if (event !== null) gather(run, definition, event)
  own.push(run)
  changes.begin(run)
  return run
}

/** When a day begins where the person is. */
function startOfDay(of: string, zone: string): Date {
  const [year = 0, month = 1, date = 1] = of.split('-').map(Number)
  return fromLocal({ year, month, day: date, hour: 0, minute: 0 }, zone)
}

const blankRun = {
  state: 'waiting',
  entered: 1,
  arrivedEventId: null,
  gathered: null,
  postponedSince: null,
  messageId: null,
  variant: null,
  reason: null,
  endedAt: null,
} as const

/** What tells several runs of one person apart; '' for one run of each. */
export function keyOf({ definition: { reEntry }, contact, event, of }: Omit<Beginning, 'sequence'>): string {
  if (of !== undefined) return of
  if (reEntry.key !== null)
    return String(mappedValue(reEntry.key, { properties: event?.properties ?? {}, contact }) ?? '').slice(0, maxKey)
  return reEntry.mode === 'always' ? (event?.id ?? '') : ''
}

type EarlierRun = Pick<Run, 'contactId' | 'sequenceId' | 'key' | 'endedAt'>

function refusal({ sequence, definition }: Beginning, key: string, own: EarlierRun[], now: Date): NotBegun | null {
  const { mode, minDays } = definition.reEntry
  const alike = own.filter((run) => run.sequenceId === sequence.id && run.key === key)
  if (alike.some(({ endedAt }) => endedAt === null)) return 'already_in'
  if (alike.length > 0 && mode === 'never') return 'was_in'
  const since = now.getTime() - minDays * day
  if (alike.some(({ endedAt }) => endedAt !== null && endedAt.getTime() > since)) return 'too_soon'
  return own.filter(({ endedAt }) => endedAt === null).length >= maxOpen ? 'too_many_runs' : null
}

const contactsOf = (list: Beginning[]) => list.map(({ contact }) => contact.id)

const alikeRuns = toRows({
  contactId: sequenceRuns.contactId,
  sequenceId: sequenceRuns.sequenceId,
  key: sequenceRuns.key,
})
const findEnded = prepared((db: ReadDb) =>
  db
    .select({
      contactId: sequenceRuns.contactId,
      sequenceId: sequenceRuns.sequenceId,
      key: sequenceRuns.key,
      endedAt: sql`max(ended_at)`.mapWith(sequenceRuns.endedAt),
    })
    .from(sequenceRuns)
    .where(
      sql`(contact_id, sequence_id, key) IN ${alikeRuns.pick('contactId', 'sequenceId', 'key')} AND ended_at IS NOT NULL`,
    )
    .groupBy(sequenceRuns.contactId, sequenceRuns.sequenceId, sequenceRuns.key)
    .prepare(),
)

/** `open`: every open run of these contacts. Of those that are over, the last of each that would be alike. */
export async function loadHistory(reader: Reader, list: Beginning[], open: Run[]): Promise<History> {
  const alike = list.map((one) => ({ contactId: one.contact.id, sequenceId: one.sequence.id, key: keyOf(one) }))
  const ended = alike.length === 0 ? [] : await findEnded(reader.db).all(alikeRuns.given(alike))
  return Map.groupBy<string, EarlierRun>([...ended, ...open], ({ contactId }) => contactId)
}
