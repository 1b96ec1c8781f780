// /captured: what capture mode kept, for the person at this machine. It shows whole mails, so it is open only to a browser on
// the same machine that names this machine, or to a signed-in member. The mail itself is shown in a sandbox: no script, no form.

import { Elysia } from 'elysia'
import type { App } from '../app.ts'
import { createClientIp, type PeerSource } from '../http/client-ip.ts'
import { AppError } from '../lib/error.ts'
import { html, page } from '../lib/page.ts'
import { sessionToken } from '../workspaces/cookie.ts'
import { findSession } from '../workspaces/sessions.ts'
import { type CapturedMail, getCaptured, listCaptured } from './captured.ts'

const perPage = 50
/** The mail's own document: pictures and styles may load, nothing runs, nothing is posted, no window is opened. */
const mailPolicy =
  "default-src 'none'; img-src https: http: data: cid:; style-src 'unsafe-inline'; font-src https:; sandbox"
const framePolicy = "frame-src 'self'"
const loopback = /^(127\.\d+\.\d+\.\d+|::1)$/
const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

export function capturedPages(app: App) {
  const clientIp = createClientIp(app.config.trustedProxies)
  const admit = async (request: Request, server: PeerSource | null) => {
    if (isLocal(request, clientIp(request, server))) return
    const token = sessionToken(request.headers.get('cookie'))
    if (token !== null && (await findSession(app, token, app.clock.now()))) return
    throw new AppError('unauthorized', 'Captured mail is shown on this machine, or to a signed-in member.')
  }
  return new Elysia({ prefix: '/captured', detail: { hide: true } })
    .get('/', async ({ request, server, query }) => {
      await admit(request, server)
      const before = /^\d{1,15}$/.test(query.before ?? '') ? { before: Number(query.before) } : {}
      return listPage(app, await listCaptured(app, { ...before, limit: perPage }))
    })
    .get('/:id', async ({ request, server, params }) => {
      await admit(request, server)
      return mailPage(await getCaptured(app, idOf(params.id)))
    })
    .get('/:id/html', async ({ request, server, params }) => {
      await admit(request, server)
      const { mail } = await getCaptured(app, idOf(params.id))
      return document(mail.html ?? '', 'text/html; charset=utf-8')
    })
    .get('/:id/source', async ({ request, server, params }) => {
      await admit(request, server)
      const { row } = await getCaptured(app, idOf(params.id))
      return document(new Uint8Array(row.raw), 'text/plain; charset=utf-8')
    })
}

/** A request of this very machine that names it: a page elsewhere cannot make the browser ask under a name of its own. */
function isLocal(request: Request, address: string): boolean {
  return (
    loopback.test(address) &&
    localHost.test(request.headers.get('host') ?? '') &&
    !request.headers.has('x-forwarded-for')
  )
}

function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new AppError('not_found', 'no such captured mail')
  return Number(text)
}

function document(body: string | Uint8Array<ArrayBuffer>, contentType: string): Response {
  const headers = {
    'content-type': contentType,
    'content-security-policy': mailPolicy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
  return new Response(body, { headers })
}

function listPage(app: App, mails: CapturedMail[]): Response {
  const last = mails.length === perPage ? mails.at(-1) : undefined
  const body =
    mails.length === 0
      ? html`<p>${app.mailer.kind === 'capture' ? 'Nothing yet. Send a mail and reload.' : 'SMTP_URL is set, so mail is sent and not captured.'}</p>`
      : html`<table><thead><tr><th>Captured</th><th>To</th><th>Subject</th></tr></thead><tbody>${mails.map(
          ({ row, mail }) => html`<tr>
<td>${stamp(row.createdAt)}</td><td>${row.envelopeTo}</td><td><a href="/captured/${row.id}">${mail.subject || '(no subject)'}</a></td></tr>`,
        )}</tbody></table>${last && html`<p><a href="/captured?before=${last.row.id}">Older</a></p>`}`
  return page({ title: 'Captured mail', body, wide: true })
}

function mailPage({ row, mail }: CapturedMail): Response {
  const attachments = mail.attachments.map(
    ({ filename, contentType, content }) => `${filename ?? 'unnamed'} (${contentType}, ${content.length} bytes)`,
  )
  const body = html`<p><a href="/captured">All captured mail</a></p>
<table><tbody>
<tr><th>From</th><td>${mail.from}</td></tr>
<tr><th>To</th><td>${mail.to}</td></tr>
<tr><th>Captured</th><td>${stamp(row.createdAt)}</td></tr>
<tr><th>Message-ID</th><td>${row.messageIdHeader}</td></tr>
${attachments.length > 0 && html`<tr><th>Attachments</th><td>${attachments.join(', ')}</td></tr>`}
</tbody></table>
<p><a href="/captured/${row.id}/html">HTML alone</a> · <a href="/captured/${row.id}/source">Source</a></p>
<iframe title="The HTML part" src="/captured/${row.id}/html" sandbox></iframe>
<h2>Text part</h2>
<pre>${mail.text ?? ''}</pre>`
  return page({ title: mail.subject || '(no subject)', body, wide: true, extraPolicy: framePolicy })
}

function stamp(at: Date): string {
  return at.toISOString().replace('T', ' ').slice(0, 19)
}
