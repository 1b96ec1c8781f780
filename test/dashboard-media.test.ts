// Pictures in the dashboard, in a real browser: uploaded by button, drop and paste, described, found again, shown by a template, a campaign
// and the brand, and deleted.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'
import { png } from './support/picture.ts'

type Rgb = [number, number, number]
const blue = png({ width: 320, height: 200, rgb: [29, 78, 216] })
const pictureOf = (rgb: Rgb) => png({ width: 200, height: 120, rgb })

describe.skipIf(!browserExpected || remoteDatabase)('pictures in the dashboard', () => {
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

  const enter = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
  const choose = (page: Page, name: string, buffer: Buffer) =>
    page.locator('input[name="pictures"]').first().setInputFiles({ name, mimeType: 'image/png', buffer })

  /** As the browser tells of a file that comes from outside of it; on the body, unless `at` says where. */
  async function give(page: Page, how: 'drop' | 'paste', { bytes, at = 'body' }: { bytes: Buffer; at?: string }) {
    const given = { how, at, data: bytes.toString('base64') }
    await page.evaluate(({ how, at, data }) => {
      const transfer = new DataTransfer()
      const content = Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
      transfer.items.add(new File([content], `${how}.png`, { type: 'image/png' }))
      const common = { bubbles: true, cancelable: true }
      const event =
        how === 'drop'
          ? new DragEvent('drop', { ...common, dataTransfer: transfer })
          : new ClipboardEvent('paste', { ...common, clipboardData: transfer })
      document.querySelector(at)?.dispatchEvent(event)
    }, given)
  }

  async function describeAs(page: Page, text: string): Promise<void> {
    const question = page.getByRole('dialog', { name: 'What does it show?' })
    await question.getByLabel('What it shows').fill(text)
    await question.getByRole('button', { name: 'Keep' }).press('Enter')
    await question.waitFor({ state: 'detached' })
  }

  const names = (page: Page) => page.locator('.pictures .name').allInnerTexts()
  const upload = async (name: string, alt: string, bytes: Buffer) =>
    await t.post(`/v1/media?${new URLSearchParams({ name, alt })}`, new Uint8Array(bytes), 201)

  test('come by button, drop and paste, say what they show, and are found by it', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g i')
    await page.getByText('No pictures yet').waitFor()
    await judge(page, 'media-empty')
    await choose(page, 'Harbour.png', blue)
    await page.getByRole('dialog', { name: 'What does it show?' }).waitFor()
    await judge(page, 'media-question')
    await describeAs(page, 'The harbour at dawn')
    await eventually(() => names(page)).toEqual(['Harbour.png'])
    await give(page, 'drop', { bytes: pictureOf([22, 101, 52]) })
    await describeAs(page, 'A meadow')
    await give(page, 'paste', { bytes: pictureOf([153, 27, 27]) })
    await page.getByRole('button', { name: 'It only decorates' }).press('Enter')
    await eventually(() => names(page)).toEqual(['paste.png', 'drop.png', 'Harbour.png'])
    await page.getByText('not described').waitFor()
    await judge(page, 'media')
    await page.getByLabel('Name or description').fill('dawn')
    await page.getByLabel('Name or description').press('Enter')
    await eventually(() => names(page)).toEqual(['Harbour.png'])
    await choose(page, 'Huge.png', Buffer.alloc(10 * 1024 * 1024 + 1))
    await page.getByText('Huge.png has more than 10 MB.').waitFor()

    await page.locator('.pictures a').press('Enter')
    await page.getByText('No mail that is still to be sent.').waitFor()
    await judge(page, 'media-one')
    await page.getByLabel('Name', { exact: true }).fill('The harbour')
    await enter(page, 'Save')
    await page.getByRole('heading', { name: 'The harbour' }).waitFor()
    await enter(page, 'Copy')
    const { data } = await t.get('/v1/media?search=harbour', 200)
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(data[0].url)
  })

  test('stand in a template: chosen, dropped onto the field, or anywhere onto the mail', async () => {
    const { url } = await upload('Logo', 'Acme in blue', png({ width: 90, height: 30 }))
    await t.template({ id: 'letter', name: 'Letter', content: [{ type: 'text', text: 'Hello' }] })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g t')
    await page.getByRole('link', { name: 'Letter' }).press('Enter')
    await page.getByRole('treeitem').first().focus()
    await press(page, '/')
    await page.getByRole('combobox', { name: 'What to add' }).waitFor()
    await page.keyboard.insertText('Picture')
    await press(page, 'Enter')
    await page.locator('.properties :focus').waitFor()
    await enter(page, 'Choose a picture')
    const library = page.getByRole('dialog', { name: 'Choose a picture' })
    await library.getByLabel('Name or description').fill('acme in')
    await eventually(() => library.locator('.name').allInnerTexts()).toEqual(['Logo'])
    await judge(page, 'media-choose')
    await library.getByRole('button', { name: 'Logo' }).press('Enter')
    await library.waitFor({ state: 'detached' })
    const mail = page.frameLocator('iframe.mail')
    await mail.locator(`img[src="${url}"][alt="Acme in blue"]`).waitFor()

    await give(page, 'drop', { bytes: pictureOf([120, 53, 15]), at: '.picture-field input' })
    await describeAs(page, 'A wall')
    // As wide as it is, whatever was there before.
    await mail.locator('img[alt="A wall"][width="200"]').waitFor()
    await eventually(() => mail.locator('img').count()).toBe(1)
    await page.getByRole('treeitem').first().click()
    await give(page, 'paste', { bytes: pictureOf([88, 28, 135]) })
    await describeAs(page, 'A plum')
    await mail.locator('img[alt="A plum"]').waitFor()
    await eventually(() => page.getByRole('treeitem').allInnerTexts()).toEqual([
      expect.stringContaining('Hello'),
      expect.stringContaining('A plum'),
      expect.stringContaining('A wall'),
    ])
    // Onto a picture in the mail itself, whatever is chosen.
    await page.getByRole('treeitem').first().click()
    // The mail is drawn anew for that, and what was there before hears of nothing.
    await mail.locator('[style*="outline"]', { hasText: 'Hello' }).first().waitFor()
    await mail.locator('img[alt="A wall"]').evaluate(
      (picture, data) => {
        const transfer = new DataTransfer()
        const content = Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
        transfer.items.add(new File([content], 'onto.png', { type: 'image/png' }))
        picture.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }))
      },
      pictureOf([15, 118, 110]).toString('base64'),
    )
    await describeAs(page, 'A fence')
    await mail.locator('img[alt="A fence"]').waitFor()
    await eventually(() => mail.locator('img').count()).toBe(2)
    await judge(page, 'media-editor')
    await press(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    const { data } = await t.get('/v1/media?search=plum', 200)
    const { usedBy } = await t.get(`/v1/media/${data[0].id}`, 200)
    expect(usedBy).toEqual([{ kind: 'template', id: 'letter', name: 'Letter' }])
  })

  test('are the logo of the brand, and are deleted only by their name while something shows them', async () => {
    const { id, url } = await upload('Seal', 'The seal', png({ width: 80, height: 80, rgb: [4, 120, 87] }))
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g e')
    await page.getByRole('button', { name: 'Choose a picture', exact: true }).first().press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Seal' }).press('Enter')
    await eventually(() => page.locator('input[name="brand.logoUrl"]').inputValue()).toBe(url)
    await page.frameLocator('iframe').locator(`img[src="${url}"]`).first().waitFor()
    await judge(page, 'media-brand')
    await enter(page, 'Save')
    await page.getByText('Saved.').waitFor()

    await page.goto(`${t.url}/dashboard/acme/media/${id}`)
    await page.getByText('Brand:').waitFor()
    await enter(page, 'Delete everywhere')
    const sure = page.getByRole('dialog')
    await sure.getByText('1 thing above shows it').waitFor()
    await sure.getByRole('textbox').fill('Seal')
    await sure.getByRole('button', { name: 'Delete everywhere' }).press('Enter')
    await page.getByRole('heading', { name: 'Pictures' }).waitFor()
    expect((await fetch(t.url + new URL(url).pathname)).status).toBe(404)
  })
})
