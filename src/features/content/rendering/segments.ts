// What a template is compiled to: literal strings, and slots for values. Plain JSON. While rendering, a slot is a marker in the string
// (\0index\0); no input can contain a \0, so a marker cannot be forged.

import { isInlineUrl, isSafeImageUrl, isSafeUrl } from '../../../kit/safe-url.ts'
import { toOneLine } from '../../../kit/text.ts'
import { withoutUndefined } from '../../../kit/without-undefined.ts'
import type { Condition } from './condition.ts'
import { type Placeholder, splitPlaceholders } from './placeholders.ts'

/** How a value is made harmless: by the place it lands in. `address` is the part of a mailto: before the `?`. */
export type Escape = 'text' | 'attribute' | 'url' | 'address' | 'plain' | 'header'

export interface Slot {
  name: string
  /** Where the value is looked up first, when that differs from what the author wrote (contact.first_name). */
  key?: string
  fallback?: string
  escape: Escape
}

/** Repeated for each object of an array variable; slots inside named `item.x` read the object, `#` is the running number. */
export interface Loop {
  each: string
  /** What slots call the object. Default: `item`. */
  as?: string
  start: number
  /** What stands between two repetitions. */
  between: string
  body: Segment[]
}

/** An address with a slot in it: built, checked as a whole and only then written. */
export interface Link {
  url: Segment[]
  into: 'attribute' | 'plain'
  image?: true
}

/** One thing or another, by a value. */
interface Choice {
  when: Condition
  there: Segment[]
  otherwise: Segment[]
}

export type Segment = string | Slot | Loop | Link | Choice

export const numberSlot = '#'
const marker = /\x00(\d+)\x00/
const controls = /[\x00-\x08\x0b-\x1f\x7f]/g

/** Writes template text for one place each and remembers the slots; `segments` turns the finished string into the compiled form. */
export interface Slots {
  text(literal: string): string
  attribute(literal: string): string
  plain(literal: string): string
  header(literal: string): string
  /** Literal parts are escaped by `clean`. */
  within(literal: string, place: Escape, clean: (text: string) => string): string
  link(url: string, into?: 'attribute' | 'plain'): string
  image(url: string): string
  each(loop: { name: string; as?: string; start: number; between: string }, body: string): string
  when(condition: Condition, there: string, otherwise: string): string
  number(): string
  segments(marked: string): Segment[]
}

export function createSlots(): Slots {
  const places: Segment[] = []
  const mark = (segment: Segment) => `\x00${places.push(segment) - 1}\x00`
  const write = (literal: string, place: Escape, clean: (text: string) => string) =>
    literal.includes('{{')
      ? splitPlaceholders(literal)
          .map((part) => (typeof part === 'string' ? clean(part) : mark(slot(part, place))))
          .join('')
      : clean(literal)
  const segments = (marked: string): Segment[] =>
    marked
      .split(marker)
      .map((part, index) => (index % 2 === 0 ? part : (places[Number(part)] ?? '')))
      .filter((segment) => segment !== '')
  const address = (url: string, into: 'attribute' | 'plain', image: boolean) => {
    const parts = urlSegments(url)
    if (parts.every((part) => typeof part === 'string')) return literalUrl(parts.join(''), into, image)
    return mark({ url: parts, into, ...(image ? { image: true as const } : {}) })
  }
  return {
    text: (literal) => write(literal, 'text', (part) => escapeHtml(part).replaceAll('\n', '<br>')),
    attribute: (literal) => write(literal, 'attribute', escapeHtml),
    plain: (literal) => write(literal, 'plain', (part) => part.replace(controls, '')),
    header: (literal) => write(literal, 'header', toOneLine),
    within: write,
    link: (url, into = 'attribute') => address(url, into, false),
    image: (url) => address(url, 'attribute', true),
    each: ({ name, as, start, between }, body) =>
      mark({ each: name, ...withoutUndefined({ as }), start, between, body: segments(body) }),
    when: (condition, there, otherwise) =>
      mark({ when: keyed(condition), there: segments(there), otherwise: segments(otherwise) }),
    number: () => mark({ name: numberSlot, escape: 'plain' }),
    segments,
  }
}

/** `contact.first_name` -> `contact.firstName`; null when the name has no such twin. */
export function camelContactName(name: string): string | null {
  if (!name.startsWith('contact.') || !name.includes('_')) return null
  return name.replace(/(?<!_)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function keyed<T extends { name: string }>(named: T): T & { key?: string } {
  const key = camelContactName(named.name)
  return key === null ? named : { ...named, key }
}

function slot({ name, fallback }: Placeholder, place: Escape): Slot {
  return {
    ...keyed({ name }),
    ...withoutUndefined({ fallback }),
    escape: place,
  }
}

/** A leading slot brings its own scheme and stays as it is; every other is percent-encoded, so it cannot leave its place. */
function urlSegments(url: string): Segment[] {
  let begun = false
  let isAddress = false
  return splitPlaceholders(url.trim()).map((part) => {
    const isFirst = !begun
    begun = true
    if (typeof part !== 'string') return slot(part, isFirst ? 'plain' : isAddress ? 'address' : 'url')
    isAddress = (isFirst ? /^mailto:/i.test(part) : isAddress) && !part.includes('?')
    return part.replaceAll(' ', '%20')
  })
}

function literalUrl(url: string, into: 'attribute' | 'plain', image: boolean): string {
  const safe = image ? isSafeImageUrl(url) || isInlineUrl(url) : isSafeUrl(url)
  if (into === 'plain') return safe ? url : ''
  return safe ? escapeHtml(url) : '#'
}

function escapeHtml(literal: string): string {
  return Bun.escapeHTML(literal.replace(controls, ''))
}
