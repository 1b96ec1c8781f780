// A command for each operation of the API that has none of its own. Its flags are the parameters, the query and the members of the body;
// its result is the answer, as a table or as lines.

import { readFileSync } from 'node:fs'
import type { TSchema } from '@sinclair/typebox'
import { callNames, kebab } from '../../core/http/nouns.ts'
import { parameterText } from '../../core/http/openapi/openapi-words.ts'
import type { Operation } from '../../core/http/operation.ts'
import { declaredRoutes } from '../server.ts'
import { type Command, columns, defineCommand, type Flags, type Output, UsageError } from './command.ts'
import { type Answer, cells, fieldLines, rowsOf, withApi } from './with-api.ts'

interface Route {
  method: string
  path: string
  hooks: Hooks
}

interface Hooks {
  query?: TSchema
  body?: TSchema
  response?: TSchema | Record<string, TSchema>
  detail: Detail
}

type Detail = Operation & { security: Record<string, string[]>[]; surface?: { body: { json: boolean } } }

/** `json` may be `@FILE`. */
type Kind = 'text' | 'number' | 'boolean' | 'texts' | 'json'

/** A value that a call takes, from one flag. */
interface Member {
  name: string
  flag: string
  place: 'path' | 'query' | 'body'
  kind: Kind
  /** What stands for the value in the help. */
  placeholder: string
  required: boolean
  description: string
}

const pageSize = '100'
const mostColumns = 5
const workspace = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const whole = {
  type: 'string',
  value: 'JSON',
  says: 'the request body as JSON, or the members that have no flag; @FILE reads a file, @- reads stdin',
} as const
const to = { type: 'string', value: 'FILE', says: 'write the response to this file; default: print it' } as const

/** In the order of the routes. What signs people in, and what takes a file, is none of them. */
export function operationCommands(): Command[] {
  const routes = (declaredRoutes() as Route[]).filter(isCalled)
  const byName = new Map(routes.map((route) => [callNames(route.path, route.hooks.detail.operationId).command, route]))
  return [...byName].map(([name, route]) => commandFor(name, route))
}

export const listOperations = defineCommand({
  name: 'api',
  says: 'Lists the operations of the API: each is a command.',
  flags: {},
  run: async () => {
    const commands = operationCommands().map(({ name, says }) => ({ name, says }))
    return { json: { commands }, lines: columns(commands.map(({ name, says }) => [name, says])) }
  },
})

function isCalled({ path, hooks }: Route): boolean {
  const { security = [], surface, operationId, isAlias, command } = hooks?.detail ?? {}
  const isOurs = path.startsWith('/v1/') && !path.startsWith('/v1/auth/') && operationId !== undefined
  const isJson = surface === undefined || surface.body.json
  return isOurs && isJson && security.length > 0 && !isAlias && command !== false
}

function commandFor(name: string, route: Route): Command {
  const members = membersOf(route)
  const { body, detail } = route.hooks
  const isFile = route.hooks.response === undefined
  const flags: Flags = {
    ...Object.fromEntries(members.filter(isOperand).map((one) => [one.flag, flagFor(one)])),
    workspace,
    ...Object.fromEntries(members.filter((one) => !isOperand(one)).map((one) => [one.flag, flagFor(one)])),
    ...(body === undefined ? {} : { body: whole }),
    ...(isFile ? { to } : {}),
  }
  return {
    name,
    says: `${detail.summary}.`,
    flags,
    run: (values, config) =>
      withApi(config(), String(values['workspace']), async (api, _, bytes) => {
        const path = addressOf(route, members, values)
        if (isFile) return await written(await bytes(route.method, path), values['to'])
        const json = await api(route.method, path, body === undefined ? undefined : bodyFrom(members, values))
        return { json, lines: linesOf(json, detail.command || defaultColumns(route)) }
      }),
  }
}

const isOperand = ({ place }: Member) => place === 'path'

function flagFor({ kind, placeholder, required, place, description }: Member): Flags[string] {
  const says = description.replace(/\.$/, '')
  const operand = place === 'path' ? { operand: true as const } : {}
  const needed = required && place !== 'body' ? { required: true as const } : {}
  return {
    type: 'string',
    value: placeholder,
    ...operand,
    ...needed,
    ...(kind === 'texts' ? { multiple: true } : {}),
    says: says + (required && place === 'body' ? ' (needed)' : ''),
  }
}

function membersOf({ path, hooks: { query, body } }: Route): Member[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']): Member => {
    const description = parameterText(name)
    return {
      name,
      flag: kebab(name),
      place: 'path',
      kind: 'text',
      placeholder: upper(name),
      required: true,
      description,
    }
  })
  const all = [...inPath, ...propertiesOf('query', query), ...propertiesOf('body', body)]
  return all.filter(({ flag }, index) => all.findIndex((one) => one.flag === flag) === index)
}

