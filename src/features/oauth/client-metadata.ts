// What a client says of itself (RFC 7591, 2), in a registration or in a document of its own: of that its name and where it is sent back to
// are kept. All clients are public: one that runs on somebody's machine keeps no secret.

import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { visible } from '../../kit/visible.ts'
import { OAuthError } from './oauth-error.ts'
import { redirectUriFault } from './redirect-uris.ts'

const maxNameChars = 100
const maxRedirectUris = 10

const metadata = Type.Object({
  redirect_uris: Type.Array(Type.Unknown(), { minItems: 1, maxItems: maxRedirectUris }),
  client_name: Type.Optional(Type.String()),
  grant_types: Type.Optional(Type.Array(Type.String())),
  response_types: Type.Optional(Type.Array(Type.String())),
  token_endpoint_auth_method: Type.Optional(Type.String()),
})

export interface Client {
  id: string
  name: string
  redirectUris: string[]
  /** The host that publishes the document about it; null: it registered itself. */
  publishedBy: string | null
}

interface ClientMetadata {
  name: string
  redirectUris: string[]
  /** How it would like to show that it is itself. */
  authMethod: string
}

/** Throws `invalid_redirect_uri`, `invalid_client_metadata`. */
export function readClientMetadata(value: unknown): ClientMetadata {
  if (!Value.Check(metadata, value)) {
    const [first] = Value.Errors(metadata, value)
    const path = first?.path.slice(1).replaceAll('/', '.') || 'the document'
    const code = path.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    throw new OAuthError(code, `${path}: ${first?.message ?? 'is not valid'}.`)
  }
  for (const [index, uri] of value.redirect_uris.entries()) {
    const fault = redirectUriFault(uri)
    if (fault !== null) throw new OAuthError('invalid_redirect_uri', `redirect_uris.${index} ${fault}.`)
  }
  mustHave('grant_types', value.grant_types, 'authorization_code')
  mustHave('response_types', value.response_types, 'code')
  return {
    name: shownName(value.client_name ?? ''),
    redirectUris: value.redirect_uris as string[],
    authMethod: value.token_endpoint_auth_method ?? 'none',
  }
}

function mustHave(field: string, values: string[] | undefined, wanted: string): void {
  if (values === undefined || values.includes(wanted)) return
  throw new OAuthError('invalid_client_metadata', `${field} must contain ${wanted}.`)
}

/** In one line, without what a person would not see. */
function shownName(name: string): string {
  const line = visible(name.slice(0, 10 * maxNameChars))
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, maxNameChars).join('') || 'a program without a name'
}
