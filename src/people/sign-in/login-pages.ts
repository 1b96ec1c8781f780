// Signing in and out with a browser: by password, passkey, OpenID Connect, or a one-time link. Looking at a link changes nothing (mail scanners and previews
// look); its button does.

import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { createDeviceOf, type Device } from '../../core/http/client-ip.ts'
import { toStatus } from '../../core/http/errors.ts'
import { readForm } from '../../core/http/form.ts'
import { openPage } from '../../core/http/surface.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { AppError } from '../../kit/error.ts'
import { type Html, html, page } from '../../kit/page.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { noSessionCookies, redirect, sessionCookies, sessionToken } from '../access/cookie.ts'
import { landing, ownPath, refuseForeignForm, toOwnAddress } from '../access/same-site.ts'
import { endSession, isLinkOpen, redeemLink } from '../access/sessions.ts'
import { readCredentials } from './credentials-form.ts'
import { loginByForm, loginByTicket } from './login.ts'
import { oidcPages, signInByOidc } from './oidc/pages.ts'
import { signInByPasskey } from './passkeys/pages.ts'

const query = t.Object({ to: ownPath })

export function loginPages(app: App) {
  const { config } = app
  const deviceOf = createDeviceOf(config.trustedProxies)
  return new Elysia({ detail: { hide: true, ...openPage } })
    .use(oidcPages(app))
    .onBeforeHandle(({ request }) => toOwnAddress(request, config))
    .get('/login', ({ query }) => passwordPage(app, query.to), { query })
    .post(
      '/login',
      async ({ query, request, server }) => {
        const refused = refuseForeignForm(request, config)
        if (refused) return refused
        const form = await readForm(request)
        const visit = { device: deviceOf(request, server), oldToken: sessionToken(app, request.headers.get('cookie')) }
        const ticket = form.get('ticket')
        const answer =
          ticket === null
            ? byPassword(app, { form, visit, to: query.to })
            : byCode(app, { ticket, form, visit, to: query.to })
        const next = await answer
        return next instanceof Response ? next : redirect(query.to ?? landing, sessionCookies(app, next.token))
      },
      { parse: 'none', query },
    )
    .get('/login/:token', async ({ params }) =>
      (await isLinkOpen(app, params.token, app.clock.now())) ? linkPage() : closedPage(),
    )
    .post(
      '/login/:token',
      async ({ params, query, request, server }) => {
        const refused = refuseForeignForm(request, config)
        if (refused) return refused
        const device = deviceOf(request, server)
        const session = await write(app, (tx) => redeemLink(tx, params.token, device)).catch(nullWhenNotFound)
        return session === null ? closedPage() : redirect(query.to ?? landing, sessionCookies(app, session))
      },
      { query },
    )
    .post('/logout', async ({ request }) => {
      const refused = refuseForeignForm(request, config)
      if (refused) return refused
      const token = sessionToken(app, request.headers.get('cookie'))
      if (token !== null) await write(app, (tx) => endSession(tx, sha256Hex(token)))
      return redirect('/', noSessionCookies(app))
    })
}

interface Visit {
  device: Device
  oldToken: string | null
}

/** A session, or the page to show instead. */
type Answer = { token: string } | Response

interface Posted {
  form: URLSearchParams
  visit: Visit
  to: string | undefined
}

async function byPassword(app: App, { form, visit, to }: Posted): Promise<Answer> {
  const body = readCredentials(form)
  try {
    const found = await loginByForm(app, { ...body, ...visit })
    return 'ticket' in found ? codePage(found.ticket) : found
  } catch (error) {
    if (error instanceof AppError) return passwordPage(app, to, { email: body.email, fault: error })
    throw error
  }
}

async function byCode(app: App, { ticket, form, visit, to }: Posted & { ticket: string }): Promise<Answer> {
  try {
    return { token: await loginByTicket(app, { ticket, code: form.get('code') ?? '', ...visit }) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code === 'not_found' ? passwordPage(app, to, { fault: error }) : codePage(ticket, error)
  }
}

function nullWhenNotFound(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}

function passwordPage(
  app: App,
  to = landing,
  { email = '', fault }: { email?: string; fault?: AppError } = {},
): Response {
  const passkey = signInByPasskey(app, to)
  const body = html`${fault && alert(fault.message)}<form method="post" class="fields">
<label>E-mail address<input name="email" type="email" autocomplete="username" value="${email}" required${email === '' && autofocus}></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required${email !== '' && autofocus}></label>
<button>Sign in</button>
</form>
${passkey?.body}
${signInByOidc(app, to)}<p>No password, or forgotten? On the server, <code>paquebot user login-link --email you@example.com</code> prints a link that signs you
in once; <code>paquebot user set-password</code> sets a new one.</p>`
  return faultyPage('Sign in to Paquebot', body, fault, passkey?.extraPolicy)
}

/** Whoever comes to a form may type at once. */
const autofocus = html` autofocus`

function codePage(ticket: string, fault?: AppError): Response {
  const body = html`${fault && alert(fault.message)}<form method="post" class="fields">
<input type="hidden" name="ticket" value="${ticket}">
<label>Code of your authenticator app, or a recovery code<input name="code" autocomplete="one-time-code" required autofocus></label>
<button>Sign in</button>
</form>
<p>Lost both? On the server, <code>paquebot user reset-second-factor --email you@example.com</code>.</p>`
  return faultyPage('One more step', body, fault)
}

function faultyPage(title: string, body: Html, fault?: AppError, extraPolicy?: string): Response {
  const retryAfter = fault?.details.retryAfterSeconds
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }
  const status = fault ? toStatus(fault.code) : 200
  return page({ title, body, status, headers, ...withoutUndefined({ extraPolicy }) })
}

function alert(message: string): Html {
  return html`<p role="alert"><strong>${message}</strong></p>\n`
}

function linkPage(): Response {
  const body = html`<p>This link works once.</p><form method="post"><button>Sign in</button></form>`
  return page({ title: 'Sign in to Paquebot', body })
}

function closedPage(): Response {
  const body = html`<p>It was already used or is older than a day. <a href="/login">Sign in with your password</a>, or make a new link on
the command line:</p>
<p><code>paquebot user login-link --email you@example.com</code></p>`
  return page({ title: 'This link no longer works', body, status: 410 })
}
