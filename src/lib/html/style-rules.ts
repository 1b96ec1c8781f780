// The rules of style sheets as a browser applies them on a desk by day: of the properties that are asked for, without those inside each other.
// It loads nothing, so sheets of others have no rules.

import type { CssNodePlain } from 'css-tree'
import parse from 'css-tree/parser'
import { parse as parseSelector, type Selector } from 'css-what'

/** A property and its value; the last of a name wins. */
export interface Declaration {
  name: string
  value: string
  important: boolean
}

/** A sheet that would take long to apply. */
export class TooMuchStyle extends Error {}

export interface StyleRule {
  selectors: Selector[][]
  declarations: Declaration[]
}

/** What a mail is shown in. */
const view = { width: 680, height: 800 }
/** The rest of what a query may ask of a desk by day. */
const features = new Set([
  'prefers-color-scheme:light',
  'prefers-reduced-motion:no-preference',
  'hover',
  'hover:hover',
  'any-hover',
  'any-hover:hover',
  'pointer',
  'pointer:fine',
  'any-pointer',
  'any-pointer:fine',
  'color',
  'orientation:portrait',
  'width',
  'height',
])
const maxNesting = 8
const maxSelectorChars = 10_000
/** Longer ones are pictures. */
const maxValueChars = 500
const options = {
  list: false,
  parseValue: false,
  parseCustomProperty: false,
  parseRulePrelude: false,
  parseAtrulePrelude: false,
} as const

/** Which properties are wanted, and what a shorthand says of them. */
export interface Wanted {
  isWanted(name: string): boolean
  /** The shorthand itself where it is none. */
  expand(name: string, value: string): [name: string, value: string][]
}

/** Of a sheet, in its order. What a browser does not understand it leaves out, and so does this. */
export function readRules(sheet: string, wanted: Wanted): StyleRule[] {
  const rules: StyleRule[] = []
  const add = (selectors: string | null, declarations: Declaration[]) => {
    if (selectors !== null && declarations.length > 0) rules.push(...ruleOf(selectors, declarations))
  }
  const read = (nodes: CssNodePlain[], within: string | null, depth: number) => {
    if (depth > maxNesting) throw new TooMuchStyle()
    for (const node of nodes) {
      if (node.type === 'Atrule' && node.block !== null && applies(node.name, textOf(node.prelude)))
        read(node.block.children, within, depth + 1)
      if (node.type === 'Raw') add(within, readDeclarations(node.value, wanted))
      if (node.type !== 'Rule') continue
      // Inside a rule, its other declarations stand before it.
      const text = textOf(node.prelude)
      const own = text.lastIndexOf(';') + 1
      add(within, readDeclarations(text.slice(0, own), wanted))
      const selectors = nested(text.slice(own), within)
      add(selectors, declarationsIn(node.block.children, wanted))
      // The parser leaves what is inside a rule as it is.
      for (const inner of node.block.children)
        read(inner.type === 'Raw' ? childrenOf(parse(inner.value, options)) : [inner], selectors, depth + 1)
    }
  }
  read(childrenOf(parse(sheet, options)), null, 0)
  return rules
}

function childrenOf(tree: CssNodePlain): CssNodePlain[] {
  return tree.type === 'StyleSheet' ? tree.children : []
}

/** Of a `style` attribute. */
export function readDeclarations(text: string, wanted: Wanted): Declaration[] {
  const tree = parse(text, { ...options, context: 'declarationList' })
  return tree.type === 'DeclarationList' ? declarationsIn(tree.children, wanted) : []
}

function declarationsIn(nodes: CssNodePlain[], { isWanted, expand }: Wanted): Declaration[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'Declaration') return []
    const important = node.important !== false
    const property = node.property.startsWith('--') ? node.property : node.property.toLowerCase()
    return expand(property, textOf(node.value).slice(0, maxValueChars).trim().toLowerCase())
      .filter(([name]) => isWanted(name))
      .map(([name, value]) => ({ name, value, important }))
  })
}

function textOf(node: CssNodePlain | null): string {
  return node !== null && node.type === 'Raw' ? node.value : ''
}

/** A list with a selector that is none is dropped whole, as in a browser. */
function ruleOf(selectors: string, declarations: Declaration[]): StyleRule[] {
  try {
    return [{ selectors: parseSelector(selectors), declarations }]
  } catch {
    return []
  }
}

function nested(selectors: string, within: string | null): string {
  if (within === null) return selectors
  const outer = `:is(${within})`
  const uses = selectors.split('&').length
  if (selectors.length + uses * outer.length > maxSelectorChars) throw new TooMuchStyle()
  return uses > 1 ? selectors.replaceAll('&', outer) : `${outer} ${selectors}`
}

/** Selectors level 4, 17: ids, then classes and their like, then names. The higher one wins, then the later. */
export function specificityOf(selector: Selector[]): number {
  return selector.reduce((sum, part) => sum + weightOf(part), 0)
}

function weightOf(part: Selector): number {
  if (part.type === 'attribute') return part.name === 'id' && part.action === 'equals' ? 1_000_000 : 1_000
  if (part.type === 'tag' || part.type === 'pseudo-element') return 1
  if (part.type !== 'pseudo') return 0
  if (part.name === 'where') return 0
  if (!Array.isArray(part.data)) return 1_000
  const inner = Math.max(0, ...part.data.map(specificityOf))
  return ['is', 'not', 'has', 'matches'].includes(part.name) ? inner : 1_000 + inner
}

function applies(name: string, prelude: string): boolean {
  const at = name.toLowerCase()
  if (at === 'media') return prelude.split(',').some(isTrue)
  return at === 'supports' || at === 'layer' || at === 'container' || at === 'scope'
}

/** Media queries level 4 as mails write them. What is not known is false, as in a browser. */
function isTrue(query: string): boolean {
  const text = query.trim().toLowerCase()
  if (text.startsWith('not ')) return !isTrue(text.slice('not '.length).replace(/^all and /, ''))
  return text
    .replaceAll(/\s+/g, ' ')
    .replace(/^only /, '')
    .split(' and ')
    .every((part) => {
      if (part === 'all' || part === 'screen' || part === '') return true
      const inner = /^\(([^()]*)\)$/.exec(part)?.[1]?.replaceAll(/\s/g, '')
      return inner !== undefined && isFeature(inner)
    })
}

function isFeature(feature: string): boolean {
  if (features.has(feature)) return true
  const [, bound, side, text, unit] = /^(min-|max-)?(width|height):([\d.]+)(px|em|rem|)$/.exec(feature) ?? []
  if (text === undefined) return false
  const wanted = Number(text) * (unit === 'px' || unit === '' ? 1 : 16)
  const have = side === 'height' ? view.height : view.width
  if (bound === undefined) return have === wanted
  return bound === 'min-' ? have >= wanted : have <= wanted
}
