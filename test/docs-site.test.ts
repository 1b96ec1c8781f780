// The documentation as a site: every page and link by HTTP, and one walk in a real browser: search, keys, copying, axe in every look.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { renderMarkdown } from '../docs/site/markdown.ts'
import { findIn } from '../src/doors/ui/docs-search.ts'
import { type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { complaintsOf, judge } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually, shown } from './support/eventually.ts'

const root = join(import.meta.dir, '..')

/** Of the tests and groups of tests that run, with “…” for what is filled in. */
function titlesOf(source: string): string[] {
  const title =
    /(?:\b(?:test|once|describe|inBrowser|onLinux)|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,\s*(?:async )?(?:\(|\w+ =>)/g
  return [...source.matchAll(title)].map(([, , text = '']) => text.replace(/\$\{[^}]*\}|%[a-z]/g, '…'))
}

/** By a part of one title alone, or by a title that is filled in with a row of its table. */
function isNamed(source: string, named: string): boolean {
  const isFilled = (title: string) => {
    const pattern = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '(.+)')
    const [, ...filled] = new RegExp(`^${pattern}$`).exec(named) ?? []
    return filled.length > 0 && filled.every((text) => source.includes(`'${text}',`))
  }
  const titles = titlesOf(source)
  const parts = titles.filter((title) => title.includes(named))
  return (parts.length > 0 ? parts : titles.filter(isFilled)).length === 1
}

