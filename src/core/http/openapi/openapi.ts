// The OpenAPI document: paths and schemas come from the routes, everything shared is added here.

import type { AnyElysia } from 'elysia'
import type { OpenAPIV3 } from 'openapi-types'
import { version } from '../../../kit/version.ts'
import { problemType } from '../errors.ts'
import { callNames, tags } from '../nouns.ts'
import type { Refusal } from '../operation.ts'
import { ordinary, type Surface } from '../surface.ts'
import {
  answerName,
  answerSchema,
  bodyName,
  bodySchema,
  Components,
  describedChoices,
  exampleBody,
  type Schema,
} from './openapi-schemas.ts'
import { parameterText } from './openapi-words.ts'

type Operation = OpenAPIV3.OperationObject & {
  surface?: Surface
  refusals?: readonly Refusal[]
  repeatable?: true
  looks?: true
  command?: unknown
  tool?: unknown
  isAlias?: true
  /** The lowest role of a person who may call it. */
  'x-role'?: string
}
type Responses = OpenAPIV3.ResponsesObject

const errors: Record<number, { name: string; description: string }> = {
  400: { name: 'Unreadable', description: 'The request, its body, its cursor or a signature is malformed.' },
  401: { name: 'Unauthorized', description: 'No credential, or one that is not valid.' },
  403: { name: 'Forbidden', description: 'The credential is valid but not allowed to do this.' },
  404: { name: 'NotFound', description: 'It does not exist in this workspace.' },
  408: { name: 'TooSlow', description: 'The body did not arrive in time.' },
  409: { name: 'Conflict', description: 'The current state does not allow this.' },
  413: {
    name: 'TooLarge',
    description:
      'The request body is too large: more than 25 MB (26,214,400 bytes) where attachments are allowed, 4 MB elsewhere, 64 KB where a public credential is enough.',
  },
  415: { name: 'WrongContentType', description: 'The body is not JSON, or is compressed.' },
  422: { name: 'Invalid', description: 'Well-formed but not valid: `errors` lists what is wrong.' },
  429: { name: 'TooMany', description: 'Too many requests; see Retry-After.' },
  500: { name: 'InternalError', description: 'An internal error. Nothing was changed.' },
  503: { name: 'Unavailable', description: 'The server cannot serve this now; nothing was changed. See Retry-After.' },
  508: {
    name: 'Loop',
    description: 'The request is part of a loop: it was caused by a webhook and would trigger the same webhook again.',
  },
}

const text = { type: 'string' } as const

const problemSchema = {
  type: 'object',
  description: 'Problem details (RFC 9457) with `success` and `message` for Loops clients.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors', 'success', 'message'],
  properties: {
    type: { ...text, format: 'uri' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: { ...text, description: 'The path of the request.' },
    code: { ...text, description: 'Stable; use this in programs.' },
    requestId: text,
    errors: { type: 'array', items: { $ref: '#/components/schemas/Issue' } },
    success: { type: 'boolean', enum: [false] },
    message: { ...text, description: 'The same as `detail`.' },
  },
}

/** An event that a webhook may carry (features/webhooks/event-types.ts). */
export interface WebhookEvent {
  says: string
  /** The schema of `data`. */
  schema: unknown
  example: unknown
}

interface DocumentOptions {
  baseUrl: string
  events: Record<string, WebhookEvent>
  /** Schemas that routes refer to by name. */
  components: Record<string, Schema>
  /** The role required by a route that names none. */
  leastRole(method: string): string
}

