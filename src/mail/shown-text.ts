// Extracts the text of an HTML mail that a browser would show, and the text that it would hide: hidden text is kept from agents and marked
// for people. It is not a sanitizer: show its result as text only.

import { createCascade, type Styles } from '../kit/html-cascade.ts'
import { type HtmlDocument, type HtmlElement, isElement, parseHtml } from '../kit/html-parse.ts'
import { type Appearance, appearanceInside, isRead, page, visibilityProperties } from '../kit/html-shown.ts'
import { TooMuchStyle } from '../kit/html-style-rules.ts'
import { passageMark } from '../kit/visible.ts'

export interface ShownText {
  /** With `passageMark` where something is hidden. */
  text: string
  /** What is hidden, in the order of the marks. */
  passages: string[]
}

const blocks = new Set(
  'address article blockquote br center div dl dd dt form h1 h2 h3 h4 h5 h6 hr li ol p pre section table tr ul'.split(
    ' ',
  ),
)
const empty = new Set(['br', 'hr'])
/** What they hold is for programs, or stands in for something. */
const notText = new Set(
  'style script head title template noembed noframes iframe audio video canvas datalist'.split(' '),
)
const ofDrawing = new Set('title desc metadata defs'.split(' '))
const maxPassageChars = 2_000

/** Null for HTML that cannot be read in a bounded time. */
export function shownText(html: string): ShownText | null {
  const document = parseHtml(html)
  if ('fault' in document) return null
  try {
    return read(document, html.length)
  } catch (error) {
    if (error instanceof TooMuchStyle || error instanceof RangeError) return null
    throw error
  }
}

function read({ root, doctype }: HtmlDocument, chars: number): ShownText {
  const stylesOf = createCascade(root, { ...visibilityProperties, chars, isQuirky: doctype === null })
  const writer = createWriter()
  walk(root, page, stylesOf, writer)
  return writer.done()
}

type Writer = ReturnType<typeof createWriter>

function walk(
  element: HtmlElement,
  outer: Appearance,
  stylesOf: (element: HtmlElement) => Styles,
  writer: Writer,
): void {
  const { name, children, isForeign } = element
  if (notText.has(name) || (isForeign && ofDrawing.has(name))) return
  const look = appearanceInside(outer, element, stylesOf(element))
  const isShown = isRead(look)
  const isBlock = !isForeign && blocks.has(name)
  if (isBlock) writer.line()
  const folded = name === 'details' && !('open' in element.attributes) ? { ...look, isGone: true } : look
  const summary = folded === look ? undefined : children.find((one) => isElement(one) && one.name === 'summary')
  for (const child of children) {
    if (typeof child === 'string') writer.add(child, isShown && folded === look)
    else if (isElement(child)) walk(child, child === summary ? look : folded, stylesOf, writer)
  }
  if (isBlock && !empty.has(name)) writer.line()
}

/** Collects text in the order of the document, what is hidden in passages. */
function createWriter() {
  const parts: string[] = []
  const passages: string[] = []
  let hidden = ''
  const endPassage = () => {
    const passage = hidden.replace(/\s+/g, ' ').trim()
    hidden = ''
    if (passage === '') return
    passages.push(passage.slice(0, maxPassageChars))
    parts.push(passageMark)
  }
  return {
    add(text: string, isShown: boolean): void {
      const clean = text.replaceAll(passageMark, '')
      if (!isShown) {
        hidden += clean
        return
      }
      if (clean.trim() !== '') endPassage()
      parts.push(clean.replace(/\s+/g, ' '))
    },
    line(): void {
      if (hidden === '') parts.push('\n')
      else hidden += ' '
    },
    done(): ShownText {
      endPassage()
      const text = parts
        .join('')
        .split('\n')
        .map((line) => line.trim())
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim()
      return { text, passages }
    },
  }
}
