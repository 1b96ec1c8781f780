// The dashboard in a real browser: signed in, by keyboard alone, under its policy, light and wide, dark and narrow. Anything that the
// browser complains of, or that asks another host, fails the test.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync } from 'node:zlib'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { buildDashboard } from '../dashboard/build.ts'
import { dashboardLanguages } from '../languages/generated/said-by-server.ts'
import { write } from '../src/core/app.ts'
import { deliverMessage } from '../src/features/sending/deliver-message.ts'
import { queueMessages } from '../src/features/sending/queue.ts'
import { newId } from '../src/kit/id.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

describe.skipIf(!browserExpected || remoteDatabase)('the dashboard', () => {
  let browser: Browser
  let t: Installation
  beforeAll(async () => {
    browser = await openBrowser()
    t = await openInstallation()
    await t.template({ id: 'hi', subject: 'Welcome, {{name}}', text: 'It works.' })
    for (const name of ['Ada', 'Ben', 'Cleo']) {
      await t.mail({ email: `${name.toLowerCase()}@example.net`, templateId: 'hi', dataVariables: { name } })
      await t.advance('1s')
    }
    await subscriber()
  })
  /** Somebody on a list, with a ledger. */
  async function subscriber(): Promise<void> {
    const list = await t.mailingList({ isPublic: true, optIn: 'single' })
    const source = await t.post('/v1/subscription-sources/create', { name: 'Form', mailingListIds: [list.id] }, 201)
    await t.post('/v1/contact-subscriptions/opt-in', { email: 'grace@example.net', sourceId: source.id }, 201)
    await t.put('/v1/contacts/update', { email: 'grace@example.net', firstName: 'Grace', plan: 'pro' }, 200)
    await t.settle()
  }

  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  const opened = (options: BrowserContextOptions = {}) => openDashboard(browser, t, options)

  test('from home to one mail by keyboard alone', async () => {
    await using dashboard = await opened()
    const { page } = dashboard
    await page.getByRole('link', { name: 'Welcome, Cleo' }).waitFor()
    await page.getByText('No mail is sent: it is captured').waitFor()
    await judge(page, 'home')
    await press(page, 'g a')
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await page.getByRole('link', { name: 'Welcome, Ada' }).waitFor()
    await judge(page, 'activity')
    await press(page, 'j j Enter')
    await page.getByRole('heading', { name: 'Welcome, Ben' }).waitFor()
    const mail = page.frameLocator('iframe')
    await mail.getByText('It works.').waitFor()
    await eventually(() => page.locator('.history li').allInnerTexts()).toEqual([
      expect.stringMatching(/^queued/),
      expect.stringMatching(/^sending/),
      expect.stringMatching(/^sent.*\n+250/s),
    ])
    await judge(page, 'mail')
    await press(page, '?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await keys.waitFor()
    const pressed = await eventually(() => keys.locator('dt').allInnerTexts()).not.toEqual([])
    expect(pressed).toEqual([...new Set(pressed)])
    await judge(page, 'keys')
    await press(page, 'Escape')
    await press(page, 'Control+k')
    await page.getByRole('dialog', { name: 'Find or do' }).waitFor()
    await judge(page, 'palette')
  })

  test('home leads to the captured mail, and to what its trust level means', async () => {
    await using dashboard = await opened()
    const { page } = dashboard
    await page.getByRole('link', { name: 'No mail is sent: it is captured' }).press('Enter')
    await page.waitForURL(`${t.url}/dashboard/acme/captured`)
    await page.getByRole('link', { name: 'Welcome, Cleo' }).waitFor()
    await press(page, 'g h')
    const level = page.getByText(/^Trust level M2: /)
    await level.getByRole('link', { name: 'How many campaign mails may leave in a day' }).press('Enter')
    // The address names a place that the page has.
    await page.locator('p:has(#trust-levels:target)', { hasText: 'Recipients in a rolling day' }).waitFor()
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
    await eventually(() => page.locator('tbody tr').count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('q')).toBe('to:ben@example.net')
  })

  test('the palette finds contacts, templates, campaigns and lists by a part of their names, and acts', async () => {
    const list = await t.mailingList({ name: 'Quarterly' })
    await t.contact({ email: 'al@example.net', firstName: 'Alma', lastName: 'Quist' })
    const content = [{ type: 'text', text: 'Hello' }]
    await t.template({ id: 'quote', name: 'Your quote' })
    await t.post('/v1/campaigns', { name: 'Quiz', subject: 'Q', mailingListId: list.id, content }, 201)
    await using dashboard = await opened()
    const { page } = dashboard
    const open = async (typed: string, option: string) => {
      await press(page, 'Control+k')
      await page.getByRole('combobox', { name: 'A name' }).fill(typed)
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await open('uist', 'Contact: Alma Quist, al@example.net')
    await page.getByRole('heading', { name: 'al@example.net' }).waitFor()
    await open('quot', 'Template: Your quote')
    await page.getByRole('heading', { name: 'Your quote' }).waitFor()
    await press(page, 'Control+k')
    await page.getByRole('combobox', { name: 'A name' }).fill('qui')
    await page.getByRole('option', { name: 'Campaign: Quiz', exact: true }).waitFor()
    await judge(page, 'palette-found')
    await press(page, 'Escape')
    await open('quart', 'List: Quarterly')
    await page.getByRole('heading', { name: 'Quarterly' }).waitFor()
    await open('new camp', 'New campaign')
    await page.getByRole('heading', { name: 'New campaign' }).waitFor()
  })

  test('what is copied as curl answers what the screen shows', async () => {
    await using dashboard = await opened()
    const { page } = dashboard
    await press(page, 'g a')
    // The screen before has such buttons too.
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
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
    await eventually(() => page.evaluate(() => document.documentElement.lang)).toBe('en')
  })

  test('a person with what they agreed to, and figures as a table', async () => {
    await using dashboard = await opened()
    const { page } = dashboard
    await page.getByRole('button', { name: 'Show as a table' }).click()
    await page.getByRole('table', { name: 'Mails a day' }).waitFor()
    await eventually(() => page.locator('.figures tbody tr').count()).toBeGreaterThanOrEqual(30)
    await press(page, 'g c')
    await page.getByRole('link', { name: 'grace@example.net' }).waitFor()
    await judge(page, 'contacts')
    await press(page, '/')
    await page.keyboard.insertText('grace')
    await press(page, 'Enter')
    await page.getByText('1 contact', { exact: true }).waitFor()
    await press(page, 'Escape')
    await page.getByRole('link', { name: 'grace@example.net' }).click()
    await page.getByRole('heading', { name: 'grace@example.net' }).waitFor()
    await eventually(() => page.locator('.facts').textContent()).toMatch(/plan\s*pro/)
    await eventually(() => page.getByRole('table', { name: 'Consent', exact: true }).textContent()).toContain('News')
    await judge(page, 'contact')
  })

  test('an address is suppressed and taken off again, with a way back, by whoever may', async () => {
    await using dashboard = await opened()
    const { page } = dashboard
    const suppressed = async () => (await t.get('/v1/suppressions', 200)).data.map(({ email }: Json) => email)
    await press(page, 'g s')
    await page.getByLabel('Add an address').fill('Nobody@example.net')
    await press(page, 'Enter')
    await page.getByRole('cell', { name: 'nobody@example.net' }).waitFor()
    await judge(page, 'suppressions')
    await eventually(() => suppressed()).toEqual(['nobody@example.net'])
    await page.getByRole('button', { name: 'Take off the list' }).click()
    await page.getByText('nobody@example.net may be mailed again.').first().waitFor()
    await eventually(() => suppressed()).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('cell', { name: 'nobody@example.net' }).waitFor()
    await eventually(() => suppressed()).toEqual(['nobody@example.net'])
    await page.getByLabel('Add an address').fill(`${'a'.repeat(330)}@example.net`)
    await press(page, 'Enter')
    await eventually(() => page.getByRole('alert').textContent()).toContain('email')
    await dashboard.refused()
  })

  test('a session that has ended leads to the sign-in, and back', async () => {
    await using dashboard = await opened()
    const { page } = dashboard
    await page.getByRole('button', { name: 'Show as a table' }).waitFor()
    await page.context().clearCookies()
    await press(page, 'g a')
    await page.waitForURL('**/login?to=/dashboard/acme/activity')
  })

  test('a screen that could not be loaded says so, and is there as soon as the server answers, also with other files', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page, complaints } = dashboard
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Events', exact: true }).press('Enter')
    await page.getByText('This screen could not be loaded').waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/acme/events')
    await judge(page, 'not-loaded')
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    // The files of the version before are gone: the page names those that are there.
    let isOld = true
    await page.route('**/dashboard/files/screen-*', (route) =>
      isOld ? route.fulfill({ status: 404 }) : route.continue(),
    )
    await page.evaluate(() => sessionStorage.clear())
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isOld = false
    })
    await press(page, 'g w')
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
    // What the browser says of each file that it did not get.
    complaints.length = 0
  })
})

