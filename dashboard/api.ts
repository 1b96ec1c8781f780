// Calls of the product's own API, typed by the server's routes: a path, a parameter or a field that is not there does not compile.

import type { Server } from '../src/doors/server.ts'
import { departTo, isDeparting } from './departure.ts'

type Routes = Server['~Routes']
type Methods = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The route of a path as the server declares it, `/v1/campaigns/:campaignId`. */
type RouteAt<R, Path extends string> = Path extends `/${infer First}/${infer Rest}`
  ? First extends keyof R
    ? RouteAt<R[First], `/${Rest}`>
    : never
  : Path extends `/${infer Last}`
    ? Last extends keyof R
      ? R[Last]
      : never
    : never

type Route<Method extends Methods, Path extends string> = Method extends keyof RouteAt<Routes, Path>
  ? RouteAt<Routes, Path>[Method]
  : never

type Answer<R> = R extends { response: infer Responses } ? Responses[Extract<keyof Responses, 200 | 201 | 202>] : never

/** What a call answers with: `Got<'/v1/campaigns/:campaignId'>`. */
export type Got<Path extends string> = Answer<Route<'get', Path>>
export type Posted<Path extends string> = Answer<Route<'post', Path>>

/** A row of a list. */
export type Listed<Path extends string> = Got<Path> extends { data: (infer Row)[] } ? Row : never

type CallInput<R> = (R extends { params: infer P } ? (keyof P extends never ? unknown : { params: P }) : unknown) & {
  query?: R extends { query: infer Q } ? Partial<Q> : never
  body?: R extends { body: infer B } ? B : never
  /** Its Idempotency-Key: with the same one it is done once, also when its answer got lost. */
  once?: string
}

/** What an API call is, as it is sent and as it is shown to be copied. */
export interface Call {
  method: string
  path: string
  /** Sent as JSON; a file as it is. */
  body?: unknown
  once?: string | undefined
}

/** One thing that is wrong; `path` says where: `content[2].href`. */
export interface Issue {
  path: string
  message: string
}

/** A refusal, as application/problem+json says it. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly issues: Issue[]

  constructor(status: number, problem: { code?: string; detail?: string; errors?: Issue[] }) {
    super(problem.detail ?? `The server answered ${status}.`)
    this.status = status
    this.code = problem.code ?? ''
    this.issues = problem.errors ?? []
  }
}

let workspaceId: string | null = null

/** In which workspace the calls work from now on. */
export function workIn(id: string): void {
  workspaceId = id
}

export function get<Path extends string>(
  path: Path & (Route<'get', Path> extends never ? never : Path),
  given?: CallInput<Route<'get', Path>>,
  signal?: AbortSignal,
): Promise<Answer<Route<'get', Path>>> {
  return send(toCall('GET', path, given), signal)
}

export function post<Path extends string>(
  path: Path & (Route<'post', Path> extends never ? never : Path),
  given?: CallInput<Route<'post', Path>>,
): Promise<Answer<Route<'post', Path>>> {
  return send(toCall('POST', path, given))
}

/** A file as the body, by its type. */
export function upload<Path extends string>(
  path: Path & (Route<'post', Path> extends never ? never : Path),
  given: Pick<CallInput<Route<'post', Path>>, 'query'> & { file: Blob },
): Promise<Answer<Route<'post', Path>>> {
  return send({ ...toCall('POST', path, given), body: given.file })
}

export function patch<Path extends string>(
  path: Path & (Route<'patch', Path> extends never ? never : Path),
  given?: CallInput<Route<'patch', Path>>,
): Promise<Answer<Route<'patch', Path>>> {
  return send(toCall('PATCH', path, given))
}

export function put<Path extends string>(
  path: Path & (Route<'put', Path> extends never ? never : Path),
  given?: CallInput<Route<'put', Path>>,
): Promise<Answer<Route<'put', Path>>> {
  return send(toCall('PUT', path, given))
}

/** `delete` is a word of the language. */
export function remove<Path extends string>(
  path: Path & (Route<'delete', Path> extends never ? never : Path),
  given?: CallInput<Route<'delete', Path>>,
): Promise<Answer<Route<'delete', Path>>> {
  return send(toCall('DELETE', path, given))
}

/** The call that a screen makes, with its parameters in their places. */
export function toCall(
  method: string,
  path: string,
  given: { params?: unknown; query?: unknown; body?: unknown; once?: string } = {},
): Call {
  const params = (given.params ?? {}) as Record<string, string>
  const query = Object.entries((given.query ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query)}`
  const { body, once } = given
  return { method, path: filled + search, ...(body === undefined ? {} : { body }), ...(once && { once }) }
}

/** As a person would type it; the key is theirs to fill in. */
export function toCurl({ method, path, body }: Call): string {
  const parts = [
    `curl -s${method === 'GET' ? '' : ` -X ${method}`} ${quoted(location.origin + path)}`,
    `-H "Authorization: Bearer $PAQUEBOT_API_KEY"`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ]
  return parts.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A file of the API, kept as the browser keeps downloads. */
export async function save(call: Call, name: string): Promise<void> {
  saveFile(await (await ask(call)).blob(), name)
}

export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  URL.revokeObjectURL(address)
}

async function send<T>(call: Call, signal?: AbortSignal): Promise<T> {
  return await (await ask(call, signal)).json()
}

/** Server-sent events: `came` each time that some are there. Ends with the stream. */
export async function follow(path: string, came: () => void, signal: AbortSignal): Promise<void> {
  const answer = await ask({ method: 'GET', path }, signal, { accept: 'text/event-stream' })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let rest = ''; reader; ) {
    const { done, value = '' } = await reader.read()
    if (done) return
    // A heartbeat has no data.
    if (/^data:/m.test(rest + value)) came()
    rest = (rest + value).slice(-'\ndata'.length)
  }
}

async function ask(
  { method, path, body, once }: Call,
  signal?: AbortSignal,
  own: Record<string, string> = {},
): Promise<Response> {
  const headers: Record<string, string> = { ...own, ...(workspaceId === null ? {} : { 'x-workspace-id': workspaceId }) }
  const isFile = body instanceof Blob
  if (once !== undefined) headers['idempotency-key'] = once
  if (body !== undefined) headers['content-type'] = isFile ? body.type : 'application/json'
  const init = {
    method,
    headers,
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  }
  const answer = await fetch(path, init)
  if (answer.ok) return answer
  const problem = await answer.json().catch(() => ({}))
  // After signing in again, people return to this page.
  if (answer.status === 401 && (await isSignedOut())) signIn()
  throw new Refusal(answer.status, problem)
}

/** Once, however many calls are refused. */
function signIn(): void {
  if (!isDeparting()) departTo(`/login?to=${location.pathname}${encodeURIComponent(location.search)}`)
}

/** A wrong password of somebody who is signed in is refused with 401, too. */
async function isSignedOut(): Promise<boolean> {
  return (await fetch('/v1/auth/session')).status === 401
}
