// The requests of a tracked mail: its image is loaded, or a link is clicked.

import { Elysia } from 'elysia'
import { pageWordsFor } from '../../../../languages/said-by-server.ts'
import type { App } from '../../../core/app.ts'
import { wantedLanguages } from '../../../core/http/language.ts'
import { trackedPage } from '../../../core/http/surface.ts'
import { html, page } from '../../../kit/page.ts'
import { redirectTo } from '../../../people/moves.ts'
import { noteIfUnknown } from '../activity/unknown-mails.ts'
import { findForwarded, findMoveOfMail } from '../moved-mails.ts'
import { type Count, findLink, recordEngagement } from './engagement.ts'
import { messageOfToken, trackingToken } from './links.ts'

/** GIF89a, one transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
export function trackingRoutes(app: App, count: Count) {
  const opened = async (token: string, { headers }: Request) => {
    const messageId = await findMessage(app, token)
    if (messageId === null) return new Response(null, { status: 404 })
    const move = await findMoveOfMail(app, messageId)
    if (move) return redirectTo(`${move.to}/t/o/${trackingToken(move, messageId)}`)
    await recordEngagement(app, { messageId, what: 'open' }, { headers, count })
    return new Response(pixel, { headers: { ...never, 'content-type': 'image/gif' } })
  }
  const clicked = async ({ token, number }: { token: string; number: string }, { headers }: Request) => {
    const messageId = await findMessage(app, token)
    const move = messageId === null ? null : await findMoveOfMail(app, messageId)
    if (move && messageId !== null) return redirectTo(`${move.to}/t/c/${trackingToken(move, messageId)}/${number}`)
    const link = messageId === null ? null : await findLink(app, messageId, number)
    if (messageId !== null && link === null) await noteIfUnknown(app, messageId)
    if (messageId === null || link === null) return brokenLink(headers)
    await recordEngagement(app, { messageId, what: 'click', link }, { headers, count })
    return new Response(null, { status: 302, headers: { ...never, location: link.url } })
  }
  return new Elysia({ detail: { hide: true, ...trackedPage } })
    .get('/t/o/:token', ({ params, request }) => opened(params.token, request))
    .get('/t/c/:token/:number', ({ params, request }) => clicked(params, request))
}

/** Whose link it is; null for one that neither we created nor the former installation of a workspace has forwarded. */
async function findMessage(app: App, token: string): Promise<string | null> {
  return messageOfToken(app, token) ?? (await findForwarded(app, (sealer) => messageOfToken({ sealer }, token)))
}

const never = { 'cache-control': 'no-store, private', 'referrer-policy': 'no-referrer' }

function brokenLink(headers: Headers): Response {
  const { locale, words } = pageWordsFor(wantedLanguages(headers))
  const body = html`<p>${words.mails.brokenLink}</p>`
  return page({ title: words.mails.brokenLinkTitle, body, status: 404, locale })
}
