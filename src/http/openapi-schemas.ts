// The schemas of the routes as the OpenAPI document shows them: what a body says of further names, and the `warnings` that every
// write answers with. The routes' own schemas are never changed here: they belong to the running server.

import type { OpenAPIV3 } from 'openapi-types'

export type Schema = Record<string, unknown>

const issues = {
  type: 'array',
  description: 'Doubtful, but not refused.',
  items: { $ref: '#/components/schemas/Issue' },
}

/** A body as its senders need it: `additionalProperties` says whether a name that is not listed is refused. */
export function bodySchema(schema: Schema): Schema {
  const isRefusing = schema['unknownFields'] === 'refused'
  const isCustom = schema['unknownFields'] === 'custom'
  const plain = open(schema) as Schema
  if (isCustom) return { ...plain, additionalProperties: {} }
  return isRefusing ? { ...plain, additionalProperties: false } : plain
}

/** The answer of a write: with `warnings`, which http/body-check.ts adds. */
export function writtenSchema(schema: Schema): Schema {
  const {
    properties = {},
    required = [],
    ...rest
  } = open(schema) as Schema & { properties?: Schema; required?: string[] }
  if (rest['type'] !== 'object') return open(schema) as Schema
  return {
    ...rest,
    properties: { ...properties, warnings: issues },
    required: [...new Set([...required, 'warnings'])],
  }
}

/** An answer: it may have more members one day. */
export function answerSchema(schema: Schema): Schema {
  return open(schema) as Schema
}

/**
 * A copy without what only the router reads. It sets `additionalProperties: false` in schemas of its own accord, and an empty one
 * stands for "any" in a map only.
 */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open)
  if (typeof value !== 'object' || value === null) return value
  const schema = value as Schema
  const isMap =
    schema['type'] === 'object' && Object.keys((schema['properties'] as Schema | undefined) ?? {}).length === 0
  const kept = Object.entries(schema).filter(([name, member]) => {
    if (name === 'unknownFields') return false
    return name !== 'additionalProperties' || (isMap && member !== false)
  })
  return Object.fromEntries(kept.map(([name, member]) => [name, open(member)]))
}

/** Puts what `shown` makes of each schema in place of it. */
export function showSchemas(content: OpenAPIV3.MediaTypeObject | undefined, shown: (schema: Schema) => Schema): void {
  if (content?.schema) content.schema = shown(content.schema as Schema) as OpenAPIV3.SchemaObject
}
