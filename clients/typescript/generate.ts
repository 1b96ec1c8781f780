// `bun generate.ts [DOCUMENT]`: makes the types and the methods of the client in src/generated, from an OpenAPI document (a file, or the
// address of /openapi.json) or, without one, from that of this checkout. Packing runs it, so nothing it makes is committed.

import { join } from 'node:path'
import { documentOfCheckout } from './document.ts'
import { typesOf } from './types-of.ts'

interface Operation {
  operationId: string
  /** `segments.preview` */
  'x-client'?: string
  summary: string
  description: string
  security?: Record<string, string[]>[]
  parameters?: { $ref?: string; in?: string; name?: string }[]
  requestBody?: { required?: boolean; content: Record<string, unknown> }
  responses: Record<string, { content?: Record<string, { schema?: { properties?: object } }> }>
}

interface Route {
  method: string
  path: string
  operation: Operation
}

const directory = join(import.meta.dir, 'src/generated')
const document = await documentFrom(process.argv[2])
const head = '// Made by generate.ts from the OpenAPI document; not to be edited.\n\n'
const routes = routesOf(document.paths)
await Bun.write(join(directory, 'schema.ts'), head + (await typesOf(onlyUsed())))
await Bun.write(join(directory, 'nouns.ts'), head + methodsOf(routes))

async function documentFrom(source: string | undefined) {
  if (source === undefined) return await documentOfCheckout()
  return await (/^https?:/.test(source) ? await fetch(source) : Bun.file(source)).json()
}

/** The document with what the client can call: one kind of error for all, and no schema that nothing refers to. */
function onlyUsed() {
  const used = Object.groupBy(routes, ({ path }) => path)
  const item = (list: Route[]) => list.map(({ method, operation }) => [method.toLowerCase(), lean(operation)])
  const paths = Object.fromEntries(
    Object.entries(used).map(([path, list = []]) => [path, Object.fromEntries(item(list))]),
  )
  const webhooks = Object.fromEntries(
    Object.entries<{ post: Operation }>(document.webhooks).map(([name, { post }]) => [name, { post: lean(post) }]),
  )
  const schemas: Record<string, unknown> = {}
  const take = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (name in schemas) continue
      schemas[name] = document.components.schemas[name]
      take(schemas[name])
    }
  }
  take([paths, webhooks, '#/components/schemas/Problem'])
  return { openapi: document.openapi, info: document.info, paths, webhooks, components: { schemas } }
}

function lean({ operationId, parameters = [], requestBody, responses }: Operation) {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return {
    operationId,
    parameters: parameters.filter((one) => one.in === 'query' || one.in === 'path'),
    ...(requestBody ? { requestBody } : {}),
    responses: Object.fromEntries(good.map(([status, { content = {} }]) => [status, { description: '', content }])),
  }
}

function routesOf(paths: Record<string, Record<string, Operation>>): Route[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation['x-client'] !== undefined ? [{ method: method.toUpperCase(), path, operation }] : [],
    ),
  )
}

function methodsOf(routes: Route[]): string {
  const byNoun = new Map<string, Map<string, string>>()
  for (const route of routes) {
    const [noun = '', name = ''] = route.operation['x-client']?.split('.') ?? []
    const methods = byNoun.get(noun) ?? new Map<string, string>()
    if (methods.has(name)) throw new Error(`two methods ${noun}.${name}: name one of them in core/http/nouns.ts`)
    byNoun.set(noun, methods.set(name, methodOf(route)))
  }
  const groups = [...byNoun]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([noun, methods]) => {
      const members = [...methods].map(([name, method]) => method.replace('NAME', name))
      return `    ${noun}: {\n${members.join('\n')}\n    },`
    })
  return `import type { Page, Pages } from '../pages.ts'
import type { Answer, Body, Query } from '../shapes.ts'
import type { CallOptions, Transport } from '../transport.ts'

const part = encodeURIComponent

export function nouns({ json, raw, pages }: Transport) {
  return {
${groups.join('\n')}
  }
}

type Item<P> = P extends Page<infer T> ? T : never
`
}

function methodOf({ method, path, operation }: Route): string {
  const { operationId: id, summary, description, requestBody, parameters = [], responses } = operation
  const content = Object.keys(requestBody?.content ?? {})
  const isJson = content.length === 0 || content.includes('application/json')
  const query = parameters.filter((one) => one.in === 'query')
  const isRepeatable = parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.entries(content))
  const isRaw = answers.every(([type]) => type !== 'application/json')
  const isPaged = query.some(({ name }) => name === 'cursor')
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const bodyType = isJson ? `Body<'${id}'>` : 'BodyInit'
  const takes = [
    ...inPath.map((name) => `${name}: string`),
    ...(requestBody ? [requestBody.required === false ? `body?: ${bodyType}` : `body: ${bodyType}`] : []),
    ...(query.length > 0 ? [`query?: Query<'${id}'>`] : []),
    'options?: CallOptions',
  ]
  const call = [
    `method: '${method}'`,
    `path: \`${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${part(${name})}`)}\``,
    ...(query.length > 0 ? ['query'] : []),
    ...(requestBody ? ['body'] : []),
    ...(isJson ? [] : [`contentType: '${content[0]}'`]),
    ...(isRepeatable ? ['isRepeatable: true'] : []),
  ].join(', ')
  const answer = `Answer<'${id}'>`
  const [returns, made] = isRaw
    ? ['Promise<Response>', 'raw']
    : isPaged
      ? [`Pages<Item<${answer}>, ${answer}>`, `pages<Item<${answer}>, ${answer}>`]
      : [`Promise<${answer}>`, `json<${answer}>`]
  const says = `${summary}. ${description}`.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')
  return `      /** ${says} */\n      NAME: (${takes.join(', ')}): ${returns} =>\n        ${made}({ ${call} }, options),`
}
