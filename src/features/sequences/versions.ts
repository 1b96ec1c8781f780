// What the versions of sequences say, as far as work needs it: read once for a list of runs.

import { and, eq, inArray, sql } from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import {
  type Definition,
  sequences,
  sequenceTriggers,
  sequenceVersions,
  type Trigger,
} from '../../../db/tables/sequences.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { signalOf } from '../signals.ts'

export type Sequence = typeof sequences.$inferSelect

/** By `sequence version`. */
export type Definitions = Map<string, Definition>

export const versionKey = (sequenceId: string, version: number) => `${sequenceId} ${version}`

const { sequenceId, version, definition } = sequenceVersions
const ofVersions = toRows({ sequenceId, version })
const findVersions = prepared((db: ReadDb) =>
  db
    .select({ sequenceId, version, definition })
    .from(sequenceVersions)
    .where(sql`(sequence_id, version) IN ${ofVersions.pick('sequenceId', 'version')}`)
    .prepare(),
)

export async function loadDefinitions(
  reader: Reader,
  wanted: readonly { sequenceId: string; version: number }[],
): Promise<Definitions> {
  const distinct = new Map(wanted.map((one) => [versionKey(one.sequenceId, one.version), one]))
  if (distinct.size === 0) return new Map()
  const rows = await findVersions(reader.db).all(ofVersions.given([...distinct.values()]))
  return new Map(rows.map(({ sequenceId, version, definition }) => [versionKey(sequenceId, version), definition]))
}

/** The signal that a trigger is about. */
export function signalOfTrigger(trigger: Trigger): string {
  if ('event' in trigger) return signalOf.event(trigger.event)
  if ('property' in trigger) return signalOf.property(trigger.property)
  if ('segment' in trigger) return signalOf.segment(trigger.change, trigger.segment)
  if ('mail' in trigger) return signalOf.mail(trigger.mail)
  // Nothing happens on a date: dates.ts looks for it.
  if ('date' in trigger) return `date:${trigger.date}`
  return (trigger.change === 'joined' ? signalOf.joined : signalOf.left)(trigger.list)
}

/** All that a version waits for. */
function signalsOf({ start, exits, goals, steps }: Definition): string[] {
  const triggers = [...(start === null ? [] : [start]), ...exits, ...goals].map(signalOfTrigger)
  const events = steps.flatMap((step) =>
    step.type === 'event' || step.type === 'digest' ? [signalOf.event(step.event)] : [],
  )
  return [...new Set([...triggers, ...events])]
}

/** From now on what this version waits for is noted, beside what earlier versions wait for. */
export async function addTriggers(
  tx: Tx,
  { id: sequenceId, workspaceId }: Sequence,
  definition: Definition,
): Promise<void> {
  const rows = signalsOf(definition).map((signal) => ({ workspaceId, signal, sequenceId }))
  if (rows.length > 0) await tx.db.insert(sequenceTriggers).values(rows).onConflictDoNothing()
}

export async function dropTriggers(tx: Tx, sequenceId: string): Promise<void> {
  await tx.db.delete(sequenceTriggers).where(eq(sequenceTriggers.sequenceId, sequenceId))
}

/** Published sequences of a workspace that wait for one of these signals. */
export async function findWaiting(reader: Reader, workspaceId: string, signals: string[]): Promise<Sequence[]> {
  const ids = reader.db
    .select({ id: sequenceTriggers.sequenceId })
    .from(sequenceTriggers)
    .where(sql`workspace_id = ${workspaceId} AND signal IN ${oneOf(signals)}`)
  return await reader.db
    .select()
    .from(sequences)
    .where(and(inArray(sequences.id, ids), inArray(sequences.state, ['active', 'paused'])))
    .orderBy(sequences.id)
}
