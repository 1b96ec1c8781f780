// How the properties of an event are compared, in rules and in sequences.

import type { FilterOperator } from '../../db/tables/events.ts'
import { inLanguage } from '../words.ts'

export const operators: FilterOperator[] = [
  'equals',
  'notEquals',
  'greaterThan',
  'lessThan',
  'contains',
  'exists',
  'notExists',
]

export function takesValue(operator: FilterOperator): boolean {
  return operator !== 'exists' && operator !== 'notExists'
}

export const operatorWords = inLanguage(catalogue.parts.operatorWords)
