// How a person looks at a workspace: views of lists that they keep, and what they have hidden.

import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { updatedAt, workspaceId } from './columns.ts'

export const preferences = sqliteTable(
  'preferences',
  {
    workspaceId: workspaceId(),
    userId: text('user_id').notNull(),
    key: text('key').notNull(),
    /** Of whoever stores it; what it means is not known here. */
    value: text('value').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.userId, table.key] })],
)
