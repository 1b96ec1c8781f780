// Refusals as clients of OAuth read them (RFC 6749, 5.2; RFC 7591, 3.2.2): a word of a list, and a sentence for whoever writes the client.

import { toStatus } from '../../core/http/errors.ts'
import { AppError } from '../../kit/error.ts'

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'

export class OAuthError extends Error {
  readonly code: OAuthErrorCode

  constructor(code: OAuthErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

const headers = { 'cache-control': 'no-store', pragma: 'no-cache' }

export function oauthJson(body: object, status = 200): Response {
  return Response.json(body, { status, headers })
}

/** The answer of `work`, or the refusal. */
export async function answerClient(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OAuthError) return oauthJson({ error: error.code, error_description: error.message }, 400)
    if (!(error instanceof AppError)) throw error
    return refusalOf(error)
  }
}

/** What is refused before anything of OAuth is looked at: too much of it, not readable, not now. */
function refusalOf(error: AppError): Response {
  const status = toStatus(error.code)
  const code = status === 429 || status >= 500 ? 'temporarily_unavailable' : 'invalid_request'
  const response = oauthJson({ error: code, error_description: error.message }, status)
  const { retryAfterSeconds } = error.details
  if (retryAfterSeconds !== undefined) response.headers.set('retry-after', String(Math.ceil(retryAfterSeconds)))
  return response
}

/** Each parameter once (RFC 6749, 3.1). Throws `invalid_request` for one that is there twice. */
export function single(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name)
  if (values.length > 1) throw new OAuthError('invalid_request', `${name} must not be there more than once.`)
  return values[0] === '' ? undefined : values[0]
}

/** Throws `invalid_request` where it is missing. */
export function required(parameters: URLSearchParams, name: string): string {
  const value = single(parameters, name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}
