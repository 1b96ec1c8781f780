// Names of a body that its schema does not have. Ignored with a warning, unless the schema says that
// they are refused (settings, endpoints, keys, tokens) or custom (properties of a contact). What the schema names is worked out
// once per route; a request costs one look-up per name.

import type { TSchema } from '@sinclair/typebox'
import type { Issue } from '../lib/error.ts'
import { nearest } from '../lib/nearest.ts'

/** The schema of a body of which a name that is not known is 422 `unknown_field`. */
export function refusing<T extends TSchema>(schema: T): T {
  return { ...schema, unknownFields: 'refused' }
}

/** For the options of a body: other names are properties of the caller's own. */
export const customFields = { unknownFields: 'custom' } as const

const maxListed = 20
const maxNameLength = 100
/** So many known names are told where none is near. */
const maxTold = 12

/** What the schema of a value says of names. */
export interface Fields {
  /** Of an object; null when it may have any. */
  names: Set<string> | null
  /** What stands in a member that is an object or an array itself. */
  inside: Map<string, Fields>
  /** Of an array. */
  items: Fields | null
}

/** The names in a schema; null when it has no say in any. */
export function fieldsOf(schema: TSchema): Fields | null {
  const variants: unknown = schema['anyOf'] ?? schema['allOf']
  if (Array.isArray(variants)) return merged(variants.map(fieldsOf).filter((fields) => fields !== null))
  if (schema['type'] === 'array') {
    const items = schema['items'] === undefined ? null : fieldsOf(schema['items'])
    return items && { names: null, inside: new Map(), items }
  }
  const properties: Record<string, TSchema> = schema['properties'] ?? {}
  const names = Object.keys(properties)
  if (names.length === 0) return null
  const isCustom = schema['unknownFields'] === 'custom'
  const inside = Object.entries(properties).flatMap(([name, property]): [string, Fields][] => {
    const fields = fieldsOf(property)
    return fields === null ? [] : [[name, fields]]
  })
  if (isCustom && inside.length === 0) return null
  return { names: isCustom ? null : new Set(names), inside: new Map(inside), items: null }
}

/** True when the schema of a body has names that are not known refused. */
export function refusesUnknown(schema: TSchema): boolean {
  return schema['unknownFields'] === 'refused'
}

/** Each name in `body` that is not among `fields`, with the nearest that is; at most 20. */
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

type Found = (path: string, name: string, known: Set<string>) => void

function collect(value: unknown, { names, inside, items }: Fields, path: string, found: Found): void {
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

/** Of a union: what any of its variants has. */
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
