// The pages that people see, in a real browser without script: confirm, unsubscribe, preference centre. SCREENSHOTS=DIR keeps pictures.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { sealUnsubscribe } from '../src/features/contacts/consent/unsubscribe-link.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { eventually } from './support/eventually.ts'
import { statesOf } from './support/people.ts'

let browser: Browser | undefined
beforeAll(async () => {
  if (browserExpected) browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
})

const looks = { light: [900, 700], dark: [900, 700], narrow: [320, 640] } as const

async function open(scheme: 'light' | 'dark' = 'light'): Promise<Page> {
  if (!browser) throw new Error('no browser')
  const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: scheme })
  return await context.newPage()
}

/** A page must not be wider than the screen, in any look. */
async function show(page: Page, name: string): Promise<void> {
  for (const [look, [width, height]] of Object.entries(looks)) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light' })
    const box = await page.locator('main').boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0), `${name} ${look}`).toBeLessThanOrEqual(width)
    const directory = process.env.SCREENSHOTS
    if (directory) await page.screenshot({ path: join(directory, `${name}-${look}.png`) })
  }
}

async function lists(t: TestApp): Promise<{ news: string; tips: string; sourceId: string }> {
  await t.patch('/v1/workspace', { brand: { companyName: 'Cap Vert', primaryColor: '#0f766e' } }, 200, {
    as: 'session',
  })
  const make = (name: string, description: string) =>
    t.mailingList({ name, description, isPublic: true, optIn: 'double' })
  const news: Json = await make('Letter from the sea', 'Once a month: what we built and what went wrong.')
  const tips: Json = await make('Tips', 'Short ones, on Fridays.')
  const source = await t.post(
    '/v1/subscription-sources/create',
    { name: 'Form', mailingListIds: [news.id, tips.id] },
    201,
  )
  return { news: news.id, tips: tips.id, sourceId: source.id }
}

test.skipIf(!browserExpected)('a person confirms, chooses, and leaves, without script', async () => {
  await using t = await testApp()
  const { news, sourceId } = await lists(t)
  const answer = await t.post(
    '/v1/contact-subscriptions/opt-in',
    { email: 'ada@example.net', sourceId, locale: 'de' },
    202,
  )
  await t.settle()
  const link = /\/confirm\/[\w-]{43}/.exec((await t.sent())[0]?.raw.replaceAll('=\r\n', '') ?? '')?.[0]
  const page = await open()

  await page.goto(t.url + link)
  await show(page, 'confirm')
  await eventually(() => page.locator('html').getAttribute('lang')).toBe('de')
  await eventually(() => page.locator('h1').textContent()).toBe('Anmeldung bestätigen')
  await page.getByRole('button', { name: 'Anmeldung bestätigen' }).click()
  await eventually(() => page.locator('h1').textContent()).toBe('Sie sind angemeldet')
  await show(page, 'confirmed')
  await eventually(() => statesOf(t)).toEqual(['active', 'active'])

  const claim = { workspaceId: t.workspace.id, contactId: answer.contactId, mailingListId: news, messageId: null }
  await page.goto(`${t.url}/u/${await sealUnsubscribe(t.app, claim)}`)
  await show(page, 'unsubscribe')
  await page.getByRole('link', { name: 'Auswählen, was Sie erhalten' }).click()
  await show(page, 'preferences')
  await page.getByLabel('Tips').uncheck()
  await page.getByRole('button', { name: 'Speichern' }).click()
  await eventually(() => statesOf(t)).toEqual(['active', 'unsubscribed'])
  await page.getByRole('link', { name: 'Noch einmal ändern' }).click()
  await eventually(() => page.getByLabel('Tips').isChecked()).toBeFalse()
  await page.getByRole('button', { name: 'Von allem abmelden' }).click()
  await eventually(() => page.locator('h1').textContent()).toBe('Gespeichert')
  await eventually(() => statesOf(t)).toEqual(['unsubscribed', 'unsubscribed'])

  await page.goto(`${t.url}/u/${await sealUnsubscribe(t.app, claim)}`)
  // Nothing is left to leave, so nothing is asked.
  await eventually(() => page.getByRole('button', { name: 'Abmelden', exact: true }).count()).toBe(0)
  await show(page, 'unsubscribed')
  await eventually(() => page.locator('h1').textContent()).toBe('Sie sind abgemeldet')
})

test.skipIf(!browserExpected)('an expired link offers a new one', async () => {
  await using t = await testApp()
  const { sourceId } = await lists(t)
  await t.post('/v1/contact-subscriptions/opt-in', { email: 'ada@example.net', sourceId }, 202)
  await t.settle()
  const link = /\/confirm\/[\w-]{43}/.exec((await t.sent())[0]?.raw.replaceAll('=\r\n', '') ?? '')?.[0]
  t.clock.advance(8 * 86_400_000)
  const page = await open('dark')
  expect((await page.goto(t.url + link))?.status()).toBe(410)
  await show(page, 'expired')
  await page.getByRole('button', { name: 'Send a new link' }).click()
  await t.settle()
  await eventually(() => t.sent()).toHaveLength(2)
})

