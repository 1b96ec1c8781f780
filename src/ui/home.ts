// The front door, until the dashboard stands there: says that the server runs and where things are.

import { Elysia } from 'elysia'
import type { App } from '../app.ts'
import { html, page } from '../lib/page.ts'
import { version } from '../lib/version.ts'
import { sessionToken } from '../workspaces/cookie.ts'
import { findSession } from '../workspaces/sessions.ts'

export function homePage(app: App) {
  return new Elysia({ detail: { hide: true } }).get('/', async ({ request }) => {
    const token = sessionToken(request.headers.get('cookie'))
    const session = token === null ? undefined : await findSession(app, token, app.clock.now())
    const captures = app.mailer.kind === 'capture'
    return page({
      title: 'Paquebot is running',
      body: html`<p>Version ${version}. ${captures ? 'Capture mode: mail is kept here and never sent.' : 'Mail is sent through SMTP_URL.'}</p>
<ul>
${captures && html`<li><a href="/captured">Captured mail</a></li>`}
<li><a href="/docs">API reference</a> and <a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/readyz">Is it ready?</a></li>
</ul>
<p>${session ? html`Signed in as ${session.email}.` : html`Not signed in. <code>paquebot user login-link --email …</code> prints a way in.`}</p>`,
    })
  })
}
