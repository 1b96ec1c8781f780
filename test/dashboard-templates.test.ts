// Templates in the dashboard, in a real browser: one is built by keyboard alone, looked at, saved and tested; two who write at once.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

describe.skipIf(!browserExpected || remoteDatabase)('templates in the dashboard', () => {
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
  const outline = (page: Page) => page.getByRole('treeitem').allInnerTexts()

  /** From the slash to the first field of what was added. */
  async function add(page: Page, name: string, text = ''): Promise<void> {
    await press(page, '/')
    await page.getByRole('combobox', { name: 'What to add' }).waitFor()
    await page.keyboard.insertText(name)
    await press(page, 'Enter')
    await page.locator('.properties :focus').waitFor()
    await page.keyboard.insertText(text)
  }

  /** Out of the form, into the outline, by the way that a reader of the screen goes, too. */
  async function toOutline(page: Page): Promise<void> {
    await page.getByRole('treeitem', { selected: true }).focus()
  }

  test('one is built by keyboard alone, seen as it would be sent, saved, and there again', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g t')
    await page.getByText('No template yet').waitFor()
    await judge(page, 'templates-empty')
    await press(page, 'n')
    await page.keyboard.insertText('Order shipped')
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Order shipped' }).waitFor()

    await add(page, 'heading', 'Hello {{name}}')
    await toOutline(page)
    await add(page, 'section')
    await toOutline(page)
    // Who chooses in the outline stays in it.
    await press(page, 'ArrowUp')
    await page.locator('[role=treeitem]:focus').getByText('Hello').waitFor()
    await press(page, 'ArrowDown')
    await add(page, 'text', 'It is on its way.')
    await toOutline(page)
    await eventually(() => outline(page)).toEqual([
      expect.stringMatching(/^Heading\s+Hello/),
      expect.stringMatching(/^Section/),
      expect.stringMatching(/^Text\s+It is on its way/),
    ])
    await mailIn(page).getByText('It is on its way.').waitFor()
    await mailIn(page).getByText('Hello {{name}}').waitFor()
    await page.getByText('name is required and not supplied').waitFor()
    await page.getByRole('textbox', { name: 'name' }).fill('Ada')
    await mailIn(page).getByText('Hello Ada').waitFor()
    await judge(page, 'template')

    await press(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    // Nobody can send it before somebody says so.
    await eventually(async () => (await t.get('/v1/transactional/order-shipped', 200)).status).toBe('draft')
    await page.getByRole('button', { name: 'Publish' }).press('Enter')
    await page.getByRole('button', { name: 'Make it a draft again' }).waitFor()
    await page.goto(`${t.url}/dashboard/acme/templates?status=active`)
    await page.getByRole('link', { name: 'Order shipped' }).waitFor()
    await judge(page, 'templates')
    await press(page, 'j Enter')
    await mailIn(page).getByText('Hello Ada').waitFor()
    const stored = await t.get('/v1/transactional/order-shipped/content/en', 200)
    expect(stored.content).toMatchObject([
      { type: 'heading', text: 'Hello {{name}}' },
      { type: 'section', children: [{ type: 'text', text: 'It is on its way.' }] },
    ])
  })

  test('what is missing is said at its field, which has the focus; what is bold is made so by a button', async () => {
    const { id } = await t.post('/v1/transactional/create', { name: 'Picture', subject: 'P' }, 201)
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/templates/${id}`)
    await page.getByText('It is empty.').waitFor()
    await add(page, 'text', 'Read this')
    await page.locator('.properties textarea').first().selectText()
    await page.getByRole('button', { name: 'Bold' }).press('Enter')
    await mailIn(page).locator('strong', { hasText: 'Read this' }).waitFor()
    await toOutline(page)
    await add(page, 'image')
    await page.locator('.properties').getByLabel('Link', { exact: true }).waitFor()
    await toOutline(page)
    await press(page, 'ArrowUp Control+s')
    const alert = page.getByRole('alert').filter({ hasText: 'Not saved yet' })
    await alert.getByRole('button', { name: /^Picture: / }).waitFor()
    await eventually(() => alert.textContent()).toContain('is missing')
    await eventually(() => alert.textContent()).not.toContain('content[')
    await page.locator('.properties input:focus[aria-invalid=true]').waitFor()
    await dashboard.refused()
    await judge(page, 'template-incomplete')
    // Nothing of it is lost by a reload, and whoever publishes is led to the same field.
    page.on('dialog', (asked) => void asked.accept())
    await page.reload()
    await page.getByText('kept in this browser, not saved').waitFor()
    await page.getByText('This cannot be shown yet').waitFor()
    await page.getByRole('button', { name: 'Publish' }).press('Enter')
    await page.locator('.properties input:focus[aria-invalid=true]').waitFor()
    await dashboard.refused()
    // Letter by letter: no other host is asked for what is the beginning of an address.
    await page.keyboard.type('https://pictures.example/a')
    await page.getByRole('treeitem', { name: 'https://pictures.example/a' }).waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(`${t.url}/favicon.svg`)
    await page.getByLabel('Subject', { exact: true }).fill('')
    await page.getByRole('alert').getByText('Subject: is missing').waitFor()
    await press(page, 'Control+s')
    await page.locator('input[name=subject]:focus').waitFor()
    await dashboard.refused()
    await page.getByLabel('Subject', { exact: true }).fill('P')
    await mailIn(page).locator('img[src$="favicon.svg"]').waitFor()
    await page.getByRole('button', { name: 'Publish' }).press('Enter')
    await page.getByText('saved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Make it a draft again' }).waitFor()
    const { content } = await t.get(`/v1/transactional/${id}/content/en`, 200)
    expect(content).toMatchObject([
      { type: 'text', format: 'markdown', text: '**Read this**' },
      { type: 'image', src: `${t.url}/favicon.svg` },
    ])
    expect((await t.get(`/v1/transactional/${id}`, 200)).status).toBe('active')
  })

  test('a component is moved and nested by keyboard, taken away, and every step is undone', async () => {
    const content = [
      { type: 'section', children: [{ type: 'text', text: 'One' }] },
      { type: 'text', text: 'Two' },
      { type: 'image', src: `${t.url}/favicon.svg` },
    ]
    await t.template({ id: 'steps', name: 'Steps', content })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/templates/steps`)
    const shape = () =>
      page
        .getByRole('treeitem')
        .evaluateAll((rows) =>
          rows.map((row) =>
            [row.getAttribute('aria-level'), ...[...row.children].slice(0, 2).map((one) => one.textContent)]
              .join(' ')
              .trim(),
          ),
        )
    const begin = ['1 Section', '2 Text One', '1 Text Two']
    await page.getByRole('treeitem', { name: 'Two' }).waitFor()
    await eventually(async () => (await shape()).slice(0, 3)).toEqual(begin)
    await page.getByRole('treeitem', { name: 'Two' }).click()
    await press(page, 'Tab')
    await eventually(async () => (await shape()).slice(0, 3)).toEqual(['1 Section', '2 Text One', '2 Text Two'])
    await press(page, 'Alt+ArrowUp')
    await eventually(async () => (await shape()).slice(0, 3)).toEqual(['1 Section', '2 Text Two', '2 Text One'])
    await press(page, 'Shift+Tab Alt+ArrowUp')
    await eventually(async () => (await shape()).slice(0, 3)).toEqual(['1 Text Two', '1 Section', '2 Text One'])
    await press(page, 'Delete')
    await eventually(async () => (await shape()).slice(0, 2)).toEqual(['1 Section', '2 Text One'])
    for (let step = 0; step < 5; step++) await press(page, 'Control+z')
    await eventually(async () => (await shape()).slice(0, 3)).toEqual(begin)
    await press(page, 'Control+Shift+z')
    await eventually(async () => (await shape()).slice(0, 3)).toEqual(['1 Section', '2 Text One', '2 Text Two'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => (await shape()).slice(0, 3)).toEqual(begin)
    await page.getByRole('button', { name: 'Redo' }).click()
    await eventually(async () => (await shape()).slice(0, 3)).toEqual(['1 Section', '2 Text One', '2 Text Two'])
    // What is not saved is there again for who comes back.
    await page.getByRole('link', { name: 'All templates' }).click()
    await page.getByRole('link', { name: 'Steps' }).click()
    await page.getByText('not saved').waitFor()
    await eventually(async () => (await shape()).slice(0, 3)).toEqual(['1 Section', '2 Text One', '2 Text Two'])
    await page.getByRole('treeitem', { name: 'Two' }).click()
    await page.getByRole('treeitem', { name: 'Two', selected: true }).waitFor()
    // After Escape, Tab is the browser's again.
    await press(page, 'Escape Tab')
    await eventually(() =>
      page.getByRole('treeitem').evaluateAll((rows) => rows.some((row) => row === document.activeElement)),
    ).toBe(false)
  })

  test('two write at once in two windows: the second sees what the first saved, and chooses', async () => {
    await t.template({ id: 'both', text: 'Dear reader' })
    await using mine = await openDashboard(browser, t)
    await using theirs = await openDashboard(browser, t)
    const write = async (page: Page, text: string) => {
      await page.goto(`${t.url}/dashboard/acme/templates/both`)
      // The frame is drawn smaller than it is, which the browser's driver does not reckon with when it points.
      await mailIn(page).getByText('Dear reader').dispatchEvent('click')
      // The click begins to edit in the mail, which takes the focus; whoever goes into the form after that has it.
      await mailIn(page).getByRole('textbox').waitFor()
      await page.getByLabel('Text', { exact: true }).fill(text)
    }
    const { page } = mine
    await write(page, 'Mine')
    await write(theirs.page, 'Theirs')
    await press(theirs.page, 'Control+s')
    await theirs.page.getByText('saved', { exact: true }).waitFor()
    await press(page, 'Control+s')
    await page.getByText('Somebody else has saved this meanwhile.').waitFor()
    await judge(page, 'template-conflict')
    await eventually(() => page.getByRole('alert').textContent()).toMatch(/Text: Theirs[\s\S]*Text: Mine/)
    await page.getByRole('button', { name: 'Use their version' }).click()
    await mailIn(page).getByText('Theirs').waitFor()
    await press(page, 'Control+z')
    await mailIn(page).getByText('Mine').waitFor()
    await press(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    const stored = async () => (await t.get('/v1/transactional/both/content/en', 200)).content
    await eventually(() => stored()).toEqual([{ type: 'text', text: 'Mine' }])
    // Now the first is behind, and puts theirs in its place knowingly.
    await theirs.page.getByLabel('Text', { exact: true }).fill('Theirs after all')
    await press(theirs.page, 'Control+s')
    await theirs.page.getByRole('button', { name: 'Replace it with your version' }).click()
    await theirs.page.getByText('saved', { exact: true }).waitFor()
    await eventually(() => stored()).toEqual([{ type: 'text', text: 'Theirs after all' }])
  })

  test('several are marked, moved, dragged, duplicated, cut and pasted, also into another window', async () => {
    const texts = ['One', 'Two', 'Three', 'Four'].map((text) => ({ type: 'text', text }))
    const content = [...texts, { type: 'section', children: [{ type: 'text', text: 'Inner' }] }]
    await t.template({ id: 'many', content })
    await t.template({ id: 'into', content: texts.slice(0, 1) })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/templates/many`)
    const row = (name: string, on = page) => on.getByRole('treeitem', { name })
    const said = async (on = page) => (await outline(on)).map((text) => text.replace(/^\w+\s*/, '') || 'Section')
    await row('Two').click()
    await press(page, 'Shift+ArrowDown')
    await eventually(() => page.getByRole('treeitem', { selected: true }).count()).toBe(2)
    await page.getByText('2 components are marked.').waitFor()
    await judge(page, 'template-marked')
    await page.setViewportSize({ width: 1280, height: 850 })
    await press(page, 'Alt+ArrowUp')
    await eventually(() => said()).toEqual(['Two', 'Three', 'One', 'Four', 'Section', 'Inner'])
    await press(page, 'Control+d')
    await eventually(() => said()).toEqual(['Two', 'Three', 'Two', 'Three', 'One', 'Four', 'Section', 'Inner'])
    await press(page, 'Delete')
    await row('One').click()
    await row('Four').click({ modifiers: ['Shift'] })

    // With the mouse, into the middle of the section.
    const middle = async (name: string) => {
      const { x, y, width, height } = (await row(name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      return [x + width / 2, y + height / 2] as const
    }
    await page.mouse.move(...(await middle('Four')))
    await page.mouse.down()
    await page.mouse.move(...(await middle('Section')), { steps: 8 })
    await page.mouse.up()
    await eventually(() => said()).toEqual(['Two', 'Three', 'Section', 'Inner', 'One', 'Four'])
    await eventually(() => row('Four').getAttribute('aria-level')).toBe('2')
    // By keyboard the same way back, and there again.
    await press(page, 'Shift+Tab')
    await eventually(() => row('Four').getAttribute('aria-level')).toBe('1')
    await press(page, 'Tab')
    await eventually(() => said()).toEqual(['Two', 'Three', 'Section', 'Inner', 'One', 'Four'])

    await press(page, 'Control+x')
    await eventually(() => said()).toEqual(['Two', 'Three', 'Section', 'Inner'])
    await eventually(async () => JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toEqual([
      texts[0],
      texts[3],
    ])
    const other = await page.context().newPage()
    await other.goto(`${t.url}/dashboard/acme/templates/into`)
    await row('One', other).click()
    await press(other, 'Control+v')
    await eventually(() => said(other)).toEqual(['One', 'One', 'Four'])
    await press(other, 'Control+z')
    await eventually(() => said(other)).toEqual(['One'])
    const refused: [string, RegExp][] = [
      ['Dear reader', /not JSON/],
      ['[{"type":"video"}]', /\[0\]: there is no component “video”/],
      ['[{"type":"text","text":"a","onclick":"b"}]', /\[0\]\.onclick: a text has no such property/],
      [
        '{"type":"section","children":[{"type":"text","text":1}]}',
        /\[0\]\.children\[0\]\.text has a value of the wrong kind/,
      ],
      ['[]', /empty list/],
      ['{"type":"text","text":"a","children":[]}', /\[0\]\.children: a text has no such property/],
      ['{"type":"section","children":[{"type":"section","children":[]}]}', /is not allowed here/],
    ]
    for (const [text, says] of refused) {
      await other.evaluate((copied) => navigator.clipboard.writeText(copied), text)
      await row('One', other).click()
      await press(other, 'Control+v')
      await other.getByRole('alert').getByText(says).waitFor()
      await eventually(() => said(other)).toEqual(['One'])
    }
    await judge(other, 'template-refused')
    await other.evaluate((copied) => navigator.clipboard.writeText(copied), JSON.stringify(texts[1]))
    await other.getByRole('button', { name: 'Paste' }).click()
    await row('Two', other).waitFor()
    await eventually(() => other.getByRole('alert').count()).toBe(0)
  })

  test('another language begins as a copy of what its readers get; a test goes to whoever looks', async () => {
    await t.template({ id: 'morning', text: 'Good morning' })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/templates/morning?locale=de`)
    await page.getByText('There is no content in de: its readers get en.').waitFor()
    await mailIn(page).getByText('Good morning').dispatchEvent('click')
    await page.getByLabel('Text', { exact: true }).fill('Guten Morgen')
    await page.getByLabel('Subject', { exact: true }).fill('Morgen')
    await mailIn(page).getByText('Guten Morgen').waitFor()
    await page.getByRole('button', { name: 'Send a test to me' }).click()
    await page.getByRole('link', { name: 'Follow it in Activity' }).waitFor()
    await t.settle()
    const [test] = (await t.get('/v1/activity?q=template:morning', 200)).data
    expect(test.subject).toBe('[Test] Morgen')
    await press(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    await eventually(async () => (await t.get('/v1/transactional/morning', 200)).locales).toEqual(['de', 'en'])
  })

  test('the mail is seen in the dark, as wide as a phone, without pictures and as plain text', async () => {
    const content = [
      { type: 'text', text: 'Seen' },
      { type: 'image', src: `${t.url}/favicon.svg`, alt: 'A ship' },
    ]
    await t.template({ id: 'seen', name: 'Seen', content })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/templates/seen`)
    const body = mailIn(page).locator('body')
    await mailIn(page).getByText('Seen').waitFor()
    const ground = () => body.evaluate((element) => getComputedStyle(element).backgroundColor)
    const light = await ground()
    await page.getByRole('button', { name: 'Dark' }).click()
    await eventually(() => ground()).not.toBe(light)
    await page.getByRole('button', { name: 'Phone' }).click()
    await eventually(() => body.evaluate(() => window.innerWidth)).toBe(375)
    await judge(page, 'template-dark-phone')
    await page.getByRole('button', { name: 'Without pictures' }).click()
    await mailIn(page).locator('img:not([src])').waitFor()
    await page.getByRole('button', { name: 'Plain text' }).click()
    await eventually(() => page.locator('pre.mail').textContent()).toContain('Seen')
  })
})
