// Decides whether a browser would show the text of an element: follows display, size, colour, position and the like from the page down.
// There is no layout, so text that is covered by something else is not detected.

import type { Styles } from './html-cascade.ts'
import type { HtmlElement } from './html-parse.ts'
import type { PropertySelection } from './html-style-rules.ts'
import { ownValue } from './own-value.ts'

type Rgb = readonly [red: number, green: number, blue: number]
interface Colour {
  rgb: Rgb
  /** 0 to 1. */
  alpha: number
}

/** What holds for the text in an element. */
export interface Appearance {
  /** Nothing inside can show itself again. */
  isGone: boolean
  isVisible: boolean
  /** Null: one that is not understood. */
  colour: Colour | null
  ground: Rgb
  opacity: number
  fontPx: number
  isIndentedAway: boolean
  variables: Variables | null
}

/** Custom properties, with those of what it stands in. */
interface Variables {
  own: Styles
  outer: Variables | null
}

export const page: Appearance = {
  isGone: false,
  isVisible: true,
  colour: { rgb: [0, 0, 0], alpha: 1 },
  ground: [255, 255, 255],
  opacity: 1,
  fontPx: 16,
  isIndentedAway: false,
  variables: null,
}

/** Text that is smaller or fainter is not readable. */
const leastFontPx = 2.5
const leastDifference = 24
/** Text further outside is not visible. */
const outsidePx = 1_000
const farPx = 5_000
const viewPx = 680

const properties = new Set(
  [
    'display visibility opacity color -webkit-text-fill-color background-color background-image font-size position top right bottom left',
    'text-indent clip clip-path content-visibility filter transform scale translate overflow height max-height width max-width line-height',
    'margin-left margin-top float',
  ].flatMap((line) => line.split(' ')),
)

export const visibilityProperties: PropertySelection = {
  isWanted: (name) => properties.has(name) || name.startsWith('--'),
  expand(name, value) {
    if (name === 'background')
      return [
        ['background-color', colourIn(value)],
        ['background-image', value],
      ]
    if (name === 'font') return [['font-size', /(?:^|\s)(0|[\d.]+(?:[a-z]+|%))(?=[/\s])/.exec(value)?.[1] ?? 'inherit']]
    if (name === 'overflow-x' || name === 'overflow-y') return [['overflow', value]]
    if (name === 'inset')
      return value.split(/\s+/).map((side, at) => [['top', 'right', 'bottom', 'left'][at] ?? '', side])
    if (name === 'margin') {
      const sides = value.split(/\s+/)
      return [
        ['margin-top', sides[0] ?? ''],
        ['margin-left', sides[3] ?? sides[1] ?? sides[0] ?? ''],
      ]
    }
    return [[name, value]]
  },
}

/** Whether text of this appearance is readable. */
export function isRead({ isGone, isVisible, colour, ground, opacity, fontPx, isIndentedAway }: Appearance): boolean {
  if (isGone || !isVisible || fontPx < leastFontPx || isIndentedAway) return false
  if (colour === null) return false
  const difference = Math.max(...colour.rgb.map((part, at) => Math.abs(part - (ground[at] ?? 0))))
  return difference * colour.alpha * opacity >= leastDifference
}

/** The appearance of an element's content. */
export function appearanceInside(outer: Appearance, element: HtmlElement, said: Styles): Appearance {
  const variables = readVariables(outer, said)
  const value = (name: string) => resolved(said.get(name), variables)
  const fontPx = readFontSize(value('font-size'), outer.fontPx)
  const px = (name: string) => readLength(value(name), fontPx, viewPx)
  const indent = px('text-indent')
  const opacity = readAmount(value('opacity'))
  const styled = { element, value, px }
  return {
    isGone: outer.isGone || isUndisplayed(styled) || isOutside(styled) || isClipped(styled),
    isVisible: readVisibility(value('visibility')) ?? outer.isVisible,
    colour: textColour(value, element) ?? outer.colour,
    ground: readGround(value, element, outer.ground),
    opacity: outer.opacity * (opacity ?? 1),
    fontPx,
    isIndentedAway: indent === null ? outer.isIndentedAway : indent <= -outsidePx / 2,
    variables,
  }
}

