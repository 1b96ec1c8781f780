// What digests gather: the ids of events, kept with the run in the transaction that takes their signal, which happens once. So an event is in
// one mail of the sequence, whatever comes while that is sent. Its properties are read when the mail is written.

import type { Definition, DigestStep, GatheredEvents, Step } from '../../../db/tables/sequences.ts'
import type { Tx } from '../../core/app.ts'
import { lookUp, type Values } from '../content/rendering/fill.ts'
import type { VariableUse } from '../content/rendering/variables.ts'
import { matches } from '../events/matching.ts'
import type { OwnVariables } from '../events/rule-checks.ts'
import { maxPropertiesBytes } from '../events/schema.ts'
import { maxItems } from './definition.ts'
import type { Run } from './runs.ts'
import { type Event, loadEvents } from './subjects.ts'

/** What the template of a digest is given. */
export const digestVariables: OwnVariables = {
  'digest.items': 'list',
  'digest.count': 'value',
  'digest.more': 'value',
}

/** Keeps an event with the run, if a digest of it is about such events; false if none is. */
export function gather(run: Run, { steps }: Definition, { id, name, properties }: Event): boolean {
  const isMeant = steps.some(
    (step) => step.type === 'digest' && step.event === name && matches(step.filter ?? [], properties),
  )
  if (!isMeant) return false
  const list = run.gathered ?? []
  const before = list.find(({ event, mailed }) => event === name && !mailed)
  const one = { event: name, count: 1, ids: [id], mailed: false }
  run.gathered = [...list.filter((kept) => kept !== before), before ? joined(before, one, false) : one]
  return true
}

/** All that a digest has to tell: also what a mail was about that did not leave. */
export function gatheredFor({ gathered }: Run, { event }: DigestStep): GatheredEvents | null {
  const own = gathered?.filter((one) => one.event === event) ?? []
  const [first, ...rest] = own.toSorted((one, other) => Number(other.mailed) - Number(one.mailed))
  return first ? rest.reduce((all, one) => joined(all, one, true), { ...first, mailed: true }) : null
}

/** What comes from now on is for the mail after this one. */
export function markMailed(run: Run, { gathered }: Digest): void {
  run.gathered = [...othersOf(run, gathered), gathered]
}

/** How many events no mail is about yet. */
export function countWaiting({ gathered }: Pick<Run, 'gathered'>): number {
  return gathered?.reduce((sum, { count, mailed }) => sum + (mailed ? 0 : count), 0) ?? 0
}

/** How many events the mail of a digest is about. */
export function toldCount({ gathered }: Run, step: Step): number | null {
  if (step.type !== 'digest') return null
  return gathered?.find(({ event, mailed }) => mailed && event === step.event)?.count ?? null
}

/** The digest is over, and what its mail was about, or would have been. Returns whether more came meanwhile. */
export function closeDigest(run: Run, step: DigestStep): boolean {
  const own = run.gathered?.filter(({ event }) => event === step.event) ?? []
  const later = own.some(({ mailed }) => mailed) ? own.filter(({ mailed }) => !mailed) : []
  const left = [...othersOf(run, step), ...later]
  run.gathered = left.length === 0 ? null : left
  return later.length > 0
}

function othersOf({ gathered }: Run, { event }: Pick<GatheredEvents, 'event'>): GatheredEvents[] {
  return gathered?.filter((one) => one.event !== event) ?? []
}

/** `other` came later. Of many the first and the last are kept: a mail shows no others. */
function joined(one: GatheredEvents, other: GatheredEvents, mailed: boolean): GatheredEvents {
  const ids = [...one.ids, ...other.ids]
  const kept = ids.length > 2 * maxItems ? [...ids.slice(0, maxItems), ...ids.slice(-maxItems)] : ids
  return { event: one.event, count: one.count + other.count, ids: kept, mailed }
}

/** What the mail of a run tells. */
export interface Digest {
  gathered: GatheredEvents
  /** What it shows of it, in that order. */
  events: Event[]
}

/** By run; none for one that has nothing to tell, also because it was erased. */
export async function loadDigests(tx: Tx, step: DigestStep, list: { run: Run }[]): Promise<Map<string, Digest>> {
  const found = list.flatMap(({ run }) => {
    const gathered = gatheredFor(run, step)
    return gathered ? [{ runId: run.id, gathered, shown: shownIds(step, gathered) }] : []
  })
  const ids = found.flatMap(({ shown }) => shown)
  const events = await loadEvents(
    tx,
    ids.map((eventId) => ({ eventId })),
  )
  const digests = found.map(({ runId, gathered, shown }): [string, Digest] => {
    return [runId, { gathered, events: shown.flatMap((id) => events.get(id) ?? []) }]
  })
  return new Map(digests.filter(([, digest]) => digest.events.length > 0))
}

function shownIds({ items, order }: DigestStep, { ids }: GatheredEvents): string[] {
  return order === 'oldest' ? ids.slice(0, items) : ids.slice(-items).reverse()
}

/** As far as the template uses them; of the events what it shows. Together they have no more bytes than one event may have. */
export function digestValues({ gathered: { count }, events }: Digest, uses: VariableUse[]): Values {
  const fields = uses.find(({ name }) => name === 'digest.items')?.fields ?? []
  const items: Values[] = []
  let bytes = 0
  for (const { properties } of events) {
    const item = itemOf(properties, fields)
    bytes += Buffer.byteLength(JSON.stringify(item))
    if (bytes > maxPropertiesBytes) break
    items.push(item)
  }
  const values: Values = { 'digest.items': items, 'digest.count': count, 'digest.more': count - items.length }
  return Object.fromEntries(uses.flatMap(({ name }) => (Object.hasOwn(values, name) ? [[name, values[name]]] : [])))
}

function itemOf(properties: Values, fields: string[]): Values {
  const found = fields.map((name) => [name, lookUp(properties, name)] as const)
  return Object.fromEntries(found.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)))
}