test('every public page can be read by a screen reader: a language, a title, one heading, labelled fields', async () => {
  await using t = await testApp()
  const { sourceId, news } = await lists(t)
  const { contactId } = await t.post(
    '/v1/contact-subscriptions/opt-in',
    { email: 'a@example.net', sourceId, locale: 'pt' },
    202,
  )
  await t.settle()
  const link = /\/confirm\/[\w-]{43}/.exec((await t.sent())[0]?.raw.replaceAll('=\r\n', '') ?? '')?.[0] ?? ''
  const token = await sealUnsubscribe(t.app, {
    workspaceId: t.workspace.id,
    contactId,
    mailingListId: news,
    messageId: null,
  })
  for (const path of [link, `/u/${token}`, `/preferences/${token}`]) {
    const { text, headers } = await t.request('GET', path, undefined, { as: 'nobody' })
    expect(text).toContain('<html lang="pt-BR">')
    expect(text.match(/<h1>/g)).toHaveLength(1)
    expect(text).toMatch(/<title>[^<]+<\/title>/)
    expect(text).not.toMatch(/<script|\son\w+=/)
    for (const box of text.match(/<input[^>]*>/g) ?? []) expect(text).toContain(`<label>${box}`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    const sheet = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? ''
    expect(policy).toContain(new Bun.CryptoHasher('sha256').update(sheet).digest('base64'))
  }
})

/** The contrast of two CSS colours (WCAG 2.2), as the browser computes them. */
async function contrastOf(page: Page, script: string): Promise<number> {
  const [one = '', other = '']: string[] = await page.evaluate(script)
  const [light = 0, dark = 0] = [one, other].map(luminanceOf).sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(color: string): number {
  const parts = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => Number(part) / 255)
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test.skipIf(!browserExpected)(
  'the confirm button and the ring of the focus are seen on light and dark, whatever the colour of the brand',
  async () => {
    await using t = await testApp()
    const { sourceId } = await lists(t)
    await t.post('/v1/contact-subscriptions/opt-in', { email: 'ada@example.net', sourceId }, 202)
    await t.settle()
    const link = /\/confirm\/[\w-]{43}/.exec((await t.sent())[0]?.raw.replaceAll('=\r\n', '') ?? '')?.[0]
    if (!browser) throw new Error('no browser')
    const ground = 'getComputedStyle(document.body).backgroundColor'
    for (const primaryColor of ['#0f766e', '#16181d', '#fde68a']) {
      await t.patch('/v1/workspace', { brand: { companyName: 'Cap Vert', primaryColor } }, 200, { as: 'session' })
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await (await browser.newContext({ colorScheme })).newPage()
        await page.goto(t.url + link)
        const button = "getComputedStyle(document.querySelector('button'))"
        const what = `${primaryColor} ${colorScheme}`
        await eventually(
          () => contrastOf(page, `[${button}.color, ${button}.backgroundColor]`),
          `text ${what}`,
        ).toBeGreaterThan(4.5)
        await eventually(() => contrastOf(page, `[${button}.borderColor, ${ground}]`), `edge ${what}`).toBeGreaterThan(
          3,
        )
        await page.keyboard.press('Tab')
        await eventually(() => page.evaluate(`document.activeElement.tagName`)).toBe('BUTTON')
        await eventually(
          () => contrastOf(page, `[${button}.outlineColor, ${ground}]`),
          `focus ${what}`,
        ).toBeGreaterThan(3)
        await page.context().close()
      }
    }
  },
)

test('who has left is not asked again, and a private list just left can be taken back', async () => {
  await using t = await testApp()
  const { id: listId } = await t.mailingList({ name: 'Insiders', isPublic: false })
  const { id: sourceId } = await t.post('/v1/subscription-sources/create', { name: 'F', mailingListIds: [listId] }, 201)
  const { contactId } = await t.post('/v1/contact-subscriptions/opt-in', { email: 'a@example.net', sourceId }, 201)
  const claim = { workspaceId: t.workspace.id, contactId, mailingListId: listId, messageId: null }
  const token = await sealUnsubscribe(t.app, claim)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const press = (path: string, form: string) => t.request('POST', path, form, { as: 'nobody', headers })
  const look = (path: string) => t.request('GET', path, undefined, { as: 'nobody' })
  await eventually(async () => (await look(`/u/${token}`)).text).toContain('Do you want to leave the list “Insiders”?')
  const left = await press(`/u/${token}`, 'from=list')
  const again = await t.unchanged(() => look(`/u/${token}`))
  expect(again.status).toBe(200)
  expect(again.text).toBe(left.text)
  expect(again.text).not.toContain('Do you want to leave')
  // What is still sent can be left from here, and what was left can be taken back.
  expect(again.text).toContain('name="from" value="all"')
  await eventually(async () => (await look(`/preferences/${token}`)).text).toContain(`value="${listId}">`)
  await press(`/preferences/${token}`, `do=save&list=${listId}`)
  await eventually(() => statesOf(t)).toEqual(['active'])
  await press(`/u/${token}`, 'from=all')
  await eventually(async () => (await t.unchanged(() => look(`/u/${token}`))).text).not.toContain('<form')
})
