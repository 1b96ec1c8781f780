// Blocks, conditions and columns in the dashboard, in a real browser: a block is written, used in a template, and changed for all.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

describe.skipIf(!browserExpected || remoteDatabase)('blocks and conditions in the dashboard', () => {
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
  const rowOf = (page: Page, name: RegExp) => page.getByRole('treeitem', { name })

  /** Out of a field, or of the mail. */
  const toOutline = (page: Page) => page.getByRole('treeitem', { selected: true }).focus()

  /** After or into what is chosen. `row`: what it then is called, where it has no field to begin with. */
  async function add(page: Page, name: string, row?: RegExp): Promise<void> {
    await toOutline(page)
    await press(page, '/')
    await page.getByRole('combobox', { name: 'What to add' }).waitFor()
    await page.keyboard.insertText(name)
    await press(page, 'Enter')
    const begun = row ? page.getByRole('treeitem', { selected: true, name: row }) : page.locator('.properties :focus')
    await begun.waitFor()
  }

  async function save(page: Page): Promise<void> {
    await toOutline(page)
    await press(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
  }

  test('a block is written once, used by its name, and changed for all that use it', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await t.template({ id: 'news', content: [{ type: 'text', text: 'The news' }] })
    await press(page, 'g t')
    await page.getByRole('link', { name: 'Blocks: what stands in several' }).click()
    await page.getByText('A block is written once').waitFor()
    await judge(page, 'blocks-empty')
    await page.getByRole('textbox', { name: 'A new block, by its name' }).fill('Imprint')
    await press(page, 'Enter')
    await mailIn(page).getByText('Imprint').waitFor()
    await page.getByText('Nothing uses it yet').waitFor()
    await rowOf(page, /^Text/).click()
    await page.getByRole('textbox', { name: 'Text' }).fill('1 Quay, Le Havre')
    await save(page)

    await page.goto(`${t.url}/dashboard/acme/templates/news`)
    await rowOf(page, /^Text/).click()
    await add(page, 'imprint')
    await mailIn(page).getByText('1 Quay, Le Havre').waitFor()
    // What it holds is written elsewhere: a click on it in the mail chooses the block.
    await rowOf(page, /^Text/).click()
    await mailIn(page).getByText('1 Quay, Le Havre').click()
    await page.getByRole('treeitem', { selected: true, name: /^Block\s+Imprint/ }).waitFor()
    expect(await page.getByRole('treeitem').all()).toHaveLength(2)
    await judge(page, 'template-with-block')
    await save(page)

    await page.getByRole('link', { name: 'Edit the block' }).click()
    await page.getByText('a change here changes 1 mail').waitFor()
    await page.getByRole('link', { name: 'Hello' }).waitFor()
    await judge(page, 'block')
    await rowOf(page, /^Text/).click()
    await page.getByRole('textbox', { name: 'Text' }).fill('2 Pier, Le Havre')
    await save(page)
    const { content } = await t.get('/v1/transactional/news/content/en', 200)
    expect(JSON.stringify(content)).toContain('2 Pier')
  })

  test('what only some get, what is repeated, and columns with widths are made without a word of code', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await t.template({ id: 'order', content: [{ type: 'text', text: 'Your order' }] })
    await page.goto(`${t.url}/dashboard/acme/templates/order`)
    await rowOf(page, /^Text/).click()
    await add(page, 'if')
    await page.getByRole('textbox', { name: 'Variable' }).fill('plan')
    await page.getByRole('combobox', { name: 'Comparison' }).selectOption('is')
    await page.getByRole('textbox', { name: 'Value' }).fill('pro')
    await rowOf(page, /^If/).click()
    await add(page, 'text')
    await page.keyboard.insertText('For pro')
    await rowOf(page, /^If/).click()
    await add(page, 'otherwise', /^Otherwise/)
    await add(page, 'text')
    await page.keyboard.insertText('For all')
    await mailIn(page).getByText('For all').waitFor()
    await page.getByRole('textbox', { name: 'plan' }).fill('pro')
    await mailIn(page).getByText('For pro').waitFor()
    await rowOf(page, /^If\s+plan is pro/).waitFor()

    await rowOf(page, /^If/).click()
    await add(page, 'for each')
    await page.getByRole('textbox', { name: 'Variable of the list' }).fill('lines')
    await add(page, 'section')
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Widths of the columns' }).selectOption('⅔ + ⅓')
    await rowOf(page, /^Section/).click()
    await add(page, 'text')
    await page.keyboard.insertText('{{item.name}}')
    await add(page, 'text')
    await page.keyboard.insertText('{{item.price}}')
    await page
      .getByRole('textbox', { name: 'lines' })
      .fill('[{"name":"Desk","price":"240 €"},{"name":"Lamp","price":"80 €"}]')
    await mailIn(page).getByText('Lamp').waitFor()
    await judge(page, 'template-with-conditions')
    await save(page)
    await eventually(async () => (await t.get('/v1/transactional/order/content/en', 200)).content).toMatchObject([
      { type: 'text' },
      {
        type: 'if',
        variable: 'plan',
        operator: 'equals',
        value: 'pro',
        children: [{ type: 'text' }, { type: 'else' }],
      },
      { type: 'each', itemsVariable: 'lines', children: [{ type: 'section', columns: 2, columnWidths: [8, 4] }] },
    ])
  })
})
