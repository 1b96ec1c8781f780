// Templates: one row of metadata, one current revision per locale. A revision never changes, so what was accepted
// for sending is rendered from exactly what it was accepted with, and a cache keyed by revision is never stale.

import { sql } from 'drizzle-orm'
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, json, updatedAt, workspaceId } from '../columns.ts'

export type TemplateStatus = 'active' | 'draft' | 'archived'

export const templates = sqliteTable(
  'templates',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    /** The public id of the interface ("templateId"). */
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    /** Used by locales that have no subject of their own. */
    subject: text('subject').notNull(),
    previewText: text('preview_text').notNull().default(''),
    fromName: text('from_name'),
    fromEmail: text('from_email'),
    replyTo: text('reply_to'),
    primaryLocale: text('primary_locale').notNull(),
    status: text('status').$type<TemplateStatus>().notNull(),
    /** Changes with every update of the template or of one of its locales. */
    revisionId: text('revision_id').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: at('deleted_at'),
  },
  (table) => [
    uniqueIndex('templates_slug').on(table.workspaceId, table.slug).where(sql`deleted_at IS NULL`),
    index('templates_list').on(table.workspaceId, table.createdAt),
  ],
)

export const templateRevisions = sqliteTable(
  'template_revisions',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    templateId: text('template_id').notNull(),
    locale: text('locale').notNull(),
    subject: text('subject').notNull(),
    previewText: text('preview_text').notNull(),
    /** The component tree as given, normalised. */
    content: json<unknown>('content').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('template_revisions_template').on(table.templateId)],
)

/** The current revision of each locale of a template. */
export const templateContents = sqliteTable(
  'template_contents',
  {
    templateId: text('template_id').notNull(),
    locale: text('locale').notNull(),
    revisionId: text('revision_id').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.templateId, table.locale] })],
)
