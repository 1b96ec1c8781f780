// Relays: the mail servers that carry mail onward, and the routes that say which mail takes which of them. The relay of SMTP_URL has no row.

import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt, json, updatedAt } from './columns.ts'

/** Mail that is asked for, mail that people may unsubscribe from, and answers of mailboxes. */
export const mailStreams = ['transactional', 'marketing', 'replies'] as const
export type MailStream = (typeof mailStreams)[number]

/** Draining: it takes no new mail, and what is on its way goes on. */
export const relayStates = ['active', 'draining', 'off'] as const
export type RelayState = (typeof relayStates)[number]

export const relays = sqliteTable(
  'relays',
  {
    id: text('id').primaryKey(),
    /** Whose mail alone it carries; null: that of every workspace that has none of its own. */
    workspaceId: text('workspace_id'),
    name: text('name').notNull(),
    urlSealed: text('url_sealed').notNull(),
    /** The URL without user, password and options, to be shown. */
    address: text('address').notNull(),
    state: text('state').$type<RelayState>().notNull(),
    /** Its part of what several share; 0: it carries what those cannot. */
    weight: integer('weight').notNull(),
    mostPerSecond: integer('most_per_second'),
    mostPerDay: integer('most_per_day'),
    /** Null: all of them. */
    streams: json<MailStream[]>('streams'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('relays_list').on(table.workspaceId, table.id)],
)

export const relayRoutes = sqliteTable(
  'relay_routes',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id'),
    /** The first that fits a mail holds. */
    position: integer('position').notNull(),
    streams: json<MailStream[]>('streams'),
    /** Domains of senders; null: all. */
    domains: json<string[]>('domains'),
    relays: json<{ relayId: string | null; weight: number }[]>('relays').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('relay_routes_list').on(table.workspaceId, table.position)],
)
