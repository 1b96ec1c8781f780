// The dashboard as somebody who is signed in meets it in a browser, and what is asked of each of its screens. SCREENSHOTS=DIR keeps pictures.

import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { TestApp } from './app.ts'

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** Both schemes and both widths. */
export const looks = [
  { name: 'light', viewport: { width: 1280, height: 850 }, colorScheme: 'light' },
  { name: 'narrow-dark', viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
] as const

/** A page of somebody who is signed in, and what went wrong on it. */
export async function openDashboard(browser: Browser, t: TestApp, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
  const [name = '', value = ''] = t.sessionCookie.split('=')
  await context.addCookies([{ name, value, url: t.url }])
  const page = await context.newPage()
  const complaints: string[] = []
  // Also what the policy of the page forbids.
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => new URL(request.url()).origin !== t.url && complaints.push(request.url()))
  await page.goto(`${t.url}/dashboard`)
  await page.getByRole('heading', { name: 'Acme' }).waitFor()
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

export async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key)
}

/** Nothing that axe finds, and nothing wider than the screen. */
export async function judge(page: Page, name: string): Promise<void> {
  const directory = process.env.SCREENSHOTS
  if (directory) await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true })
  await page.evaluate(axe)
  const found: AxeResults = await page.evaluate('axe.run({ iframes: false })')
  expect(
    found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    name,
  ).toEqual([])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide, `${name} is wider than the screen`).toBe(0)
}

/** Wide and light, then narrow and dark. */
export async function judgeBoth(page: Page, name: string): Promise<void> {
  for (const { name: look, viewport, colorScheme } of looks.toReversed()) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await judge(page, `${name}-${look}`)
  }
}
