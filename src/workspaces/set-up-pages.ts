// The page behind the set-up link that `paquebot serve` prints on an empty database.

import { Elysia, t } from 'elysia'
import type { App } from '../app.ts'
import { AppError } from '../lib/error.ts'
import { html, page } from '../lib/page.ts'
import { refuseForeignOrigin, sessionCookie } from './cookie.ts'
import { completeSetUp, isSetUpOpen } from './set-up.ts'

export function setUpPages(app: App) {
  return new Elysia({ prefix: '/setup', detail: { hide: true } })
    .get('/:token', async ({ params }) => ((await isSetUpOpen(app, params.token)) ? formPage() : closedPage()))
    .post(
      '/:token',
      async ({ params, body, request }) => {
        refuseForeignOrigin(request, app.config)
        try {
          const session = await completeSetUp(app, params.token, body)
          return new Response(null, { status: 303, headers: { location: '/', 'set-cookie': sessionCookie(session) } })
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          return error.code === 'not_found' ? closedPage() : formPage(error.message)
        }
      },
      { parse: 'urlencoded', body: t.Object({ email: t.String(), password: t.String() }) },
    )
}

function formPage(fault?: string): Response {
  const body = html`<p>Make the first account of this installation.</p>
${fault && html`<p role="alert"><strong>${fault}</strong></p>`}
<form method="post">
<p><label>E-mail address<br><input name="email" type="email" autocomplete="username" required></label></p>
<p><label>Password, at least 8 characters<br><input name="password" type="password" autocomplete="new-password" minlength="8" required></label></p>
<button>Create the account</button>
</form>`
  return page({ title: 'Welcome to Paquebot', body, status: fault ? 422 : 200 })
}

function closedPage(): Response {
  const body = html`<p>This link was used already, or the server was started again and printed a newer one.</p>`
  return page({ title: 'This link does not work any more', body, status: 410 })
}
