// Maps what was thrown to a status (error-codes.ts) and to the one body that every refusal has: problem+json (RFC 9457) with the members
// that Loops clients read (`success: false`, `message`). Features throw AppError; details of any other error are never shown to the caller.

import { type Context, ParseError, ValidationError } from 'elysia'
import { databaseUnavailable, isTooBig, isUnavailable } from '../../../db/faults.ts'
import { AppError, type ErrorCode, errorCodes, type Issue } from '../../kit/error.ts'
import { html, page } from '../../kit/page.ts'
import type { App } from '../app.ts'
import { errorCodeTable } from './error-codes.ts'
import type { Takes } from './route-table.ts'
import type { Surfaces } from './surface.ts'
import { fromValidation } from './validation.ts'

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  508: 'Loop Detected',
}

export const problemType = 'application/problem+json'

/** The body of every error. Members of `AppError.details.extra` are added. */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  code: ErrorCode
  requestId: string
  errors: Issue[]
  success: false
  message: string
}

/** The HTTP status of an error code. */
export function toStatus(code: ErrorCode): number {
  return errorCodeTable[code].status
}

/** The problem document of an error. `instance` is the path of the request without its query, which may contain an address. */
export function toProblem(error: AppError, about: { baseUrl: string; path: string; requestId: string }): Problem {
  const status = toStatus(error.code)
  return {
    ...error.details.extra,
    type: `${about.baseUrl}/docs/errors#${error.code}`,
    title: titles[status] ?? 'Error',
    status,
    detail: error.message,
    instance: about.path,
    code: error.code,
    requestId: about.requestId,
    errors: error.details.errors ?? [],
    success: false,
    message: error.message,
  }
}

/** The error of a problem document that a route of this process answered with. */
export function fromProblem({ code, detail, errors }: Partial<Problem>): AppError {
  const known = errorCodes.find((one) => one === code) ?? 'internal_error'
  return new AppError(known, String(detail), { errors: errors ?? [] })
}

/** The response to a failed request: its problem document with the headers for its status. */
export function problemResponse(app: App, error: AppError, about: { path: string; requestId: string }): Response {
  const problem = toProblem(error, { baseUrl: app.config.baseUrl, ...about })
  const headers: Record<string, string> = { 'content-type': problemType, ...error.details.headers }
  if (problem.status === 401) headers['www-authenticate'] ??= 'Bearer'
  const { retryAfterSeconds } = error.details
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterSeconds))
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}

export interface ErrorHandlers extends Pick<Surfaces, 'loggedPath'> {
  /** The methods that `path` supports, if any: a wrong method is 405, not 404. */
  methodsOf(path: string): string[]
  takes(method: string, path: string): Takes | null
}

/** Paths that speak like another service. */
export interface Foreign {
  /** The error as that service writes it; undefined for our own paths. */
  foreignRefusal(
    path: string,
    problem: Problem,
  ): { status: number; body: unknown; headers?: Record<string, string> } | undefined
}

/** True for a person who follows a link in a browser. A program asks for JSON, or for anything. */
function wantsPage({ method, headers }: Request): boolean {
  return method === 'GET' && (headers.get('accept') ?? '').includes('text/html')
}

/** The same as a page: what happened, what to do, and where to go. */
function problemPage(app: App, error: AppError, about: { path: string; requestId: string }): Response {
  const { status, title, detail, code, requestId } = toProblem(error, { baseUrl: app.config.baseUrl, ...about })
  const { cure } = errorCodeTable[error.code]
  const signIn = status === 401 ? html`<p><a href="/login">Sign in</a></p>` : null
  const body = html`<p>${detail}</p>
<p>${cure}</p>
${signIn}
<p><a href="/">Start page</a> · <a href="/docs/errors#${code}">What <code>${code}</code> means</a></p>
<p><small>${status}, request ${requestId}</small></p>`
  return page({ title, body, status, headers: { vary: 'Accept', ...error.details.headers } })
}

