// Every screen of the dashboard that a link leads to, found by going there: in the words of some language it fits into the narrowest window,
// and nothing is complained of. `bun run test:browser` takes each language, and holds each screen against axe in every look; SCREENSHOTS=DIR keeps a picture of each.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { dashboardLanguages } from '../languages/generated/said-by-server.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { fit, isWhole, judge, openDashboard } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { fill } from './support/filled.ts'
import { type Installation, openInstallation } from './support/installation.ts'
import { sinkEnvironment, type WebhookSink, webhookSink } from './support/webhook-sink.ts'

/** One of each kind: `/dashboard/acme/contacts/con_1`, and no other contact. */
function kindOf(path: string): string {
  return path.replaceAll(/\/[a-z]{2,5}_[\w-]+/g, '/:id').replace(/(templates|captured)\/[^/]+/, '$1/:id')
}

/** The screen before stays until the new one is there, which takes the focus. */
async function arrived(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === path)
  await page.locator('#content:focus').waitFor()
}

/** As a click on a link goes there, without loading the page anew. */
async function go(page: Page, path: string): Promise<void> {
  const isElsewhere = await page.evaluate((href) => {
    if (location.pathname === href) return false
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    const link = Object.assign(document.createElement('a'), { href })
    document.body.append(link)
    link.click()
    link.remove()
    return true
  }, path)
  if (isElsewhere) await arrived(page, path)
  await loaded(page)
  await page.locator('#content h1').first().waitFor()
}

async function loaded(page: Page): Promise<void> {
  await page.locator('#content .loading, #content [aria-busy="true"]').first().waitFor({ state: 'detached' })
}

describe.skipIf(!browserExpected || remoteDatabase)('every screen of the dashboard', () => {
  let browser: Browser
  let receiver: WebhookSink
  let t: Installation
  beforeAll(async () => {
    browser = await openBrowser()
    receiver = webhookSink()
    t = await openInstallation({ trustLevel: 'M1', environment: sinkEnvironment })
    await fill(t, receiver.url)
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  type Look = (path: string, kind: string, page: Page) => Promise<void>

  /** Goes wherever a link leads, to one screen of each kind: on a page, or on the one that is chosen for a kind. */
  async function walk(on: Page | ((kind: string) => Page), look: Look): Promise<Set<string>> {
    const kinds = new Set<string>()
    const open = ['/dashboard/acme/']
    for (let path = open.shift(); path !== undefined; path = open.shift()) {
      const kind = kindOf(path)
      if (kinds.has(kind)) continue
      kinds.add(kind)
      const page = typeof on === 'function' ? on(kind) : on
      await go(page, path)
      await look(path, kind, page)
      const links = await page
        .locator('a[href^="/dashboard/acme"]')
        .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname))
      open.push(...links)
    }
    return kinds
  }

  /** There it comes by itself. */
  const comesByItself = ['/dashboard/acme/settings/audit', '/dashboard/acme/agents/:id']

  test('where nothing is yet, what would be there is said, with a button that does it', async () => {
    await using empty = await openInstallation()
    await using dashboard = await openDashboard(browser, empty)
    const { page } = dashboard
    const found: string[] = []
    await walk(page, async (path, kind) => {
      const nothing = page.locator('#content .empty')
      await page.locator('#content :is(table, form, input, ul, dl, pre, .empty)').first().waitFor({ state: 'attached' })
      await loaded(page)
      await (isWhole
        ? judge(page, `nothing${kind.replace('/dashboard/acme', '').replaceAll(/[/:]+/g, '-')}`)
        : fit(page, path))
      for (const one of await nothing.all()) {
        found.push(path)
        if (comesByItself.includes(kind)) continue
        const act = one.locator('> :is(a.button, button.main)')
        await eventually(() => act.count(), `${path}: ${await one.textContent()}`).toBe(1)
        const href = await act.getAttribute('href')
        await act.press('Enter')
        if (href !== null) await arrived(page, href)
        else await page.locator('#content :is(input, select, textarea):focus').waitFor()
        await go(page, path)
      }
    })
    expect(found.length).toBeGreaterThan(14)
  })

  const viewport = { width: 360, height: 740 }

  test.skipIf(isWhole)('fits into 360 px, in the words of one of the languages', async () => {
    await using all = new AsyncDisposableStack()
    const pages = new Map<string, Page>()
    for (const locale of dashboardLanguages)
      pages.set(locale, all.use(await openDashboard(browser, t, { locale, viewport })).page)
    const several = BigInt(dashboardLanguages.length)
    const languageOf = (kind: string) => dashboardLanguages[Number(BigInt(Bun.hash(kind)) % several)] ?? 'en'
    const pageOf = (kind: string) => {
      const page = pages.get(languageOf(kind))
      if (!page) throw new Error(`no page for ${kind}`)
      return page
    }
    const kinds = await walk(pageOf, async (_, kind, page) => await fit(page, `${kind} in ${languageOf(kind)}`))
    expect(kinds.size).toBeGreaterThan(30)
    expect(new Set(Array.from(kinds, languageOf)).size).toBe(dashboardLanguages.length)
  })

  test.skipIf(!isWhole).each(dashboardLanguages)('fits into 360 px, in the words of %s', async (locale) => {
    await using dashboard = await openDashboard(browser, t, { locale, viewport })
    const { page } = dashboard
    const kinds = await walk(page, async (_, kind) => {
      await judge(page, `${locale}${kind.replace('/dashboard/acme', '').replaceAll(/[/:]+/g, '-')}`)
    })
    expect(kinds.size).toBeGreaterThan(30)
  })

  test('back and forward lead through every screen, each as it was', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const title = () => page.locator('#content h1').first().textContent()
    const visited = async (path: string, is: string | null) => {
      await page.waitForURL((url) => url.pathname === path)
      await eventually(title, path).toBe(is)
    }
    let before: { path: string; is: string | null } | null = null
    const kinds = await walk(page, async (path) => {
      const here = { path, is: await eventually(title, path).not.toBe('') }
      if (before !== null) {
        await page.goBack()
        await visited(before.path, before.is)
        await page.goForward()
        await visited(here.path, here.is)
        await loaded(page)
      }
      before = here
    })
    expect(kinds.size).toBeGreaterThan(40)
  })
})
