// When time alone may change whether a filter holds for a contact, as SQL over a contact that the query calls `c`. A clause that counts
// days back stops holding once, when what it has counted is too old; so what a filter says may change at the earliest of these moments.

import { type SQL, sql } from 'drizzle-orm'
import type {
  CampaignCondition,
  EventCondition,
  FieldCondition,
  SegmentFilter,
} from '../../../../db/tables/segments.ts'
import { day } from '../../../kit/duration.ts'
import { engagementsOf, eventsOf, toLeftOperand } from './compile.ts'

/** The earliest such moment after `now`, in milliseconds, or NULL; null for a filter that counts no days. */
export function nextMoment(filter: SegmentFilter, now: Date): SQL | null {
  const ends = timedConditions(filter).map((one) => lastCounted(one, now))
  if (ends.length === 0) return null
  // min() of several is NULL where one of them is, and of a single one it would be the aggregate.
  const known = ends.map((end) => sql`coalesce(${end}, ${never})`)
  return sql`nullif(min(${sql.join([...known, never], sql`, `)}), ${never})`
}

const never = sql.raw(String(Number.MAX_SAFE_INTEGER))

type TimedCondition = FieldCondition | EventCondition | CampaignCondition

function timedConditions(filter: SegmentFilter): TimedCondition[] {
  if ('all' in filter) return filter.all.flatMap(timedConditions)
  if ('any' in filter) return filter.any.flatMap(timedConditions)
  if ('not' in filter) return timedConditions(filter.not)
  if ('list' in filter) return []
  if ('field' in filter) return filter.op === 'withinDays' ? [filter] : []
  return filter.withinDays === undefined ? [] : [filter]
}

/** The first millisecond in which it holds no more; NULL where it does not hold now, for then time does not make it hold. */
function lastCounted(condition: TimedCondition, now: Date): SQL {
  const days = Number('field' in condition ? condition.value : condition.withinDays)
  return sql`(SELECT at + ${days * day + 1} FROM (SELECT ${occurrence(condition, now)} AS at) WHERE at >= ${now.getTime() - days * day})`
}

/** When that happened without which it would not hold, in milliseconds. */
function occurrence(condition: TimedCondition, now: Date): SQL {
  if ('field' in condition) return dateOf(condition.field)
  const { atLeast = 1 } = condition
  const times = 'event' in condition ? eventsOf(condition, now) : engagementsOf(condition, now)
  return sql`(SELECT at FROM (${times}) ORDER BY at DESC LIMIT 1 OFFSET ${atLeast - 1})`
}

/** A date as a property is text, `2027-01-15T12:00:00.000Z`; a text of another form holds always or never. */
function dateOf(field: string): SQL {
  const { value, is } = toLeftOperand(field)
  if (field === 'createdAt') return value
  return sql`CASE WHEN ${is('')} THEN CAST(round((julianday(${value}) - 2440587.5) * 86400000) AS INTEGER) END`
}
