// The OpenAPI document: paths and schemas from the routes, everything that is the same for all of them from here.

import type { AnyElysia } from 'elysia'
import type { OpenAPIV3 } from 'openapi-types'
import { version } from '../lib/version.ts'
import { problemType } from './errors.ts'
import { answerSchema, bodySchema, showSchemas, writtenSchema } from './openapi-schemas.ts'
import { bodyRuleOf, isCallback } from './surface.ts'

type Operation = OpenAPIV3.OperationObject
type Responses = OpenAPIV3.ResponsesObject

/** Order of the reference page. A route names one of these in `detail.tags`. */
const tags = [
  { name: 'Transactional', description: 'Templates, and sending one of them to one recipient.' },
  { name: 'Contacts', description: 'Contacts and their suppression.' },
  { name: 'Lists', description: 'Mailing lists, subscription sources, opt-in and confirmation.' },
  { name: 'Events', description: 'What happened on your side: may start delayed mails.' },
  { name: 'Webhooks', description: 'Signed deliveries to addresses of yours.' },
  { name: 'Payments', description: 'What the payment provider reports.' },
  { name: 'Extensions', description: 'Routes of this product beside the specification; session or API key.' },
]

const errors: Record<number, { name: string; description: string }> = {
  400: { name: 'Unreadable', description: 'The body or a signature cannot be read.' },
  401: { name: 'Unauthorized', description: 'No credential, or one that is not valid.' },
  403: { name: 'Forbidden', description: 'The credential is valid and may not do this.' },
  404: { name: 'NotFound', description: 'There is no such thing in this workspace.' },
  409: { name: 'Conflict', description: 'The present state does not allow it.' },
  413: { name: 'TooLarge', description: 'The request has more than 25 MB (26,214,400 bytes).' },
  415: { name: 'WrongContentType', description: 'The body is not JSON, or is compressed.' },
  422: { name: 'Invalid', description: 'Well-formed, but not valid: `errors` says where.' },
  429: { name: 'TooMany', description: 'Too many requests; see Retry-After.' },
  500: { name: 'InternalError', description: 'Our mistake. Nothing was changed.' },
  503: { name: 'Unavailable', description: 'The server cannot serve this now; nothing was changed. See Retry-After.' },
}

const text = { type: 'string' } as const

const issueSchema = {
  type: 'object',
  description: 'One thing that is wrong, or doubtful.',
  required: ['path', 'message', 'code'],
  properties: {
    path: { ...text, description: 'Where in the request.', examples: ['content[2].href'] },
    message: { ...text, description: 'For people.' },
    code: { ...text, description: 'For programs.', examples: ['unknown_field'] },
  },
}

const problemSchema = {
  type: 'object',
  description: 'Problem details (RFC 9457) with `success` and `message` for clients of the family.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors', 'success', 'message'],
  properties: {
    type: { ...text, format: 'uri' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: { ...text, description: 'The path of the request.' },
    code: { ...text, description: 'Stable; decide by this.' },
    requestId: text,
    errors: { type: 'array', items: { $ref: '#/components/schemas/Issue' } },
    success: { type: 'boolean', enum: [false] },
    message: { ...text, description: 'The same as `detail`.' },
  },
}

/** The whole document, as it is served at /openapi.json. What makes it is loaded when it is first asked for. */
export async function openApiDocument(server: AnyElysia, baseUrl: string) {
  const { toOpenAPISchema } = await import('@elysiajs/openapi')
  const { paths, components } = toOpenAPISchema(server, { methods: ['options', 'head', 'all'] })
  for (const [path, item] of Object.entries(paths)) {
    for (const operation of operationsOf(item)) {
      showSchemasOf(path, operation, operation !== item?.get)
      complete(path, operation)
    }
    for (const operation of changesOf(item)) answers(operation, [409])
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Paquebot',
      version,
      description:
        'Transactional mail, contacts, lists, events and webhooks of one installation. Routes tagged "Extensions", and every detail that docs/choices.md lists, are choices of this product.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags,
    security: [{ apiKey: [] }],
    paths,
    components: {
      ...components,
      schemas: { ...components.schemas, Problem: problemSchema, Issue: issueSchema },
      responses: errorResponses(),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer pqk_…`' },
        session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'From POST /v1/auth/login.' },
      },
    },
  }
}

function operationsOf(item: OpenAPIV3.PathItemObject | undefined): Operation[] {
  return [item?.get, ...changesOf(item)].filter((operation) => operation !== undefined)
}

/** Those that change something, and so may meet a state that does not allow it. */
function changesOf(item: OpenAPIV3.PathItemObject | undefined): Operation[] {
  return [item?.put, item?.post, item?.patch, item?.delete].filter((operation) => operation !== undefined)
}

function showSchemasOf(path: string, { requestBody, responses }: Operation, isWrite: boolean): void {
  if (requestBody && !('$ref' in requestBody)) {
    for (const content of Object.values(requestBody.content)) showSchemas(content, bodySchema)
  }
  for (const [status, response] of Object.entries(responses)) {
    if ('$ref' in response) continue
    const answers = isWrite && !isCallback(path) && status.startsWith('2') ? writtenSchema : answerSchema
    showSchemas(response.content?.['application/json'], answers)
  }
}

/** Adds the answers that any route may give, and what the generator leaves out. */
function complete(path: string, operation: Operation): void {
  const responses: Responses = operation.responses
  for (const [status, response] of Object.entries(responses)) {
    if ('$ref' in response) continue
    if (!response.description || /^Response for status/.test(response.description)) {
      response.description = Number(status) < 300 ? 'Done.' : 'Refused.'
    }
  }
  onlyJson(path, operation)
  const isOpen = operation.security?.length === 0
  const statuses = [
    ...(isOpen ? [] : [401, 403]),
    ...(path.includes('{') ? [404] : []),
    ...(operation.requestBody ? [400, 413, 415, 422] : []),
    ...(operation.parameters?.length ? [422] : []),
    429,
    500,
    503,
  ]
  answers(operation, statuses)
}

/** The generator offers forms too, which the edge answers with 415. */
function onlyJson(path: string, { requestBody }: Operation): void {
  if (!requestBody || '$ref' in requestBody || !bodyRuleOf(path).json) return
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
