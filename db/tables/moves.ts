// Workspaces that are not here, or not any more: one that is being erased, one that arrives from another installation, one that moved there;
// and the files in which they travel.

import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, updatedAt, workspaceId } from './columns.ts'

export const workspaceMoves = sqliteTable(
  'workspace_moves',
  {
    workspaceId: workspaceId().primaryKey(),
    /** While its rows are being deleted or are arriving: it is not served, and none of its jobs runs. */
    absent: text('absent').$type<'erasing' | 'arriving'>(),
    /** Of one that arrives, or has come: which file it comes from, by its digest; and how many of its lines are written. Of one that left by
     * `paquebot workspace move`: the SHA-256 of its file. */
    file: text('file'),
    /** Which run writes its rows: one that began later takes its place, and the former writes no more. */
    run: text('run'),
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

/** A sealed file that is made of a workspace, or that brings one in. It is kept for a day, in the store of pictures, under its id. */
export const workspaceTransfers = sqliteTable(
  'workspace_transfers',
  {
    id: text('id').primaryKey(),
    way: text('way').$type<'export' | 'import'>().notNull(),
    /** Of an import: null until it is here. */
    workspaceId: text('workspace_id'),
    state: text('state').$type<'waiting' | 'done' | 'failed'>().notNull(),
    /** Why it failed, or was put off. */
    detail: text('detail'),
    /** Of an export: BASE_URL of the installation to which the workspace moves; null: a copy to read. */
    movesTo: text('moves_to'),
    /** Of an import: the slug that it shall have here, in place of its own. */
    slug: text('slug'),
    /** Of the file, once it is whole. */
    sizeBytes: integer('size_bytes').notNull(),
    sha256: text('sha256'),
    /** Until then it is kept. */
    expiresAt: at('expires_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('workspace_transfers_of').on(table.workspaceId),
    // A workspace has one: a new one takes the place of the former.
    uniqueIndex('workspace_transfers_export').on(table.workspaceId).where(sql`way = 'export'`),
  ],
)
