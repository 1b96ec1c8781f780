// The content of mails: component trees of templates, campaigns, replies and notices. A revision never changes, so a message is rendered
// from exactly what it was accepted with, and a cache keyed by revision is never stale.

import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt, json, workspaceId } from '../columns.ts'

/** `workspace`: a notice to its owners. */
export type ContentOwner = 'template' | 'campaign' | 'mailbox' | 'workspace'

export const contentRevisions = sqliteTable('content_revisions', {
  id: text('id').primaryKey(),
  workspaceId: workspaceId(),
  ownerKind: text('owner_kind').$type<ContentOwner>().notNull(),
  ownerId: text('owner_id').notNull(),
  locale: text('locale').notNull(),
  subject: text('subject').notNull(),
  previewText: text('preview_text').notNull(),
  /** The component tree as given, normalised. */
  content: json<unknown>('content').notNull(),
  createdAt: createdAt(),
})
