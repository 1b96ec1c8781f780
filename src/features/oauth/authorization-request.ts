// What a client sends a person with (RFC 6749, 4.1.1, as OAuth 2.1 narrows it): a code with PKCE by S256, for one named endpoint. Until the
// client and its redirect URI are known nobody is sent anywhere; after that the client is told what is wrong.

import type { App } from '../../core/app.ts'
import type { Client } from './client-metadata.ts'
import { getClient } from './clients.ts'
import { OAuthError, type OAuthErrorCode, required, single } from './oauth-error.ts'
import { isRegistered, withParameters } from './redirect-uris.ts'
import { type Endpoint, endpointOf, type GrantScope, scopesOf } from './resources.ts'

/** Of the whole query: it goes to the sign-in and comes back, in a cookie where a service of others signs people in. */
export const maxQueryChars = 2_000
/** Base64url of a SHA-256. */
const challengePattern = /^[A-Za-z0-9_-]{43}$/

/** Where the answer goes. */
export interface ReturnAddress {
  redirectUri: string
  state: string | undefined
}

export interface AuthorizationRequest extends ReturnAddress {
  client: Client
  codeChallenge: string
  endpoint: Endpoint
  scopes: GrantScope[]
}

/** A request that the client is told is wrong. */
export class RefusedRequest extends Error {
  readonly to: ReturnAddress
  readonly reason: OAuthError

  constructor(to: ReturnAddress, reason: OAuthError) {
    super(reason.message)
    this.to = to
    this.reason = reason
  }
}

/** Throws OAuthError for what only the person is told, RefusedRequest for what the client is. */
export async function readAuthorizationRequest(app: App, query: URLSearchParams): Promise<AuthorizationRequest> {
  const [clientId, redirectUri] = [required(query, 'client_id'), required(query, 'redirect_uri')]
  const client = await getClient(app, clientId)
  if (!isRegistered(redirectUri, client.redirectUris))
    throw new OAuthError('invalid_request', 'redirect_uri is not one that this client has named.')
  const [state] = query.getAll('state')
  const to = { redirectUri, state }
  try {
    return { client, ...to, ...readTerms(app, query) }
  } catch (error) {
    throw error instanceof OAuthError ? new RefusedRequest(to, error) : error
  }
}

function readTerms(
  app: App,
  query: URLSearchParams,
): Pick<AuthorizationRequest, 'codeChallenge' | 'endpoint' | 'scopes'> {
  single(query, 'state')
  if (required(query, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code.')
  const codeChallenge = required(query, 'code_challenge')
  if (required(query, 'code_challenge_method') !== 'S256' || !challengePattern.test(codeChallenge))
    throw new OAuthError('invalid_request', 'code_challenge must be of the method S256.')
  if (query.getAll('resource').length !== 1) throw invalidTarget(app)
  const endpoint = endpointOf(app, required(query, 'resource'))
  if (endpoint === undefined) throw invalidTarget(app)
  return { codeChallenge, endpoint, scopes: readScopes(single(query, 'scope'), endpoint) }
}

/** What may be offered to the person: all, where none is asked for. Unknown ones are left out. */
function readScopes(text: string | undefined, endpoint: Endpoint): GrantScope[] {
  const known = scopesOf(endpoint)
  if (text === undefined) return known
  const wanted = text.split(' ')
  const found = known.filter((scope) => wanted.includes(scope))
  if (found.length === 0) throw new OAuthError('invalid_scope', `scope must be of ${known.join(', ')}.`)
  return found
}

function invalidTarget({ config }: App): OAuthError {
  return new OAuthError(
    'invalid_target',
    `resource must name one MCP endpoint of ${config.baseUrl}: its address, as its metadata has it.`,
  )
}

/** The address that tells the client: always with who says it (RFC 9207), so that it is not taken for another server's answer. */
export function answerAddress(
  { config }: Pick<App, 'config'>,
  { redirectUri, state }: ReturnAddress,
  answer: { code: string } | { error: OAuthErrorCode; error_description: string },
): string {
  return withParameters(redirectUri, { ...answer, state, iss: config.baseUrl })
}
