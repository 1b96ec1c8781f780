// Contacts, their custom properties, and suppression. A suppression outlives its contact, so it is keyed by the hash of the address.

import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, flag, json, updatedAt, workspaceId } from './columns.ts'

export type ContactProperties = Record<string, string | number | boolean>
export type OptInStatus = 'pending' | 'accepted' | 'rejected'

export const contacts = sqliteTable(
  'contacts',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    email: text('email').notNull(),
    /** The address in the form in which addresses are compared: lower-case. */
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
    /** The subscription source whose public key a visitor used to create the contact. Only that source may fill the contact's fields. */
    madeBySourceId: text('made_by_source_id'),
    properties: json<ContactProperties>('properties').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('contacts_email').on(table.workspaceId, table.emailKey),
    uniqueIndex('contacts_user_id').on(table.workspaceId, table.userId).where(sql`user_id IS NOT NULL`),
    // Every column that a text search reads, so it reads nothing else.
    index('contacts_search').on(
      table.workspaceId,
      table.id,
      table.emailKey,
      table.firstName,
      table.lastName,
      table.userId,
    ),
    index('contacts_subscribed').on(table.workspaceId, table.subscribed, table.id),
    index('contacts_opt_in').on(table.workspaceId, table.optInStatus, table.id).where(sql`opt_in_status IS NOT NULL`),
  ],
)

export type PropertyType = 'string' | 'number' | 'boolean' | 'date'

/** The custom properties of a workspace; the first value determines the type. */
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

/** A copy of each custom property of each contact, indexed for searching. */
export const contactValues = sqliteTable(
  'contact_values',
  {
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    /** The value as text, at most 200 characters: a longer one is found by its beginning. */
    value: text('value').notNull(),
    contactId: text('contact_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.name, table.value, table.contactId] })],
)

/** Totals shown by lists, updated in the transaction that changes them: `contacts`, `suppressions` … */
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

/** One whose address was erased comes before all addresses. */
export const addressOrder = sql`CASE WHEN email IS NULL THEN '' ELSE email END`

export const suppressions = sqliteTable(
  'suppressions',
  {
    workspaceId: workspaceId(),
    /** SHA-256 of the lower-case address, hex: kept when the contact is erased. */
    emailHash: text('email_hash').notNull(),
    /** The address, until erased. */
    email: text('email'),
    reason: text('reason').$type<SuppressionReason>().notNull(),
    /** The message whose bounce or complaint caused it. */
    messageId: text('message_id'),
    detail: text('detail'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.emailHash] }),
    index('suppressions_list').on(table.workspaceId, table.createdAt, table.emailHash),
    index('suppressions_address').on(table.workspaceId, addressOrder, table.emailHash),
    index('suppressions_email').on(table.workspaceId, table.email).where(sql`email IS NOT NULL`),
  ],
)

/** Who removed which suppression, and when; the removal quota counts these rows. */
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

/** Soft bounces of an address with no delivery between; five suppress it. */
export const softBounces = sqliteTable(
  'soft_bounces',
  {
    workspaceId: workspaceId(),
    emailHash: text('email_hash').notNull(),
    count: integer('count').notNull(),
    /** Messages that a server took after the last of them, and that have not come back: any of these may have arrived. */
    taken: json<string[]>('taken').notNull().default([]),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.emailHash] })],
)

/** What the caller of an import declares for every row that says nothing itself. */
export interface StatedConsent {
  subscribed: boolean
  statement: string
}

export type ImportState = 'waiting' | 'running' | 'done' | 'failed'

/** An import of a file of contacts: how far it has been read, and the result so far. */
/** What was read in the export of another service. */
export interface ExportReport {
  files: { name: string; holds: string; entries: number }[]
  lists: { name: string; mailingListId: string | null; isNew: boolean; contacts: number }[]
  properties: { name: string; type: PropertyType }[]
  /** `problems`: why it was not converted, or what was not taken over. */
  templates: { name: string; converted: boolean; templateId: string | null; problems: string[] }[]
  /** What could not be read as a row. */
  refused: { where: string; reason: string }[]
  notes: string[]
  /** People of whom neither the export nor the caller says whether they agreed. */
  silent: number
}

export const contactImports = sqliteTable(
  'contact_imports',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    state: text('state').$type<ImportState>().notNull(),
    /** Why it failed. */
    detail: text('detail'),
    dryRun: flag('dry_run').notNull(),
    /** Every contact of the file is also put on this list. */
    mailingListId: text('mailing_list_id'),
    /** The first line, which names the columns. */
    header: text('header').notNull(),
    /** The caller's mapping of columns, by header; null skips a column. */
    columns: json<Record<string, string | null>>('columns'),
    consent: json<StatedConsent>('consent'),
    /** The service whose export it is; null: a CSV of the caller's own. */
    format: text('format'),
    /** What its export holds besides rows: files, lists, templates, and what was left out. */
    report: json<ExportReport>('report'),
    /** The API key or user who asked for it. */
    actorId: text('actor_id'),
    sizeBytes: integer('size_bytes').notNull(),
    /** Everything before this byte and line is imported. Updated in the transaction that imports it. */
    readBytes: integer('read_bytes').notNull().default(0),
    readLines: integer('read_lines').notNull().default(0),
    created: integer('created').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    unchanged: integer('unchanged').notNull().default(0),
    /** Rows whose consent was refused, because it had been withdrawn or was never given. */
    consentKept: integer('consent_kept').notNull().default(0),
    bad: integer('bad').notNull().default(0),
    /** What the imported rows say about consent. */
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

/** Rows of a file that were not imported, with the reason. */
export const importFaults = sqliteTable(
  'import_faults',
  {
    importId: text('import_id').notNull(),
    /** The line on which the row begins; the header is line 1. */
    line: integer('line').notNull(),
    reason: text('reason').notNull(),
    /** The row as written in the file. */
    row: text('row').notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.line] })],
)
