// Signing in as a person does: in a real browser, by set-up link, one-time link and password, over http, behind a TLS proxy, and from an
// address that is not the one of this installation.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Browser, Page } from 'playwright-core'
import { members, sessions, users } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { createLoginLink } from '../src/people/access/sessions.ts'
import { prepareSetUp } from '../src/people/sign-in/set-up.ts'
import { type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { eventually } from './support/eventually.ts'
import { password, withPassword } from './support/people.ts'
import { reverseProxy } from './support/reverse-proxy.ts'

const inBrowser = test.skipIf(!browserExpected)

let browser: Browser | undefined
beforeAll(async () => {
  if (browserExpected) browser = await openBrowser({ hosts: ['mail.acme.test', 'other.acme.test'] })
})
afterAll(async () => {
  await browser?.close()
})

/** A window of its own: no cookie of another test. */
async function open(): Promise<Page> {
  if (!browser) throw new Error('no browser')
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  return await context.newPage()
}

const loginLink = (t: TestApp) => write(t.app, (tx) => createLoginLink(tx, t.user.id))

/** As on an installation that nobody has set up. */
async function setUpLink(t: TestApp): Promise<string> {
  await write(t.app, async (tx) => {
    for (const table of [sessions, members, users]) await tx.db.delete(table)
  })
  return (await prepareSetUp(t.app)) ?? ''
}

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
}

async function expectSignedIn(page: Page, at: string, email: string): Promise<void> {
  await page.waitForURL((url) => url.href.startsWith(`${at}/dashboard`))
  await expectAtHome(page, `${at}/`, email)
}

async function expectAtHome(page: Page, from: string, email: string): Promise<void> {
  await page.goto(from)
  await eventually(() => page.locator('main').textContent()).toContain(`Signed in as ${email}`)
}

/** The three ways in, one after the other, each from a new window. */
async function signInEveryWay(t: TestApp, at: string): Promise<void> {
  await withPassword(t)
  const byLink = await open()
  await byLink.goto(at + (await loginLink(t)))
  await byLink.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expectSignedIn(byLink, at, t.user.email)

  const byPassword = await open()
  await byPassword.goto(`${at}/`)
  await byPassword.getByRole('link', { name: 'Sign in' }).click()
  await fillIn(byPassword, t.user.email)
  await byPassword.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expectSignedIn(byPassword, at, t.user.email)
  await byPassword.getByRole('button', { name: 'Sign out' }).click()
  await eventually(() => byPassword.locator('main').textContent()).toContain('Not signed in')

  const first = await open()
  await first.goto(at + (await setUpLink(t)))
  await fillIn(first, 'first@acme.test')
  await first.getByRole('button', { name: 'Create the account' }).click()
  await expectSignedIn(first, at, 'first@acme.test')
}

inBrowser('each way in works over http on this machine', async () => {
  await using t = await testApp()
  await signInEveryWay(t, t.url)
})

inBrowser('each way in works over http under a name of the network', async () => {
  await using t = await testApp()
  const at = `http://mail.acme.test:${new URL(t.url).port}`
  t.app.config.baseUrl = at
  await signInEveryWay(t, at)
})

inBrowser('each way in works behind a proxy that does TLS, and the cookie is then Secure', async () => {
  await using proxy = reverseProxy()
  await using t = await testApp({ environment: { BASE_URL: proxy.url, TRUSTED_PROXIES: '127.0.0.1' } })
  proxy.leadTo(t.url)
  await signInEveryWay(t, proxy.url)
  const page = await open()
  await page.goto(proxy.url + (await loginLinkOf(t, 'first@acme.test')))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ name: 'session', secure: true, httpOnly: true, sameSite: 'Lax' })
})

async function loginLinkOf(t: TestApp, email: string): Promise<string> {
  return await write(t.app, async (tx) => {
    const user = await tx.db.select().from(users).where(eq(users.email, email)).get()
    return await createLoginLink(tx, user?.id ?? '')
  })
}

inBrowser('localhost instead of 127.0.0.1 leads to the address of this installation', async () => {
  await using t = await testApp()
  const { port } = new URL(t.url)
  const page = await open()
  await page.goto(`http://localhost:${port}${await loginLink(t)}`)
  expect(page.url()).toStartWith(`${t.url}/login/`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expectSignedIn(page, t.url, t.user.email)
  await expectAtHome(page, `http://localhost:${port}/`, t.user.email)
  expect(page.url()).toBe(`${t.url}/`)
})

inBrowser('from another address the answer is a page that says what to do, and the link still works', async () => {
  await using t = await testApp()
  const { port } = new URL(t.url)
  const path = await loginLink(t)
  const page = await open()
  for (const at of [`http://other.acme.test:${port}`, `http://mail.acme.test:${port}`]) {
    await page.goto(at + path)
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.getByRole('button', { name: 'Sign in', exact: true }).click(),
    ])
    expect(answer.status()).toBe(403)
    expect(answer.headers()['content-type']).toContain('text/html')
    for (const words of [at, t.url, 'BASE_URL'])
      await eventually(() => page.locator('main').textContent()).toContain(words)
  }
  await page.getByRole('link', { name: t.url }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expectSignedIn(page, t.url, t.user.email)
})

inBrowser('a page of another site cannot sign a browser in, by none of the forms', async () => {
  await using t = await testApp()
  await withPassword(t)
  const fields = `<input name="email" value="${t.user.email}"><input name="password" value="${password}">`
  for (const path of ['/login', await loginLink(t)]) {
    using evil = Bun.serve({
      port: 0,
      fetch: () =>
        new Response(`<form method="post" action="${t.url}${path}">${fields}<button>Go</button></form>`, {
          headers: { 'content-type': 'text/html' },
        }),
    })
    const page = await open()
    await page.goto(`http://other.acme.test:${evil.port}/`)
    await t.unchanged(async () => {
      await page.getByRole('button', { name: 'Go' }).click()
      await eventually(() => page.locator('h1').textContent()).toBe('This request came from another site')
    })
    await eventually(() => page.context().cookies(t.url)).toEqual([])
  }
})

inBrowser('a wrong password is told on the page, and the address stays filled in', async () => {
  await using t = await testApp()
  const page = await open()
  await page.goto(`${t.url}/login`)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'))
  await eventually(focused).toBe('email')
  await fillIn(page, t.user.email)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await eventually(() => page.getByRole('alert').textContent()).toContain('The address or the password is wrong')
  await eventually(() => page.getByLabel('E-mail address').inputValue()).toBe(t.user.email)
  await eventually(focused).toBe('password')
})