function propertiesOf(place: 'query' | 'body', schema: TSchema | undefined): Member[] {
  const required: string[] = schema?.['required'] ?? []
  return Object.entries<TSchema>(schema?.['properties'] ?? {}).map(([name, property]) => {
    const [kind, placeholder] = kindOf(property)
    const description = String(property['description'] ?? '')
    return { name, flag: kebab(name), place, kind, placeholder, required: required.includes(name), description }
  })
}

/** How a value of the schema is written in a flag, and what the help shows for it. */
function kindOf(schema: TSchema): [Kind, placeholder: string] {
  const variants = (schema['anyOf'] as TSchema[] | undefined)?.filter(({ type }) => type !== 'null') ?? []
  const words = schema['enum'] ?? variants.map((one) => one['const'])
  if (words.length > 0 && words.every((word: unknown) => typeof word === 'string')) return ['text', words.join('|')]
  const [first] = variants
  if (first !== undefined) return variants.some(({ format }) => format === 'numeric') ? ['number', 'N'] : kindOf(first)
  const { items } = schema as { items?: TSchema }
  const type = [schema['type']].flat().find((one) => one !== 'null')
  if (type === 'string') return ['text', schema['format'] === 'date-time' ? 'TIME' : 'TEXT']
  if (type === 'integer' || type === 'number') return ['number', 'N']
  if (type === 'boolean') return ['boolean', 'true|false']
  if (type === 'array' && items !== undefined && kindOf(items)[0] === 'text') return ['texts', kindOf(items)[1]]
  return ['json', 'JSON']
}

function addressOf({ path, hooks }: Route, members: Member[], values: Answer): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[kebab(name)])))
  const inQuery = members.filter(({ place }) => place === 'query')
  const isPaged = inQuery.some(({ name }) => name === 'perPage')
  const query = new URLSearchParams(isPaged ? { perPage: pageSize } : {})
  for (const { name, flag, kind } of inQuery) {
    const value = values[flag]
    if (kind === 'texts') for (const one of value as string[]) query.append(name, one)
    else if (value !== undefined) query.set(name, String(value))
  }
  return hooks.query === undefined || query.size === 0 ? filled : `${filled}?${query}`
}

function bodyFrom(members: Member[], values: Answer): unknown {
  const rest = values['body'] === undefined ? {} : parsed('body', String(values['body']))
  const own = members.flatMap(({ name, flag, kind, place }): [string, unknown][] => {
    const value = values[flag]
    const isGiven = place === 'body' && (Array.isArray(value) ? value.length > 0 : value !== undefined)
    return isGiven ? [[name, jsonValue(flag, kind, value)]] : []
  })
  if (own.length === 0) return rest
  if (typeof rest !== 'object' || rest === null || Array.isArray(rest))
    throw new UsageError(`--body is not an object, so --${kebab(own[0]?.[0] ?? '')} cannot be added to it`)
  return { ...rest, ...Object.fromEntries(own) }
}

/** Throws UsageError. */
function jsonValue(flag: string, kind: Kind, value: unknown): unknown {
  const text = String(value)
  if (kind === 'json') return parsed(flag, text)
  if (kind === 'boolean') {
    if (text !== 'true' && text !== 'false') throw new UsageError(`--${flag} must be true or false`)
    return text === 'true'
  }
  if (kind !== 'number') return value
  if (text.trim() === '' || !Number.isFinite(Number(text))) throw new UsageError(`--${flag} is not a number`)
  return Number(text)
}

function parsed(flag: string, value: string): unknown {
  const text = value.startsWith('@') ? read(flag, value.slice(1)) : value
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--${flag} is not JSON`)
  }
}

function read(flag: string, path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch {
    throw new UsageError(`--${flag}: ${path} cannot be read`)
  }
}

async function written(bytes: Uint8Array, path: unknown): Promise<Output> {
  if (path === undefined) {
    const text = new TextDecoder().decode(bytes)
    return { json: { text }, lines: [text.replace(/\n$/, '')] }
  }
  await Bun.write(String(path), bytes)
  return { json: { file: path, bytes: bytes.length }, lines: [`${path} has ${bytes.length} bytes.`] }
}

function linesOf(json: Answer, names: readonly string[]): string[] {
  if (!Array.isArray(json['data'])) return columns(fieldLines(json))
  const next = (json['pagination'] as { nextCursor?: string | null } | undefined)?.nextCursor
  const rows = columns(rowsOf(json).map((row) => cells(row, [...names])))
  return next ? [...rows, `--cursor ${next}`] : rows
}

/** The first members of a row that are one value. */
function defaultColumns({ hooks: { response = {} } }: Route): string[] {
  const answer = ('type' in response ? response : Object.values(response)[0]) as TSchema | undefined
  const row: Record<string, TSchema> = answer?.['properties']?.data?.items?.properties ?? {}
  return Object.entries(row)
    .filter(([name, schema]) => name !== 'updatedAt' && kindOf(schema)[0] !== 'json')
    .map(([name]) => name)
    .slice(0, mostColumns)
}

function upper(name: string): string {
  return kebab(name).toUpperCase().replaceAll('-', '_')
}
