// The text of one page of a PDF as its instructions draw it: each run with its place, its size, and whether a reader would see it. Told are
// text that is not painted, tiny, transparent, outside of the page or of what is cut out of it, in a layer that is off, or of the colour of the
// rectangle behind it. Not told is what a picture, a pattern or another shape is behind or is painted over.

import { OPS } from 'unpdf/pdfjs'

interface Box {
  left: number
  bottom: number
  right: number
  top: number
}

export interface Run {
  text: string
  /** Along the line, and across it: in points, turned so that the line is level. */
  along: number
  across: number
  angle: number
  width: number
  size: number
  isShown: boolean
}

export interface Page {
  view: Box
  isLayerShown(layer: unknown): boolean
}

type Matrix = readonly [number, number, number, number, number, number]
type Rgb = readonly [number, number, number]

/** Text that is smaller, in points, or fainter is not readable. */
const leastSize = 2
const leastDifference = 24
const leastAlpha = 0.1
/** How many of the shapes below a text are looked at. */
const maxGroundsSeen = 1_000

interface State {
  matrix: Matrix
  clip: Box
  alpha: number
  /** Of the groups around it, together. */
  alphaOutside: number
  /** Null: a pattern, or a kind of colour that is not known. */
  fill: Rgb | null
  stroke: Rgb | null
  mode: number
  fontSize: number
  charSpacing: number
  wordSpacing: number
  scale: number
  leading: number
  rise: number
}

interface Ground {
  box: Box
  colour: Rgb | null
}

const identity: Matrix = [1, 0, 0, 1, 0, 0]
const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

const clips = new Set<number>([OPS.clip, OPS.eoClip])
const fills = new Set<number>([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
])
const pictures = new Set<number>([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintInlineImageXObjectGroup,
  OPS.paintImageXObjectRepeat,
  OPS.paintImageMaskXObject,
  OPS.paintImageMaskXObjectGroup,
  OPS.paintImageMaskXObjectRepeat,
  OPS.paintSolidColorImageMask,
])
const begins = new Set<number>([OPS.save, OPS.beginGroup, OPS.paintFormXObjectBegin, OPS.beginAnnotation])
const ends = new Set<number>([OPS.restore, OPS.endGroup, OPS.paintFormXObjectEnd, OPS.endAnnotation])

/** `isComplete`: false where a font does not say which letters it draws. */
export function readRuns(operators: number[], operands: unknown[], page: Page): { runs: Run[]; isComplete: boolean } {
  const drawing = new Drawing(page)
  operators.forEach((operator, at) => {
    const given = operands[at]
    drawing.apply(operator, Array.isArray(given) ? given : [])
  })
  return { runs: drawing.runs, isComplete: drawing.isComplete }
}

class Drawing {
  readonly runs: Run[] = []
  isComplete = true
  readonly #page: Page
  readonly #saved: State[] = []
  readonly #grounds: Ground[] = []
  /** Of each open mark: whether its layer is shown. */
  readonly #layers: boolean[] = []
  #state: State
  #text = identity
  #line = identity
  #isClipNext = false
  /** Since the last move of the page nothing was drawn: a picture that was left out. */
  #mayLackPicture = false

