// The page behind the set-up link that `paquebot serve` prints on an empty database.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { createDeviceOf } from '../../core/http/client-ip.ts'
import { readForm } from '../../core/http/form.ts'
import { openPage } from '../../core/http/surface.ts'
import { AppError } from '../../kit/error.ts'
import { html, page } from '../../kit/page.ts'
import { redirect, sessionCookies } from '../access/cookie.ts'
import { landing, refuseForeignForm, toOwnAddress } from '../access/same-site.ts'
import { readCredentials } from './credentials-form.ts'
import { completeSetUp, isSetUpOpen } from './set-up.ts'

export function setUpPages(app: App) {
  const deviceOf = createDeviceOf(app.config.trustedProxies)
  return new Elysia({ prefix: '/setup', detail: { hide: true, ...openPage } })
    .onBeforeHandle(({ request }) => toOwnAddress(request, app.config))
    .get('/:token', async ({ params }) => ((await isSetUpOpen(app, params.token)) ? formPage() : closedPage()))
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
          return error.code === 'not_found' ? closedPage() : formPage(body.email, error.message)
        }
      },
      { parse: 'none' },
    )
}

function formPage(email = '', fault?: string): Response {
  const body = html`<p>Create the first account of this installation.</p>
${fault && html`<p role="alert"><strong>${fault}</strong></p>`}
<form method="post" class="fields">
<label>E-mail address<input name="email" type="email" autocomplete="username" value="${email}" required autofocus></label>
<label>Password, at least 8 characters<input name="password" type="password" autocomplete="new-password" minlength="8" required></label>
<button>Create the account</button>
</form>`
  return page({ title: 'Welcome to Paquebot', body, status: fault ? 422 : 200 })
}

function closedPage(): Response {
  const body = html`<p>This link was already used, or the server was restarted and printed a newer one. Who has an
account <a href="/login">signs in here</a>.</p>`
  return page({ title: 'This link no longer works', body, status: 410 })
}
