// HTML of others: the tree of a browser, in time that is linear in its length, and a fault where there is none.

import { expect, test } from 'bun:test'
import { type HtmlElement, isElement, maxHtmlDepth, parseHtml } from '../../src/lib/html/parse.ts'
import { hostileHtml } from '../support/hostile-html.ts'
import { loopMs } from '../support/loop-monitor.ts'

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

/** Of two runs the better, by a clock that stands while this thread waits: the machine is shared. */
function msOf(html: string): number {
  const times = [0, 1].map(() => {
    const from = loopMs()
    parseHtml(html)
    return loopMs() - from
  })
  return Math.min(...times)
}

test('is read in linear time', () => {
  const taken = hostileHtml.map(([name, make]) => ({ name, some: msOf(make(20_000)), fourfold: msOf(make(80_000)) }))
  const sum = (which: 'some' | 'fourfold') => taken.reduce((all, one) => all + one[which], 0)
  const slowest = taken.toSorted((one, other) => other.fourfold - one.fourfold)[0]
  // One that takes the square of its length takes longer than all others together.
  expect(sum('fourfold'), `slowest: ${JSON.stringify(slowest)}`).toBeLessThan(8 * sum('some') + 100)
})