interface StyledElement {
  element: HtmlElement
  value: (name: string) => string
  px: (name: string) => number | null
}

function isUndisplayed({ element: { name, attributes }, value }: StyledElement): boolean {
  const display = value('display')
  if (display === '') return 'hidden' in attributes || (name === 'dialog' && !('open' in attributes))
  return display === 'none'
}

const sides = ['top', 'right', 'bottom', 'left']

function isOutside({ value, px }: StyledElement): boolean {
  const isPlaced = !['', 'static'].includes(value('position'))
  const isFar = (name: string, most: number) => {
    const at = px(name)
    return at !== null && (at <= -outsidePx || at >= most)
  }
  if (isPlaced && sides.some((side) => isFar(side, farPx))) return true
  if (['margin-left', 'margin-top'].some((side) => isFar(side, farPx))) return true
  return isMoved(`${value('transform')} translate(${value('translate')}) scale(${value('scale')})`)
}

/** Clipped to outside the page, or to nothing. */
function isMoved(transform: string): boolean {
  for (const [, name = '', args = ''] of transform.matchAll(/([a-z0-9]{1,12})\(([^()]{0,200})\)/g)) {
    const parts = args.split(/[\s,]+/).filter(Boolean)
    if (/^scale/.test(name) && parts.some((part) => Number.parseFloat(part) === 0)) return true
    if (/^rotate[xy]$/.test(name) && Math.abs(Number.parseFloat(args)) % 180 === 90) return true
    if (name === 'matrix' && Number(parts[0]) * Number(parts[3]) - Number(parts[1]) * Number(parts[2]) === 0)
      return true
    if (/^translate/.test(name) && parts.some((part) => Math.abs(readLength(part, 16, viewPx) ?? 0) >= outsidePx))
      return true
  }
  return false
}

/** They have a size of their own that what is in them does not change. */
const boxes = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary ul button img'.split(
    ' ',
  ),
)
const isBox = /^(block|inline-block|flex|inline-flex|grid|inline-grid|flow-root|list-item)$/

function isClipped(styled: StyledElement): boolean {
  const { value } = styled
  if (value('content-visibility') === 'hidden' || hidesAll(value('clip-path'))) return true
  if (readAmount(/opacity\(([^()]{0,20})\)/.exec(value('filter'))?.[1]?.trim() ?? '') === 0) return true
  const isAbsolute = ['absolute', 'fixed'].includes(value('position'))
  if (isAbsolute && isEmptyRect(value('clip'))) return true
  return isFlat(styled, isAbsolute)
}

/** Nothing of what it holds has room in it. */
function isFlat({ element, value, px }: StyledElement, isAbsolute: boolean): boolean {
  if (!/^(hidden|clip|scroll|auto)/.test(value('overflow'))) return false
  const display = value('display')
  const isSized = display === '' ? boxes.has(element.name) : isBox.test(display)
  if (!isSized && !isAbsolute && ['', 'none'].includes(value('float'))) return false
  const isNone = (name: string) => (px(name) ?? outsidePx) <= 1
  return ['height', 'max-height', 'width', 'max-width', 'line-height'].some(
    (name) => value(name) !== '' && isNone(name),
  )
}

function isEmptyRect(clip: string): boolean {
  const [, args = ''] = /^rect\(([^()]*)\)$/.exec(clip) ?? []
  const [top, right, bottom, left] = args.split(/[\s,]+/).map((part) => Number.parseFloat(part))
  return (bottom ?? 1) <= (top ?? 0) || (right ?? 1) <= (left ?? 0)
}

