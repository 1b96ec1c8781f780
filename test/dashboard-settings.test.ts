// The settings in a real browser: what mail looks like, who is in the workspace, how one signs in, keys, and who changed what.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judgeBoth, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'

describe.skipIf(!browserExpected || remoteDatabase)('settings in the dashboard', () => {
  let browser: Browser
  let t: TestApp
  beforeAll(async () => {
    browser = await openBrowser()
    t = await testApp()
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  const enter = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

  test('a mail shows the brand while it is typed, and what is refused is said', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page, complaints } = dashboard
    await press(page, 'g e')
    const mail = page.frameLocator('iframe')
    await mail.getByRole('heading', { name: 'Your order is on its way' }).waitFor()
    await page.getByLabel('Company').fill('Paper & Sons')
    await page.getByLabel('Postal address').fill('1 Quay Street, Bristol')
    await mail.getByText('1 Quay Street').waitFor()
    expect((await t.get('/v1/workspace', 200)).brand).toEqual({})
    await page.getByLabel('Colour').fill('teal')
    await page.getByText('must be a colour').waitFor()
    await page.getByLabel('Colour').fill('#0f766e')
    await page.getByText('must be a colour').waitFor({ state: 'detached' })
    await enter(page, 'Save')
    await page.getByText('Saved.').waitFor()
    const { brand } = await t.get('/v1/workspace', 200)
    expect(brand).toEqual({
      companyName: 'Paper & Sons',
      companyAddress: '1 Quay Street, Bristol',
      primaryColor: '#0f766e',
    })
    await judgeBoth(page, 'settings-brand')
    expect(complaints.filter((one) => !one.includes('422'))).toEqual([])
  })

  test('somebody is invited, comes in, gets another role and is removed; the only owner stays', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page, complaints } = dashboard
    const people = async () =>
      (await t.get('/v1/members', 200)).data.map(({ email, role }: Json) => [email.split('@')[0], role])
    await press(page, 'g e')
    await page.getByRole('link', { name: 'People' }).press('Enter')
    await page.getByText('The only owner stays').waitFor()
    await page.getByLabel('E-mail address').fill('hal@example.com')
    await press(page, 'Enter')
    await page.getByText('The link for hal@example.com').waitFor()
    await enter(page, 'Withdraw')
    await page.getByText('Nobody is invited').waitFor()
    await page.getByLabel('E-mail address').fill('grace@example.com')
    await press(page, 'Enter')
    await page.getByText('The link for grace@example.com').waitFor()
    await judgeBoth(page, 'settings-people')

    const visitor = await browser.newPage()
    await visitor.goto((await page.locator('.notice code').textContent()) ?? '')
    await visitor.getByLabel('Name').fill('Grace')
    await visitor.getByLabel('Password').fill('correct horse battery')
    await visitor.keyboard.press('Enter')
    await visitor.waitForURL((url) => !url.pathname.startsWith('/invite'))
    await visitor.context().close()

    await page.reload()
    await page.getByLabel('Role of grace@example.com').selectOption('Owner')
    await page.getByText('grace@example.com is now: Owner.').first().waitFor()
    expect(await people()).toEqual([
      ['owner', 'owner'],
      ['grace', 'owner'],
    ])
    await enter(page, 'Undo')
    await page.getByText('The only owner stays').waitFor()
    await enter(page, 'Remove')
    const dialog = page.getByRole('dialog', { name: 'Remove grace@example.com?' })
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
    await page.getByLabel('Role of grace@example.com').waitFor({ state: 'detached' })
    expect(await people()).toEqual([['owner', 'owner']])
    expect(complaints).toEqual([])
  })
})
