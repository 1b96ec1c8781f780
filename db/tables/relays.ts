// Relays: the mail servers that carry mail onward, the routes that say which mail takes which of them, and what receivers say to each. The relay
// of SMTP_URL has no row; where a key needs a name for it, it is ''.

import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at, createdAt, json, updatedAt } from './columns.ts'

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
    /** When its warm-up began; null: it needs none. */
    warmUpSince: at('warm_up_since'),
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
    /** Who takes the mail in the end (src/mail/receiver-groups.ts); null: whoever it is. */
    receivers: json<string[]>('receivers'),
    relays: json<{ relayId: string | null; weight: number }[]>('relays').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('relay_routes_list').on(table.workspaceId, table.position)],
)

/** What replies mean, before the rules that are built in (src/mail/shaping-rules.ts). Of the installation. */
export const receiverRules = sqliteTable('receiver_rules', {
  id: text('id').primaryKey(),
  /** The first that fits a reply holds. */
  position: integer('position').notNull(),
  rule: json<object>('rule').notNull(),
  createdAt: createdAt(),
})

/** How fast a receiver takes mail of a relay, as far as it asked for less (src/mail/shaping.ts). */
export const receiverLimits = sqliteTable(
  'receiver_limits',
  {
    relayId: text('relay_id').notNull(),
    receiver: text('receiver').notNull(),
    perSecond: real('per_second'),
    ceiling: real('ceiling'),
    connections: integer('connections'),
    suspendedUntil: at('suspended_until'),
    step: integer('step').notNull(),
    lastReply: text('last_reply').notNull(),
    changedAt: at('changed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.relayId, table.receiver] })],
)

export const replyOutcomes = ['accepted', 'deferred', 'refused'] as const
export type ReplyOutcome = (typeof replyOutcomes)[number]

export type ReplyStage = 'connect' | 'banner' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dot'

/** What receivers answered, counted by hour. */
export const receiverReplies = sqliteTable(
  'receiver_replies',
  {
    hour: at('hour').notNull(),
    relayId: text('relay_id').notNull(),
    receiver: text('receiver').notNull(),
    outcome: text('outcome').$type<ReplyOutcome>().notNull(),
    /** What replies for one reason have in common; '' for accepted mail. */
    words: text('words').notNull(),
    /** Of the SMTP conversation. */
    stage: text('stage').$type<ReplyStage>().notNull(),
    /** The last one. */
    reply: text('reply').notNull(),
    lastAt: at('last_at').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.relayId, table.receiver, table.outcome, table.words] })],
)
