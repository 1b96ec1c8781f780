// The page behind a one-time link. Looking at it changes nothing (mail scanners and previews look); its button does.

import { Elysia } from 'elysia'
import { type App, write } from '../app.ts'
import { AppError } from '../lib/error.ts'
import { html, page } from '../lib/page.ts'
import { refuseForeignOrigin, sessionCookie } from './cookie.ts'
import { isLinkOpen, redeemLink } from './sessions.ts'

export function loginPages(app: App) {
  return new Elysia({ prefix: '/login', detail: { hide: true } })
    .get('/:token', async ({ params }) =>
      (await isLinkOpen(app, params.token, app.clock.now())) ? openPage() : closedPage(),
    )
    .post('/:token', async ({ params, request }) => {
      refuseForeignOrigin(request, app.config)
      const session = await write(app, (tx) => redeemLink(tx, params.token)).catch(nullWhenNotFound)
      if (session === null) return closedPage()
      return new Response(null, { status: 303, headers: { location: '/', 'set-cookie': sessionCookie(session) } })
    })
}

function nullWhenNotFound(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}

function openPage(): Response {
  const body = html`<p>This link works once.</p><form method="post"><button>Sign in</button></form>`
  return page({ title: 'Sign in to Paquebot', body })
}

function closedPage(): Response {
  const body = html`<p>It was used already or is older than a day. A new one comes from the command line:</p>
<p><code>paquebot user login-link --email you@example.com</code></p>`
  return page({ title: 'This link does not work any more', body, status: 410 })
}
