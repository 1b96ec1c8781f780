// The conditions of a mail: a variable, a comparison, a constant. There is no expression to parse, so nothing can be written into one.

import { type Comparison, type Constant, compare } from '../../../kit/comparison.ts'

export interface Condition {
  name: string
  /** Where the value is looked up when the name has none (contact.first_name). */
  key?: string
  operator: Comparison
  value?: Constant
  /** Whether the list of an `each` has anything: no condition of the author's. */
  isOfList?: true
}

/**
 * Whether it is met by a value. What is empty is not there: '' and a list of nothing as well. The constant is read as the kind of thing
 * that it is compared with, so "5" is 5 to a number; what cannot be compared is not met, except for negations.
 */
export function isMet({ operator, value }: Condition, actual: unknown): boolean {
  const isEmpty = actual === '' || (Array.isArray(actual) && actual.length === 0)
  return compare(isEmpty ? undefined : actual, operator, asKindOf(actual, value))
}

function asKindOf(actual: unknown, value: Constant | undefined): Constant | undefined {
  if (value === undefined || typeof actual === typeof value) return value
  if (typeof actual === 'string') return String(value)
  if (typeof actual === 'number' && typeof value === 'string' && value.trim() !== '') return Number(value)
  return typeof actual === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value
}
