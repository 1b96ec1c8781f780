// Tables in a browser: sorted by the heads of their columns, by keyboard, on every page, and as the address says.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

const people = 60
/** In another order than they are made in. */
const addresses = Array.from(
  { length: people },
  (_, at) => `p${String((at * 7) % people).padStart(2, '0')}@example.net`,
)

describe.skipIf(!browserExpected || remoteDatabase)('tables', () => {
  let browser: Browser
  let t: Installation
  beforeAll(async () => {
    browser = await openBrowser()
    t = await openInstallation()
    for (const email of addresses) await t.contact({ email, subscribed: true })
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  const links = (page: Page) => page.locator('table a.row-link').allInnerTexts()
  const headsOf = async (page: Page, which: string) =>
    (await page.locator(which).allInnerTexts()).map((text) => text.trim())
  const head = (page: Page, name: string) => page.getByRole('columnheader', { name })
  const turn = (page: Page, name: string) => head(page, name).getByRole('button').press('Enter')

  test('are sorted by the head of a column, up, down and as before, on each page and after a reload', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g c')
    const newest = addresses.toReversed()
    await eventually(() => links(page)).toEqual(newest.slice(0, 50))
    expect(await head(page, 'Since').getAttribute('aria-sort')).toBe('descending')
    expect(await head(page, 'Address').getAttribute('aria-sort')).toBe('none')

    await turn(page, 'Address')
    const sorted = addresses.toSorted()
    await eventually(() => links(page)).toEqual(sorted.slice(0, 50))
    await page.waitForURL(/\?sort=email$/)
    await eventually(() => head(page, 'Address').getAttribute('aria-sort')).toBe('ascending')
    await eventually(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Address')
    await judge(page, 'contacts-sorted')
    await page.getByRole('link', { name: 'Next page' }).press('Enter')
    await eventually(() => links(page)).toEqual(sorted.slice(50))
    await page.reload()
    await eventually(() => links(page)).toEqual(sorted.slice(50))

    await turn(page, 'Address')
    await eventually(() => links(page)).toEqual(sorted.toReversed().slice(0, 50))
    await turn(page, 'Address')
    await eventually(() => links(page)).toEqual(newest.slice(0, 50))
    expect(new URL(page.url()).search).toBe('')
    await turn(page, 'Since')
    await eventually(() => links(page)).toEqual(addresses.slice(0, 50))
  })

  test('keep their order where they are narrowed down, if they have it there', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/contacts?sort=email`)
    await eventually(() => links(page)).toEqual(addresses.toSorted().slice(0, 50))
    await page.getByRole('searchbox').fill('p1')
    await page.getByRole('searchbox').press('Enter')
    const found = addresses.filter((one) => one.startsWith('p1'))
    await eventually(() => links(page)).toEqual(found.toReversed())
    await eventually(() => head(page, 'Address').getByRole('button').count()).toBe(0)
    await turn(page, 'Since')
    await eventually(() => links(page)).toEqual(found)
    await page.waitForURL(/\?q=p1&sort=createdAt$/)
  })

  test('of every other list say what they can be sorted by', async () => {
    await t.template({ id: 'beta', name: 'Beta' })
    await t.template({ id: 'alpha', name: 'Alpha' })
    const list = await t.mailingList({ name: 'Zeta' })
    await t.mailingList({ name: 'Eta' })
    const filter = { field: 'plan', op: 'eq', value: 'x' }
    for (const name of ['Two', 'One']) await t.post('/v1/segments', { name, filter }, 201)
    const content = [{ type: 'text', text: 'T' }]
    await t.post('/v1/campaigns', { name: 'C', subject: 'S', mailingListId: list.id, content }, 201)
    for (const email of ['b@example.net', 'a@example.net']) await t.post('/v1/suppressions', { email }, 201)
    await t.mail({ templateId: 'alpha' })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const wanted: Record<string, string[]> = {
      templates: ['Name', 'Changed'],
      lists: ['Name', 'Made'],
      segments: ['Name'],
      campaigns: ['Began', 'Made'],
      suppressions: ['Address', 'Since'],
      activity: ['When'],
    }
    for (const [screen, heads] of Object.entries(wanted)) {
      await page.goto(`${t.url}/dashboard/acme/${screen}`)
      await eventually(() => headsOf(page, 'th[aria-sort]'), screen).toEqual(heads)
      for (const [at] of heads.entries()) {
        await page.locator('thead button').nth(at).press('Enter')
        await eventually(() => headsOf(page, 'th:is([aria-sort=ascending], [aria-sort=descending])'), screen).toEqual([
          heads[at],
        ])
        await page.locator('table[aria-busy=true], [aria-busy=true] table').waitFor({ state: 'detached' })
      }
      await judge(page, `${screen}-sorted`)
    }
  })
})
