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

export const operatorWords = inLanguage({
  en: {
    equals: 'is',
    notEquals: 'is not',
    greaterThan: 'is more than',
    lessThan: 'is less than',
    exists: 'is there',
    notExists: 'is not there',
    contains: 'contains',
  },
  de: {
    equals: 'gleich',
    notEquals: 'nicht gleich',
    greaterThan: 'größer als',
    lessThan: 'kleiner als',
    exists: 'vorhanden',
    notExists: 'nicht vorhanden',
    contains: 'enthält',
  },
})
