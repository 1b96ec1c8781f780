// The dashboard in a real browser: signed in, by keyboard alone, under its policy, light and wide, dark and narrow. Anything that the
// browser complains of, or that asks another host, fails the test. SCREENSHOTS=DIR keeps pictures.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { buildDashboard } from '../dashboard/build.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { remoteDatabase } from './support/database.ts'

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
const looks = [
  { name: 'light', viewport: { width: 1280, height: 850 }, colorScheme: 'light' },
  { name: 'narrow-dark', viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
] as const

describe.skipIf(!browserExpected || remoteDatabase)('the dashboard', () => {
  let browser: Browser
  let t: TestApp
  beforeAll(async () => {
    browser = await openBrowser()
    t = await testApp()
    const content = [{ type: 'text', text: 'It works.' }]
    await t.post('/v1/transactional/create', { id: 'hi', name: 'Hi', subject: 'Welcome, {{name}}', content }, 201)
    for (const name of ['Ada', 'Ben', 'Cleo']) {
      const mail = { email: `${name.toLowerCase()}@example.net`, templateId: 'hi', dataVariables: { name } }
      await t.post('/v1/transactional/send', mail, 200)
      await t.advance('1m')
    }
    await subscriber()
  })
  /** Somebody on a list, with a ledger. */
  async function subscriber(): Promise<void> {
    const list = await t.post('/v1/mailing-lists', { name: 'News', isPublic: true, optIn: 'single' }, 201)
    const source = await t.post('/v1/subscription-sources/create', { name: 'Form', mailingListIds: [list.id] }, 201)
    await t.post('/v1/contact-subscriptions/opt-in', { email: 'grace@example.net', sourceId: source.id }, 201)
    await t.put('/v1/contacts/update', { email: 'grace@example.net', firstName: 'Grace', plan: 'pro' }, 200)
    await t.settle()
  }

  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  /** A page of somebody who is signed in, and what went wrong on it. */
  async function opened(options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
    const [name = '', value = ''] = t.sessionCookie.split('=')
    await context.addCookies([{ name, value, url: t.url }])
    const page = await context.newPage()
    const complaints: string[] = []
    // Also what the policy of the page forbids.
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => new URL(request.url()).origin !== t.url && complaints.push(request.url()))
    await page.goto(`${t.url}/dashboard`)
    await page.getByRole('heading', { name: 'Acme' }).waitFor()
    return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
  }

  async function press(page: Page, keys: string): Promise<void> {
    for (const key of keys.split(' ')) await page.keyboard.press(key)
  }

  async function judge(page: Page, name: string): Promise<void> {
    const directory = process.env.SCREENSHOTS
    if (directory) await page.screenshot({ path: join(directory, `${name}.png`) })
    await page.evaluate(axe)
    const found: AxeResults = await page.evaluate('axe.run({ iframes: false })')
    expect(
      found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      name,
    ).toEqual([])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(wide, `${name} is wider than the screen`).toBe(0)
  }

  test.each(looks)('$name: from home to one mail by keyboard alone, and nothing to complain of', async (look) => {
    await using dashboard = await opened(look)
    const { page, complaints } = dashboard
    await page.getByRole('link', { name: 'Welcome, Cleo' }).waitFor()
    await page.getByText('No mail leaves this machine').waitFor()
    await judge(page, `home-${look.name}`)
    await press(page, 'g a')
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await page.getByRole('link', { name: 'Welcome, Ada' }).waitFor()
    await judge(page, `activity-${look.name}`)
    await press(page, 'j j Enter')
    await page.getByRole('heading', { name: 'Welcome, Ben' }).waitFor()
    const mail = page.frameLocator('iframe')
    await mail.getByText('It works.').waitFor()
    expect(await page.locator('.history li').allInnerTexts()).toEqual([
      expect.stringMatching(/^queued/),
      expect.stringMatching(/^sending/),
      expect.stringMatching(/^sent.*\n+250/s),
    ])
    await judge(page, `mail-${look.name}`)
    await press(page, '?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await judge(page, `keys-${look.name}`)
    await press(page, 'Escape')
    await press(page, 'Control+k')
    await page.getByRole('dialog', { name: 'Find or do' }).waitFor()
    await judge(page, `palette-${look.name}`)
    expect(complaints).toEqual([])
  })

  test('the palette opens what a pasted id names, and finds the mails to an address', async () => {
    await using dashboard = await opened()
    const { page } = dashboard
    const [ada] = (await t.get('/v1/activity?email=ada@example.net', 200)).data
    const find = async (text: string) => {
      await press(page, 'Control+k')
      await page.getByRole('combobox', { name: 'A screen' }).waitFor()
      await page.keyboard.insertText(text)
      await press(page, 'Enter')
    }
    await find(ada.messageId)
    await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor()
    await find('ben@example.net')
    await page.getByRole('link', { name: 'Welcome, Ben' }).waitFor()
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' })
    expect(await page.locator('tbody tr').count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('q')).toBe('to:ben@example.net')
  })

  test('what is copied as curl answers what the screen shows', async () => {
    await using dashboard = await opened()
    const { page } = dashboard
    await press(page, 'g a')
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const command = await page.evaluate(() => navigator.clipboard.readText())
    const shell = Bun.spawn(['bash', '-c', command], { env: { ...process.env, PAQUEBOT_API_KEY: t.apiKey } })
    const subjects = (await new Response(shell.stdout).json()).data.map(({ subject }: { subject: string }) => subject)
    expect(subjects).toEqual(['Welcome, Cleo', 'Welcome, Ben', 'Welcome, Ada'])
  })

  test('it speaks German to those who read German, and as somebody chose', async () => {
    await using dashboard = await opened({ locale: 'de-DE' })
    const { page } = dashboard
    await page.getByRole('link', { name: 'Aktivität', exact: true }).click()
    await page.getByRole('heading', { name: 'Aktivität' }).waitFor()
    await page.getByLabel('Sprache').selectOption('English')
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  })

  test.each(looks)('$name: a person with what they agreed to, and figures as a table', async (look) => {
    await using dashboard = await opened(look)
    const { page, complaints } = dashboard
    await page.getByRole('button', { name: 'Show as a table' }).click()
    await page.getByRole('table', { name: 'Mails a day' }).waitFor()
    expect(await page.locator('.figures tbody tr').count()).toBeGreaterThanOrEqual(30)
    await press(page, 'g c')
    await page.getByRole('link', { name: 'grace@example.net' }).waitFor()
    await judge(page, `contacts-${look.name}`)
    await press(page, '/')
    await page.keyboard.insertText('grace')
    await press(page, 'Enter')
    await page.getByText('1 contacts').waitFor()
    await press(page, 'Escape')
    await page.getByRole('link', { name: 'grace@example.net' }).click()
    await page.getByRole('heading', { name: 'grace@example.net' }).waitFor()
    expect(await page.locator('.facts').textContent()).toMatch(/plan\s*pro/)
    expect(await page.locator('tbody').textContent()).toContain('News')
    await judge(page, `contact-${look.name}`)
    expect(complaints).toEqual([])
  })

  test('an address is suppressed and taken off again, with a way back, by whoever may', async () => {
    await using dashboard = await opened()
    const { page, complaints } = dashboard
    const suppressed = async () => (await t.get('/v1/suppressions', 200)).data.map(({ email }: Json) => email)
    await press(page, 'g s')
    await page.getByLabel('Add an address').fill('Nobody@example.net')
    await press(page, 'Enter')
    await page.getByRole('cell', { name: 'nobody@example.net' }).waitFor()
    await judge(page, 'suppressions')
    expect(await suppressed()).toEqual(['nobody@example.net'])
    await page.getByRole('button', { name: 'Take off the list' }).click()
    await page.getByText('nobody@example.net may be mailed again.').first().waitFor()
    expect(await suppressed()).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('cell', { name: 'nobody@example.net' }).waitFor()
    expect(await suppressed()).toEqual(['nobody@example.net'])
    await page.getByLabel('Add an address').fill(`${'a'.repeat(330)}@example.net`)
    await press(page, 'Enter')
    expect(await page.getByRole('alert').textContent()).toContain('email')
    expect(complaints.filter((one) => !one.includes('422'))).toEqual([])
  })

  test('a session that has ended leads to the sign-in, and back', async () => {
    await using dashboard = await opened()
    const { page } = dashboard
    await page.getByRole('button', { name: 'Show as a table' }).waitFor()
    await page.context().clearCookies()
    await press(page, 'g a')
    await page.waitForURL('**/login?to=/dashboard/acme/activity')
  })
})

describe('the files of the dashboard', () => {
  test('nobody sees it without signing in; its files are the same for all', async () => {
    await using t = await testApp()
    const stranger = await t.request('GET', '/dashboard/acme/activity', undefined, { as: 'nobody' })
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/login?to=/dashboard/acme/activity'])
    const { text, headers } = await t.request('GET', '/dashboard', undefined, { as: 'session' })
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("require-trusted-types-for 'script'")
    const files = [...text.matchAll(/\/dashboard\/files\/[\w.-]+/g)].map(([path]) => path)
    expect(files.length).toBe(2)
    for (const path of files) {
      const plain = await t.request('GET', path, undefined, {
        as: 'nobody',
        headers: { 'accept-encoding': 'identity' },
      })
      expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null])
      expect(plain.headers.get('cache-control')).toContain('immutable')
    }
    expect((await t.request('GET', '/dashboard/files/none.js')).status).toBe(404)
  })

  test('the first load has at most 150 KB, and a screen 40 KB', async () => {
    const files = await buildDashboard()
    const first = files.filter(({ name }) => name.startsWith('dashboard-'))
    expect(first.reduce((sum, { brotli }) => sum + brotli.length, 0)).toBeLessThan(150_000)
    for (const { name, brotli } of files) {
      if (name.startsWith('screen-')) expect(brotli.length, name).toBeLessThan(40_000)
      expect(brotliDecompressSync(brotli).length).toBeGreaterThan(100)
    }
  })
})
