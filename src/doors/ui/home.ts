// The home page: what this is, whether it is healthy, who is signed in, and where to go.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { type Html, html, page } from '../../kit/page.ts'
import { version } from '../../kit/version.ts'
import { toOwnAddress } from '../../people/access/same-site.ts'
import { findRequestSession } from '../../people/access/sessions.ts'
import { hasUsers } from '../../people/access/users.ts'

export function homePage(app: App) {
  return new Elysia({ detail: { hide: true } })
    .onBeforeHandle(({ request }) => toOwnAddress(request, app.config))
    .get('/favicon.svg', iconPage)
    .get('/favicon.ico', iconPage)
    .get('/', async ({ request }) => {
      const session = await findRequestSession(app, request)
      const who = session ? signedIn(session.email) : (await hasUsers(app)) ? signedOut : notSetUp
      return page({ title: 'Paquebot', body: html`${introduction}${modeNotice(app)}${who}${places}` })
    })
}

/** A small ship on the horizon, in the colour of our buttons. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4ed8"/><path fill="#fff" d="M5 19h22l-4 7H9zM10 12h12v5H10zM14 6h4v4h-4z"/></svg>`

const iconPage = () =>
  new Response(icon, { headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' } })

const introduction = html`<p>An e-mail platform on a server of your own: templates and transactional mail, contacts and lists, campaigns,
events, mailboxes and webhooks, over one HTTP API. This one runs version ${version}.</p>\n`

function modeNotice(app: App): Html {
  return app.mailer.kind === 'capture'
    ? html`<p><strong>Capture mode:</strong> no mail leaves this machine. It is shown under <a href="/captured">captured mail</a> until
<code>SMTP_URL</code> or an added relay names a mail server.</p>\n`
    : html`<p>Mail is sent.</p>\n`
}

function signedIn(email: string): Html {
  return html`<form method="post" action="/logout" class="row"><a href="/dashboard">Open the dashboard</a><span>Signed in as ${email}.</span><a href="/passkeys">Your passkeys</a><button class="quiet">Sign out</button></form>\n`
}

const signedOut = html`<p>Not signed in. <a href="/login">Sign in</a></p>\n`

const notSetUp = html`<p>Nobody has an account here yet: <code>paquebot serve</code> printed a link to create the first one.</p>\n`

const places = html`<h2>Where to go</h2>
<ul>
<li><a href="/docs">Documentation</a>, with the <a href="/docs/reference">API reference</a> (also as an <a href="/openapi.json">OpenAPI document</a>)</li>
<li><a href="/readyz">Is it ready?</a> and <a href="/metrics">metrics</a></li>
<li>On the command line: <code>paquebot --help</code></li>
</ul>`
