// Writes what the code may say as types, so that a word that is not in the catalogue, or lacks a value, does not compile.

import { join } from 'node:path'
import { type Book, offered, type Texts, textsOf } from './catalogue.ts'
import { choicesIn, parseMessage, parseTree, type Use, usesIn } from './parse.ts'

const mark = '// MessagesOf by `bun run languages`; change the words in languages/en/, not here.\n\n'

/** By path. */
export function generated(): Map<string, string> {
  const path = (name: string) => join(import.meta.dir, 'generated', name)
  return new Map([
    [path('catalogue.d.ts'), `${mark}${declaration}${typeOfFolders(textsOf('en', 'dashboard'))}\n`],
    [
      path('said-by-server.ts'),
      `${mark}${importing}${offeredOnes()}${spokenByServer('pages', 'Page')}\n${spokenByServer('sign-in', 'SignIn')}`,
    ],
  ])
}

const declaration = `type MessagesOf<W> = import('../message.ts').MessagesOf<W>

/** The language for which the dashboard is built, and all that are offered, by their own names. */
declare const spoken: { language: string; languages: Record<string, string> }

/** The words of the dashboard: each area of it is put in by the build, where the code names it. */
declare const catalogue: `

/** `campaigns.general`: the folders of the dashboard, and their areas. */
function typeOfFolders(folders: Texts): string {
  const inner = (texts: Texts | string, indent: string, type: (texts: Texts) => string) =>
    Object.entries(texts).map(
      ([name, below]) => `${indent}${name}: ${typeof below === 'string' ? 'string' : type(below)}`,
    )
  const typeOfArea = (texts: Texts) => `MessagesOf<${typeOf(texts, '    ')}>`
  const typeOfFolder = (areas: Texts) => `{\n${inner(areas, '    ', typeOfArea).join('\n')}\n  }`
  return `{\n${inner(folders, '  ', typeOfFolder).join('\n')}\n}`
}

function typeOf(texts: Texts, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(texts).map(([key, one]) => {
    const name = /^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`
    if (typeof one !== 'string') return `${inner}${name}: ${typeOf(one, inner)}`
    return `${inner}/** ${one.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n${inner}${name}: ${typeOfMessage(one)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

function typeOfMessage(text: string): string {
  const message = parseMessage(text)
  const words = choicesIn(message).flatMap(({ by, names }) => (by === 'select' ? names : []))
  const isYesOrNo = words.every((word) => ['true', 'false', 'other'].includes(word))
  const types: Record<Use, string> = {
    text: 'string | number',
    number: 'number',
    select: isYesOrNo ? 'boolean' : 'string',
  }
  const values = [...usesIn(message)].map(([name, use]) => `${name}: ${types[use]}`)
  if (values.length === 0) return 'string'
  return values.length === 1 ? `(${values[0]}) => string` : `(values: { ${values.join('; ')} }) => string`
}

/** For which the dashboard is built. */
function offeredOnes(): string {
  return `export const dashboardLanguages = ${JSON.stringify(offered('dashboard'))}\n\n`
}

/** What the server says, read already: it starts without the parser. The binary contains the languages that are offered. */
function spokenByServer(book: Book, name: string): string {
  const entries = offered(book).map((one) => `  '${one}': ${JSON.stringify(parseTree(textsOf(one, book)))},`)
  const type = `export type ${name}Words = ${typeOf(textsOf('en', book), '')}`
  const variable = `${name.charAt(0).toLowerCase()}${name.slice(1)}Messages`
  return `${type}\n\nexport const ${variable}: Record<string, MessagesOf<${name}Words>> = {\n${entries.join('\n')}\n}\n`
}

const importing = "import type { MessagesOf } from '../message.ts'\n\n"
