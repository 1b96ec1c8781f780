// The catalogue of words: each language says what English says, with the same values and in the forms that its numbers want; the code says
// nothing beside it; and what is not whole is not offered.

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5'
import {
  type Book,
  books,
  faultsIn,
  joined,
  languages,
  leavesOf,
  missingIn,
  offered,
  type Texts,
  textsOf,
} from '../languages/catalogue.ts'
import { createSpeaker } from '../languages/message.ts'
import { parseTree } from '../languages/parse.ts'
import { generated } from '../languages/word-types.ts'

const root = join(import.meta.dir, '..')
const english: Record<Book, Texts> = {
  dashboard: textsOf('en', 'dashboard'),
  'sign-in': textsOf('en', 'sign-in'),
  pages: textsOf('en', 'pages'),
}
/** Every release has these; others come and go with their translators. */
const always: Record<Book, string[]> = {
  dashboard: ['en', 'ar', 'de', 'es', 'fr', 'pt-BR'],
  'sign-in': ['en', 'ar', 'de', 'es', 'fr', 'pt-BR'],
  pages: ['en', 'ar', 'de', 'es', 'fr', 'it', 'pt-BR'],
}

describe('a language', () => {
  test('says what English says, with the same values, in the forms of its numbers', () => {
    for (const language of languages)
      for (const book of books)
        expect(faultsIn(language, textsOf(language, book), english[book]), `${language} ${book}`).toEqual([])
  })

  test('is in the order of English', () => {
    for (const language of languages)
      for (const book of books) {
        const texts = textsOf(language, book)
        expect(JSON.stringify(texts), language).toBe(JSON.stringify(joined(texts, {}, english[book])))
      }
  })

  test('is offered where it has every word', () => {
    for (const book of books) {
      for (const language of languages) {
        const missing = [...leavesOf(missingIn(textsOf(language, book), english[book]))]
        if (missing.length > 0) process.stdout.write(`${language} ${book}: ${missing.length} are missing\n`)
      }
      expect(offered(book)).toEqual(expect.arrayContaining(always[book]))
    }
  })
})

test('what is wrong with a translation is said, with the name of the word', () => {
  const original = {
    a: {
      n: '{n, plural, one {# mail} other {# mails}} to {who}',
      is: '{late, select, true {late} other {}}',
      plain: 'x',
    },
  }
  const faults = (language: string, a: Record<string, string>) => faultsIn(language, { a }, original)
  expect(faults('ar', { n: '{n, plural, one {#} other {#}} {who}' })).toEqual(
    ['zero', 'two', 'few', 'many'].map((form) => `a.n: has no case "${form}"`),
  )
  expect(faults('de', { n: '{n, plural, one {#} few {#} other {#}}' })).toEqual([
    'a.n: has the values n and not n,who',
    'a.n: has a case "few" that never comes',
  ])
  expect(faults('de', { n: '{n} an {who}', is: '{late, select, true {spät} other {}}' })).toEqual([])
  expect(faults('de', { n: '{n} an {who, number}' })).toEqual(['a.n: {who} is a text, not a number'])
  expect(faults('de', { is: '{late, select, wahr {spät} other {}}' })).toEqual([
    'a.is: has a case "wahr" that never comes',
  ])
  expect(faults('de', { plain: 'an {' })).toEqual(['a.plain: is no message: an {'])
  expect(faults('de', { plain: '{d, date}', more: 'x' })).toEqual([
    'a.plain: is no message: {d, date}',
    'a.more: English does not have it',
  ])
})

test('a number is written as the language writes it, in the form that it wants', () => {
  const said = (language: string, text: string, given: Record<string, number | string> | number | string) =>
    createSpeaker(language)<{ a: (given: unknown) => string }>(parseTree({ a: text })).a(given)
  const mails = '{n, plural, =0 {none} one {# mail} other {# mails}} to {who}'
  expect(said('en', mails, { n: 0, who: 'Ada' })).toBe('none to Ada')
  expect(said('en', mails, { n: 1, who: 'Ada' })).toBe('1 mail to Ada')
  expect(said('de', '{n, plural, one {# Mail} other {# Mails}}', 12_345)).toBe('12.345 Mails')
  expect(said('ar', '{n, plural, zero {z} one {o} two {t} few {f} many {m} other {x}}', 3)).toBe('f')
  expect(said('ar', 'إلى {who}', 'ada@example.net')).toBe('إلى \u2068ada@example.net\u2069')
  expect(said('ar', '{n, number} DKIM وSPF', 1234)).toBe('\u200F1,234 DKIM وSPF')
  expect(said('en', '{who, select, a {A} other {else}}', { who: 'constructor' })).toBe('else')
  expect(said('en', "'{{event.name}}' of {n}", 2)).toBe('{{event.name}} of 2')
})

test('the types of the words are those of the catalogue (else: bun run languages)', () => {
  for (const [path, text] of generated()) expect(readFileSync(path, 'utf8'), path).toBe(text)
})

describe('the code of the dashboard', () => {
  const files = [...new Bun.Glob('dashboard/**/*.{ts,tsx}').scanSync(root)].map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }))

  test('says every area of the catalogue, and each as an area', () => {
    const areas = Object.entries(english.dashboard).flatMap(([folder, words]) =>
      Object.keys(words).map((area) => `${folder}.${area}`),
    )
    const bad = 'inLanguage(catalogue.a.b)\ncatalogue.a.b\ninLanguage(catalogue.a)'
    expect(areasSaid({ path: 'bad.ts', text: bad })).toEqual([
      'a.b',
      'bad.ts: catalogue.a.b',
      'bad.ts: inLanguage(catalogue.a)',
    ])
    expect([...new Set(files.flatMap(areasSaid))].sort()).toEqual(areas.sort())
  })

  test('shows no word that is not in the catalogue', () => {
    const bad = '<p title="Old words" class="x">Some words{isOpen ? "Close" : words.a} {words.b}</p>'
    expect(wordsWritten({ path: 'bad.tsx', text: `const a = ${bad}` })).toEqual([
      'bad.tsx: title="Old words"',
      'bad.tsx: Some words',
      'bad.tsx: "Close"',
    ])
    expect(files.flatMap(wordsWritten).filter((one) => !names.test(one))).toEqual([])
  })
})

