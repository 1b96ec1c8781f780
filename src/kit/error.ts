// AppError is the one exception for the caller's mistakes; core/http/errors maps its code to a status.

/** Every error code of the API. */
export const errorCodes = [
  'invalid_request',
  'invalid_json',
  'invalid_cursor',
  'validation_failed',
  'missing_required_field',
  'conflicting_fields',
  'unknown_field',
  'unauthorized',
  'second_factor_required',
  'invalid_api_key',
  'insufficient_scope',
  'insufficient_role',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'not_implemented',
  'unsupported_media_type',
  'contact_exists',
  'template_exists',
  'conflict',
  'revision_mismatch',
  'template_in_use',
  'media_in_use',
  'idempotency_key_in_use',
  'idempotency_key_mismatch',
  'recipient_suppressed',
  'recipient_unconfirmed',
  'attachment_too_large',
  'attachment_type_not_allowed',
  'too_many_attachments',
  'payload_too_large',
  'request_timeout',
  'missing_variable',
  'auto_variable_not_allowed',
  'no_content',
  'domain_not_verified',
  'dmarc_required',
  'trust_cap_exceeded',
  'rate_limit_exceeded',
  'limit_reached',
  'workspace_suspended',
  'signing_secret_required',
  'signature_missing',
  'signature_invalid',
  'invalid_state_transition',
  'already_initialised',
  'loop_detected',
  'database_unavailable',
  'outcome_unknown',
  'overloaded',
  'internal_error',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** One thing that is wrong. `path` says where in the request: `content[2].items[0].href`, or a header or query name. */
export interface Issue {
  path: string
  message: string
  code: string
}

/** The warnings of a view; left out when there are none. */
export function shownWarnings(warnings: Issue[]): { warnings?: Issue[] } {
  return warnings.length > 0 ? { warnings } : {}
}

export interface ErrorDetails {
  errors?: Issue[]
  /** Seconds, for the Retry-After header. */
  retryAfterSeconds?: number
  /** Further members of the problem document (RFC 9457, 3.2), e.g. `messageId` of a logged refusal. */
  extra?: Record<string, unknown>
  /** Further response headers, e.g. `allow`. */
  headers?: Record<string, string>
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** The common refusal: one field is wrong. `message` names the field and the limit. */
export function invalidField(path: string, message: string, code = 'invalid'): AppError {
  const errors = [{ path, message, code }]
  return new AppError(sharedCode(errors), naming(path, message), { errors })
}

/** Where nothing is wrong but variables that nobody fills, the answer says so at its top, too: programs look there first. */
export function sharedCode(errors: Issue[]): ErrorCode {
  return errors.every(({ code }) => code === 'missing_variable') ? 'missing_variable' : 'validation_failed'
}

/** Often only the detail of a problem is shown, so it names the field too. */
function naming(path: string, message: string): string {
  return path === '' || message.split(/[\s:,;"]+/).includes(path) ? message : `${path}: ${message}`
}

/** A field is missing that the request makes no sense without. */
export function missingField(path: string, message: string): AppError {
  return new AppError('missing_required_field', message, { errors: [{ path, message, code: 'required' }] })
}

/** What may be revealed of an internal failure. The message of a failed query contains its parameters: mail and addresses. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!('params' in error)) return error.message
  return error.cause instanceof Error ? `a query failed: ${error.cause.message}` : 'a query failed'
}
