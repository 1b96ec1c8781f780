// The dashboard's page and files. All data on it comes from the API, with the session of the person who looks at it.

import { Elysia } from 'elysia'
import { dashboardLanguages } from '../../../languages/generated/said-by-server.ts'
import type { App } from '../../core/app.ts'
import { wantedLanguages } from '../../core/http/language.ts'
import { secretPage } from '../../core/http/surface.ts'
import { AppError } from '../../kit/error.ts'
import { closestLocale, textDirection } from '../../kit/locale.ts'
import { toOwnAddress } from '../../people/access/same-site.ts'
import { createSessionTouch, findRequestSession } from '../../people/access/sessions.ts'
import { builtFile } from './built-file.ts'
import { type BuiltFiles, createBuiltFiles, namedIn } from './built-files.ts'

/** Nothing inline, nothing of another host; a mail is shown in a frame that has a policy of its own. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The frame that shows a mail: its own styles, its pictures where they are wanted, scripts of ours alone, and no origin. */
const framePolicy = (hasPictures: boolean) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    `img-src ${hasPictures ? 'https: http: data:' : 'data:'}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ')

/** In a checkout each is built when somebody first wants it. */
const filesByLanguage = new Map(
  dashboardLanguages.map((language) => [
    language,
    createBuiltFiles({
      names: new RegExp(`^(dashboard|screen|asset|frame|editor)-${language}-\\w+\\.`),
      folders: ['dashboard', 'languages'],
      build: async () => (await import('../../../dashboard/build.ts')).buildDashboard(language),
    }),
  ]),
)

/** Throws not_found for a language that is not offered. */
async function filesIn(language: string | undefined): Promise<BuiltFiles> {
  const files = filesByLanguage.get(language ?? '')
  if (!files) throw new AppError('not_found', 'There is no such file.')
  return await files()
}

export function dashboardPages(app: App) {
  const touch = createSessionTouch(app)
  const shell = async ({ request }: { request: Request }) => {
    const session = await findRequestSession(app, request)
    if (!session) return signInFirst(request)
    touch(session)
    const language = languageFor(request)
    return page(await filesIn(language), language)
  }
  return new Elysia({ prefix: '/dashboard', detail: { hide: true, ...secretPage } })
    .get('/files/preview', async ({ request, query }) =>
      frame(await filesIn(languageFor(request)), query['pictures'] !== 'none'),
    )
    .get('/files/:name', async ({ request, params: { name } }) => {
      const [, language] = /^[a-z]+-([\w-]+)-\w+\.\w+$/.exec(name) ?? []
      return builtFile(request, await filesIn(language), name)
    })
    .onBeforeHandle(({ request }) => toOwnAddress(request, app.config))
    .get('/', shell)
    .get('/*', shell)
}

function signInFirst(request: Request): Response {
  const { pathname, search } = new URL(request.url)
  return new Response(null, {
    status: 303,
    headers: { location: `/login?to=${pathname}${encodeURIComponent(search)}` },
  })
}

/** The language that the person chose, else the first that the browser asks for and we have, else English. */
function languageFor({ headers }: Request): string {
  return closestLocale(wantedLanguages(headers), dashboardLanguages) ?? 'en'
}

function page(files: BuiltFiles, language: string): Response {
  const [script, style] = [namedIn(files, /^dashboard-.*\.js$/), namedIn(files, /^dashboard-.*\.css$/)]
  const text = `<!doctype html>
<html lang="${language}" dir="${textDirection(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Paquebot</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/dashboard/files/${style}">
<body>
<div id="dashboard"><noscript>The dashboard needs JavaScript. Everything in it can also be done by the <a href="/docs">API</a> and on the command line.</noscript></div>
<script type="module" src="/dashboard/files/${script}"></script>
</body>
</html>
`
  return html(text, { 'content-security-policy': policy, 'referrer-policy': 'same-origin' })
}

/** The dashboard tells it what to show; the page is the same for everybody. */
function frame(files: BuiltFiles, hasPictures: boolean): Response {
  const [script, editor] = [namedIn(files, /^frame-.*\.js$/), namedIn(files, /^editor-.*\.js$/)]
  const text = `<!doctype html>
<html lang="en">
<title>Preview</title>
<script src="/dashboard/files/${script}" data-editor="/dashboard/files/${editor}"></script>
</html>
`
  return html(text, { 'content-security-policy': framePolicy(hasPictures), 'referrer-policy': 'no-referrer' })
}

function html(text: string, policies: Record<string, string>): Response {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...policies,
  }
  return new Response(text, { headers })
}
