// Converts the schemas of the routes for the OpenAPI document: additional names, null where it is allowed, the `warnings` of every write,
// and names for shared schemas. The routes' own schemas are never changed, because the server uses them.

import { Kind } from '@sinclair/typebox'
import { withoutUndefined } from '../../../kit/without-undefined.ts'
import { exampleOf } from './openapi-words.ts'

export type Schema = {
  [name: string]: unknown
  type?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  allOf?: unknown[]
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const issueSchema = {
  type: 'object',
  description: 'An error or a warning.',
  required: ['path', 'message', 'code'],
  properties: {
    path: { type: 'string', description: 'Where in the request.', examples: ['content[2].href'] },
    message: { type: 'string', description: 'For people.' },
    code: { type: 'string', description: 'For programs.', examples: ['unknown_field'] },
  },
}

const warnedSchema = {
  type: 'object',
  description: 'What every write returns besides its own members.',
  required: ['warnings'],
  properties: { warnings: { type: 'array', description: 'Accepted, but questionable.', items: reference('Issue') } },
}

/** A request body: `additionalProperties` says whether an unknown name is refused. */
export function bodySchema(schema: Schema): Schema {
  const plain = plainly(schema) as Schema
  return {
    ...plain,
    ...(schema['unknownFields'] === 'custom' ? { additionalProperties: {} } : {}),
    ...(schema['unknownFields'] === 'refused' ? { additionalProperties: false } : {}),
  }
}

/** A response. It may get more members one day, so it is not closed. */
export function answerSchema(schema: Schema): Schema {
  return plainly(schema) as Schema
}

/**
 * A copy without what only the router needs. The router closes objects by itself and accepts query numbers as text; the generator drops
 * null from choices.
 */
function plainly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainly)
  if (typeof value !== 'object' || value === null) return value
  const schema = numberOf(value as Schema)
  const { component, description } = schema
  if (typeof component === 'string') return { ...reference(component), ...withoutUndefined({ description }) }
  const isMap = schema.type === 'object' && Object.keys(schema.properties ?? {}).length === 0
  const kept = Object.entries(schema).filter(([name, member]) => {
    if (name === 'unknownFields' || name === 'needed' || (name === 'pattern' && schema['enum'] !== undefined))
      return false
    // The words of a refusal; a property of that name is an object.
    if (name === 'error' && typeof member === 'string') return false
    return name !== 'additionalProperties' || (isMap && member !== false)
  })
  const copy: Schema = {
    ...Object.fromEntries(kept.map(([name, member]) => [name, plainly(member)])),
    ...neededOf(schema),
  }
  const { type, enum: values } = copy
  if (!Array.isArray(type) || !type.includes('null') || !Array.isArray(values) || values.includes(null)) return copy
  return { ...copy, enum: [...values, null] }
}

/** A copy in which a choice between constants is one enum. */
export function describedChoices<T>(value: T): T
export function describedChoices(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describedChoices)
  if (typeof value !== 'object' || value === null) return value
  const { anyOf, ...rest } = value as Schema
  const words = Array.isArray(anyOf) ? anyOf.map((one: Schema) => one['const']) : []
  if (words.length > 0 && words.every((word) => typeof word === 'string'))
    return { ...rest, [Kind]: 'String', type: 'string', enum: words }
  return Object.fromEntries(Reflect.ownKeys(value).map((key) => [key, describedChoices(Reflect.get(value, key))]))
}

/** Of each group of names, one is required. The route checks it itself, because a validated schema cannot express it. */
function neededOf({ needed, required = [] }: Schema): { required?: string[]; allOf?: unknown[] } {
  if (!Array.isArray(needed)) return {}
  const groups = needed as string[][]
  const all = [...required, ...groups.flatMap((names) => (names.length === 1 ? names : []))]
  const choices = groups.filter((names) => names.length > 1)
  return {
    ...(all.length > 0 ? { required: all } : {}),
    ...(choices.length > 0
      ? { allOf: choices.map((names) => ({ anyOf: names.map((name) => ({ required: [name] })) })) }
      : {}),
  }
}

function numberOf(schema: Schema): Schema {
  const variants = schema['anyOf']
  if (!Array.isArray(variants) || !variants.some(({ format }: Schema) => format === 'numeric' || format === 'integer'))
    return schema
  const number = variants.find(({ type }: Schema) => type === 'number' || type === 'integer')
  return number ?? schema
}

/** Collects schemas under names; equal schemas share one. `given` are those that routes name themselves (`component`). */
export class Components {
  readonly schemas: Record<string, Schema>
  readonly #names = new Map<string, string>()

