// Names in a body that its schema does not have. They are ignored with a warning, unless the schema declares that they are refused
// (settings, endpoints, keys, tokens) or custom (properties of a contact). A schema is analysed once per route; a request costs one look-up
// per name.

import type { TSchema } from '@sinclair/typebox'
import type { Issue } from '../../kit/error.ts'
import { nearest } from '../../kit/nearest.ts'

/** A body schema for which an unknown name is 422 `unknown_field`. */
export function refusing<T extends TSchema>(schema: T): T {
  return { ...schema, unknownFields: 'refused' }
}

/** For body schemas: other names are custom properties. */
export const customFields = { unknownFields: 'custom' } as const

const maxListed = 20
const maxNameLength = 100
/** How many known names a warning lists when none is similar. */
const maxTold = 12

/** The names that a schema knows. */
export interface Fields {
  /** For an object; null when it may have any names. */
  names: Set<string> | null
  /** For members that are objects or arrays themselves. */
  inside: Map<string, Fields>
  /** For an array. */
  items: Fields | null
}

/** The names in a schema; null when it does not restrict any. */
export function listFields(schema: TSchema): Fields | null {
  const variants: unknown = schema['anyOf'] ?? schema['allOf']
  if (Array.isArray(variants)) return merged(variants.map(listFields).filter((fields) => fields !== null))
  if (schema['type'] === 'array') {
    const items = schema['items'] === undefined ? null : listFields(schema['items'])
    return items && { names: null, inside: new Map(), items }
  }
  const properties: Record<string, TSchema> = schema['properties'] ?? {}
  const names = Object.keys(properties)
  if (names.length === 0) return null
  const isCustom = schema['unknownFields'] === 'custom'
  const inside = Object.entries(properties).flatMap(([name, property]): [string, Fields][] => {
    const fields = listFields(property)
    return fields === null ? [] : [[name, fields]]
  })
  if (isCustom && inside.length === 0) return null
  return { names: isCustom ? null : new Set(names), inside: new Map(inside), items: null }
}

/** True when the schema of a body refuses unknown names. */
export function refusesUnknown(schema: TSchema): boolean {
  return schema['unknownFields'] === 'refused'
}

/** Each name in `body` that is not among `fields`, with the most similar known one; at most 20. */
export function unknownFields(body: unknown, fields: Fields, ignored: boolean): Issue[] {
  const issues: Issue[] = []
  collect(body, fields, '', (path, name, known) => {
    if (issues.length === maxListed) return
    const shown = path.slice(0, maxNameLength)
    issues.push({
      path: shown,
      code: 'unknown_field',
      message: `${shown} is not a field of this request${ignored ? ' and was ignored' : ''}${hint(name, known)}`,
    })
  })
  return issues
}

type OnUnknownField = (path: string, name: string, known: Set<string>) => void

function collect(value: unknown, { names, inside, items }: Fields, path: string, found: OnUnknownField): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (items === null) return
    for (let index = 0; index < value.length; index++) collect(value[index], items, `${path}[${index}]`, found)
    return
  }
  const members = value as Record<string, unknown>
  for (const name in members) {
    if (names !== null && !names.has(name)) found(below(path, name), name, names)
    else if (inside.size > 0) {
      const fields = inside.get(name)
      if (fields) collect(members[name], fields, below(path, name), found)
    }
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function hint(name: string, known: Set<string>): string {
  const near = nearest(name, known)
  if (near !== null) return `; did you mean ${near}?`
  if (known.size === 0) return '; it has none'
  const told = [...known].slice(0, maxTold)
  return `; it has ${told.join(', ')}${known.size > told.length ? ' …' : ''}`
}

/** For a union: the names of all its variants. */
function merged(variants: Fields[]): Fields | null {
  const [first, ...rest] = variants
  if (!first) return null
  return rest.reduce(
    (all, { names, inside, items }) => ({
      names: all.names && names ? new Set([...all.names, ...names]) : (all.names ?? names),
      inside: new Map([...all.inside, ...inside]),
      items: all.items ?? items,
    }),
    first,
  )
}