/** The whole document, served at /openapi.json. The generator is loaded when it is first requested. */
export async function openApiDocument(
  server: AnyElysia,
  { baseUrl, events, components: given, leastRole }: DocumentOptions,
) {
  const { toOpenAPISchema } = await import('@elysiajs/openapi')
  const { paths, components } = toOpenAPISchema(withDescribedChoices(server), { methods: ['options', 'head', 'all'] })
  const named = new Components(given)
  // Schemas of responses first, so that a shape that is both read and written gets its name from the response.
  const all = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item?.[method] ? [{ path, method, operation: item[method] }] : [])),
  )
  const reads = all.filter(({ method }) => method === 'get')
  const inOrder = [
    ...reads.sort((a, b) => Number(isList(a)) - Number(isList(b))),
    ...all.filter((one) => !reads.includes(one)),
  ]
  for (const { path, method, operation: given } of inOrder) {
    const operation: Operation = given
    if (takes(operation, 'session')) operation['x-role'] ??= leastRole(method.toUpperCase())
    complete(named, path, operation, method !== 'get')
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Paquebot',
      version,
      description:
        'Transactional mail, contacts, lists, events and webhooks of one installation. Routes tagged "Extensions" are choices of this product, and so is every detail that the specification leaves open: what holds for all of them is in the documentation, /docs/api.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags,
    security: [{ apiKey: [] }],
    paths,
    webhooks: webhooksOf(events),
    components: {
      ...components,
      schemas: { ...components.schemas, ...named.schemas, Problem: problemSchema },
      parameters: { IdempotencyKey: idempotencyKey },
      headers: { IdempotencyReplayed: idempotencyReplayed },
      responses: errorResponses(),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer pqk_…`' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description:
            'Set by POST /v1/auth/login. For browsers, the same value is also set under a name that is unique to the installation.',
        },
      },
    },
  }
}

/** The generator drops descriptions of a choice between constants, so it gets choices that it does not recognize. */
function withDescribedChoices(server: AnyElysia): AnyElysia {
  const routes = server.routes.map((route) => {
    const { body, query, response } = route.hooks
    return { ...route, hooks: { ...route.hooks, ...describedChoices({ body, query, response }) } }
  })
  return Object.create(server, { getGlobalRoutes: { value: () => routes } })
}

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const

function isList({ operation }: { operation: Operation }): boolean {
  return /^list[A-Z]/.test(operation.operationId ?? '')
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    '1 to 256 printable ASCII characters that you choose. A repeat with the same key and body gets the first response and has no effect; with a different body it gets 422 `idempotency_key_mismatch`. Stored for 7 days.',
  schema: { type: 'string', minLength: 1, maxLength: 256 },
  example: 'order-4711',
}

const idempotencyReplayed = {
  description: '`true`: this is the response to the first request.',
  schema: { type: 'string', enum: ['true'] },
}

/** What every operation has: groups, texts, an example, named schemas, and the responses that any route may give. */
function complete(named: Components, path: string, operation: Operation, isWrite: boolean): void {
  const { operationId = '' } = operation
  const surface = operation.surface ?? ordinary(path)
  describe(path, operation)
  if (surface.body.json) onlyJson(operation)
  nameBody(named, operation)
  for (const [status, response] of Object.entries(operation.responses as Responses)) {
    if ('$ref' in response) continue
    if (!response.description || /^Response for status/.test(response.description)) {
      response.description = Number(status) < 300 ? 'Done.' : 'Refused.'
    }
    const content = response.content?.['application/json']
    if (!content?.schema) continue
    const shown = answerSchema(content.schema as Schema)
    const warns = isWrite && !surface.isCallback && status.startsWith('2')
    content.schema = named.answer(shown, answerName(operationId), warns) as OpenAPIV3.SchemaObject
    if (operation.repeatable)
      response.headers = { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } }
  }
  answers(operation, statusesOf(path, operation, { surface, isWrite }))
  delete operation.refusals
  delete operation.repeatable
  delete operation.looks
  delete operation.command
  delete operation.tool
  delete operation.isAlias
  delete operation.surface
}

function describe(path: string, operation: Operation): void {
  const { tags: given = [], summary = '', description } = operation
  operation.description = [...new Set([description ?? `${summary}.`, credentialText(operation)])]
    .filter(Boolean)
    .join('\n\n')
  const isExtension = given.includes('Extensions')
  const { tag, client } = callNames(path, operation.operationId ?? '')
  operation.tags = [tag, ...(isExtension ? ['Extensions'] : [])]
  if (takes(operation, 'apiKey') && !operation.isAlias) Object.assign(operation, { 'x-client': client })
  if (isExtension) Object.assign(operation, { 'x-extension': true })
  for (const parameter of operation.parameters ?? []) {
    if ('$ref' in parameter) continue
    parameter.schema = answerSchema(parameter.schema as Schema) as OpenAPIV3.SchemaObject
    const { description: own } = parameter.schema as Schema
    parameter.description ??= typeof own === 'string' ? own : parameterText(parameter.name)
  }
  if (!operation.repeatable) return
  operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }]
}

function takes({ security = [] }: Operation, credential: 'apiKey' | 'session'): boolean {
  return security.some((scheme) => credential in scheme)
}

function credentialText(operation: Operation): string {
  const { security = [], 'x-role': role } = operation
  const scope = security.flatMap(({ apiKey }) => apiKey ?? [])[0]
  const key = scope === undefined ? 'any API key' : `an API key with the scope \`${scope}\``
  const ways = [
    ...(takes(operation, 'apiKey') ? [key] : []),
    ...(takes(operation, 'session') ? [`the session of ${role === 'owner' ? 'an' : 'a'} ${role}`] : []),
  ]
  return ways.length === 0 ? 'Needs no credential.' : `Takes ${ways.join(', or ')}.`
}

function nameBody(named: Components, { operationId = '', requestBody }: Operation): void {
  if (!requestBody || '$ref' in requestBody) return
  for (const [type, content] of Object.entries(requestBody.content)) {
    if (!content.schema || '$ref' in content.schema) continue
    const shown = bodySchema(content.schema as Schema)
    if (type === 'application/json') content.example ??= exampleBody(shown)
    content.schema = named.named(shown, bodyName(operationId)) as OpenAPIV3.SchemaObject
  }
}

/** The responses that a route of this kind may give besides its own. A test provokes each of them. */
function statusesOf(
  path: string,
  operation: Operation,
  { surface, isWrite }: { surface: Surface; isWrite: boolean },
): number[] {
  const { requestBody, parameters = [], security = [], refusals = [] } = operation
  const isRaw = !surface.body.json
  const isChecked =
    parameters.some((parameter) => 'in' in parameter && parameter.in !== 'path') || (requestBody && !isRaw)
  return [
    // A malformed Host or path, invalid JSON, an invented cursor.
    400,
    ...(security.length > 0 ? [401, 403] : []),
    // An id in the path names something; X-Workspace-Id of a session names a workspace.
    ...(path.includes('{') || takes(operation, 'session') ? [404] : []),
    // A body is checked even where none is needed.
    ...(isWrite ? [...(surface.isUpload ? [] : [408]), 413, 415] : []),
    ...(isChecked ? [422] : []),
    ...refusals,
    // Requests are limited by API key, and by address where no credential is needed.
    429,
    500,
    503,
    508,
  ]
}

/** Each event as the request that its receiver gets. */
function webhooksOf(events: Record<string, WebhookEvent>) {
  return Object.fromEntries(
    Object.entries(events).map(([name, { says, schema, example }]) => [
      name,
      {
        post: {
          operationId: `on${name.replaceAll(/(^|\.)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`,
          summary: name,
          description: says,
          tags: ['Webhooks'],
          security: [],
          parameters: signatureHeaders,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: payloadOf(name, schema),
                example: { ...sample, type: name, eventName: name, data: example },
              },
            },
          },
          responses: {
            200: { description: 'Any 2xx confirms the delivery; after any other response it is tried again.' },
          },
        },
      },
    ]),
  )
}

