// What a value of a schema must be, in words, for the messages of refusals: "must be one of hour, day, month".

import { ownValue } from '../../kit/own-value.ts'

/** The part of a TypeBox schema that we read. */
export interface Schema {
  error?: unknown
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

/** Null for a schema that says nothing of the kind. */
export function mustBe(schema: Schema): string | null {
  const words = wordsFor(schema)
  return words === null ? null : `must be ${words}`
}

function wordsFor(schema: Schema): string | null {
  const { type, anyOf } = schema
  if (anyOf) return variants(anyOf)
  if (schema.enum) return oneOfThese(schema.enum)
  if ('const' in schema) return JSON.stringify(schema.const)
  return type === undefined ? null : (ownValue(wordsByType, type)?.(schema) ?? null)
}

const wordsByType: Record<string, (schema: Schema) => string> = {
  string: aString,
  integer: (schema) => `a whole number${between(schema.minimum, schema.maximum)}`,
  number: (schema) => `a number${between(schema.minimum, schema.maximum)}`,
  boolean: () => 'true or false',
  array: (schema) => `a list${sized(schema.minItems, schema.maxItems, 'entries')}`,
  object: () => 'an object',
  null: () => 'null',
}

function aString({ format, pattern, minLength, maxLength }: Schema): string {
  if (format === 'date-time') return 'a time like 2027-01-15T12:00:00.000Z'
  const length = sized(minLength, maxLength, 'characters')
  return pattern === undefined ? `a string${length}` : `a string${length} that fits ${pattern}`
}

/** Literals as one list, whatever else is allowed after them. */
function variants(schemas: Schema[]): string | null {
  const literals = schemas.flatMap((one) => ('const' in one ? [one.const] : (one.enum ?? [])))
  const others = schemas.filter((one) => !('const' in one) && !one.enum).map(wordsFor)
  if (others.includes(null)) return null
  const all = [...(literals.length > 0 ? [oneOfThese(literals)] : []), ...new Set(others)]
  return all.join(' or ')
}

function oneOfThese(values: unknown[]): string {
  const [first] = values
  if (values.length === 1) return JSON.stringify(first)
  return `one of ${values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(', ')}`
}

function between(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`
  if (least !== undefined) return ` of at least ${least}`
  return most === undefined ? '' : ` of at most ${most}`
}

function sized(least: number | undefined, most: number | undefined, what: string): string {
  const isOptional = least === undefined || least === 0
  if (isOptional) return most === undefined ? '' : ` of at most ${most} ${what}`
  if (most !== undefined) return ` of ${least} to ${most} ${what}`
  return least === 1 ? ' that is not empty' : ` of at least ${least} ${what}`
}
