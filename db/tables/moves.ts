// Workspaces that are not here, or not any more: one that is being erased, one that arrives from another installation, one that moved there.

import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt, updatedAt, workspaceId } from './columns.ts'

export const workspaceMoves = sqliteTable(
  'workspace_moves',
  {
    workspaceId: workspaceId().primaryKey(),
    /** While its rows are being deleted or are arriving: it is not served, and none of its jobs runs. */
    absent: text('absent').$type<'erasing' | 'arriving'>(),
    /** Of one that arrives: which file it comes from, by its digest, and how many of its lines are written. */
    file: text('file'),
    lines: integer('lines').notNull().default(0),
    /** Of one that left: the address of the installation that has it. */
    movedTo: text('moved_to'),
    /** What both installations know: links in mails that it sent before are forwarded under it. */
    linkSecretSealed: text('link_secret_sealed'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('workspace_moves_absent').on(table.workspaceId).where(sql`absent IS NOT NULL`)],
)
