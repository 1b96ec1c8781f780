// The page of a mailed link: what would leave, and a form that decides. Looking at it changes nothing, whoever looks: mail scanners open links,
// and nothing is ticked for them.

import { Elysia } from 'elysia'
import type { PageWords } from '../../../../languages/generated/said-by-server.ts'
import { pageWordsFor } from '../../../../languages/said-by-server.ts'
import type { App } from '../../../core/app.ts'
import { readForm } from '../../../core/http/form.ts'
import { wantedLanguages } from '../../../core/http/language.ts'
import { openPage } from '../../../core/http/surface.ts'
import { type Html, html, page } from '../../../kit/page.ts'
import { visible } from '../../../kit/visible.ts'
import { refuseForeignForm, toOwnAddress } from '../../../people/access/same-site.ts'
import { approvalsUrl } from '../../../people/members/approval-mail.ts'
import type { Decided } from './decide.ts'
import { findLink, type Listed, listLinked, type OpenLink, stopMails, useLink } from './links.ts'

interface Language {
  locale: string
  words: PageWords['approve']
}

export function approvalLinkPages(app: App) {
  const { config } = app
  return new Elysia({ prefix: '/approve', detail: { hide: true, ...openPage } })
    .onBeforeHandle(({ request }) => toOwnAddress(request, config))
    .get('/:token', async ({ params: { token }, request }) => {
      const language = languageOf(request)
      const link = await findLink(app, token, app.clock.now())
      return link ? await listPage(app, link, language) : closedPage(language)
    })
    .post(
      '/:token',
      async ({ params: { token }, request }) => {
        const refused = refuseForeignForm(request, config)
        if (refused) return refused
        const form = await readForm(request)
        return await answer(
          app,
          { token, language: languageOf(request) },
          { does: form.get('do'), yes: form.getAll('yes') },
        )
      },
      { parse: 'none' },
    )
}

async function answer(
  app: App,
  { token, language }: { token: string; language: Language },
  { does, yes }: { does: string | null; yes: string[] },
): Promise<Response> {
  const link = await findLink(app, token, app.clock.now())
  if (!link) return closedPage(language)
  if (does === 'stop') {
    await stopMails(app, link)
    return stoppedPage(app, link, language)
  }
  const approve = yes.filter((id) => link.row.approvals.some((one) => one.id === id))
  if (does !== 'refuse' && (does !== 'approve' || approve.length === 0))
    return await listPage(app, link, language, true)
  const listed = await listLinked(app, link)
  const done = await useLink(app, token, does === 'refuse' ? 'refuse' : { approve })
  return done ? donePage(app, { link, listed, results: done }, language) : closedPage(language)
}

function languageOf(request: Request): Language {
  const { locale, words } = pageWordsFor(wantedLanguages(request.headers))
  return { locale, words: words.approve }
}

async function listPage(app: App, link: OpenLink, { locale, words }: Language, isUnticked = false): Promise<Response> {
  const { workspace, person } = link
  const listed = await listLinked(app, link)
  const open = listed.some(isOpen)
  const body = html`<p>${words.ask({ workspace: workspace.name, email: person.email })}</p>
${isUnticked && html`<p role="alert"><strong>${words.nothing}</strong></p>`}
<form method="post"><ul class="choices">${listed.map((one) => entry(one, words))}</ul>
${open && html`<p><button name="do" value="approve">${words.approve}</button> <button name="do" value="refuse" class="quiet">${words.refuse}</button></p>`}
<p><button name="do" value="stop" class="quiet">${words.stop}</button></p></form>
${toDashboard(app, link, words)}`
  return page({ title: words.title, body, status: isUnticked ? 422 : 200, locale, wide: true })
}

const isOpen = ({ seen, now }: Listed) => now?.status === 'waiting' && now.contentHash === seen.contentHash

function entry(listed: Listed, words: Language['words']): Html {
  const { seen, now } = listed
  if (now === null) return html`<li><p>${words.gone}</p></li>`
  return html`<li>${heading(now, words)}
${isOpen(listed) ? whatLeaves(now, words) : html`<p><strong>${whyNot(now, words)}</strong></p>`}
${isOpen(listed) && html`<p><label><input type="checkbox" name="yes" value="${seen.id}"> ${words.tick}</label></p>`}</li>`
}

type Now = NonNullable<Listed['now']>

function heading({ kind, subject, name, to, author }: Now, words: Language['words']): Html {
  return html`<h2>${visible(kind === 'action' ? `${subject}: ${name}` : subject)}</h2>
${to !== null && html`<p>${words.to(to)}</p>`}${author?.name && html`<small>${words.by(visible(author.name))}</small>`}`
}

/** All of it, as text: a yes is a yes to everything here. */
function whatLeaves({ written, repliesTo, action }: Now, words: Language['words']): Html {
  return html`${action && html`<p>${words.call}</p><pre>${visible(JSON.stringify(action.input, null, 2))}</pre>`}
${written.map((text) => html`<pre>${visible(text)}</pre>`)}
${repliesTo && html`<p><small>${words.answers}</small></p><pre>${visible(repliesTo.text)}</pre>`}`
}

function whyNot({ status, decidedBy }: Now, words: Language['words']): string {
  if (status === 'waiting') return words.changed
  if (status === 'withdrawn') return words.withdrawn
  const person = decidedBy?.name ?? decidedBy?.id ?? ''
  return status === 'approved' ? words.approvedBy(person) : words.refusedBy(person)
}

function donePage(
  app: App,
  { link, listed, results }: { link: OpenLink; listed: Listed[]; results: Decided[] },
  { locale, words }: Language,
): Response {
  const lines = results.map(({ id, approval, error }) => {
    const now = listed.find(({ seen }) => seen.id === id)?.now ?? null
    const outcome =
      error === null ? (approval?.status === 'approved' ? words.approved : words.refused) : whyNotDone(error, words)
    return html`<li>${now && heading(now, words)}<p><strong>${outcome}</strong></p></li>`
  })
  const body = html`<ul class="choices">${lines}</ul>
${toDashboard(app, link, words)}`
  return page({ title: words.doneTitle, body, locale, wide: true })
}

function whyNotDone({ code, message }: NonNullable<Decided['error']>, words: Language['words']): string {
  return code === 'revision_mismatch' ? words.changed : words.notDone(message)
}

function stoppedPage(app: App, link: OpenLink, { locale, words }: Language): Response {
  const body = html`<p>${words.stopped(link.workspace.name)}</p>
${toDashboard(app, link, words)}`
  return page({ title: words.stoppedTitle, body, locale })
}

function toDashboard({ config }: App, { workspace }: OpenLink, words: Language['words']): Html {
  return html`<p><a href="${approvalsUrl(config, workspace.slug)}">${words.dashboard}</a></p>`
}

function closedPage({ locale, words }: Language): Response {
  return page({ title: words.closedTitle, body: html`<p>${words.closed}</p>`, status: 410, locale })
}
