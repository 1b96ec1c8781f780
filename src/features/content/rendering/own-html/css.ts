// Styles of a caller, written anew from their tokens: known properties with plain values, in rules and media queries. No escapes, nothing
// that loads but pictures and fonts, nothing that could end its element or a comment.

import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer'
import { isFontSheet, isFunction, isProperty } from './allowed.ts'
import type { LeftOut } from './left-out.ts'
import { safePicture } from './urls.ts'

const opening = new Map<TokenType, TokenType>([
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.Function, TokenType.CloseParen],
  [TokenType.OpenSquare, TokenType.CloseSquare],
  [TokenType.OpenCurly, TokenType.CloseCurly],
])

/** Of a `style` attribute. Empty when nothing of it is left. */
export function writeDeclarations(css: string, leftOut: LeftOut): string {
  return writeAllDeclarations(readTokens(css), leftOut)
}

/** Of a `<style>` element. Empty when nothing of it is left. */
export function writeSheet(css: string, leftOut: LeftOut): string {
  return writeRules(readTokens(css), leftOut, 0)
}

function readTokens(css: string): CSSToken[] {
  return tokenize({ css, unicodeRangesAllowed: true }).filter(
    ([type]) => type !== TokenType.Comment && type !== TokenType.EOF,
  )
}

interface Rule {
  prelude: CSSToken[]
  /** Null for a rule that ends with a semicolon. */
  block: CSSToken[] | null
}

/** Nested as deep as `@supports` around `@media`. */
const maxRuleDepth = 2

function writeRules(tokens: CSSToken[], leftOut: LeftOut, depth: number): string {
  return splitRules(tokens)
    .map((rule) => writeRule(rule, leftOut, depth))
    .filter((text) => text !== '')
    .join('\n')
}

function writeRule({ prelude, block }: Rule, leftOut: LeftOut, depth: number): string {
  const [first] = prelude
  const text = writeTokens(prelude)
  if (first?.[0] === TokenType.AtKeyword)
    return writeAtRule(first[4].value.toLowerCase(), { prelude, block }, leftOut, depth)
  if (block === null) return ''
  if (!isSelector(text) || prelude.some(([type]) => type === TokenType.BadString)) {
    leftOut.note('The style rule', text)
    return ''
  }
  const declarations = writeAllDeclarations(block, leftOut)
  return declarations === '' ? '' : `${text}{${declarations}}`
}

function writeAtRule(name: string, { prelude, block }: Rule, leftOut: LeftOut, depth: number): string {
  const text = writeTokens(prelude)
  if (name === 'charset') return ''
  const sheet = name === 'import' && block === null ? writeFontImport(prelude) : null
  if (sheet !== null) return `@import url(${quoted(sheet)});`
  if (name === 'font-face' && block !== null) {
    const declarations = writeAllDeclarations(block, leftOut)
    return declarations === '' ? '' : `@font-face{${declarations}}`
  }
  if ((name === 'media' || name === 'supports') && block !== null && depth < maxRuleDepth && isQuery(text)) {
    const rules = writeRules(block, leftOut, depth + 1)
    return rules === '' ? '' : `${text}{\n${rules}\n}`
  }
  leftOut.note('The style rule', text)
  return ''
}

/** The address of a sheet of fonts, if it is nothing else. */
function writeFontImport([, ...rest]: CSSToken[]): string | null {
  const values = rest.filter(([type]) => type !== TokenType.Whitespace)
  const named = values.find(([type]) => type === TokenType.String || type === TokenType.URL)
  const count = values[0]?.[0] === TokenType.Function ? 3 : 1
  const url = values.length === count && named !== undefined ? valueText(named) : ''
  return isFontSheet(url) ? url : null
}

/** A query of `@media` or `@supports`, whole. */
const isQuery = (text: string) => /^@[a-z][\w\s,():.%/-]*$/.test(text) && !text.includes('--')

/** Of the `media` of a `<style>`. */
export const isMedia = (text: string) => isQuery(`@media ${text}`)

