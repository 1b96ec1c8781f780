// Captured mail in the dashboard, in a real browser: it appears by itself, is searched, and looked at from all sides.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'

describe.skipIf(!browserExpected || remoteDatabase)('captured mail in the dashboard', () => {
  let browser: Browser
  let t: TestApp
  beforeAll(async () => {
    browser = await openBrowser()
    t = await testApp()
    const content = [
      { type: 'heading', text: 'Hello {{name}}' },
      { type: 'text', format: 'markdown', text: 'See [the plan](http://a.example/plan) or reply.' },
      { type: 'button', text: 'Confirm', href: 'https://app.example/confirm?token={{name}}' },
      { type: 'footer' },
    ]
    await t.template({ id: 'hi', subject: 'Hello {{name}}', content })
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  const send = async (name: string, more: object = {}) => {
    await t.mail({ email: `${name.toLowerCase()}@example.net`, templateId: 'hi', dataVariables: { name }, ...more })
    await t.settle()
  }
  const capture = async (to: string, lines: string[]) => {
    const raw = await toRawMail([Buffer.from([`To: ${to}`, 'From: a@example.org', ...lines].join('\r\n'))])
    const mail = { workspaceId: t.workspace.id, envelope: { from: 'a@example.org', to }, messageId: `${to}.id`, raw }
    await t.app.mailer.send(
      mail,
      { beforeFinalDot: async () => true, signal: new AbortController().signal },
      { relayId: null, receiver: 'example.net' },
    )
  }

  test('a mail appears while somebody looks, and is searched, opened and looked at from all sides', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g x')
    await page.getByText('Nothing yet.').waitFor()
    await page.getByText('How a program does it').click()
    await page.getByText('/v1/activity/captured/wait?to=').waitFor()
    await judge(page, 'captured-empty')
    await send('Ada')
    await page.getByRole('link', { name: 'Hello Ada' }).waitFor()
    const data = Buffer.from('All of it').toString('base64')
    await send('Ben', { attachments: [{ filename: 'terms é.txt', contentType: 'text/plain', data }] })
    await page.getByRole('link', { name: 'Hello Ben' }).waitFor()
    await judge(page, 'captured')
    await press(page, '/')
    await page.keyboard.insertText('ben@')
    await press(page, 'Enter')
    await page.getByRole('link', { name: 'Hello Ada' }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('q')).toBe('ben@')
    await page.getByRole('link', { name: 'Hello Ben' }).press('Enter')
    await page.getByRole('heading', { name: 'Hello Ben' }).waitFor()

    const mail = page.frameLocator('iframe.mail')
    const heading = mail.getByRole('heading', { name: 'Hello Ben' })
    await heading.waitFor()
    await judge(page, 'captured-mail')
    const size = () => heading.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
    const before = await size()
    await page.getByRole('button', { name: 'Text 200 %' }).click()
    await eventually(size).toBe(2 * before)
    await page.getByRole('button', { name: 'Right to left' }).click()
    const direction = () => heading.evaluate((element) => getComputedStyle(element).direction)
    await eventually(direction).toBe('rtl')
    await page.getByRole('button', { name: 'Phone' }).click()
    await eventually(() => mail.locator('body').evaluate(() => window.innerWidth)).toBe(375)
    await judge(page, 'captured-mail-large')

    await page.getByRole('button', { name: /^HTML check/ }).click()
    await page.getByText('http://a.example/plan is not https').waitFor()
    await page.getByRole('table', { name: 'What some clients do not support' }).waitFor()
    await judge(page, 'captured-check')
    await page.getByRole('button', { name: /^Links/ }).click()
    await page.getByRole('cell', { name: 'https://app.example/confirm?token=Ben' }).waitFor()
    await eventually(() => page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Text',
      'Link',
      'Problems',
      'Place',
    ])
    await judge(page, 'captured-links')
    await page.getByRole('button', { name: 'Headers' }).click()
    await page.getByText('ben@example.net', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Source' }).click()
    await page.getByText('Content-Type: multipart/mixed').waitFor()

    const downloaded = async (name: string) => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
      return [file.suggestedFilename(), await Bun.file(await file.path()).text()]
    }
    expect(await downloaded('terms é.txt')).toEqual(['terms é.txt', 'All of it'])
    expect(await downloaded('Download .eml')).toEqual(['2.eml', expect.stringContaining('Subject: Hello Ben')])
    const [alone] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open by itself' }).click(),
    ])
    await alone.getByRole('heading', { name: 'Hello Ben' }).waitFor()
    await eventually(() => alone.evaluate(() => window.origin)).toBe('null')
    await page.getByRole('link', { name: 'What happened to it' }).click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await mail.getByText('Hello Ben').waitFor()
  })

  test('the pages of captured mail lead to the same in the dashboard', async () => {
    await send('Cleo')
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/captured`)
    await page.getByRole('link', { name: 'Hello Cleo' }).click()
    await page.getByRole('link', { name: 'HTML alone' }).waitFor()
    const { pathname } = new URL(page.url())
    const over = page.getByRole('link', { name: 'Open in the dashboard' })
    await over.click()
    await page.waitForURL(`${t.url}/dashboard/acme${pathname}`)
    await page.frameLocator('iframe.mail').getByRole('heading', { name: 'Hello Cleo' }).waitFor()
    await page.goto(`${t.url}/captured`)
    await over.click()
    await page.waitForURL(`${t.url}/dashboard/acme/captured`)
    await page.getByRole('link', { name: 'Hello Cleo' }).waitFor()
  })

  test('a picture that a mail brings along is shown', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await capture('pic@example.net', [
      'Subject: Logo',
      'Content-Type: multipart/related; boundary=b',
      '',
      '--b',
      'Content-Type: text/html',
      '',
      '<p>Ours: <img alt="Logo" src="cid:logo@acme"></p>',
      '--b',
      'Content-Type: image/png',
      'Content-ID: <logo@acme>',
      'Content-Transfer-Encoding: base64',
      '',
      pixel,
      '--b--',
    ])
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/captured?q=pic`)
    await page.getByRole('link', { name: 'Logo' }).click()
    const picture = page.frameLocator('iframe.mail').locator('img[src^="data:image/png"]')
    await picture.waitFor()
    await eventually(() => picture.evaluate((img) => 'naturalWidth' in img && img.naturalWidth)).toBe(1)
  })

  test('a mail that does what it can is shown with nothing of it alive', async () => {
    await capture('eve@example.net', [
      'Subject: <b>Bold</b>',
      'List-Unsubscribe: <http://a.example/u>, <mailto:u@a.example>',
      'Content-Type: text/html',
      '',
      '<script>top.location = "https://evil.example"</script><img src=x onerror="top.document.title = 1">',
      '<form action="https://evil.example"><a href="javascript:alert(1)">Run</a></form>',
    ])
    await using dashboard = await openDashboard(browser, t)
    const { page, complaints } = dashboard
    await page.goto(`${t.url}/dashboard/acme/captured?q=eve`)
    await page.getByRole('link', { name: '<b>Bold</b>' }).click()
    await page.frameLocator('iframe.mail').getByText('Run').waitFor()
    await page.getByRole('button', { name: /^Links/ }).click()
    await page.getByRole('cell', { name: 'unsafe_href' }).waitFor()
    await page.getByText('http://a.example/u, mailto:u@a.example').waitFor()
    await page.getByRole('button', { name: /^HTML check/ }).click()
    await page.getByText('The picture is not described.').waitFor()
    expect(page.url()).toContain('/dashboard/acme/captured/')
    await eventually(() => page.title()).not.toBe('1')
    // What the sandbox and its policy keep from running is all that the browser tells, each time that the frame is drawn.
    const kept = complaints.splice(0)
    expect(kept).not.toEqual([])
    expect(kept.filter((one) => !one.includes('inline event handler violates'))).toEqual([])
  })
})
