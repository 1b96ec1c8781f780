// The OpenAPI document as tests read it: its operations, and values that fit its schemas.

import type { Role } from '../../src/people/access/roles.ts'
import type { Json, TestApp } from './app.ts'
import { schemasOf } from './json-schema.ts'

export interface Operation {
  id: string
  method: string
  /** With its parameters in braces. */
  path: string
  security: Record<string, string[]>[]
  /** The least that a person must be. */
  role: Role | null
  parameters: { name: string; in: string; required?: boolean; schema: Json }[]
  /** True unless it reads its body as it was sent. */
  takesJson: boolean
  bodySchema: Json
  responses: Record<string, Json>
}

const methods = ['get', 'put', 'post', 'patch', 'delete']

export async function operationsOf(t: Pick<TestApp, 'get'>): Promise<Operation[]> {
  const document = await t.get('/openapi.json', 200, { as: 'nobody' })
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method): Operation[] => {
      const operation = item[method]
      if (!operation) return []
      const { operationId: id, security, parameters = [], requestBody, responses, 'x-role': role = null } = operation
      const content = requestBody?.content
      const bodySchema = resolved(document, content?.['application/json']?.schema)
      const takesJson = content === undefined ? security.length > 0 : bodySchema !== undefined
      return [{ id, method: method.toUpperCase(), path, security, role, parameters, takesJson, bodySchema, responses }]
    }),
  )
}

/** The schema with each `$ref` replaced by what it names; inside of itself that is anything. */
function resolved(document: Json, schema: Json, within: string[] = []): Json {
  if (Array.isArray(schema)) return schema.map((one) => resolved(document, one, within))
  if (typeof schema !== 'object' || schema === null) return schema
  if (typeof schema.$ref === 'string') {
    if (within.includes(schema.$ref)) return {}
    const place = schema.$ref.split('/').slice(1)
    const named = place.reduce((at: Json, name: string) => at[name], document)
    return resolved(document, named, [...within, schema.$ref])
  }
  return Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, resolved(document, member, within)]))
}

/** The address of `path` with its parameters filled in; `x` for those that are not given. */
export function pathWith(path: string, values: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? 'x'))
}

/** A value that fits `schema`: only what is required. */
export function sampleOf(schema: Json): Json {
  return sample(schema, false)
}

/** A value that fits `schema`, with all that it may have. */
export function wholeSampleOf(schema: Json): Json {
  return sample(schema, true)
}

function sample(schema: Json, whole: boolean): Json {
  if (schema === undefined) return {}
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const variants = schema.oneOf ?? schema.anyOf
  // Something, and not null, where both fit.
  const [type] = [schema.type].flat()
  if (variants && type !== 'object') return sample(variants[0], whole)
  if (type === 'object') {
    const names: string[] = whole ? Object.keys(schema.properties ?? {}) : (schema.required ?? [])
    return Object.fromEntries(names.map((name) => [name, sample(schema.properties[name], whole)]))
  }
  const length = schema.minItems ?? (whole ? 1 : 0)
  if (type === 'array') return Array.from({ length }, () => sample(schema.items ?? {}, whole))
  if (type === 'string') return schema.format === 'date-time' ? '2030-01-01T00:00:00Z' : 'a@b.test'
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  return type === 'boolean' ? true : 'a'
}

/** One of each kind that JSON has. */
const kinds: Json[] = [{ of: [1] }, 'a b', 1.5, true, [[1.5]]]
const faultOf = schemasOf({})

/** Those that no `schema` of a member takes. One of its own kind may be wrong for other reasons, which other tests give. */
function wrongKinds(schema: Json): Json[] {
  const variants: Json[] = schema.oneOf ?? schema.anyOf ?? [schema]
  const own = variants.flatMap(({ type }) => type)
  const isOwn = (value: Json) => own.includes(Array.isArray(value) ? 'array' : typeof value)
  const isWrong = faultOf(schema)
  return kinds.filter((value) => !isOwn(value) && isWrong(value, '') !== undefined)
}

export interface Wrong {
  path: string
  body: Json
}

/** `body` again and again, each with another member of a wrong kind, however deep; `path` is where that is. */
export function* wrongIn(schema: Json, body: Json, path = ''): Generator<Wrong> {
  if (typeof body !== 'object' || body === null) return
  const isList = Array.isArray(body)
  const members: [name: string | number, member: Json][] = isList
    ? [[0, schema.items ?? {}]]
    : Object.entries(schema.properties ?? {})
  for (const [name, member] of members) {
    const at = isList ? `${path}[0]` : [path, name].filter(Boolean).join('.')
    const having = (value: Json) => (isList ? [value] : { ...body, [name]: value })
    for (const value of wrongKinds(member)) yield { path: at, body: having(value) }
    for (const inner of wrongIn(member, body[name], at)) yield { path: inner.path, body: having(inner.body) }
  }
}

/** They have checks and tests of their own, and some are read only when it is known what they are of. */
export const isTree = ({ path }: Wrong) => /(^|\.)(content|filter)\b/.test(path)
