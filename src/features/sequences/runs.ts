// The runs of sequences as rows: read, begun, and stored again by lists, with the lines of their paths and the counts of their steps.

import { getTableColumns, sql } from 'drizzle-orm'
import type { Db, ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows, unmappedValue } from '../../../db/rows.ts'
import { countOf } from '../../../db/tables/ab-tests.ts'
import { sequenceTestCounts, type TestedVariant } from '../../../db/tables/sequence-tests.ts'
import {
  isOpenRun,
  type RunState,
  sequencePath,
  sequencePeople,
  sequenceRuns,
  sequenceStepCounts,
} from '../../../db/tables/sequences.ts'
import type { Reader, Tx } from '../../core/app.ts'

export type Run = typeof sequenceRuns.$inferSelect
type PathLine = typeof sequencePath.$inferSelect

const { id, workspaceId, sequenceId, contactId, key, eventId, startedAt, ...changing } = getTableColumns(sequenceRuns)

const newRuns = toRows({ id, workspaceId, sequenceId, contactId, key, eventId, startedAt, ...changing })
const insertRuns = newRuns.adding(sequenceRuns, newRuns.each)

const changedRuns = toRows({ id, ...changing })
const updateRuns = prepared((db: Db) => {
  const { id: _, ...set } = changedRuns.each
  return db
    .update(sequenceRuns)
    .set(set)
    .from(changedRuns.list)
    .where(sql`sequence_runs.id = ${changedRuns.each.id}`)
    .prepare()
})

const pathLines = toRows({
  runId: sequencePath.runId,
  number: sequencePath.number,
  stepId: sequencePath.stepId,
  at: sequencePath.at,
  outcome: sequencePath.outcome,
  detail: sequencePath.detail,
  messageId: sequencePath.messageId,
  variant: sequencePath.variant,
})
const insertPath = pathLines.adding(sequencePath, pathLines.each)

const countNames = ['entered', 'here', 'sent', 'skipped', 'opened', 'clicked'] as const
type CountName = (typeof countNames)[number]
type Counts = Pick<typeof sequenceStepCounts.$inferSelect, CountName>

const countRows = toRows({
  sequenceId: sequenceStepCounts.sequenceId,
  version: sequenceStepCounts.version,
  stepId: sequenceStepCounts.stepId,
  entered: unmappedValue<number>(),
  here: unmappedValue<number>(),
  sent: unmappedValue<number>(),
  skipped: unmappedValue<number>(),
  opened: unmappedValue<number>(),
  clicked: unmappedValue<number>(),
})
const addCounts = prepared((db: Db) =>
  countRows
    .insertInto(db, sequenceStepCounts, countRows.each)
    .onConflictDoUpdate({
      target: [sequenceStepCounts.sequenceId, sequenceStepCounts.version, sequenceStepCounts.stepId],
      set: {
        entered: sql`entered + excluded.entered`,
        here: sql`here + excluded.here`,
        sent: sql`sent + excluded.sent`,
        skipped: sql`skipped + excluded.skipped`,
        opened: sql`opened + excluded.opened`,
        clicked: sql`clicked + excluded.clicked`,
      },
    })
    .prepare(),
)

const testRows = toRows({
  sequenceId: sequenceTestCounts.sequenceId,
  stepId: sequenceTestCounts.stepId,
  version: sequenceTestCounts.version,
  name: sequenceTestCounts.name,
  count: unmappedValue<number>(),
})
const addTestCounts = prepared((db: Db) =>
  testRows
    .insertInto(db, sequenceTestCounts, testRows.each)
    .onConflictDoUpdate({
      target: [
        sequenceTestCounts.sequenceId,
        sequenceTestCounts.stepId,
        sequenceTestCounts.version,
        sequenceTestCounts.name,
      ],
      set: { count: sql`count + excluded.count` },
    })
    .prepare(),
)

const peopleRows = toRows({
  sequenceId: sequencePeople.sequenceId,
  state: sequencePeople.state,
  people: unmappedValue<number>(),
})
const addPeople = prepared((db: Db) =>
  peopleRows
    .insertInto(db, sequencePeople, peopleRows.each)
    .onConflictDoUpdate({
      target: [sequencePeople.sequenceId, sequencePeople.state],
      set: { people: sql`people + excluded.people` },
    })
    .prepare(),
)

type StepOf = Pick<Run, 'sequenceId' | 'version' | 'stepId'>

/** Null: the mail of the run tests no variant. */
export function testedBy({ variant, version }: Pick<Run, 'variant' | 'version'>): TestedVariant | null {
  return variant?.isTested ? { name: variant.name, version } : null
}

/** What one transaction does to runs: collected, and written by few statements at its end. */
export class RunChanges {
  readonly #begun = new Set<Run>()
  readonly #changed = new Map<string, Run>()
  readonly #path: PathLine[] = []
  readonly #counts = new Map<string, Counts & StepOf>()
  readonly #tests = new Map<string, StepOf & { name: string; count: number }>()
  readonly #people = new Map<string, { sequenceId: string; state: RunState; people: number }>()

  begin(run: Run): void {
    this.#begun.add(run)
    this.#countPeople(run, 1)
    this.count(run, { entered: 1, here: 1 })
  }

