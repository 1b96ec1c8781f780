// The look of a brand: in all mails that do not say otherwise, by API and in a browser; what could not be read is refused or mended, with
// the reason; and templates with a look of their own change only when somebody says so.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { asAccent, asGround, contrast, isAccent, isGround } from '../src/kit/colour.ts'
import { violationsOf } from './support/accessibility.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'

const everyGrey = Array.from({ length: 256 }, (_, n) => `#${n.toString(16).padStart(2, '0').repeat(3)}`)
const colours = ['#ff0000', '#ffd400', '#00e5ff', '#7c3aed', '#0b1f3a', '#eef3fb', ...everyGrey]
const content = [
  { type: 'header' },
  { type: 'heading', text: 'Hello' },
  { type: 'section', backgroundColor: '#f5f6f8', children: [{ type: 'text', text: 'In a panel' }] },
  { type: 'button', text: 'Open', href: 'https://example.com/' },
  { type: 'footer' },
]
const sample = { subject: 'Hello', content }
const look = { backgroundColor: '#faf5f0', fontFamily: 'georgia', borderRadius: 3, primaryColor: '#9a3412' }

const previewOf = async (t: TestApp, brand: object = {}): Promise<Json> =>
  await t.post('/v1/transactional/preview', { ...sample, brand: { companyAddress: '1 Quay', ...brand } }, 200)

describe('the look of a brand', () => {
  test('is that of every mail, and of the next one as soon as it changes', async () => {
    await using t = await testApp()
    await t.template({ id: 'hello', content })
    const before = await previewOf(t)
    expect(before.html).toContain('background-color:#f3f4f6')
    expect((await t.patch('/v1/workspace', { brand: look }, 200)).brand).toEqual(look)
    const { html, findings } = await previewOf(t)
    expect(findings.map(({ code }: Json) => code)).toEqual(['missing_preview_text'])
    for (const part of ['background-color:#faf5f0', 'font-family:Georgia', 'border-radius:3px', '#9a3412'])
      expect(html).toContain(part)
    expect(html).not.toMatch(/border-radius:(8|12)px|Roboto/)
    await t.mail({ templateId: 'hello' })
    await t.settle()
    expect((await t.sent()).at(-1)?.raw).toContain('Georgia')
    // What a node says goes before the brand, and a square corner is no missing one.
    const own = [{ ...content[3], borderRadius: 20, backgroundColor: '#111111' }]
    const shown = await t.post(
      '/v1/transactional/preview',
      { ...sample, content: own, brand: { borderRadius: 0 } },
      200,
    )
    expect(shown.html).toContain('border-radius:20px')
    expect(shown.html).toContain('border-radius:0px')
    const nothing = { backgroundColor: null, fontFamily: null, borderRadius: null, primaryColor: null }
    expect((await t.patch('/v1/workspace', { brand: nothing }, 200)).brand).toEqual({})
    expect((await previewOf(t)).html).toBe(before.html)
  })

  test('that could not be read is refused by its name', async () => {
    await using t = await testApp()
    const refused = async (brand: object) => (await t.patch('/v1/workspace', { brand }, 422)).errors[0]
    expect(await refused({ backgroundColor: '#7c8aa0' })).toMatchObject({
      path: 'brand.backgroundColor',
      message: expect.stringContaining('#7c8aa0 has 3.5 : 1'),
    })
    expect((await refused({ backgroundColor: 'white' })).path).toBe('brand.backgroundColor')
    expect((await refused({ fontFamily: 'comic' })).path).toBe('brand.fontFamily')
    expect((await refused({ borderRadius: 33 })).path).toBe('brand.borderRadius')
    expect((await refused({ borderRadius: 1.5 })).path).toBe('brand.borderRadius')
    expect((await refused({ darkLogoUrl: 'javascript:1' })).path).toBe('brand.darkLogoUrl')
    expect((await t.get('/v1/workspace', 200)).brand).toEqual({})
  })

  test('shows the logo for the dark where there is one, and keeps its picture', async () => {
    await using t = await testApp()
    const brand = { logoUrl: 'https://example.com/day.png', darkLogoUrl: 'https://example.com/night.png' }
    const { html } = await previewOf(t, brand)
    expect(html).toMatch(/day\.png[^>]*class="[^"]*m-day/)
    expect(html).toMatch(/night\.png[^>]*class="[^"]*m-night/)
  })

  test('is mended to what can be read, and left as it is where it can', () => {
    for (const colour of colours) {
      expect(isAccent(asAccent(colour)), colour).toBe(true)
      expect(isGround(asGround(colour)), colour).toBe(true)
      if (isAccent(colour)) expect(asAccent(colour)).toBe(colour)
      if (isGround(colour)) expect(asGround(colour)).toBe(colour)
    }
    expect(contrast(asAccent('#ffd400'), '#ffffff')).toBeGreaterThanOrEqual(4.5)
  })
})

