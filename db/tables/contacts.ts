// Contacts and suppression. A suppression outlives its contact: it is keyed by the hash of the address.

import { sql } from 'drizzle-orm'
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { createdAt, flag, json, updatedAt, workspaceId } from '../columns.ts'

export type ContactProperties = Record<string, string | number | boolean>
export type OptInStatus = 'pending' | 'accepted' | 'rejected'

export const contacts = sqliteTable(
  'contacts',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    email: text('email').notNull(),
    /** The address as it is compared: lower-case. */
    emailKey: text('email_key').notNull(),
    userId: text('user_id'),
    firstName: text('first_name'),
    lastName: text('last_name'),
    source: text('source'),
    subscribed: flag('subscribed').notNull(),
    userGroup: text('user_group'),
    locale: text('locale'),
    timezone: text('timezone'),
    optInStatus: text('opt_in_status').$type<OptInStatus>(),
    properties: json<ContactProperties>('properties').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('contacts_email').on(table.workspaceId, table.emailKey),
    uniqueIndex('contacts_user_id').on(table.workspaceId, table.userId).where(sql`user_id IS NOT NULL`),
    index('contacts_list').on(table.workspaceId, table.createdAt),
  ],
)

export type SuppressionReason = 'hardBounce' | 'complaint' | 'manual' | 'unsubscribe'

export const suppressions = sqliteTable(
  'suppressions',
  {
    workspaceId: workspaceId(),
    /** SHA-256 of the comparable address, hex: kept when the contact is erased. */
    emailHash: text('email_hash').notNull(),
    /** The address, until erased. */
    email: text('email'),
    reason: text('reason').$type<SuppressionReason>().notNull(),
    /** The message whose bounce or complaint led to it. */
    messageId: text('message_id'),
    detail: text('detail'),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.emailHash] })],
)
