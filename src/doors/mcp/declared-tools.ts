// The tools that operations declare beside their command and their words (`tool:` in core/http/operation.ts). A call is a request to the
// route itself, in this process and by the same credential, so that a tool has no rules of its own.

import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { fromProblem } from '../../core/http/errors.ts'
import { parameterText } from '../../core/http/openapi/openapi-words.ts'
import type { DeclaredTool } from '../../core/http/operation.ts'
import { currentAct } from '../../kit/act.ts'
import { invalidField } from '../../kit/error.ts'
import { actAsCaller } from '../../people/access/auth.ts'
import type { WorkspaceCaller } from './callers.ts'
import { defineTool, type Tool } from './tool.ts'

/** The routes of the API, and the way to them. */
export interface Operations {
  /** Those of the router, each with its hooks. */
  routes(): readonly unknown[]
  handle(request: Request): Promise<Response>
}

interface Route {
  method: string
  path: string
  hooks: {
    query?: TSchema
    body?: TSchema
    response?: TSchema | Record<string, TSchema>
    detail?: { tool?: DeclaredTool; security?: Record<string, string[]>[] }
  }
}

type Values = Record<string, unknown>

const maxIdChars = 300
/** Rows of a page: fewer than the API gives, for a model reads all of them. */
const rows = { fewest: 1, most: 50, usual: 10 }
const perPage = Type.Optional(
  Type.Integer({ minimum: rows.fewest, maximum: rows.most, description: `Default ${rows.usual}.` }),
)

/** In the order of the routes. */
export function declaredTools({ routes, handle }: Operations): Tool<WorkspaceCaller>[] {
  return (routes() as Route[]).flatMap((route) => {
    const tool = route.hooks?.detail?.tool
    return tool === undefined ? [] : [toolOf(route, tool, handle)]
  })
}

function toolOf(route: Route, { name, says, touches, ...chosen }: DeclaredTool, handle: Operations['handle']) {
  const members = membersOf(route, chosen.takes)
  const answer = answerOf(route, chosen.shows)
  const reading = touches.acts === 'no'
  return defineTool({
    name,
    says,
    touches,
    scope: scopeOf(route),
    title: titleOf(name),
    input: Type.Object({ ...members.path, ...members.query, ...members.body }, { additionalProperties: false }),
    output: answer.schema,
    hints: {
      readOnlyHint: reading,
      destructiveHint: false,
      idempotentHint: reading,
      openWorldHint: false,
    },
    async run(app, { workspace, credential }: WorkspaceCaller, input) {
      const request = requestFor(app.config.baseUrl, route, members, input)
      actAsCaller(request, { workspace, credential })
      const response = await handle(request)
      const told = await response.json()
      if (!response.ok) throw fromProblem(told)
      return { structured: answer.shown(told) }
    },
  })
}

/** `list_blocks` -> `List blocks` */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function scopeOf({ path, hooks }: Route): string {
  const scope = hooks.detail?.security?.flatMap(({ apiKey }) => apiKey ?? [])[0]
  if (scope === undefined) throw new Error(`${path} is no tool: no key with a scope opens it`)
  return scope
}

type ArgumentPlace = 'path' | 'query' | 'body'

function membersOf({ path, hooks: { query, body } }: Route, taken: readonly string[] | undefined) {
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name = '']): [string, TSchema] => {
    return [name, Type.String({ minLength: 1, maxLength: maxIdChars, description: parameterText(name) })]
  })
  const own = (schema: TSchema | undefined): TProperties => {
    const all: TProperties = schema?.['properties'] ?? {}
    return taken === undefined ? all : chosen(all, taken)
  }
  const asked = own(query)
  const paged = asked['perPage'] === undefined ? {} : { perPage }
  return { path: Object.fromEntries(ids), query: { ...asked, ...paged }, body: own(body) } satisfies Record<
    ArgumentPlace,
    TProperties
  >
}

/** Throws 422 for an id that would lead to another path. */
function requestFor(
  baseUrl: string,
  route: Route,
  members: Record<ArgumentPlace, TProperties>,
  input: Values,
): Request {
  const { method, hooks } = route
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const id = String(input[name])
    if (id === '.' || id === '..') throw invalidField(name, 'is no id')
    return encodeURIComponent(id)
  })
  const query = new URLSearchParams('perPage' in members.query ? { perPage: String(rows.usual) } : {})
  for (const [name, value] of argumentsFor(members.query, input)) query.set(name, String(value))
  const requestId = currentAct()?.requestId
  const headers = new Headers(requestId ? { 'x-request-id': requestId } : {})
  const url = `${baseUrl}${path}${query.size === 0 ? '' : `?${query}`}`
  if (hooks.body === undefined) return new Request(url, { method, headers })
  const body = JSON.stringify(Object.fromEntries(argumentsFor(members.body, input)))
  headers.set('content-type', 'application/json')
  headers.set('content-length', String(Buffer.byteLength(body)))
  return new Request(url, { method, headers, body })
}

function argumentsFor(members: TProperties, input: Values): [string, unknown][] {
  return Object.entries(input).filter(([name]) => members[name] !== undefined)
}

interface Answer {
  schema: TObject
  /** The answer of the route as that schema has it. */
  shown(told: unknown): Values
}

/** An array is told as `data`: the result of a tool is an object. */
function answerOf({ path, hooks: { response = {} } }: Route, shows: readonly string[] | undefined): Answer {
  const answer = ('type' in response ? response : Object.values(response)[0]) as TSchema | undefined
  if (answer === undefined) throw new Error(`${path} is no tool: its answer has no schema`)
  const whole = answer['type'] === 'array' ? Type.Object({ data: answer }) : (answer as TObject)
  const wrapped = (told: unknown) => (Array.isArray(told) ? { data: told } : (told as Values))
  if (shows === undefined) {
    // The router changes the schema once the route was asked, and adds warnings to what it answers.
    const { properties } = whole
    return { schema: Type.Object({ ...properties }), shown: (told) => chosen(wrapped(told), Object.keys(properties)) }
  }
  const rowSchema = whole.properties['data']?.['items'] as TObject | undefined
  const schema = rowSchema
    ? Type.Object({ ...whole.properties, data: Type.Array(picked(rowSchema, shows)) })
    : picked(whole, shows)
  return {
    schema,
    shown(told) {
      const all = wrapped(told)
      const { data } = all
      return Array.isArray(data) ? { ...all, data: data.map((row: Values) => chosen(row, shows)) } : chosen(all, shows)
    },
  }
}

function picked({ properties }: TObject, names: readonly string[]): TObject {
  const unknown = names.find((name) => properties[name] === undefined)
  if (unknown !== undefined) throw new Error(`the answer of a tool has no ${unknown}`)
  return Type.Object(chosen(properties, names))
}

function chosen<V>(value: Record<string, V>, names: readonly string[]): Record<string, V> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}
