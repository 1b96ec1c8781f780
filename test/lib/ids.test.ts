// Ids sort as they were made, also where work of several times is interleaved, as transactions are.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { idOfOurs } from '../../src/core/http/surface.ts'
import { newId, newIdDueAt } from '../../src/kit/id.ts'
import { systemRandom } from '../../src/kit/random.ts'

const root = join(import.meta.dir, '../..')

const source = { random: systemRandom }
const times = [1_000, 1_001, 999].map((milliseconds) => new Date(Date.UTC(2026, 0, 1) + milliseconds))

test.each([
  ['an id', (now: Date) => newId(source, 'msg', now)],
  [
    'an id that sorts by its due time',
    (now: Date) => newIdDueAt(source, 'job', { due: new Date(Date.UTC(2027, 0, 1)), now }),
  ],
])('%s of a time sorts after the earlier ones of that time', (_, make) => {
  const made: string[][] = times.map(() => [])
  for (let round = 0; round < 2_000; round++) for (const [which, now] of times.entries()) made[which]?.push(make(now))
  for (const ids of made) expect(ids).toEqual(ids.toSorted())
  const all = made.flat()
  expect(new Set(all).size).toBe(all.length)
  for (const id of all) expect(id).toMatch(/^(msg|job)_[\da-f]{12}7[\da-f]{3}[89ab][\da-f]{15}$/)
})

test('a prefix has two to five letters, for a log shows no longer one', () => {
  const files = [...new Bun.Glob('src/**/*.ts').scanSync(root)].map((path) => readFileSync(join(root, path), 'utf8'))
  const prefixes = files.flatMap((text) =>
    [...text.matchAll(/\bnewId(?:DueAt)?\([^)]*?'(\w+)'/g)].map(([, prefix]) => prefix),
  )
  expect(prefixes.length).toBeGreaterThan(30)
  expect(prefixes.filter((prefix) => !idOfOurs.test(`${prefix}_${'0'.repeat(32)}`))).toEqual([])
})
