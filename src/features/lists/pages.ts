// The public pages: confirm, unsubscribe, preference centre. Rendered on the server, without scripts. GET never changes anything, because
// programs open links too; POST does. A one-click POST by a mail client (RFC 8058) is answered without cookie and without redirect.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { readForm } from '../../core/http/form.ts'
import { openPage } from '../../core/http/surface.ts'
import { type Html, html, type Page, page } from '../../kit/page.ts'
import type { Workspace } from '../../people/workspaces.ts'
import type { Evidence } from '../contacts/consent/ledger.ts'
import { loadPreferences, type Preferences, setPreferences, unsubscribe } from '../contacts/consent/preferences.ts'
import {
  openForwarded,
  openUnsubscribe,
  sealUnsubscribe,
  type UnsubscribeClaim,
} from '../contacts/consent/unsubscribe-link.ts'
import { noteIfUnknown } from '../sending/activity/unknown-mails.ts'
import { type Click, createClick, seeOther } from './click.ts'
import { answerConfirmation, type Confirmation, findConfirmation, resendFromPage } from './confirm.ts'
import { forwardOneClick, toMoved, toMovedConfirmation } from './moved-links.ts'
import { pageBrand } from './page-brand.ts'
import { type Words, wordsFor } from './wording.ts'

interface PageRequest {
  request: Request
  params: { token: string }
}

export function listPages(app: App) {
  const clickOf = createClick(app)
  return new Elysia({ detail: { hide: true, ...openPage } })
    .get('/confirm/:token', async ({ params: { token } }) => {
      return (await toMovedConfirmation(app, token)) ?? (await confirmPage(app, token))
    })
    .post(
      '/confirm/:token',
      async ({ params, request, server }) =>
        (await toMovedConfirmation(app, params.token)) ??
        (await confirm(app, { params, request }, clickOf({ request, server }))),
      { parse: 'none' },
    )
    .post(
      '/confirm/:token/resend',
      async ({ params: { token }, request, server }) =>
        (await toMovedConfirmation(app, token, '/resend')) ?? (await resend(app, token, clickOf({ request, server }))),
      { parse: 'none' },
    )
    .get('/u/:token', async ({ params: { token } }) => {
      return (await toMoved(app, 'u', token)) ?? (await unsubscribePage(app, token))
    })
    .post('/u/:token', ({ params, request, server }) => leave(app, { params, request }, clickOf({ request, server })), {
      parse: 'none',
    })
    .get('/preferences/:token', async ({ params: { token } }) => {
      return (await toMoved(app, 'preferences', token)) ?? (await preferencesPage(app, token))
    })
    .post(
      '/preferences/:token',
      async ({ params, request, server }) =>
        (await toMoved(app, 'preferences', params.token)) ??
        (await save(app, { params, request }, clickOf({ request, server }))),
      { parse: 'none' },
    )
}

function companyName(workspace: Workspace): string {
  return workspace.brand.companyName ?? workspace.name
}

/** A page in the language and brand of the workspace. */
function branded(
  app: App,
  workspace: Workspace,
  words: Words,
  title: string,
  body: Html,
  more: Partial<Page> = {},
): Response {
  return page({ title, body, locale: words.locale, brand: pageBrand(app, workspace), ...more })
}

function unknownPage(): Response {
  const words = wordsFor('en')
  return page({ title: words.unknownTitle, body: html`<p>${words.unknownText}</p>`, status: 404 })
}

async function confirmPage(app: App, token: string): Promise<Response> {
  const found = await findConfirmation(app, token, app.clock.now())
  return found ? await showConfirmation(app, found) : unknownPage()
}

async function showConfirmation(app: App, found: Confirmation): Promise<Response> {
  const { workspace, contact, lists, state } = found
  const words = wordsFor(contact.locale, workspace.primaryLocale)
  if (state === 'confirmed') return await subscribedPage(app, found, words)
  if (state === 'rejected')
    return branded(app, workspace, words, words.rejectedTitle, html`<p>${words.rejectedText}</p>`)
  if (state === 'expired') {
    const body = html`<p>${words.expiredText}</p>
<form method="post" action="/confirm/${found.token}/resend"><button>${words.resend}</button></form>`
    return branded(app, workspace, words, words.expiredTitle, body, { status: 410 })
  }
  const body = html`<p>${words.confirmAsk(companyName(workspace))}</p>
<ul>${lists.map((list) => html`<li>${list.name}${list.description && html`<small>${list.description}</small>`}</li>`)}</ul>
<form method="post" class="row"><button name="answer" value="confirm">${words.confirm}</button>
<button name="answer" value="reject" class="quiet">${words.reject}</button></form>`
  return branded(app, workspace, words, words.confirmTitle, body, { leadsTo: found.source?.redirectUrl })
}

/** What was done, and where one can go from here. */
async function subscribedPage(app: App, { workspace, contact }: Confirmation, words: Words): Promise<Response> {
  const claim = { workspaceId: workspace.id, contactId: contact.id, mailingListId: null, messageId: null }
  const { website } = workspace.brand
  const body = html`<p>${words.confirmedText}</p>
<p><a href="/preferences/${await sealUnsubscribe(app, claim)}">${words.preferences}</a></p>
${website && html`<p><a href="${website}">${words.website(companyName(workspace))}</a></p>`}`
  return branded(app, workspace, words, words.confirmedTitle, body)
}

async function confirm(app: App, { request, params }: PageRequest, click: Click): Promise<Response> {
  const answer = (await readForm(request)).get('answer')
  if (answer !== 'confirm' && answer !== 'reject') return notDone(await confirmPage(app, params.token))
  const found = await answerConfirmation(app, params.token, answer, click)
  if (!found) return unknownPage()
  const target = found.source?.redirectUrl
  if (answer === 'confirm' && found.state === 'confirmed' && target) return seeOther(target)
  return await showConfirmation(app, found)
}