describe.skipIf(!browserExpected || remoteDatabase)('the look of a brand in a browser', () => {
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

  test('every page that is taken can be read by day and by night', async () => {
    const page = await browser.newPage()
    for (const backgroundColor of [...new Set(colours.filter(isGround))]) {
      const { html } = await previewOf(t, { backgroundColor, primaryColor: asAccent(backgroundColor) })
      await page.setContent(html)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const found = await violationsOf(page, { runOnly: ['color-contrast'] })
        expect(
          found.flatMap(({ nodes }) => nodes.map(({ html }) => html)),
          `${backgroundColor} ${colorScheme}`,
        ).toEqual([])
      }
    }
    await page.close()
  })

  test('is chosen by one click, taken from a picture with the reason of what is mended, and saved', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g e')
    await page.getByRole('button', { name: 'Begin with: Clay' }).press('Enter')
    const mail = page.frameLocator('iframe.mail')
    const background = () => mail.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
    await eventually(background).toBe('rgb(250, 245, 240)')
    await page.getByRole('button', { name: 'Begin with: Clay', pressed: true }).waitFor()
    await judge(page, 'brand-preset')
    const yellow = await page.evaluate(async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 80, height: 40 })
      const context = canvas.getContext('2d')
      for (const [fill, at] of [
        ['#ffffff', 0],
        ['#ffd400', 20],
        ['#1d4ed8', 70],
      ] as const) {
        if (context) context.fillStyle = fill
        context?.fillRect(at, 0, 80, 40)
      }
      return canvas.toDataURL('image/png').split(',')[1] ?? ''
    })
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(yellow, 'base64') }
    const picker = page.getByLabel('Take it from a picture…')
    await picker.setInputFiles(file)
    await page.getByText(/^#ff\w{4} became #\w{6}: white letters on it had only 1\.\d : 1/).waitFor()
    const primary = page.getByLabel('Colour of buttons and links', { exact: true })
    await eventually(async () => isAccent(await primary.inputValue())).toBe(true)
    await page
      .getByRole('button', { name: /^Use #/ })
      .nth(1)
      .press('Enter')
    await eventually(() => primary.inputValue()).toMatch(/^#1[c-e]4[d-f]d[6-9a]$/)
    await judge(page, 'brand-picture')
    await picker.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await page.getByText('This file is no picture').waitFor()

    await primary.fill('#ffd400')
    await page.getByText('White letters on #ffd400 have only 1.4 : 1').waitFor()
    await page.getByRole('button', { name: /^Use #\w{6} instead/ }).press('Enter')
    await page.getByLabel('Background of the page', { exact: true }).fill('#808080')
    await page.getByText('The footer could not be read on #808080').waitFor()
    await page.getByRole('button', { name: /^Use #\w{6} instead/ }).press('Enter')
    await page.getByLabel('Typeface').selectOption('Georgia (serif)')
    await page.getByLabel('Round corners').fill('5')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByText('Saved.').waitFor()
    const { brand } = await t.get('/v1/workspace', 200)
    expect(brand).toMatchObject({ fontFamily: 'georgia', borderRadius: 5 })
    expect([isAccent(brand.primaryColor), isGround(brand.backgroundColor)]).toEqual([true, true])
  })

  test('templates with a look of their own are named with what would change, and follow once somebody says so', async () => {
    const own = [
      { type: 'heading', text: 'Red', color: '#cc0000' },
      { type: 'text', text: 'Grey', color: '#555555' },
      { type: 'button', text: 'Go', href: 'https://example.com/', backgroundColor: '#cc0000', borderRadius: 0 },
    ]
    await t.template({ id: 'red', name: 'Red one', content: own })
    await t.template({ id: 'other', name: 'Other one', content: own })
    await t.template({ id: 'plain', name: 'Plain one', content })
    await t.template({
      id: 'source',
      name: 'Source one',
      content: { kind: 'html', source: '<p style="color:red">x</p>' },
    })
    const read = async (id: string) => (await t.get(`/v1/transactional/${id}/content/en`, 200)).content
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g e')
    const section = page.getByRole('region', { name: 'Templates with a look of their own' })
    await section.getByRole('button', { name: 'Look for them' }).press('Enter')
    await section.getByRole('link', { name: 'Red one' }).waitFor()
    await section.getByText('follows the brand instead of #cc0000').first().waitFor()
    await section.getByText('Source one').waitFor()
    await eventually(() => section.getByText('Plain one').count()).toBe(0)
    expect(await read('red')).toEqual(own)
    await judge(page, 'brand-own-looks')
    await section.getByRole('button', { name: 'Let it follow the brand: Red one' }).press('Enter')
    await section.getByText('follows the brand now').waitFor()
    await eventually(() => read('red')).toEqual([
      { type: 'heading', text: 'Red' },
      own[1],
      { type: 'button', text: 'Go', href: 'https://example.com/' },
    ])
    expect(await read('other')).toEqual(own)
    await section.getByRole('button', { name: 'Look for them' }).press('Enter')
    await section.getByRole('link', { name: 'Red one' }).waitFor({ state: 'detached' })
    await section.getByRole('button', { name: 'Let it follow the brand: Other one' }).press('Enter')
    await section.getByText('follows the brand now').waitFor()
    await section.getByRole('button', { name: 'Look for them' }).press('Enter')
    await section.getByText('All templates follow the brand.').waitFor()
  })
})
