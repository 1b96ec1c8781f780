// Whether Word would show a text: hidden, nearly invisible by its size, or of the colour of what is behind it. It follows the styles by name.
// Where a pattern, a picture or the style of a table is behind, the colour is not judged.

import type { XmlHandler } from './docx-xml.ts'

type Rgb = readonly [red: number, green: number, blue: number]

export interface WordLook {
  /** Hidden text, or text that was deleted while changes were tracked. */
  isGone: boolean
  halfPoints: number
  /** Null: black or white, whichever can be read. */
  colour: Rgb | null
  /** Null: not known. */
  ground: Rgb | null
}

export interface WordLooks {
  /** Of a text without any style. */
  start: WordLook
  /** What a style sets, with those that it is based on. */
  ofStyle(id: string, look: WordLook): WordLook
}

const white: Rgb = [255, 255, 255]
export const plainLook: WordLook = { isGone: false, halfPoints: 20, colour: null, ground: white }
/** Text that is smaller or fainter is not readable. */
const leastHalfPoints = 4
const leastDifference = 24
const maxStyles = 10_000
const maxBased = 20

export function isReadable({ isGone, halfPoints, colour, ground }: WordLook): boolean {
  if (isGone || halfPoints < leastHalfPoints) return false
  return colour === null || ground === null || difference(colour, ground) >= leastDifference
}

function difference(one: Rgb, other: Rgb): number {
  return Math.max(...one.map((value, at) => Math.abs(value - (other[at] ?? 0))))
}

interface Setting {
  name: string
  attributes: Map<string, string>
}

/** With one element of the properties of a run, a paragraph, a cell or a table. */
export function setLook(look: WordLook, { name, attributes, looks }: Setting & { looks: WordLooks }): WordLook {
  const value = attributes.get('val')
  if (name === 'rStyle' || name === 'pStyle') return looks.ofStyle(value ?? '', look)
  // Each of its cells may have another ground.
  if (name === 'tblStyle') return { ...look, ground: null }
  return withSetting(look, { name, attributes })
}

function withSetting(look: WordLook, { name, attributes }: Setting): WordLook {
  const value = attributes.get('val')
  if (name === 'vanish' || name === 'specVanish')
    return { ...look, isGone: !['0', 'false', 'off'].includes(value ?? '') }
  if (name === 'sz') return { ...look, halfPoints: /^\d{1,4}$/.test(value ?? '') ? Number(value) : look.halfPoints }
  if (name === 'color') return { ...look, colour: readColour(value) }
  if (name === 'highlight') return { ...look, ground: value === 'none' ? look.ground : null }
  if (name !== 'shd') return look
  const fill = attributes.get('fill')
  const isPlain = value === undefined || value === 'clear' || value === 'nil'
  if (isPlain && (fill === undefined || fill === 'auto')) return look
  return { ...look, ground: isPlain ? readColour(fill) : null }
}

function readColour(value: string | undefined): Rgb | null {
  if (value === undefined || !/^[0-9a-f]{6}$/i.test(value)) return null
  const number = Number.parseInt(value, 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

interface Style {
  basedOn: string | null
  /** By name; the last of a name holds. */
  settings: Map<string, Setting>
}

/** What `walk` is given is called for each element of the styles of a document. */
export function readLooks(walk: (handler: XmlHandler) => void): WordLooks {
  const all = new Map<string, Style>()
  const defaults: Style = { basedOn: null, settings: new Map() }
  const path: string[] = []
  let current: Style | null = null
  walk({
    open(name, attributes) {
      const parent = path.at(-1)
      path.push(name)
      if (name === 'docDefaults') current = defaults
      if (name === 'style' && all.size < maxStyles) {
        current = { basedOn: null, settings: new Map() }
        all.set(attributes.get('styleId') ?? '', current)
      }
      if (current === null) return
      if (name === 'basedOn') current.basedOn = attributes.get('val') ?? null
      const isOwn = parent === 'pPr' ? name === 'shd' : parent === 'rPr' && !path.includes('tblStylePr')
      if (isOwn && settable.has(name)) current.settings.set(name, { name, attributes })
    },
    close() {
      const name = path.pop()
      if (name === 'style' || name === 'docDefaults') current = null
    },
    text() {},
  })
  const settingsOf = (id: string): Setting[] => {
    const chain: Setting[][] = []
    for (let next: string | null = id; next !== null && chain.length < maxBased; ) {
      const style = all.get(next)
      if (style) chain.unshift([...style.settings.values()])
      next = style?.basedOn ?? null
    }
    return chain.flat()
  }
  return {
    start: [...defaults.settings.values()].reduce(withSetting, plainLook),
    ofStyle: (id, look) => settingsOf(id).reduce(withSetting, look),
  }
}

const settable = new Set(['vanish', 'specVanish', 'sz', 'color', 'highlight', 'shd'])
