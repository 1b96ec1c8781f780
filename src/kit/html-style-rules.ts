// The rules of style sheets that apply on a desktop in light mode, for the requested properties and without nested rules. Nothing is
// loaded, so imported sheets have no rules.

import { parse as parseSelector, type Selector } from 'css-what'
import { type Block, type Declaration, readCss } from './html-css-syntax.ts'

/** A sheet that would take long to apply. */
export class TooMuchStyle extends Error {}

export interface StyleRule {
  selectors: Selector[][]
  declarations: Declaration[]
}

/** What a mail is shown in. */
const view = { width: 680, height: 800 }
/** The other media features of a desktop in light mode. */
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

/** Which properties are wanted, and what a shorthand says of them. */
export interface PropertySelection {
  isWanted(name: string): boolean
  /** The shorthand itself where it is none. */
  expand(name: string, value: string): [name: string, value: string][]
}

/** Of a sheet, in its order. What a browser does not understand it leaves out, and so does this. */
export function readRules(sheet: string, selection: PropertySelection): StyleRule[] {
  const items = readCss(sheet, 'sheet', maxNesting)
  if (items === null) throw new TooMuchStyle()
  const rules: StyleRule[] = []
  const read = (block: Block['items'], within: string | null) => {
    let declarations: Declaration[] = []
    const end = () => {
      if (within !== null && declarations.length > 0) rules.push(...toRules(within, declarations))
      declarations = []
    }
    for (const item of block) {
      if ('name' in item) declarations.push(...selectDeclarations(item, selection))
      else {
        // What stands before it is weaker than it.
        end()
        if (item.at === null) read(item.items, nested(item.prelude, within))
        else if (applies(item.at, item.prelude)) read(item.items, within)
      }
    }
    end()
  }
  read(items, null)
  return rules
}

/** Of a `style` attribute. */
export function readDeclarations(text: string, selection: PropertySelection): Declaration[] {
  const items = readCss(text, 'style', maxNesting) ?? []
  return items.flatMap((item) => ('name' in item ? selectDeclarations(item, selection) : []))
}

function selectDeclarations(
  { name, value, important }: Declaration,
  { isWanted, expand }: PropertySelection,
): Declaration[] {
  return expand(name, value.slice(0, maxValueChars).trim().toLowerCase())
    .filter(([each]) => isWanted(each))
    .map(([each, said]) => ({ name: each, value: said, important }))
}

/** A list with a selector that is none is dropped whole, as in a browser. */
function toRules(selectors: string, declarations: Declaration[]): StyleRule[] {
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
  const selection = Number(text) * (unit === 'px' || unit === '' ? 1 : 16)
  const have = side === 'height' ? view.height : view.width
  if (bound === undefined) return have === selection
  return bound === 'min-' ? have >= selection : have <= selection
}
