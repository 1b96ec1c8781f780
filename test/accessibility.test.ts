// Every page that a person sees, held against WCAG 2.2 AA by axe in a real browser: light and wide, dark and as narrow as a phone. Nothing
// is wider than the screen, and what the keyboard reaches shows that it has the focus. SCREENSHOTS=DIR keeps pictures.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { write } from '../src/core/app.ts'
import { sealUnsubscribe } from '../src/features/contacts/consent/unsubscribe-link.ts'
import { createLoginLink } from '../src/people/access/sessions.ts'
import { check, type Look, looks } from './support/accessibility.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { cli } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'

/** What is seen does not depend on the database, so once is enough. */
const wanted = browserExpected && !remoteDatabase

let browser: Browser | undefined
let t: TestApp
let paths: Record<string, string>
beforeAll(async () => {
  if (!wanted) return
  browser = await openBrowser()
  t = await testApp()
  paths = await pagesOf(t)
})
afterAll(async () => {
  await browser?.close()
  await t?.[Symbol.asyncDispose]()
})

const long = 'somebody.with.a.rather.long.name+and.a.tag@mailboxes.of.a.company.example.net'

/** Something to see on each page: a mail to a long address, a person who confirms, chooses and leaves. */
async function pagesOf(t: TestApp): Promise<Record<string, string>> {
  const content = [
    { type: 'heading', text: 'Hello' },
    { type: 'button', text: 'Confirm', href: 'https://example.com/' },
  ]
  await t.template({ id: 'a', subject: 'A subject that is not short', content })
  await t.mail({ email: long, templateId: 'a' })
  const list = await t.mailingList({ isPublic: true, optIn: 'double' })
  const source = await t.post('/v1/subscription-sources/create', { name: 'Form', mailingListIds: [list.id] }, 201)
  const { contactId } = await t.post('/v1/contact-subscriptions/opt-in', { email: long, sourceId: source.id }, 202)
  await t.settle()
  const confirm = (await t.sent()).map(({ raw }) => /\/confirm\/[\w-]{43}/.exec(raw.replaceAll('=\r\n', ''))?.[0])
  const claim = { workspaceId: t.workspace.id, contactId, mailingListId: list.id, messageId: null }
  const token = await sealUnsubscribe(t.app, claim)
  return {
    home: '/',
    'sign-in': '/login',
    'sign-in by link': await write(t.app, (tx) => createLoginLink(tx, t.user.id)),
    'a link that is used up': '/login/used',
    'a set-up link that is used up': '/setup/used',
    'captured mail': '/captured',
    'one captured mail': '/captured/1',
    confirm: confirm.find((one) => one !== undefined) ?? '',
    unsubscribe: `/u/${token}`,
    preferences: `/preferences/${token}`,
  }
}

async function open({ width, colorScheme }: Look): Promise<BrowserContext> {
  if (!browser) throw new Error('no browser')
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  const [name = '', value = ''] = t.sessionCookie.split('=')
  await context.addCookies([{ name, value, url: t.url }])
  return context
}

const inBrowser = test.skipIf(!wanted)

for (const look of looks) {
  inBrowser(`pages meet WCAG 2.2 AA, ${look.name}`, async () => {
    const context = await open(look)
    const page = await context.newPage()
    const faults: string[] = []
    for (const [name, path] of Object.entries(paths)) {
      const answer = await page.goto(t.url + path)
      expect(answer?.headers()['content-type'], name).toStartWith('text/html')
      faults.push(...(await check(page, name, look)))
    }
    await context.close()
    expect(faults).toEqual([])
  })
}

inBrowser('the form of the first visit meets WCAG 2.2 AA, as it opens and when it was filled in wrongly', async () => {
  if (!browser) throw new Error('no browser')
  using paquebot = await cli()
  const server = await paquebot.serve()
  await server.whenSaid(/\/setup\//)
  const link = /\S+\/setup\/\S+/.exec(server.said())?.[0] ?? ''
  const faults: string[] = []
  for (const look of looks) {
    const { width, colorScheme } = look
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
    const page = await context.newPage()
    expect((await page.goto(link))?.status()).toBe(200)
    faults.push(...(await check(page, 'set-up', look)))
    await page.getByLabel('E-mail address').fill('ada@acme.test')
    // The browser sets no limit above, the server does.
    await page.getByLabel('Password').fill('x'.repeat(2_000))
    const [answer] = await Promise.all([page.waitForResponse(link), page.getByRole('button').click()])
    expect(answer.status()).toBe(422)
    await page.getByRole('alert').waitFor()
    await eventually(() => page.getByLabel('E-mail address').inputValue()).toBe('ada@acme.test')
    faults.push(...(await check(page, 'set-up refused', look)))
    await context.close()
  }
  expect(faults).toEqual([])
})

/** The document with one operation of each group and of each method, and a few schemas: all others look like these. */
async function shortDocument(): Promise<string> {
  const document = await t.get('/openapi.json', 200, { as: 'nobody' })
  const shown = new Set<string>()
  const paths: Json = {}
  for (const [path, item] of Object.entries<Json>(document.paths))
    for (const [method, operation] of Object.entries<Json>(item)) {
      const kinds = [method, ...(operation.tags ?? [])]
      if (kinds.every((kind) => shown.has(kind))) continue
      for (const kind of kinds) shown.add(kind)
      paths[path] = { ...paths[path], [method]: operation }
    }
  const schemas = Object.fromEntries(Object.entries<Json>(document.components.schemas).slice(0, 5))
  return JSON.stringify({ ...document, paths, webhooks: {}, components: { ...document.components, schemas } })
}

for (const look of looks) {
  inBrowser(`the API reference meets WCAG 2.2 AA, ${look.name}`, async () => {
    const context = await open(look)
    const page = await context.newPage()
    const body = await shortDocument()
    await page.route('**/openapi.json', (route) => route.fulfill({ contentType: 'application/json', body }))
    await page.goto(`${t.url}/docs/reference`)
    await page.locator('.opblock').last().waitFor()
    const isDark = await page.evaluate(() => document.documentElement.classList.contains('dark-mode'))
    expect(isDark).toBe(look.colorScheme === 'dark')
    const faults = await check(page, 'reference', look)
    await context.close()
    expect(faults).toEqual([])
  })
}

inBrowser('a captured mail can be looked at as wide as a phone, without script', async () => {
  const context = await open(looks[0])
  const page = await context.newPage()
  await page.goto(`${t.url}${paths['one captured mail']}`)
  const width = () => page.locator('iframe').evaluate((frame) => frame.clientWidth)
  await eventually(() => width()).toBeGreaterThan(700)
  await page.getByLabel('a phone (390 px)').check()
  await eventually(() => width()).toBe(390)
  await context.close()
})

inBrowser('there is an icon, and no page asks for one that is not there', async () => {
  const context = await open(looks[0])
  const page = await context.newPage()
  const missing: string[] = []
  page.on('response', (response) => {
    if (response.status() === 404) missing.push(response.url())
  })
  for (const path of ['/', paths.confirm]) await page.goto(t.url + path)
  expect(missing).toEqual([])
  for (const path of ['/favicon.svg', '/favicon.ico'])
    expect((await fetch(t.url + path)).headers.get('content-type')).toBe('image/svg+xml')
  await context.close()
})
