// Computes which declarations apply to each element of a document: those of its style sheets and its own, the strongest for each property.

import { compile, type Options } from 'css-select'
import type { Selector } from 'css-what'
import type { Declaration } from './html-css-syntax.ts'
import { type HtmlElement, type HtmlNode, isElement } from './html-parse.ts'
import {
  type PropertySelection,
  readDeclarations,
  readRules,
  type StyleRule,
  specificityOf,
  TooMuchStyle,
} from './html-style-rules.ts'

export type Styles = Map<string, string>

/** The element checks that matching may take: real mails take a tenth of them. */
const looksPerChar = 4
const fewestLooks = 6_000_000

type Matcher = (element: HtmlNode) => boolean
type Matching = Options<HtmlNode, HtmlElement>
type Adapter = NonNullable<Matching['adapter']>

/** Of each element, what is said of the properties that are wanted. Throws TooMuchStyle, later, for sheets built to take long. */
export function createCascade(
  root: HtmlElement,
  { chars, isQuirky, ...selection }: PropertySelection & { chars: number; isQuirky: boolean },
): (element: HtmlElement) => Styles {
  const look = createCounter(fewestLooks + looksPerChar * chars)
  const adapter = createAdapter(root, look)
  const rules = sheetsIn(root)
    .flatMap((sheet) => readRules(sheet, selection))
    .flatMap((rule) => toApplied(rule, { adapter, pseudos, quirksMode: isQuirky }))
    // It keeps the order of those that are equal.
    .sort((one, other) => one.specificity - other.specificity)
  const candidatesFor = indexed(rules)
  /** Of a mail many are the same. */
  const inline = new Map<string, Declaration[]>()
  return (element) => {
    const found: Declaration[] = []
    for (const { declarations, matches } of candidatesFor(element)) {
      look(1)
      if (!matches(element)) continue
      look(declarations.length)
      found.push(...declarations)
    }
    const { style: own = '' } = element.attributes
    return strongest([
      ...found,
      ...(own === '' ? [] : inline.getOrInsertComputed(own, () => readDeclarations(own, selection))),
    ])
  }
}

function strongest(declarations: Declaration[]): Styles {
  const styles: Styles = new Map()
  for (const selection of [false, true])
    for (const { name, value, important } of declarations) if (important === selection) styles.set(name, value)
  return styles
}

function createCounter(most: number): (n: number) => void {
  let left = most
  return (n) => {
    left -= n
    if (left < 0) throw new TooMuchStyle()
  }
}

/** By what the last part of a selector names, so that an element is asked about few rules. */
function indexed(rules: Applied[]): (element: HtmlElement) => Applied[] {
  const places = new Map<string, number[]>()
  for (const [at, { key }] of rules.entries()) places.getOrInsertComputed(key, () => []).push(at)
  return ({ name, attributes: { id = '', class: names = '' } }) => {
    const classes = names.split(/[ \t\n\f\r]+/).map((one) => `.${one.toLowerCase()}`)
    const keys = new Set(['*', name.toLowerCase(), `#${id.toLowerCase()}`, ...classes])
    return [...keys]
      .flatMap((key) => places.get(key) ?? [])
      .sort((one, other) => one - other)
      .flatMap((at) => rules[at] ?? [])
  }
}

/** What an element must have for a selector to match it. */
function toKey(selector: Selector[]): string {
  const start = selector.findLastIndex(({ type }) => isCombinator.has(type)) + 1
  const last = selector.slice(start)
  for (const part of last) {
    if (part.type !== 'attribute') continue
    if (part.name === 'id' && part.action === 'equals') return `#${part.value.toLowerCase()}`
    if (part.name === 'class' && part.action === 'element') return `.${part.value.toLowerCase()}`
  }
  const tag = last.find(({ type }) => type === 'tag')
  return tag !== undefined && 'name' in tag ? tag.name.toLowerCase() : '*'
}

const isCombinator = new Set<string>(['adjacent', 'child', 'descendant', 'sibling', 'parent', 'column-combinator'])

interface Applied {
  key: string
  matches: Matcher
  declarations: Declaration[]
  specificity: number
}

const never = () => false
const always = () => true
/** Pseudo-classes that css-select lacks, for a page without user interaction. */
const pseudos = {
  ...Object.fromEntries(
    'focus focus-within focus-visible target target-within fullscreen modal popover-open playing autofill default valid invalid in-range out-of-range user-valid user-invalid read-write placeholder-shown host'
      .split(' ')
      .map((name) => [name, never]),
  ),
  ...Object.fromEntries('defined read-only'.split(' ').map((name) => [name, always])),
  dir: (_: HtmlElement, direction?: string | null) => direction === 'ltr',
  lang: never,
}

/** One for each selector; none where a browser would not know one of them, and so drop the rule. */
function toApplied({ selectors, declarations }: StyleRule, options: Matching): Applied[] {
  // They match no element.
  const ofElements = selectors.filter((selector) => !selector.some(({ type }) => type === 'pseudo-element'))
  const matchers = toMatchers(ofElements, options)
  return matchers.map((matches, at) => {
    const selector = ofElements[at] ?? []
    return { key: toKey(selector), matches, declarations, specificity: specificityOf(selector) }
  })
}

function toMatchers(selectors: Selector[][], options: Matching): Matcher[] {
  try {
    return selectors.map((selector) => compile<HtmlNode, HtmlElement>([selector], options))
  } catch (error) {
    if (error instanceof TooMuchStyle) throw error
    return []
  }
}

function sheetsIn(root: HtmlElement): string[] {
  const sheets: string[] = []
  const open: HtmlElement[] = [root]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { media = '' } = one.attributes
    const text = one.children.filter((child) => typeof child === 'string').join('')
    if (one.name === 'style') sheets.push(media === '' ? text : `@media ${media}{${text}\n}`)
    open.push(...one.children.filter(isElement).reverse())
  }
  return sheets
}

function createAdapter(root: HtmlElement, look: (n: number) => void): Adapter {
  const parents = new Map<HtmlNode, HtmlElement>()
  const open: HtmlElement[] = [root]
  for (let one = open.pop(); one !== undefined; one = open.pop())
    for (const child of one.children) {
      if (!isElement(child)) continue
      parents.set(child, one)
      open.push(child)
    }
  const childrenOf = (node: HtmlNode) => {
    const children = isElement(node) ? node.children : []
    look(children.length)
    return children
  }
  return {
    isTag: isElement,
    getAttributeValue: (element, name) => element.attributes[name],
    hasAttrib: (element, name) => name in element.attributes,
    getName: ({ name }) => name,
    getChildren: childrenOf,
    getParent: (element) => {
      look(1)
      return parents.get(element) ?? null
    },
    getSiblings: (node) => {
      const parent = parents.get(node)
      return parent === undefined ? [node] : childrenOf(parent)
    },
    // Only asked for selectors that browsers do not have.
    getText: () => '',
    removeSubsets: (nodes) => nodes,
  }
}
