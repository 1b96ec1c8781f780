// The documentation: a page for each file of docs/, in which the address is that of this installation, the list of all routes on the first
// one, and the search for a browser without script.

import { brotliCompressSync, constants } from 'node:zlib'
import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { referenceRoutes } from '../../core/http/openapi/reference.ts'
import { AppError } from '../../kit/error.ts'
import { html } from '../../kit/page.ts'
import { builtFile } from './built-file.ts'
import { type BuiltFiles, createBuiltFiles } from './built-files.ts'
import { listOfRoutes } from './docs-routes.ts'
import { type Entry, findIn } from './docs-search.ts'

/** Nothing inline, nothing of another host. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

interface Page {
  etag: string
  plain: Uint8Array<ArrayBuffer>
  brotli: Uint8Array<ArrayBuffer>
}

const files = createBuiltFiles({
  names: /^docs\//,
  folders: ['docs'],
  build: async () => (await import('../../../docs/site/build.ts')).buildDocs(),
})

export function docsPages(app: App, openApi: () => Promise<unknown>) {
  const made = new WeakMap<BuiltFiles, Map<string, Page>>()
  const shown = async (request: Request, name: string) => {
    const all = await files()
    const pages = made.get(all) ?? new Map<string, Page>()
    made.set(all, pages)
    const page = pages.get(name) ?? parsePage(await textOf(all, name))
    pages.set(name, page)
    return answer(request, page)
  }
  const textOf = async (all: BuiltFiles, name: string) => {
    const text = textIn(all, `docs/${name}.html`).replaceAll('{{BASE_URL}}', escaped(app.config.baseUrl))
    return name === 'index' ? text.replace('{{ROUTES}}', listOfRoutes(await openApi()).html) : text
  }
  const pages = new Elysia({ prefix: '/docs', detail: { hide: true } })
    .get('/', ({ request }) => shown(request, 'index'))
    .get('/search', async ({ request, query }) => {
      const all = await files()
      const entries: Entry[] = JSON.parse(textIn(all, 'docs/search.json'))
      const text = textIn(all, 'docs/search.html').replace('{{RESULTS}}', () => results(entries, query['q'] ?? ''))
      return answer(request, parsePage(text))
    })
    .get('/search.json', async ({ request }) => builtFile(request, await files(), 'docs/search.json', 'no-cache'))
    .get('/files/*', async ({ request, params }) => {
      const name = params['*']
      return builtFile(
        request,
        await files(),
        `docs/files/${name}`,
        /^docs-\w+\./.test(name) ? undefined : 'max-age=3600',
      )
    })
    .get('/*', ({ request, params }) => shown(request, params['*']))
  return new Elysia().use(referenceRoutes(openApi)).use(pages)
}

function textIn(files: BuiltFiles, name: string): string {
  const found = files.read(name)
  if (!found) throw new AppError('not_found', 'The documentation has no such page.')
  return new TextDecoder().decode(found.plain())
}

function escaped(text: string): string {
  return html`${text}`.html
}

function parsePage(text: string): Page {
  const plain = new TextEncoder().encode(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  return {
    etag: `"${Bun.hash(plain).toString(36)}"`,
    plain,
    brotli: new Uint8Array(brotliCompressSync(plain, { params })),
  }
}

function answer(request: Request, { etag, plain, brotli }: Page): Response {
  const takesBrotli = /\bbr\b/.test(request.headers.get('accept-encoding') ?? '')
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    etag,
  }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return takesBrotli
    ? new Response(brotli, { headers: { ...headers, 'content-encoding': 'br' } })
    : new Response(plain, { headers })
}

function results(entries: Entry[], query: string): string {
  const found = findIn(entries, query)
  const items = found.map(
    ({ href, page, heading, sentence }) =>
      html`<li><a href="${href}">${heading}</a> <span class="muted">${page}</span><p>${sentence}</p></li>`,
  )
  const none =
    query === '' ? html`<p>Write one word or more above.</p>` : html`<p>Nothing has all of these words: ${query}</p>`
  return found.length === 0 ? none.html : html`<ol class="found">${items}</ol>`.html
}