describe.skipIf(remoteDatabase)('the documentation', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await testApp()
  })
  afterAll(() => t[Symbol.asyncDispose]())

  const get = (path: string, headers: Record<string, string> = {}) => fetch(t.url + path, { headers })

  /** Every page that can be reached from the first one, with its text. */
  async function walk(): Promise<Map<string, string>> {
    const pages = new Map<string, string>()
    const ahead = ['/docs']
    for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
      if (pages.has(path)) continue
      const answer = await get(path)
      expect(answer.status, path).toBe(200)
      pages.set(path, await answer.text())
      ahead.push(
        ...hrefs(pages.get(path) ?? '')
          .filter((href) => isPage(href))
          .map((href) => href.split('#')[0] ?? ''),
      )
    }
    return pages
  }

  test('every page, link and anchor leads somewhere, and nothing is of another host', async () => {
    const pages = await walk()
    const files = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
    for (const file of files) expect([...pages.keys()]).toContain(`/docs/${file.slice(0, -3)}`)
    const faults: string[] = []
    const looked = new Set<string>()
    for (const [path, text] of pages) {
      for (const href of hrefs(text)) {
        const [to = '', anchor] = href.split('#')
        const target = to === '' ? path : to
        if (isPage(href) || to === '') {
          if (anchor !== undefined && !(pages.get(target) ?? '').includes(`id="${anchor}"`))
            faults.push(`${path}: ${href}`)
        } else if (to.startsWith('/') && !looked.has(to)) {
          looked.add(to)
          const { status } = await fetch(t.url + to, { redirect: 'manual' })
          if (status >= 400) faults.push(`${path}: ${href} answers ${status}`)
        }
      }
      for (const [, source] of text.matchAll(/<(?:img|script|link)[^>]+?(?:src|href)="(https?:[^"]*)"/g))
        faults.push(`${path} loads ${source}`)
      expect(text, path).not.toMatch(/<p>\|/) // a row of a table that an empty line tore off
      if (/<script(?! type="module" src)|<style|\son\w+="|\sstyle="/.test(text.replace(/<pre.*?<\/pre>/gs, '')))
        faults.push(`${path} has something inline`)
    }
    expect(faults).toEqual([])
    expect(pages.get('/docs')).toContain('href="/docs/reference"')
    expect(pages.get('/docs')).toContain('POST /v1/transactional/send')
  })

  test('what the dashboard says of the documentation leads to the page and the place that it means', async () => {
    const folder = join(root, 'dashboard')
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))
    const linked = sources.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/"(\/docs[^"]*)"/g)].map(([, href = '']) => href),
    )
    expect(linked).toContain('/docs/testing')
    for (const href of linked) {
      const [path = '', anchor] = href.split('#')
      const page = await get(path)
      expect([href, page.status]).toEqual([href, 200])
      if (anchor !== undefined) expect(await page.text(), href).toContain(`id="${anchor}"`)
    }
    expect(await (await get('/docs/campaigns')).text()).toMatch(/id="trust-levels"><\/a><strong>Trust levels/)
  })

  test('on a forge, too, every link and anchor of the files leads somewhere', () => {
    const folders = ['', 'docs', 'docs/decisions']
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => join(folder, name)),
    )
    const anchors = new Map(files.map((file) => [file, anchorsOf(readFileSync(join(root, file), 'utf8'))]))
    const { stdout } = Bun.spawnSync(['git', 'ls-files'], { cwd: root })
    const tracked = new Set(stdout.toString().split('\n'))
    const faults = files.flatMap((file) =>
      linksOf(readFileSync(join(root, file), 'utf8')).flatMap((href) => {
        const [path = '', anchor] = href.split('#')
        const target = path === '' ? file : join(file, '..', path)
        const isThere =
          tracked.has(target) || anchors.has(target) || [...tracked].some((one) => one.startsWith(`${target}/`))
        const hasAnchor = anchor === undefined || anchors.get(target)?.has(anchor)
        return isThere && hasAnchor ? [] : [`${file}: ${href}`]
      }),
    )
    expect(faults).toEqual([])
  })

  test('a page has its policy, is kept by its ETag, and names this installation', async () => {
    const page = await get('/docs/api')
    expect(page.headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self';",
    )
    const etag = page.headers.get('etag') ?? ''
    await eventually(async () => (await get('/docs/api', { 'if-none-match': etag })).status).toBe(304)
    const text = await page.text()
    expect(text).toContain(`curl -s ${t.url}/v1/api-key`)
    expect(text).toContain('Bearer <span class="key">pqk_YOUR_KEY</span>')
    expect(text).not.toContain('{{BASE_URL}}')
    const nothing = await get('/docs/nothing', { accept: 'application/json' })
    await eventually(async () => [nothing.status, (await nothing.json()).code]).toEqual([404, 'not_found'])
    const [style = ''] = /\/docs\/files\/docs-\w+\.css/.exec(text) ?? []
    await eventually(async () => (await get(style)).headers.get('cache-control')).toContain('immutable')
  })

  test('the search of the server finds what the search of the page finds', async () => {
    const text = await (await get('/docs/search?q=idempotency+key')).text()
    expect(text).toContain('<ol class="found">')
    await eventually(async () => await (await get('/docs/search?q=%3Cscript%3Exyzzy')).text()).toContain(
      '&lt;script&gt;xyzzy',
    )
    const entries = await (await get('/docs/search.json')).json()
    const [first] = findIn(entries, 'warm up')
    expect(first?.href).toStartWith('/docs/')
    expect(findIn(entries, 'missing_variable')[0]).toMatchObject({ href: '/docs/errors#missing_variable' })
    expect(findIn(entries, 'xyzzy')).toEqual([])
  })

  test('each case of the page on security names tests that are there', () => {
    const rows = [...readFileSync(join(root, 'docs/security.md'), 'utf8').matchAll(/^\| (\d+)\. .* \| (.*) \|$/gm)]
    expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: 116 }, (_, index) => index + 1))
    const wrong = rows.flatMap(([, number, heldBy = '']) =>
      heldBy.split('<br>').flatMap((part) => {
        const [, file, named = ''] = /^`([\w/-]+\.test\.ts)`: (“[^“”]+”(?:, “[^“”]+”)*)$/.exec(part) ?? []
        if (file === undefined || !existsSync(join(root, 'test', file))) return [`${number}: ${part}`]
        const source = readFileSync(join(root, 'test', file), 'utf8')
        return [...named.matchAll(/“(.*?)”/g)]
          .filter(([, title = '']) => !isNamed(source, title))
          .map(([, title]) => `${number}: ${title} is not one test of ${file}`)
      }),
    )
    expect(wrong).toEqual([])
  })

  test('code in a cell breaks where a name has a joint, not in the middle of a word or a number', () => {
    const { html, sections } = renderMarkdown(
      '# T\n\n| a |\n|---|\n| `sending_held` at `127.0.0.1` |\n\n`a_b`\n',
      () => null,
    )
    expect(html).toContain('<code>sending_<wbr>held</code> at <code>127.0.0.1</code>')
    expect(html).toContain('<p><code>a_b</code></p>')
    expect(sections[0]?.text).toContain('sending_held at 127.0.0.1')
  })

  test('a shell block that sets a variable keeps its name; headings that are alike get anchors of their own', () => {
    const sets = '```sh\nKEY=$(paquebot key create)\ncurl $API -H "$KEY"\n```\n'
    const uses = '```sh\ncurl http://127.0.0.1:3000 -H "$KEY"\n```\n'
    const { html, contents } = renderMarkdown(`# T\n\n## A \`b\`?\n\n${sets}\n## A b\n\n${uses}`, (href) => href)
    expect(html).toContain('curl {{BASE_URL}} -H &quot;$KEY&quot;')
    expect(html).toContain('curl {{BASE_URL}} -H &quot;<span class="key">pqk_YOUR_KEY</span>&quot;')
    expect(contents.map(({ anchor }) => anchor)).toEqual(['a-b', 'a-b-1'])
  })

  describe.skipIf(!browserExpected)('in a browser', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await openBrowser()
    })
    afterAll(() => browser.close())

    test('it is searched and read by keyboard, a block is copied with a key, and axe finds nothing', async () => {
      const permissions = ['clipboard-read', 'clipboard-write']
      const context = await browser.newContext({ permissions, viewport: { width: 1280, height: 850 } })
      const page = await context.newPage()
      const complaints = complaintsOf(page, new URL(t.url).origin)
      await page.goto(`${t.url}/docs`)
      await judge(page, 'docs-first')
      await page.keyboard.press('/')
      await page.keyboard.type('double opt')
      await page.getByRole('option').first().waitFor()
      await judge(page, 'docs-search')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      const title = await shown(page.locator('[aria-selected=true] b'), /\w/)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/docs\/[a-z-]+/)
      await eventually(() => page.locator('article').textContent()).toContain(title)
      for (const name of ['concepts', 'security']) {
        await page.goto(`${t.url}/docs/${name}`)
        await judge(page, `docs-${name}`)
      }
      await page.goto(`${t.url}/docs/contacts`)
      await page.getByLabel('Your API key').fill('pqk_mine')
      const block = page.locator('.code', { hasText: 'Bearer' }).filter({ hasText: 'pqk_mine' }).first()
      await block.getByRole('button').click()
      await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toContain('Bearer pqk_mine')
      await page.getByRole('link', { name: /^Next/ }).click()
      await page.waitForURL(/\/docs\/(?!contacts)/)
      await context.close()
      expect(complaints).toEqual([])
    })

    test('without script it can be read and searched', async () => {
      const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
      const page = await context.newPage()
      await page.goto(`${t.url}/docs/campaigns`)
      await page.getByRole('link', { name: 'Pages', exact: true }).click()
      await page.getByLabel('Search the documentation').fill('suppression')
      await page.keyboard.press('Enter')
      await page.locator('.found a').first().click()
      await page.locator('article h1').waitFor()
      await context.close()
    })
  })
})

function isPage(href: string): boolean {
  return /^\/docs(\/|#|$)/.test(href) && !/^\/docs\/(files\/|search|reference)/.test(href)
}

function hrefs(text: string): string[] {
  return [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, href]) => (href ?? '').replaceAll('&amp;', '&'))
}

function linksOf(markdown: string): string[] {
  const { html } = renderMarkdown(markdown, (href) => href)
  return hrefs(html.replace(/<a class="anchor"[^>]*>/g, '')).filter((href) => !/^([a-z]+:|\/)/.test(href))
}

function anchorsOf(markdown: string): Set<string> {
  const { html } = renderMarkdown(markdown, (href) => href)
  return new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id ?? ''))
}
