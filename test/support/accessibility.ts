// What is held against each page that a person sees: WCAG 2.2 AA by axe, no page wider than its screen, a mark on what has the focus.
// SCREENSHOTS=DIR keeps pictures.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Result, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Between them both schemes and both widths: a colour does not depend on the width, nor the width on a colour. */
export const looks = [
  { name: 'light', width: 1100, colorScheme: 'light' },
  { name: 'phone-dark', width: 390, colorScheme: 'dark' },
] as const

export type Look = (typeof looks)[number]

/** What axe finds wrong, and nothing else: to describe all that is right takes it longer than to look. */
export async function violationsOf(page: Page, options: RunOptions): Promise<Result[]> {
  // A page has it until another one is loaded.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe)
  const wanted: RunOptions = { ...options, resultTypes: ['violations'] }
  return await page.evaluate(`axe.run(${JSON.stringify(wanted)}).then(({ violations }) => violations)`)
}

/** One line each. */
async function faultsOf(page: Page): Promise<string[]> {
  const found = await violationsOf(page, { runOnly: levels })
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id} at ${target.join(' ')}: ${any.map(({ message }) => message).join('; ')}`),
  )
}

/** Elements that the Tab key reaches and that look no different then. */
async function unmarked(page: Page): Promise<string[]> {
  const found: string[] = []
  for (let count = 0; count < 12; count++) {
    await page.keyboard.press('Tab')
    const fault = await page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body || element.tagName === 'IFRAME') return null
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle === 'none' || outlineWidth === '0px' ? element.outerHTML.slice(0, 100) : null
    })
    if (fault !== null) found.push(fault)
  }
  return found
}

/** Everything that is wrong with the page as it is shown now. */
export async function check(page: Page, name: string, look: Look): Promise<string[]> {
  const directory = process.env.SCREENSHOTS
  if (directory) await page.screenshot({ path: join(directory, `${name.replaceAll(' ', '-')}-${look.name}.png`) })
  const faults = await faultsOf(page)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  if (width > look.width) faults.push(`is ${width} px wide`)
  for (const element of await unmarked(page)) faults.push(`no mark of the focus: ${element}`)
  return faults.map((fault) => `${name}: ${fault}`)
}
