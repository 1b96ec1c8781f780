// The public archive of a list: its letters, newest first, each as a page of its own, and an Atom feed (RFC 4287).

import { Elysia } from 'elysia'
import type { App } from '../../../core/app.ts'
import { openPage } from '../../../core/http/surface.ts'
import { html, page } from '../../../kit/page.ts'
import { readLocale } from '../../lists/click.ts'
import { pageBrand } from '../../lists/page-brand.ts'
import { type Words, wordsFor } from '../../lists/wording.ts'
import { mailHeaders } from '../../sending/view-page.ts'
import { archiveUrl, findLetter, findPublicList, listLetters, type PublicLetter, type PublicList } from './letters.ts'

const perPage = 50
const inFeed = 20
/** A letter that was sent does not change; a new one is seen after so long. */
const cached = { 'cache-control': 'public, max-age=300', vary: 'accept-language' }

export function archivePages(app: App) {
  return new Elysia({ prefix: '/archive', detail: { hide: true, ...openPage } })
    .get('/:listId', ({ params, query, request }) => listPage(app, params.listId, query['before'], request))
    .get('/:listId/feed.xml', ({ params, request }) => feed(app, params.listId, request))
    .get('/:listId/:campaignId', ({ params, request }) => letterPage(app, params, request))
}

async function listPage(app: App, listId: string, before: string | undefined, request: Request): Promise<Response> {
  const of = await findPublicList(app, listId)
  if (of === null) return unknown()
  const locale = readLocale(request)
  const words = wordsFor(locale, of.workspace.primaryLocale)
  const found = await listLetters(app, of, { locale, before, limit: perPage + 1 })
  const letters = found.slice(0, perPage)
  const url = archiveUrl(app, of)
  const last = letters.at(-1)
  const body = html`${of.list.description && html`<p>${of.list.description}</p>`}
${letters.length === 0 ? html`<p>${words.noLetters}</p>` : html`<ul class="choices">${letters.map((letter) => line(letter, of, words))}</ul>`}
<ul class="row"><li><a href="${url}/feed.xml">${words.feed}</a></li>${last && found.length > perPage ? html`<li><a href="${url}?before=${last.id}">${words.older}</a></li>` : ''}</ul>`
  const brand = pageBrand(app, of.workspace)
  return page({ title: of.list.name, body, locale: words.locale, brand, feed: `${url}/feed.xml`, headers: cached })
}

function line({ subject, previewText, url, sentAt }: PublicLetter, { workspace }: PublicList, words: Words) {
  const date = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeZone: workspace.timeZone })
  return html`<li><a href="${url}">${subject}</a><small><time datetime="${sentAt.toISOString()}">${date.format(sentAt)}</time>${previewText && ` – ${previewText}`}</small></li>`
}

async function letterPage(
  app: App,
  { listId, campaignId }: { listId: string; campaignId: string },
  request: Request,
): Promise<Response> {
  const of = await findPublicList(app, listId)
  const letter = of && (await findLetter(app, of, campaignId, { locale: readLocale(request) }))
  if (letter === null) return unknown()
  const { 'x-robots-tag': _, ...headers } = mailHeaders
  return new Response(letter.html, { headers: { ...headers, ...cached } })
}

async function feed(app: App, listId: string, request: Request): Promise<Response> {
  const of = await findPublicList(app, listId)
  if (of === null) return unknown()
  const { list, workspace } = of
  const letters = await listLetters(app, of, { locale: readLocale(request), limit: inFeed })
  const url = archiveUrl(app, of)
  const updated = letters[0]?.sentAt ?? list.createdAt
  const document = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${url}</id>
<title>${list.name}</title>
<updated>${updated.toISOString()}</updated>
<author><name>${workspace.brand.companyName ?? workspace.name}</name></author>
<link rel="self" href="${url}/feed.xml"/>
<link rel="alternate" type="text/html" href="${url}"/>
${letters.map(entry)}</feed>
`
  return new Response(document.html, {
    headers: { 'content-type': 'application/atom+xml; charset=utf-8', ...cached },
  })
}

function entry({ url, subject, previewText, sentAt, locale }: PublicLetter) {
  return html`<entry xml:lang="${locale}">
<id>${url}</id>
<title>${subject}</title>
<updated>${sentAt.toISOString()}</updated>
<link rel="alternate" type="text/html" href="${url}"/>
${previewText && html`<summary>${previewText}</summary>\n`}</entry>
`
}

function unknown(): Response {
  const words = wordsFor('en')
  return page({ title: words.unknownTitle, body: html`<p>${words.noLetters}</p>`, status: 404 })
}
