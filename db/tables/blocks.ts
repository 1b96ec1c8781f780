// Blocks: pieces of content that templates and campaigns use again. One row each, one current revision per locale (content-revisions.ts).

import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt, updatedAt, workspaceId } from './columns.ts'

export const blocks = sqliteTable(
  'blocks',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    /** What stands where there is none in the language of a mail. */
    primaryLocale: text('primary_locale').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('blocks_list').on(table.workspaceId, table.id)],
)

/** The current revision of each locale of a block. */
export const blockContents = sqliteTable(
  'block_contents',
  {
    blockId: text('block_id').notNull(),
    locale: text('locale').notNull(),
    revisionId: text('revision_id').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.blockId, table.locale] })],
)
