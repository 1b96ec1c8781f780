// The service that signs people in (OpenID Connect Core 1.0, authorization code with PKCE, state and nonce). All that goes to it goes
// through our own dialer. Its tokens are of its time, so they are held against the clock of the machine (openid-client does it).

import type { Configuration, CustomFetch, IDToken, UserInfoResponse } from 'openid-client'
import type { App } from '../../../core/app.ts'
import type { OidcConfig } from '../../../core/config/oidc.ts'
import { hour, second } from '../../../kit/duration.ts'
import { AppError } from '../../../kit/error.ts'
import { newSecretToken } from '../../../kit/token.ts'

/** What is loaded only where people are signed in so. */
const load = () => import('openid-client')

export const callbackPath = '/login/oidc/callback'
const answerBytes = 512 * 1024
const answerMs = 10 * second
const rediscoverMs = hour
const scope = 'openid email profile'

/** What has to be the same when the person comes back. */
export interface Errand {
  state: string
  nonce: string
  codeVerifier: string
}

/** The claims of the service about a person. */
export interface Claims {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
}

export interface Provider {
  /** Where the browser goes, and what is kept until it comes back. */
  begin(): Promise<{ url: string; errand: Errand }>
  /** `search`: the query with which it came back. Throws `forbidden` where the service says no. */
  complete(search: string, errand: Errand): Promise<Claims>
}

/** Both throw whatever openid-client throws where the service is away, or is not what the settings say. */
export function createProvider(app: App, oidc: OidcConfig): Provider {
  let known: { configuration: Promise<Configuration>; until: number } | null = null
  const discovered = (): Promise<Configuration> => {
    const now = app.clock.now().getTime()
    if (known && now < known.until) return known.configuration
    const configuration = discover(app, oidc)
    known = { configuration, until: now + rediscoverMs }
    configuration.catch(() => {
      known = null
    })
    return configuration
  }
  const redirectUri = () => app.config.baseUrl + callbackPath
  return {
    async begin() {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await load()
      const configuration = await discovered()
      const errand = { state: newSecretToken(app), nonce: newSecretToken(app), codeVerifier: newSecretToken(app) }
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri(),
        scope,
        state: errand.state,
        nonce: errand.nonce,
        code_challenge: await calculatePKCECodeChallenge(errand.codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, errand }
    },
    async complete(search, { state, nonce, codeVerifier }) {
      const { authorizationCodeGrant, AuthorizationResponseError, fetchUserInfo } = await load()
      const configuration = await discovered()
      const tokens = await authorizationCodeGrant(configuration, new URL(redirectUri() + search), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      }).catch((error) => {
        if (!(error instanceof AuthorizationResponseError)) throw error
        throw new AppError('forbidden', `${oidc.name} did not sign you in (${error.error.slice(0, 100)}).`)
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('there is no ID token')
      const hasMore = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : null
      return toClaims(claims, more)
    },
  }
}

async function discover(app: App, { issuer, clientId, clientSecret }: OidcConfig): Promise<Configuration> {
  const {
    allowInsecureRequests,
    ClientSecretBasic,
    ClientSecretPost,
    customFetch,
    discovery,
    enableNonRepudiationChecks,
  } = await load()
  const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : []
  const options = { [customFetch]: throughDialer(app), execute: [...insecure, enableNonRepudiationChecks] }
  const url = new URL(issuer)
  const found = await discovery(url, clientId, undefined, ClientSecretBasic(clientSecret), options)
  const methods = found.serverMetadata().token_endpoint_auth_methods_supported
  const isPosted = methods !== undefined && !methods.includes('client_secret_basic')
  return isPosted ? await discovery(url, clientId, undefined, ClientSecretPost(clientSecret), options) : found
}

function throughDialer(app: App): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    if (method !== 'GET' && method !== 'POST') throw new Error(`${method} is not sent`)
    const dialed = await app.dialer.exchange({
      method,
      url,
      headers: Object.entries(headers),
      body: body === undefined || body === null ? '' : String(body),
      wholeBytes: answerBytes,
      totalMs: answerMs,
      ...(signal && { signal }),
    })
    if (dialed.outcome === 'failed') throw new Error(`${new URL(url).origin}: ${dialed.code}`)
    const { status } = dialed.head
    return new Response(status === 204 || status === 304 ? null : Uint8Array.from(dialed.body), {
      status,
      headers: [...dialed.head.headers],
    })
  }
}

/** Where the ID token has no address, the userinfo of the same subject may. */
function toClaims({ iss, sub, ...own }: IDToken, more: UserInfoResponse | null): Claims {
  const { email, email_verified, name } = own.email === undefined && more !== null ? more : own
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' ? email : null,
    isEmailVerified: email_verified === true,
    name: typeof name === 'string' ? name : null,
  }
}
