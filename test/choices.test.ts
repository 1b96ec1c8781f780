// What the specification leaves open and this product decided, and the one place where each is told. support/choices.txt has a line for each:
// `what (number in the table) => place => words ~ words`. A word that is no longer at its place is a decision that was changed, or lost.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Json, type TestApp, testApp } from './support/app.ts'

const rows = readFileSync(join(import.meta.dir, 'support/choices.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [decided = '', where = '', words = ''] = line.split(' => ')
    return { decided, where, words: words.split(' ~ ') }
  })

let t: TestApp
let document: Json
beforeAll(async () => {
  t = await testApp()
  document = await t.get('/openapi.json', 200, { as: 'nobody' })
})
afterAll(() => t[Symbol.asyncDispose]())

/** Every name and value of `part`, with what it refers to, each once. */
function wordsOf(part: Json, seen = new Set<string>()): string {
  if (typeof part !== 'object' || part === null) return String(part)
  if (typeof part.$ref === 'string') {
    if (seen.has(part.$ref)) return ''
    seen.add(part.$ref)
    const [, ...steps] = part.$ref.split('/')
    return wordsOf(
      steps.reduce((at: Json, step: string) => at[step], document),
      seen,
    )
  }
  return Object.entries<Json>(part)
    .map(([name, value]) => `${name}: ${wordsOf(value, seen)}`)
    .join('\n')
}

/** Of the whole document (`openapi`), of an operation (`POST /v1/…`), of a schema by its name, of a page of docs/ by its name. */
function textAt(where: string): string {
  const [method = '', path] = where.split(' ')
  if (where === 'openapi') return wordsOf(document)
  if (path) return wordsOf(document.paths[path]?.[method.toLowerCase()] ?? {})
  if (/^[A-Z]/.test(where)) return wordsOf(document.components.schemas[where] ?? {})
  const page = readFileSync(join(import.meta.dir, `../docs/${where}.md`), 'utf8')
  // The marks of figures are not read by anybody.
  return page.replaceAll(/<!--.*?-->/gs, '').replaceAll(/\s+/g, ' ')
}

/** A single name is found as a whole. */
function holds(text: string, word: string): boolean {
  return /^[\w.]+$/.test(word) ? new RegExp(`(?<!\\w)${word}(?!\\w)`).test(text) : text.includes(word)
}

test('what was decided is told in its place', () => {
  const lost = rows.flatMap(({ decided, where, words }) => {
    const text = textAt(where)
    return words.filter((word) => !holds(text, word)).map((word) => `${decided}: ${where} does not say “${word}”`)
  })
  expect(lost).toEqual([])
})

test('every row of the table of decisions has a line, and they have no page of their own', () => {
  const numbers = rows.flatMap(({ decided }) => {
    const [, from = '', to = from] = /\((\d+)(?:-(\d+))?\)$/.exec(decided) ?? []
    return from ? Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index) : []
  })
  expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual(Array.from({ length: 86 }, (_, index) => index + 1))
  expect(existsSync(join(import.meta.dir, '../docs/choices.md'))).toBe(false)
})
