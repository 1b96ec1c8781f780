// The largest tree that there may be, whatever it is made of: looking at it holds nobody up.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { maxNodes } from '../src/features/content/rendering/nodes.ts'
import { maxTreeBytes } from '../src/features/content/rendering/tree.ts'
import { type TestApp, testApp } from './support/app.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t[Symbol.asyncDispose]())

const nodesIn = (nodes: object[]) => Math.ceil((JSON.stringify(nodes).split('"type"').length - 1) / nodes.length)

/** As many of them as there may be, by number and by bytes. */
function treeOf(...nodes: object[]): object[] {
  const bytes = nodes.reduce((sum, node) => sum + JSON.stringify(node).length + 1, 0) / nodes.length
  const count = Math.min(Math.floor(maxNodes / nodesIn(nodes)), Math.floor((maxTreeBytes - 100) / bytes))
  return Array.from({ length: count }, (_, n) => nodes[n % nodes.length] ?? {})
}

const words = 'Words that *somebody* wrote for [a shop](https://shop.example/{{order}}) and **more** of them. '
const markdown = { type: 'text', format: 'markdown', text: words + words }
const button = { type: 'button', text: 'Go', href: '{{address}}' }
const trees: Record<string, object[]> = {
  'texts and buttons': treeOf(button, markdown, markdown),
  words: treeOf({ type: 'text', text: 'a b '.repeat(40) }),
  'few long texts': treeOf({ type: 'text', format: 'markdown', text: words.repeat(90) }),
  marks: treeOf({ type: 'text', format: 'markdown', text: '*a* **b** '.repeat(15) }),
  links: treeOf({ type: 'text', format: 'markdown', text: '[a](https://a.example/{{b}}) '.repeat(5) }),
  variables: treeOf({ type: 'text', text: '{{a}} {{b|c}} {{contact.firstName|you}} '.repeat(4) }),
  buttons: treeOf({ type: 'button', text: 'Go', href: 'https://a.example/{{order}}', color: '#777777' }),
  pictures: treeOf({
    type: 'image',
    src: 'https://a.example/{{order}}.png',
    alt: 'A picture',
    href: 'https://a.example',
  }),
  headings: treeOf({ type: 'heading', text: 'A heading of {{order}}', color: '#eeeeee' }),
  sections: treeOf({ type: 'section', backgroundColor: '#ffeedd', children: [{ type: 'text', text: words }] }),
  lists: treeOf({ type: 'list', items: ['a {{order}}', 'b', 'c', 'd', 'e', 'f'] }),
  'lists of a variable': treeOf({ type: 'list', itemsVariable: 'all', items: ['{{item.name}}'] }).slice(0, 30),
}

for (const [name, content] of Object.entries(trees))
  test(`a tree of ${name}`, async () => {
    const all = Array.from({ length: 100 }, (_, n) => ({ name: `Item ${n}` }))
    const dataVariables = {
      order: 'A1',
      address: 'https://shop.example/go',
      a: 'a',
      b: 'b',
      ...(name.endsWith('variable') && { all }),
    }
    const body = JSON.stringify({ subject: 'Hi', previewText: '', content, dataVariables })
    const { blockMs, result } = await longestBlock(`a preview of ${name}`, () =>
      t.request('POST', '/v1/transactional/preview', body),
    )
    expect(result.status, result.text.slice(0, 500)).toBe(200)
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  })
