// The dashboard in a language from right to left: what has a side is on the other one, and what is typed or read by programs is not.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Locator } from 'playwright-core'
import { browserExpected, openBrowser } from './support/browser.ts'
import { openDashboard } from './support/dashboard.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

const mark = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element, '::before').content)
const directionOf = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).direction)

/** Where its letters are in the window, one after the other. */
async function places(locator: Locator): Promise<number[]> {
  return await locator.evaluate((element) => {
    const text = element.firstChild
    if (!(text instanceof Text)) return []
    return Array.from(text.data, (_, at) => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect().left
    })
  })
}

describe.skipIf(!browserExpected)('the dashboard in Arabic', () => {
  let browser: Browser
  let t: Installation
  let id: string
  const address = 'https://hooks.example.net/a/'
  beforeAll(async () => {
    browser = await openBrowser()
    t = await openInstallation()
    const endpoint = { url: address, eventFilters: ['email.*', 'contact.*'] }
    id = (await t.post('/v1/webhook-endpoints', endpoint, 201, { as: 'session' })).id
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  async function open(path: string, width = 1280) {
    const dashboard = await openDashboard(browser, t, { locale: 'ar', viewport: { width, height: 800 } })
    await dashboard.page.goto(`${t.url}/dashboard/acme${path}`)
    await dashboard.page.locator('#content h1').waitFor()
    return dashboard
  }

  test('an address, code and a plot run from left to right, in a screen that does not', async () => {
    await using dashboard = await open(`/webhooks/${id}`)
    const { page } = dashboard
    await page.locator('html[dir="rtl"][lang="ar"]').waitFor()
    const title = page.locator('#content h1')
    await title.getByText(address).waitFor()
    const letters = await places(title)
    expect(letters.length).toBe(address.length)
    expect(letters).toEqual(letters.toSorted((one, other) => one - other))
    for (const one of ['input[name="url"]', '.code pre', '.code'])
      expect(await directionOf(page.locator(one).first()), one).toBe('ltr')
    expect(await directionOf(page.locator('#content dl').first())).toBe('rtl')
    expect(await mark(page.locator('a.back'))).toContain('→')
    const [button, text] = await Promise.all([
      page.locator('.code button').boundingBox(),
      page.locator('.code pre').boundingBox(),
    ])
    expect(button?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0) / 2)
  })

  test('the menu and its drawer are on the right, and the list of events takes the comma of the language', async () => {
    await using dashboard = await open(`/webhooks/${id}`)
    const { page } = dashboard
    expect((await page.locator('nav').first().boundingBox())?.x).toBeGreaterThan(900)
    await page.locator('input[name="events"]').fill('email.delivered، contact.created')
    await page.locator('input[name="events"]').press('Enter')
    const filters = async () => (await t.get(`/v1/webhook-endpoints/${id}`, 200, { as: 'session' })).eventFilters
    await eventually(filters).toEqual(['email.delivered', 'contact.created'])
    await page.getByRole('definition').getByText('email.delivered، contact.created').waitFor()

    await page.setViewportSize({ width: 360, height: 740 })
    await page.locator('.open-menu').press('Enter')
    const right = async () => {
      const box = await page.locator('dialog.drawer').boundingBox()
      return (box?.x ?? 0) + (box?.width ?? 0)
    }
    await eventually(right).toBe(360)
  })
})
