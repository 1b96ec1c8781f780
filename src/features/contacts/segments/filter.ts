// The notation of a segment: parsed from untrusted JSON, with limits, and every error with its path. Whatever is stored has passed this
// check.

import type { PropertyType } from '../../../../db/tables/contacts.ts'
import { type SubscriptionState, subscriptionStates } from '../../../../db/tables/lists.ts'
import { engagements, type FieldCondition, fieldOperators, type SegmentFilter } from '../../../../db/tables/segments.ts'
import { invalidField } from '../../../kit/error.ts'
import { parseTime } from '../../../kit/time.ts'
import { isPropertyName } from '../fields.ts'

export const maxDepth = 5
export const maxConditions = 50
const maxTextChars = 500
const maxDays = 3_650
const maxTimes = 1_000

/** Text of ours, by its column. */
export const textColumns = {
  email: 'c.email',
  userId: 'c.user_id',
  firstName: 'c.first_name',
  lastName: 'c.last_name',
  source: 'c.source',
  userGroup: 'c.user_group',
  locale: 'c.locale',
  timezone: 'c.timezone',
  domain: "substr(c.email_key, instr(c.email_key, '@') + 1)",
} as const

type Types = ReadonlyMap<string, PropertyType>

interface FilterPosition {
  path: string
  depth: number
}

/** Throws 422 naming the place and the limit. `types` are those of the workspace's custom properties. */
export function readFilter(given: unknown, types: Types, path = 'filter'): SegmentFilter {
  let conditions = 0
  const read = (value: unknown, { path, depth }: FilterPosition): SegmentFilter => {
    if (depth > maxDepth) throw invalidField(path, `${path} is deeper than ${maxDepth} levels`, 'too_deep')
    if (++conditions > maxConditions)
      throw invalidField(path, `${path} is one of more than ${maxConditions} conditions`, 'too_many')
    const condition = objectAt(path, value)
    const kind = kinds.find((name) => Object.hasOwn(condition, name))
    if (!kind) throw invalidField(path, `${path} must have one of ${kinds.join(', ')}`)
    onlyMembers(path, condition, [kind, ...members[kind]])
    const inside = (name: string, one: unknown) => read(one, { path: `${path}.${name}`, depth: depth + 1 })
    const several = (name: 'all' | 'any') =>
      listAt(`${path}.${name}`, condition[name]).map((one, n) => inside(`${name}[${n}]`, one))
    switch (kind) {
      case 'all':
        return { all: several('all') }
      case 'any':
        return { any: several('any') }
      case 'not':
        return { not: inside('not', condition['not']) }
      case 'field':
        return readField(path, condition, types)
      case 'list':
        return {
          list: textAt(`${path}.list`, condition['list']),
          status: statusAt(`${path}.status`, condition['status']),
        }
      case 'event':
        return { event: textAt(`${path}.event`, condition['event']), ...happened(path, condition) }
      case 'campaign':
        return {
          campaign: readChoice(`${path}.campaign`, condition['campaign'], engagements),
          ...(condition['campaignId'] === undefined
            ? {}
            : { campaignId: textAt(`${path}.campaignId`, condition['campaignId']) }),
          ...happened(path, condition),
        }
    }
  }
  return read(given, { path, depth: 1 })
}

const kinds = ['all', 'any', 'not', 'field', 'list', 'event', 'campaign'] as const
const members: Record<(typeof kinds)[number], string[]> = {
  all: [],
  any: [],
  not: [],
  field: ['op', 'value'],
  list: ['status'],
  event: ['withinDays', 'atLeast'],
  campaign: ['campaignId', 'withinDays', 'atLeast'],
}

function onlyMembers(path: string, condition: Record<string, unknown>, allowed: string[]): void {
  const unknown = Object.keys(condition).find((name) => !allowed.includes(name))
  if (unknown !== undefined) {
    const at = `${path}.${unknown.slice(0, 50)}`
    throw invalidField(at, `${at} does not belong there`, 'unknown_field')
  }
}

