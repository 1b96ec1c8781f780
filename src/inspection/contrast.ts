// Text that is hard to read: the colours that the HTML says, followed from the page down to each text, by day and in the dark. Read from
// the HTML and not from the tree, so that it is what a reader gets.

import type { Issue } from '../lib/error.ts'
import { contrast, darkRules, readable } from '../rendering/theme.ts'

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
interface Look {
  tag: string
  day: Mode
  dark: Mode
  fontSize: number
  isBold: boolean
}

const piece =
  /\x01([^\x01\x02]*)\x02|\x03|<!--[\s\S]*?-->|<style>[\s\S]*?<\/style>|<(\/?)([a-z][a-z0-9:]*)(?![a-z0-9:])([^>]*)>|[^<\x01\x03]+/gi
const empty = new Set(['meta', 'br', 'hr', 'img'])
const titles = new Set(['title'])
const invisible = /^(?:\s|&nbsp;)*$/
const ofDark = new Map(darkRules.map(([name, rule]) => [name.slice(1), styleOf(rule)]))

interface Faint {
  ratio: number
  color: string
  ground: string
  isLarge: boolean
}

/** For each node the faintest of its texts, by day and in the dark. `html` has its marks (rendering/marks.ts). */
export function contrastFaults(html: string): Issue[] {
  const worst = new Map<string, Faint>()
  const styles = new Map<string, Style>()
  const paths: string[] = []
  const open: Look[] = []
  let look = page
  for (const [text, path, closing, tag, attributes = ''] of html.matchAll(piece)) {
    if (path !== undefined) paths.push(path)
    else if (text === '\x03') paths.pop()
    else if (tag === undefined) {
      if (!text.startsWith('<') && !titles.has(look.tag) && !invisible.test(text))
        note(worst, look, paths.at(-1) ?? 'content')
    } else if (closing) look = open.pop() ?? page
    else if (!empty.has(tag)) {
      open.push(look)
      look = within(look, tag, attributes, styles)
    }
  }
  return [...worst].map(([key, faint]) => issueOf(key, faint))
}

const light: Mode = { color: '#000000', ground: '#ffffff', hidden: false }
const page: Look = { tag: '', day: light, dark: light, fontSize: 16, isBold: false }

function within(outer: Look, tag: string, attributes: string, styles: Map<string, Style>): Look {
  if (attributes === '') return { ...outer, tag, isBold: outer.isBold || tag === 'strong' }
  const own = attribute(attributes, 'style')
  const style = styles.get(own) ?? styleOf(own)
  styles.set(own, style)
  const classes = attribute(attributes, 'class').split(' ')
  const night = classes.reduce((all, name) => Object.assign(all, ofDark.get(name)), { ...style })
  return {
    tag,
    day: modeOf(outer.day, style),
    dark: modeOf(outer.dark, night),
    fontSize: style.fontSize ?? outer.fontSize,
    isBold: style.isBold ?? (outer.isBold || tag === 'strong'),
  }
}

function modeOf(outer: Mode, { color, ground, hidden }: Style): Mode {
  return { color: color ?? outer.color, ground: ground ?? outer.ground, hidden: outer.hidden || hidden === true }
}

function attribute(attributes: string, name: string): string {
  const begin = attributes.indexOf(` ${name}="`)
  if (begin < 0) return ''
  const from = begin + name.length + 3
  return attributes.slice(from, attributes.indexOf('"', from))
}

/** Of declarations as the renderer writes them: colours of six digits, sizes in pixels. */
function styleOf(declarations: string): Style {
  const style: Style = {}
  for (const declaration of declarations.split(';')) {
    const [name = '', value = ''] = declaration.replace('!important', '').split(':')
    if (name === 'color' && value.startsWith('#')) style.color = value
    else if (name === 'background-color') style.ground = value
    else if (name === 'display') style.hidden = value === 'none'
    else if (name === 'font-size') style.fontSize = Number.parseInt(value, 10)
    else if (name === 'font-weight') style.isBold = Number(value) >= 600
  }
  return style
}

function note(worst: Map<string, Faint>, { day, dark, fontSize, isBold }: Look, path: string): void {
  const isLarge = fontSize >= largePx || (isBold && fontSize >= largeBoldPx)
  for (const [mode, { color, ground, hidden }] of [
    ['day', day],
    ['dark', dark],
  ] as const) {
    if (hidden) continue
    const ratio = ratioOf(color, ground)
    const key = `${mode} ${path}`
    if (ratio < readable && ratio < (worst.get(key)?.ratio ?? readable))
      worst.set(key, { ratio, color, ground, isLarge })
  }
}

/** A mail has few colours and many texts. */
const ratios = new Map<string, number>()
const maxRatios = 1_000

function ratioOf(color: string, ground: string): number {
  const key = color + ground
  const ratio = ratios.get(key) ?? contrast(color, ground)
  if (ratios.size >= maxRatios) ratios.clear()
  ratios.set(key, ratio)
  return ratio
}

function issueOf(key: string, { ratio, color, ground, isLarge }: Faint): Issue {
  const [mode, path = ''] = key.split(' ')
  const where = mode === 'dark' ? 'in the dark' : 'by day'
  // Down, for what is shown must not look like enough.
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
