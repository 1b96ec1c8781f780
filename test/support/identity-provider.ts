// A service that signs people in (OpenID Connect), by a certified implementation, on a free port of loopback. Whoever comes is `person`
// at once: what they do there is not what is tested here.

import { createServer } from 'node:http'
import { type Context, Provider } from 'oidc-provider'

export interface Person {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

export interface IdentityProvider extends AsyncDisposable {
  /** Settings of the product that lead here. */
  environment: Record<string, string>
  /** Who is there; null = who comes refuses to sign in. */
  person: Person | null
  close(): Promise<void>
}

const clientSecret = 'a secret of a client of the tests'

/** `back`: the redirect URI of the product, known once it listens; each test has another. */
export async function identityProvider(
  back: () => string,
  { authMethod = 'client_secret_basic' }: { authMethod?: 'client_secret_basic' | 'client_secret_post' } = {},
): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const issuer = `http://127.0.0.1:${port}`
  let current: { for: string; provider: Provider; handle: ReturnType<Provider['callback']> } | null = null
  const made = {
    person: null as Person | null,
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'paquebot',
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: 'Acme',
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
    [Symbol.asyncDispose]: () => made.close(),
  }
  const create = (): Provider => {
    const one: Provider = new Provider(issuer, {
      clients: [
        {
          client_id: 'paquebot',
          client_secret: clientSecret,
          redirect_uris: [back()],
          token_endpoint_auth_method: authMethod,
        },
      ],
      clientAuthMethods: [authMethod],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      findAccount: async (_: unknown, accountId: string) => ({ accountId, claims: async () => made.person }),
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      cookies: { keys: ['of the tests'] },
      pkce: { required: () => true },
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      async loadExistingGrant({ oidc: { client, session } }: Context) {
        const grant = new one.Grant({ clientId: client.clientId, accountId: session.accountId })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
    return one
  }
  server.on('request', (request, response) => {
    if (current?.for !== back()) {
      const provider = create()
      current = { for: back(), provider, handle: provider.callback() }
    }
    const { provider, handle } = current
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response)
    const refusal = { error: 'access_denied', error_description: 'they did not want to' }
    const { person } = made
    provider.interactionFinished(request, response, person ? { login: { accountId: person.sub } } : refusal)
  })
  return made
}
