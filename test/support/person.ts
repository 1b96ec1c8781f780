// Somebody at the dashboard, whose acts are counted: each press, choice and filled field is one. The time they take is by the keystroke-level
// model (Card, Moran and Newell 1980): to decide 1.35 s, to point 1.1 s, and 0.28 s a key.

import type { Locator, Page } from 'playwright-core'

const [decide, point, key] = [1.35, 1.1, 0.28]

export class Person {
  acts = 0
  seconds = 0

  async press(what: Locator): Promise<void> {
    this.act(1)
    await what.click()
  }

  async write(field: Locator, text: string): Promise<void> {
    this.act(1 + text.length)
    await field.fill(text)
  }

  async choose(field: Locator, option: string): Promise<void> {
    this.act(2)
    await field.selectOption(option)
  }

  /** Keys as Playwright names them, without pointing anywhere. */
  async keys(page: Page, ...names: string[]): Promise<void> {
    this.act(names.length, 0)
    for (const name of names) await page.keyboard.press(name)
  }

  async type(page: Page, text: string): Promise<void> {
    this.act(text.length, 0)
    await page.keyboard.insertText(text)
  }

  /** A file is chosen in the dialog of the system: the field is pressed, the file, and the button. */
  async give(field: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    for (let step = 0; step < 3; step++) this.act(1)
    await field.setInputFiles(file)
  }

  /** A picture is dragged there from outside of the browser. */
  async drop(where: Locator, bytes: Buffer): Promise<void> {
    this.act(1)
    await where.evaluate((place, data) => {
      const dataTransfer = new DataTransfer()
      const content = Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
      dataTransfer.items.add(new File([content], 'picture.png', { type: 'image/png' }))
      place.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
    }, bytes.toString('base64'))
  }

  /** One that the walk itself does not do, or says how it is done. */
  act(keys: number, pointing = point): void {
    this.acts++
    this.seconds += decide + pointing + keys * key
  }
}
