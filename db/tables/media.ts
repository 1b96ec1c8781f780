// Pictures that mails show from an address of ours. Their bytes are files in a store (src/kit/store); here is what is known of them.

import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { PictureKind } from '../../src/kit/picture/read.ts'
import { at, createdAt, flag, updatedAt, workspaceId } from './columns.ts'

export const media = sqliteTable(
  'media',
  {
    /** The name of its file in the store, too. */
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    /** A hash of the workspace and of the bytes: its address, and why the same bytes are there once. */
    key: text('key').notNull().unique(),
    kind: text('kind').$type<PictureKind>().notNull(),
    name: text('name').notNull(),
    alt: text('alt').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    animated: flag('animated').notNull(),
    /** Since when it is in the library no more, and only kept for mails that show it. */
    removedAt: at('removed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('media_list').on(table.workspaceId, table.id)],
)

/** What ever showed a picture: a content revision, or a workspace as its logo. Whether that is current follows from the source itself. */
export const mediaUses = sqliteTable(
  'media_uses',
  { mediaKey: text('media_key').notNull(), sourceId: text('source_id').notNull() },
  (table) => [primaryKey({ columns: [table.mediaKey, table.sourceId] })],
)

/** Files that are being stored or deleted right now. One that still stands here an hour later is nobody's: its process ended. */
export const mediaUnowned = sqliteTable(
  'media_unowned',
  { id: text('id').primaryKey(), createdAt: createdAt() },
  (table) => [index('media_unowned_age').on(table.createdAt)],
)
