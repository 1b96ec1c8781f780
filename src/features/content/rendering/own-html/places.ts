// Where the parts of a mail stand in its source, so that an editor can show the one for the other: `content@120-180`, in characters. HTML is
// parsed with its places; MJML carries them through its compiler in comments and behind the addresses of pictures.

import { type HtmlDocument, type HtmlElement, isElement } from '../../../../kit/html-parse.ts'
import type { SourceKind } from '../content.ts'

const placeName = (from: number, to: number) => `content@${from}-${to}`

const attributes = `(?:[^<>"'/]|"[^"<>]*"|'[^'<>]*'|/(?!>)){0,2000}`
/** Where an element begins in whose words the compiler changes nothing, and a picture up to the end of its address. */
const carriers = new RegExp(
  `<mj-(?:text|button|table|navbar-link|social-element|accordion-title|accordion-text)\\b${attributes}>|<mj-image\\b${attributes}?\\ssrc="[^"<>#]*(?=")`,
  'g',
)

/** To be compiled and shown, not to be sent. */
export function withPlaces(mjml: string): string {
  return mjml.replace(carriers, (tag, at: number) => {
    const place = `at:${at}-${at + tag.length}`
    return tag.endsWith('>') ? `${tag}<!--${place}-->` : `${tag}#${place}`
  })
}

const comment = /^at:(\d+)-(\d+)$/
const fragment = /#at:(\d+)-(\d+)$/

/** The elements that say something, by their place. What carried it is taken away. */
export function readPlaces({ root }: HtmlDocument, kind: SourceKind): Map<HtmlElement, string> {
  const places = new Map<HtmlElement, string>()
  const waiting = [root]
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const at = kind === 'html' ? ofHtml(element) : takenFrom(element)
    if (at !== null) places.set(element, at)
    waiting.push(...element.children.filter(isElement))
  }
  return places
}

function ofHtml({ name, at, children }: HtmlElement): string | null {
  const says = name === 'img' || name === 'hr' || children.some((one) => typeof one === 'string' && one.trim() !== '')
  return says && at ? placeName(at.from, at.to) : null
}

function takenFrom(element: HtmlElement): string | null {
  const { attributes, children } = element
  const [, pictureFrom, pictureTo] = fragment.exec(attributes['src'] ?? '') ?? []
  if (pictureFrom !== undefined) {
    attributes['src'] = (attributes['src'] ?? '').replace(fragment, '')
    return placeName(Number(pictureFrom), Number(pictureTo))
  }
  const carrier = children.findIndex((one) => typeof one === 'object' && 'comment' in one && comment.test(one.comment))
  const found = children[carrier]
  if (typeof found !== 'object' || !('comment' in found)) return null
  const [, from = '', to = ''] = comment.exec(found.comment) ?? []
  children.splice(carrier, 1)
  return placeName(Number(from), Number(to))
}