/** A class may have any punctuation, escaped, as those of Tailwind have. */
const selector = /^(?:[\w\s.#>+~*,:[\]="'()^$|@;/%?-]|\\[:./[\]%#(),!&])+$/
const isSelector = (text: string) => selector.test(text) && !text.includes('-->') && text !== ''

function splitRules(tokens: CSSToken[]): Rule[] {
  const rules: Rule[] = []
  let from = 0
  while (from < tokens.length) {
    const type = tokens[from]?.[0]
    if (
      type === TokenType.Whitespace ||
      type === TokenType.CDO ||
      type === TokenType.CDC ||
      type === TokenType.Semicolon
    ) {
      from++
      continue
    }
    const isAtRule = type === TokenType.AtKeyword
    let at = from
    while (
      at < tokens.length &&
      tokens[at]?.[0] !== TokenType.OpenCurly &&
      !(isAtRule && tokens[at]?.[0] === TokenType.Semicolon)
    )
      at++
    const prelude = tokens.slice(from, at)
    if (tokens[at]?.[0] !== TokenType.OpenCurly) {
      rules.push({ prelude, block: null })
      from = at + 1
      continue
    }
    const end = closing(tokens, at)
    rules.push({ prelude, block: tokens.slice(at + 1, end) })
    from = end + 1
  }
  return rules
}

/** Where the block that opens at `from` ends, or the end. */
function closing(tokens: CSSToken[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const type = tokens[at]?.[0]
    if (type === TokenType.OpenCurly) depth++
    else if (type === TokenType.CloseCurly && --depth === 0) return at
  }
  return tokens.length
}

function writeAllDeclarations(tokens: CSSToken[], leftOut: LeftOut): string {
  return splitDeclarations(tokens)
    .map((one) => writeDeclaration(one, leftOut))
    .filter((text) => text !== '')
    .join(';')
}

function splitDeclarations(tokens: CSSToken[]): CSSToken[][] {
  const found: CSSToken[][] = []
  const closers: TokenType[] = []
  let one: CSSToken[] = []
  for (const token of tokens) {
    const closer = opening.get(token[0])
    if (closer !== undefined) closers.push(closer)
    else if (token[0] === closers.at(-1)) closers.pop()
    if (token[0] === TokenType.Semicolon && closers.length === 0) {
      found.push(one)
      one = []
    } else one.push(token)
  }
  return [...found, one]
}

function writeDeclaration(tokens: CSSToken[], leftOut: LeftOut): string {
  const colon = tokens.findIndex(([type]) => type === TokenType.Colon)
  const text = writeTokens(tokens)
  if (text === '') return ''
  const name = writeTokens(tokens.slice(0, Math.max(colon, 0))).toLowerCase()
  const value = colon > 0 && isProperty(name) ? plainValue(tokens.slice(colon + 1), name) : null
  if (value === null) leftOut.note('The style', colon > 0 && !isProperty(name) ? name : text)
  return value === null || value === '' ? '' : `${name}:${value}`
}

const valueTokens = new Set<TokenType>([
  TokenType.Ident,
  TokenType.Hash,
  TokenType.Number,
  TokenType.Percentage,
  TokenType.Dimension,
  TokenType.UnicodeRange,
])
const withUrls = /^(?:background|background-image|list-style|list-style-image|src)$/

/** Within the mail; over what a client shows around it there is nothing to be put. */
const positions = /^(?:static|relative|absolute)(?: ?!important)?$/

/** Null for a value that is more than words, sizes, colours, strings and known functions. */
function plainValue(tokens: CSSToken[], property: string): string | null {
  let out = ''
  let depth = 0
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    const address = urlAt(tokens, at)
    if (address !== null) {
      const url = withUrls.test(property) ? safePicture(address.url) : null
      if (url === null) return null
      out += `url(${quoted(encodedQuotes(url))})`
      at += address.tokens - 1
      continue
    }
    const text = textOfToken(token)
    if (text === null) return null
    if (token[0] === TokenType.OpenParen || token[0] === TokenType.Function) depth++
    if (token[0] === TokenType.CloseParen && --depth < 0) return null
    out += text
  }
  const value = out.trim()
  return depth !== 0 || (property === 'position' && !positions.test(value)) ? null : value
}

function textOfToken(token: CSSToken): string | null {
  const [type, raw] = token
  if (valueTokens.has(type)) return /^[\w#%+.?-]+$/.test(raw) ? raw : null
  if (type === TokenType.Whitespace) return ' '
  if (type === TokenType.Comma) return ','
  if (type === TokenType.Delim) return /^[/+*!-]$/.test(raw) ? raw : null
  if (type === TokenType.OpenParen || type === TokenType.CloseParen) return raw
  if (type === TokenType.Function) return isFunction(token[4].value.toLowerCase()) ? raw : null
  return type === TokenType.String ? readString(token[4].value) : null
}

/** No character that ends a string, an attribute or an element. */
function readString(value: string): string | null {
  return /[\x00-\x1f\x7f<>\\]/.test(value) || (value.includes('"') && value.includes("'")) ? null : quoted(value)
}

function quoted(value: string): string {
  return value.includes("'") ? `"${value}"` : `'${value}'`
}

/** Both ways in which an address is written. */
function urlAt(tokens: CSSToken[], at: number): { url: string; tokens: number } | null {
  const token = tokens[at]
  if (token?.[0] === TokenType.URL) return { url: token[4].value, tokens: 1 }
  if (token?.[0] !== TokenType.Function || token[4].value.toLowerCase() !== 'url') return null
  const inside = tokens.slice(at + 1, at + 5)
  const end = inside.findIndex(([type]) => type === TokenType.CloseParen)
  const text = inside.slice(0, Math.max(end, 0)).find(([type]) => type === TokenType.String)
  return { url: text === undefined || end < 0 ? '' : valueText(text), tokens: end + 2 }
}

function encodedQuotes(url: string): string {
  return url.replace(/["'<>()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function valueText(token: CSSToken): string {
  return token[0] === TokenType.String || token[0] === TokenType.URL ? token[4].value : ''
}

/** As it was written, but for comments, on one line. */
function writeTokens(tokens: CSSToken[]): string {
  return tokens
    .map(([, raw]) => raw)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}
