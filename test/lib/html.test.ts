// HTML of others: the tree of a browser, in time that is linear in its length, and a fault where there is none.

import { expect, test } from 'bun:test'
import { inspectHtml, maxInspectedChars } from '../../src/features/content/inspection/inspect-html.ts'
import { rewriteHtml } from '../../src/features/content/rendering/own-html/write.ts'
import { treeOfHtml } from '../../src/features/lists/moving/html-tree.ts'
import { maxHtmlLength } from '../../src/features/lists/moving/templates.ts'
import { type HtmlElement, isElement, maxHtmlDepth, parseHtml } from '../../src/kit/html-parse.ts'
import { hostileHtml } from '../support/hostile-html.ts'
import { loopMs, maxBlockMs } from '../support/loop-monitor.ts'

function bodyOf(html: string): HtmlElement {
  const document = parseHtml(html)
  const body = 'fault' in document ? undefined : document.root.children.filter(isElement)[1]
  if (!body) throw new Error(JSON.stringify(document))
  return body
}

test('is a tree as a browser makes it', () => {
  const [table, after] = bodyOf('<div><table><tr><td></div>in</table>after')
    .children.filter(isElement)
    .slice(0, 1)
    .flatMap(({ children }) => children)
  expect(JSON.stringify(table)).toContain('["in"]')
  expect(after).toBe('after')
  expect(bodyOf('<p __proto__=1 TITLE="a&amp;b" title=c>&eacute;<!--c-->').children).toEqual([
    {
      name: 'p',
      attributes: Object.assign(Object.create(null), { ['__proto__']: '1', title: 'a&b' }),
      children: ['é', { comment: 'c' }],
      isForeign: false,
    },
  ])
})

test('without end inside each other is a fault', () => {
  const deep = { fault: `has elements inside each other, more than ${maxHtmlDepth} deep` }
  expect(parseHtml('<div>'.repeat(60_000))).toEqual(deep)
  expect(parseHtml(`${'<x>'.repeat(15_000)}${'</y>'.repeat(15_000)}`)).toEqual(deep)
  expect(parseHtml('<div>'.repeat(maxHtmlDepth - 2))).toHaveProperty('root')
  const again = `<p>${Array.from({ length: 400 }, (_, n) => `<b x=${n}>`).join('')}${'<p>a</p>'.repeat(20_000)}`
  expect(parseHtml(again)).toEqual({ fault: expect.stringContaining('opened again') })
})

const readers: Record<string, (html: string) => unknown> = {
  parseHtml,
  inspectHtml: (html) => inspectHtml(html, ''),
  treeOfHtml: (html) => treeOfHtml(html, (text) => ({ text, unknown: [] })),
  rewriteHtml,
}
const longest = Math.max(maxHtmlLength, maxInspectedChars)
const tries = 5

/** By a clock that stands while this thread waits: the machine is shared. What was read is kept to the end: as much of one as of sixteen. */
function msOf(read: (html: string) => unknown, texts: string[]): number {
  const from = loopMs()
  const kept = texts.map(read)
  const ms = loopMs() - from
  kept.length = 0
  return ms
}

/**
 * Twice the text takes at most 2.5 times as long, so sixteen times takes 39 (linear is 16, a square 256). Sixteen parts are read beside the
 * whole: what is collected between costs both the same. The least of several runs counts. Null if it is linear.
 */
function quadratic(read: (html: string) => unknown, make: (chars: number) => string): string | null {
  const whole = make(longest)
  const parts = Array.from({ length: 16 }, () => make(longest / 16))
  const least = { parts: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY }
  for (let round = 0; round < tries; round++) {
    // Beside other files it takes as long as what they left is large, so not before it is needed.
    if (round > 0) Bun.gc(true)
    least.whole = Math.min(least.whole, msOf(read, [whole]))
    if (least.whole <= maxBlockMs) return null
    if (round > 0) Bun.gc(true)
    least.parts = Math.min(least.parts, msOf(read, parts))
    if (least.whole <= (2.5 ** 4 / 16) * least.parts) return null
  }
  return `${least.parts.toFixed(1)} ms for sixteen parts of ${longest} characters, ${least.whole.toFixed(1)} ms for all`
}

for (const [name, read] of Object.entries(readers))
  test(`${name} is done in linear time, up to the longest that is read`, () => {
    const faults = hostileHtml.map(([piece, make]) => [piece, quadratic(read, make)])
    expect(faults.filter(([, fault]) => fault !== null)).toEqual([])
  })

test('one that looks for an end again and again is found', () => {
  const read = (html: string) => [...html.slice(0, html.length / 10).matchAll(/<x-[^>]*>/g)]
  expect(quadratic(read, (chars) => '<x-'.repeat(chars / 3))).toContain('ms for all')
})