const sample = { timestamp: '2027-01-15T12:00:00.000Z', eventTime: 1_800_014_400, webhookSchemaVersion: '1.0.0' }

function payloadOf(name: string, data: unknown) {
  return {
    type: 'object',
    required: ['type', 'timestamp', 'eventName', 'eventTime', 'webhookSchemaVersion', 'data'],
    properties: {
      type: { const: name },
      timestamp: { type: 'string', format: 'date-time' },
      eventName: { const: name },
      eventTime: { type: 'integer', description: 'Unix seconds.' },
      webhookSchemaVersion: { type: 'string' },
      test: { const: true, description: 'Present only for events of a test workspace.' },
      data: answerSchema(JSON.parse(JSON.stringify(data)) as Schema),
    },
  }
}

const signatureHeaders = [
  ['Webhook-Id', 'The same for every attempt, so that a receiver can recognize repeats.'],
  ['Webhook-Timestamp', 'Unix seconds of this attempt.'],
  [
    'Webhook-Signature',
    '`v1,` and the HMAC-SHA256 in Base64 (Standard Webhooks); absent until there is a signing secret.',
  ],
].map(([name, description]) => ({ name, in: 'header', description, schema: { type: 'string' } }))

/** The generator also offers form bodies, which the edge refuses with 415. */
function onlyJson({ requestBody }: Operation): void {
  if (!requestBody || '$ref' in requestBody) return
  const json = requestBody.content['application/json']
  if (json) requestBody.content = { 'application/json': json }
}

function answers({ responses }: Operation, statuses: number[]): void {
  for (const status of statuses) responses[status] ??= { $ref: `#/components/responses/${errors[status]?.name}` }
}

function errorResponses() {
  const schema = { $ref: '#/components/schemas/Problem' }
  const entries = Object.values(errors).map(({ name, description }) => {
    return [name, { description, content: { [problemType]: { schema } } }] as const
  })
  return Object.fromEntries(entries)
}
