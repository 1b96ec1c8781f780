// A filter as SQL over a contact that the query calls `c`. Names come from lists of ours, everything of the user's is bound. Each
// condition is 0 or 1, never NULL, so `not` means what it says.

import { type SQL, sql } from 'drizzle-orm'
import type {
  CampaignCondition,
  EventCondition,
  FieldCondition,
  ListCondition,
  SegmentFilter,
} from '../../../../db/tables/segments.ts'
import { day } from '../../../kit/duration.ts'
import { ownValue } from '../../../kit/own-value.ts'
import { textColumns } from './filter.ts'

/** `now` is what days are counted back from. */
export function segmentSql(filter: SegmentFilter, now: Date): SQL {
  const inside = (one: SegmentFilter) => segmentSql(one, now)
  if ('all' in filter) return sql`(${sql.join(filter.all.map(inside), sql` AND `)})`
  if ('any' in filter) return sql`(${sql.join(filter.any.map(inside), sql` OR `)})`
  if ('not' in filter) return sql`(NOT ${inside(filter.not)})`
  if ('field' in filter) return fieldSql(filter, now)
  if ('list' in filter) return listSql(filter)
  if ('event' in filter) return eventSql(filter, now)
  return campaignSql(filter, now)
}

const comparisons = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

interface LeftOperand {
  value: SQL
  /** 1 where it has a value of the type of `like`. */
  is(like: string | number | boolean | undefined): SQL
}

function fieldSql({ field, op, value }: FieldCondition, now: Date): SQL {
  const left = toLeftOperand(field)
  if (op === 'exists') return value === false ? sql`(${left.value} IS NULL)` : sql`(${left.value} IS NOT NULL)`
  if (op === 'ne') return sql`(NOT ${fieldSql({ field, op: 'eq', value: value ?? '' }, now)})`
  const known = left.is(op === 'withinDays' ? '' : value)
  if (op === 'withinDays') return all(known, sql`${left.value} >= ${toStoredTime(field, daysAgo(now, Number(value)))}`)
  if (op === 'contains') return all(known, sql`instr(lower(${left.value}), lower(${value})) > 0`)
  const right = typeof value === 'boolean' ? Number(value) : field === 'createdAt' ? Date.parse(String(value)) : value
  return all(known, sql`${left.value} ${sql.raw(comparisons[op])} ${right}`)
}

const all = (known: SQL, compared: SQL) => sql`coalesce(${known} AND ${compared}, 0)`

export function toLeftOperand(field: string): LeftOperand {
  const column = ownValue<string>(textColumns, field)
  if (column !== undefined) return { value: sql.raw(column), is: () => sql`1` }
  if (field === 'subscribed') return { value: sql`c.subscribed`, is: () => sql`1` }
  if (field === 'createdAt') return { value: sql`c.created_at`, is: () => sql`1` }
  const path = `$."${field}"`
  const type = sql`json_type(c.properties, ${path})`
  return {
    value: sql`(c.properties ->> ${path})`,
    is(like) {
      if (typeof like === 'number') return sql`${type} IN ('integer', 'real')`
      return typeof like === 'boolean' ? sql`${type} IN ('true', 'false')` : sql`${type} = 'text'`
    },
  }
}

const daysAgo = (now: Date, days: number) => new Date(now.getTime() - days * day)

/** As the field is stored: a property as text. */
const toStoredTime = (field: string, at: Date) => (field === 'createdAt' ? at.getTime() : at.toISOString())

function listSql({ list, status }: ListCondition): SQL {
  return sql`EXISTS (SELECT 1 FROM subscriptions AS member WHERE member.contact_id = c.id
    AND member.mailing_list_id = ${list} AND member.status = ${status})`
}

function since(now: Date, withinDays: number | undefined): number {
  return withinDays === undefined ? 0 : daysAgo(now, withinDays).getTime()
}

/** When the events happened that a condition counts. */
export function eventsOf({ event, withinDays }: EventCondition, now: Date): SQL {
  return sql`SELECT seen.occurred_at AS at FROM events AS seen WHERE seen.contact_id = c.id AND seen.name = ${event}
    AND seen.occurred_at >= ${since(now, withinDays)}`
}

function eventSql(condition: EventCondition, now: Date): SQL {
  return holdsOften(eventsOf(condition, now), condition)
}

const engagedAt = { sent: 'got.updated_at', opened: 'mail.opened_at', clicked: 'mail.clicked_at' } as const

/** When the contact got, opened or clicked in the mails of campaigns that a condition counts. There are few campaigns, and a look-up in each. */
export function engagementsOf({ campaign, campaignId, withinDays }: CampaignCondition, now: Date): SQL {
  const only = campaignId === undefined ? sql`` : sql`AND one.id = ${campaignId}`
  const at = sql.raw(engagedAt[campaign])
  return sql`SELECT ${at} AS at FROM campaigns AS one
    CROSS JOIN campaign_recipients AS got ON got.campaign_id = one.id AND got.contact_id = c.id
    LEFT JOIN tracked_mails AS mail ON mail.message_id = got.message_id
    WHERE one.workspace_id = c.workspace_id ${only} AND got.state = 'sent' AND ${at} >= ${since(now, withinDays)}`
}

function campaignSql(condition: CampaignCondition, now: Date): SQL {
  return holdsOften(engagementsOf(condition, now), condition)
}

function holdsOften(times: SQL, { atLeast = 1 }: { atLeast?: number }): SQL {
  return sql`((SELECT count(*) FROM (${times} LIMIT ${atLeast})) >= ${atLeast})`
}
