// The link domain as its owner sets it up in a browser: what to publish, the check, and giving it up.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { nameServer } from './support/dns.ts'
import { links } from './support/link-domain.ts'

describe.skipIf(!browserExpected || remoteDatabase)('the links in mails', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('are at a domain of the workspace once its records are there', async () => {
    await using dns = await nameServer()
    await using t = await testApp({ dns: dns.resolver })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g d')
    await page.getByRole('heading', { name: 'Links in mails' }).waitFor()
    await page.getByLabel('Use a domain of yours').fill(links)
    await page.getByLabel('Use a domain of yours').press('Enter')
    await page.getByRole('heading', { name: `${links} not proved yet` }).waitFor()
    const { linkDomain } = await t.get('/v1/workspace', 200)
    const [proof] = linkDomain.dnsRecords
    await page.getByText(proof.value).waitFor()
    const check = page.getByRole('button', { name: 'Check the DNS now' })
    await check.press('Enter')
    await page
      .getByRole('table', { name: `Records of ${links}` })
      .getByText('missing')
      .first()
      .waitFor()
    await judge(page, 'link-domain')
    dns.names.set(proof.name, [proof.value])
    dns.names.set(links, { a: ['127.0.0.1'] })
    await check.press('Enter')
    await page.getByRole('heading', { name: `${links} in use` }).waitFor()
    // A form that is copied leads there as well.
    const { sourceId } = await t.form('single')
    const { port } = new URL(t.url)
    await page.goto(`${t.url}/dashboard/acme/lists/sources/${sourceId}`)
    await page.getByText(`action="http://${links}:${port}/f/${sourceId}"`).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Remove' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await page.getByLabel('Use a domain of yours').waitFor()
    expect((await t.get('/v1/workspace', 200)).linkDomain).toBeNull()
  })
})
