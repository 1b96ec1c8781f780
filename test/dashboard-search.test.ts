// Finding in the dashboard, in a real browser: contacts by a text and by what narrows them down, and anything by its name.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import type { Json } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

describe.skipIf(!browserExpected || remoteDatabase)('finding in the dashboard', () => {
  let browser: Browser
  let t: Installation
  let listId = ''
  beforeAll(async () => {
    browser = await openBrowser()
    t = await openInstallation()
    listId = (await t.mailingList({ name: 'Gazette' })).id
    const everybody: Json[] = [
      { email: 'ada@acme.example', firstName: 'Ada', lastName: 'Löwe', subscribed: true, plan: 'pro' },
      { email: 'ben@acme.example', firstName: 'Ben', lastName: 'Löwe', subscribed: false, plan: 'pro' },
      { email: 'cleo@nile.example', firstName: 'Cleo', subscribed: true, plan: 'free' },
      { email: 'dora@nile.example', firstName: 'Dora', subscribed: true, plan: 'free' },
    ]
    for (const one of everybody) await t.post('/v1/contacts/create', one, 200)
    const onList = { mailingLists: { [listId]: true } }
    for (const name of ['ada@acme', 'cleo@nile'])
      await t.put('/v1/contacts/update', { email: `${name}.example`, ...onList }, 200)
    await t.post('/v1/suppressions', { email: 'dora@nile.example' }, 201)
    const filter = { field: 'plan', op: 'eq', value: 'pro' }
    await t.post('/v1/segments', { name: 'Payers', filter }, 201)
    await t.template({ id: 'quote', name: 'Your quote', subject: 'Quoted for you' })
    await t.mail({ email: 'ada@acme.example', templateId: 'quote' })
    await t.settle()
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  /** Whom the list shows. */
  const people = (page: Page) =>
    eventually(() => page.getByRole('table', { name: 'Contacts' }).getByRole('link').allInnerTexts())
  const chips = (page: Page) =>
    eventually(() => page.getByRole('navigation', { name: 'Narrowed down to' }).getByRole('link').allInnerTexts())
  const [ada, ben, cleo, dora] = ['ada@acme.example', 'ben@acme.example', 'cleo@nile.example', 'dora@nile.example']

  async function narrow(page: Page, choices: Record<string, string>): Promise<void> {
    await page.getByText('Narrow down', { exact: true }).click()
    for (const [label, option] of Object.entries(choices))
      await page.getByRole('combobox', { name: label, exact: true }).selectOption(option)
    await page.getByRole('button', { name: 'Show these' }).press('Enter')
  }

  test('contacts are found by any part of a name, an address or a domain', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g c')
    await page.getByText('4 contacts', { exact: true }).waitFor()
    const search = async (text: string) => {
      await page.getByRole('searchbox', { name: 'Address, name or id' }).fill(text)
      await page.getByRole('button', { name: 'Search' }).click()
    }
    await search('LÖWE')
    await people(page).toEqual([ben, ada])
    await search('ada löw')
    await people(page).toEqual([ada])
    await page.getByText('1 contact', { exact: true }).waitFor()
    await search('@nile')
    await people(page).toEqual([dora, cleo])
    await search('nobody')
    await page.getByText('No contact matches all of this.').waitFor()
  })

  test('what narrows contacts down stands in the address, survives a reload, and is taken away one by one', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/contacts?q=example`)
    await people(page).toHaveLength(4)
    await narrow(page, { List: 'Gazette', State: 'subscribed' })
    await people(page).toEqual([cleo, ada])
    await narrow(page, { Segment: 'Payers' })
    await people(page).toEqual([ada])
    await chips(page).toEqual(['“example” ×', 'List: Gazette ×', 'subscribed ×', 'Segment: Payers ×', 'Show everybody'])
    await judge(page, 'contacts-narrowed')
    await page.reload()
    await people(page).toEqual([ada])
    await page.getByRole('link', { name: 'No longer: Segment: Payers' }).press('Enter')
    await people(page).toEqual([cleo, ada])
    expect(new URL(page.url()).searchParams.get('listId')).toBe(listId)
    await page.goBack()
    await people(page).toEqual([ada])
    await page.getByRole('link', { name: 'Show everybody' }).press('Enter')
    await people(page).toHaveLength(4)

    await narrow(page, { 'Suppression list': 'suppressed' })
    await people(page).toEqual([dora])
    await page.getByRole('link', { name: 'No longer: suppressed' }).press('Enter')
    await people(page).toHaveLength(4)
    await page.getByText('Narrow down', { exact: true }).click()
    await page.getByLabel('Its value').fill('free')
    await page.getByRole('combobox', { name: 'Property', exact: true }).selectOption('plan')
    await page.getByRole('button', { name: 'Show these' }).press('Enter')
    await people(page).toEqual([dora, cleo])
    await chips(page).toEqual(['plan: free ×'])
  })

  test('the palette finds a contact by several parts of a name, a mail by its subject, and sends a test', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const open = async (typed: string, option: string) => {
      await press(page, 'Control+k')
      await page.getByRole('combobox', { name: 'A name' }).fill(typed)
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await open('ada löw', 'Contact: Ada Löwe, ada@acme.example')
    await page.getByRole('heading', { name: 'ada@acme.example' }).waitFor()
    await open('quoted', 'Mail: Quoted for you to ada@acme.example')
    await page.getByRole('heading', { name: 'Quoted for you' }).waitFor()
    await open('payers', 'Segment: Payers')
    await page.getByRole('heading', { name: 'Payers' }).waitFor()
    await page.getByRole('link', { name: 'Search among them' }).press('Enter')
    await people(page).toEqual([ben, ada])
    await open('import c', 'Import contacts')
    await page.getByRole('heading', { name: 'Import contacts' }).waitFor()
    await open('send test quote', 'Send a test mail: Your quote')
    await page.locator('button:focus', { hasText: 'Send a test to me' }).press('Enter')
    await page.getByRole('link', { name: 'Follow it in Activity' }).waitFor()
  })

  test('of more than a hundred lists each is on the page of a person, theirs first, and can be chosen elsewhere', async () => {
    for (let n = 1; n <= 101; n++) await t.mailingList({ name: `List ${n}`, optIn: 'single' })
    const [{ id }] = await t.get('/v1/contacts/find?email=ada@acme.example', 200)
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/contacts/${id}`)
    const rows = page.getByRole('table', { name: 'What they agreed to' }).locator('tbody tr')
    await eventually(() => rows.count()).toBe(103)
    await rows.nth(1).getByText('Gazette').waitFor()
    await page
      .getByRole('row', { name: /^List 101 / })
      .getByRole('button', { name: 'Put on' })
      .press('Enter')
    await page.getByRole('dialog').getByLabel('Where, when and how').fill('By letter.')
    await press(page, 'Enter')
    await page
      .getByRole('row', { name: /^List 101 / })
      .getByText('on it', { exact: true })
      .waitFor()
    await page.goto(`${t.url}/dashboard/acme/campaigns/new`)
    await page.getByRole('option', { name: 'List 101' }).waitFor({ state: 'attached' })
  })
})
