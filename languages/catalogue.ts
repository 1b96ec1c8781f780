// The catalogue: a folder for each language, with the words of the dashboard and of the pages that everybody may see. English is what the
// others are measured by; a language is offered once it has every word.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Message, Tree } from './message.ts'
import { choicesIn, parseMessage, usesIn } from './parse.ts'

export type Texts = Tree<string>
/** `dashboard`: for those who work with it. `sign-in`: the pages before it. `pages`: for the people who get mail. */
export const books = ['dashboard', 'sign-in', 'pages'] as const
export type Book = (typeof books)[number]

const folder = import.meta.dir

/** Those that somebody has begun, English first. */
export const languages: string[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && books.some((book) => existsSync(fileOf(entry.name, book))))
  .map(({ name }) => name)
  .sort((one, other) => Number(other === 'en') - Number(one === 'en') || (one < other ? -1 : 1))

export function fileOf(language: string, book: Book): string {
  return join(folder, language, `${book}.json`)
}

/** What is written in a language so far. */
export function textsOf(language: string, book: Book): Texts {
  const file = fileOf(language, book)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** `templates.editor.title`, with its text. */
export function* leavesOf(texts: Texts, path: string[] = []): Generator<{ path: string[]; text: string }> {
  for (const [key, one] of Object.entries(texts)) {
    if (typeof one === 'string') yield { path: [...path, key], text: one }
    else yield* leavesOf(one, [...path, key])
  }
}

function textAt(texts: Texts, path: string[]): string | undefined {
  let at: Texts | string | undefined = texts
  for (const key of path) at = typeof at === 'object' && Object.hasOwn(at, key) ? at[key] : undefined
  return typeof at === 'string' ? at : undefined
}

function put(texts: Texts, [key = '', ...rest]: string[], text: string): void {
  if (rest.length === 0) {
    texts[key] = text
    return
  }
  const below = texts[key]
  const inner = typeof below === 'object' ? below : {}
  texts[key] = inner
  put(inner, rest, text)
}

/** English, as far as another language does not say it yet. */
export function missingIn(texts: Texts, english: Texts): Texts {
  const missing: Texts = {}
  for (const { path, text } of leavesOf(english)) if (textAt(texts, path) === undefined) put(missing, path, text)
  return missing
}

/** Both together, in the order of English; `taken` wins. What English does not have falls away. */
export function joined(texts: Texts, taken: Texts, english: Texts): Texts {
  const all: Texts = {}
  for (const { path } of leavesOf(english)) {
    const text = textAt(taken, path) ?? textAt(texts, path)
    if (text !== undefined) put(all, path, text)
  }
  return all
}

/** What is wrong in a language with what it says; a word that is missing is no fault, but is not offered. */
export function faultsIn(language: string, texts: Texts, english: Texts): string[] {
  return [...leavesOf(texts)].flatMap(({ path, text }) => {
    const name = path.join('.')
    const original = textAt(english, path)
    if (original === undefined) return [`${name}: English does not have it`]
    const message = readOrNull(text)
    if (message === null) return [`${name}: is no message: ${text}`]
    return faultsOf(language, message, parseMessage(original)).map((fault) => `${name}: ${fault}`)
  })
}

function readOrNull(text: string): Message | null {
  try {
    return parseMessage(text)
  } catch {
    return null
  }
}

function faultsOf(language: string, message: Message, original: Message): string[] {
  const [uses, wanted] = [usesIn(message), usesIn(original)]
  const faults = isDeepStrictEqual([...uses.keys()].sort(), [...wanted.keys()].sort())
    ? []
    : [`has the values ${[...uses.keys()]} and not ${[...wanted.keys()]}`]
  for (const [name, use] of uses) {
    const allowed = wanted.get(name) ?? use
    if (use !== allowed && !(use === 'text' && allowed === 'number'))
      faults.push(`{${name}} is a ${allowed}, not a ${use}`)
  }
  const words = new Set(choicesIn(original).flatMap(({ by, names }) => (by === 'select' ? names : [])))
  for (const { by, names } of choicesIn(message)) {
    const forms = by === 'plural' ? pluralForms(language) : ['other']
    faults.push(...forms.filter((form) => !names.includes(form)).map((form) => `has no case "${form}"`))
    const known = names.filter((one) => (by === 'plural' ? forms.includes(one) || /^=\d+$/.test(one) : words.has(one)))
    faults.push(...names.filter((one) => !known.includes(one)).map((one) => `has a case "${one}" that never comes`))
  }
  return faults
}

/** As the Unicode CLDR has them: `one` and `other` in English, six in Arabic. */
function pluralForms(language: string): string[] {
  return new Intl.PluralRules(language).resolvedOptions().pluralCategories
}

/** Those with every word, and none that is wrong. */
export function offered(book: Book): string[] {
  const english = textsOf('en', book)
  return languages.filter((language) => {
    const texts = textsOf(language, book)
    return Object.keys(missingIn(texts, english)).length === 0 && faultsIn(language, texts, english).length === 0
  })
}

/** In its own words: `Deutsch`, `Português (Brasil)`. */
export function ownName(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
