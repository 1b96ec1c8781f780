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
import { languageOf, type SignInLanguage } from '../../access/sign-in-words.ts'
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
      ({ query: { to = landing }, request }) =>
        orPage({ app, oidc, request }, async () => {
          const { url, errand } = await provider.begin()
          const kept: StoredErrand = { ...errand, to, until: app.clock.now().getTime() + errandLifeMs }
          return redirect(url, [
            errandCookie(app, await app.sealer.seal(JSON.stringify(kept), sealContext), errandLifeMs),
          ])
        }),
      { query: t.Object({ to: ownPath }) },
    )
    .get(callbackPath, ({ request, server }) =>
      orPage({ app, oidc, request }, async () => {
        const kept = await openErrand(app, request)
        const claims = await provider.complete(new URL(request.url).search, kept)
        const session = await admitByOidc(app, oidc, claims, await loadVisit(app, request, deviceOf(request, server)))
        return redirect(kept.to, [...sessionCookies(app, session), errandCookie(app, '', 0)])
      }),
    )
}

/** For the page on which people sign in. */
export function signInByOidc({ config: { oidc } }: App, to: string, { words }: SignInLanguage): Html | null {
  return oidc
    ? html`<p><a class="button" href="/login/oidc?to=${encodeURIComponent(to)}">${words.login.withProvider(oidc.name)}</a></p>\n`
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
interface Attempt {
  app: App
  oidc: OidcConfig
  request: Request
}

async function orPage({ app, oidc, request }: Attempt, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    const language = languageOf(request)
    if (error instanceof AppError) return refusedPage(language, error.message, toStatus(error.code))
    app.log.warn('signing in by OIDC failed', { issuer: oidc.issuer, reason: toReason(error) })
    return refusedPage(language, language.words.login.unreachable(oidc.name), 503)
  }
}

/** In words only: what else such an error carries may be a token. */
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

function refusedPage({ locale, words: { login } }: SignInLanguage, message: string, status: number): Response {
  const body = html`<p role="alert"><strong>${message}</strong></p>
<p><a href="/login">${login.anotherWay}</a></p>
${status === 503 && html`<p><small>${login.inTheLog}</small></p>`}`
  return page({ title: login.refusedTitle, body, status, locale })
}