describe.skipIf(!browserExpected || remoteDatabase)('the live tail in the dashboard', () => {
  const round = 2_000

  /** Mails that were accepted in one transaction. */
  async function queue(t: TestApp, count: number, subject: string): Promise<void> {
    const place = { workspaceId: t.workspace.id, kind: 'test', email: 'ada@example.net', contactId: null } as const
    const words = { templateId: null, revisionId: null, subject, locale: 'en', fromName: null, replyTo: null }
    await write(t.app, async (tx) => {
      const mails = Array.from({ length: count }, () => {
        const id = newId(tx, 'msg', tx.now)
        return { ...place, ...words, id, fromEmail: 'a@b.test', payload: { messageId: id }, runAt: tx.now }
      })
      await queueMessages(tx, deliverMessage, mails)
    })
  }

  test('shows what comes, and a tab is as large after 20,000 mails as after 2,000', async () => {
    await using browser = await openBrowser()
    await using t = await testApp()
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g a')
    await page.getByText('No mail yet').waitFor()
    const tools = await page.context().newCDPSession(page)
    const size = async () => {
      await tools.send('HeapProfiler.collectGarbage')
      const { usedSize } = await tools.send('Runtime.getHeapUsage')
      const { nodes, jsEventListeners } = await tools.send('Memory.getDOMCounters')
      return { usedSize, nodes, jsEventListeners }
    }
    const sizes: Awaited<ReturnType<typeof size>>[] = []
    for (let n = 1; n <= 10; n++) {
      await queue(t, round, `Round ${n}`)
      await page
        .getByRole('link', { name: `Round ${n}` })
        .first()
        .waitFor()
      sizes.push(await size())
    }
    const [first, last] = [sizes[0], sizes.at(-1)]
    process.stdout.write(`a tab under the live tail: ${JSON.stringify(first)}, then ${JSON.stringify(last)}\n`)
    expect((last?.usedSize ?? 0) - (first?.usedSize ?? 0)).toBeLessThan(1_000_000)
    expect((last?.nodes ?? 0) / (first?.nodes ?? 1)).toBeLessThan(1.5)
    expect((last?.jsEventListeners ?? 0) / (first?.jsEventListeners ?? 1)).toBeLessThan(1.5)
  })
})

