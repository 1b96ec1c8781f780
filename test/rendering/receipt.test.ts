// What a receipt needs, made of the node types that there are: a list of rows is a table, an empty section a line or a space.

import { expect, test } from 'bun:test'
import { compileContent } from '../../src/features/content/rendering/compile.ts'
import { fill } from '../../src/features/content/rendering/fill.ts'
import { parseTree } from '../../src/features/content/rendering/tree.ts'
import { AppError } from '../../src/kit/error.ts'
import { testApp } from '../support/app.ts'
import { orderValues, receiptMail } from './samples.ts'

test('a receipt has a table with a row for each item, totals, a line and a space', () => {
  const compiled = compileContent(receiptMail)
  const html = fill(compiled.html, orderValues)
  const [table = ''] = /<table role="table"[\s\S]*?<\/table>/.exec(html) ?? []
  const cells = [...table.matchAll(/<(t[hd]) [^>]*>([^<]*)</g)].map(([, tag, text]) => `${tag} ${text}`)
  expect(cells).toEqual([
    'th Item',
    'th Quantity',
    'th Price',
    'td Rope bag, navy',
    'td 1',
    'td £64.00',
    'td Storm lamp',
    'td 2',
    'td £32.20 each',
    'td Delivery',
    'td ',
    'td free',
    'td Total',
    'td ',
    'td £128.40',
  ])
  expect(table).toContain('<th scope="col"')
  expect(html.match(/<hr /g)).toHaveLength(2)
  expect(html).toContain('height:24px;')
  const text = fill(compiled.text, orderValues)
  expect(text).toContain(
    [
      'Item | Quantity | Price',
      'Rope bag, navy | 1 | £64.00',
      'Storm lamp | 2 | £32.20 each',
      'Delivery |  | free',
      'Total |  | £128.40',
    ].join('\n'),
  )
  expect(compiled.uses.find(({ name }) => name === 'order_items')).toMatchObject({
    dataType: 'list',
    fields: ['name', 'quantity', 'price'],
  })
})

test('values stay text in a cell, and what is no table is refused with its place', async () => {
  const row = { type: 'list', items: [['{{v}}', '<b>']] }
  const html = fill(compileContent({ ...receiptMail, content: parseTree([row]).content }).html, { v: '<script>' })
  expect(html).toContain('&lt;script&gt;')
  expect(html).toContain('&lt;b&gt;')
  const faults = (node: object) => {
    try {
      parseTree([node])
      return []
    } catch (error) {
      return error instanceof AppError ? (error.details.errors ?? []).map(({ path }) => path) : [String(error)]
    }
  }
  expect(faults({ type: 'list', items: [['a', 'b'], ['c']] })).toEqual(['content[0].items'])
  expect(faults({ type: 'list', items: [['a'], 'b'] })).toEqual(['content[0].items'])
  expect(faults({ type: 'list', items: ['a'], head: ['b'] })).toEqual(['content[0].items'])
  expect(faults({ type: 'list', items: [['a', 'b']], head: ['b'] })).toEqual(['content[0].items'])
  expect(faults({ type: 'list', items: [['a', 1]] })).toEqual(['content[0].items[0]'])
  expect(faults({ type: 'list', items: [[]] })).toEqual(['content[0].items[0]'])
  expect(faults({ type: 'list', items: [['a\0']] })).toEqual(['content[0].items[0][0]'])
  expect(faults({ type: 'list', items: [['a']], totals: 'b' })).toEqual(['content[0].totals'])
  expect(faults({ type: 'list', items: [['a']], cellAlign: ['middle'] })).toEqual(['content[0].cellAlign'])
  expect(faults({ type: 'section', height: 500 })).toEqual(['content[0].height'])
  // The list of node types is closed: there is none for a line, a space or a table.
  for (const type of ['divider', 'spacer', 'table']) expect(faults({ type })).toEqual(['content[0].type'])
  await using t = await testApp()
  const { content } = receiptMail
  await t.template({ id: 'receipt', content })
  expect((await t.get('/v1/transactional/receipt/content/en', 200)).content).toEqual(content)
})
