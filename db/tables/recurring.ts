// Recurring campaigns: what each says and when, what became of each of its times, and which items of its feed were there before.

import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AudienceCondition } from './campaigns.ts'
import { at, createdAt, json, updatedAt, workspaceId } from './columns.ts'

export const recurringStates = ['active', 'paused'] as const
export type RecurringState = (typeof recurringStates)[number]

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

/** A day that a month does not have is its last one. `inRecipientZone`: each recipient gets it at that time of day where they are. */
export type RecurringSchedule = { at: string; inRecipientZone?: true } & (
  | { every: 'day' }
  | { every: 'week'; weekdays: Weekday[] }
  | { every: 'month'; dayOfMonth: number }
)

/** The fields of a campaign that is made each time; its content and its texts may hold `{{feed.…}}`. */
export interface RecurringDraft {
  mailingListId: string
  subject: string
  previewText?: string
  fromName?: string | null
  fromEmail?: string | null
  replyTo?: string | null
  templateId?: string | null
  locale?: string
  audienceFilter?: AudienceCondition[] | null
  segmentId?: string | null
  ignoreGuardrail?: boolean
  content?: unknown
}

export interface RecurringFeed {
  url: string
  /** How many of its items one mail shows. */
  maxItems: number
}

export const recurringCampaigns = sqliteTable(
  'recurring_campaigns',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    state: text('state').$type<RecurringState>().notNull(),
    draft: json<RecurringDraft>('draft').notNull(),
    schedule: json<RecurringSchedule>('schedule').notNull(),
    timeZone: text('time_zone').notNull(),
    feed: json<RecurringFeed>('feed'),
    /** The time that it waits for; null while it is paused. */
    nextAt: at('next_at'),
    /** How many of its times in a row failed, and since when. */
    failures: integer('failures').notNull().default(0),
    failingSince: at('failing_since'),
    /** Another after every change: what was prepared for an earlier one is not carried out. */
    revision: integer('revision').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('recurring_campaigns_list').on(table.workspaceId, table.id)],
)

export const runOutcomes = ['made', 'nothing_new', 'missed', 'failed'] as const
export type RunOutcome = (typeof runOutcomes)[number]

/** What became of one of its times: at most one row for each, and with it at most one campaign. */
export const recurringRuns = sqliteTable(
  'recurring_runs',
  {
    recurringCampaignId: text('recurring_campaign_id').notNull(),
    at: at('at').notNull(),
    outcome: text('outcome').$type<RunOutcome>().notNull(),
    /** Why there is no campaign; null where there is one. */
    code: text('code'),
    reason: text('reason'),
    campaignId: text('campaign_id'),
    /** How many items of the feed are in its mail. */
    items: integer('items').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.recurringCampaignId, table.at] })],
)

/** The feed as it was when a campaign was last made of it. */
export const recurringFeeds = sqliteTable('recurring_feeds', {
  recurringCampaignId: text('recurring_campaign_id').primaryKey(),
  url: text('url').notNull(),
  etag: text('etag'),
  lastModified: text('last_modified'),
  /** Digests of the items that were in it, newest first; a bounded number. */
  seen: json<string[]>('seen').notNull(),
})
