// The redirect to the OpenID provider, and back. The state that must survive it is sealed in a cookie, so that only the browser that began
// a sign-in can finish it.

import { Elysia, t } from 'elysia'
import type { App } from '../../../core/app.ts'
import type { OidcConfig } from '../../../core/config/oidc.ts'
import { createDeviceOf, type Device } from '../../../core/http/client-ip.ts'
import { toStatus } from '../../../core/http/errors.ts'
import { openPage } from '../../../core/http/surface.ts'
import { minute } from '../../../kit/duration.ts'
import { AppError } from '../../../kit/error.ts'
import { type Html, html, page } from '../../../kit/page.ts'
import { redirect, sessionCookies, sessionToken, stepCookie, stepValue } from '../../access/cookie.ts'
import { landing, ownPath, toOwnAddress } from '../../access/same-site.ts'
import { findRequestSession } from '../../access/sessions.ts'
import { admitByOidc } from './arrivals.ts'
import { callbackPath, createProvider, type Errand } from './provider.ts'

const cookieName = 'oidc'
const sealContext = 'sign-in by OIDC'
const errandLifeMs = 10 * minute

interface StoredErrand extends Errand {
  to: string
  until: number
}

export function oidcPages(app: App) {
  const { config } = app
  const { oidc } = config
  const pages = new Elysia({ detail: { hide: true, ...openPage } })
  if (oidc === undefined) return pages
  const provider = createProvider(app, oidc)
  const deviceOf = createDeviceOf(config.trustedProxies)
  return pages
    .onBeforeHandle(({ request }) => toOwnAddress(request, config))
    .get(
      '/login/oidc',
      ({ query: { to = landing } }) =>
        orPage(app, oidc, async () => {
          const { url, errand } = await provider.begin()
          const kept: StoredErrand = { ...errand, to, until: app.clock.now().getTime() + errandLifeMs }
          return redirect(url, [
            errandCookie(app, await app.sealer.seal(JSON.stringify(kept), sealContext), errandLifeMs),
          ])
        }),
      { query: t.Object({ to: ownPath }) },
    )
    .get(callbackPath, ({ request, server }) =>
      orPage(app, oidc, async () => {
        const kept = await openErrand(app, request)
        const claims = await provider.complete(new URL(request.url).search, kept)
        const session = await admitByOidc(app, oidc, claims, await loadVisit(app, request, deviceOf(request, server)))
        return redirect(kept.to, [...sessionCookies(app, session), errandCookie(app, '', 0)])
      }),
    )
}

/** For the page on which people sign in. */
export function signInByOidc({ config: { oidc } }: App, to: string): Html | null {
  return oidc
    ? html`<p><a class="button" href="/login/oidc?to=${encodeURIComponent(to)}">Sign in with ${oidc.name}</a></p>\n`
    : null
}

async function loadVisit(app: App, request: Request, device: Device) {
  const session = await findRequestSession(app, request)
  return { device, oldToken: sessionToken(app, request.headers.get('cookie')), userId: session?.userId ?? null }
}

function errandCookie(app: App, value: string, maxAgeMs: number): string {
  // Lax: the way back begins at another site.
  return stepCookie(app, { name: cookieName, value, maxAgeMs, sameSite: 'Lax' })
}

/** Throws `conflict` when this browser began nothing, or too long ago. */
async function openErrand(app: App, request: Request): Promise<StoredErrand> {
  const sealed = stepValue(app, request.headers.get('cookie'), cookieName)
  const opened = sealed === null ? null : await app.sealer.open(sealed, sealContext).catch(() => null)
  const kept: StoredErrand | null = opened === null ? null : JSON.parse(opened)
  if (kept && app.clock.now().getTime() < kept.until) return kept
  throw new AppError(
    'conflict',
    'This sign-in was started in another browser, or more than ten minutes ago. Start again.',
  )
}

/** A refusal is a page that says why; whatever else goes wrong is the service's, or that of the settings, and is told to the log. */
async function orPage(app: App, oidc: OidcConfig, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) return refusedPage(error.message, toStatus(error.code))
    app.log.warn('signing in by OIDC failed', { issuer: oidc.issuer, reason: toReason(error) })
    return refusedPage(`${oidc.name} cannot be reached, or gave an invalid answer.`, 503)
  }
}

/** In words only: what else such an error carries may be a token. */
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

function refusedPage(message: string, status: number): Response {
  const body = html`<p role="alert"><strong>${message}</strong></p>
<p><a href="/login">Sign in another way, or try again</a></p>
${status === 503 && html`<p><small>Whoever runs this installation finds the reason in the log.</small></p>`}`
  return page({ title: 'You are not signed in', body, status })
}