  constructor(page: Page) {
    this.#page = page
    this.#state = {
      matrix: identity,
      clip: page.view,
      alpha: 1,
      alphaOutside: 1,
      fill: black,
      stroke: black,
      mode: 0,
      fontSize: 0,
      charSpacing: 0,
      wordSpacing: 0,
      scale: 1,
      leading: 0,
      rise: 0,
    }
  }

  apply(operator: number, given: unknown[]): void {
    if (begins.has(operator)) this.#begin(operator, given)
    else if (ends.has(operator)) this.#end()
    else if (clips.has(operator)) this.#isClipNext = true
    else if (operator === OPS.constructPath) this.#path(given)
    else if (pictures.has(operator) || operator === OPS.shadingFill) this.#unknownGround()
    else if (operator === OPS.showText) this.#show(given[0])
    else if (!this.#place(operator, given)) this.#set(operator, given)
  }

  #begin(operator: number, given: unknown[]): void {
    this.#saved.push(this.#state)
    this.#state = { ...this.#state }
    this.#mayLackPicture = false
    const matrices =
      operator === OPS.paintFormXObjectBegin ? [given[0]] : operator === OPS.beginAnnotation ? given.slice(2, 4) : []
    if (operator === OPS.beginAnnotation)
      Object.assign(this.#state, { matrix: identity, clip: this.#page.view, alpha: 1 })
    if (operator === OPS.beginGroup) Object.assign(this.#state, { alpha: 1, alphaOutside: this.#alpha() })
    for (const one of matrices) this.#state.matrix = product(this.#state.matrix, toMatrix(one))
  }

  #end(): void {
    if (this.#mayLackPicture) this.#unknownGround()
    this.#state = this.#saved.pop() ?? this.#state
  }

  /** Where text and everything else is drawn. */
  #place(operator: number, given: unknown[]): boolean {
    if (operator === OPS.transform) {
      this.#state.matrix = product(this.#state.matrix, toMatrix(given))
      this.#mayLackPicture = true
    } else if (operator === OPS.beginText) this.#moveTo(identity)
    else if (operator === OPS.setTextMatrix) this.#moveTo(toMatrix(given.length === 1 ? given[0] : given))
    else if (operator === OPS.moveText) this.#moveBy(toNumber(given[0]), toNumber(given[1]))
    else if (operator === OPS.setLeadingMoveText) {
      this.#state.leading = -toNumber(given[1])
      this.#moveBy(toNumber(given[0]), toNumber(given[1]))
    } else if (operator === OPS.nextLine) this.#moveBy(0, -this.#state.leading)
    else return false
    return true
  }

  #set(operator: number, given: unknown[]): void {
    const state = this.#state
    if (operator === OPS.setFont) state.fontSize = toNumber(given[1])
    else if (operator === OPS.setCharSpacing) state.charSpacing = toNumber(given[0])
    else if (operator === OPS.setWordSpacing) state.wordSpacing = toNumber(given[0])
    else if (operator === OPS.setHScale) state.scale = toNumber(given[0]) / 100
    else if (operator === OPS.setLeading) state.leading = toNumber(given[0])
    else if (operator === OPS.setTextRise) state.rise = toNumber(given[0])
    else if (operator === OPS.setTextRenderingMode) state.mode = toNumber(given[0])
    else if (operator === OPS.setFillRGBColor) state.fill = toColour(given[0])
    else if (operator === OPS.setStrokeRGBColor) state.stroke = toColour(given[0])
    else if (operator === OPS.setFillColorN) state.fill = null
    else if (operator === OPS.setStrokeColorN) state.stroke = null
    else if (operator === OPS.setGState) this.#setAlpha(given[0])
    else if (operator === OPS.beginMarkedContentProps)
      this.#layers.push(given[0] !== 'OC' || this.#page.isLayerShown(given[1]))
    else if (operator === OPS.beginMarkedContent) this.#layers.push(true)
    else if (operator === OPS.endMarkedContent) this.#layers.pop()
  }

  #setAlpha(given: unknown): void {
    for (const one of Array.isArray(given) ? given : []) {
      if (Array.isArray(one) && one[0] === 'ca') this.#state.alpha = toNumber(one[1])
    }
  }

  #alpha(): number {
    return this.#state.alpha * this.#state.alphaOutside
  }

  #moveTo(matrix: Matrix): void {
    this.#text = this.#line = matrix
  }

  #moveBy(x: number, y: number): void {
    this.#moveTo(product(this.#line, [1, 0, 0, 1, x, y]))
  }

  #path([operator, paths, given]: unknown[]): void {
    this.#mayLackPicture = false
    const bounds = toNumbers(given)
    const box = bounds.length === 4 ? transformed(this.#state.matrix, bounds) : null
    if (this.#isClipNext) {
      this.#isClipNext = false
      this.#state.clip = box === null ? nothing : common(this.#state.clip, box)
    }
    if (box === null || !fills.has(toNumber(operator)) || this.#alpha() < leastAlpha) return
    const isKnown = this.#alpha() === 1 && isRectangle(toNumbers(Array.isArray(paths) ? paths[0] : null), bounds)
    this.#grounds.push({ box: common(box, this.#state.clip), colour: isKnown ? this.#state.fill : null })
  }

  /** In the square that a picture is drawn into. */
  #unknownGround(): void {
    this.#mayLackPicture = false
    this.#grounds.push({ box: transformed(this.#state.matrix, [0, 0, 1, 1]), colour: null })
  }

  #show(glyphs: unknown): void {
    this.#mayLackPicture = false
    if (!Array.isArray(glyphs)) return
    const { fontSize, scale, rise, charSpacing, wordSpacing } = this.#state
    const whole = product(this.#state.matrix, this.#text)
    const drawn = { text: '', from: 0 }
    let at = 0
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        const gap = (-glyph / 1000) * fontSize * scale
        // Between words that have no space of their own.
        if (gap > wordGap * Math.abs(fontSize) && !drawn.text.endsWith(' ')) drawn.text += ' '
        at += gap
      } else if (typeof glyph === 'object' && glyph !== null) {
        const { unicode, width, isSpace } = glyph as { unicode?: unknown; width?: unknown; isSpace?: unknown }
        drawn.text += this.#letters(unicode)
        at += ((toNumber(width) / 1000) * fontSize + charSpacing + (isSpace === true ? wordSpacing : 0)) * scale
      }
    }
    this.#text = product(this.#text, [1, 0, 0, 1, at, 0])
    if (drawn.text !== '') this.#add(drawn.text, { whole: product(whole, [1, 0, 0, 1, 0, rise]), width: at })
  }

  #letters(unicode: unknown): string {
    if (typeof unicode === 'string' && unicode !== '' && !/[\0\ufffd\ue000-\uf8ff]/.test(unicode)) return unicode
    this.isComplete = false
    return ''
  }

  #add(text: string, { whole, width }: { whole: Matrix; width: number }): void {
    const [a, b, c, d, x, y] = whole
    const forward = this.#state.fontSize < 0 ? -1 : 1
    const angle = Math.atan2(b * forward, a * forward)
    const size = Math.hypot(c, d) * Math.abs(this.#state.fontSize)
    const box = transformed(whole, [0, 0, width, this.#state.fontSize / 2])
    this.runs.push({
      text,
      along: x * Math.cos(angle) + y * Math.sin(angle),
      across: y * Math.cos(angle) - x * Math.sin(angle),
      angle,
      width: Math.abs(width) * Math.hypot(a, b),
      size,
      isShown: size >= leastSize && Math.hypot(a, b) > 0 && this.#isSeen(box),
    })
  }

  #isSeen(box: Box): boolean {
    const { mode, fill, stroke, clip } = this.#state
    if (this.#alpha() < leastAlpha || this.#layers.includes(false) || isEmpty(common(box, clip))) return false
    const isFilled = mode === 0 || mode === 2 || mode === 4 || mode === 6
    const isOutlined = mode === 1 || mode === 2 || mode === 5 || mode === 6
    const ground = this.#groundOf(box)
    return (isFilled && differs(fill, ground)) || (isOutlined && differs(stroke, ground))
  }

  /** What was drawn last where the middle of the text is. */
  #groundOf({ left, right, bottom, top }: Box): Rgb | null {
    const [x, y] = [(left + right) / 2, (bottom + top) / 2]
    const last = Math.max(0, this.#grounds.length - maxGroundsSeen)
    for (let at = this.#grounds.length - 1; at >= last; at--) {
      const ground = this.#grounds[at]
      if (ground !== undefined && isInside(x, y, ground.box)) return ground.colour
    }
    return last > 0 ? null : white
  }
}

/** Of the size of the font. */
export const wordGap = 0.18
const nothing: Box = { left: 0, bottom: 0, right: 0, top: 0 }

function differs(one: Rgb | null, other: Rgb | null): boolean {
  if (one === null || other === null) return true
  return one.some((value, at) => Math.abs(value - (other[at] ?? 0)) >= leastDifference)
}

/** The points of one closed way around: numbers of the steps (move, line, close) with their places. */
function isRectangle(path: number[], [left, bottom, right, top]: number[]): boolean {
  if (path.length < 12 || path.length > 16) return false
  let corners = 0
  for (let at = 0; at + 2 < path.length && path[at] !== closes; at += 3) {
    const [step, x, y] = path.slice(at, at + 3)
    const isCorner = (x === left || x === right) && (y === bottom || y === top)
    if (!isCorner || step !== (at === 0 ? moves : draws)) return false
    corners++
  }
  return corners >= 4
}

const [moves, draws, closes] = [0, 1, 4]

function product([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

function transformed([a, b, c, d, e, f]: Matrix, [left = 0, bottom = 0, right = 0, top = 0]: number[]): Box {
  const xs = [a * left + c * bottom, a * left + c * top, a * right + c * bottom, a * right + c * top].map((x) => x + e)
  const ys = [b * left + d * bottom, b * left + d * top, b * right + d * bottom, b * right + d * top].map((y) => y + f)
  return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) }
}

function common(one: Box, other: Box): Box {
  return {
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
    top: Math.min(one.top, other.top),
  }
}

function isEmpty({ left, right, bottom, top }: Box): boolean {
  return !(left < right && bottom < top)
}

function isInside(x: number, y: number, { left, right, bottom, top }: Box): boolean {
  return x >= left && x <= right && y >= bottom && y <= top
}

/** A colour as pdf.js gives it, `#rrggbb`. */
function toColour(given: unknown): Rgb | null {
  if (typeof given !== 'string' || !/^#[0-9a-f]{6}$/i.test(given)) return null
  const number = Number.parseInt(given.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

function toMatrix(given: unknown): Matrix {
  const [a, b, c, d, e, f] = toNumbers(given)
  return f === undefined ? identity : [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f]
}

function toNumbers(given: unknown): number[] {
  if (given instanceof Float32Array || given instanceof Float64Array) return [...given]
  return Array.isArray(given) ? given.map(toNumber) : []
}

function toNumber(given: unknown): number {
  return typeof given === 'number' && Number.isFinite(given) ? given : 0
}
