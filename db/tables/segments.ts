// Saved searches over contacts, and who is in each. That is kept as contacts change: triggers (0047) write down of whom something changed
// that a segment asks about, in the transaction of the change, and a job looks at those again (src/features/contacts/segments/keep.ts).
// All tables but `segments` have no ROWID.

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at, createdAt, json, nameOrder, updatedAt, workspaceId } from './columns.ts'
import type { SubscriptionState } from './lists.ts'

export const fieldOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'exists', 'withinDays'] as const
export const engagements = ['sent', 'opened', 'clicked'] as const

/** Which contacts are meant; checked by src/features/contacts/segments/filter.ts before it is stored. */
export type SegmentFilter =
  | { all: SegmentFilter[] }
  | { any: SegmentFilter[] }
  | { not: SegmentFilter }
  | FieldCondition
  | ListCondition
  | EventCondition
  | CampaignCondition

export interface FieldCondition {
  /** A field or custom property; `domain` is that of the address. */
  field: string
  op: (typeof fieldOperators)[number]
  /** Dates as ISO 8601 UTC. None for `exists` is true. */
  value?: string | number | boolean
}

export interface ListCondition {
  list: string
  status: SubscriptionState
}

interface Happened {
  /** Default: ever. */
  withinDays?: number
  /** Default 1. */
  atLeast?: number
}

export interface EventCondition extends Happened {
  event: string
}

export interface CampaignCondition extends Happened {
  campaign: (typeof engagements)[number]
  /** Default: any. */
  campaignId?: string
}

/** How far the contacts of the workspace were looked at. */
export interface Building {
  /** The last of them; they are looked at in the order of their ids. */
  after: string
  /** So many. */
  done: number
  /** As many as there were when it began. */
  of: number
}

/** Before the first of them. */
export const unbuilt: Building = { after: '', done: 0, of: 0 }

export const segments = sqliteTable(
  'segments',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    filter: json<SegmentFilter>('filter').notNull(),
    /** How many rows of segment_members it has; changed in the transaction that changes them. */
    members: integer('members').notNull().default(0),
    /** Null: it is known who is in it. Else that is being looked up, for a new segment or a new filter. */
    building: json<Building>('building').default(unbuilt),
    /** When that was known for the first time; null: not yet. */
    builtAt: at('built_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('segments_list').on(table.workspaceId, table.id),
    index('segments_name').on(table.workspaceId, nameOrder, table.id),
    index('segments_building').on(table.workspaceId, table.id).where(sql`building IS NOT NULL`),
  ],
)

/** Who is in a segment. */
export const segmentMembers = sqliteTable(
  'segment_members',
  { segmentId: text('segment_id').notNull(), contactId: text('contact_id').notNull(), since: at('since').notNull() },
  (table) => [primaryKey({ columns: [table.segmentId, table.contactId] })],
)

/** When time alone may next make a contact join or leave a segment; no row: never. */
export const segmentMoments = sqliteTable(
  'segment_moments',
  {
    segmentId: text('segment_id').notNull(),
    contactId: text('contact_id').notNull(),
    workspaceId: workspaceId(),
    at: at('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.segmentId, table.contactId] }),
    index('segment_moments_next').on(table.workspaceId, table.at),
  ],
)

/**
 * What segments ask about: `field plan`, `list lst_…`, `event login`, `campaign cmp_…`, `campaign` for any. Triggers derive it from the
 * filters, and look here before they mark anybody.
 */
export const segmentTopics = sqliteTable(
  'segment_topics',
  { workspaceId: workspaceId(), topic: text('topic').notNull(), segmentId: text('segment_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.topic, table.segmentId] }),
    index('segment_topics_segment').on(table.segmentId),
  ],
)

/** Of whom something changed, until the segments that ask about it have looked. */
export const segmentMarks = sqliteTable(
  'segment_marks',
  {
    workspaceId: workspaceId(),
    contactId: text('contact_id').notNull(),
    /** As in segment_topics; empty for a new contact, about whom everything is new. */
    topic: text('topic').notNull(),
    at: at('at').notNull(),
    /** It was set aside: why the contact could not be looked at. */
    failure: text('failure'),
    /** When one that was set aside is tried again. */
    againAt: at('again_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.contactId, table.topic] }),
    index('segment_marks_again').on(table.workspaceId, table.againAt).where(sql`failure IS NOT NULL`),
  ],
)

/** Segments that are deleted, until their members are. */
export const deletedSegments = sqliteTable(
  'deleted_segments',
  { workspaceId: workspaceId(), segmentId: text('segment_id').notNull() },
  (table) => [primaryKey({ columns: [table.workspaceId, table.segmentId] })],
)
