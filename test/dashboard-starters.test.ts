// A template begun from a finished mail, in a real browser: found by what it is for, filled with a contact as in a mail to them, and tested
// by several members at once.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'

describe.skipIf(!browserExpected || remoteDatabase)('finished mails in the dashboard', () => {
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

  test('one click makes a draft of one that is found by its purpose, with its test data', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g t')
    await page.getByText('No template yet').waitFor()
    const gallery = page.getByRole('region', { name: 'Start from a finished mail' })
    await page.frameLocator('iframe[title="Welcome"]').getByRole('heading', { name: 'Welcome' }).waitFor()
    await judge(page, 'templates-starters')
    await gallery.getByLabel('What is it for?').fill('parcel')
    await gallery.getByText('There is none for that').waitFor()
    await gallery.getByLabel('What is it for?').fill('order arrives')
    await eventually(() => gallery.getByRole('listitem').count()).toBe(1)
    await gallery.getByRole('button', { name: 'Start with it: Shipping update' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Shipping update' }).waitFor()
    const mail = page.frameLocator('iframe.mail')
    await mail.getByText('Thursday, 14 May').waitFor()
    await mail.getByText('Packed as a gift').waitFor()
    await page.getByText('saved', { exact: true }).waitFor()
    await page.goto(`${page.url()}?locale=de`)
    await mail.getByRole('heading', { name: 'Sie ist unterwegs' }).waitFor()
    expect(await t.get('/v1/transactional/shipping-update', 200)).toMatchObject({ status: 'draft' })

    await page.goto(`${t.url}/dashboard/acme/templates`)
    await page.getByRole('link', { name: 'Start from a finished mail' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Start from a finished mail' }).waitFor()
    await eventually(() => page.getByRole('button', { name: /^Start with it: / }).count()).toBe(12)
    await page.frameLocator('iframe[title="Welcome"]').getByRole('heading', { name: 'Welcome' }).waitFor()
    await judge(page, 'starters')
  })

  test('a preview is filled with a contact, and says what is not known of them', async () => {
    const content = [{ type: 'text', text: 'Dear {{contact.firstName|friend}}, your plan is {{contact.plan|free}}.' }]
    await t.template({ id: 'dear', content })
    await t.post('/v1/contacts/create', { email: 'ada@example.net', firstName: 'Ada', lastName: 'Lovelace' }, 200)
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/templates/dear`)
    const mail = page.frameLocator('iframe.mail')
    await mail.getByText('Dear friend').waitFor()
    await page.getByRole('button', { name: 'Fill with a contact' }).press('Enter')
    await page.getByRole('combobox', { name: 'A part of the name' }).fill('love')
    await page.getByRole('option', { name: 'Ada Lovelace, ada@example.net' }).waitFor()
    await press(page, 'Enter')
    await mail.getByText('Dear Ada, your plan is free.').waitFor()
    await eventually(() => page.locator('.known li').allInnerTexts()).toEqual([
      expect.stringMatching(/contact\.firstName\s+Ada/),
      expect.stringMatching(/contact\.plan\s+not known of them/),
    ])
    await judge(page, 'template-contact')
    // What is shown is what is sent.
    await page.reload()
    await mail.getByText('Dear Ada').waitFor()
    const { messageId } = await t.post('/v1/transactional/send', { email: 'ada@example.net', templateId: 'dear' }, 200)
    await t.settle()
    expect((await t.sent()).find(({ raw }) => raw.includes(messageId))?.raw ?? '').toContain(
      'Dear Ada, your plan is free.',
    )
    await page.getByRole('button', { name: 'Nobody in particular' }).press('Enter')
    await mail.getByText('Dear friend').waitFor()
  })

  test('a test goes to several members in one act, each with what became of it; a wrong one is named before any leaves', async () => {
    await t.template({ id: 'note', content: [{ type: 'text', text: 'A note' }] })
    await t.person('member', { email: 'grace@example.com' })
    await t.person('member', { email: 'linus@example.com' })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/templates/note`)
    await page.getByRole('button', { name: 'Test to others…' }).press('Enter')
    const dialog = page.getByRole('dialog')
    const send = () => dialog.getByRole('button', { name: 'Send the tests' }).press('Enter')
    const says = () => dialog.getByRole('alert').textContent()
    await dialog.getByLabel('Addresses of members').fill('grace, linus@example.com')
    await send()
    await eventually(says).toMatch(/grace is no e-mail address/)
    await dialog
      .getByLabel('Addresses of members')
      .fill(Array.from({ length: 11 }, (_, n) => `p${n}@example.com`).join('\n'))
    await send()
    await eventually(says).toMatch(/At most 10 addresses; these are 11/)
    await dialog.getByLabel('Addresses of members').fill('grace@example.com\nmallory@example.com, eve@example.com')
    await send()
    await eventually(says).toMatch(
      /mallory@example.com .*not the address of a member.*eve@example.com .*not the address/,
    )
    await dashboard.refused()
    await judge(page, 'template-tests')
    await dialog.getByLabel('Addresses of members').fill('grace@example.com\nLINUS@example.com, grace@example.com')
    await send()
    await eventually(() => dialog.getByRole('status').getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^grace@example.com: on its way/),
      expect.stringMatching(/^linus@example.com: on its way/),
    ])
    await judge(page, 'template-tests-sent')
    await t.settle()
    const to = (await t.sent()).filter(({ raw }) => raw.includes('[Test]')).flatMap(({ to }) => to)
    expect(to.toSorted()).toEqual(['grace@example.com', 'linus@example.com'])
    // They are typed once.
    await press(page, 'Escape')
    await page.reload()
    await page.getByRole('button', { name: 'Test to others…' }).press('Enter')
    await eventually(() => dialog.getByLabel('Addresses of members').inputValue()).toContain('grace@example.com')
  })
})
