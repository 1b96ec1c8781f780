// Contacts, their custom properties, and suppression. A suppression outlives its contact: it is keyed by the hash of the address.

import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, flag, json, updatedAt, workspaceId } from '../columns.ts'

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
    /** The subscription source with whose public key a visitor made the contact: only then may one fill its fields. */
    madeBySourceId: text('made_by_source_id'),
    properties: json<ContactProperties>('properties').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('contacts_email').on(table.workspaceId, table.emailKey),
    uniqueIndex('contacts_user_id').on(table.workspaceId, table.userId).where(sql`user_id IS NOT NULL`),
    index('contacts_list').on(table.workspaceId, table.id),
    index('contacts_subscribed').on(table.workspaceId, table.subscribed, table.id),
    index('contacts_opt_in').on(table.workspaceId, table.optInStatus, table.id).where(sql`opt_in_status IS NOT NULL`),
  ],
)

export type PropertyType = 'string' | 'number' | 'boolean' | 'date'

/** The custom properties of a workspace; the first value decides the type. */
export const contactProperties = sqliteTable(
  'contact_properties',
  {
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    type: text('type').$type<PropertyType>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.name] })],
)

/** Each custom property of each contact once more, in an order that a search can seek in. */
export const contactValues = sqliteTable(
  'contact_values',
  {
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    /** As text, at most 200 characters: what is longer is found by its beginning. */
    value: text('value').notNull(),
    contactId: text('contact_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.name, table.value, table.contactId] })],
)

/** What lists show as a total, kept in the transaction that changes it: `contacts`, `suppressions` … */
export const counters = sqliteTable(
  'counters',
  {
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    value: integer('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.name] })],
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
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.emailHash] }),
    index('suppressions_list').on(table.workspaceId, table.createdAt, table.emailHash),
  ],
)

/** Who took whom off the list, and when: the removal quota counts these. */
export const suppressionRemovals = sqliteTable(
  'suppression_removals',
  {
    workspaceId: workspaceId(),
    removedAt: at('removed_at').notNull(),
    emailHash: text('email_hash').notNull(),
    reason: text('reason').$type<SuppressionReason>().notNull(),
    /** The API key or user who did it. */
    removedBy: text('removed_by').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.removedAt, table.emailHash] }),
    index('suppression_removals_quota').on(table.workspaceId, table.reason, table.removedAt),
  ],
)

/** Soft bounces of an address since its last delivery: five suppress it. */
export const softBounces = sqliteTable(
  'soft_bounces',
  {
    workspaceId: workspaceId(),
    emailHash: text('email_hash').notNull(),
    count: integer('count').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.emailHash] })],
)

/** What the caller of an import says about everybody of whom the file itself says nothing. */
export interface StatedConsent {
  subscribed: boolean
  statement: string
}

export type ImportState = 'waiting' | 'running' | 'done' | 'failed'

/** One file of contacts: where its reading is, and what came of it so far. */
export const contactImports = sqliteTable(
  'contact_imports',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    state: text('state').$type<ImportState>().notNull(),
    /** Why it failed. */
    detail: text('detail'),
    dryRun: flag('dry_run').notNull(),
    /** Everybody of the file is put on this list, too. */
    mailingListId: text('mailing_list_id'),
    /** The first line, which names the columns. */
    header: text('header').notNull(),
    /** The caller's own meanings of columns, by header; null leaves one out. */
    columns: json<Record<string, string | null>>('columns'),
    consent: json<StatedConsent>('consent'),
    /** The API key or user who asked for it. */
    actorId: text('actor_id'),
    sizeBytes: integer('size_bytes').notNull(),
    /** Everything before this byte and this line is done. Moved in the transaction that does it. */
    readBytes: integer('read_bytes').notNull().default(0),
    readLines: integer('read_lines').notNull().default(0),
    created: integer('created').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    unchanged: integer('unchanged').notNull().default(0),
    /** Rows that asked for consent that was withdrawn, or never given, and did not get it. */
    consentKept: integer('consent_kept').notNull().default(0),
    bad: integer('bad').notNull().default(0),
    /** Of the rows taken: what they say of consent. */
    subscribed: integer('subscribed').notNull().default(0),
    unsubscribed: integer('unsubscribed').notNull().default(0),
    suppressed: integer('suppressed').notNull().default(0),
    withoutConsent: integer('without_consent').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('contact_imports_list').on(table.workspaceId, table.id)],
)

/** The file itself, in pieces of 1 MiB, until it is read. */
export const importPieces = sqliteTable(
  'import_pieces',
  {
    importId: text('import_id').notNull(),
    /** 0, 1, 2 … */
    number: integer('number').notNull(),
    data: blob('data', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.number] })],
)

/** Rows of a file that were left out, with the reason. */
export const importFaults = sqliteTable(
  'import_faults',
  {
    importId: text('import_id').notNull(),
    /** Where the row begins; the header is line 1. */
    line: integer('line').notNull(),
    reason: text('reason').notNull(),
    /** The row as it was written. */
    row: text('row').notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.line] })],
)
