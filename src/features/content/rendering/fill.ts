// Fills a compiled template: the hot path of every send. One pass, own keys only, escaped by context. A value is never parsed as a
// template, HTML or Markdown, and only text, numbers and booleans are ever shown.

import { isSafeImageUrl, isSafeUrl } from '../../../kit/safe-url.ts'
import { toOneLine } from '../../../kit/text.ts'
import { type Escape, type Link, type Loop, numberSlot, type Segment, type Slot } from './segments.ts'

/** Looked up as `values['contact.firstName']` first, then as `values.contact.firstName`, by own keys. */
export type Values = Record<string, unknown>

/** How many objects of a list variable are shown; checkVariables refuses more. */
export const maxListItems = 1_000

const bodyControls = /[\x00-\x08\x0b-\x1f\x7f]/
const everyBodyControl = /\r\n?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g
const noItem: Values = {}

/** The finished text. A name without a value gives its fallback, or nothing. */
export function fill(segments: Segment[], values: Values): string {
  return fillAll(segments, values, noItem, 0)
}

/** At least the number of characters that fill() would produce before escaping, to refuse a mail that is too long before filling it. */
export function mostChars(segments: Segment[], values: Values): number {
  return segments.reduce((sum, segment) => {
    if (typeof segment === 'string') return sum + segment.length
    if ('name' in segment)
      return sum + slotChars + (segment.fallback?.length ?? 0) + charsIn(lookUp(values, segment.name))
    if ('url' in segment) return sum + mostChars(segment.url, values)
    const items: unknown = lookUp(values, segment.each)
    if (!Array.isArray(items)) return sum
    const slots = segment.body.filter((part) => typeof part !== 'string').length
    return sum + items.length * (mostChars(segment.body, values) + segment.between.length) + slots * charsIn(items)
  }, 0)
}

/** What looking up a value counts for. */
const slotChars = 16

function charsIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + charsIn(item), 0)
  return isRecord(value) ? Object.values(value).reduce((sum: number, item) => sum + charsIn(item), 0) : slotChars
}

/** The value of a dotted name, or undefined. Never reaches a prototype. */
export function lookUp(values: Values, name: string): unknown {
  if (Object.hasOwn(values, name)) return values[name]
  if (!name.includes('.')) return undefined
  let current: unknown = values
  for (const key of name.split('.')) {
    if (!isRecord(current) || !Object.hasOwn(current, key)) return undefined
    current = current[key]
  }
  return current
}

function fillAll(segments: Segment[], values: Values, item: Values, number: number): string {
  let out = ''
  for (const segment of segments) {
    if (typeof segment === 'string') out += segment
    else if ('name' in segment) out += fillSlot(segment, values, item, number)
    else if ('url' in segment) out += fillLink(segment, values, item, number)
    else out += fillLoop(segment, values)
  }
  return out
}

function fillSlot(slot: Slot, values: Values, item: Values, number: number): string {
  const text = toText(slotValue(slot, values, item, number))
  return escapeFor(text === '' ? (slot.fallback ?? '') : text, slot.escape)
}

function slotValue(slot: Slot, values: Values, item: Values, number: number): unknown {
  if (slot.name === numberSlot) return number
  if (item !== noItem && slot.name.startsWith('item.')) return lookUp(item, slot.name.slice('item.'.length))
  if (slot.key === undefined) return lookUp(values, slot.name)
  return lookUp(values, slot.name) ?? lookUp(values, slot.key)
}

function fillLink(link: Link, values: Values, item: Values, number: number): string {
  const url = fillAll(link.url, values, item, number).trim().replaceAll(' ', '%20')
  const safe = link.image ? isSafeImageUrl(url) : isSafeUrl(url)
  if (link.into === 'plain') return safe ? url : ''
  return safe ? Bun.escapeHTML(url) : '#'
}

function fillLoop(loop: Loop, values: Values): string {
  const items: unknown = lookUp(values, loop.each)
  if (!Array.isArray(items)) return ''
  let out = ''
  let number = loop.start
  for (const item of items.slice(0, maxListItems)) {
    if (!isRecord(item)) continue
    out += (number === loop.start ? '' : loop.between) + fillAll(loop.body, values, item, number)
    number += 1
  }
  return out
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function escapeFor(text: string, place: Escape): string {
  switch (place) {
    case 'text': {
      const escaped = Bun.escapeHTML(bodyText(text))
      return escaped.includes('\n') ? escaped.replaceAll('\n', '<br>') : escaped
    }
    case 'attribute':
      return Bun.escapeHTML(bodyText(text))
    case 'url':
      return encodeURIComponent(text.toWellFormed())
    case 'address':
      return encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@')
    case 'plain':
      return bodyText(text)
    case 'header':
      return toOneLine(text)
  }
}

function bodyText(text: string): string {
  if (!bodyControls.test(text)) return text
  return text.replace(everyBodyControl, (control) => (control.startsWith('\r') ? '\n' : ''))
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
