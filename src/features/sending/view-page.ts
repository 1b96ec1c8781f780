// GET /view/{token}: a mail in the browser. Its document runs no scripts, posts nothing, cannot be framed, and is not indexed by search
// engines.

import { Elysia } from 'elysia'
import { pageWordsFor } from '../../../languages/said-by-server.ts'
import type { App } from '../../core/app.ts'
import { wantedLanguages } from '../../core/http/language.ts'
import { openPage } from '../../core/http/surface.ts'
import { html, page } from '../../kit/page.ts'
import { redirectTo } from '../../people/moves.ts'
import { findMovedView, viewInBrowser } from './browser-view.ts'

/** Of a mail that is shown as a page. */
export const mailHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation",
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cache-control': 'private, no-store',
}

export function viewPage(app: App) {
  return new Elysia({ detail: { hide: true, ...openPage } }).get('/view/:token', async ({ params, request }) => {
    const moved = await findMovedView(app, params.token)
    if (moved !== null) return redirectTo(moved)
    const document = await viewInBrowser(app, params.token)
    if (document !== null) return new Response(document, { headers: mailHeaders })
    const { locale, words } = pageWordsFor(wantedLanguages(request.headers))
    return page({ title: words.mails.goneTitle, body: html`<p>${words.mails.gone}</p>`, status: 404, locale })
  })
}
