// HTML and MJML in the dashboard, in a real browser: brought by paste and by file, looked at, edited beside the mail, saved.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, keptSteps, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

const letter = `<!doctype html>
<html lang="en"><head><title>Spring &amp; sun</title><style>
.lead { color: #0b5; font: bold 24px Georgia, serif }
@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } .lead { color: #6f9 } }
</style></head>
<body style="margin: 0; background: #f4f1ea">
<table width="100%"><tr><td align="center" style="padding: 24px">
<h1 class="lead">Hello {{contact.firstName|you}}</h1>
<p>Your code is <b>{{code}}</b>.</p>
<p><a href="https://example.com/orders">Your orders</a></p>
<form action="https://example.net"><input name="q"></form>
</td></tr></table>
</body></html>`

const mjml = `<mjml><mj-body><mj-section><mj-column>
<mj-text>Good morning</mj-text>
<mj-button href="https://example.com/">Begin</mj-button>
</mj-column></mj-section></mj-body></mjml>`

describe.skipIf(!browserExpected || remoteDatabase)('HTML and MJML in the dashboard', () => {
  let browser: Browser
  let t: Installation
  beforeAll(async () => {
    browser = await openBrowser()
    t = await openInstallation()
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  const mailIn = (page: Page) => page.frameLocator('iframe.mail')
  const lines = (page: Page) => page.locator('.code-field .cm-line')
  const source = async (page: Page) => (await lines(page).allTextContents()).join('\n')
  /** In the tree of the field, whose selection is its own. */
  const selected = (page: Page) =>
    page.locator('.code-field').evaluate((field) => {
      const root = field.shadowRoot
      return root && 'getSelection' in root ? String((root.getSelection as () => Selection)()) : ''
    })

  async function begin(page: Page, name: string): Promise<void> {
    await press(page, 'g t')
    await page.getByRole('heading', { name: 'Templates' }).waitFor()
    await page.getByLabel('New template').fill(name)
    await press(page, 'Enter')
    await page.getByRole('button', { name: 'HTML or MJML…' }).click()
  }

  test('a mail of HTML is pasted: what is left out is seen first, then the source stands beside the mail', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await begin(page, 'Letter')
    await page.getByLabel('Source').fill(letter)
    await page.getByRole('button', { name: 'Look at it' }).click()
    await page.getByText('It stays a source').waitFor()
    await page.getByText('The element <form>, but its content, was left out.').waitFor()
    await judge(page, 'source-bring')
    await page.getByRole('button', { name: 'Use it' }).click()
    await mailIn(page).getByText('Hello you').waitFor()
    await page.getByText('code is required and not supplied').waitFor()
    await judge(page, 'source-editor')

    // A click in the mail shows its place in the source.
    await mailIn(page).getByText('Your orders').click()
    await eventually(() => selected(page)).toBe('<a href="https://example.com/orders">Your orders</a>')
    // And where one is in the source is framed in the mail.
    await lines(page).filter({ hasText: 'class="lead"' }).last().click()
    await press(page, 'Home ArrowRight')
    await mailIn(page).locator('h1[style*="outline"]').waitFor()
    // What was left out is marked at its line, and said by F8.
    await page.locator('.code-field .cm-lintRange-warning', { hasText: '<form' }).waitFor()
    for (let letter = 0; letter < '<h1 class="lead">'.length - 1; letter++) await press(page, 'ArrowRight')
    await page.keyboard.insertText('Oh, ')
    await mailIn(page).getByText('Oh, Hello you').waitFor()
    await press(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    const { content } = await t.get('/v1/transactional/letter/content/en', 200)
    expect(content).toEqual({ kind: 'html', source: letter.replace('Hello', 'Oh, Hello') })
    await eventually(() => keptSteps(page)).toEqual([expect.stringContaining('Oh, Hello')])
    await page.reload()
    await mailIn(page).getByText('Oh, Hello you').waitFor()
    // What was typed is undone, also after the page was loaded anew, as soon as the steps of before are there.
    await eventually(() => page.getByRole('button', { name: 'Undo' }).isEnabled()).toBe(true)
    await lines(page).filter({ hasText: 'Oh, Hello' }).click()
    await press(page, 'Control+z')
    await mailIn(page).getByText('Hello you', { exact: true }).waitFor()
    // Tab indents, and does not keep the keyboard.
    await press(page, 'Tab')
    await eventually(() => source(page)).toContain('  <h1')
    await press(page, 'Escape Tab')
    await page.locator('input[name=footer]:focus').waitFor()
    await judge(page, 'source-code')
  })

  test('a file of MJML is brought, and components can be what HTML without a look becomes', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await begin(page, 'Morning')
    const file = { name: 'morning.mjml', mimeType: 'text/plain', buffer: Buffer.from(mjml) }
    await page.getByLabel('From a file').setInputFiles(file)
    await page.getByRole('button', { name: 'Look at it' }).click()
    await page.getByText('Nothing is left out.').first().waitFor()
    await page.getByRole('button', { name: 'Use it' }).click()
    await mailIn(page).getByText('Begin').click()
    await eventually(() => selected(page)).toBe('<mj-button href="https://example.com/">')

    await page.getByRole('button', { name: 'HTML or MJML…' }).click()
    await page
      .getByRole('dialog')
      .getByLabel('Source')
      .fill('<h1>Hi</h1><p>Read <a href="https://example.com/">on</a>.</p>')
    await page.getByRole('button', { name: 'Look at it' }).click()
    await page.getByText('It becomes components').waitFor()
    await page.getByRole('button', { name: 'Use it' }).click()
    await eventually(() => page.getByRole('treeitem').count()).toBe(2)
    await press(page, 'Control+z')
    await eventually(() => source(page)).toBe(mjml)
  })
})
