// One node as it was sent, brought to one form: flat properties with canonical names. Accepts `{type, props}` and MJML-like
// `attributes` ("background-color": "#fff", "font-size": "16px"). Every value keeps the path it came from, for error messages.

import { isDeepStrictEqual } from 'node:util'
import type { TProperties } from '@sinclair/typebox'
import { conflicting } from '../../../kit/aliases.ts'
import { ownValue } from '../../../kit/own-value.ts'
import type { SentProperty } from './component.ts'
import { type NodeType, nodeSchemas } from './nodes.ts'

export type Fields = Record<string, unknown>

const structure = new Set(['type', 'props', 'attributes'])

/** Properties of a node by canonical name. A name the type does not know is kept as it is; the caller warns. */
export function givenProperties(type: NodeType, node: Fields, path: string): Map<string, SentProperty> {
  const known: TProperties = nodeSchemas[type].properties
  const given = new Map<string, SentProperty>()
  const take = (fields: unknown, base: string) => {
    if (!isFields(fields)) return
    const entries = Object.entries(fields).map(([name, value]) => {
      return { canonical: canonicalName(name, known), exact: Object.hasOwn(known, name), name, value }
    })
    for (const { canonical, value, name } of entries.sort((a, b) => Number(a.exact) - Number(b.exact))) {
      const entry = { value, path: `${base}.${name}` }
      const other = given.get(canonical)
      if (other !== undefined && !isDeepStrictEqual(other.value, value)) throw conflicting(entry.path, other.path)
      given.set(canonical, entry)
    }
  }
  take(node.attributes, `${path}.attributes`)
  take(node.props, `${path}.props`)
  take(Object.fromEntries(Object.entries(node).filter(([name]) => !structure.has(name))), path)
  spreadPadding(known, given)
  spreadColumns(given, path)
  spreadElse(type, given, path)
  for (const [name, entry] of given) entry.value = coerce(known, name, entry.value)
  return given
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const aliases: Record<string, string[]> = {
  content: ['text'],
  label: ['text'],
  url: ['href', 'src', 'logoUrl'],
  bgColor: ['backgroundColor'],
}

function canonicalName(name: string, known: Fields): string {
  if (Object.hasOwn(known, name)) return name
  const camel = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const targets = ownValue(aliases, camel) ?? [camel]
  // An image has both `src` and `href`: its `url` is the picture.
  const target =
    Object.hasOwn(known, 'src') && camel === 'url' ? 'src' : targets.find((one) => Object.hasOwn(known, one))
  return target ?? name
}

/** "16px" and "16" are numbers where a number is wanted, "true" is a boolean where a boolean is. */
function coerce(known: TProperties, name: string, value: unknown): unknown {
  if (typeof value !== 'string' || !Object.hasOwn(known, name)) return value
  const wanted: unknown = known[name]?.type
  if (wanted === 'integer' && /^\d{1,6}(?:px|%)?$/.test(value)) return Number.parseInt(value, 10)
  if (wanted === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** The CSS shorthand "10px 20px" becomes the four sides where the type has them. */
function spreadPadding(known: Fields, given: Map<string, SentProperty>): void {
  const padding = given.get('padding')
  if (!padding || typeof padding.value !== 'string' || !Object.hasOwn(known, 'paddingTop')) return
  const sides = padding.value.trim().split(/\s+/)
  if (sides.length < 2 || sides.length > 4) return
  const [top, right, bottom = top, left = right] = sides
  given.delete('padding')
  for (const [name, value] of Object.entries({
    paddingTop: top,
    paddingRight: right,
    paddingBottom: bottom,
    paddingLeft: left,
  })) {
    if (!given.has(name)) given.set(name, { value, path: padding.path })
  }
}

/** `columns: [[…], […]]` and `columns: [{type: 'container', …}]` become a count and children. */
function spreadColumns(given: Map<string, SentProperty>, path: string): void {
  const columns = given.get('columns')
  if (!columns || !Array.isArray(columns.value) || given.has('children')) return
  const children = columns.value.map((column: unknown) =>
    Array.isArray(column) ? { type: 'container', children: column } : column,
  )
  given.set('columns', { value: children.length, path: columns.path })
  given.set('children', { value: children, path: `${path}.columns` })
}

/** `else: […]` of an `if` or an `each` becomes a child of that type. */
function spreadElse(type: NodeType, given: Map<string, SentProperty>, path: string): void {
  const otherwise = given.get('else')
  if (!otherwise || !Array.isArray(otherwise.value) || (type !== 'if' && type !== 'each')) return
  const children: unknown = given.get('children')?.value ?? []
  if (!Array.isArray(children)) return
  given.delete('else')
  const value = [...children, { type: 'else', children: otherwise.value }]
  given.set('children', { value, path: `${path}.children` })
}
