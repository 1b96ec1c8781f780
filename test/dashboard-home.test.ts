// Home in a browser: the first steps, ticked by what is there and hidden for good, and the last thirty days beside those before them.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { isCheckout, openInstallation } from './support/installation.ts'

describe.skipIf(!browserExpected || remoteDatabase)('home', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('the first steps lead on from what is there, each by its button, and stay away once hidden', async () => {
    await using t = await openInstallation()
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const steps = page.locator('.first-steps')
    const ticked = () => steps.locator('li.is-done h3').allInnerTexts()
    const next = steps.locator('a.main')
    await steps.getByText('0 of 5 done').waitFor()
    expect(await ticked()).toEqual([])
    await next.press('Enter')
    await page.waitForURL(`${t.url}/dashboard/acme/templates`)
    await t.template({ id: 'hi' })
    await t.mail({ email: 'ada@example.net', templateId: 'hi' })
    await t.settle()
    await press(page, 'g h')
    await eventually(ticked).toEqual([expect.stringContaining('Send your first mail')])
    await judge(page, 'home-first-steps')
    await next.press('Enter')
    await page.waitForURL(`${t.url}/dashboard/acme/contacts/import`)
    await t.contact({ email: 'ada@example.net' })
    await press(page, 'g h')
    await eventually(ticked).toHaveLength(2)
    await next.press('Enter')
    await page.waitForURL(`${t.url}/dashboard/acme/relays/new`)
    await press(page, 'g h')
    await page.getByRole('button', { name: 'Hide them' }).press('Enter')
    await steps.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Last mails' }).waitFor()
    await eventually(() => steps.count()).toBe(0)
    await using elsewhere = await openDashboard(browser, t)
    await elsewhere.page.getByRole('heading', { name: 'Last mails' }).waitFor()
    await eventually(() => elsewhere.page.locator('.first-steps').count()).toBe(0)
  })

  test.skipIf(!isCheckout)('a viewer, who can do none of it, is shown no first steps', async () => {
    await using t = await testApp()
    const { sessionCookie } = await t.person('viewer', { email: 'vera@acme.test' })
    await using viewer = await openDashboard(browser, { url: t.url, sessionCookie })
    await viewer.page.getByText('No mail yet.').waitFor()
    await eventually(() => viewer.page.locator('.first-steps').count()).toBe(0)
  })

  test.skipIf(!isCheckout)('thirty days stand beside the thirty before them, as figures and in the plot', async () => {
    await using t = await openInstallation()
    await t.template({ id: 'hi' })
    const send = () => t.mail({ email: 'ada@example.net', templateId: 'hi' })
    await send()
    await send()
    // Somebody who looks in now and then stays signed in.
    for (let hours = 0; hours < 29 * 24 + 10; hours += 10) {
      await t.advance('10h')
      await t.get('/v1/auth/session', 200, { as: 'session' })
    }
    await send()
    await t.settle()
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const sent = page.locator('.totals div', { hasText: 'Sent' }).locator('dd')
    await eventually(() => sent.textContent()).toBe('1 -50%, before: 2')
    await page.getByText('1 mail in 24 hours: too few for a rate.').waitFor()
    await judge(page, 'home-compared')
    await page.getByRole('button', { name: 'Show as a table' }).press('Enter')
    const earlier = page.locator('td[data-name="Sent, 30 days earlier"]')
    await eventually(async () => (await earlier.allInnerTexts()).filter((text) => text !== '0')).toEqual(['2'])
  })
})