describe('the files of the dashboard', () => {
  test('nobody sees it without signing in; its files are the same for all', async () => {
    await using t = await testApp()
    const stranger = await t.request('GET', '/dashboard/acme/activity?q=to%3Aada', undefined, { as: 'nobody' })
    const to = '/dashboard/acme/activity%3Fq%3Dto%253Aada'
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, `/login?to=${to}`])
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

  test('the frame that shows a mail has no origin, runs one script and is framed by nobody else', async () => {
    await using t = await testApp()
    const { status, headers, text } = await t.request('GET', '/dashboard/files/preview', undefined, { as: 'nobody' })
    expect(status).toBe(200)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/default-src 'none'; script-src 'self';.*frame-ancestors 'self'; sandbox allow-scripts$/)
    const [script = ''] = /\/dashboard\/files\/frame-[\w-]+\.js/.exec(text) ?? []
    expect((await t.request('GET', script, undefined, { as: 'nobody' })).status).toBe(200)
  })

  test('the first load has at most 150 KB, and a screen 40 KB, with all that each of them needs; what is typed in has its own', async () => {
    const made = (await Promise.all(dashboardLanguages.map(buildDashboard))).flat()
    const files = new Map(made.map((file) => [file.name, file]))
    const textOf = (name: string) => brotliDecompressSync(files.get(name)?.brotli ?? '').toString()
    /** A file and what it imports at once, but for what is there already. */
    const withImports = (name: string, loaded = new Set<string>()): Set<string> => {
      if (loaded.has(name)) return new Set()
      const found = new Set([name])
      for (const [, next = ''] of textOf(name).matchAll(/(?:\bfrom|\bimport)\s*"\.\/([\w-]+\.js)"/g))
        for (const one of withImports(next, loaded.union(found))) found.add(one)
      return found
    }
    const sizeOf = (names: Iterable<string>) =>
      [...names].reduce((sum, name) => sum + (files.get(name)?.brotli.length ?? 0), 0)
    expect(dashboardLanguages).toContain('de')
    for (const language of dashboardLanguages) {
      const entry = [...files.keys()].find((name) => new RegExp(`^dashboard-${language}-\\w+\\.js$`).test(name)) ?? ''
      const first = withImports(entry)
      for (const name of files.keys())
        if (name.startsWith(`dashboard-${language}-`) && name.endsWith('.css')) first.add(name)
      const namedIn = (file: string) =>
        Array.from(textOf(file).matchAll(/import\("\.\/([\w-]+\.js)"\)/g), ([, name = '']) => name)
      // Of a screen also what is loaded once it is shown.
      const shown = namedIn(entry).map((name) => withImports(name, first))
      const later = shown.flatMap((had) => [...had].flatMap(namedIn).map((name) => withImports(name, first.union(had))))
      const screens = [...shown, ...later].map((names) => ({ name: [...names][0], size: sizeOf(names) }))
      const largest = screens.toSorted((a, b) => b.size - a.size)[0]
      process.stdout.write(
        `${language}: first load ${sizeOf(first)} bytes; the largest of ${screens.length} screens ${largest?.size} bytes more\n`,
      )
      expect(screens.length).toBeGreaterThan(20)
      expect(sizeOf(first)).toBeLessThan(150_000)
      // The field for source comes with a mail of HTML, the editor in the frame with the first text that is clicked.
      const isCode = (name = '') => textOf(name).includes('cm-editor')
      for (const { name, size } of screens) expect(size, name).toBeLessThan(isCode(name) ? 120_000 : 40_000)
      const editor = [...files.keys()].filter((name) => name.startsWith(`editor-${language}-`))
      expect(editor).toHaveLength(1)
      expect(sizeOf(editor)).toBeLessThan(65_000)
    }
  })
})
