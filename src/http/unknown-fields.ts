// Fields of a request that nobody reads: ignored, and said so (docs/choices.md, row 15).

import type { Issue } from '../lib/error.ts'

const maxListed = 20
const maxNameLength = 100

/** A warning for each field of `body` that the schema does not name. */
export function unknownFields(body: Record<string, unknown>, schema: { properties: Record<string, unknown> }): Issue[] {
  return Object.keys(body)
    .filter((name) => !Object.hasOwn(schema.properties, name))
    .slice(0, maxListed)
    .map((name) => name.slice(0, maxNameLength))
    .map((path) => ({ path, code: 'unknown_field', message: `${path} is not a field of this request and was ignored` }))
}
