// The text of a mail that was brought as HTML: what a browser would show of it, a paragraph for each block, with the addresses of its links.
// What is hidden, such as the words for a list of mails, is not repeated.

import { createCascade, type Styles } from '../../../../kit/html-cascade.ts'
import { type HtmlDocument, type HtmlElement, isElement } from '../../../../kit/html-parse.ts'
import { type Appearance, appearanceInside, page, visibilityProperties } from '../../../../kit/html-shown.ts'
import { TooMuchStyle } from '../../../../kit/html-style-rules.ts'
import type { Slots } from '../segments.ts'
import { wrap } from '../text-copy.ts'
import { safeLink } from './urls.ts'

const paragraphs = new Set('p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre hr address article section'.split(' '))
const lines = new Set('br center dd div dt figcaption footer header li main nav tr'.split(' '))
const notText = new Set('style script head title template noembed noframes iframe'.split(' '))
const leastFontPx = 2

type Copy = ReturnType<typeof createCopy>

/** With the marks of `slots`. `chars`: the length of the source. */
export function plainCopy({ root, doctype }: HtmlDocument, slots: Slots, chars: number): string {
  try {
    const stylesOf = createCascade(root, { ...visibilityProperties, chars, isQuirky: doctype === null })
    return copyOf(root, slots, stylesOf)
  } catch (error) {
    if (!(error instanceof TooMuchStyle)) throw error
    // Whoever hides words by sheets that nobody reads in time shows them here.
    return copyOf(root, slots, () => noStyles)
  }
}

const noStyles: Styles = new Map()

function copyOf(root: HtmlElement, slots: Slots, stylesOf: (element: HtmlElement) => Styles): string {
  const copy = createCopy()
  walk(root, page, { slots, stylesOf, copy })
  return copy.done()
}

interface Walk {
  slots: Slots
  stylesOf: (element: HtmlElement) => Styles
  copy: Copy
}

function walk(element: HtmlElement, outer: Appearance, by: Walk): void {
  const { name, attributes, children, isForeign } = element
  if (isForeign || notText.has(name)) return
  const look = appearanceInside(outer, element, by.stylesOf(element))
  const isShown = look.isVisible && look.fontPx >= leastFontPx && look.opacity > 0
  if (look.isGone) return
  const { copy, slots } = by
  const gap = paragraphs.has(name) ? 2 : lines.has(name) ? 1 : 0
  copy.line(gap)
  if (name === 'li') copy.add('- ')
  if (name === 'td' || name === 'th') copy.add(' ')
  if (name === 'img' && isShown) copy.add(words(attributes['alt'] ?? '', slots))
  const from = copy.length()
  for (const child of children) {
    if (typeof child === 'string') isShown && copy.add(words(child, slots))
    else if (isElement(child)) walk(child, look, by)
  }
  if (name === 'a' && attributes['href'] !== undefined) copy.leadsTo(from, addressOf(attributes['href'], slots))
  if (name !== 'br') copy.line(gap)
}

const words = (text: string, slots: Slots) => slots.plain(text.replace(/\s+/g, ' '))

function addressOf(href: string, slots: Slots): string {
  const url = href.includes('{{') ? href : safeLink(href)
  return url === null || url.startsWith('#') ? '' : slots.link(url, 'plain')
}

function createCopy() {
  const parts: string[] = []
  return {
    length: () => parts.length,
    add: (text: string) => void parts.push(text),
    line: (count: number) => void (count > 0 && parts.push('\n'.repeat(count))),
    /** Behind what was added since. */
    leadsTo(from: number, url: string): void {
      if (url === '') return
      const label = parts.splice(from).join('').replace(/\s+/g, ' ')
      const said = label.trim()
      parts.push(said === '' || said === url || `mailto:${said}` === url ? url : `${label.trimEnd()} (${url})`)
    },
    done(): string {
      const text = parts
        .join('')
        .split('\n')
        .map((line) => wrap(line.replace(/ +/g, ' ').trim()))
        .join('\n')
      return `${text.replace(/\n{3,}/g, '\n\n').trim()}\n`
    },
  }
}