function hidesAll(shape: string): boolean {
  const [, name, args = ''] = /^(inset|circle|ellipse|polygon|rect|xywh)\(([^()]*)\)/.exec(shape) ?? []
  if (name === undefined) return false
  const numbers = args.match(/-?[\d.]+/g)?.map(Number) ?? []
  if (name !== 'inset') return (name === 'circle' ? numbers.slice(0, 1) : numbers).every((one) => one === 0)
  const parts = args.split(/\s+/)
  return parts.some((part) => part.endsWith('%') && Number.parseFloat(part) >= 50)
}

function readVisibility(value: string): boolean | null {
  if (value === 'hidden' || value === 'collapse') return false
  return value === 'visible' || value === 'initial' ? true : null
}

/** A part of one, or of a hundred. */
function readAmount(value: string): number | null {
  const amount = Number.parseFloat(value) / (value.endsWith('%') ? 100 : 1)
  return Number.isNaN(amount) ? null : Math.min(1, Math.max(0, amount))
}

function textColour(value: (name: string) => string, { attributes, name }: HtmlElement): Colour | null | undefined {
  const said = value('-webkit-text-fill-color') || value('color')
  if (said !== '') return said === 'initial' ? page.colour : parseColour(said)
  const old = name === 'font' ? attributes['color'] : name === 'body' ? attributes['text'] : undefined
  return old === undefined ? undefined : legacyColour(old)
}

/** Pictures are not loaded; of a gradient its first colour counts. */
function readGround(value: (name: string) => string, { attributes }: HtmlElement, outer: Rgb): Rgb {
  const said = value('background-color')
  const flat = said === '' ? legacyColour(attributes['bgcolor'] ?? '') : parseColour(said)
  const ground = flat ? over(flat, outer) : outer
  const [, gradient = ''] = /gradient\((.*)\)/.exec(value('background-image')) ?? []
  const first = gradient === '' ? undefined : parseColour(colourIn(gradient))
  return first ? over(first, ground) : ground
}

function over({ rgb, alpha }: Colour, [red, green, blue]: Rgb): Rgb {
  const mix = (top: number, below: number) => top * alpha + below * (1 - alpha)
  return [mix(rgb[0], red), mix(rgb[1], green), mix(rgb[2], blue)]
}

/** Undefined: that of what it stands in. Null: one of a kind that is not understood. */
function parseColour(text: string): Colour | null | undefined {
  if (['', 'inherit', 'unset', 'revert', 'currentcolor'].includes(text)) return undefined
  const found = Bun.color(text, '[rgba]')
  if (Array.isArray(found)) {
    const [red, green, blue, alpha] = found
    return { rgb: [red, green, blue], alpha: alpha / 255 }
  }
  if (/^canvas$/.test(text)) return { rgb: page.ground, alpha: 1 }
  return text.includes('(') ? null : undefined
}

/** HTML, 2.3.5, as far as mails write it: with or without its mark. */
function legacyColour(text: string): Colour | null | undefined {
  const colour = text.trim().toLowerCase()
  return /^[\da-f]{6}$|^[\da-f]{3}$/.test(colour) ? parseColour(`#${colour}`) : parseColour(colour)
}

