// What a template may start from: each starter is a mail that a company would send as it is, in each of its languages, however it is looked at;
// and a template that is made of one is an ordinary template.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { starters } from '../src/features/content/starters/starters.ts'
import { violationsOf } from './support/accessibility.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { listOf } from './support/campaign.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'

const path = '/v1/template-starters'
const languages = ['en', 'de']
const all = starters.map(({ id }) => id)

const brand = { companyName: 'Quay & Sons', companyAddress: '1 Quay Street, Bristol', primaryColor: '#0f5c5c' }
const branded = (t: TestApp) => t.patch('/v1/workspace', { brand }, 200)

describe('what a template may start from', () => {
  test('is listed in the language that is asked for, else in that of the workspace', async () => {
    await using t = await testApp()
    const { data } = await t.get(path, 200)
    expect(data.map(({ id }: Json) => id)).toEqual(all)
    expect(all).toHaveLength(12)
    expect(data[0]).toMatchObject({ id: 'welcome', name: 'Welcome', kind: 'transactional' })
    expect((await t.get(`${path}?locale=de-AT`, 200)).data[0].name).toBe('Willkommen')
    expect((await t.get(`${path}?locale=fr`, 200)).data[0].name).toBe('Welcome')
    expect((await t.get(`${path}?locale=?`, 422)).errors[0].path).toBe('locale')
    await t.patch('/v1/workspace', { primaryLocale: 'de' }, 200)
    expect((await t.get(path, 200)).data[0].name).toBe('Willkommen')
    await t.get(`${path}/nothing`, 404)
    await t.post(`${path}/nothing/use`, {}, 404)
  })

  test.each(all)('%s becomes a draft in each language that has nothing to look at', async (id) => {
    await using t = await testApp()
    await branded(t)
    const { dataVariables } = await t.get(`${path}/${id}`, 200)
    const made = await t.post(`${path}/${id}/use`, {}, 201)
    expect(made).toMatchObject({ status: 'draft', primaryLocale: 'en', locales: ['de', 'en'] })
    expect(made.warnings ?? []).toEqual([])
    for (const locale of languages) {
      const { name, dataVariables } = await t.get(`${path}/${id}?locale=${locale}`, 200)
      expect(name).not.toBe('')
      const shown = await t.post(`/v1/transactional/${made.id}/preview`, { locale, dataVariables }, 200)
      expect(shown).toMatchObject({ locale, findings: [], warnings: [], unusedVariables: [], missingVariables: [] })
      expect(shown.links.filter(({ href }: Json) => !href.startsWith('https://'))).toEqual([])
      for (const line of shown.text.split('\n')) expect(line.length).toBeLessThanOrEqual(90)
      expect(shown.text).not.toMatch(/undefined|\{\{|\*\*|\n\n\n/)
      expect(shown.text).toContain('Quay & Sons')
    }
    await t.put('/v1/transactional/update', { id: made.id, status: 'active' }, 200)
    const email = 'reader@example.net'
    if (starters.find((one) => one.id === id)?.kind === 'transactional')
      await t.post('/v1/transactional/send', { email, templateId: made.id, dataVariables }, 200)
    else expect(made.variables).toEqual([])
  })

  test('a marketing one goes to a list as it is', async () => {
    await using t = await testApp()
    await branded(t)
    const { list } = await listOf(t, 1)
    const { id } = await t.post(`${path}/newsletter/use`, {}, 201)
    await t.put('/v1/transactional/update', { id, status: 'active' }, 200)
    const campaign = { name: 'May', subject: 'May', mailingListId: list.id, templateId: id }
    expect((await t.post('/v1/campaigns', campaign, 201)).status).toBe('draft')
  })

  test('is named as wished, begins in the language of the workspace, and brings its pictures along once', async () => {
    await using t = await testApp()
    await t.patch('/v1/workspace', { primaryLocale: 'de-AT' }, 200)
    const first = await t.post(`${path}/newsletter/use`, {}, 201)
    expect(first).toMatchObject({ id: 'newsletter', name: 'Newsletter', primaryLocale: 'de' })
    expect(await t.post(`${path}/newsletter/use`, { name: 'May', id: 'may' }, 201)).toMatchObject({
      id: 'may',
      name: 'May',
    })
    expect((await t.post(`${path}/newsletter/use`, {}, 201)).id).toBe('newsletter-2')
    expect((await t.post(`${path}/newsletter/use`, { id: 'may' }, 409)).code).toBe('template_exists')
    expect((await t.post(`${path}/newsletter/use`, { id: 'Not a slug' }, 422)).errors[0].path).toBe('id')
    const { data } = await t.get('/v1/media', 200)
    expect(data).toHaveLength(1)
    const { content } = await t.get('/v1/transactional/may/content/de', 200)
    expect(JSON.stringify(content)).toContain(data[0].url)
    expect(JSON.stringify(content)).not.toContain('starter.invalid')
    const picture = await fetch(data[0].url.replace(t.app.config.baseUrl, t.url))
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  })
})

const looks = [
  { width: 640, colorScheme: 'light' },
  { width: 640, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const

describe.skipIf(!browserExpected || remoteDatabase)('each of them in a browser', () => {
  let browser: Browser
  let t: TestApp
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
    page = await browser.newPage()
    t = await testApp()
    await branded(t)
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  test.each(all)('%s fits a phone and can be read by day and by night', async (id) => {
    for (const locale of languages) {
      const { html } = await t.get(`${path}/${id}?locale=${locale}`, 200)
      await page.setContent(html)
      for (const look of looks) {
        await page.emulateMedia({ colorScheme: look.colorScheme })
        await page.setViewportSize({ width: look.width, height: 900 })
        const name = `${id} ${locale} ${look.width} ${look.colorScheme}`
        await keep(page, name)
        await eventually(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
        expect(await brokenPictures(page), name).toEqual([])
        const found = await violationsOf(page, {
          runOnly: ['color-contrast', 'image-alt', 'link-name', 'html-has-lang'],
        })
        expect(
          found.flatMap(({ nodes }) => nodes.map(({ html }) => html)),
          name,
        ).toEqual([])
      }
    }
  })
})

/** SCREENSHOTS=DIR keeps pictures. */
async function keep(page: Page, name: string): Promise<void> {
  const directory = process.env.SCREENSHOTS
  if (directory) await page.screenshot({ path: join(directory, `${name.replaceAll(' ', '-')}.png`), fullPage: true })
}

function brokenPictures(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ alt }) => alt),
  )
}
