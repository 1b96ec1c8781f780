// The tests of send steps: what they compare, the winner of each, and what people did with its mails.

import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AbTest, WinnerChoice } from './ab-tests.ts'
import { at, workspaceId } from './columns.ts'

/** Until the winner stands, `share` percent of those who come take part, and the others get the first variant. */
export interface StepTest extends AbTest {
  winner: WinnerChoice
}

export interface SentVariant {
  name: string
  /** False: the winner, or what those get who take no part. */
  isTested: boolean
}

/** The variant that a mail tests, and the version in which it is counted: its person may be in another by the time they click. */
export interface TestedVariant {
  name: string
  version: number
}

/** The test of a send step, from the version in which it began; later versions that keep the step go on with it. */
export const sequenceTests = sqliteTable(
  'sequence_tests',
  {
    sequenceId: text('sequence_id').notNull(),
    stepId: text('step_id').notNull(),
    version: integer('version').notNull(),
    workspaceId: workspaceId(),
    /** When clicks decide; null: nobody has tested it yet, or they do not. */
    winnerDueAt: at('winner_due_at'),
    /** Name of the variant that everybody gets who comes later. */
    winner: text('winner'),
    winnerChosenAt: at('winner_chosen_at'),
  },
  (table) => [
    primaryKey({ columns: [table.sequenceId, table.stepId, table.version] }),
    index('sequence_tests_workspace').on(table.workspaceId),
  ],
)

/** What people did with the mails of each variant, by the version that they are in: `sent of A`. */
export const sequenceTestCounts = sqliteTable(
  'sequence_test_counts',
  {
    sequenceId: text('sequence_id').notNull(),
    stepId: text('step_id').notNull(),
    version: integer('version').notNull(),
    name: text('name').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sequenceId, table.stepId, table.version, table.name] })],
)
