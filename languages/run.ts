// `bun run languages`: what is missing where, and the types of the words. `bun run languages fr --missing` writes what is to be translated,
// `bun run languages fr --take FILE` puts it in.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Book,
  books,
  faultsIn,
  fileOf,
  joined,
  languages,
  leavesOf,
  missingIn,
  type Texts,
  textsOf,
} from './catalogue.ts'
import { generated } from './word-types.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { missing: { type: 'boolean' }, take: { type: 'string' } },
})
const [language] = positionals

/** Both books as one file: `{"dashboard": {…}, "pages": {…}}`. */
type Texted = Partial<Record<Book, Texts>>

function allMissing(of: string): Texted {
  return Object.fromEntries(books.map((book) => [book, missingIn(textsOf(of, book), textsOf('en', book))]))
}

/** All of it, or nothing where something is wrong: then what it is. */
function take(into: string, taken: Texted): string[] {
  const faults = books.flatMap((book) =>
    faultsIn(into, taken[book] ?? {}, textsOf('en', book)).map((fault) => `${book}: ${fault}`),
  )
  if (faults.length === 0)
    for (const book of books) {
      const texts = joined(textsOf(into, book), taken[book] ?? {}, textsOf('en', book))
      if (Object.keys(texts).length > 0) write(into, book, texts)
    }
  return faults
}

function write(into: string, book: Book, texts: Texts): void {
  mkdirSync(dirname(fileOf(into, book)), { recursive: true })
  writeFileSync(fileOf(into, book), `${JSON.stringify(texts, null, 2)}\n`)
}

function report(): void {
  for (const [path, text] of generated()) writeFileSync(path, text)
  for (const one of languages)
    for (const book of books) {
      const texts = textsOf(one, book)
      const missing = [...leavesOf(missingIn(texts, textsOf('en', book)))]
      say(`${one} ${book}: ${[...leavesOf(texts)].length} there, ${missing.length} missing`)
      for (const fault of faultsIn(one, texts, textsOf('en', book))) say(`  ${fault}`)
      if (Object.keys(texts).length > 0) for (const { path } of missing) say(`  ${path.join('.')} is missing`)
    }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (language && values.missing) say(JSON.stringify(allMissing(language), null, 2))
else if (language && values.take) {
  const faults = take(new Intl.Locale(language).toString(), JSON.parse(readFileSync(values.take, 'utf8')))
  for (const fault of faults) say(fault)
  if (faults.length > 0) process.exit(1)
  report()
} else report()
