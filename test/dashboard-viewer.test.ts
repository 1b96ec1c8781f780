// The dashboard as others meet it, in a real browser: who may only look, who belongs elsewhere, and whose session was ended meanwhile.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { write } from '../src/core/app.ts'
import { createSession } from '../src/people/access/sessions.ts'
import { createUser } from '../src/people/access/users.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'

const password = 'correct horse battery'

describe.skipIf(!browserExpected || remoteDatabase)('the dashboard of somebody else', () => {
  let browser: Browser
  let t: TestApp
  beforeAll(async () => {
    browser = await openBrowser()
    t = await testApp()
    await fill(t)
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  test('a viewer sees every screen, and no button, field or key of any is refused', async () => {
    const vera = await t.person('viewer', { email: 'vera@acme.test' })
    await using dashboard = await openDashboard(browser, { ...t, sessionCookie: vera.sessionCookie })
    const { page, complaints } = dashboard
    const refused: string[] = []
    page.on('response', (answer) => {
      if (answer.status() === 403) refused.push(`${answer.request().method()} ${answer.url()} on ${page.url()}`)
    })
    const seen = new Set<string>()
    const waiting = await linksOn(page, 'nav[aria-label="Screens"]')
    expect(waiting.length).toBeGreaterThan(10)
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (seen.has(next)) continue
      seen.add(next)
      await page.goto(t.url + next)
      await loaded(page)
      expect([next, ...complaints]).toEqual([next])
      await eventually(() => page.locator('main [role="alert"]').allTextContents(), next).toEqual([])
      waiting.push(...(await linksOn(page, 'main')))
      const typed = await typeAll(page)
      await pressKeys(page)
      // What they may not save they cannot write either.
      expect(await unsaved(page), next).toEqual([])
      if (typed > 0 || page.url() !== t.url + next) await page.goto(t.url + next)
      await loaded(page)
      await pressAll(page)
      // A form that is sent empty is refused; what counts is that nothing is forbidden.
      expect(refused).toEqual([])
      complaints.length = 0
    }
    // Nor is there a screen to make something on, whoever gave them its address.
    for (const path of [
      'mailboxes/new',
      'agents/new',
      'lists/sources/new',
      'segments/new',
      'sequences/new',
      'campaigns/new',
      'campaigns/recurring/new',
      'contacts/import',
    ]) {
      await page.goto(`${t.url}/dashboard/acme/${path}`)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    }
    const kinds = [...seen].map((path) => path.replace(/\/\w+_[0-9a-f]{32}/g, '/:id'))
    expect(kinds).toContain('/dashboard/acme/activity/:id')
    expect(kinds).toContain('/dashboard/acme/campaigns/:id')
    expect(kinds).toContain('/dashboard/acme/campaigns/recurring/:id')
    expect(kinds).toContain('/dashboard/acme/segments/:id')
    expect(kinds).toContain('/dashboard/acme/sequences/:id/people')
    expect(kinds).toContain('/dashboard/acme/templates/hi')
    expect(kinds).toContain('/dashboard/acme/webhooks/:id')
    expect(kinds).toContain('/dashboard/acme/settings/keys')
    expect(kinds).not.toContain('/dashboard/acme/settings/audit')
    const { data } = await t.get(`/v1/audit?actor=${vera.userId}`, 200, { as: 'session' })
    // Of their own sign-in they do decide.
    expect(data.map(({ operation }: Json) => operation)).toEqual(['beginSecondFactor'])
  })

  test('of another workspace nobody sees more than that there is no such page', async () => {
    const { workspace } = await t.stranger('elsewhere')
    const { sessionCookie: cookie } = await t.person('owner', { email: 'eve@else.test', workspace })
    const context = await browser.newContext()
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: t.url }])
    const page = await context.newPage()
    const [{ messageId }] = (await t.get('/v1/activity', 200)).data
    const [{ id: contactId }] = (await t.get('/v1/contacts', 200)).data
    const theirs = ['/acme', '/acme/contacts', `/elsewhere/contacts/${contactId}`, `/elsewhere/activity/${messageId}`]
    for (const path of theirs) {
      await page.goto(`${t.url}/dashboard${path}`)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
      await eventually(() => page.locator('body').textContent(), path).not.toMatch(/Acme|ada@example/)
    }
    await page.getByRole('link', { name: 'To the start' }).click()
    await page.getByRole('heading', { name: 'Elsewhere' }).waitFor()
    await context.close()
  })

  test('whoever leaves a form half-written is asked first, and finds it again after a reload and a new sign-in', async () => {
    const passwordHash = await t.app.passwords.hash(password)
    const { sessionCookie } = await t.person('owner', { email: 'nora@acme.test', passwordHash })
    await using dashboard = await openDashboard(browser, { ...t, sessionCookie })
    const { page } = dashboard
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
    const again = page.getByText('Your unsaved input was restored')
    let warnings = 0
    page.on('dialog', (one) => {
      warnings++
      void one.accept()
    })
    for (const [path, label] of formsAt) {
      await page.goto(`${t.url}/dashboard/acme/${path}`)
      await loaded(page)
      const field = page
        .locator('main')
        .getByLabel(new RegExp(`^${label}`))
        .first()
      const says = (text: string) => eventually(() => field.inputValue(), path).toBe(text)
      await says('')
      await field.pressSequentially('Half')
      // By a link, and by a key.
      await page.getByRole('link', { name: 'Jobs', exact: true }).press('Enter')
      await asked.getByRole('button', { name: 'Not now' }).press('Enter')
      await page.locator('main').focus()
      await press(page, 'g j')
      await asked.getByRole('button', { name: 'Not now' }).press('Enter')
      await says('Half')
      await page.reload()
      await again.waitFor()
      await says('Half')
      await page.getByRole('button', { name: 'Discard it' }).press('Enter')
      await says('')
      await press(page, 'Escape')
      await page.locator('main').focus()
      await press(page, 'g j')
      await page.getByRole('heading', { name: 'Jobs' }).waitFor()
      await eventually(() => asked.count(), path).toBe(0)
      await eventually(() => unsaved(page), path).toEqual([])
    }
    expect(warnings).toBe(formsAt.length)
    // Who says so leaves, and it is gone.
    await page.goto(`${t.url}/dashboard/acme/lists`)
    // Before that a link loads a page anew.
    await loaded(page)
    await page.getByRole('link', { name: 'New list' }).first().click()
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Gone')
    await eventually(() => unsaved(page)).not.toEqual([])
    await page.goBack()
    await asked.waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/acme/lists/new')
    await judge(page, 'leaving')
    await asked.getByRole('button', { name: 'Leave' }).press('Enter')
    await page.waitForURL('**/dashboard/acme/lists')
    await page.getByRole('link', { name: 'New list' }).first().click()
    await name.waitFor()
    await eventually(() => name.inputValue()).toBe('')
    // Nobody is signed in any more: the sign-in comes by itself, and after it what was typed. What is saved is not kept.
    await name.fill('Weekly')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.waitForURL(({ pathname }) => pathname === '/login')
    await page.getByLabel('E-mail address').fill('nora@acme.test')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await again.waitFor()
    await eventually(() => name.inputValue()).toBe('Weekly')
    await judge(page, 'kept')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByRole('heading', { name: 'Weekly' }).waitFor()
    await eventually(() => asked.count()).toBe(0)
    await eventually(() => unsaved(page)).toEqual([])
    expect(warnings).toBe(formsAt.length)
  })

  test('a session that was ended in another window leads to the sign-in, and back to what was searched for', async () => {
    const passwordHash = await t.app.passwords.hash(password)
    const [one, other] = await write(t.app, async (tx) => {
      const olga = await createUser(tx, t.workspace, { email: 'olga@acme.test', passwordHash, role: 'member' })
      return [`session=${await createSession(tx, olga.id)}`, `session=${await createSession(tx, olga.id)}`] as const
    })
    await using first = await openDashboard(browser, { ...t, sessionCookie: one })
    const { page } = first
    await press(page, 'g a')
    await page.getByRole('link', { name: 'Welcome' }).waitFor()
    {
      await using second = await openDashboard(browser, { ...t, sessionCookie: other })
      await second.page.goto(`${t.url}/dashboard/acme/settings/sign-in`)
      await second.page.getByRole('button', { name: 'End all others' }).press('Enter')
      await second.page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' })
    }
    await press(page, '/')
    await page.keyboard.insertText('to:ada@example.net status:sent')
    await press(page, 'Enter')
    await page.waitForURL(({ pathname }) => pathname === '/login')
    await page.getByLabel('E-mail address').fill('olga@acme.test')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('to:ada@example.net status:sent')
    await page.getByRole('link', { name: 'Welcome' }).waitFor()
  })
})

