// What a client finds by the address alone: which server guards an endpoint (RFC 9728), and what that server takes (RFC 8414).

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { openPage } from '../../core/http/surface.ts'
import { type Endpoint, endpointPaths, endpoints, resourceUrl, scopesOf } from './resources.ts'

export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

const serverPath = '/.well-known/oauth-authorization-server'
const resourcePath = (endpoint: Endpoint) => `/.well-known/oauth-protected-resource${endpointPaths[endpoint]}`

export function oauthMetadata(app: App) {
  const hidden = { detail: { hide: true, ...openPage } } as const
  return new Elysia()
    .get(serverPath, () => serverMetadata(app), hidden)
    .get(resourcePath('workspace'), () => resourceMetadata(app, 'workspace'), hidden)
    .get(resourcePath('mailbox'), () => resourceMetadata(app, 'mailbox'), hidden)
}

/** The challenge of an endpoint (RFC 6750, 3; RFC 9728, 5.1). `isRefused`: a credential came and is not valid. */
export function bearerChallenge({ config }: App, endpoint: Endpoint, isRefused: boolean): string {
  const metadata = `resource_metadata="${config.baseUrl}${resourcePath(endpoint)}"`
  return isRefused ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`
}

function serverMetadata(app: App) {
  const { baseUrl } = app.config
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + oauthPaths.authorize,
    token_endpoint: baseUrl + oauthPaths.token,
    registration_endpoint: baseUrl + oauthPaths.register,
    revocation_endpoint: baseUrl + oauthPaths.revoke,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: [...new Set(endpoints.flatMap(scopesOf))],
    protected_resources: endpoints.map((endpoint) => resourceUrl(app, endpoint)),
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${baseUrl}/docs/mcp`,
  }
}

function resourceMetadata(app: App, endpoint: Endpoint) {
  return {
    resource: resourceUrl(app, endpoint),
    resource_name: endpoint === 'workspace' ? 'Paquebot' : 'Paquebot mailbox',
    authorization_servers: [app.config.baseUrl],
    scopes_supported: scopesOf(endpoint),
    bearer_methods_supported: ['header'],
    resource_documentation: `${app.config.baseUrl}/docs/mcp`,
  }
}
