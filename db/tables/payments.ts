// Payment integrations: settings, the archive of received events, and which customer is which contact.

import { sql } from 'drizzle-orm'
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { createdAt, flag, madeBy, updatedAt, workspaceId } from './columns.ts'

export const paymentIntegrations = sqliteTable(
  'payment_integrations',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    enabled: flag('enabled').notNull(),
    /** AES-GCM sealed with SECRET_KEY. */
    signingSecretSealed: text('signing_secret_sealed'),
    /** Who stored the secret, and so knows it. */
    secretMadeBy: madeBy('secret_made_by'),
    /** Whether an event about an unknown address creates a contact. */
    createContacts: flag('create_contacts').notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('payment_integrations_workspace').on(table.workspaceId)],
)

/** Every event received, stored once per integration and provider event id. */
export const paymentEvents = sqliteTable(
  'payment_events',
  {
    integrationId: text('integration_id').notNull(),
    providerEventId: text('provider_event_id').notNull(),
    workspaceId: workspaceId(),
    type: text('type').notNull(),
    status: text('status').$type<'processed' | 'ignored'>().notNull(),
    /** Why it was ignored: `unsupported_type`, `no_contact` … */
    reason: text('reason'),
    /** The contact event it became. */
    eventId: text('event_id'),
    contactId: text('contact_id'),
    /** The body, byte for byte as signed. */
    body: text('body').notNull(),
    /** The provider sent the same id with another body; the first body was kept. */
    conflict: flag('conflict').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.providerEventId] }),
    index('payment_events_contact').on(table.contactId).where(sql`contact_id IS NOT NULL`),
    index('payment_events_list').on(table.workspaceId, table.createdAt, table.providerEventId),
    index('payment_events_ignored')
      .on(table.workspaceId, table.createdAt, table.providerEventId)
      .where(sql`status = 'ignored'`),
  ],
)

/** Which contact a customer (or charge, or payment) of the provider is, learnt from events that name both. */
export const paymentCustomers = sqliteTable(
  'payment_customers',
  {
    workspaceId: workspaceId(),
    /** `cus_…`, `ch_…` or `pi_…`. */
    providerId: text('provider_id').notNull(),
    contactId: text('contact_id').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.providerId] }),
    index('payment_customers_contact').on(table.contactId),
  ],
)