/** The page again, with a status that says that the request had no effect. */
function notDone(again: Response): Response {
  return again.ok ? new Response(again.body, { status: 422, headers: again.headers }) : again
}

async function resend(app: App, token: string, { ip }: Click): Promise<Response> {
  const found = await findConfirmation(app, token, app.clock.now())
  if (!found) return unknownPage()
  if (found.state !== 'expired') return await showConfirmation(app, found)
  await resendFromPage(app, found, ip)
  const words = wordsFor(found.contact.locale, found.workspace.primaryLocale)
  return branded(app, found.workspace, words, words.resentTitle, html`<p>${words.resentText}</p>`)
}

interface Entered {
  claim: UnsubscribeClaim
  preferences: Preferences
  words: Words
}

/** Null for a link that was invented or edited. */
async function enter(app: App, token: string): Promise<Entered | null> {
  const claim = (await openUnsubscribe(app, token)) ?? (await openForwarded(app, token))
  if (!claim) return null
  if (claim.messageId !== null) await noteIfUnknown(app, claim.messageId)
  const preferences = await loadPreferences(app, claim)
  return { claim, preferences, words: wordsFor(preferences.contact?.locale, preferences.workspace.primaryLocale) }
}

async function unsubscribePage(app: App, token: string): Promise<Response> {
  const entered = await enter(app, token)
  if (!entered) return unknownPage()
  const { preferences, words } = entered
  if (isDone(entered)) return leftPage(app, token, entered)
  const { workspace, list } = preferences
  const company = companyName(workspace)
  const body = html`<p>${list ? words.unsubscribeAsk(list.name) : words.unsubscribeAllAsk(company)}</p>
<form method="post" class="row"><button name="from" value="${list ? 'list' : 'all'}">${words.unsubscribe}</button>
${list && html`<button name="from" value="all" class="quiet">${words.unsubscribeAll}</button>`}</form>
<p><a href="/preferences/${token}">${words.preferences}</a></p>`
  return branded(app, workspace, words, words.unsubscribeTitle, body)
}

/** Nothing that the link names is sent any more, so the page must not ask whether to unsubscribe. */
function isDone({ preferences: { contact, list, isOnList } }: Entered): boolean {
  return contact === null || !contact.subscribed || (list !== null && !isOnList)
}

/** What was done, what else can be done, and how to undo it. */
function leftPage(app: App, token: string, { preferences, words }: Entered): Response {
  const { workspace, contact } = preferences
  const body = html`<p>${words.unsubscribedText(companyName(workspace))}</p>
${contact && html`<p><a href="/preferences/${token}">${words.preferences}</a></p>`}
${contact?.subscribed && html`<form method="post" class="row"><button name="from" value="all" class="quiet">${words.unsubscribeAll}</button></form>`}`
  return branded(app, workspace, words, words.unsubscribedTitle, body)
}

async function leave(app: App, { request, params }: PageRequest, click: Click): Promise<Response> {
  const form = await readForm(request)
  const oneClick = form.get('List-Unsubscribe') === 'One-Click'
  const from = form.get('from')
  if (!oneClick) {
    const moved = await toMoved(app, 'u', params.token)
    if (moved) return moved
  }
  if (!oneClick && from !== 'list' && from !== 'all') return notDone(await unsubscribePage(app, params.token))
  if (oneClick) await forwardOneClick(app, params.token)
  const entered = await enter(app, params.token)
  if (!entered) return unknownPage()
  const evidence: Evidence = { method: oneClick ? 'one_click' : 'unsubscribe_page', ...click }
  await unsubscribe(app, entered.claim, evidence, from === 'all' ? 'all' : 'list')
  return leftPage(app, params.token, (await enter(app, params.token)) ?? entered)
}

async function preferencesPage(app: App, token: string): Promise<Response> {
  const entered = await enter(app, token)
  if (!entered?.preferences.contact) return unknownPage()
  const { preferences, words } = entered
  const { workspace, contact, choices } = preferences
  const boxes = choices.map(
    ({ list, on }) => html`<li><label><input type="checkbox" name="list" value="${list.id}"${on && html` checked`}>
<span>${list.name}${list.description && html`<small>${list.description}</small>`}</span></label></li>`,
  )
  const body = html`<p>${words.preferencesAsk(contact?.email ?? '')}</p>
<form method="post">
${choices.length > 0 ? html`<ul class="choices">${boxes}</ul>` : html`<p>${words.noLists}</p>`}
<p class="row"><button name="do" value="save">${words.save}</button>
<button name="do" value="none" class="quiet">${words.unsubscribeAll}</button></p>
</form>`
  return branded(app, workspace, words, words.preferencesTitle, body)
}

async function save(app: App, { request, params }: PageRequest, click: Click): Promise<Response> {
  const form = await readForm(request)
  const act = form.get('do')
  if (act !== 'save' && act !== 'none') return notDone(await preferencesPage(app, params.token))
  const entered = await enter(app, params.token)
  if (!entered?.preferences.contact) return unknownPage()
  const { claim, preferences, words } = entered
  const wanted = act === 'save' ? form.getAll('list') : []
  await setPreferences(app, claim, { method: 'preferences_page', ...click }, wanted)
  const body = html`<p>${words.savedText}</p><p><a href="/preferences/${params.token}">${words.back}</a></p>`
  return branded(app, preferences.workspace, words, words.savedTitle, body)
}