test('what stands between words is of the language, too', () => {
  const bad = "all.join(', ')\n;<p title={`\u0024{a}: \u0024{b}`}>{a}: <b>{b}</b>, {c} → {d}</p>"
  expect(joinsWritten({ path: 'bad.tsx', text: bad })).toHaveLength(5)
  const files = [...new Bun.Glob('dashboard/**/*.{ts,tsx}').scanSync(root)]
  const all = files.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  expect(all.flatMap(joinsWritten).filter((one) => !betweenParts.test(one))).toEqual([])
})

/** Where they are chosen, and what is typed or read by programs. */
const betweenParts = /^dashboard\/(?:words|parts\/separated)\.ts:/

/** A comma, a colon or an arrow by itself: `comma`, `colon` and `onward` of words.ts say them. */
function joinsWritten(source: Source): string[] {
  return [...nodesOf(source)].flatMap((node) => {
    const isPart = ts.isStringLiteralLike(node) || ts.isTemplateMiddle(node) || ts.isJsxText(node)
    return isPart && /^\s*[:,]\s+$|[←→]/.test(node.text) ? `${source.path}: ${node.parent.getText()}` : []
  })
}

/** Pages for whoever runs it or programs for it, in English as the API that they tell of. */
const inEnglish = /^src\/(?:doors\/ui\/|core\/http\/|features\/sending\/captured\/|kit\/page\.ts)/

test('the pages of the server show no word that is not in the catalogue', () => {
  const bad = 'html`<p aria-label="Old words">Some <code>paquebot serve</code></p>`'
  expect(wordsInHtml({ path: 'bad.ts', text: bad })).toEqual(['bad.ts: aria-label="Old words"', 'bad.ts: Some'])
  const files = [...new Bun.Glob('src/**/*.ts').scanSync(root)]
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ path, text }) => text.includes('html`') && !inEnglish.test(path))
  expect(files.length).toBeGreaterThan(7)
  expect(files.flatMap(wordsInHtml)).toEqual([])
})

interface Source {
  path: string
  text: string
}

function* nodesOf({ path, text }: Source): Generator<ts.Node> {
  const waiting: ts.Node[] = [ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node
    waiting.push(...node.getChildren().toReversed())
  }
}

/** The areas that are put into words, or where the catalogue is named otherwise. */
function areasSaid(source: Source): string[] {
  return [...nodesOf(source)].flatMap((node) => {
    if (!ts.isIdentifier(node) || node.text !== 'catalogue') return []
    if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) return []
    const call = node.parent.parent.parent
    const [, area] = /^inLanguage\(\s*catalogue\.(\w+\.\w+),?\s*\)$/.exec(call.getText()) ?? []
    return area ?? `${source.path}: ${node.parent.parent.getText()}`
  })
}

/** What is the same in every language: our name, keys, and examples of what the API takes. */
const names = /^[\w./-]+: (?:Ctrl (?:K|S|Enter)|(?:title|aria-label)="Paquebot"|placeholder=(?:"|\{.*')[a-z{].*)$/

const shown = new Set(['title', 'placeholder', 'alt', 'aria-label', 'aria-description', 'label', 'caption'])
const isWord = (text: string) => /\p{L}{2}/u.test(text)

/** Texts of elements, and of attributes that people read. */
function wordsWritten(source: Source): string[] {
  return [...nodesOf(source)].flatMap((node) => {
    const isAttribute = ts.isJsxAttribute(node) && shown.has(node.name.getText()) && node.initializer !== undefined
    const literals = isAttribute && node.initializer ? literalsIn(node.initializer) : []
    if (literals.some(isWord)) return `${source.path}: ${node.getText()}`
    if (ts.isJsxText(node) && isWord(node.text)) return `${source.path}: ${node.text.trim()}`
    const isShown = ts.isJsxExpression(node) && (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent))
    return isShown ? literalsIn(node).flatMap((one) => (isWord(one) ? `${source.path}: "${one}"` : [])) : []
  })
}

/** The texts that an expression may be; a template is a command to copy. */
function literalsIn(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node))
    return node.expression ? literalsIn(node.expression) : []
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(literalsIn)
  if (ts.isBinaryExpression(node)) return literalsIn(node.right)
  return []
}

/** Texts of pages that the server writes. What is `code` is typed by people as it stands. */
function wordsInHtml(source: Source): string[] {
  return [...nodesOf(source)].flatMap((node) => {
    if (!ts.isTaggedTemplateExpression(node) || node.tag.getText() !== 'html') return []
    const { template } = node
    const parts = ts.isTemplateExpression(template)
      ? [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
      : [template.text]
    const markup = parts.join('').replaceAll(/<code>.*?<\/code>/gs, '')
    const attributes = Array.from(
      markup.matchAll(/(?:aria-label|title|placeholder|alt)="[^"]*\p{L}{2}[^"]*"/gu),
      ([all]) => all,
    )
    // Of an element: ` checked`.
    const isAttribute = /^ [a-z]/.test(markup)
    const texts = isAttribute
      ? []
      : markup
          .replaceAll(/<[^>]*>/g, '\n')
          .split('\n')
          .filter(isWord)
    return [...attributes, ...texts.map((one) => one.trim())].map((one) => `${source.path}: ${one}`)
  })
}