/** The value is of the type that the field has, a date is written as it is stored. */
function readField(path: string, { field, op, value }: Record<string, unknown>, types: Types): FieldCondition {
  const name = textAt(`${path}.field`, field)
  const operator = readChoice(`${path}.op`, op, fieldOperators)
  const type = findType(name, types, value)
  if (type === null) throw invalidField(`${path}.field`, `${path}.field is no field or property of a contact`)
  const at = `${path}.value`
  if (operator === 'exists') {
    if (value !== undefined && typeof value !== 'boolean') throw invalidField(at, `${at} must be true or false`)
    return { field: name, op: operator, value: value ?? true }
  }
  if (operator === 'withinDays') {
    if (type !== 'date') throw invalidField(`${path}.op`, `${path}.op withinDays is for dates`)
    return { field: name, op: operator, value: numberAt(at, value, maxDays) }
  }
  const allowed = type === 'boolean' ? ['eq', 'ne'] : operator !== 'contains' || type === 'string'
  if (allowed === false || (Array.isArray(allowed) && !allowed.includes(operator)))
    throw invalidField(`${path}.op`, `${path}.op ${operator} is not for a ${type}`)
  return { field: name, op: operator, value: typedAt(at, value, type) }
}

/** Null for what is no field; of a property that nobody has yet, the type of the value. */
function findType(name: string, types: Types, value: unknown): PropertyType | null {
  if (Object.hasOwn(textColumns, name)) return 'string'
  if (name === 'subscribed') return 'boolean'
  if (name === 'createdAt') return 'date'
  if (!isPropertyName(name)) return null
  return (
    types.get(name) ??
    (typeof value === 'number' || typeof value === 'boolean' ? (typeof value as PropertyType) : 'string')
  )
}

function typedAt(path: string, value: unknown, type: PropertyType): string | number | boolean {
  if (type === 'string') return textAt(path, value, 0)
  if (type === 'date') {
    const at = typeof value === 'string' ? parseTime(value.length === 10 ? `${value}T00:00:00Z` : value) : null
    if (!at) throw invalidField(path, `${path} must be a day or a time: 2027-01-15 or 2027-01-15T12:00:00Z`)
    return at.toISOString()
  }
  if (typeof value === type && (typeof value === 'boolean' || Number.isFinite(value))) return value as number | boolean
  throw invalidField(path, `${path} must be a ${type}`, 'wrong_type')
}

function happened(path: string, { withinDays, atLeast }: Record<string, unknown>) {
  return {
    ...(withinDays === undefined ? {} : { withinDays: numberAt(`${path}.withinDays`, withinDays, maxDays) }),
    ...(atLeast === undefined ? {} : { atLeast: numberAt(`${path}.atLeast`, atLeast, maxTimes) }),
  }
}

function objectAt(path: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw invalidField(path, `${path} must be an object`)
}

function listAt(path: string, value: unknown): unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= maxConditions) return value
  throw invalidField(path, `${path} must be a list of 1 to ${maxConditions} conditions`)
}

function textAt(path: string, value: unknown, least = 1): string {
  if (typeof value === 'string' && value.length >= least && value.length <= maxTextChars && !value.includes('\0'))
    return value
  throw invalidField(path, `${path} must be a text of ${least} to ${maxTextChars} characters`)
}

function numberAt(path: string, value: unknown, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value
  throw invalidField(path, `${path} must be a whole number from 1 to ${most}`)
}

function readChoice<T extends string>(path: string, value: unknown, values: readonly T[]): T {
  const found = values.find((one) => one === value)
  if (found !== undefined) return found
  throw invalidField(path, `${path} must be one of ${values.join(', ')}`)
}

function statusAt(path: string, value: unknown): SubscriptionState {
  return value === undefined ? 'active' : readChoice(path, value, subscriptionStates)
}
