// The API reference, where each route can be tried. All its files are bundled: it works without internet access.

import { Elysia } from 'elysia'
import stylePath from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import bundlePath from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }

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
<nav aria-label="Elsewhere"><a href="/docs">Documentation</a> <a href="/dashboard">Dashboard</a></nav>
<main id="reference"></main>
<script src="/docs/swagger-ui.js"></script>
<script src="/docs/start.js"></script>
</html>
`

/** The colours of Swagger UI have too little contrast with white text, and its dark colours need a class. */
const readable = `body { margin: 0 }
nav { display: flex; gap: 1.25rem; padding: .9rem 1.25rem; font: 15px/1.5 system-ui, sans-serif; border-bottom: 1px solid #e1e4ea }
nav a { color: #1d4ed8 }
.dark-mode nav { border-color: #2c3038 }
.dark-mode nav a { color: #9db8ff }
.swagger-ui .opblock .opblock-summary-method { background: #374151 !important; color: #fff !important }
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
  deepLinking: true,
  // A link within a button can be reached by nobody who uses a keyboard; the button itself leaves the address of its route.
  plugins: [() => ({ components: { DeepLink: ({ text }) => text } })],
  onComplete: () => document.querySelector('#servers')?.setAttribute('aria-label', 'Server'),
})
`

const aDay = { 'cache-control': 'public, max-age=86400' }

/** The page and its files. */
export function referenceRoutes(openApi: () => Promise<unknown>) {
  return new Elysia({ detail: { hide: true } })
    .get('/openapi.json', async () => Response.json(await openApi(), { headers: { 'cache-control': 'no-cache' } }))
    .get('/docs/reference', () => answer(document, 'text/html; charset=utf-8', { 'content-security-policy': policy }))
    .get('/docs/start.js', () => answer(start, 'text/javascript; charset=utf-8', aDay))
    .get('/docs/swagger-ui.js', () => answer(Bun.file(bundlePath), 'text/javascript; charset=utf-8', aDay))
    .get('/docs/swagger-ui.css', () => answer(Bun.file(stylePath), 'text/css; charset=utf-8', aDay))
    .get('/docs/readable.css', () => answer(readable, 'text/css; charset=utf-8', aDay))
}

function answer(body: string | Blob, type: string, headers: Record<string, string>): Response {
  return new Response(body, { headers: { 'content-type': type, ...headers } })
}
