// The menu in a browser: groups beside the screen, and a drawer over it where the window is narrow, by keyboard.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

describe.skipIf(!browserExpected || remoteDatabase)('the menu', () => {
  let browser: Browser
  let t: Installation
  beforeAll(async () => {
    browser = await openBrowser()
    t = await openInstallation()
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  test('names its groups, marks where one is, and keeps language and sign-out in sight in a low window', async () => {
    await using dashboard = await openDashboard(browser, t, { viewport: { width: 1280, height: 500 } })
    const { page } = dashboard
    const menu = page.getByRole('navigation', { name: 'Screens' })
    const audience = menu.getByRole('list', { name: 'Audience' })
    await eventually(() => audience.getByRole('link').allInnerTexts()).toEqual([
      'Contacts',
      'Lists',
      'Segments',
      'Suppressions',
    ])
    await menu.getByRole('link', { name: 'Settings' }).press('Enter')
    await page.waitForURL('**/settings')
    await eventually(() => menu.locator('[aria-current]').allInnerTexts()).toEqual(['Settings'])
    for (const one of [
      page.getByRole('combobox', { name: 'Language' }),
      page.getByRole('button', { name: 'Sign out' }),
      menu.locator('[aria-current]'),
    ])
      await eventually(async () => {
        const box = await one.boundingBox()
        return box !== null && box.y >= 0 && box.y + box.height <= 500
      }).toBe(true)
  })

  test('is a drawer in a narrow window: it takes the focus, Escape gives it back, and going somewhere closes it', async () => {
    await using dashboard = await openDashboard(browser, t, { viewport: { width: 360, height: 740 } })
    const { page } = dashboard
    const open = page.getByRole('button', { name: 'Menu' })
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await eventually(() => page.getByRole('link', { name: 'Contacts', exact: true }).count()).toBe(0)
    await open.press('Enter')
    await drawer.locator(':focus').waitFor()
    await drawer.getByRole('button', { name: 'Sign out' }).waitFor()
    await press(page, 'Escape')
    await drawer.waitFor({ state: 'detached' })
    await eventually(() => open.evaluate((button) => button === document.activeElement)).toBe(true)
    await press(page, 'Enter')
    await judge(page, 'drawer')
    await page.setViewportSize({ width: 360, height: 740 })
    await drawer.getByRole('link', { name: 'Contacts', exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    await drawer.waitFor({ state: 'detached' })
    await page.locator('#content:focus').waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/acme/contacts')
  })
})
