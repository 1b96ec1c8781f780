// The notation of a segment: parsed from untrusted JSON, with limits, and every error with its path. Whatever is stored has passed this
// check.

import type { PropertyType } from '../../../../db/tables/contacts.ts'
import { type SubscriptionState, subscriptionStates } from '../../../../db/tables/lists.ts'
import { engagements, type FieldCondition, fieldOperators, type SegmentFilter } from '../../../../db/tables/segments.ts'
import { choiceAt, listAt, objectAt, onlyMembers, textAt, wholeAt } from '../../../kit/checked.ts'
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
      listAt(`${path}.${name}`, condition[name], { least: 1, most: maxConditions }).map((one, n) =>
        inside(`${name}[${n}]`, one),
      )
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
          list: textAt(`${path}.list`, condition['list'], { most: maxTextChars }),
          status: statusAt(`${path}.status`, condition['status']),
        }
      case 'event':
        return {
          event: textAt(`${path}.event`, condition['event'], { most: maxTextChars }),
          ...happened(path, condition),
        }
      case 'campaign':
        return {
          campaign: choiceAt(`${path}.campaign`, condition['campaign'], engagements),
          ...(condition['campaignId'] === undefined
            ? {}
            : { campaignId: textAt(`${path}.campaignId`, condition['campaignId'], { most: maxTextChars }) }),
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

/** The value is of the type that the field has, a date is written as it is stored. */
function readField(path: string, { field, op, value }: Record<string, unknown>, types: Types): FieldCondition {
  const name = textAt(`${path}.field`, field, { most: maxTextChars })
  const operator = choiceAt(`${path}.op`, op, fieldOperators)
  const type = findType(name, types, value)
  if (type === null) throw invalidField(`${path}.field`, `${path}.field is no field or property of a contact`)
  const at = `${path}.value`
  if (operator === 'exists') {
    if (value !== undefined && typeof value !== 'boolean') throw invalidField(at, `${at} must be true or false`)
    return { field: name, op: operator, value: value ?? true }
  }
  if (operator === 'withinDays') {
    if (type !== 'date') throw invalidField(`${path}.op`, `${path}.op withinDays is for dates`)
    return { field: name, op: operator, value: wholeAt(at, value, 1, maxDays) }
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
  if (type === 'string') return textAt(path, value, { least: 0, most: maxTextChars })
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
    ...(withinDays === undefined ? {} : { withinDays: wholeAt(`${path}.withinDays`, withinDays, 1, maxDays) }),
    ...(atLeast === undefined ? {} : { atLeast: wholeAt(`${path}.atLeast`, atLeast, 1, maxTimes) }),
  }
}

function statusAt(path: string, value: unknown): SubscriptionState {
  return value === undefined ? 'active' : choiceAt(path, value, subscriptionStates)
}
