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
import { filled, type Html, html, type Page, page, slot } from '../../kit/page.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { noSessionCookies, redirect, sessionCookies, sessionToken } from '../access/cookie.ts'
import { landing, ownPath, refuseForeignForm, toOwnAddress } from '../access/same-site.ts'
import { endSession, isLinkOpen, redeemLink } from '../access/sessions.ts'
import { languageOf, type SignInLanguage } from '../access/sign-in-words.ts'
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
    .get('/login', ({ query, request }) => passwordPage({ app, to: query.to, language: languageOf(request) }), {
      query,
    })
    .post(
      '/login',
      async ({ query, request, server }) => {
        const refused = refuseForeignForm(request, config)
        if (refused) return refused
        const form = await readForm(request)
        const visit = { device: deviceOf(request, server), oldToken: sessionToken(app, request.headers.get('cookie')) }
        const ticket = form.get('ticket')
        const language = languageOf(request)
        const answer =
          ticket === null
            ? byPassword(app, { form, visit, to: query.to, language })
            : byCode(app, { ticket, form, visit, to: query.to, language })
        const next = await answer
        return next instanceof Response ? next : redirect(query.to ?? landing, sessionCookies(app, next.token))
      },
      { parse: 'none', query },
    )
    .get('/login/:token', async ({ params, request }) => {
      const isOpen = await isLinkOpen(app, params.token, app.clock.now())
      return isOpen ? linkPage(languageOf(request)) : closedPage(languageOf(request))
    })
    .post(
      '/login/:token',
      async ({ params, query, request, server }) => {
        const refused = refuseForeignForm(request, config)
        if (refused) return refused
        const device = deviceOf(request, server)
        const session = await write(app, (tx) => redeemLink(tx, params.token, device)).catch(nullWhenNotFound)
        if (session === null) return closedPage(languageOf(request))
        return redirect(query.to ?? landing, sessionCookies(app, session))
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
  language: SignInLanguage
}

async function byPassword(app: App, { form, visit, to, language }: Posted): Promise<Answer> {
  const body = readCredentials(form)
  try {
    const found = await loginByForm(app, { ...body, ...visit })
    return 'ticket' in found ? codePage(language, found.ticket) : found
  } catch (error) {
    if (error instanceof AppError) return passwordPage({ app, to, language, email: body.email, fault: error })
    throw error
  }
}

async function byCode(app: App, { ticket, form, visit, to, language }: Posted & { ticket: string }): Promise<Answer> {
  try {
    return { token: await loginByTicket(app, { ticket, code: form.get('code') ?? '', ...visit }) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'not_found') return passwordPage({ app, to, language, fault: error })
    return codePage(language, ticket, error)
  }
}

function nullWhenNotFound(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}

interface PasswordPage {
  app: App
  to: string | undefined
  language: SignInLanguage
  email?: string
  fault?: AppError
}

function passwordPage({ app, to = landing, language, email = '', fault }: PasswordPage): Response {
  const { login } = language.words
  const passkey = signInByPasskey(app, to, language)
  const link = html`<code>paquebot user login-link --email you@example.com</code>`
  const password = html`<code>paquebot user set-password</code>`
  const body = html`${fault && alert(fault.message)}<form method="post" class="fields">
<label>${login.email}<input name="email" type="email" autocomplete="username" value="${email}" required${email === '' && autofocus}></label>
<label>${login.password}<input name="password" type="password" autocomplete="current-password" required${email !== '' && autofocus}></label>
<button>${login.signIn}</button>
</form>
${passkey?.body}
${signInByOidc(app, to, language)}<p>${filled(login.forgotten({ link: slot(0), password: slot(1) }), link, password)}</p>`
  const { locale } = language
  return faultyPage(
    { title: login.title, body, locale, ...withoutUndefined({ extraPolicy: passkey?.extraPolicy }) },
    fault,
  )
}

/** Whoever comes to a form may type at once. */
const autofocus = html` autofocus`

function codePage({ locale, words: { login } }: SignInLanguage, ticket: string, fault?: AppError): Response {
  const command = html`<code>paquebot user reset-second-factor --email you@example.com</code>`
  const body = html`${fault && alert(fault.message)}<form method="post" class="fields">
<input type="hidden" name="ticket" value="${ticket}">
<label>${login.code}<input name="code" autocomplete="one-time-code" required autofocus></label>
<button>${login.signIn}</button>
</form>
<p>${filled(login.lostBoth(slot(0)), command)}</p>`
  return faultyPage({ title: login.codeTitle, body, locale }, fault)
}

function faultyPage(shown: Pick<Page, 'title' | 'body' | 'locale' | 'extraPolicy'>, fault?: AppError): Response {
  const retryAfter = fault?.details.retryAfterSeconds
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }
  const status = fault ? toStatus(fault.code) : 200
  return page({ ...shown, status, headers })
}

function alert(message: string): Html {
  return html`<p role="alert"><strong>${message}</strong></p>\n`
}

function linkPage({ locale, words: { login } }: SignInLanguage): Response {
  const body = html`<p>${login.onceOnly}</p><form method="post"><button>${login.signIn}</button></form>`
  return page({ title: login.title, body, locale })
}

function closedPage({ locale, words: { login } }: SignInLanguage): Response {
  const body = html`<p>${filled(login.closed(slot(0)), html`<a href="/login">${login.byPassword}</a>`)}</p>
<p><code>paquebot user login-link --email you@example.com</code></p>`
  return page({ title: login.closedTitle, body, status: 410, locale })
}
