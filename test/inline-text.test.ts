// The law of editing in the mail: what was not changed is stored as it was, and what was changed is read as it looked.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  isUnmarked,
  plainRuns,
  type Run,
  readMarkdown,
  textOf,
  writeMarkdown,
} from '../dashboard/in-mail/inline-text.ts'

const pieces = [
  '*',
  '**',
  '_',
  '__',
  '[',
  '](',
  ')',
  '\\',
  ' ',
  '\n',
  'a',
  'é',
  '{{b_c}}',
  '{{',
  '}}',
  '{',
  'https://x.test/',
]
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''))
const word = fc.constantFrom(
  'Dear',
  'friend',
  '{{contact.firstName|a_b}}',
  '5 * 3',
  'snake_case',
  '[1]',
  'a\\b',
  'line\nbreak',
)
const run = fc.record({
  text: word,
  strong: fc.boolean(),
  em: fc.boolean(),
  href: fc.constantFrom(null, null, 'https://x.test/?a=1', '{{url}}'),
})

test('every text that has runs is written again to the letter', () => {
  let read = 0
  const law = (written: string) => {
    const found = readMarkdown(written)
    if (found === null) return
    read++
    expect(writeMarkdown(found.runs, found.style)).toBe(written)
  }
  fc.assert(fc.property(text, law), { numRuns: 4_000 })
  // Most of what people write has runs.
  expect(read).toBeGreaterThan(2_000)
})

test('what is written is read as it looked, but for spaces at the edges of what is bold', () => {
  const spaced = fc.array(run, { maxLength: 6 }).map((runs) => runs.flatMap((one) => [one, ...plainRuns(' ')]))
  const looks = (runs: Run[]) =>
    runs.flatMap(({ text, strong, em, href }) =>
      [...text].map((char) => (/\s/.test(char) ? char : [char, strong, em, href])),
    )
  fc.assert(
    fc.property(spaced, (runs) => {
      const written = writeMarkdown(runs)
      const asLinks = runs.some(({ href, text }) => href !== null && /[[\]\n]/.test(text))
      // A link has neither brackets nor lines in its words: such a change is not made.
      if (written === null) return expect(asLinks).toBe(true)
      expect(looks(readMarkdown(written)?.runs ?? [])).toEqual(looks(runs))
    }),
    { numRuns: 2_000 },
  )
})

test('what has no look is written so that it is read without one', () => {
  fc.assert(
    fc.property(text, (plain) => {
      const written = writeMarkdown(plainRuns(plain))
      const runs = readMarkdown(written ?? '')?.runs ?? []
      expect(isUnmarked(runs)).toBe(true)
      expect(textOf(runs)).toBe(plain)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['Hello **you**, *so* [there](https://x.test/)', true],
  ['__as__ _others_ write it', true],
  ['5 * 3 = 15, snake_case, [1]', true],
  ['\\*no stars\\*', true],
  ['**both** __ways__', false],
  [`**${'a'.repeat(20_000)}**`, false],
])('%s', (written, hasRuns) => {
  expect(readMarkdown(written) !== null).toBe(hasRuns)
})
