// Error code -> status, once, and the one body that every refusal has: problem+json (RFC 9457) with the members that clients
// of the family read (`success: false`, `message`). A feature throws AppError; nothing else reaches the caller in words.

import { type Context, ParseError, ValidationError } from 'elysia'
import { databaseUnavailable, isTooBig, isUnavailable } from '../../db/faults.ts'
import type { App } from '../app.ts'
import { AppError, type ErrorCode, type Issue } from '../lib/error.ts'
import type { Takes } from './route-table.ts'
import { loggedPath } from './surface.ts'
import { fromValidation } from './validation.ts'

const statuses: Record<ErrorCode, number> = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_cursor: 400,
  validation_failed: 422,
  missing_required_field: 422,
  conflicting_fields: 422,
  unknown_field: 422,
  unauthorized: 401,
  invalid_api_key: 401,
  insufficient_scope: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  unsupported_media_type: 415,
  contact_exists: 409,
  template_exists: 409,
  conflict: 409,
  revision_mismatch: 409,
  template_in_use: 409,
  idempotency_key_in_use: 409,
  idempotency_key_mismatch: 422,
  recipient_suppressed: 422,
  recipient_unconfirmed: 422,
  attachment_too_large: 413,
  attachment_type_not_allowed: 422,
  too_many_attachments: 422,
  payload_too_large: 413,
  request_timeout: 408,
  missing_variable: 422,
  auto_variable_not_allowed: 422,
  no_content: 422,
  domain_not_verified: 403,
  dmarc_required: 403,
  trust_cap_exceeded: 403,
  rate_limit_exceeded: 429,
  signing_secret_required: 409,
  signature_missing: 400,
  signature_invalid: 400,
  invalid_state_transition: 409,
  already_initialised: 409,
  loop_detected: 508,
  server_busy: 503,
  database_unavailable: 503,
  overloaded: 503,
  internal_error: 500,
}

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
  503: 'Service Unavailable',
  508: 'Loop Detected',
}

export const problemType = 'application/problem+json'

/** The body of every error (docs/choices.md, row 3). Members of `AppError.details.extra` stand beside these. */
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
export function statusOf(code: ErrorCode): number {
  return statuses[code]
}

/** Every code with its status, for the page that `type` points to. */
export function errorTable(): { code: string; status: number }[] {
  return Object.entries(statuses).map(([code, status]) => ({ code, status }))
}

/** The problem document of an error. `instance` is the path of the request, without its query: that may hold an address. */
export function problemOf(error: AppError, about: { baseUrl: string; path: string; requestId: string }): Problem {
  const status = statusOf(error.code)
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

/** The answer to a failed request: its problem document with the headers that its status asks for. */
export function problemResponse(app: App, error: AppError, about: { path: string; requestId: string }): Response {
  const problem = problemOf(error, { baseUrl: app.config.baseUrl, ...about })
  const headers: Record<string, string> = { 'content-type': problemType, ...error.details.headers }
  if (problem.status === 401) headers['www-authenticate'] ??= 'Bearer'
  const { retryAfterSeconds } = error.details
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterSeconds))
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}

export interface ErrorHandlers {
  /** The methods that `path` has, if any: a wrong method is 405, not 404. */
  methodsOf(path: string): string[]
  takes(method: string, path: string): Takes | null
}

/** The schemes that would be taken (RFC 9110, 11.6.1). `Session` is the cookie of a sign-in. */
function challenge(takes: Takes | null): string {
  if (takes === null || (takes.apiKey && !takes.session)) return 'Bearer'
  return takes.apiKey ? 'Bearer, Session' : 'Session'
}

type Failed = Pick<Context, 'request' | 'path' | 'set'> & { error: unknown; unknownNames?: Issue[] }

/** Elysia's onError: whatever was thrown becomes a problem document. What we did not expect is logged and not told. */
export function answerErrors(app: App, { methodsOf, takes }: ErrorHandlers) {
  return ({ error, request, path, set, unknownNames }: Failed) => {
    const requestId = String(set.headers['x-request-id'] ?? '')
    const known = knownError(error) ?? missingRoute(error, request, methodsOf(path))
    if (!known)
      app.log.error('request failed', { requestId, method: request.method, path: loggedPath(path), ...describe(error) })
    if (known?.code === 'database_unavailable') app.log.error('database unavailable', { requestId, ...describe(known) })
    const answer = problemResponse(app, withWarnings(known ?? unexpected(), unknownNames), { path, requestId })
    if (answer.status === 401) answer.headers.set('www-authenticate', challenge(takes(request.method, path)))
    set.status = answer.status
    return answer
  }
}

/** What was ignored may be the reason of the refusal. */
function withWarnings(error: AppError, warnings: Issue[] | undefined): AppError {
  const { code, message, details } = error
  return warnings === undefined
    ? error
    : new AppError(code, message, { ...details, extra: { ...details.extra, warnings } })
}

/** Our own word for an error that has one; null for a bug. */
export function knownError(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  if (error instanceof ParseError) {
    return knownError(error.cause) ?? new AppError('invalid_json', 'The body of the request cannot be read.')
  }
  // A response that does not fit its own schema is our mistake, not the caller's.
  if (error instanceof ValidationError) return error.type === 'response' ? null : fromValidation(error)
  if (isTooBig(error))
    return new AppError('payload_too_large', 'A value of this request is larger than the database takes.')
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
  return new AppError('internal_error', 'Something failed on our side. The log has more under this request id.')
}

/** What the log may hold of an error: no values of a query, for those are mail and addresses. */
function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: 'a value that is not an error was thrown' }
  const inner = error.cause instanceof Error ? error.cause : undefined
  const message = 'params' in error || error instanceof ValidationError ? error.name : error.message
  const at = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return { error: message, cause: inner?.message, at: at?.slice(0, 8).map((line) => line.trim()) }
}