/** Screens with a form, each with a field of it. */
const formsAt: [path: string, field: string][] = [
  ['campaigns/new', 'Subject'],
  ['campaigns/recurring/new', 'Subject'],
  ['contacts/new', 'First name'],
  ['rules/new', 'Event'],
  ['webhooks/new', 'Description'],
  ['mailboxes/new', 'Name'],
  ['agents/new', 'Name'],
  ['lists/new', 'Description'],
  ['segments/new', 'Name'],
  ['sequences/new', 'Name'],
  ['lists/sources/new', 'What people agree to'],
  ['settings', 'Company'],
]

/** Something of each kind. */
async function fill(t: TestApp): Promise<void> {
  const content = [{ type: 'text', text: 'It works.' }]
  await t.template({ id: 'hi', subject: 'Welcome', content })
  await t.contact()
  await t.mail({ templateId: 'hi' })
  const { id: mailingListId } = await t.mailingList()
  await t.post('/v1/subscription-sources/create', { name: 'Form', mailingListIds: [mailingListId] }, 201)
  await t.post('/v1/campaigns', { name: 'July', subject: 'Warm', content, mailingListId }, 201)
  const schedule = { every: 'day', at: '09:00' }
  await t.post('/v1/recurring-campaigns', { name: 'Daily', subject: 'Warm', content, mailingListId, schedule }, 201)
  const filter = { not: { list: mailingListId } }
  await t.post('/v1/segments', { name: 'Not yet', filter }, 201)
  const steps = [{ id: 'hi', type: 'send', templateId: 'hi' }]
  await t.post('/v1/sequences', { name: 'Greeting', definition: { start: { event: 'signup' }, steps } }, 201)
  await t.post('/v1/mailboxes', { address: 'help@acme.test', name: 'Help' }, 201, { as: 'session' })
  await t.post('/v1/suppressions', { email: 'ben@example.net' }, 201)
  await t.post('/v1/sending-domains', { domain: 'news.example' }, 201)
  await t.endpoint({ url: 'https://hooks.example/in', eventFilters: ['*'], status: 'disabled' })
  await t.settle()
}

