// What clients call without a person: registration, tokens, revocation.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { maxPublicBytes, readBody } from '../../core/http/body.ts'
import { createClientIp } from '../../core/http/client-ip.ts'
import { readForm } from '../../core/http/form.ts'
import { openPage } from '../../core/http/surface.ts'
import { readJson } from '../../kit/json.ts'
import { networkOf } from '../../kit/network.ts'
import { registerClient } from './clients.ts'
import { exchange, revoke } from './exchange.ts'
import { oauthPaths } from './metadata.ts'
import { answerClient, oauthJson } from './oauth-error.ts'

export function oauthClientRoutes(app: App) {
  const clientIp = createClientIp(app.config.trustedProxies)
  const hidden = { parse: 'none', detail: { hide: true, ...openPage } } as const
  return new Elysia()
    .post(
      oauthPaths.register,
      ({ request, server }) =>
        answerClient(async () => {
          const body = await readJson(app.aside, await readBody(request, maxPublicBytes))
          const client = await registerClient(app, body, networkOf(clientIp(request, server)))
          return oauthJson(toRegistration(client), 201)
        }),
      hidden,
    )
    .post(
      oauthPaths.token,
      ({ request }) => answerClient(async () => await exchange(app, await readForm(request))),
      hidden,
    )
    .post(
      oauthPaths.revoke,
      ({ request }) => answerClient(async () => await revoke(app, await readForm(request))),
      hidden,
    )
}

/** What was registered, which may differ from what was asked for (RFC 7591, 3.2.1): every client is public. */
function toRegistration({ id, name, redirectUris, createdAt }: Awaited<ReturnType<typeof registerClient>>) {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(createdAt.getTime() / 1_000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
