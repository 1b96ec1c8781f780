// The page behind the set-up link that `paquebot serve` prints on an empty database.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { createDeviceOf } from '../../core/http/client-ip.ts'
import { readForm } from '../../core/http/form.ts'
import { openPage } from '../../core/http/surface.ts'
import { AppError } from '../../kit/error.ts'
import { filled, html, page, slot } from '../../kit/page.ts'
import { redirect, sessionCookies } from '../access/cookie.ts'
import { landing, refuseForeignForm, toOwnAddress } from '../access/same-site.ts'
import { languageOf, type SignInLanguage } from '../access/sign-in-words.ts'
import { readCredentials } from './credentials-form.ts'
import { completeSetUp, isSetUpOpen } from './set-up.ts'

export function setUpPages(app: App) {
  const deviceOf = createDeviceOf(app.config.trustedProxies)
  return new Elysia({ prefix: '/setup', detail: { hide: true, ...openPage } })
    .onBeforeHandle(({ request }) => toOwnAddress(request, app.config))
    .get('/:token', async ({ params, request }) => {
      const language = languageOf(request)
      return (await isSetUpOpen(app, params.token)) ? formPage(language) : closedPage(language)
    })
    .post(
      '/:token',
      async ({ params, request, server }) => {
        const refused = refuseForeignForm(request, app.config)
        if (refused) return refused
        const body = readCredentials(await readForm(request))
        try {
          const session = await completeSetUp(app, params.token, { ...body, device: deviceOf(request, server) })
          return redirect(landing, sessionCookies(app, session))
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          const language = languageOf(request)
          return error.code === 'not_found' ? closedPage(language) : formPage(language, body.email, error.message)
        }
      },
      { parse: 'none' },
    )
}

function formPage({ locale, words }: SignInLanguage, email = '', fault?: string): Response {
  const body = html`<p>${words.setUp.how}</p>
${fault && html`<p role="alert"><strong>${fault}</strong></p>`}
<form method="post" class="fields">
<label>${words.login.email}<input name="email" type="email" autocomplete="username" value="${email}" required autofocus></label>
<label>${words.login.newPassword}<input name="password" type="password" autocomplete="new-password" minlength="8" required></label>
<button>${words.setUp.create}</button>
</form>`
  return page({ title: words.setUp.title, body, status: fault ? 422 : 200, locale })
}

function closedPage({ locale, words: { setUp } }: SignInLanguage): Response {
  const body = html`<p>${filled(setUp.closed(slot(0)), html`<a href="/login">${setUp.signsIn}</a>`)}</p>`
  return page({ title: setUp.closedTitle, body, status: 410, locale })
}
