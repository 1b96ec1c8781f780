// The difference of two trees: applied to the old one it gives the new one, whatever they are, and what it says is what a person did.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AnyNode } from '../src/features/content/rendering/component.ts'
import { diffTrees as diffInTurns, type TreeChange } from '../src/features/review/revisions/tree-diff.ts'
import { diffWords } from '../src/features/review/revisions/word-diff.ts'
import { applyChanges } from './support/tree-patch.ts'

interface Sample extends AnyNode {
  text?: string
  id?: string
  color?: string
  children?: Sample[]
}

const diffTrees = (before: AnyNode[], after: AnyNode[]) => diffInTurns(before, after, () => undefined)
const words = fc.constantFrom('', 'a', 'Hello there', 'Hello you there', 'Thanks a lot', 'x y z')
const node: fc.Arbitrary<Sample> = fc.letrec<{ node: Sample }>((tie) => ({
  node: fc.record(
    {
      type: fc.constantFrom('text', 'button', 'section', 'container'),
      text: words,
      color: fc.constantFrom('#fff', '#000'),
      id: fc.constantFrom('one', 'two'),
      children: fc.array(tie('node'), { maxLength: 4 }),
    },
    { requiredKeys: ['type'] },
  ),
})).node
const tree = fc.array(node, { maxLength: 6 })

const text = (said: string): Sample => ({ type: 'text', text: said })
const section = (...children: Sample[]): Sample => ({ type: 'section', children })
const said = (changes: TreeChange[]) =>
  changes.map((change) => `${change.op} ${'from' in change ? change.from : ''}>${'path' in change ? change.path : ''}`)

test('the difference of any two trees makes the one of the other, and changes neither', async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, async (before, after) => {
      const kept = JSON.stringify([before, after])
      const changes: TreeChange[] = JSON.parse(JSON.stringify(await diffTrees(before, after)))
      expect(applyChanges(before, changes)).toEqual(after)
      expect(JSON.stringify([before, after])).toBe(kept)
      expect(await diffTrees(before, after)).toEqual(await diffTrees(structuredClone(before), structuredClone(after)))
    }),
    { numRuns: 100 },
  )
})

test('a tree has no difference to itself; a node that is put elsewhere is one move', async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.nat(), fc.nat(), async (before, from, to) => {
      expect(await diffTrees(before, structuredClone(before))).toEqual([])
      const moved = { type: 'text', text: 'The only one of its kind' }
      const at = (where: number) => before.toSpliced(where % (before.length + 1), 0, moved)
      const changes = await diffTrees(at(from), at(to))
      expect(changes.length).toBeLessThanOrEqual(before.length)
      for (const { op } of changes) expect(op).toBe('moved')
    }),
    { numRuns: 100 },
  )
})

describe('says what a person did', () => {
  const before = [text('Hello there, dear reader'), section(text('Inside'), text('Second')), text('Goodbye')]

  test('words that changed', async () => {
    const [change, ...more] = await diffTrees(before, [text('Hello there, my reader'), ...before.slice(1)])
    expect(more).toEqual([])
    expect(change).toMatchObject({ op: 'changed', from: 'content[0]', path: 'content[0]', type: 'text' })
    if (change?.op !== 'changed') throw new Error('it is no change')
    expect(change.properties).toEqual([
      {
        name: 'text',
        from: 'Hello there, dear reader',
        to: 'Hello there, my reader',
        words: [
          { kind: 'same', text: 'Hello there, ' },
          { kind: 'removed', text: 'dear' },
          { kind: 'added', text: 'my' },
          { kind: 'same', text: ' reader' },
        ],
      },
    ])
  })

  test('a node that came, one that went, one that moved, one that moved elsewhere', async () => {
    const [first, middle, last] = before
    if (!first || !middle || !last) throw new Error('there are three')
    expect(said(await diffTrees(before, [first, { type: 'button', text: 'New' }, middle, last]))).toEqual([
      'added >content[1]',
    ])
    expect(said(await diffTrees(before, [first, last]))).toEqual(['removed content[1]>'])
    expect(said(await diffTrees(before, [last, first, middle]))).toEqual(['moved content[2]>content[0]'])
    expect(said(await diffTrees(before, [first, section(text('Inside')), text('Second'), last]))).toEqual([
      'moved content[1].children[1]>content[2]',
    ])
  })

  test('a box around what was there: the box is new, the words moved into it', async () => {
    const box = { type: 'container', children: before }
    expect(said(await diffTrees(before, [box]))).toEqual([
      'added >content[0]',
      'moved content[0]>content[0].children[0]',
      'moved content[1]>content[0].children[1]',
      'moved content[2]>content[0].children[2]',
    ])
  })

  test('a node that has a name keeps it, wherever it went and whatever it says', async () => {
    const named = { type: 'text', id: 'offer', text: 'One' }
    const changes = await diffTrees([named, ...before], [...before, { ...named, text: 'Something else' }])
    expect(said(changes)).toEqual(['moved content[0]>content[3]', 'changed content[0]>content[3]'])
  })
})

test('words: what stayed and went is the old text, what stayed and came the new one', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      (old, fresh) => {
        const found = diffWords(old, fresh)
        const without = (kind: string) => found.flatMap((word) => (word.kind === kind ? [] : word.text)).join('')
        expect([without('added'), without('removed')]).toEqual([old, fresh])
      },
    ),
  )
  expect(
    diffWords('日本語の文章です', '日本語の手紙です').filter(({ kind }) => kind === 'same').length,
  ).toBeGreaterThan(1)
  expect(diffWords('one two', 'three four')).toEqual([
    { kind: 'removed', text: 'one two' },
    { kind: 'added', text: 'three four' },
  ])
  const long = (end: string) => `${'word '.repeat(20_000)}${end}`
  expect(diffWords(long('a'), long('b')).length).toBe(3)
})
