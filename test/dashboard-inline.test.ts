// Editing in the mail itself, in a real browser: texts are typed where they stand, components are dragged there, by mouse and by keyboard.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, keptSteps, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

describe.skipIf(!browserExpected || remoteDatabase)('editing in the mail', () => {
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
  const typedIn = (page: Page) => mailIn(page).getByRole('textbox')
  const tools = (page: Page) => page.getByRole('toolbar', { name: 'Tools for the text' })
  const saved = async (page: Page, id: string) => {
    await press(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    return (await t.get(`/v1/transactional/${id}/content/en`, 200)).content
  }

  /** A point of what stands in the frame, which is drawn smaller than it is. */
  async function pointIn(page: Page, element: Locator, x = 0.5, y = 0.5): Promise<[number, number]> {
    await element.waitFor()
    const inside = await element.evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect()
      return { left, top, width, height, of: innerWidth }
    })
    const frame = await page.locator('iframe.mail').evaluate((one) => {
      one.scrollIntoView({ block: 'center' })
      const { left, top, width } = one.getBoundingClientRect()
      return { left, top, width }
    })
    const scale = frame.width / inside.of
    return [frame.left + (inside.left + inside.width * x) * scale, frame.top + (inside.top + inside.height * y) * scale]
  }

  async function clickIn(page: Page, text: string): Promise<void> {
    await page.mouse.click(...(await pointIn(page, mailIn(page).getByText(text).last())))
    await typedIn(page).filter({ hasText: text }).waitFor()
  }

  test('a text is typed where it stands, made bold, linked and given a variable, and stored as markdown', async () => {
    const content = [
      { type: 'heading', text: 'Hello {{contact.firstName|friend}}' },
      { type: 'text', text: 'It is *here*, {{code}}.', format: 'markdown' },
      { type: 'button', text: 'Look', href: 'https://example.com/' },
    ]
    await t.template({ id: 'inline', name: 'Inline', content })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/templates/inline`)
    await clickIn(page, 'Hello')
    await typedIn(page).locator('.placeholder', { hasText: 'contact.firstName|friend' }).waitFor()
    await press(page, 'End')
    await page.keyboard.type('!')
    await eventually(() => page.getByRole('treeitem').first().textContent()).toContain('friend}}!')
    // A heading has no bold words.
    await tools(page).waitFor()
    expect(await tools(page).getByRole('button', { name: 'Bold' }).count()).toBe(0)
    await tools(page).getByLabel('Level').selectOption('2')
    await mailIn(page).locator('h2').getByRole('textbox').waitFor()
    await judge(page, 'inline-heading')
    await clickIn(page, 'It is')
    await press(page, 'End')
    await page.keyboard.type(' Now')
    await press(page, 'Control+Shift+ArrowLeft Control+b')
    await typedIn(page).locator('strong', { hasText: 'Now' }).waitFor()
    await tools(page).getByRole('button', { name: 'Bold', pressed: true }).waitFor()
    await judge(page, 'inline-bold')
    await press(page, 'End Control+b')
    await page.keyboard.type(' and read')
    await press(page, 'Control+Shift+ArrowLeft Control+k')
    await tools(page).getByLabel('Address of the link').fill('example.com/more (1)')
    await press(page, 'Enter')
    await typedIn(page).locator('u', { hasText: 'read' }).waitFor()
    await press(page, 'End Enter')
    await page.keyboard.type('For ')
    await tools(page).getByLabel('Variable…').selectOption('contact.email')
    await typedIn(page).locator('.placeholder', { hasText: 'contact.email' }).waitFor()
    await page.keyboard.type(', typed {{year}}')
    await typedIn(page).locator('.placeholder', { hasText: 'year' }).waitFor()
    // What is pasted is text, stars and all.
    await page.evaluate(() => navigator.clipboard.writeText(' *as it is*'))
    await typedIn(page).focus()
    await press(page, 'Control+v')
    await typedIn(page).getByText('*as it is*').waitFor()
    await judge(page, 'inline-text')
    expect(await saved(page, 'inline')).toEqual([
      { type: 'heading', text: 'Hello {{contact.firstName|friend}}!', level: 2 },
      {
        type: 'text',
        text: 'It is *here*, {{code}}. **Now** and [read](https://example.com/more%20%281%29)\nFor {{contact.email}}, typed {{year}} \\*as it is\\*',
        format: 'markdown',
      },
      content[2],
    ])
  })

  const shape = (page: Page) =>
    page
      .getByRole('treeitem')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [row.getAttribute('aria-level'), ...[...row.children].slice(0, 2).map((one) => one.textContent)]
            .join(' ')
            .trim(),
        ),
      )

  /**
   * With the mouse, which moves a little, as a hand does, until the mail shows where it would land. By the browser's own drag, with its
   * rules for frames, which its driver does without.
   */
  async function drag(page: Page, from: [number, number], to: () => Promise<[number, number]>, edge: string) {
    const hand = await page.context().newCDPSession(page)
    const mouse = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', [x, y]: [number, number]) =>
      hand.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 })
    await mouse('mousePressed', from)
    for (const step of [2, 5, 9]) await mouse('mouseMoved', [from[0] + step, from[1] + step])
    const [x, y] = await to()
    let moved = 0
    await eventually(async () => {
      await mouse('mouseMoved', [x + (moved++ % 2), y])
      return mailIn(page).locator(`[data-landing=${edge}]`).count()
    }).toBe(1)
    await mouse('mouseReleased', [x, y])
  }

  test('components are dragged between and into columns, and new ones into the mail', async () => {
    const text = (text: string) => ({ type: 'text', text })
    const content = [text('Above'), { type: 'section', columns: 2, children: [text('Left'), text('Right')] }]
    await t.template({ id: 'dragged', name: 'Dragged', content })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    // The palette and the whole mail are in view.
    await page.setViewportSize({ width: 1280, height: 1200 })
    await page.goto(`${t.url}/dashboard/acme/templates/dragged`)
    const words = (name: string) => mailIn(page).getByText(name, { exact: true })
    await page.mouse.move(...(await pointIn(page, words('Above'))))
    await drag(
      page,
      await pointIn(page, mailIn(page).getByTitle('Drag')),
      () => pointIn(page, words('Right'), 0.1),
      'left',
    )
    await eventually(() => shape(page)).toEqual(['1 Section', '2 Text Left', '2 Text Above', '2 Text Right'])
    await press(page, 'Control+z')
    await eventually(() => shape(page)).toEqual(['1 Text Above', '1 Section', '2 Text Left', '2 Text Right'])
    // A new one out of the palette.
    const button = page.locator('.palette').getByRole('button', { name: 'Button' })
    const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await drag(page, [x + width / 2, y + height / 2], () => pointIn(page, words('Left'), 0.9), 'right')
    await eventually(() => shape(page)).toEqual([
      '1 Text Above',
      '1 Section',
      '2 Text Left',
      '2 Button',
      '2 Text Right',
    ])
  })

  test('all of it by keyboard: from the outline into the mail, from text to text, entries of a list, and back', async () => {
    const content = [
      { type: 'text', text: 'Plain *as is*' },
      { type: 'list', items: ['One', 'Two'] },
      { type: 'button', text: 'Go', href: 'https://example.com/' },
    ]
    await t.template({ id: 'keyboard', name: 'Keyboard', content })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/templates/keyboard`)
    await mailIn(page).getByText('Plain').waitFor()
    await page.getByRole('treeitem').first().focus()
    await press(page, 'ArrowUp F2')
    // What is there as plain text keeps its stars, and is markdown with its first bold word.
    const text = mailIn(page).getByRole('textbox', { name: 'Text: Text' })
    await text.and(mailIn(page).locator(':focus')).waitFor()
    await press(page, 'Control+a Alt+F10')
    await tools(page).locator('button:focus').waitFor()
    await press(page, 'Enter')
    await text.locator('strong').waitFor()
    await text.and(mailIn(page).locator(':focus')).waitFor()
    await press(page, 'Tab')
    const entry = (says: string) =>
      mailIn(page)
        .locator('li', { has: page.locator(':focus') })
        .getByText(says)
    await entry('One').waitFor()
    await press(page, 'End Enter')
    await mailIn(page).locator('li:nth-child(2) :focus').waitFor()
    await page.keyboard.type('Between')
    await press(page, 'Enter')
    await mailIn(page).locator('li:nth-child(3) :focus').waitFor()
    await eventually(() => mailIn(page).locator('li').count()).toBe(4)
    await press(page, 'Backspace')
    await entry('Between').waitFor()
    await press(page, 'Tab Tab')
    await mailIn(page).getByRole('textbox', { name: 'Text: Button' }).waitFor()
    await page.keyboard.type('!')
    await press(page, 'Escape')
    await page.locator('[role=treeitem]:focus').getByText('Go!').waitFor()
    await eventually(() => typedIn(page).count()).toBe(0)
    await mailIn(page).getByText('Go!').waitFor()
    expect(await saved(page, 'keyboard')).toEqual([
      { type: 'text', text: '**Plain \\*as is\\***', format: 'markdown' },
      { type: 'list', items: ['One', 'Between', 'Two'] },
      { ...content[2], text: 'Go!' },
    ])
  })

  test('what was done is undone after a reload, in its own tab; nothing of it is left by who signs out', async () => {
    await t.template({ id: 'history', name: 'History', content: [{ type: 'text', text: 'First' }] })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    page.on('dialog', (asked) => void asked.accept())
    const row = (text: string, on = page) => on.getByRole('treeitem', { name: text, exact: true })
    const write = async (text: string, on = page) => {
      await on.getByLabel('Text', { exact: true }).fill(text)
      await press(on, 'Tab')
    }
    await page.goto(`${t.url}/dashboard/acme/templates/history`)
    await row('Text First').click()
    await write('Second')
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await eventually(() => shape(page)).toEqual(['1 Text Second', '1 Text Second'])
    await eventually(() => keptSteps(page)).toEqual([expect.stringMatching(/^2 .*Second.*Second/)])
    await page.reload()
    await eventually(() => shape(page)).toEqual(['1 Text Second', '1 Text Second'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(() => shape(page)).toEqual(['1 Text Second'])
    await press(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    // Another tab ends elsewhere: neither takes the steps of the other.
    const other = await page.context().newPage()
    await other.goto(`${t.url}/dashboard/acme/templates/history`)
    await row('Text Second', other).click()
    await write('Theirs', other)
    await eventually(() => keptSteps(other)).toHaveLength(2)
    await page.reload()
    await row('Text Second').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('Text First').waitFor()
    await page.getByRole('button', { name: 'Redo' }).click()
    await row('Text Second').waitFor()
    await other.reload()
    await row('Text Theirs', other).waitFor()
    await other.getByRole('button', { name: 'Undo' }).click()
    await row('Text Second', other).waitFor()
    await other.close({ runBeforeUnload: false })
    // The last test of this file, for it ends the session.
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL((address) => !address.pathname.startsWith('/dashboard'))
    await eventually(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
  })
})
