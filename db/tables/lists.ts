// Mailing lists, subscription sources, subscriptions, and the ledger of consent.

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, flag, json, madeBy, nameOrder, updatedAt, workspaceId } from './columns.ts'

export const mailingLists = sqliteTable(
  'mailing_lists',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    description: text('description'),
    /** Whether the preference centre shows it to everybody, not only to subscribers. */
    isPublic: flag('is_public').notNull(),
    /** Whether anybody may read what was sent to all of it. */
    hasPublicArchive: flag('has_public_archive').notNull().default(false),
    optIn: text('opt_in').$type<'single' | 'double'>().notNull(),
    status: text('status').$type<'active' | 'archived'>().notNull(),
    /** Contacts with an active subscription, updated in the transaction that changes one. */
    contactCount: integer('contact_count').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('mailing_lists_list').on(table.workspaceId, table.status, table.id),
    index('mailing_lists_name').on(table.workspaceId, table.status, nameOrder, table.id),
  ],
)

const sourceTypes = ['form', 'api', 'import', 'checkout', 'manual', 'integration'] as const
export type SourceType = (typeof sourceTypes)[number]

export interface SourceGuards {
  /** The name of a field that people do not see and leave empty. */
  honeypot: string | null
  /** Between seeing the form and sending it. */
  leastSeconds: number
  /** Of the browser, as in ALTCHA. */
  proofOfWork: boolean
}

export const subscriptionSources = sqliteTable(
  'subscription_sources',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    type: text('type').$type<SourceType>().notNull(),
    mailingListIds: json<string[]>('mailing_list_ids').notNull(),
    optIn: text('opt_in').$type<'single' | 'double' | 'list'>().notNull(),
    /** What the person agreed to, word for word. */
    consentText: text('consent_text').notNull(),
    /** The version of the text. The ledger keeps every version that somebody agreed to. */
    consentTextVersion: integer('consent_text_version').notNull(),
    confirmationTemplateId: text('confirmation_template_id'),
    redirectUrl: text('redirect_url'),
    /** Where the form without a script leads. */
    formRedirectUrl: text('form_redirect_url'),
    allowedOrigins: json<string[]>('allowed_origins').notNull(),
    /** What keeps programs away from its form; null: nothing. */
    guards: json<SourceGuards>('guards'),
    active: flag('active').notNull(),
    madeBy: madeBy(),
    /** A deleted source is only archived, because consent must stay provable. */
    archivedAt: at('archived_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('subscription_sources_list').on(table.workspaceId, table.id)],
)

export const subscriptionStates = [
  'pending',
  'active',
  'unsubscribed',
  'rejected',
  'expired',
  'bounced',
  'complained',
] as const
export type SubscriptionState = (typeof subscriptionStates)[number]

/** Fields and custom properties of a contact, as a caller gives them. */
export interface SubscriptionDetails {
  userId?: string | null
  firstName?: string | null
  lastName?: string | null
  source?: string | null
  userGroup?: string | null
  locale?: string | null
  timezone?: string | null
  properties: Record<string, string | number | boolean | null>
}

/** One contact on one list. Campaigns mail only `active` ones. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    contactId: text('contact_id').notNull(),
    mailingListId: text('mailing_list_id').notNull(),
    status: text('status').$type<SubscriptionState>().notNull(),
    sourceId: text('source_id'),
    /** Contact fields that came with an opt-in; applied when it is confirmed. */
    details: json<SubscriptionDetails>('details'),
    confirmedAt: at('confirmed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('subscriptions_contact').on(table.contactId, table.mailingListId),
    index('subscriptions_audience').on(table.mailingListId, table.status, table.contactId),
  ],
)

