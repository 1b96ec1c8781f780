// What pages and plots say of speed, memory and size has one source: the last run of the benchmarks that was kept.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawings, otherPages, pages, unmarkedFigures, unmarkedSpeeds, withFigures } from '../docs/figures.ts'

const root = join(import.meta.dir, '..')

test.each(drawings())('$path says what docs/performance.json does', ({ path, is, becomes }) => {
  expect(is, `bun run docs:figures writes ${path} anew`).toBe(becomes)
})

test('a figure that is another is written back, and one without a name stops it', () => {
  for (const page of ['docs/sizing.md', 'docs/scaling.md', 'docs/performance.md']) {
    const text = readFileSync(join(root, page), 'utf8')
    const other = text.replaceAll(/\d(?=[\d,]*<!-- accepted -->)|\d(?= ms \|)/g, (digit) =>
      String((Number(digit) + 1) % 10),
    )
    expect(other, page).not.toBe(text)
    expect(withFigures(other), page).toBe(text)
  }
  expect(() => withFigures('7<!-- no such figure -->')).toThrow('no figure "no such figure"')
  expect(() => withFigures('<!-- figures: no such table -->\n<!-- end -->')).toThrow('no table "no such table"')
})

const figures = [
  ...['77 MiB', '15,000 sends a second', '5,066/s', '35 %', '180 µs', '0.15 s', '72 s', '1.2 KB', '17 MB/s'],
  ...[
    '12,724 rows/s',
    '300 mails per second',
    '15k/s',
    '40 per cent',
    '204 megabytes',
    '1.5&nbsp;ms',
    '20 mails/min',
    '`8 MiB`',
  ],
  ...['45 and 72 s', '40 ms', '5,800 ×', '1.8 times', 'ten seconds', '10 million an hour', '30 days'],
]
const others = [
  'R16',
  '0.1.0',
  'SHA256SUMS',
  '2026-11-22',
  'port 587',
  '`SIZE=8 MiB`',
  '82. A second mail',
  '[why](a-5-s.md)',
  '64 in flight',
  '`$1 ms`',
]

test.each(figures)('%p is seen where a page says it without a mark', (figure) => {
  expect(unmarkedFigures(`It takes ${figure}, as measured.`)).toHaveLength(1)
  expect(unmarkedFigures(`\`\`\`\nit took ${figure}\n\`\`\``)).toHaveLength(1)
  expect(unmarkedFigures(`It waits ${figure}<!-- limit -->, and then ${figure}.`)).toHaveLength(1)
  expect(unmarkedFigures(`<!-- setting -->\n| a | ${figure} |\n\nand ${figure}`)).toHaveLength(1)
  expect(unmarkedFigures(`15,000<!-- accepted --> sends a second, ${figure}<!-- limit -->`)).toEqual([])
  expect(unmarkedFigures(`<!-- example -->\n\`\`\`\nit took ${figure}\n\`\`\`\n`)).toEqual([])
})

test('a ratio in words is seen', () => {
  expect(unmarkedFigures('It carried half of all these, and a fifth of it.')).toHaveLength(2)
  expect(unmarkedFigures('A share is half<!-- limit --> of the places.')).toEqual([])
})

test.each(others)('%p is none', (text) => expect(unmarkedFigures(`It is ${text} here.`)).toEqual([]))

test('elsewhere a speed and a memory are seen, and a size or a wait is a limit', () => {
  for (const figure of ['204 MiB', '15,000 sends a second', '12,724 rows/s', '1.1 ms', '40 µs', '`204 MiB`'])
    expect(unmarkedSpeeds(`It takes ${figure} here.`), figure).toHaveLength(1)
  expect(unmarkedSpeeds('It has 10 MB at most, waits 30 s, and is tried 20 times an hour.')).toEqual([])
})

test.each(otherPages)('%s says no speed and no memory of its own', (page) => {
  expect(unmarkedSpeeds(readFileSync(join(root, page), 'utf8'))).toEqual([])
})

test.each(pages)('%s has no figure of its own', (page) => {
  expect(unmarkedFigures(readFileSync(join(root, page), 'utf8'))).toEqual([])
})
