// Calls of the API with somebody's credential, each held against the OpenAPI document.

import { documentedBy } from './documented.ts'

/** A reply's JSON: asserted on, so not typed. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where a test may look into a reply freely.
export type Json = any

export interface Reply {
  status: number
  headers: Headers
  text: string
  body: Json
}

/** Whose credential a request carries. Default: the API key of the ready workspace. */
export type As = 'key' | 'session' | 'nobody' | { apiKey: string }

/** What the owner asks in the dashboard, and no key may. */
export const session = { as: 'session' } as const

export interface RequestOptions {
  as?: As
  headers?: Record<string, string>
}

export interface Calls {
  /** Sends the request and returns whatever comes. A body that is not a string or bytes is sent as JSON. */
  request(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Reply>
  /** These throw unless the reply has `status`, and return its JSON. */
  get(path: string, status: number, options?: RequestOptions): Promise<Json>
  post(path: string, body: unknown, status: number, options?: RequestOptions): Promise<Json>
  put(path: string, body: unknown, status: number, options?: RequestOptions): Promise<Json>
  patch(path: string, body: unknown, status: number, options?: RequestOptions): Promise<Json>
  delete(path: string, body: unknown, status: number, options?: RequestOptions): Promise<Json>
}

interface Credentials {
  apiKey: string
  sessionCookie: string
}

export function callsTo(url: string, credentials: Credentials): Calls {
  const request = createRequest(url, credentials)
  const expecting = createExpecting(request)
  return {
    request,
    get: (path, status, options) => expecting('GET', path, undefined, status, options),
    post: (path, body, status, options) => expecting('POST', path, body, status, options),
    put: (path, body, status, options) => expecting('PUT', path, body, status, options),
    patch: (path, body, status, options) => expecting('PATCH', path, body, status, options),
    delete: (path, body, status, options) => expecting('DELETE', path, body, status, options),
  }
}

function createRequest(url: string, credentials: Credentials): Calls['request'] {
  return async (method, path, body, { as = 'key', headers = {} } = {}) => {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...credentialHeaders(as, url, credentials),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const contentType = response.headers.get('content-type') ?? ''
    const isJson = text !== '' && /[/+]json/.test(contentType)
    const { status } = response
    const json = isJson ? JSON.parse(text) : text
    const check = await documentedBy(url)
    check({ method, path, status, contentType, body: json })
    return { status, headers: response.headers, text, body: json }
  }
}

function createExpecting(request: Calls['request']) {
  return async (method: string, path: string, body: unknown, status: number, options?: RequestOptions) => {
    const reply = await request(method, path, body, options)
    if (reply.status === status) return reply.body
    throw new Error(`${method} ${path} answered ${reply.status}, not ${status}: ${reply.text.slice(0, 2000)}`)
  }
}

function credentialHeaders(as: As, url: string, credentials: Credentials): Record<string, string> {
  if (as === 'nobody') return {}
  if (as === 'session') return { cookie: credentials.sessionCookie, origin: url }
  return { authorization: `Bearer ${as === 'key' ? credentials.apiKey : as.apiKey}` }
}