  constructor(given: Record<string, Schema>) {
    this.schemas = { Issue: issueSchema, Warned: warnedSchema }
    for (const [name, schema] of Object.entries(given)) this.schemas[name] = answerSchema(schema)
  }

  /** A reference to `schema`, named `name` unless it has a name already. */
  named(schema: Schema, name: string): Schema {
    if (schema.type !== 'object' || Object.keys(schema.properties ?? {}).length === 0) return schema
    const shown = this.#inside(schema, name)
    const text = JSON.stringify(shown)
    const known = this.#names.get(text) ?? (text === issueText ? 'Issue' : undefined)
    if (known !== undefined) return reference(known)
    const free = freeName(this.schemas, name)
    this.#names.set(text, free)
    this.schemas[free] = shown
    return reference(free)
  }

  /** A response; of several variants, each with a title becomes a schema of that name. */
  answer(schema: Schema, name: string, warns: boolean): Schema {
    const variants = schema['anyOf'] as Schema[] | undefined
    if (variants) return { anyOf: variants.map((variant) => this.answer(variant, name, warns)) }
    const { title, ...rest } = schema
    if (typeof title === 'string') return this.named(rest, title)
    return warns ? this.#written(rest, name) : this.named(rest, name)
  }

  /** The response of a write. */
  #written(schema: Schema, name: string): Schema {
    const { warnings: _, ...properties } = schema.properties ?? {}
    const required = schema.required?.filter((one) => one !== 'warnings') ?? []
    const own = { ...schema, properties, required }
    if (schema.type !== 'object') return schema
    return { allOf: [this.named(own, name), reference('Warned')] }
  }

  /** Members that are pages, lists of objects or issues get names as well. */
  #inside(schema: Schema, name: string): Schema {
    const members = Object.entries(schema.properties ?? {}).map(([member, value]): [string, Schema] => {
      if (member === 'pagination') return [member, this.named(value, 'Pagination')]
      const items = value['items'] as Schema | undefined
      if (items?.type !== 'object') return [member, value]
      return [member, { ...value, items: this.named(items, itemName(name, member)) }]
    })
    return { ...schema, properties: Object.fromEntries(members) }
  }
}

const issueText = JSON.stringify({
  type: 'object',
  required: ['path', 'message', 'code'],
  properties: { path: { type: 'string' }, message: { type: 'string' }, code: { type: 'string' } },
})

/** The name for what an operation is about: `getTemplate` -> `Template`, `listTemplates` -> `TemplateList`. */
export function answerName(operationId: string): string {
  const pascal = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  if (/^Get[A-Z]/.test(pascal)) return pascal.slice('Get'.length)
  if (/^List[A-Z]/.test(pascal)) return `${singular(pascal.slice('List'.length))}List`
  return `${pascal}Answer`
}

export function bodyName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1).replace(/Alias$/, '')}Body`
}

function itemName(name: string, member: string): string {
  if (member === 'data' && name.endsWith('List')) return `${name.slice(0, -'List'.length)}Item`
  return name + singular(member.charAt(0).toUpperCase() + member.slice(1))
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '')
}

function freeName(taken: object, name: string): string {
  if (!Object.hasOwn(taken, name)) return name
  let number = 2
  while (Object.hasOwn(taken, name + number)) number++
  return name + number
}

/** An example body to start from: the required members, and the usual ones. */
export function exampleBody(schema: Schema): unknown {
  const variants = schema['anyOf']
  if (schema.properties === undefined && Array.isArray(variants)) return exampleBody(variants[0])
  const properties = Object.entries(schema.properties ?? {})
  const firsts = firstsOf(schema)
  const shown = properties.filter(([name]) => schema.required?.includes(name) || firsts.includes(name))
  const members = shown.length > 0 ? shown : properties.slice(0, 2)
  return Object.fromEntries(members.map(([name, member]) => [name, exampleValue(name, member)]))
}

/** The first of each group of which one is required. */
function firstsOf({ allOf = [] }: Schema): (string | undefined)[] {
  return (allOf as { anyOf?: { required: string[] }[] }[]).map(({ anyOf }) => anyOf?.[0]?.required[0])
}

function exampleValue(name: string, schema: Schema): unknown {
  const given = schema['examples']
  if (Array.isArray(given)) return given[0]
  const values = schema['enum']
  if (Array.isArray(values)) return values[0]
  if ('const' in schema) return schema['const']
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  const known = exampleOf(name)
  if (type === 'array') {
    if (Array.isArray(known)) return known
    return [known ?? exampleValue('', (schema['items'] as Schema | undefined) ?? {})]
  }
  if (type === 'object') return exampleBody(schema)
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1
  if (known !== undefined) return known
  const variants = schema['anyOf']
  if (Array.isArray(variants)) return exampleValue(name, variants[0])
  return 'text'
}
