// Ten things that people come to an e-mail platform for, each done in a browser by somebody who goes by what is on the screen. Their acts are
// counted and bounded; docs/ten-tasks.md sets them beside the steps that the best of the others publishes.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { writeZip } from '../src/kit/zip.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import type { Json } from './support/calls.ts'
import { complaintsOf, openDashboard } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, isCheckout, openEmpty, openInstallation } from './support/installation.ts'
import { Person } from './support/person.ts'
import { png } from './support/picture.ts'
import { startSink } from './support/smtp-sink.ts'

const ada = 'ada@example.net'

describe.skipIf(!browserExpected || remoteDatabase || !isCheckout)('ten tasks', () => {
  let browser: Browser
  const told: string[] = []
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    process.stdout.write(`${told.join('\n')}\n`)
  })

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true })
  const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name })
  const mailIn = (page: Page) => page.frameLocator('iframe.mail')

  /** `most`: the acts that it may take. */
  function task(name: string, most: number, walk: (person: Person) => Promise<void>): void {
    test(name, async () => {
      const person = new Person()
      const began = performance.now()
      await walk(person)
      const machine = (performance.now() - began) / 1_000
      const took = `${person.seconds.toFixed(0)} s of a person, ${machine.toFixed(1)} s of the machine`
      told.push(`  ${name}: ${person.acts} acts, ${took}`)
      expect(person.acts).toBeLessThanOrEqual(most)
    }, 120_000)
  }

  /** The same, signed in to an installation of its own. */
  function taskAt(
    name: string,
    most: number,
    walk: (at: { person: Person; page: Page; t: Installation; refused: () => Promise<void> }) => Promise<void>,
  ): void {
    task(name, most, async (person) => {
      await using t = await openInstallation({ trustLevel: 'M1' })
      await using dashboard = await openDashboard(browser, t)
      await walk({ person, t, ...dashboard })
    })
  }

  task('sign in for the first time', 4, async (person) => {
    await using empty = await openEmpty()
    await using page = await browser.newPage()
    const complaints = complaintsOf(page, new URL(empty.setUpUrl).origin)
    // The server has printed a link, which is pressed in the terminal.
    await page.goto(empty.setUpUrl)
    person.act(1)
    await person.write(page.getByLabel('E-mail address'), 'ada@acme.test')
    await person.write(page.getByLabel('Password'), 'a long enough password')
    await person.keys(page, 'Enter')
    await page.getByRole('heading', { name: 'Send your first mail' }).waitFor()
    expect(complaints).toEqual([])
  })

  taskAt('a first template with a picture of one’s own', 7, async ({ person, page, t }) => {
    await person.press(link(page, 'Templates'))
    await person.write(field(page, 'A new template'), 'Welcome')
    await person.keys(page, 'Enter')
    await page.getByText('It is empty.').waitFor()
    await person.drop(page.locator('.editor'), png({ width: 320, height: 200, rgb: [29, 78, 216] }))
    const question = page.getByRole('dialog', { name: 'What does it show?' })
    await person.write(question.getByLabel('What it shows'), 'The harbour')
    await person.press(question.getByRole('button', { name: 'Keep' }))
    await mailIn(page).getByRole('img', { name: 'The harbour' }).waitFor()
    await person.keys(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    const { content } = await t.get('/v1/transactional/welcome/content/en', 200)
    expect(content).toMatchObject([{ type: 'image', alt: 'The harbour' }])
  })

  taskAt('a mail of two columns, ⅔ and ⅓', 5, async ({ person, page, t }) => {
    await t.template({ id: 'news', content: [{ type: 'text', text: 'What is new' }] })
    await page.goto(`${t.url}/dashboard/acme/templates/news`)
    await mailIn(page).getByText('What is new').waitFor()
    await person.press(button(page, 'Columns ⅔ + ⅓'))
    await page.locator('.properties :focus').waitFor()
    await person.type(page, 'What we made this month')
    await person.press(page.getByRole('treeitem').last())
    await person.write(page.locator('.properties textarea').first(), 'Dates')
    await mailIn(page).getByText('Dates').waitFor()
    await person.keys(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    const { content } = await t.get('/v1/transactional/news/content/en', 200)
    expect(content[1]).toMatchObject({ columnWidths: [8, 4], children: [{ text: 'What we made this month' }, {}] })
  })

  taskAt('500 contacts from a file with bad rows', 9, async ({ person, page, t }) => {
    const rows = Array.from(
      { length: 500 },
      (_, n) => `${n % 100 === 7 ? 'not an address' : `p${n}@example.net`},P${n}`,
    )
    const buffer = Buffer.from(['email,first name', ...rows].join('\r\n'))
    await person.press(link(page, 'Contacts'))
    await person.press(link(page, 'Import a file'))
    await person.give(page.getByLabel('A CSV file'), { name: 'people.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('table', { name: 'Rows that are left out' }).waitFor()
    await person.press(page.getByLabel('They agreed to mail from us'))
    await person.write(page.getByLabel('Where and how they agreed'), 'At the fair')
    await person.press(button(page, 'Import 495 rows'))
    await page.waitForURL(/\/contacts\/imports\/imp_/)
    await t.settle()
    await page.getByText('done', { exact: true }).waitFor()
    const saved = page.waitForEvent('download')
    await person.press(button(page, 'The rows that were left out, to be corrected (CSV)'))
    await saved
  })

  taskAt('a campaign to a list', 12, async ({ person, page, t }) => {
    const list = await t.mailingList({ name: 'Customers' })
    for (const n of [1, 2, 3]) await t.contact({ email: `p${n}@example.net`, mailingLists: { [list.id]: true } })
    await person.press(link(page, 'Campaigns'))
    await person.press(link(page, 'New campaign'))
    await person.write(page.getByLabel('Name'), 'August')
    await person.write(page.getByLabel('Subject'), 'Warm news')
    await person.choose(page.getByLabel('List'), 'Customers')
    await person.press(button(page, 'Save'))
    await page.getByText('It is empty.').waitFor()
    await person.press(button(page, 'Text'))
    await page.locator('.properties :focus').waitFor()
    await person.type(page, 'The new garden is open.')
    await person.keys(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    await person.press(page.getByRole('link', { name: 'To the campaign' }))
    await person.press(button(page, 'Send now'))
    await person.press(page.getByRole('dialog').getByRole('button', { name: 'Send now' }))
    await page.getByRole('heading', { name: 'Progress' }).waitFor()
    await t.settle()
    await page.getByRole('heading', { name: 'Report' }).waitFor()
    const [{ stats }] = (await t.get('/v1/campaigns', 200)).data
    expect(stats).toMatchObject({ audience: 3, sent: 3 })
  })

  taskAt('why Ada did not get it', 3, async ({ person, page, t }) => {
    await t.template({ id: 'receipt', name: 'Receipt' })
    await t.contact({ email: ada })
    await t.post('/v1/suppressions', { email: ada }, 201)
    await t.request('POST', '/v1/transactional/send', { transactionalId: 'receipt', email: ada })
    await person.keys(page, 'Control+k')
    await person.write(page.getByRole('combobox', { name: 'A name' }), 'ada')
    await person.press(page.getByRole('option', { name: new RegExp(`^Contact: .*${ada}`) }))
    await page.getByText('suppressed').first().waitFor()
  })

  taskAt('a mistake is undone, also after it was saved', 5, async ({ person, page, t }) => {
    await t.template({
      id: 'welcome',
      name: 'Welcome',
      content: ['Dear reader', 'Yours, Acme'].map((text) => ({ type: 'text', text })),
    })
    await page.goto(`${t.url}/dashboard/acme/templates/welcome`)
    await person.press(page.getByRole('treeitem', { name: /Dear reader/ }))
    await person.keys(page, 'Delete')
    await page.getByRole('treeitem', { name: /Dear reader/ }).waitFor({ state: 'detached' })
    await person.keys(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    await person.keys(page, 'Control+z')
    await page.getByRole('treeitem', { name: /Dear reader/ }).waitFor()
    await person.keys(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    const { content } = await t.get('/v1/transactional/welcome/content/en', 200)
    expect(content).toMatchObject([{ text: 'Dear reader' }, {}])
  })

  taskAt('somebody is invited', 5, async ({ person, page }) => {
    await person.press(link(page, 'Settings'))
    await person.press(link(page, 'People'))
    await person.write(page.getByLabel('E-mail address'), 'grace@example.com')
    await person.keys(page, 'Enter')
    await page.getByText('The link for grace@example.com').waitFor()
    await person.press(page.locator('.notice').getByRole('button', { name: 'Copy' }))
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http/)
  })

  task('the relay breaks: found out, and mended', 1, async (person) => {
    const sink = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: sink.url }), isNew: true })
    await t.template({ id: 'receipt' })
    await sink[Symbol.asyncDispose]()
    const { messageId } = await t.mail({ email: ada, templateId: 'receipt' })
    await t.settle()
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const item = page.getByRole('listitem').filter({ hasText: /listens|refuse/ })
    await item.first().waitFor()
    await using _again = startSink({ port: sink.port })
    await person.press(item.getByRole('button', { name: 'Try again now' }).first())
    await page.getByRole('status').getByText('Tried again now').waitFor()
    await t.settle()
    await eventually(async () => (await t.get(`/v1/activity/${messageId}`, 200)).status).toBe('sent')
  })

  taskAt('an export of Mailchimp is moved in', 7, async ({ person, page, t }) => {
    const folder = join(import.meta.dir, 'exports')
    const names = readdirSync(folder).filter((name) => /^mailchimp.*csv$/.test(name))
    const buffer = await writeZip(names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) })))
    await person.press(link(page, 'Contacts'))
    await person.press(link(page, 'Import a file'))
    await person.choose(page.getByLabel('Written by'), 'mailchimp')
    await page.waitForURL(/format=mailchimp/)
    await person.give(page.getByLabel('The export'), {
      name: 'mailchimp.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from(buffer),
    })
    await person.press(button(page, /^Import \d+ rows?$/))
    await page.waitForURL(/\/contacts\/imports\/imp_/)
    await t.settle()
    await page.getByText('done', { exact: true }).waitFor()
    const { data } = await t.get('/v1/contact-imports', 200)
    expect(data.map(({ format }: Json) => format)).toEqual(['mailchimp'])
  })
})
