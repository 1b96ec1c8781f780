// Templates: one row of metadata, one current revision per locale (content-revisions.ts).

import { sql } from 'drizzle-orm'
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, nameOrder, updatedAt, workspaceId } from './columns.ts'

export type TemplateStatus = 'active' | 'draft' | 'archived'

export const templates = sqliteTable(
  'templates',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    /** The public id in the API ("templateId"). */
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
    /** Changes with every update of the template or one of its locales. */
    revisionId: text('revision_id').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: at('deleted_at'),
  },
  (table) => [
    uniqueIndex('templates_slug').on(table.workspaceId, table.slug).where(sql`deleted_at IS NULL`),
    index('templates_list').on(table.workspaceId, table.id),
    index('templates_changed').on(table.workspaceId, table.updatedAt, table.id),
    index('templates_name').on(table.workspaceId, nameOrder, table.id),
  ],
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
