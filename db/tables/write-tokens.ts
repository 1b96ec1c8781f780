// A token that each transaction on a libSQL server leaves behind, so that its outcome can be looked up when the answer was lost
// (db/remote-writer.ts).

import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at, flag } from './columns.ts'

export const writeTokens = sqliteTable(
  'write_tokens',
  {
    token: text('token').primaryKey(),
    at: at('at').notNull(),
    /** False: the token was claimed before the commit, so the transaction can never be committed. */
    committed: flag('committed').notNull(),
  },
  (table) => [index('write_tokens_old').on(table.at)],
)
