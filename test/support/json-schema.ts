// Whether a value is what a JSON Schema of our OpenAPI document says. It runs for every answer that a test gets, so schemas are read once
// into functions. A keyword that it does not know is an error, never a pass.

import type { Json } from './calls.ts'

/** What is wrong with `value`, and where in it; nothing where it fits. */
export type Fault = (value: Json, path: string) => string | undefined

/** Of the schemas of `document`; what a reference names is read once for all of them. */
export function schemasOf(document: Json): (schema: Json) => Fault {
  const named = new Map<string, Fault>()
  const faultOf = (schema: Json): Fault => {
    if (schema === true) return () => undefined
    const parts = Object.keys(schema).flatMap((keyword) => {
      const read = keywords[keyword]
      if (read === undefined) throw new Error(`tests cannot hold a value against ${keyword} of JSON Schema`)
      return read === null ? [] : read(schema, faultOf, refer)
    })
    return (value, path) => {
      for (const part of parts) {
        const fault = part(value, path)
        if (fault !== undefined) return fault
      }
      return undefined
    }
  }
  /** Read when it is first used: a schema may name itself. */
  const refer = (reference: string): Fault => {
    const read = () => faultOf(at(document, reference))
    return (value, path) => {
      const known = named.get(reference) ?? read()
      named.set(reference, known)
      return known(value, path)
    }
  }
  return faultOf
}

export function at(document: Json, reference: string): Json {
  return reference
    .split('/')
    .slice(1)
    .reduce((place: Json, name) => place[name], document)
}

type Keyword = (schema: Json, faultOf: (schema: Json) => Fault, refer: (reference: string) => Fault) => Fault[]

const isObject = (value: Json) => typeof value === 'object' && value !== null && !Array.isArray(value)

const types: Record<string, (value: Json) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
}

const time = /^T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** One that the calendar has: to `Date` February 31 is a day of March. */
function isDay(text: string): boolean {
  const at = Date.parse(text)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

const formats: Record<string, (text: string) => boolean> = {
  binary: () => true,
  'date-time': (text) => isDay(text.slice(0, 10)) && time.test(text.slice(10)) && !Number.isNaN(Date.parse(text)),
  date: isDay,
  uri: URL.canParse,
}

const patterns = new Map<string, RegExp>()

function patternOf(text: string): RegExp {
  const pattern = patterns.get(text) ?? new RegExp(text, 'u')
  patterns.set(text, pattern)
  return pattern
}

function fail(message: string): never {
  throw new Error(message)
}

/** A keyword for values of one type only: others pass. */
function when(isOne: (value: Json) => boolean, fits: (value: Json, limit: Json) => boolean, name: string): Keyword {
  return (schema) => {
    const limit = schema[name]
    const isFine = (value: Json) => !isOne(value) || fits(value, limit)
    return [(value, path) => (isFine(value) ? undefined : `${path} breaks ${name} ${JSON.stringify(limit)}`)]
  }
}

const ofText = (name: string, fits: (value: string, limit: Json) => boolean) =>
  when((value) => typeof value === 'string', fits, name)
const ofNumber = (name: string, fits: (value: number, limit: number) => boolean) =>
  when((value) => typeof value === 'number', fits, name)
const ofList = (name: string, fits: (value: Json[], limit: number) => boolean) => when(Array.isArray, fits, name)
const ofAny = (name: string, fits: (value: Json, limit: Json) => boolean) => when(() => true, fits, name)

/** Null: it says nothing about what fits. */
const keywords: Record<string, Keyword | null> = {
  title: null,
  description: null,
  examples: null,
  example: null,
  default: null,
  deprecated: null,
  discriminator: null,
  'x-extension': null,
  $ref: (schema, _, refer) => [refer(schema.$ref)],
  type: ({ type }) => {
    const all = [type].flat().map((one: string) => types[one] ?? fail(`${one} is no type`))
    return [
      (value, path) => (all.some((isOne) => isOne(value)) ? undefined : `${path} is not ${[type].flat().join(' or ')}`),
    ]
  },
  const: ofAny('const', (value, only) => Bun.deepEquals(value, only)),
  enum: ofAny('enum', (value, all) => all.includes(value)),
  format: ofText('format', (text, format) => formats[format]?.(text) ?? false),
  pattern: ofText('pattern', (text, pattern) => patternOf(pattern).test(text)),
  minLength: ofText('minLength', (text, least) => text.length >= least),
  maxLength: ofText('maxLength', (text, most) => text.length <= most),
  minimum: ofNumber('minimum', (number, least) => number >= least),
  maximum: ofNumber('maximum', (number, most) => number <= most),
  minItems: ofList('minItems', (list, least) => list.length >= least),
  maxItems: ofList('maxItems', (list, most) => list.length <= most),
  items: ({ items }, faultOf) => {
    const fault = faultOf(items)
    return [
      (value, path) => (Array.isArray(value) ? firstOf(value, (one, n) => fault(one, `${path}[${n}]`)) : undefined),
    ]
  },
  allOf: ({ allOf }, faultOf) => allOf.map(faultOf),
  anyOf: ({ anyOf }, faultOf) => [among(anyOf.map(faultOf), (fitting) => fitting > 0)],
  oneOf: ({ oneOf }, faultOf) => [among(oneOf.map(faultOf), (fitting) => fitting === 1)],
  required: ofAny(
    'required',
    (value, names) => !isObject(value) || names.every((name: string) => Object.hasOwn(value, name)),
  ),
  properties: (schema, faultOf) => [members(schema, faultOf)],
  patternProperties: (schema, faultOf) => ('properties' in schema ? [] : [members(schema, faultOf)]),
  additionalProperties: (schema, faultOf) =>
    'properties' in schema || 'patternProperties' in schema ? [] : [members(schema, faultOf)],
}

/** The three keywords of an object's members, which are about each other. */
function members(schema: Json, faultOf: (schema: Json) => Fault): Fault {
  const read = (schemas: Json) =>
    Object.entries<Json>(schemas ?? {}).map(([name, one]) => [name, faultOf(one)] as const)
  const own = new Map(read(schema.properties))
  const patterns = read(schema.patternProperties).map(([text, fault]) => ({ pattern: patternOf(text), fault }))
  const { additionalProperties: other = true } = schema
  const others: Fault = other === false ? (_, path) => `${path} is not in the document` : faultOf(other)
  const patterned = (value: Json, name: string, path: string) => {
    const fitting = patterns.filter(({ pattern }) => pattern.test(name))
    if (fitting.length === 0 && !own.has(name)) return others(value, path)
    return firstOf(fitting, ({ fault }) => fault(value, path)) ?? own.get(name)?.(value, path)
  }
  const plain = (value: Json, name: string, path: string) => (own.get(name) ?? others)(value, path)
  const fault = patterns.length > 0 ? patterned : plain
  return (value, path) =>
    isObject(value) ? firstOf(Object.keys(value), (name) => fault(value[name], name, `${path}.${name}`)) : undefined
}

function among(faults: Fault[], isRight: (fitting: number) => boolean): Fault {
  return (value, path) => {
    const found = faults.map((fault) => fault(value, path))
    return isRight(found.filter((fault) => fault === undefined).length) ? undefined : `${path}: ${found.join(', or ')}`
  }
}

function firstOf<T>(all: T[], look: (one: T, n: number) => string | undefined): string | undefined {
  for (const [n, one] of all.entries()) {
    const fault = look(one, n)
    if (fault !== undefined) return fault
  }
  return undefined
}
