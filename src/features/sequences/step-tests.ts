// The tests of send steps: which one a step has, who gets which variant, and what it has shown. A test goes on for as long as its step stays
// as it is, but for where it leads, whatever else is published meanwhile.

import { and, eq, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import {
  type SentVariant,
  type StepTest,
  sequenceTestCounts,
  sequenceTests,
} from '../../../db/tables/sequence-tests.ts'
import type { Definition, SendStep } from '../../../db/tables/sequences.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { ensureJob } from '../../core/outbox/enqueue.ts'
import { hour } from '../../kit/duration.ts'
import { groupOf } from '../ab-tests/groups.ts'
import { firstOf } from '../ab-tests/variants.ts'
import { isSameStep } from './migrate.ts'
import { findStep } from './moves.ts'
import type { Run } from './runs.ts'
import { loadDefinitions, type Sequence, versionKey } from './versions.ts'

export type TestRow = typeof sequenceTests.$inferSelect

export type TestedStep = SendStep & { test: StepTest }

export function isTested(step: SendStep | undefined): step is TestedStep {
  return step?.test !== undefined
}

export const testedSteps = ({ steps }: Definition): TestedStep[] =>
  steps.flatMap((step) => (step.type === 'send' && isTested(step) ? [step] : []))

/** With a version that is published: the test of a step that has changed begins, the others go on. */
export async function openTests(
  tx: Tx,
  { id: sequenceId, workspaceId }: Pick<Sequence, 'id' | 'workspaceId'>,
  { version, definition }: { version: number; definition: Definition },
): Promise<void> {
  const earlier = await loadDefinitions(tx, [{ sequenceId, version: version - 1 }])
  const before = earlier.get(versionKey(sequenceId, version - 1))
  const changed = testedSteps(definition).filter((step) => !isSameStep(before && findStep(before, step.id)?.step, step))
  const fresh = { winnerDueAt: null, winner: null, winnerChosenAt: null }
  const rows = changed.map(({ id: stepId }) => ({ sequenceId, stepId, version, workspaceId, ...fresh }))
  if (rows.length > 0) await tx.db.insert(sequenceTests).values(rows)
}

const findLast = prepared((db: ReadDb) =>
  db
    .select()
    .from(sequenceTests)
    .where(
      sql`sequence_id = ${sql.placeholder('sequenceId')} AND step_id = ${sql.placeholder('stepId')} AND version <= ${sql.placeholder('version')}`,
    )
    .orderBy(sql`version DESC`)
    .limit(1)
    .prepare(),
)

/** The test that a step has in a version; null for none. */
export async function findTest(
  reader: Reader,
  { sequenceId, version }: { sequenceId: string; version: number },
  stepId: string,
): Promise<TestRow | null> {
  return (await findLast(reader.db).get({ sequenceId, version, stepId })) ?? null
}

/** What a person gets at a tested step; `winner` null: none stands yet. The same whenever it is asked, and however the step is reached. */
export function variantFor(
  { id, test }: TestedStep,
  { sequenceId, contactId }: Pick<Run, 'sequenceId' | 'contactId'>,
  winner: string | null,
): SentVariant | 'held_out' {
  const group = groupOf(test, `${sequenceId} ${id} ${contactId}`)
  if (group === 'held_out') return group
  if (winner !== null) return { name: winner, isTested: false }
  return group === 'rest' ? { name: firstOf(test), isTested: false } : { name: group.name, isTested: true }
}

export interface DueWinner {
  sequenceId: string
  stepId: string
  /** Of the test. */
  version: number
}

export const winnerPolicy = { kind: 'sequence.winner', lane: 'sequence', attemptsMax: 20 } as const

/** The first mails of a test: where clicks decide, the time begins now. */
export async function beginTest(tx: Tx, run: Pick<Run, 'sequenceId' | 'version'>, step: TestedStep): Promise<void> {
  if (step.test.winner.by !== 'clicks') return
  const row = await findTest(tx, run, step.id)
  if (row === null || row.winnerDueAt !== null || row.winner !== null) return
  const { sequenceId, stepId, version, workspaceId } = row
  const winnerDueAt = new Date(tx.now.getTime() + step.test.winner.afterHours * hour)
  await tx.db.update(sequenceTests).set({ winnerDueAt }).where(isTest(row))
  const payload: DueWinner = { sequenceId, stepId, version }
  const dedupeKey = `${sequenceId} ${stepId} ${version}`
  await ensureJob(tx, winnerPolicy, { workspaceId, payload, dedupeKey, partitionKey: sequenceId, runAt: winnerDueAt })
}

export function isTest({ sequenceId, stepId, version }: DueWinner) {
  const { sequenceId: ofSequence, stepId: ofStep, version: since } = sequenceTests
  return and(eq(ofSequence, sequenceId), eq(ofStep, stepId), eq(since, version))
}

/** By name, as `sent of A`: of all versions that go on with the test. */
export async function loadTestCounts(
  reader: Reader,
  { sequenceId, stepId, version }: DueWinner,
): Promise<Record<string, number>> {
  const next = sql`(SELECT min(version) FROM sequence_tests WHERE sequence_id = ${sequenceId} AND step_id = ${stepId} AND version > ${version})`
  const rows = await reader.db
    .select({ name: sequenceTestCounts.name, count: sql<number>`sum(count)` })
    .from(sequenceTestCounts)
    .where(
      sql`sequence_id = ${sequenceId} AND step_id = ${stepId} AND version >= ${version} AND version < coalesce(${next}, version + 1)`,
    )
    .groupBy(sequenceTestCounts.name)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}
