// Several contacts at once, in a browser: chosen, put on a list with what they agreed to, unsubscribed, saved as a file, deleted; and views of
// lists that are kept.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { browserExpected, openBrowser } from './support/browser.ts'
import type { Json } from './support/calls.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

const names = ['ada', 'ben', 'cleo', 'dora']
const addressOf = (name: string) => `${name}@example.net`

describe.skipIf(!browserExpected || remoteDatabase)('several contacts at once', () => {
  let browser: Browser
  let t: Installation
  beforeAll(async () => {
    browser = await openBrowser()
    t = await openInstallation()
    for (const name of names) await t.contact({ email: addressOf(name), subscribed: true, city: 'Hull' })
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  const contact = async (name: string): Promise<Json> =>
    (await t.get(`/v1/contacts/find?email=${addressOf(name)}`, 200))[0]
  const choose = (page: Page, name: string) => page.getByRole('checkbox', { name: `Choose ${addressOf(name)}` }).check()
  const act = (page: Page, name: string) =>
    page.locator('.bulk').getByRole('button', { name, exact: true }).press('Enter')
  const agree = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).press('Enter')

  test('all of a page are put on a list, each with the proof that they agreed; who is gone is named', async () => {
    const list = await t.mailingList({ name: 'Readers', optIn: 'single' })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g c')
    await page.getByRole('checkbox', { name: 'All on this page' }).check()
    await page.getByText('4 contacts chosen').waitFor()
    await t.post('/v1/contacts/delete', { email: addressOf('dora') }, 200)
    await act(page, 'Put on a list')
    await page.getByRole('heading', { name: 'Put 4 contacts on a list?' }).waitFor()
    await judge(page, 'bulk-asked')
    await page.getByLabel('Where and how did they agree?').fill('At our stand in Hull')
    await agree(page, 'Put on a list')
    const refused = page.getByRole('alert')
    await eventually(() => refused.textContent()).toContain('1 contact was left as before:dora@example.net: ')
    await page.getByText('1 contact chosen').waitFor()
    await judge(page, 'bulk-refused')
    // The browser says so, too.
    dashboard.complaints.length = 0
    for (const name of ['ada', 'ben', 'cleo']) {
      const { id, mailingLists } = await contact(name)
      expect(Object.keys(mailingLists)).toEqual([list.id])
      const { data } = await t.get(`/v1/contacts/${id}/consent`, 200)
      expect(data.at(-1).consentText).toBe('At our stand in Hull')
    }
  })

  test('those who are chosen are unsubscribed, saved as a file, and deleted once their number is typed', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g c')
    await choose(page, 'ada')
    await choose(page, 'ben')
    await page.getByText('2 contacts chosen').waitFor()
    const download = page.waitForEvent('download')
    await act(page, 'As a file (CSV)')
    const [header = '', ...rows] = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n')
    const cellsOf = (name: string) => rows.map((row) => row.split(',')[header.split(',').indexOf(name)])
    expect(cellsOf('email').toSorted()).toEqual(['ada@example.net', 'ben@example.net'])
    expect(cellsOf('city')).toEqual(['Hull', 'Hull'])
    await act(page, 'Unsubscribe')
    await page.getByRole('heading', { name: 'Unsubscribe 2 contacts from all mail?' }).waitFor()
    await agree(page, 'Unsubscribe')
    await page.getByRole('checkbox', { name: 'All on this page' }).waitFor()
    const agreed = async () =>
      await Promise.all(['ada', 'ben', 'cleo'].map(async (name) => (await contact(name)).subscribed))
    await eventually(agreed).toEqual([false, false, true])
    await choose(page, 'ben')
    await act(page, 'Delete')
    await page.getByLabel('Type “1” to go on').fill('1')
    await agree(page, 'Delete')
    await page.getByRole('link', { name: addressOf('ben') }).waitFor({ state: 'detached' })
    expect(await t.get(`/v1/contacts/find?email=${addressOf('ben')}`, 200)).toEqual([])
  })

  test('more than a page is chosen by what it is narrowed down to', async () => {
    await using own = await openInstallation()
    for (let n = 0; n < 60; n++) await own.contact({ email: `r${n}@example.net`, subscribed: true })
    await own.contact({ email: 'other@example.com' })
    await using dashboard = await openDashboard(browser, own)
    const { page } = dashboard
    await page.goto(`${own.url}/dashboard/acme/contacts?q=${encodeURIComponent('@example.net')}`)
    await page.getByRole('checkbox', { name: 'All on this page' }).check()
    await page.getByText('50 contacts chosen').waitFor()
    await act(page, 'Choose all that match, up to 1,000 contacts')
    await page.getByText('60 contacts chosen').waitFor()
  })

  test('a view is kept under a name, in any browser, until it is forgotten', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/contacts?q=ada&sort=createdAt`)
    await page.getByRole('button', { name: 'Save this view' }).press('Enter')
    await page.getByRole('dialog').getByLabel('Name').fill('Everybody called Ada')
    await agree(page, 'Save this view')
    await page.goto(`${t.url}/dashboard/acme/contacts`)
    const views = page.getByRole('navigation', { name: 'Saved views' })
    await views.getByRole('link', { name: 'Everybody called Ada' }).press('Enter')
    await page.getByText('1 contact', { exact: true }).waitFor()
    await page.locator('nav.views a[aria-current]').waitFor()
    await page.waitForURL(/\?q=ada&sort=createdAt$/)
    await judge(page, 'saved-view')
    await views.getByRole('button', { name: 'Rename the view Everybody called Ada' }).press('Enter')
    await page.getByRole('dialog').getByLabel('Name').fill('Adas')
    await judge(page, 'rename-view')
    await agree(page, 'Rename')
    await views.getByRole('link', { name: 'Adas' }).waitFor()
    await eventually(() => views.getByRole('link').count()).toBe(1)

    await using elsewhere = await openDashboard(browser, t)
    await elsewhere.page.goto(`${t.url}/dashboard/acme/contacts`)
    const there = elsewhere.page.getByRole('navigation', { name: 'Saved views' })
    await there.getByRole('link', { name: 'Adas' }).waitFor()
    await there.getByRole('button', { name: 'Forget the view Adas' }).press('Enter')
    await there.getByRole('link').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'Save this view' }).waitFor()
    await eventually(() => views.getByRole('link').count()).toBe(0)
  })

  test('what an earlier version kept in the browser is moved to the server, once', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const { workspaceId, user } = await t.get('/v1/auth/session', 200, { as: 'session' })
    const whose = `${workspaceId} ${user.email}`
    await page.evaluate(
      ([whose]) => {
        localStorage.setItem(
          `views of /contacts ${whose}`,
          JSON.stringify([
            { name: 'One', filter: { q: 'ada' } },
            { name: 'Two', filter: { state: 'subscribed' } },
          ]),
        )
        localStorage.setItem(`first steps hidden ${whose}`, 'yes')
      },
      [whose],
    )
    await page.goto(`${t.url}/dashboard/acme/contacts`)
    const views = page.getByRole('navigation', { name: 'Saved views' })
    await eventually(() => views.getByRole('link').allInnerTexts()).toEqual(['One', 'Two'])
    await eventually(() => page.evaluate(() => Object.keys(localStorage))).toEqual([])
    await page.reload()
    await eventually(() => views.getByRole('link').allInnerTexts()).toEqual(['One', 'Two'])
    await views.getByRole('link', { name: 'Two' }).press('Enter')
    await page.waitForURL(/\?state=subscribed$/)
    const { data } = await t.get('/v1/auth/preferences', 200, { as: 'session' })
    expect(data.map(({ key }: Json) => key.split('.').slice(0, 2).join('.'))).toEqual([
      'hidden.first-steps',
      'view.contacts',
      'view.contacts',
    ])
  })
})
