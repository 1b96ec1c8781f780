// The API reference page. All its files are bundled: it works without internet access.

import { Elysia } from 'elysia'
import stylePath from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import bundlePath from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import { html, page } from '../lib/page.ts'
import { errorCodeTable } from './error-codes.ts'

/** The page uses inline styles; scripts are only loaded from here. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

const document = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Paquebot API</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/readable.css">
<main id="reference"></main>
<script src="/docs/swagger-ui.js"></script>
<script src="/docs/start.js"></script>
</html>
`

/** The colours of Swagger UI have too little contrast with white text, and its dark colours need a class. */
const readable = `.swagger-ui .opblock .opblock-summary-method { background: #374151 !important; color: #fff !important }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #374151 !important }
.swagger-ui .info .title small pre { color: #fff !important }
.swagger-ui a, .swagger-ui .link, .swagger-ui .info .url { color: #1d4ed8 !important }
.dark-mode .swagger-ui a, .dark-mode .swagger-ui .link, .dark-mode .swagger-ui .info .url { color: #9db8ff !important }
.swagger-ui a.nostyle { color: inherit !important }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { color: #166534; border-color: #166534 }
.dark-mode .swagger-ui .btn.authorize, .dark-mode .swagger-ui .btn.authorize span { color: #86efac; border-color: #86efac }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: inherit !important }
.swagger-ui :focus-visible { outline: 3px solid #1d4ed8 !important; outline-offset: 2px }
.dark-mode .swagger-ui :focus-visible { outline-color: #9db8ff !important }
`

const start = `const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  validatorUrl: null,
  onComplete: () => document.querySelector('#servers')?.setAttribute('aria-label', 'Server'),
})
`

const aDay = { 'cache-control': 'public, max-age=86400' }

/** `/docs`, its files, and `/docs/errors`, which the `type` of every problem links to. */
export function docsRoutes(openApi: () => Promise<unknown>) {
  return new Elysia({ detail: { hide: true } })
    .get('/openapi.json', async () => Response.json(await openApi(), { headers: { 'cache-control': 'no-cache' } }))
    .get('/docs', () => answer(document, 'text/html; charset=utf-8', { 'content-security-policy': policy }))
    .get('/docs/start.js', () => answer(start, 'text/javascript; charset=utf-8', aDay))
    .get('/docs/swagger-ui.js', () => answer(Bun.file(bundlePath), 'text/javascript; charset=utf-8', aDay))
    .get('/docs/swagger-ui.css', () => answer(Bun.file(stylePath), 'text/css; charset=utf-8', aDay))
    .get('/docs/readable.css', () => answer(readable, 'text/css; charset=utf-8', aDay))
    .get('/docs/errors', () => errorsPage())
}

function answer(body: string | Blob, type: string, headers: Record<string, string>): Response {
  return new Response(body, { headers: { 'content-type': type, ...headers } })
}

/** The same as docs/errors.md, served by the server itself. */
function errorsPage(): Response {
  const rows = Object.entries(errorCodeTable).map(
    ([code, { status, cause, cure }]) =>
      html`<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${cause}</td><td>${cure}</td></tr>`,
  )
  const body = html`<p>Every refusal has one of these in <code>code</code>. It is stable; <code>detail</code> and
<code>errors</code> say what was wrong with this request.</p>
<table><thead><tr><th>code</th><th>status</th><th>why</th><th>what to do</th></tr></thead><tbody>${rows}</tbody></table>`
  return page({ title: 'Error codes', body, wide: true })
}
