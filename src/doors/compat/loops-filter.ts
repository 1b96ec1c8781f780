// The audience filter of Loops and the notation of a segment, in both directions. What one of them cannot say is refused, or shown as null.

import { t } from 'elysia'
import type { FieldCondition, SegmentFilter } from '../../../db/tables/segments.ts'
import { invalidField } from '../../kit/error.ts'

const condition = t.Object(
  {
    type: t.String({ maxLength: 20 }),
    key: t.Optional(t.String({ maxLength: 100 })),
    operator: t.Optional(t.String({ maxLength: 20 })),
    value: t.Optional(
      t.Union([t.String({ maxLength: 500 }), t.Number(), t.Object({ from: t.String(), to: t.String() })]),
    ),
    action: t.Optional(t.String({ maxLength: 20 })),
    negate: t.Optional(t.Boolean()),
    target: t.Optional(t.String({ maxLength: 20 })),
    id: t.Optional(t.String({ maxLength: 100 })),
    status: t.Optional(t.Union([t.String({ maxLength: 20 }), t.Null()])),
  },
  { additionalProperties: false },
)
type Condition = typeof condition.static

export const audienceFilter = t.Object({
  match: t.Union([t.Literal('all'), t.Literal('any')]),
  conditions: t.Array(condition, { minItems: 1, maxItems: 50 }),
})
export type AudienceFilter = typeof audienceFilter.static

/** Operators that compare with the given value. */
const comparing = {
  contains: 'contains',
  equals: 'eq',
  notEquals: 'ne',
  greaterThan: 'gt',
  lessThan: 'lt',
  after: 'gt',
  before: 'lt',
} as const satisfies Record<string, FieldCondition['op']>

/** Operators that bring their value. */
const complete = {
  isTrue: { op: 'eq', value: true },
  isFalse: { op: 'eq', value: false },
  empty: { op: 'exists', value: false },
  notEmpty: { op: 'exists', value: true },
  dateEmpty: { op: 'exists', value: false },
  dateNotEmpty: { op: 'exists', value: true },
} as const satisfies Record<string, Omit<FieldCondition, 'field'>>

/** Throws 422 naming the condition that a segment cannot say. */
export function toSegmentFilter({ match, conditions }: AudienceFilter): SegmentFilter {
  const inside = conditions.map((one, index) => fromCondition(one, `filter.conditions[${index}]`))
  return match === 'all' ? { all: inside } : { any: inside }
}

function fromCondition(given: Condition, path: string): SegmentFilter {
  if (given.type === 'property') return fromProperty(given, path)
  if (given.type === 'activity') return fromActivity(given, path)
  throw invalidField(`${path}.type`, `${path}.type ${given.type} is not supported; it may be property or activity`)
}

function fromProperty({ key: field = '', operator = '', value }: Condition, path: string): SegmentFilter {
  if (operator === 'notContains')
    return {
      not: fromProperty(
        { type: 'property', key: field, operator: 'contains', ...(value === undefined ? {} : { value }) },
        path,
      ),
    }
  if (isKey(complete, operator)) return { field, ...complete[operator] }
  if (operator === 'between' && typeof value === 'object')
    return {
      all: [
        { field, op: 'gte', value: value.from },
        { field, op: 'lte', value: value.to },
      ],
    }
  if (isKey(comparing, operator) && (typeof value === 'string' || typeof value === 'number'))
    return { field, op: comparing[operator], value }
  throw invalidField(`${path}.operator`, `${path}.operator ${operator} is not supported with this value`)
}

function fromActivity({ action = '', target = '', id = '', negate = false }: Condition, path: string): SegmentFilter {
  if (target !== 'campaign')
    throw invalidField(`${path}.target`, `${path}.target ${target} is not supported; it may be campaign`)
  if (action !== 'sent' && action !== 'opened' && action !== 'clicked')
    throw invalidField(`${path}.action`, `${path}.action must be sent, opened or clicked`)
  const happened: SegmentFilter = { campaign: action, campaignId: id }
  return negate ? { not: happened } : happened
}

function isKey<T extends object>(table: T, name: string): name is keyof T & string {
  return Object.hasOwn(table, name)
}

/** Null for a filter that their notation cannot say. */
export function toAudienceFilter(filter: SegmentFilter): AudienceFilter | null {
  const [match, inside] =
    'all' in filter
      ? (['all', filter.all] as const)
      : 'any' in filter
        ? (['any', filter.any] as const)
        : (['all', [filter]] as const)
  const conditions = inside.map(toCondition)
  return conditions.includes(null) ? null : { match, conditions: conditions.filter((one) => one !== null) }
}

const operatorOf: Partial<Record<FieldCondition['op'], string>> = {
  contains: 'contains',
  eq: 'equals',
  ne: 'notEquals',
  gt: 'greaterThan',
  lt: 'lessThan',
}

function toCondition(filter: SegmentFilter): Condition | null {
  if ('not' in filter) return negated(toCondition(filter.not))
  if (
    'campaign' in filter &&
    filter.campaignId !== undefined &&
    filter.withinDays === undefined &&
    filter.atLeast === undefined
  )
    return { type: 'activity', action: filter.campaign, negate: false, target: 'campaign', id: filter.campaignId }
  if (!('field' in filter)) return null
  const { field: key, op, value } = filter
  if (op === 'exists') return { type: 'property', key, operator: value === false ? 'empty' : 'notEmpty' }
  if (op === 'eq' && typeof value === 'boolean')
    return { type: 'property', key, operator: value ? 'isTrue' : 'isFalse' }
  const operator = operatorOf[op]
  if (operator === undefined || value === undefined || typeof value === 'boolean') return null
  return { type: 'property', key, operator, value }
}

function negated(inner: Condition | null): Condition | null {
  if (inner?.type === 'activity') return { ...inner, negate: true }
  return inner?.operator === 'contains' ? { ...inner, operator: 'notContains' } : null
}