/** A pending double opt-in: the link in the mail. Single use, valid for 7 days, bound to workspace, lists and address. */
export const confirmations = sqliteTable(
  'confirmations',
  {
    tokenHash: text('token_hash').primaryKey(),
    workspaceId: workspaceId(),
    contactId: text('contact_id').notNull(),
    emailHash: text('email_hash').notNull(),
    sourceId: text('source_id'),
    mailingListIds: json<string[]>('mailing_list_ids').notNull(),
    createdAt: createdAt(),
    expiresAt: at('expires_at').notNull(),
    endedAt: at('ended_at'),
    outcome: text('outcome').$type<'confirmed' | 'rejected' | 'replaced'>(),
    /** The mail that carries the link. Null for links that are older than this column. */
    messageId: text('message_id'),
  },
  (table) => [
    index('confirmations_contact').on(table.contactId),
    index('confirmations_workspace').on(table.workspaceId),
    index('confirmations_expiry').on(table.expiresAt).where(sql`ended_at IS NULL`),
  ],
)

/** What a confirmation mail waits for, when its form was filled in too often. */
export const holders = ['address', 'network', 'source'] as const
export type HeldBy = (typeof holders)[number]

/** Confirmation mails of the last days, and those that are held, for the limits per address, network and source. */
export const confirmationMails = sqliteTable(
  'confirmation_mails',
  {
    /** Of the address without what makes no other mailbox of it (`mailboxOf`). */
    mailboxHash: text('email_hash').notNull(),
    /** In the future: it is held until then. */
    sentAt: at('sent_at').notNull(),
    messageId: text('message_id').notNull(),
    workspaceId: workspaceId(),
    sourceId: text('source_id'),
    /** Of whoever filled in the form: `203.0.113.0/24`, `2001:db8:7::/48`. */
    network: text('ip'),
    heldBy: text('held_by').$type<HeldBy>(),
    heldAt: at('held_at'),
  },
  (table) => [
    primaryKey({ columns: [table.mailboxHash, table.sentAt, table.messageId] }),
    index('confirmation_mails_source').on(table.sourceId, table.sentAt),
    index('confirmation_mails_ip').on(table.network, table.sentAt),
    index('confirmation_mails_sent').on(table.sentAt),
    index('confirmation_mails_workspace').on(table.workspaceId, table.sentAt),
    index('confirmation_mails_held').on(table.workspaceId, table.sentAt).where(sql`held_by IS NOT NULL`),
  ],
)

const consentActions = [
  'created',
  'requested',
  'granted',
  'confirmed',
  'rejected',
  'expired',
  'withdrawn',
  'bounced',
  'complained',
] as const
export type ConsentAction = (typeof consentActions)[number]

/** Every change of consent, with its proof (GDPR, Article 7(1)). Rows never change; only erasure removes them. */
export const consentRecords = sqliteTable(
  'consent_records',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    contactId: text('contact_id').notNull(),
    emailHash: text('email_hash').notNull(),
    /** Null: all lists, or all mail of the workspace. */
    mailingListId: text('mailing_list_id'),
    action: text('action').$type<ConsentAction>().notNull(),
    /** Where it came from: `opt_in`, `confirm_page`, `one_click`, `preferences_page`, `api`, `import`, `bounce` … */
    method: text('method').notNull(),
    /** The request that made it: `POST /v1/contacts/create` … */
    route: text('route'),
    /** The API key or user of the request. */
    actorId: text('actor_id'),
    sourceId: text('source_id'),
    consentText: text('consent_text'),
    consentTextVersion: integer('consent_text_version'),
    ip: text('ip'),
    userAgent: text('user_agent'),
    url: text('url'),
    /** When the person did it, according to the caller; createdAt is when we received it. */
    givenAt: at('given_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('consent_records_contact').on(table.contactId, table.id),
    index('consent_records_workspace').on(table.workspaceId),
    // Who withdrew consent is remembered when the contact is deleted and created again.
    index('consent_records_withdrawn')
      .on(table.workspaceId, table.emailHash)
      .where(sql`action = 'withdrawn' AND mailing_list_id IS NULL`),
  ],
)