  /** `run` was changed in place, and is stored as it is at the end. */
  change(run: Run): void {
    if (!this.#begun.has(run)) this.#changed.set(run.id, run)
  }

  /** The run is in another state now. */
  move(run: Run, state: RunState): void {
    this.#countPeople(run, -1)
    run.state = state
    this.#countPeople(run, 1)
    this.change(run)
  }

  #countPeople({ sequenceId, state }: Run, change: number): void {
    const key = `${sequenceId} ${state}`
    this.#people.getOrInsertComputed(key, () => ({ sequenceId, state, people: 0 })).people += change
  }

  /** Appends what the run's step did. */
  line(run: Run, at: Date, { outcome, detail = null, messageId = null }: StepOutcome): void {
    const { id: runId, entered: number, stepId } = run
    const variant = messageId === null ? null : testedBy(run)
    this.#path.push({ runId, number, stepId, at, outcome, detail, messageId, variant })
  }

  /** `tested`: the variant whose mail that is about; null for one that tests none, and for what is no mail. */
  count({ sequenceId, version, stepId }: StepOf, change: Partial<Counts>, tested: TestedVariant | null = null): void {
    const key = `${sequenceId} ${version} ${stepId}`
    const counts = this.#counts.getOrInsertComputed(key, () => {
      return { sequenceId, version, stepId, entered: 0, here: 0, sent: 0, skipped: 0, opened: 0, clicked: 0 }
    })
    for (const name of countNames) counts[name] += change[name] ?? 0
    if (tested === null) return
    for (const [figure, count] of Object.entries(change)) {
      const name = countOf(tested.name, figure)
      this.#tests.getOrInsertComputed(`${sequenceId} ${tested.version} ${stepId} ${name}`, () => {
        return { sequenceId, version: tested.version, stepId, name, count: 0 }
      }).count += count
    }
  }

  async store(tx: Tx): Promise<void> {
    // Whoever has left may have begun again.
    if (this.#changed.size > 0) await updateRuns(tx.db).run(changedRuns.given([...this.#changed.values()]))
    if (this.#begun.size > 0) await insertRuns(tx.db, [...this.#begun])
    if (this.#path.length > 0) await insertPath(tx.db, this.#path)
    const counts = [...this.#counts.values()]
    if (counts.length > 0) await addCounts(tx.db).run(countRows.given(counts))
    const tests = [...this.#tests.values()]
    if (tests.length > 0) await addTestCounts(tx.db).run(testRows.given(tests))
    const people = [...this.#people.values()].filter((one) => one.people !== 0)
    if (people.length > 0) await addPeople(tx.db).run(peopleRows.given(people))
  }
}

/** What moving people on tells of each: kept in earnest, counted by a forecast. */
export type Changes = Pick<RunChanges, 'begin' | 'change' | 'move' | 'line' | 'count'>

export interface StepOutcome {
  /** A code: `sent`, `waited`, `branch 2`, `skipped`. */
  outcome: string
  detail?: string | null
  messageId?: string | null
}

const ofContacts = toRows({ contactId: sequenceRuns.contactId })
const findOpen = prepared((db: ReadDb) =>
  db
    .select()
    .from(sequenceRuns)
    .where(sql`contact_id IN ${ofContacts.pick('contactId')} AND ${isOpenRun}`)
    .prepare(),
)

/** The open runs of contacts, oldest first. */
export async function findOpenRuns(reader: Reader, contactIds: string[]): Promise<Run[]> {
  if (contactIds.length === 0) return []
  const rows = await findOpen(reader.db).all(
    ofContacts.given([...new Set(contactIds)].map((contactId) => ({ contactId }))),
  )
  return rows.sort((one, other) => (one.id < other.id ? -1 : 1))
}

const findDue = prepared((db: Db) =>
  db
    .select()
    .from(sequenceRuns)
    .where(
      sql`sequence_id = ${sql.placeholder('sequenceId')} AND state = 'waiting' AND due_at <= ${sql.placeholder('now')}`,
    )
    .orderBy(sql`due_at`)
    .limit(sql.placeholder('limit'))
    .prepare(),
)

export async function findDueRuns(tx: Tx, sequenceId: string, limit: number): Promise<Run[]> {
  return await findDue(tx.db).all({ sequenceId, now: tx.now.getTime(), limit })
}

const ofIds = toRows({ id })
const findByIds = prepared((db: Db) =>
  db
    .select()
    .from(sequenceRuns)
    .where(sql`id IN ${ofIds.pick('id')}`)
    .prepare(),
)

export async function findRuns(tx: Tx, ids: string[]): Promise<Run[]> {
  return ids.length === 0 ? [] : await findByIds(tx.db).all(ofIds.given(ids.map((id) => ({ id }))))
}

/** When the next run of a sequence falls due; null for none. */
export async function findNextDue(reader: Reader, sequenceId: string): Promise<Date | null> {
  const [row] = await reader.db.all<{ due: number | null }>(
    sql`SELECT min(due_at) AS due FROM sequence_runs WHERE sequence_id = ${sequenceId} AND state = 'waiting'`,
  )
  return row?.due == null ? null : new Date(row.due)
}

/** The versions of a sequence in which somebody still is. */
export async function findOpenVersions(reader: Reader, sequenceId: string): Promise<number[]> {
  const rows = await reader.db.all<{ version: number }>(
    sql`SELECT DISTINCT version FROM sequence_step_counts WHERE sequence_id = ${sequenceId} AND here > 0 ORDER BY version`,
  )
  return rows.map((row) => row.version)
}
