// What is pasted and what is sent of it look the same: mails of others, and each component of MJML. The whole corpus is `bun run corpus`.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { compileContent } from '../src/features/content/rendering/compile.ts'
import { fill } from '../src/features/content/rendering/fill.ts'
import { compileMjml } from '../src/features/content/rendering/own-html/compile-mjml.ts'
import { writeSource } from '../src/features/content/rendering/own-html/write-source.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { openPixels } from './support/pixels.ts'

const folder = join(import.meta.dir, 'letters')
const picture = '<mj-image src="https://example.com/a.png" alt="A" width="200px"/>'
const words = '<mj-text color="#345">Some words, <b>bold</b> and <a href="https://example.com/">linked</a>.</mj-text>'
const columns = (...inside: string[]) =>
  `<mj-section background-color="#fff">${inside.map((one) => `<mj-column>${one}</mj-column>`).join('')}</mj-section>`

const bodies: Record<string, string> = {
  'columns of a third and two thirds': `<mj-section><mj-column width="33%">${picture}</mj-column><mj-column width="67%">${words}<mj-button href="https://example.com/">Go</mj-button></mj-column></mj-section>`,
  'a hero with a picture behind it': `<mj-hero mode="fixed-height" height="300px" background-width="600px" background-height="300px" background-url="https://example.com/a.png" background-color="#2a3448" padding="60px 0"><mj-text color="#fff" font-size="30px">Above it</mj-text></mj-hero>`,
  'a group, a divider, a spacer': `<mj-section><mj-group><mj-column>${words}</mj-column><mj-column>${words}</mj-column></mj-group></mj-section>${columns('<mj-divider border-color="#c33"/><mj-spacer height="40px"/>')}`,
  'a table and a list of networks': columns(
    '<mj-table><tr><th>Tea</th><td>3 €</td></tr></mj-table><mj-social><mj-social-element name="github" href="https://example.com/">Us</mj-social-element></mj-social>',
  ),
  'a menu that opens on a phone': `<mj-section><mj-column><mj-navbar hamburger="hamburger" base-url="https://example.com"><mj-navbar-link href="/a">A</mj-navbar-link><mj-navbar-link href="/b">B</mj-navbar-link></mj-navbar></mj-column></mj-section>`,
  'what opens and what turns': `${columns('<mj-accordion><mj-accordion-element><mj-accordion-title>Why</mj-accordion-title><mj-accordion-text>So</mj-accordion-text></mj-accordion-element></mj-accordion>')}${columns('<mj-carousel><mj-carousel-image src="https://example.com/a.png"/><mj-carousel-image src="https://example.com/b.png"/></mj-carousel>')}`,
  'a wrapper with a look of its own in the dark': `<mj-wrapper border="1px solid #000" padding="20px" css-class="box">${columns(words, words)}</mj-wrapper>`,
}
const head =
  '<mj-head><mj-preview>Hidden</mj-preview><mj-style>@media (prefers-color-scheme: dark) { .box { background: #222 } }</mj-style></mj-head>'

const letters = [
  ...readdirSync(folder).map((name) => ({
    name,
    kind: 'html' as const,
    source: readFileSync(join(folder, name), 'utf8').replace(/\{\{[^{}]*\}\}|\*\|[^|]*\|\*/g, 'word'),
  })),
  ...Object.entries(bodies).map(([name, body]) => {
    return { name, kind: 'mjml' as const, source: `<mjml>${head}<mj-body>${body}</mj-body></mjml>` }
  }),
]

describe.skipIf(!browserExpected)('a mail that is brought', () => {
  let browser: Browser
  let pixels: Awaited<ReturnType<typeof openPixels>>
  beforeAll(async () => {
    browser = await openBrowser()
    pixels = await openPixels(browser)
  })
  afterAll(() => browser.close())

  test.each(letters)('$name: looks the same wide and narrow, by day and in the dark', async ({ kind, source }) => {
    const given = kind === 'html' ? { html: source, issues: [] } : await compileMjml(source)
    if ('fault' in given) throw new Error(given.fault)
    const content = writeSource({ kind, source, footer: 'added', marks: false, ...given })
    if ('fault' in content) throw new Error('it is not read')
    const sent = fill(compileContent({ content, subject: 'A', locale: 'en', kind: 'transactional' }).html, {})
    for (const { look, share } of await pixels.differences(given.html, sent))
      expect(share, `${look}, ${content.issues.map(({ message }) => message).join(' ')}`).toBeLessThanOrEqual(0.005)
    if (content.issues.length === 0) expect(await pixels.words(sent)).toBe(await pixels.words(given.html))
  })
})
