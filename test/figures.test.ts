// What pages say of speed and memory has one source: the last run of the benchmarks that was kept.

import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unmarkedFigures, withFigures } from '../docs/figures.ts'

const root = join(import.meta.dir, '..')
const pages = ['README.md', 'docs/sizing.md', 'docs/scaling.md', 'docs/comparison.md', 'docs/operating.md']

test.each(pages)('%s says of speed and memory what docs/performance.json does', (page) => {
  const path = join(root, page)
  const text = readFileSync(path, 'utf8')
  if (process.env.UPDATE_DOCS === '1') writeFileSync(path, withFigures(text))
  else expect(text, `UPDATE_DOCS=1 bun test test/figures.test.ts writes ${page} anew`).toBe(withFigures(text))
})

test('a page has no figure of its own beside it', () => {
  expect(unmarkedFigures('It accepts 15,000<!-- accepted --> sends a second.\nIdle it takes 77 MiB.')).toEqual([
    'Idle it takes 77 MiB.',
  ])
  expect(unmarkedFigures('5,066 sends a second accepted')).toHaveLength(1)
  const found = pages.flatMap((page) => unmarkedFigures(readFileSync(join(root, page), 'utf8')))
  expect(found.filter((line) => !allowed.some((one) => line.includes(one)))).toEqual([])
})

/** What is no measurement of ours. */
const allowed = [
  'parts of 8 MiB with a checksum each',
  '| mails a second | 1,160 | 5,800 |',
  'its peak at 1,160 a second',
  '5,800 a second is some hundred connections',
]
