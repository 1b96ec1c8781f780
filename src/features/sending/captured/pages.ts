// /captured: the mail kept by capture mode, for signed-in members of its workspace. The mail itself is shown in a sandbox: no scripts, no
// forms.

import { Elysia } from 'elysia'
import type { App } from '../../../core/app.ts'
import { download, downloadAttachment } from '../../../core/http/download.ts'
import { secretPage } from '../../../core/http/surface.ts'
import { contentIdsIn, withAddresses } from '../../../kit/content-id.ts'
import { AppError } from '../../../kit/error.ts'
import { type Html, html, page } from '../../../kit/page.ts'
import { toStream, wholeMail } from '../../../mail/raw-mail.ts'
import { landing, toOwnAddress } from '../../../people/access/same-site.ts'
import { createSessionTouch, findRequestSession } from '../../../people/access/sessions.ts'
import { listMemberships } from '../../../people/access/users.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { type CapturedMail, getCaptured, idOfCaptured } from '../activity/captured.ts'
import { type DatedLine, everyCaptured, searchCaptured } from '../activity/captured-search.ts'

const perPage = 50
/** The mail's own document: images and styles load; no script, no form, no new window. */
const mailPolicy = "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; font-src https:; sandbox"
const framePolicy = "frame-src 'self'"

export function capturedPages(app: App) {
  const touch = createSessionTouch(app)
  /** Shows the mail of the visitor's workspaces; a visitor who is not signed in is asked to, and returns here. */
  const shown = async (request: Request, show: (workspaces: Workspace[]) => Promise<Response>) => {
    const session = await findRequestSession(app, request)
    if (!session) return signInFirst(request)
    touch(session)
    const places = await listMemberships(app, session.userId)
    return await show(places.map(({ workspace }) => workspace))
  }
  type View = (mail: CapturedMail, workspaces: Workspace[]) => Response | Promise<Response>
  const one = (request: Request, id: string, view: View) =>
    shown(request, async (workspaces) => {
      const mail = await getCaptured(app, workspaces.map(idOf), idOfCaptured(id))
      return await view(mail, workspaces)
    })
  return new Elysia({ prefix: '/captured', detail: { hide: true, ...secretPage } })
    .onBeforeHandle(({ request }) => toOwnAddress(request, app.config))
    .get('/', ({ request, query }) => shown(request, (workspaces) => listPage(app, workspaces, query)))
    .get('/:id', ({ request, params }) => one(request, params.id, mailPage))
    .get('/:id/html', ({ request, params }) =>
      one(request, params.id, async (mail) => document(await withPictures(app, mail), 'text/html; charset=utf-8')),
    )
    .get('/:id/source', ({ request, params }) =>
      one(request, params.id, ({ raw }) => document(toStream(raw), 'text/plain; charset=utf-8')),
    )
    .get('/:id/raw', ({ request, params }) =>
      one(request, params.id, ({ raw }) => download(raw, `${params.id}.eml`, 'message/rfc822')),
    )
    .get('/:id/attachments/:number', ({ request, params }) =>
      one(request, params.id, ({ raw }) => downloadAttachment(app, raw, params.number)),
    )
}

const picture = /^image\/[\w.+-]+$/

/** The HTML with the pictures that the mail brings along: a frame without an origin can fetch none of a member. */
async function withPictures({ mailReader }: App, { raw, mail }: CapturedMail): Promise<string> {
  const html = mail.html ?? ''
  const addresses = new Map<string, string>()
  for (const id of contentIdsIn(html)) {
    const index = mail.attachments.findIndex(({ contentId }) => contentId === id)
    const type = mail.attachments[index]?.contentType ?? ''
    const found = picture.test(type) ? await mailReader.attachment(raw, index) : null
    if (found) addresses.set(id, `data:${type};base64,${wholeMail(found.content).toString('base64')}`)
  }
  return withAddresses(html, addresses)
}

function signInFirst(request: Request): Response {
  const { pathname } = new URL(request.url)
  return new Response(null, { status: 303, headers: { location: `/login?to=${pathname}` } })
}

const idOf = ({ id }: Workspace) => id

