// Every feature we use that some client lacks is listed here with the reason why the mail holds without it; a new one fails.

import { expect, test } from 'bun:test'
import { caniemail } from 'caniemail'
import { compileContent } from '../../src/features/content/rendering/compile.ts'
import { fill } from '../../src/features/content/rendering/fill.ts'
import { marketingMail, orderMail, orderValues, receiptMail, rightToLeftMail } from './samples.ts'

const unsupported: Record<string, string> = {
  '<style> element': 'every look is inline as well; the sheet only adds dark mode and phones',
  'Type selector': 'style sheet only',
  'Class selector': 'style sheet only',
  'Attribute selector': 'style sheet only: [data-ogsc] is for Outlook.com, which has it',
  'Descendant combinator': 'style sheet only',
  '@media': 'columns wrap without it (inline blocks), the light look stays',
  'color-scheme CSS property': 'a hint; without it the client darkens by its own rules',
  'color-scheme meta tag': 'a hint, as above',
  '<body> element': 'its styles are repeated on the outer table',
  'border-radius': 'square corners; the button is VML in Outlook',
  'max-height property': 'the preheader is hidden by mso-hide there',
  overflow: 'the preheader is hidden by mso-hide there',
  'display:none': 'mobile Gmail without an account shows the preheader as first line',
  'aria-label attribute': 'extra for screen readers',
  'role attribute': 'extra for screen readers',
  'height property': 'the height attribute says it too; spacers keep their line height',
}

test.each([
  ['order', orderMail],
  ['marketing', marketingMail],
  ['receipt', receiptMail],
  ['right-to-left', rightToLeftMail],
])('the %s mail uses nothing the big clients lack, but what is listed', (_, source) => {
  const html = fill(compileContent(source).html, orderValues)
  const { issues } = caniemail({ clients: ['gmail.*', 'outlook.*', 'apple-mail.*', 'yahoo.*'], html })
  const lacking = new Set([...issues.errors.values()].flat().map((issue) => issue.title))
  expect([...lacking].filter((title) => !Object.hasOwn(unsupported, title))).toEqual([])
})

test('every picture has a width or a height for Outlook and every layout table is one to a screen reader', () => {
  for (const source of [orderMail, marketingMail, receiptMail, rightToLeftMail]) {
    const html = fill(compileContent(source).html, orderValues)
    for (const [table] of html.matchAll(/<table[^>]*>/g)) expect(table).toMatch(/ role="(?:presentation|table)"/)
    for (const [image] of html.matchAll(/<img[^>]*>/g)) {
      expect(image).toMatch(/ (?:width|height)="\d+"/)
      expect(image).toContain(' alt="')
    }
    expect(html.match(/<!--\[if/g)?.length).toBe(html.match(/<!\[endif\]-->/g)?.length)
    expect(html.length).toBeLessThan(20_000)
  }
})
