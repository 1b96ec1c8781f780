// A segment's filter as the editor holds it: groups of conditions in which something may not be said yet. What the API calls `not` is a group
// of which none holds.

import type { PropertyType } from '../../../db/tables/contacts.ts'
import type {
  CampaignCondition,
  EventCondition,
  FieldCondition,
  ListCondition,
  SegmentFilter,
} from '../../../db/tables/segments.ts'

export type Condition = FieldCondition | ListCondition | EventCondition | CampaignCondition
export type Happening = EventCondition | CampaignCondition
type Operator = FieldCondition['op']

export const modes = ['all', 'any', 'none'] as const
export interface Group {
  mode: (typeof modes)[number]
  parts: Part[]
}
export type Part = Group | Condition

/** A new one of each kind. */
export const blank = {
  field: { field: '', op: 'eq' },
  list: { list: '', status: 'active' },
  event: { event: '' },
  campaign: { campaign: 'sent' },
} as const satisfies Record<string, Condition>
export type Kind = keyof typeof blank
export const kinds = Object.keys(blank) as Kind[]

export const isGroup = (part: Part): part is Group => 'parts' in part

export const findKind = (condition: Condition): Kind => kinds.find((kind) => kind in condition) ?? 'field'

/** The outermost is a group, so that another condition can be added. */
export function toGroup(filter: SegmentFilter): Group {
  const part = toPart(filter)
  return isGroup(part) ? part : { mode: 'all', parts: [part] }
}

function toPart(filter: SegmentFilter): Part {
  if ('all' in filter) return { mode: 'all', parts: filter.all.map(toPart) }
  if ('any' in filter) return { mode: 'any', parts: filter.any.map(toPart) }
  if (!('not' in filter)) return filter
  const part = toPart(filter.not)
  return { mode: 'none', parts: isGroup(part) && part.mode === 'any' ? part.parts : [part] }
}

/** As it is written, whether it is whole or not. */
export function toFilter(group: Group): SegmentFilter {
  const filter = writePart(group)
  const [only, ...more] = 'all' in filter ? filter.all : []
  return only && more.length === 0 ? only : filter
}

function writePart(part: Part): SegmentFilter {
  if (!isGroup(part)) return part
  const parts = part.parts.map(writePart)
  const [first, ...more] = parts
  if (part.mode === 'none') return { not: first && more.length === 0 ? first : { any: parts } }
  return part.mode === 'all' ? { all: parts } : { any: parts }
}

/** Whether everything is said that the server needs. */
export function isWhole(part: Part): boolean {
  if (isGroup(part)) return part.parts.length > 0 && part.parts.every(isWhole)
  if ('field' in part) return part.field !== '' && (part.op === 'exists' || part.value !== undefined)
  if ('list' in part) return part.list !== ''
  return 'campaign' in part || part.event.trim() !== ''
}

/** Null for what is not written as a filter. What is said in it is checked by the server. */
export function readFilter(json: string): SegmentFilter | null {
  const value = parseJson(json)
  return isFilter(value) ? value : null
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

function isFilter(value: unknown): value is SegmentFilter {
  if (typeof value !== 'object' || value === null) return false
  const { all, any, not, ...condition } = value as Record<string, unknown>
  const several = all ?? any
  if (several !== undefined) return Array.isArray(several) && several.length > 0 && several.every(isFilter)
  if (not !== undefined) return isFilter(not)
  const kind = kinds.find((one) => typeof condition[one] === 'string')
  return kind !== undefined && (kind !== 'field' || typeof condition['op'] === 'string')
}

export const fields = [
  'email',
  'domain',
  'firstName',
  'lastName',
  'userId',
  'userGroup',
  'source',
  'locale',
  'timezone',
  'subscribed',
  'createdAt',
] as const

export interface Property {
  key: string
  type: PropertyType
}

/** Of a property that nobody has yet, the type of what it is compared with. */
export function findType({ field, value }: FieldCondition, properties: Property[]): PropertyType {
  if (field === 'subscribed') return 'boolean'
  if (field === 'createdAt') return 'date'
  const known = properties.find(({ key }) => key === field)?.type
  if (known) return known
  return typeof value === 'number' || typeof value === 'boolean' ? (typeof value as PropertyType) : 'string'
}

/** `missing` is `exists` with false. */
export type Comparison = Operator | 'missing'

/** In the order in which they are offered; the first is that of a new condition. */
export const comparisons: Record<PropertyType, Comparison[]> = {
  string: ['eq', 'ne', 'contains', 'exists', 'missing'],
  number: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'exists', 'missing'],
  boolean: ['eq', 'ne', 'exists', 'missing'],
  date: ['withinDays', 'lt', 'gte', 'exists', 'missing'],
}

export const toComparison = ({ op, value }: FieldCondition): Comparison =>
  op === 'exists' && value === false ? 'missing' : op

/** With another comparison what was said stays, where it still has a meaning. */
export function withComparison(before: FieldCondition, by: Comparison): FieldCondition {
  const { field, op, value } = before
  if (by === 'exists' || by === 'missing') return { field, op: 'exists', value: by === 'exists' }
  const isOfSameKind = op !== 'exists' && (op === 'withinDays') === (by === 'withinDays')
  return { field, op: by, ...(isOfSameKind && value !== undefined && { value }) }
}

/** Of another field nothing is said yet but what is most likely meant. */
export function newCondition(field: string, properties: Property[]): FieldCondition {
  const type = findType({ field, op: 'eq' }, properties)
  const [op = 'eq'] = comparisons[type]
  if (type === 'boolean') return { field, op: 'eq', value: true }
  return { field, op: op === 'missing' ? 'exists' : op }
}

/** Left out where nothing is said. */
export function withCount<T extends Happening>(before: T, name: 'withinDays' | 'atLeast', n: number | undefined): T {
  const { [name]: _, ...rest } = before
  return (n === undefined ? rest : { ...rest, [name]: n }) as T
}
