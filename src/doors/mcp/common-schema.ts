// Converts JSON Schema to the subset that every MCP client understands. Some refuse a whole server for an array without items, an anyOf of
// constants, a null in an argument, or an unknown format. Tools are validated against their own schema and described with this one.

export type JsonSchema = { [keyword: string]: unknown }

const plainKeywords = [
  'type',
  'title',
  'description',
  'enum',
  'required',
  'additionalProperties',
  'items',
  'properties',
  'anyOf',
]
const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']

/** The schema of arguments: without null, because optional arguments are left out. */
export function inputSchemaOf(schema: JsonSchema): JsonSchema {
  return common(schema, { hasNull: false })
}

/** The schema of results. */
export function outputSchemaOf(schema: JsonSchema): JsonSchema {
  return common(schema, { hasNull: true })
}

interface Direction {
  hasNull: boolean
}

function common(schema: JsonSchema, direction: Direction): JsonSchema {
  const { anyOf } = schema
  if (Array.isArray(anyOf)) return oneOfMany(schema, anyOf, direction)
  const shown = Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => plainKeywords.includes(keyword) || bounds.includes(keyword))
      .map(([keyword, value]) => [keyword, part(keyword, value, direction)]),
  )
  if (typeof schema.const === 'string') shown['enum'] = [schema.const]
  if (schema['type'] === 'array' && !isSchema(shown['items'])) shown['items'] = {}
  const [named] = isSchema(schema['patternProperties']) ? Object.values(schema['patternProperties']) : []
  if (isSchema(named)) shown['additionalProperties'] = common(named, direction)
  return shown
}

function part(keyword: string, value: unknown, direction: Direction): unknown {
  if (keyword === 'properties' && isSchema(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, isSchema(one) ? common(one, direction) : one]),
    )
  }
  return (keyword === 'items' || keyword === 'additionalProperties') && isSchema(value)
    ? common(value, direction)
    : value
}

/** Constants become one enum; a choice with only one variant left after removing null is replaced by it. */
function oneOfMany(schema: JsonSchema, options: JsonSchema[], direction: Direction): JsonSchema {
  const { anyOf: _, ...about } = schema
  const constants = options.flatMap((option) => (typeof option.const === 'string' ? [option.const] : []))
  const others = options.filter((option) => !('const' in option) && option['type'] !== 'null')
  const choices = [
    ...(constants.length > 0 ? [{ type: 'string', enum: constants }] : []),
    ...others.map((option) => common(option, direction)),
    ...(direction.hasNull && options.some((option) => option['type'] === 'null') ? [{ type: 'null' }] : []),
  ]
  const [only = {}] = choices
  const described = common(about, direction)
  return choices.length > 1 ? { ...described, anyOf: choices } : { ...only, ...described }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
