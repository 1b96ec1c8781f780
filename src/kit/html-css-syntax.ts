// Parses a style sheet into nested declarations and rules (CSS Syntax Level 3, 5.4), and drops what a browser drops. Each token is read
// once, so invalid input costs no more than valid input.

import { tokenize, tokenTypes as type } from 'css-tree/tokenizer'

export interface Declaration {
  name: string
  value: string
  important: boolean
}

export interface Block {
  /** Of an at-rule, in lower case; null for a rule. */
  at: string | null
  /** The selectors of a rule; of an at-rule what stands behind its name. */
  prelude: string
  items: (Declaration | Block)[]
}

interface Token {
  type: number
  text: string
}

/** What is read, and where one is in it. */
interface Reading {
  tokens: Token[]
  at: number
  maxDepth: number
}

/** In a `sheet` a semicolon ends no rule, and in a `style` attribute there are no rules. */
type RuleContext = 'sheet' | 'style' | 'block'

const closers = new Map<number, number>([
  [type.LeftParenthesis, type.RightParenthesis],
  [type.Function, type.RightParenthesis],
  [type.LeftSquareBracket, type.RightSquareBracket],
  [type.LeftCurlyBracket, type.RightCurlyBracket],
])
const spoilt = new Set<number>([type.BadString, type.BadUrl])

/** Null where blocks are inside each other, more than `maxDepth` deep. */
export function readCss(css: string, context: 'sheet' | 'style', maxDepth: number): Block['items'] | null {
  const tokens: Token[] = []
  tokenize(css, (kind, from, to) => {
    if (kind !== type.Comment && kind !== type.EOF) tokens.push({ type: kind, text: css.slice(from, to) })
  })
  return readItems({ tokens, at: 0, maxDepth }, context, 0)
}

const typeAt = ({ tokens }: Reading, at: number) => tokens[at]?.type
const toText = ({ tokens }: Reading, from: number, to: number) =>
  tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join('')
    .trim()

/** To the bracket that ends the block, or to the end. */
function readItems(reading: Reading, context: RuleContext, depth: number): Block['items'] | null {
  if (depth > reading.maxDepth) return null
  const items: Block['items'] = []
  while (reading.at < reading.tokens.length) {
    const next = typeAt(reading, reading.at)
    if (context === 'block' && next === type.RightCurlyBracket) break
    if (isBetween(next, context)) {
      reading.at++
      continue
    }
    const item = readItem(reading, context, depth)
    if (item === null) return null
    if (item !== undefined) items.push(item)
  }
  return items
}

function isBetween(next: number | undefined, context: RuleContext): boolean {
  if (next === type.WhiteSpace) return true
  return context === 'sheet' ? next === type.CDO || next === type.CDC : next === type.Semicolon
}

/** Undefined for what a browser leaves out. */
function readItem(reading: Reading, context: RuleContext, depth: number): Declaration | Block | null | undefined {
  const from = reading.at
  const isAtRule = typeAt(reading, from) === type.AtKeyword
  const colon = isAtRule || context === 'sheet' ? null : findColon(reading, from)
  const name = colon === null ? '' : toText(reading, from, colon)
  skip(reading, {
    place: context,
    endsAtSemicolon: isAtRule || context !== 'sheet',
    hasBlock: context !== 'style' && !name.startsWith('--'),
  })
  const end = reading.at
  const last = typeAt(reading, end)
  if (last === type.Semicolon) reading.at++
  if (last === type.LeftCurlyBracket) {
    reading.at++
    const items = readItems(reading, 'block', depth + 1)
    reading.at++
    const at = isAtRule
      ? toText(reading, from, from + 1)
          .slice(1)
          .toLowerCase()
      : null
    return items && { at, prelude: toText(reading, isAtRule ? from + 1 : from, end), items }
  }
  return colon === null ? undefined : readDeclaration(reading, name, colon + 1, end)
}

/** Where the colon of a declaration is, if one begins here. */
function findColon(reading: Reading, from: number): number | null {
  if (typeAt(reading, from) !== type.Ident) return null
  const colon = typeAt(reading, from + 1) === type.WhiteSpace ? from + 2 : from + 1
  return typeAt(reading, colon) === type.Colon ? colon : null
}

interface Ends {
  place: RuleContext
  endsAtSemicolon: boolean
  hasBlock: boolean
}

/** To where a declaration or the prelude of a rule ends, past whatever is in brackets. */
function skip(reading: Reading, { place: context, endsAtSemicolon, hasBlock }: Ends): void {
  const open: number[] = []
  for (; reading.at < reading.tokens.length; reading.at++) {
    const next = typeAt(reading, reading.at) ?? type.EOF
    if (open.length === 0) {
      if (next === type.Semicolon && endsAtSemicolon) return
      if (next === type.LeftCurlyBracket && hasBlock) return
      if (next === type.RightCurlyBracket && context === 'block') return
    }
    const closer = closers.get(next)
    if (closer !== undefined) open.push(closer)
    else if (next === open.at(-1)) open.pop()
  }
}

function readDeclaration(reading: Reading, name: string, from: number, to: number): Declaration | undefined {
  const tokens = reading.tokens.slice(from, to)
  if (tokens.some((token) => spoilt.has(token.type))) return undefined
  const marks = tokens.filter((token) => token.type !== type.WhiteSpace).slice(-2)
  const important = marks[0]?.text === '!' && marks[1]?.text.toLowerCase() === 'important'
  const last = important ? tokens.findLastIndex(({ text }) => text === '!') : tokens.length
  const value = toText({ ...reading, tokens }, 0, last)
  return { name: name.startsWith('--') ? name : name.toLowerCase(), value, important }
}
