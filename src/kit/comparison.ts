// How a value is compared in a condition of people's making: of an event, or of what a mail shows.

export const comparisons = [
  'equals',
  'notEquals',
  'greaterThan',
  'lessThan',
  'exists',
  'notExists',
  'contains',
] as const
export type Comparison = (typeof comparisons)[number]

export type Constant = string | number | boolean

/** A condition on a value that is missing, or of another type than `expected`, is not met, except for negations. */
export function compare(actual: unknown, operator: Comparison, expected: Constant | undefined): boolean {
  const exists = actual !== undefined && actual !== null
  switch (operator) {
    case 'exists':
      return exists
    case 'notExists':
      return !exists
    case 'equals':
      return actual === expected
    case 'notEquals':
      return actual !== expected
    case 'greaterThan':
      return order(actual, expected) > 0
    case 'lessThan':
      return order(actual, expected) < 0
    case 'contains':
      return contains(actual, expected)
  }
}

/** Numbers by value, texts (and so ISO 8601 times) alphabetically; 0 when they cannot be compared. */
function order(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one !== 'string' || typeof other !== 'string' || one === other) return 0
  return one > other ? 1 : -1
}

function contains(actual: unknown, expected: Constant | undefined): boolean {
  if (Array.isArray(actual)) return actual.includes(expected)
  return typeof actual === 'string' && typeof expected === 'string' && actual.includes(expected)
}
