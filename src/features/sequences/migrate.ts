// People move from an earlier version to the newest: which step leads to which is shown before, with the next mail of each, and bound to a
// hash. Whoever's step leads nowhere in the new version, and whoever's mail is on its way, stays in theirs.

import { eq, sql } from 'drizzle-orm'
import {
  type Definition,
  type Step,
  sequenceRuns,
  sequenceStepCounts,
  sequences,
} from '../../../db/tables/sequences.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { failureText, invalidField } from '../../kit/error.ts'
import { zoneOf } from '../../people/recipient-time.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { maxSteps, sendsMail, waysOf } from './definition.ts'
import { dueAt, end, fail, findStep } from './moves.ts'
import { type Run, RunChanges } from './runs.ts'
import { loadContacts } from './subjects.ts'
import { type Definitions, loadDefinitions, type Sequence, versionKey } from './versions.ts'

/** By the id of an old step: that of a new one, or null to take its people out. */
export type StepMap = Record<string, string | null>

export interface PlannedMove {
  version: number
  stepId: string
  /** How many are there. */
  people: number
  /** Where they would be; null: out. */
  to: string | null
  /** False: they stay in their version. */
  moves: boolean
  /** The step of the next mail they would get; null for none. */
  nextMail: string | null
}

/** What a person publishes: the draft as it was shown, and who moves where. */
export function contentHash({ draft }: Pick<Sequence, 'draft'>, steps: StepMap | null = null): string {
  return sha256Hex(JSON.stringify(steps === null ? draft : [draft, Object.entries(steps).sort()]))
}

/** Throws 422 for a step that the draft has not, and for too many. */
export function checkStepMap({ draft }: Pick<Sequence, 'draft'>, steps: StepMap): void {
  if (Object.keys(steps).length > maxSteps)
    throw invalidField('steps', `may name at most ${maxSteps} steps`, 'too_many')
  for (const [from, to] of Object.entries(steps))
    if (to !== null && findStep(draft, to) === null)
      throw invalidField(`steps.${from.slice(0, 50)}`, `there is no step ${JSON.stringify(to)}`, 'unknown_step')
}

/** Where everybody would be who is in an earlier version. */
export async function planMoves(reader: Reader, sequence: Sequence, steps: StepMap): Promise<PlannedMove[]> {
  checkStepMap(sequence, steps)
  const rows = await reader.db
    .select()
    .from(sequenceStepCounts)
    .where(sql`sequence_id = ${sequence.id} AND here > 0`)
    .orderBy(sequenceStepCounts.version, sequenceStepCounts.stepId)
  const definitions = await loadDefinitions(reader, rows)
  return rows.map(({ version, stepId, here: people }) => {
    const to = targetOf(sequence.draft, steps, stepId)
    const own = definitions.get(versionKey(sequence.id, version))
    const nextMail =
      to === undefined ? own && nextMailOf(own, stepId) : to === null ? null : nextMailOf(sequence.draft, to)
    return {
      version,
      stepId,
      people,
      to: to === undefined ? stepId : to,
      moves: to !== undefined,
      nextMail: nextMail ?? null,
    }
  })
}

/** Undefined: people stay in their version. */
function targetOf(definition: Definition, steps: StepMap, stepId: string): string | null | undefined {
  const mapped = Object.hasOwn(steps, stepId) ? steps[stepId] : undefined
  if (mapped !== undefined) return mapped
  return findStep(definition, stepId) === null ? undefined : stepId
}

/** The first mail from a step on, along `next`. */
function nextMailOf(definition: Definition, from: string): string | null {
  const seen = new Set<string>()
  for (let found = findStep(definition, from); found !== null && !seen.has(found.step.id); ) {
    if (sendsMail(found.step)) return found.step.id
    seen.add(found.step.id)
    const next = waysOf(definition.steps, found.index).find(({ member }) => member === 'next')?.to ?? null
    found = next === null ? null : findStep(definition, next)
  }
  return null
}

/** Moves the next people of earlier versions. Returns how many were looked at. */
export async function migrateNext(
  tx: Tx,
  sequence: Sequence,
  { workspace, definitions }: { workspace: Workspace; definitions: Definitions },
  size: number,
): Promise<number> {
  const { id, moves, version } = sequence
  const definition = definitions.get(versionKey(id, version ?? 0))
  if (moves === null || version === null || !definition) return 0
  const runs = await findMoving(tx, id, moves.cursor, size)
  const contacts = await loadContacts(tx, [...new Set(runs.map(({ contactId }) => contactId))])
  const changes = new RunChanges()
  for (const run of runs) {
    const contact = contacts.get(run.contactId)
    if (run.version >= version || !contact) continue
    const own = definitions.get(versionKey(id, run.version))
    const zone = zoneOf(contact, workspace)
    migrate(run, { changes, now: tx.now, steps: moves.steps, before: own, after: definition, version, contact, zone })
  }
  await changes.store(tx)
  const last = runs.at(-1)?.id
  const left = last === undefined || runs.length < size ? null : { ...moves, cursor: last }
  await tx.db.update(sequences).set({ moves: left }).where(eq(sequences.id, id))
  return Math.max(1, runs.length)
}

/** The next one cannot be moved: they fail where they are, for somebody to look at. Returns how many that concerns. */
export async function leaveBehind(tx: Tx, sequenceId: string, error: unknown): Promise<number> {
  const [sequence] = await tx.db.select({ moves: sequences.moves }).from(sequences).where(eq(sequences.id, sequenceId))
  const [run] = sequence?.moves ? await findMoving(tx, sequenceId, sequence.moves.cursor, 1) : []
  if (!sequence?.moves || !run) throw error
  const changes = new RunChanges()
  fail(run, { changes }, failureText(error))
  await changes.store(tx)
  await tx.db
    .update(sequences)
    .set({ moves: { ...sequence.moves, cursor: run.id } })
    .where(eq(sequences.id, sequenceId))
  return 1
}

async function findMoving(tx: Tx, sequenceId: string, after: string, limit: number): Promise<Run[]> {
  return await tx.db
    .select()
    .from(sequenceRuns)
    .where(sql`sequence_id = ${sequenceId} AND state = 'waiting' AND id > ${after}`)
    .orderBy(sequenceRuns.id)
    .limit(limit)
}

interface Migration extends Pick<Parameters<typeof dueAt>[1], 'now' | 'contact' | 'zone'> {
  changes: RunChanges
  steps: StepMap
  before: Definition | undefined
  after: Definition
  version: number
}

function migrate(run: Run, { changes, now, steps, before, after, version, contact, zone }: Migration): void {
  const to = targetOf(after, steps, run.stepId)
  if (to === undefined) return
  if (to === null) {
    end(run, { changes, now }, 'exited', 'moved_out')
    return
  }
  const step = findStep(after, to)?.step
  const was = before && findStep(before, run.stepId)?.step
  if (!step) return
  changes.count(run, { here: -1 })
  run.version = version
  run.stepId = to
  changes.count(run, { here: 1 })
  if (!isSameStep(was, step)) {
    const fresh = { enteredAt: now, arrivedEventId: null, postponedSince: null, reason: null }
    Object.assign(run, fresh, { dueAt: dueAt(step, { now, contact, zone }) })
  }
  changes.change(run)
}

/** But for where it leads: whoever waits there goes on waiting as long as before, and its test goes on. */
export function isSameStep(one: Step | undefined, other: Step): boolean {
  return one !== undefined && Bun.deepEquals({ ...one, next: null }, { ...other, next: null })
}
