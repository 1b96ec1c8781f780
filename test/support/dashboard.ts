// The dashboard as somebody who is signed in meets it in a browser, and what is asked of each of its screens. SCREENSHOTS=DIR keeps pictures.

import { expect } from 'bun:test'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { violationsOf } from './accessibility.ts'
import { eventually } from './eventually.ts'
import { type Installation, isCheckout } from './installation.ts'

/** `bun run test:browser`: every screen in every look. Otherwise one look each, half of the screens in one and half in the other. */
export const isWhole = !isCheckout || process.env.SCREENSHOTS !== undefined

const wide = { width: 1280, height: 850 }
const narrow = { width: 360, height: 740 }
const looks = [
  { name: 'light', viewport: wide, colorScheme: 'light' },
  { name: 'dark', viewport: wide, colorScheme: 'dark' },
  { name: 'narrow-light', viewport: narrow, colorScheme: 'light' },
  { name: 'narrow-dark', viewport: narrow, colorScheme: 'dark' },
] as const
const [lightAndWide, , , darkAndNarrow] = looks

type Look = (typeof looks)[number]

/** How the browser tells of an answer that says no where that is no fault: who is signed out, or whom somebody forestalled. */
const refusal = /^Failed to load resource: the server responded with a status of (401|409) /
/** What was sent is not valid: a test says so where it means to send such. */
const invalid = /^Failed to load resource: the server responded with a status of 422 /

/** A page of somebody who is signed in. Its end throws when anything went wrong on it. */
export async function openDashboard(
  browser: Browser,
  { url, sessionCookie }: Pick<Installation, 'url' | 'sessionCookie'>,
  options: BrowserContextOptions = {},
) {
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = await browser.newContext({ permissions, viewport: wide, ...options })
  const [name = '', value = ''] = sessionCookie.split('=')
  await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  const complaints = complaintsOf(page, new URL(url).origin)
  await page.goto(`${url}/dashboard`)
  await page.getByRole('heading', { name: 'Acme' }).waitFor()
  return {
    page,
    complaints,
    /** Ends when the server has refused something that is not valid, as the test wants it. */
    refused: () => refusedIn(complaints),
    async [Symbol.asyncDispose]() {
      await context.close()
      expect(complaints, 'in the console of the browser, or asked of another host').toEqual([])
    },
  }
}

async function refusedIn(complaints: string[]): Promise<void> {
  const at = () => complaints.findIndex((text) => invalid.test(text))
  await eventually(async () => at()).toBeGreaterThanOrEqual(0)
  complaints.splice(at(), 1)
}

/** Errors, also of what the policy of the page forbids, and requests to other hosts; as they come. */
export function complaintsOf(page: Page, origin: string): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !refusal.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (/^(https?|wss?):/.test(request.url()) && new URL(request.url()).origin !== origin)
      complaints.push(request.url())
  })
  return complaints
}

export async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key)
}

/** Of each history that the editor has kept in this browser a moment after a change: how many steps, and what the mail says now. */
export async function keptSteps(page: Page): Promise<string[]> {
  return await page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('paquebot-histories')
        opening.onsuccess = () => {
          const all = opening.result.transaction('histories').objectStore('histories').getAll()
          all.onsuccess = () => {
            resolve(all.result.map(({ past, now }) => `${past.length} ${now}`))
            opening.result.close()
          }
        }
      }),
  )
}

/** In no look does axe find anything, nor is the screen wider than its window. */
export async function judge(page: Page, name: string): Promise<void> {
  await fit(page, name)
  const one = Bun.hash(name) % 2n === 0n ? lightAndWide : darkAndNarrow
  for (const look of isWhole ? looks : [one]) await judgeIn(page, name, look)
  await page.setViewportSize(wide)
}

const fitWithinMs = 5_000

/** The narrowest window is enough to tell, in words of any language. */
export async function fit(page: Page, name: string): Promise<void> {
  await page.setViewportSize(narrow)
  const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth
  // What is as wide as its place, like a plot, is drawn anew a moment later.
  await page.waitForFunction(fits, null, { timeout: fitWithinMs }).catch((error: Error) => {
    throw new Error(`${name} is wider than its window`, { cause: error })
  })
}

async function judgeIn(page: Page, name: string, { name: look, viewport, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
  const directory = process.env.SCREENSHOTS
  if (directory) {
    await page.evaluate(() => scrollTo(0, 0))
    await page.screenshot({ path: join(directory, `${name}-${look}.png`), fullPage: true })
  }
  const found = await violationsOf(page, { iframes: false })
  const faults = found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
  expect(faults, `${name}, ${look}`).toEqual([])
}
