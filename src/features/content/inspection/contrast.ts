// Finds text that is hard to read: follows the colours of the HTML from the page down to each text, in light and in dark mode. It reads the
// HTML and not the component tree, because the HTML is what a reader gets.

import { contrast, readable, sixDigits } from '../../../kit/colour.ts'
import type { Issue } from '../../../kit/error.ts'
import { type HtmlElement, parseHtml } from '../../../kit/html-parse.ts'
import { followMark } from '../rendering/marks.ts'
import { darkRules } from '../rendering/theme.ts'

/** WCAG 2.2, 1.4.3: enough for text of 24 px, or of 19 px where it is bold. */
const readableWhenLarge = 3
const largePx = 24
const largeBoldPx = 18.66

interface Style {
  color?: string
  ground?: string
  hidden?: boolean
  fontSize?: number
  isBold?: boolean
}

interface Mode {
  color: string
  ground: string
  hidden: boolean
}

/** What holds for the text in an element. */
interface TextStyle {
  day: Mode
  dark: Mode
  fontSize: number
  isBold: boolean
}

/** Their text is not shown in the mail. */
const unseen = new Set(['title', 'style', 'script', 'template'])
const ofDark = new Map(darkRules.map(([name, rule]) => [name.slice(1), parseStyle(rule)]))

interface Faint {
  ratio: number
  color: string
  ground: string
  isLarge: boolean
}

/** For each node the faintest of its texts, by day and in the dark. The HTML says in comments which node made what (features/content/rendering/marks.ts). */
export function contrastFaults(html: string): Issue[] {
  const document = parseHtml(html)
  return 'fault' in document ? [] : contrastIn(document.root)
}

/** Of HTML that says no nodes, all at one place. */
export function contrastIn(root: HtmlElement): Issue[] {
  const worst = new Map<string, Faint>()
  const styles = new Map<string, Style>()
  const paths: string[] = []
  const walk = (element: HtmlElement, outer: TextStyle) => {
    if (unseen.has(element.name)) return
    const look = styleInside(outer, element, styles)
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (child.trim() !== '') note(worst, look, paths.at(-1) ?? 'content')
      } else if ('comment' in child) followMark(paths, child.comment)
      else walk(child, look)
    }
  }
  walk(root, page)
  return [...worst].map(([key, faint]) => toIssue(key, faint))
}

const light: Mode = { color: '#000000', ground: '#ffffff', hidden: false }
const page: TextStyle = { day: light, dark: light, fontSize: 16, isBold: false }

function styleInside(outer: TextStyle, { name, attributes }: HtmlElement, styles: Map<string, Style>): TextStyle {
  const isStrong = name === 'strong' || name === 'b'
  const { style: own = '', class: names = '' } = attributes
  if (own === '' && names === '') return isStrong ? { ...outer, isBold: true } : outer
  const style = styles.get(own) ?? parseStyle(own)
  styles.set(own, style)
  const night = names.split(' ').reduce((all, one) => Object.assign(all, ofDark.get(one)), { ...style })
  return {
    day: toMode(outer.day, style),
    dark: toMode(outer.dark, night),
    fontSize: style.fontSize ?? outer.fontSize,
    isBold: style.isBold ?? (outer.isBold || isStrong),
  }
}

function toMode(outer: Mode, { color, ground, hidden }: Style): Mode {
  return { color: color ?? outer.color, ground: ground ?? outer.ground, hidden: outer.hidden || hidden === true }
}

/** Of declarations as the renderer writes them: colours of six digits, sizes in pixels. */
function parseStyle(declarations: string): Style {
  const style: Style = {}
  for (const declaration of declarations.split(';')) {
    const [name = '', value = ''] = declaration.replace('!important', '').split(':')
    if (name === 'color' && value.startsWith('#')) style.color = sixDigits(value)
    else if (name === 'background-color') style.ground = value.startsWith('#') ? sixDigits(value) : value
    else if (name === 'display') style.hidden = value === 'none'
    else if (name === 'font-size') style.fontSize = Number.parseInt(value, 10)
    else if (name === 'font-weight') style.isBold = Number(value) >= 600
  }
  return style
}

function note(worst: Map<string, Faint>, { day, dark, fontSize, isBold }: TextStyle, path: string): void {
  const isLarge = fontSize >= largePx || (isBold && fontSize >= largeBoldPx)
  for (const [mode, { color, ground, hidden }] of [
    ['day', day],
    ['dark', dark],
  ] as const) {
    if (hidden) continue
    const ratio = contrastRatio(color, ground)
    const key = `${mode} ${path}`
    if (ratio < readable && ratio < (worst.get(key)?.ratio ?? readable))
      worst.set(key, { ratio, color, ground, isLarge })
  }
}

/** A mail has few colours and many texts. */
const ratios = new Map<string, number>()
const maxRatios = 1_000

function contrastRatio(color: string, ground: string): number {
  const key = color + ground
  const ratio = ratios.get(key) ?? contrast(color, ground)
  if (ratios.size >= maxRatios) ratios.clear()
  ratios.set(key, ratio)
  return ratio
}

function toIssue(key: string, { ratio, color, ground, isLarge }: Faint): Issue {
  const [mode, path = ''] = key.split(' ')
  const where = mode === 'dark' ? 'in the dark' : 'by day'
  // Rounded down, so that an insufficient ratio never looks sufficient.
  const shown = (Math.floor(ratio * 10) / 10).toFixed(1)
  const said = `${color} on ${ground} is ${shown} : 1 ${where}`
  if (isLarge && ratio >= readableWhenLarge)
    return {
      path,
      code: 'low_contrast_large',
      message: `${said}: enough for letters of this size, not for small ones.`,
    }
  return { path, code: 'low_contrast', message: `${said}; ${readable} : 1 is what most people can read.` }
}