/** The first one in a shorthand or a gradient. */
function colourIn(value: string): string {
  for (const [part] of value.matchAll(/#[\da-f]{3,8}\b|[a-z-]{3,20}\([^()]{0,200}\)|[a-z]{3,24}/g)) {
    if (part.startsWith('url(')) continue
    if (Array.isArray(Bun.color(part, '[rgba]'))) return part
  }
  return 'transparent'
}

const fontSizes: Record<string, string> = {
  'xx-small': '9px',
  'x-small': '10px',
  small: '13px',
  medium: '16px',
  large: '18px',
  'x-large': '24px',
  'xx-large': '32px',
  smaller: '0.83em',
  larger: '1.2em',
}

/** Browsers draw no letters smaller than this that are measured by others, unless they have no size at all. */
const leastRelativePx = 6

function readFontSize(said: string, outerPx: number): number {
  if (said === 'initial') return page.fontPx
  const value = ownValue(fontSizes, said) ?? said
  const size = readLength(value, outerPx, outerPx)
  if (size === null) return outerPx
  return size > 0 && /(em|ex|ch|%)$/.test(value) && !value.endsWith('rem')
    ? Math.max(leastRelativePx, size)
    : Math.max(0, size)
}

const units: Record<string, number> = { px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 37.8, mm: 3.78, q: 0.94, rem: 16 }
const ofFont = new Set(['em', 'ex', 'ch', 'lh', 'ic'])

/** In pixels; null for none. */
function readLength(text: string, fontPx: number, wholePx: number): number | null {
  const [, digits, unit = ''] =
    /^([+-]?(?:\d{1,20}|\d{0,20}\.\d{1,20})(?:e[+-]?\d{1,3})?)([a-z%]{0,5})$/.exec(text) ?? []
  if (digits === undefined) return computed(text, (part) => readLength(part, fontPx, wholePx))
  const n = Number(digits)
  if (unit === '') return n === 0 ? 0 : null
  if (ofFont.has(unit)) return n * fontPx * (unit === 'ex' || unit === 'ch' ? 0.5 : 1)
  if (unit === '%' || /^[sld]?v[wihb]$|^[sld]?vm(in|ax)$/.test(unit)) return (n * wholePx) / 100
  const unitPx = ownValue(units, unit)
  return unitPx === undefined ? null : n * unitPx
}

/** calc(), min() and their like, in the order in which they stand: what mails and their hiding places need of it. */
function computed(text: string, lengthOfPart: (part: string) => number | null): number | null {
  const [, name, inner = ''] = /^(calc|min|max|clamp)\((.*)\)$/.exec(text) ?? []
  if (name === undefined) return null
  const parts = inner.split(',').map((part) => readSum(part, lengthOfPart))
  const numbers = parts.filter((part) => part !== null)
  if (numbers.length < parts.length) return null
  const [least = 0, preferred = 0, most = 0] = numbers
  if (name === 'clamp') return Math.max(least, Math.min(preferred, most))
  return name === 'max' ? Math.max(...numbers) : Math.min(...numbers)
}

function readSum(text: string, lengthOfPart: (part: string) => number | null): number | null {
  let sum: number | null = null
  let sign = '+'
  for (const part of text.trim().split(/\s+|(?=[*/])|(?<=[*/])/)) {
    if (/^[-+*/]$/.test(part)) {
      sign = part
      continue
    }
    const n = lengthOfPart(part) ?? (/^[\d.]+$/.test(part) ? Number(part) : null)
    if (n === null) return null
    if (sum === null) sum = n
    else if (sign === '+') sum += n
    else if (sign === '-') sum -= n
    else sum = sign === '*' ? sum * n : sum / n
  }
  return sum
}

const maxValueChars = 500
const maxPasses = 5

function readVariables({ variables: outer }: Appearance, said: Styles): Variables | null {
  const own = new Map([...said].filter(([name]) => name.startsWith('--')))
  return own.size === 0 ? outer : { own, outer }
}

function findVariable(name: string, variables: Variables | null): string | undefined {
  for (let one = variables; one !== null; one = one.outer) {
    const value = one.own.get(name)
    if (value !== undefined) return value
  }
  return undefined
}

/** With its variables in place. '' for what is not said. */
function resolved(value: string | undefined, variables: Variables | null): string {
  let text = value ?? ''
  for (let pass = 0; pass < maxPasses && text.includes('var('); pass++)
    text = text
      .slice(0, maxValueChars)
      .replace(
        /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*))?\)/g,
        (_, name: string, other = '') => findVariable(name, variables) ?? other.trim(),
      )
  return text
}
