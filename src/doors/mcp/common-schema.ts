// Converts JSON Schema to the subset that every MCP client understands. Some refuse a whole server for an array without items, an anyOf of
// constants, a null in an argument, or an unknown format. Tools are validated against their own schema and described with this one.

import { notations } from './notations.ts'

export type JsonSchema = { [keyword: string]: unknown }

const plainKeywords = ['type', 'required', 'additionalProperties', 'items', 'properties', 'anyOf']
const words = ['title', 'description', 'enum']
const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']

/** The schema of arguments: without null, because optional arguments are left out. */
export function inputSchemaOf(schema: JsonSchema): JsonSchema {
  return common(schema, { isResult: false, depth: 0 })
}

/**
 * The schema of results: their members. What is inside of these is not described: models read results, not their schema, and would be told all
 * of it before the first call.
 */
export function outputSchemaOf(schema: JsonSchema): JsonSchema {
  return common(schema, { isResult: true, depth: 0 })
}

interface SchemaPlace {
  isResult: boolean
  /** In how many objects. */
  depth: number
}

function common(given: JsonSchema, place: SchemaPlace): JsonSchema {
  const schema = notationOf(given, place)
  const { anyOf } = schema
  if (Array.isArray(anyOf)) return oneOfMany(schema, anyOf, place)
  if (place.isResult && place.depth > 0 && schema['type'] === 'object') return { type: 'object' }
  const keywords = place.isResult ? plainKeywords : [...plainKeywords, ...words, ...bounds]
  const shown = Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => keywords.includes(keyword))
      .map(([keyword, value]) => [keyword, part(keyword, value, place)]),
  )
  if (typeof schema.const === 'string' && !place.isResult) shown['enum'] = [schema.const]
  if (schema['type'] === 'array' && !isSchema(shown['items'])) shown['items'] = {}
  const [named] = isSchema(schema['patternProperties']) ? Object.values(schema['patternProperties']) : []
  if (isSchema(named)) shown['additionalProperties'] = common(named, inside(place))
  return shown
}

/** What has a notation of its own is described by it; in a result it is whatever it is. */
function notationOf(schema: JsonSchema, { isResult }: SchemaPlace): JsonSchema {
  const notation = typeof schema['component'] === 'string' ? notations[schema['component']] : undefined
  return notation === undefined || isResult ? schema : notation
}

const inside = ({ isResult, depth }: SchemaPlace): SchemaPlace => ({ isResult, depth: depth + 1 })

function part(keyword: string, value: unknown, place: SchemaPlace): unknown {
  if (keyword === 'properties' && isSchema(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, isSchema(one) ? common(one, inside(place)) : one]),
    )
  }
  return (keyword === 'items' || keyword === 'additionalProperties') && isSchema(value) ? common(value, place) : value
}

/** Constants become one enum; a choice with only one variant left after removing null is replaced by it. */
function oneOfMany(schema: JsonSchema, options: JsonSchema[], place: SchemaPlace): JsonSchema {
  const { anyOf: _, ...about } = schema
  const constants = options.flatMap((option) => (typeof option.const === 'string' ? [option.const] : []))
  const others = options.filter(
    (option) => !('const' in option) && option['type'] !== 'null' && !(isWritten(option) && options.length > 1),
  )
  const choices = [
    ...(constants.length > 0 ? [{ type: 'string', ...(place.isResult ? {} : { enum: constants }) }] : []),
    ...others.map((option) => common(option, place)),
    ...(place.isResult && options.some((option) => option['type'] === 'null') ? [{ type: 'null' }] : []),
  ]
  const [only = {}] = choices
  if (choices.length === 1) return { ...only, ...common(about, place) }
  const { title, description } = schema
  const said = place.isResult ? {} : { ...(title ? { title } : {}), ...(description ? { description } : {}) }
  return { ...said, anyOf: choices }
}

/** A number, or true or false, as a text: only a query needs it. */
function isWritten({ type, format }: JsonSchema): boolean {
  return type === 'string' && (format === 'numeric' || format === 'boolean')
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