/** The authentication schemes that would be accepted (RFC 9110, 11.6.1). `Session` is the sign-in cookie. */
function challenge(takes: Takes | null): string {
  if (takes === null || (takes.apiKey && !takes.session)) return 'Bearer'
  return takes.apiKey ? 'Bearer, Session' : 'Session'
}

type Failed = Pick<Context, 'request' | 'path' | 'set'> & { error: unknown; unknownNames?: Issue[] | undefined }

/** Elysia's onError: whatever was thrown becomes a problem document. Unexpected errors are logged, not shown. */
export function answerErrors(app: App, { methodsOf, takes, loggedPath }: ErrorHandlers, foreign: Foreign) {
  return ({ error, request, path, set, unknownNames }: Failed) => {
    const requestId = String(set.headers['x-request-id'] ?? '')
    const known = knownError(error) ?? missingRoute(error, request, methodsOf(path))
    if (!known)
      app.log.error('request failed', { requestId, method: request.method, path: loggedPath(path), ...describe(error) })
    if (known && isUnavailable(known)) app.log.error('database unavailable', { requestId, ...describe(known) })
    const failure = withWarnings(known ?? unexpected(), unknownNames)
    const answer =
      foreignResponse(app, failure, { path, requestId }, foreign) ??
      (wantsPage(request)
        ? problemPage(app, failure, { path, requestId })
        : problemResponse(app, failure, { path, requestId }))
    if (answer.status === 401)
      answer.headers.set(
        'www-authenticate',
        failure.details.headers?.['www-authenticate'] ?? challenge(takes(request.method, path)),
      )
    set.status = answer.status
    return answer
  }
}

function foreignResponse(app: App, error: AppError, about: { path: string; requestId: string }, foreign: Foreign) {
  const problem = toProblem(error, { baseUrl: app.config.baseUrl, ...about })
  const refusal = foreign.foreignRefusal(about.path, problem)
  if (refusal === undefined) return null
  const { retryAfterSeconds, headers } = error.details
  const retryAfter = retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterSeconds)) }
  const answer = { status: refusal.status, headers: { ...headers, ...retryAfter, ...refusal.headers } }
  return typeof refusal.body === 'string' ? new Response(refusal.body, answer) : Response.json(refusal.body, answer)
}

/** An ignored field may be the reason for the refusal. */
function withWarnings(error: AppError, warnings: Issue[] | undefined): AppError {
  const { code, message, details } = error
  return warnings === undefined
    ? error
    : new AppError(code, message, { ...details, extra: { ...details.extra, warnings } })
}

/** The AppError for a known kind of error; null for a bug. */
export function knownError(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  if (error instanceof ParseError) {
    return knownError(error.cause) ?? new AppError('invalid_json', 'The body of the request cannot be parsed.')
  }
  // A response that does not match its own schema is our mistake, not the caller's.
  if (error instanceof ValidationError) return error.type === 'response' ? null : fromValidation(error)
  if (isTooBig(error))
    return new AppError('payload_too_large', 'A value of this request is larger than the database accepts.')
  return isUnavailable(error) ? databaseUnavailable(error) : null
}

function missingRoute(error: unknown, request: Request, allowed: string[]): AppError | null {
  if (!(error instanceof Error && 'code' in error && error.code === 'NOT_FOUND')) return null
  if (allowed.length === 0) return new AppError('not_found', 'There is nothing at this address.')
  return methodNotAllowed(request.method, allowed)
}

export function methodNotAllowed(method: string, allowed: string[]): AppError {
  const headers = { allow: allowed.join(', ') }
  return new AppError('method_not_allowed', `${method} is not possible here; try ${headers.allow}.`, { headers })
}

function unexpected(): AppError {
  return new AppError('internal_error', 'Internal error. The server log has the details under this request id.')
}

/** What may be logged of an error: no values of a query, because those are mail and addresses. */
function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: 'a value that is not an error was thrown' }
  const inner = error.cause instanceof Error ? error.cause : undefined
  const message = 'params' in error || error instanceof ValidationError ? error.name : error.message
  const at = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return { error: message, cause: inner?.message, at: at?.slice(0, 8).map((line) => line.trim()) }
}