/** The screens that links lead to, without what is searched for. */
async function linksOn(page: Page, within: string): Promise<string[]> {
  const links = await page.locator(`${within} a[href^="/dashboard/"]`).all()
  return await Promise.all(links.map(async (link) => (await link.getAttribute('href'))?.split('?')[0] ?? ''))
}

async function loaded(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await page.locator('main .loading').first().waitFor({ state: 'detached' })
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
}

/** Something else into every field; how many there are. */
async function typeAll(page: Page): Promise<number> {
  let typed = 0
  for (const field of await page.locator('main :is(input, textarea, select):enabled:visible').all()) {
    if ((await field.getAttribute('readonly')) !== null) continue
    typed++
    await field.evaluate((one: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement) => {
      if (one instanceof HTMLSelectElement) one.selectedIndex = one.options.length - 1
      else if (one.type === 'checkbox' || one.type === 'radio') (one as HTMLInputElement).checked = true
      else one.value = { number: '7', date: '2026-01-15', 'datetime-local': '2026-01-15T12:00' }[one.type] ?? 'Typed'
      for (const type of ['input', 'change']) one.dispatchEvent(new Event(type, { bubbles: true }))
    })
  }
  return typed
}

/** Every key that the screen knows, but for those that lead elsewhere, and those of the outline of a mail. */
async function pressKeys(page: Page): Promise<void> {
  await page.locator('main').focus()
  await press(page, '?')
  const list = page.getByRole('dialog', { name: 'Keys' })
  await list.waitFor()
  const named = (all: Element[]) => all.map((one) => [...one.children].map((key) => key.textContent).join(' '))
  const keys = await eventually(() => list.locator('dt').evaluateAll(named)).not.toEqual([])
  await press(page, 'Escape')
  await list.waitFor({ state: 'detached' })
  const own = keys.filter((one) => !/^(g .|Ctrl\+k|\?|Enter|Escape|j|k)$/.test(one))
  for (const key of [...own, 'Ctrl+s', 'Ctrl+Enter']) await press(page, key.replace('Ctrl', 'Control'))
  await press(page, 'Escape')
  const [row] = await page.getByRole('treeitem').all()
  if (!row) return
  await row.click()
  await press(page, 'Control+d Alt+ArrowUp Tab Control+x Control+v Delete Control+s')
}

/** What the browser keeps because it is not saved. */
async function unsaved(page: Page): Promise<string[]> {
  return await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('unsaved ')))
}

/** Every button of a screen; forms are sent although they are empty, and windows that ask are closed. */
async function pressAll(page: Page): Promise<void> {
  const { length } = await page.locator('main button').all()
  for (let number = 0; number < length; number++) {
    const button = page.locator('main button').nth(number)
    if (!(await button.isVisible()) || !(await button.isEnabled())) continue
    await page.evaluate(() => {
      for (const form of document.forms) form.noValidate = true
    })
    await button.press('Enter')
    const yes = page.locator('dialog[open] button[type="submit"]')
    if ((await yes.count()) > 0 && (await yes.isEnabled())) await yes.press('Enter')
    if ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape')
  }
  // Answered after what was asked before it.
  await page.evaluate(() => fetch('/healthz').then(() => undefined))
}
