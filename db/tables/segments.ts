// Saved searches over contacts.

import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt, json, updatedAt, workspaceId } from './columns.ts'
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

export const segments = sqliteTable(
  'segments',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    filter: json<SegmentFilter>('filter').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('segments_list').on(table.workspaceId, table.id)],
)
