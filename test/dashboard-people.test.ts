// The people behind the mail, in a real browser: the first account and its first mail, contacts out of a file, somebody who confirms, and
// a session that another window ends.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { writeZip } from '../src/kit/zip.ts'
import type { Json } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { complaintsOf, judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually, shown } from './support/eventually.ts'
import { type Installation, isCheckout, openEmpty, openInstallation } from './support/installation.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

describe.skipIf(!browserExpected || remoteDatabase)('people in the dashboard', () => {
  let browser: Browser
  let sink: Sink
  let t: Installation
  beforeAll(async () => {
    browser = await openBrowser()
    sink = startSink()
    t = await openInstallation({ environment: { SMTP_URL: sink.url } })
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
  })

  const choose = (page: Page, name: string, option: string) => page.getByLabel(name).selectOption(option)
  const enter = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

  /** The fields are the same where an account is made and where somebody signs in. */
  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('E-mail address').fill('ada@acme.test')
    await page.getByLabel('Password').fill('a long enough password')
    await press(page, 'Enter')
  }

  async function signUp(page: Page, setUpUrl: string): Promise<void> {
    await page.goto(setUpUrl)
    await signIn(page)
    await page.waitForURL(/\/dashboard/)
  }

  test('from the link that the server prints to the first mail, by what is on the screen', async () => {
    await using empty = await openEmpty()
    await using page = await browser.newPage()
    const complaints = complaintsOf(page, new URL(empty.setUpUrl).origin)
    await signUp(page, empty.setUpUrl)
    await page.getByRole('heading', { name: 'Send your first mail' }).waitFor()
    await judge(page, 'home-empty')
    await page.getByRole('link', { name: 'Templates' }).press('Enter')
    await page.getByText('No template yet').waitFor()
    await page.getByRole('textbox', { name: 'A new template' }).fill('Welcome')
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    await press(page, '/')
    await page.getByRole('combobox', { name: 'What to add' }).fill('text')
    await press(page, 'Enter')
    await page.locator('.properties :focus').waitFor()
    await page.keyboard.insertText('It works.')
    await page.frameLocator('iframe.mail').getByText('It works.').waitFor()
    await enter(page, 'Send a test to me')
    await page.getByRole('link', { name: 'Follow it in Activity' }).press('Enter')
    await page.getByRole('heading', { name: '[Test]' }).waitFor()
    await page.frameLocator('iframe').getByText('It works.').waitFor()
    await page.locator('.history').getByText('sent', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('the call that the empty start page shows sends a mail, and then the page shows that', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const call = await shown(page.locator('.code code'), /\/send/)
    const shell = Bun.spawn(['bash', '-c', call], { env: { ...process.env, PAQUEBOT_API_KEY: t.apiKey } })
    expect(await shell.exited).toBe(0)
    await t.settle()
    await page.reload()
    await page.getByRole('link', { name: 'Hello Ada' }).waitFor()
    expect(sink.received.map(({ to }) => to)).toEqual([['you@example.net']])
  })

  test('a file of contacts is mapped, its bad rows are seen before and after, and everybody else is there', async () => {
    const file = [
      'Mail Adresse,First name,Company / Org,Seats,Mail prefs',
      'ada@example.net,Ada,Analytical Engines,3,daily',
      'not an address,Ben,Nobody & Sons,1,',
      'cleo@example.net,Cleo,Nile Lines,many,weekly',
    ].join('\r\n')
    await t.mailingList({ name: 'Customers' })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g c')
    await page.getByRole('link', { name: 'Import a file' }).press('Enter')
    const chooser = page.getByLabel('A CSV file')
    await chooser.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    // Nobody can know what the first column is.
    await page.getByText('Say which column has the e-mail address').waitFor()
    await judge(page, 'import-unknown')
    await page.getByRole('cell', { name: 'ada@example.net' }).waitFor()
    await choose(page, 'Becomes: Mail Adresse', 'email')
    // It may say who agreed: nothing is imported before somebody says what it is.
    await page.getByText('Some columns may say whether somebody agreed').waitFor()
    await eventually(() => page.getByRole('button', { name: /^Import \d+ rows?$/ }).count()).toBe(0)
    await choose(page, 'Becomes: Mail prefs', 'mailPrefs (text)')
    await page.getByRole('button', { name: 'Import 2 rows' }).waitFor()
    await choose(page, 'Becomes: Seats', 'seats (number)')
    await page.getByRole('button', { name: 'Import 1 row' }).waitFor()
    const reasons = page.getByRole('table', { name: 'Rows that are left out' }).locator('tbody tr')
    await eventually(() => reasons.allInnerTexts()).toEqual([
      expect.stringMatching(/^3\s.*email/i),
      expect.stringMatching(/^4\s.*seats/i),
    ])
    await choose(page, 'Becomes: Seats', 'nothing: leave it out')
    await page.getByRole('button', { name: 'Import 2 rows' }).waitFor()
    await choose(page, 'Also add those who agreed to a list', 'Customers')
    const factOf = (name: string) => page.locator('.facts div').filter({ has: page.getByText(name, { exact: true }) })
    await factOf('Not stated').getByText('2', { exact: true }).waitFor()
    await page.getByLabel('They agreed to mail from us').check()
    await page.getByLabel('Where and how they agreed').fill('On paper, at the fair in Hull.')
    await judge(page, 'import')
    await enter(page, 'Import 2 rows')
    await page.waitForURL(/\/contacts\/imports\/imp_/)
    await t.settle()
    await page.getByText('done', { exact: true }).waitFor()
    await judge(page, 'imported')
    const saved = page.waitForEvent('download')
    await enter(page, 'The rows that were left out, to be corrected (CSV)')
    await eventually(
      async () => await new Response((await (await saved).createReadStream()) as never).text(),
    ).toContain('not an address')
    await page.getByRole('link', { name: 'Imports' }).press('Enter')
    await page.getByRole('row', { name: 'done 2 0 1' }).waitFor()
    await judge(page, 'imports')
    await press(page, 'g c')
    await page.getByRole('link', { name: 'cleo@example.net' }).press('Enter')
    await page.getByText('On paper, at the fair in Hull.').first().waitFor()
    await page.getByText('Nile Lines').waitFor()
    await page.getByRole('cell', { name: 'agreed: Customers' }).waitFor()
    const { contactCount } = (await t.get('/v1/mailing-lists', 200)).data.find(({ name }: Json) => name === 'Customers')
    expect(contactCount).toBe(2)
  })

  test('the export of another service: shown before anything is stored, with lists and templates, then imported', async () => {
    const file = (name: string) => ({ name, bytes: readFileSync(join(import.meta.dir, 'exports', name)) })
    const names = ['listmonk-subscribers.json', 'listmonk-lists.json', 'listmonk-templates.json']
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/contacts/import`)
    await choose(page, 'Written by', 'listmonk')
    await page.waitForURL(/format=listmonk/)
    const chooser = page.getByLabel('The export')
    // A file of something else is refused, and the next one is read.
    await chooser.setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('hello') })
    await page.getByRole('alert').waitFor()
    await dashboard.refused()
    const buffer = Buffer.from(await writeZip(names.map(file)))
    await chooser.setInputFiles({ name: 'listmonk.zip', mimeType: 'application/zip', buffer })
    await page.getByRole('table', { name: 'Lists' }).waitFor()
    await page.getByRole('table', { name: 'Templates' }).waitFor()
    await judge(page, 'import-export')
    await eventually(async () =>
      (await t.get('/v1/contact-imports', 200)).data.map(({ format }: Json) => format),
    ).not.toContain('listmonk')
    await page.getByLabel('They agreed to mail from us').check()
    await page.getByLabel('Where and how they agreed').fill('In our shop.')
    await page.getByRole('button', { name: /^Import \d+ rows?$/ }).press('Enter')
    await page.waitForURL(/\/contacts\/imports\/imp_/)
    await t.settle()
    await page.getByText('done', { exact: true }).waitFor()
    await judge(page, 'imported-export')
    await page.getByRole('table', { name: 'Lists' }).getByRole('link').first().press('Enter')
    await page.waitForURL(/\/lists\/lst_/)
  })

  test('a column of an export that may be about consent is asked about before it can be imported', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/contacts/import?format=kit`)
    const buffer = Buffer.from('Email Address,Wants mail\nkay@example.net,no\nlou@example.net,yes\n')
    await page.getByLabel('The export').setInputFiles({ name: 'kit.csv', mimeType: 'text/csv', buffer })
    await page.getByText('Some columns may say whether somebody agreed').waitFor()
    await judge(page, 'import-unclear')
    await eventually(() => page.getByRole('button', { name: /^Import \d+ rows?$/ }).count()).toBe(0)
    await choose(page, 'Becomes: Wants mail', 'subscribed')
    await enter(page, 'Import 2 rows')
    await page.waitForURL(/\/contacts\/imports\/imp_/)
    await t.settle()
    const found = async (name: string) =>
      (await t.get(`/v1/contacts/find?email=${name}@example.net`, 200))[0].subscribed
    await eventually(async () => [await found('kay'), await found('lou')]).toEqual([false, true])
  })

  test.skipIf(!isCheckout)('a mail of the caller’s own content is moved, sent, and shown as it was given', async () => {
    const html = '<p>Dear <b>Ida</b>, <a href="https://house.example/reset">this way</a>.</p>'
    const mail = { from: 'Shop <paquebot@paquebot.localhost>', to: 'ida@example.net', subject: 'Your key', html }
    const { id } = await t.post('/compat/resend/emails', { ...mail, scheduled_at: '2026-12-01T00:00:00Z' }, 200)
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/activity/${id}`)
    await page.getByRole('button', { name: 'Cancel this mail' }).waitFor()
    const frame = page.frameLocator('iframe[title="The mail as it was submitted"]')
    await frame.getByText('this way').waitFor()
    await judge(page, 'mail-own')
    await page.getByLabel('Reschedule').fill('2020-01-01T10:00')
    await enter(page, 'Reschedule')
    const again = page.getByRole('button', { name: 'Send again' })
    // What is due is looked for until the browser's call has come.
    await eventually(() => t.settle().then(() => again.count())).toBe(1)
    await frame.getByText('this way').waitFor()
    await enter(page, 'Send again')
    await page.waitForURL((url) => !url.pathname.endsWith(id))
  })

  test('somebody fills in the form, confirms by the mail, and the ledger says in which words', async () => {
    const list = await t.mailingList({ name: 'Letter', isPublic: true, optIn: 'double' })
    let html = ''
    await using shop = Bun.serve({
      port: 0,
      fetch: () => new Response(`<!doctype html>${html}`, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
    })
    const consentText = 'Send me the letter, at most weekly.'
    const source = { name: 'Shop', consentText, mailingListIds: [list.id], allowedOrigins: [shop.url.origin] }
    const { id } = await t.post('/v1/subscription-sources/create', source, 201)
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/lists/sources/${id}`)
    await page.getByRole('heading', { name: 'Form to copy' }).waitFor()
    html = await shown(page.locator('.code code').first(), /<form/)

    // Asked in the language of their browser, whatever the form is written in.
    await using visitor = await browser.newPage({ locale: 'de-DE' })
    await visitor.goto(shop.url.href)
    await visitor.getByLabel('E-mail address').fill('grace@example.net')
    await press(visitor, 'Enter')
    await visitor.getByRole('status').getByText(/mail/).waitFor()
    await t.settle()
    const mail = sink.received.find(({ to }) => to.includes('grace@example.net'))
    const [link] = /\/confirm\/[\w-]{43}/.exec(mail?.raw.toString().replaceAll('=\r\n', '') ?? '') ?? []
    await page.goto(`${t.url}/dashboard/acme/contacts?q=grace`)
    await page.getByRole('link', { name: 'grace@example.net' }).press('Enter')
    await page.getByRole('heading', { name: 'grace@example.net' }).waitFor()
    await visitor.goto(`${t.url}${link}`)
    await visitor.getByRole('button', { name: 'Anmeldung bestätigen' }).press('Enter')
    await visitor.getByRole('heading').waitFor()
    await t.settle()
    await page.reload()
    await page.getByRole('cell', { name: consentText }).first().waitFor()
    await judge(page, 'ledger')
    const { contactCount } = await t.get(`/v1/mailing-lists/${list.id}`, 200)
    expect(contactCount).toBe(1)
  })

  /** The buttons of a window that asks first. */
  async function agree(page: Page, button: string, fill: Record<string, string> = {}): Promise<void> {
    await page.getByRole('button', { name: button, exact: true }).first().press('Enter')
    const dialog = page.getByRole('dialog')
    for (const [label, text] of Object.entries(fill)) await dialog.getByLabel(label).fill(text)
    await dialog.getByRole('button', { name: button, exact: true }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }

  /** What of the API was called by somebody who looks and acts, as the document names it. */
  function operationsOf(page: Page, document: Json): Set<string> {
    const seen = new Set<string>()
    const patterns = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, { operationId }]) => ({
        operationId,
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        isFixed: !path.includes('{'),
      })),
    )
    patterns.sort((one, other) => Number(other.isFixed) - Number(one.isFixed))
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      const called = patterns.find(({ method, pattern }) => method === request.method() && pattern.test(pathname))
      if (called) seen.add(called.operationId)
    })
    return seen
  }

  test('everything that the API does with a contact is done on their page, and what comes of it is said before', async () => {
    const single = await t.mailingList({ name: 'Gazette', optIn: 'single' })
    await t.mailingList({ name: 'Courier', optIn: 'double' })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const document = await t.get('/openapi.json', 200)
    const called = operationsOf(page, document)
    await press(page, 'g c')
    await page.getByRole('link', { name: 'Add a contact' }).press('Enter')
    await page.getByLabel('E-mail address').fill('mary@example.net')
    await page.getByLabel('First name').fill('Mary')
    await judge(page, 'contact-new')
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'mary@example.net' }).waitFor()

    await enter(page, 'Change')
    await page.getByLabel('Your id').fill('u-1')
    await page.getByRole('textbox', { name: 'Language' }).fill('no language')
    await page.getByText('A new property').click()
    await page.getByLabel('Name of the property').fill('startedOn')
    await choose(page, 'Type of the property', 'date')
    await page.getByLabel('Value').fill('2026-02-03')
    await enter(page, 'Save')
    await page.locator('input[name=locale]:focus[aria-invalid=true]').waitFor()
    await page.getByRole('alert').getByText('locale must be a language tag').waitFor()
    await dashboard.refused()
    await judge(page, 'contact-change')
    await page.getByRole('textbox', { name: 'Language' }).fill('pt-BR')
    await enter(page, 'Save')
    await page.getByText('2026-02-03').waitFor()
    await enter(page, 'Change')
    await page.getByLabel('E-mail address').fill('mary.s@example.net')
    await page.getByLabel('Your id').fill('u-2')
    await page.getByLabel('First name').fill('')
    await enter(page, 'Save')
    await page.getByRole('heading', { name: 'mary.s@example.net' }).waitFor()
    const find = async () => (await t.get('/v1/contacts/find?email=mary.s@example.net', 200))[0]
    await eventually(() => find()).toMatchObject({ userId: 'u-2', firstName: null, locale: 'pt-BR', subscribed: false })

    const how = { 'Where, when and how they said so': 'By letter, 3 March.' }
    const all = page.getByRole('row', { name: 'Mail of all lists and campaigns' })
    await agree(page, 'Record that they agreed', how)
    await all.getByText('agreed', { exact: true }).waitFor()
    await page.getByRole('cell', { name: 'By letter, 3 March.' }).waitFor()
    await page.getByRole('cell', { name: 'by hand, in the dashboard' }).first().waitFor()
    const rowOf = (list: string) => page.getByRole('row', { name: list }).first()
    await rowOf('Gazette').getByRole('button', { name: 'Put on' }).press('Enter')
    await page.getByRole('dialog').getByText('it is recorded in the ledger').waitFor()
    await judge(page, 'contact-join')
    await page.getByRole('dialog').getByLabel('Where, when and how').fill('By letter.')
    await press(page, 'Enter')
    await rowOf('Gazette').getByText('on it', { exact: true }).waitFor()
    await eventually(async () => (await t.get(`/v1/mailing-lists/${single.id}`, 200)).contactCount).toBe(1)
    await agree(page, 'Take off')
    await rowOf('Gazette').getByText('left it').waitFor()
    await rowOf('Courier').getByRole('button', { name: 'Put on' }).press('Enter')
    await page.getByRole('dialog').getByText('only their click puts them on the list').waitFor()
    await page.getByRole('dialog').getByLabel('Where, when and how').fill('By letter.')
    await press(page, 'Enter')
    await rowOf('Courier').getByText('waits for their click').waitFor()
    await t.settle()
    expect(sink.received.at(-1)?.to).toEqual(['mary.s@example.net'])
    await agree(page, 'Unsubscribe from all')
    await all.getByText('did not agree').waitFor()

    await agree(page, 'Suppress the address', { 'Why (may be empty)': 'Asked on the telephone.' })
    await page.getByText(/^Nothing is mailed to this address: added by hand/).waitFor()
    await page.getByText('Asked on the telephone.').waitFor()
    await judge(page, 'contact-suppressed')
    await press(page, 'g c')
    await page.getByRole('row', { name: 'mary.s@example.net' }).getByText('suppressed: added by hand').waitFor()
    await page.getByRole('link', { name: 'mary.s@example.net' }).press('Enter')
    await agree(page, 'Take off the suppression list')
    await page.getByText(/^Nothing is mailed to this address/).waitFor({ state: 'detached' })
    await t.post('/v1/suppressions', { email: 'mary.s@example.net', reason: 'complaint' }, 201)
    await page.reload()
    await enter(page, 'Take off the suppression list')
    await page
      .getByRole('dialog')
      .getByText(/^In 30 days [\d,]+ complaints? may be taken off/)
      .waitFor()
    await press(page, 'Escape')

    const saved = page.waitForEvent('download')
    await enter(page, 'Everything stored about this person (JSON)')
    await saved
    await enter(page, 'Delete the contact')
    await page.getByRole('dialog').getByText('still unsubscribed when the address comes back').waitFor()
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    await eventually(() => find()).toBeUndefined()
    const { id } = await t.contact({ email: 'mary.s@example.net' })
    await page.goto(`${t.url}/dashboard/acme/contacts/${id}`)
    await agree(page, 'Erase all data', { 'Type “mary.s@example.net” to go on': 'mary.s@example.net' })
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    await eventually(() => find()).toBeUndefined()

    // Whatever is added to the API for one contact has its place here.
    const ofContact = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      path.startsWith('/v1/contacts/{contactId}')
        ? Object.values<Json>(item).map(({ operationId }) => operationId)
        : [],
    )
    const others = ['createContact', 'deleteContact', 'addSuppression', 'removeSuppression', 'getSuppressionStatus']
    expect([...called]).toEqual(expect.arrayContaining([...ofContact, ...others]))
  })

  test('a session that another window ends leads to the sign-in, and back to where one was', async () => {
    await using empty = await openEmpty()
    const { origin } = new URL(empty.setUpUrl)
    await using here = await browser.newPage()
    await signUp(here, empty.setUpUrl)
    await here.goto(`${origin}/dashboard/default/contacts`)
    await here.getByRole('heading', { name: 'Contacts' }).waitFor()
    await using there = await browser.newPage()
    await there.goto(`${origin}/login?to=/dashboard`)
    await signIn(there)
    await there.getByRole('heading', { level: 1 }).waitFor()
    const ended = await there.evaluate(async () => (await fetch('/v1/auth/sessions', { method: 'DELETE' })).json())
    expect(ended.message).toBe('Ended 1 other session.')
    await press(here, 'g s')
    await here.waitForURL('**/login?to=/dashboard/default/suppressions')
    await signIn(here)
    await here.getByRole('heading', { name: 'Suppressions' }).waitFor()
  })
})
