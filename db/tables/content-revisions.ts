// The content of mails: component trees of templates, campaigns, replies and notices. A revision never changes, so a message is rendered
// from exactly what it was accepted with, and a cache keyed by revision is never stale.

import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Actor } from '../../src/kit/act.ts'
import { createdAt, json, workspaceId } from './columns.ts'

/** `workspace`: a notice to its owners; `test`: what a test mail of a template or a campaign said. */
export type ContentOwner = 'template' | 'campaign' | 'block' | 'test' | 'mailbox' | 'workspace'

export const contentRevisions = sqliteTable(
  'content_revisions',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    ownerKind: text('owner_kind').$type<ContentOwner>().notNull(),
    ownerId: text('owner_id').notNull(),
    locale: text('locale').notNull(),
    subject: text('subject').notNull(),
    previewText: text('preview_text').notNull(),
    /** The component tree as given, normalised. */
    content: json<unknown>('content').notNull(),
    /** Null for revisions that are older than this column. */
    author: json<Actor>('author'),
    /** What else was set of its owner when it was written, e.g. the sender. */
    settings: json<Record<string, unknown>>('settings'),
    createdAt: createdAt(),
  },
  (table) => [
    index('content_revisions_owner').on(table.ownerKind, table.ownerId, table.id),
    index('content_revisions_workspace').on(table.workspaceId),
  ],
)
