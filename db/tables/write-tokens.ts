// What a transaction on a libSQL server leaves behind, so that one whose answer was lost can be asked about (db/remote-writer.ts).

import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at, flag } from '../columns.ts'

export const writeTokens = sqliteTable(
  'write_tokens',
  {
    token: text('token').primaryKey(),
    at: at('at').notNull(),
    /** False: it was asked about before it was committed, and so never can be. */
    committed: flag('committed').notNull(),
  },
  (table) => [index('write_tokens_old').on(table.at)],
)
