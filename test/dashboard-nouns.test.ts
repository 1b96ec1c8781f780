// What had no screen before: revisions, providers that report here, and the last acts on templates, campaigns, blocks, endpoints, lists of
// addresses and the audit log; in a real browser.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import type { Json } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'
import { png } from './support/picture.ts'

describe.skipIf(!browserExpected || remoteDatabase)('in the dashboard', () => {
  let browser: Browser
  let t: Installation
  beforeAll(async () => {
    browser = await openBrowser()
    t = await openInstallation({ trustLevel: 'M1' })
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  const text = (words: string) => ({ type: 'text', text: words })
  const open = (page: Page, path: string) => page.goto(`${t.url}/dashboard/acme${path}`)
  const confirm = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).press('Enter')
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  test('the revisions of a template: who wrote what, what it changed, how it looked, and back to it', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await t.template({ id: 'news', subject: 'First words', content: [text('The first news')] })
    const put = { subject: 'Second words', content: [text('The second news')] }
    await t.put('/v1/transactional/news/content/en', put, 200)
    await open(page, '/templates/news')
    await page.getByRole('link', { name: 'Revisions' }).click()
    await page.getByRole('row').filter({ hasText: 'First words' }).getByText('earlier').waitFor()
    await page.getByRole('row').filter({ hasText: 'Second words' }).getByText('current').waitFor()
    await judge(page, 'revisions')
    await page.getByRole('row').filter({ hasText: 'Second words' }).getByRole('link').press('Enter')
    await page.locator('.difference').getByText('second', { exact: true }).waitFor()
    await page.frameLocator('iframe.mail').getByText('The second news').waitFor()
    await judge(page, 'revision')
    await page.getByRole('link', { name: 'All revisions' }).click()
    await page.getByRole('row').filter({ hasText: 'First words' }).getByRole('link').press('Enter')
    await page.getByText('It is the first one in this language.').waitFor()
    await page.frameLocator('iframe.mail').getByText('The first news').waitFor()
    await button(page, 'Restore').press('Enter')
    await confirm(page, 'Restore')
    await page.getByRole('row').filter({ hasText: 'First words' }).getByText('current').waitFor()
    expect(await t.get('/v1/transactional/news/content/en', 200)).toMatchObject({
      subject: 'First words',
      content: [text('The first news')],
    })
  })

  test('those of a block and of a campaign; a block gets another name, and a campaign that never began is deleted', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const { id: blockId } = await t.post('/v1/blocks', { name: 'Imprint', content: [text('1 Quay')] }, 201)
    await t.put(`/v1/blocks/${blockId}/content/en`, { content: [text('2 Pier')] }, 200)
    await open(page, `/blocks/${blockId}`)
    await page.getByLabel('Name', { exact: true }).fill('Address')
    await button(page, 'Rename').press('Enter')
    await page.getByRole('heading', { name: 'Address' }).waitFor()
    await page.getByRole('link', { name: 'Revisions' }).click()
    await page.getByRole('row').filter({ hasText: 'earlier' }).getByRole('link').press('Enter')
    await page.frameLocator('iframe.mail').getByText('1 Quay').waitFor()
    await button(page, 'Restore').press('Enter')
    await confirm(page, 'Restore')
    await eventually(async () => (await t.get(`/v1/blocks/${blockId}/content/en`, 200)).content).toEqual([
      text('1 Quay'),
    ])

    const list = await t.post('/v1/mailing-lists', { name: 'Readers' }, 201)
    const campaign = { name: 'July', subject: 'July', mailingListId: list.id, content: [text('Hot')] }
    const { id } = await t.post('/v1/campaigns', campaign, 201)
    await open(page, `/campaigns/${id}`)
    await page.getByRole('link', { name: 'Who wrote what when' }).click()
    await page.getByRole('row').filter({ hasText: 'current' }).getByRole('link').press('Enter')
    await page.frameLocator('iframe.mail').getByText('Hot').waitFor()
    await open(page, `/campaigns/${id}`)
    // What it would send is asked for: not after it is gone.
    await page.frameLocator('iframe.mail').getByText('Hot').waitFor()
    await page.waitForLoadState('networkidle')
    await button(page, 'Delete').press('Enter')
    await confirm(page, 'Delete')
    await page.getByText('The campaign is deleted.').waitFor()
    await t.get(`/v1/campaigns/${id}`, 404)
  })

  test('a template is deleted once its name is typed, and not while something sends it', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await t.template({ id: 'gone' })
    await open(page, '/templates/gone')
    await button(page, 'Delete the template').press('Enter')
    await page.getByLabel('Type “gone” to go on').fill('gone')
    await judge(page, 'template-delete')
    await confirm(page, 'Delete the template')
    await page.getByText('The template is deleted.').waitFor()
    await t.get('/v1/transactional/gone', 404)
  })

  test('a provider that reports here gets an address, shown once', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await open(page, '/settings')
    await page.getByRole('link', { name: 'Mail providers' }).click()
    await page.getByText('No provider reports here').waitFor()
    await judge(page, 'providers-empty')
    await page.getByLabel('Provider').selectOption('mailgun')
    await page.getByLabel('What its reports are checked with').fill('the key of its webhooks')
    await button(page, 'Make its address').press('Enter')
    await page.getByText(`${t.url}/hooks/mailgun/`).waitFor()
    await page.getByRole('row').filter({ hasText: 'Mailgun' }).waitFor()
    await judge(page, 'providers')
    await page.getByLabel('Provider').selectOption('generic')
    await page.getByLabel('What its reports are checked with').fill('no secret')
    await button(page, 'Make its address').press('Enter')
    await page.getByText('must be a secret whsec_').waitFor()
    await dashboard.refused()
    expect((await t.get('/v1/provider-hooks', 200, { as: 'session' })).data).toMatchObject([{ provider: 'mailgun' }])
  })

  test('many addresses are suppressed at once, or none of them', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await open(page, '/suppressions')
    await page.getByText('Add many addresses').click()
    const field = page.getByLabel('Addresses, one in a line')
    await field.fill('ada@example.net\nnobody')
    await page.locator('details').getByRole('button', { name: 'Add', exact: true }).press('Enter')
    await page.getByRole('listitem').getByText('nobody must have exactly one @').waitFor()
    await dashboard.refused()
    await judge(page, 'suppressions-many')
    await field.fill('ada@example.net\nben@example.net, ada@example.net')
    await page.locator('details').getByRole('button', { name: 'Add', exact: true }).press('Enter')
    await page.getByText('Added: 2 addresses. Already there: 1 address.').waitFor()
    await page.getByRole('row').filter({ hasText: 'ben@example.net' }).waitFor()
  })

  test('the audit log is saved as a file, as far as it is narrowed down', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await t.patch('/v1/workspace', { name: 'Acme' }, 200)
    await t.template({ id: 'told' })
    await open(page, '/settings/audit?operation=createTemplate')
    const saved = page.waitForEvent('download')
    await button(page, 'Save as CSV').press('Enter')
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split(/\r?\n/)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.slice(1).every((line) => line.includes('createTemplate'))).toBe(true)
    await judge(page, 'audit-log')
  })

  test('previous secrets of an endpoint are ended; confirmation mails that wait for one network are cancelled', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const { id }: Json = await t.post('/v1/webhook-endpoints', { url: 'https://example.com/hook' }, 201, {
      as: 'session',
    })
    for (let n = 0; n < 2; n++) await t.post(`/v1/webhook-endpoints/${id}/signing-secret`, {}, 200, { as: 'session' })
    await open(page, `/webhooks/${id}`)
    await button(page, 'End previous secrets').press('Enter')
    await confirm(page, 'End previous secrets')
    await page.getByText('Ended: 1 older secret.').waitFor()
    await judge(page, 'webhook-secrets')

    await open(page, '/lists/sources')
    await page.getByText('Programs sign up?').click()
    await page.getByLabel('Cancel the waiting confirmation mails of this network').fill('192.0.2.0/24')
    await judge(page, 'held-sign-ups')
    await button(page, 'Cancel them').press('Enter')
    await page.getByText('Cancelled: 0 mails.').waitFor()
  })

  test('a picture that pasted HTML has in itself is seen, its place in the source is found, and saved it is in the library', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const src = `data:image/png;base64,${png({ width: 40, height: 20 }).toString('base64')}`
    const html = `<html><body style="color: #222"><img src="${src}" alt="Our logo"><p>Pasted with it</p></body></html>`
    await open(page, '/templates')
    await page.getByLabel('New template').fill('Pasted')
    await page.getByLabel('New template').press('Enter')
    await page.getByRole('button', { name: 'HTML or MJML…' }).click()
    await page.getByLabel('Source').fill(html)
    await button(page, 'Look at it').click()
    await button(page, 'Use it').click()
    const mail = page.frameLocator('iframe.mail')
    const width = () => mail.locator('img').evaluate((one: HTMLImageElement) => one.naturalWidth)
    await mail.getByText('Pasted with it').click()
    await eventually(width).toBe(40)
    // In the tree of the field, whose selection is its own.
    const selected = () =>
      page.locator('.code-field').evaluate(({ shadowRoot: root }) => {
        return root && 'getSelection' in root ? String((root.getSelection as () => Selection)()) : ''
      })
    await eventually(selected).toBe('<p>Pasted with it</p>')
    expect((await t.get('/v1/media', 200)).data).toEqual([])
    await page.keyboard.press('Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    const [picture] = (await t.get('/v1/media', 200)).data
    expect((await t.get('/v1/transactional/pasted/content/en', 200)).content.source).toContain(picture.url)
    await page.reload()
    await mail.getByText('Pasted with it').waitFor()
    await eventually(width).toBe(40)
    await judge(page, 'pasted-picture')
  })
})
