// The form of a source for pages without a script, shown here or copied into a page among the source's origins. The answer is our page, or
// the one that the source names, and is the same whether the address is known, unknown or suppressed.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { readForm } from '../../core/http/form.ts'
import { servedAt } from '../../core/http/served-at.ts'
import { openPage } from '../../core/http/surface.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { type Html, html, page } from '../../kit/page.ts'
import { mustBeOpen } from '../../people/suspension.ts'
import { getWorkspace, type Workspace } from '../../people/workspaces.ts'
import { createClick, readLocale, seeOther } from './click.ts'
import { checkGuards, formAge, newChallenge, seenNow } from './guards.ts'
import { pageBrand } from './page-brand.ts'
import { noGuards, openSource, type Source } from './sources.ts'
import { acceptVisitor, ofVisitor } from './visitor.ts'
import { type Words, wordsFor } from './wording.ts'

interface FormRequest {
  request: Request
  params: { sourceId: string }
}

export function formPages(app: App) {
  const clickOf = createClick(app)
  return new Elysia({ prefix: '/f', detail: { hide: true, ...openPage } })
    .get('/:sourceId', ({ params, request }) => showForm(app, params.sourceId, request))
    .post('/:sourceId', ({ params, request, server }) => take(app, { params, request }, clickOf({ request, server })), {
      parse: 'none',
    })
    .get('/:sourceId/challenge', ({ params, request }) => challenge(app, params.sourceId, request))
}

async function showForm(app: App, sourceId: string, request: Request): Promise<Response> {
  const opened = await open(app, sourceId, request)
  // Work needs a script, which this page does not have.
  if (opened === null || opened.source.guards?.proofOfWork) return unknown()
  return formPage(opened, { at: servedAt(request, app.config), email: '', seen: seenNow(app, sourceId), note: null })
}

interface Opened {
  app: App
  source: Source
  workspace: Workspace
  words: Words
}

/** Null for one that is not open to visitors: it names the origins that it is open to. */
async function open(app: App, sourceId: string, request: Request): Promise<Opened | null> {
  const source = await openSource(app, sourceId)
  if (!source?.active || source.allowedOrigins.length === 0) return null
  const workspace = await getWorkspace(app, source.workspaceId)
  mustBeOpen(workspace)
  return { app, source, workspace, words: wordsFor(readLocale(request), workspace.primaryLocale) }
}

function branded({ app, source, workspace, words }: Opened, title: string, body: Html, status = 200): Response {
  const brand = pageBrand(app, workspace)
  return page({ title, body, status, locale: words.locale, brand, leadsTo: source.formRedirectUrl })
}

function unknown(): Response {
  const words = wordsFor('en')
  return page({ title: words.unknownTitle, body: html`<p>${words.unknownText}</p>`, status: 404 })
}

interface FormState {
  /** Where it is shown: the policy of the page allows to post there only. */
  at: string
  email: string
  seen: string
  note: string | null
}

function formPage(opened: Opened, { at, email, seen, note }: FormState): Response {
  const { source, words } = opened
  const { honeypot } = source.guards ?? noGuards
  const trap =
    honeypot === null ? '' : html`<div hidden><input name="${honeypot}" tabindex="-1" autocomplete="off"></div>`
  const body = html`${note && html`<p role="alert">${note}</p>`}<form method="post" action="${at}/f/${source.id}">
<p><label>${words.formEmail} <input type="email" name="email" value="${email}" required autocomplete="email"></label></p>
${source.consentText && html`<p>${source.consentText}</p>`}${trap}<input type="hidden" name="seen" value="${seen}">
<button>${words.formSend}</button></form>`
  return branded(opened, words.formTitle, body, note === null ? 200 : 422)
}

async function take(
  app: App,
  { request, params }: FormRequest,
  click: ReturnType<ReturnType<typeof createClick>>,
): Promise<Response> {
  const opened = await open(app, params.sourceId, request)
  if (opened === null || !isFrom(app, opened.source, request)) return unknown()
  const { source, workspace, words } = opened
  const form = await readForm(request)
  const field = (name: string | null) => (name === null ? '' : (form.get(name) ?? ''))
  const email = field('email').slice(0, 320)
  const given = { honeypot: field(source.guards?.honeypot ?? null), seen: field('seen'), altcha: field('altcha') }
  const address = parseAddress(email)
  const seen = formAge(app, source.id, given.seen) === null ? seenNow(app, source.id) : given.seen
  if (!address.ok) return formPage(opened, { at: servedAt(request, app.config), email, seen, note: words.formInvalid })
  const verdict = await checkGuards(app, source, given)
  if (verdict === 'no_work') return branded(opened, words.formTitle, html`<p role="alert">${words.formAgain}</p>`, 422)
  if (verdict === 'early')
    return formPage(opened, { at: servedAt(request, app.config), email, seen, note: words.formAgain })
  if (verdict === 'passed') {
    const own = ['firstName', 'lastName', 'locale', 'timezone'].map((name) => [name, field(name).slice(0, 200)])
    const fields = {
      ...Object.fromEntries(own.filter(([, value]) => value !== '')),
      email: address.address,
      properties: {},
    }
    const now = app.clock.now()
    const consent = { ...click, url: request.headers.get('referer')?.slice(0, 500) ?? null, givenAt: now }
    const wish = {
      fields,
      by: { kind: 'visitor' as const, id: source.id },
      sourceId: source.id,
      mailingListIds: [],
      consent,
    }
    await acceptVisitor(
      app,
      workspace,
      ofVisitor(wish, { sourceId: source.id, seen: click, locale: readLocale(request), now }),
      { key: null, body: null },
    )
  }
  if (source.formRedirectUrl !== null) return seeOther(source.formRedirectUrl)
  return branded(opened, words.formSentTitle, html`<p>${words.formSentText}</p>`)
}

/** Our own page, or one of an origin that the source names. */
function isFrom(app: App, { allowedOrigins }: Source, request: Request): boolean {
  const origin = request.headers.get('origin')
  return (
    origin !== null && (origin === new URL(servedAt(request, app.config)).origin || allowedOrigins.includes(origin))
  )
}

async function challenge(app: App, sourceId: string, request: Request): Promise<Response> {
  const opened = await open(app, sourceId, request)
  if (opened === null) return unknown()
  const origin = request.headers.get('origin')
  const isOurs = origin !== null && opened.source.allowedOrigins.includes(origin)
  const headers = {
    'cache-control': 'no-store',
    vary: 'Origin',
    ...(isOurs ? { 'access-control-allow-origin': origin } : {}),
  }
  return Response.json({ ...newChallenge(app, sourceId), seen: seenNow(app, sourceId) }, { headers })
}