function document(body: string | ReadableStream<Uint8Array>, contentType: string): Response {
  const headers = {
    'content-type': contentType,
    'content-security-policy': mailPolicy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
  return new Response(body, { headers })
}

/** One workspace at a time: the one in `?workspace=`, else the visitor's first. */
async function listPage(app: App, workspaces: Workspace[], query: Record<string, string>): Promise<Response> {
  const [first] = workspaces
  const workspace = query.workspace === undefined ? first : workspaces.find(({ slug }) => slug === query.workspace)
  if (!workspace) throw new AppError('not_found', 'There is no such workspace.')
  const before = /^\d{1,15}$/.test(query.before ?? '') ? Number(query.before) : undefined
  const { lines, next } = await searchCaptured(app, workspace.id, everyCaptured, { before, limit: perPage })
  const body = html`<p>${inDashboard(workspace, '')}</p>
${workspaces.length > 1 && chooser(workspaces, workspace)}${lines.length === 0 ? nothing(app) : table(lines)}${
  next && html`<p><a href="/captured?workspace=${workspace.slug}&before=${next}">Older</a></p>`
}`
  return page({ title: 'Captured mail', body, wide: true })
}

function chooser(workspaces: Workspace[], chosen: Workspace): Html {
  const links = workspaces.map(
    ({ slug, name }) =>
      html`<li><a href="/captured?workspace=${slug}"${slug === chosen.slug && html` aria-current="page"`}>${name}</a></li>`,
  )
  return html`<nav aria-label="Workspaces"><ul class="row">${links}</ul></nav>\n`
}

function nothing(app: App): Html {
  return html`<p>${app.mailer.kind === 'capture' ? 'Nothing yet. Send a mail and reload.' : 'Mail is sent, so only mail to simulated addresses is captured.'}</p>`
}

function table(mails: DatedLine[]): Html {
  const rows = mails.map(
    ({ id, createdAt, to, subject }) => html`<tr>
<td>${stamp(createdAt)}</td><td>${address(to)}</td><td><a href="/captured/${id}">${subject || '(no subject)'}</a></td></tr>`,
  )
  return html`<table class="stacked"><thead><tr><th>Captured</th><th>To</th><th>Subject</th></tr></thead><tbody>${rows}</tbody></table>`
}

/** The same in the dashboard, where the rest of it is. */
function inDashboard({ slug }: Workspace, path: string): Html {
  return html`<a href="${landing}/${slug}/captured${path}">Open in the dashboard</a>`
}

function mailPage({ row, mail }: CapturedMail, workspaces: Workspace[]): Response {
  const workspace = workspaces.find(({ id }) => id === row.workspaceId)
  const attachments = mail.attachments.map(
    ({ filename, contentType, sizeBytes }) => `${filename ?? 'unnamed'} (${contentType}, ${sizeBytes} bytes)`,
  )
  const body = html`<p><a href="/captured">All captured mail</a>${workspace && html` · ${inDashboard(workspace, `/${row.id}`)}`}</p>
<table><tbody>
<tr><th>From</th><td>${address(mail.from)}</td></tr>
<tr><th>To</th><td>${address(mail.to)}</td></tr>
<tr><th>Captured</th><td>${stamp(row.createdAt)}</td></tr>
<tr><th>Message-ID</th><td>${row.messageIdHeader}</td></tr>
${attachments.length > 0 && html`<tr><th>Attachments</th><td>${attachments.join(', ')}</td></tr>`}
</tbody></table>
<p><a href="/captured/${row.id}/html">HTML alone</a> · <a href="/captured/${row.id}/source">Source</a></p>
<fieldset><legend>Shown as wide as</legend>
<label><input type="radio" name="width" checked> the page</label>
<label><input type="radio" name="width" id="as-phone"> a phone (390 px)</label></fieldset>
<iframe title="The HTML part" src="/captured/${row.id}/html" sandbox></iframe>
<h2>Text part</h2>
<pre>${mail.text ?? ''}</pre>`
  return page({ title: mail.subject || '(no subject)', body, wide: true, extraPolicy: framePolicy })
}

/** An address may break after its parts, not within a word. */
function address(text: string): Html[] {
  return text.split(/(?<=[@.])/).map((part) => html`${part}<wbr>`)
}

function stamp(at: Date): string {
  return at.toISOString().replace('T', ' ').slice(0, 19)
}
