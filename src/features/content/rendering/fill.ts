// Fills a compiled template: the hot path of every send. One pass, own keys only, escaped by context. A value is never parsed as a
// template, HTML or Markdown, and only text, numbers and booleans are ever shown.

import { isSafeImageUrl, isSafeUrl } from '../../../kit/safe-url.ts'
import { toOneLine } from '../../../kit/text.ts'
import { isMet } from './condition.ts'
import { type Escape, type Link, type Loop, numberSlot, type Segment, type Slot } from './segments.ts'

/** Looked up as `values['contact.firstName']` first, then as `values.contact.firstName`, by own keys. */
export type Values = Record<string, unknown>

/** How many objects of a list variable are shown; checkVariables refuses more. */
export const maxListItems = 1_000

const bodyControls = /[\x00-\x08\x0b-\x1f\x7f]/
const everyBodyControl = /\r\n?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g

/** The object that a loop is at, within those of the loops around it. */
interface Scope {
  /** `item.`: how the names of its fields begin. */
  prefix: string
  item: Values
  number: number
  outer: Scope | null
}

/** The finished text. A name without a value gives its fallback, or nothing. */
export function fill(segments: Segment[], values: Values): string {
  return fillAll(segments, values, null)
}

/** At least the number of characters that fill() would produce before escaping, to refuse a mail that is too long before filling it. */
export function mostChars(segments: Segment[], values: Values): number {
  return charsOf(segments, values, null)
}

function charsOf(segments: Segment[], values: Values, scope: Scope | null): number {
  return segments.reduce((sum, segment) => {
    if (typeof segment === 'string') return sum + segment.length
    if ('name' in segment)
      return sum + slotChars + (segment.fallback?.length ?? 0) + charsIn(valueIn(segment, values, scope))
    if ('url' in segment) return sum + charsOf(segment.url, values, scope)
    if ('when' in segment)
      return (
        sum + slotChars + Math.max(charsOf(segment.there, values, scope), charsOf(segment.otherwise, values, scope))
      )
    return scopesOf(segment, values, scope).reduce(
      (all, inside) => all + segment.between.length + charsOf(segment.body, values, inside),
      sum,
    )
  }, 0)
}

/** What looking up a value counts for. */
const slotChars = 16

function charsIn(value: unknown): number {
  return typeof value === 'string' ? value.length : slotChars
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

function fillAll(segments: Segment[], values: Values, scope: Scope | null): string {
  let out = ''
  for (const segment of segments) {
    if (typeof segment === 'string') out += segment
    else if ('name' in segment) out += fillSlot(segment, values, scope)
    else if ('url' in segment) out += fillLink(segment, values, scope)
    else if ('when' in segment) {
      const { when, there, otherwise } = segment
      out += fillAll(isMet(when, valueIn(when, values, scope)) ? there : otherwise, values, scope)
    } else out += fillLoop(segment, values, scope)
  }
  return out
}

function fillSlot(slot: Slot, values: Values, scope: Scope | null): string {
  const text = toText(valueIn(slot, values, scope))
  return escapeFor(text === '' ? (slot.fallback ?? '') : text, slot.escape)
}

function valueIn({ name, key }: { name: string; key?: string }, values: Values, scope: Scope | null): unknown {
  if (name === numberSlot) return scope?.number
  for (let at = scope; at !== null; at = at.outer)
    if (name.startsWith(at.prefix)) return lookUp(at.item, name.slice(at.prefix.length))
  const value = lookUp(values, name)
  return key === undefined ? value : (value ?? lookUp(values, key))
}

function fillLink(link: Link, values: Values, scope: Scope | null): string {
  const url = fillAll(link.url, values, scope).trim().replaceAll(' ', '%20')
  const safe = link.image ? isSafeImageUrl(url) : isSafeUrl(url)
  if (link.into === 'plain') return safe ? url : ''
  return safe ? Bun.escapeHTML(url) : '#'
}

function fillLoop(loop: Loop, values: Values, outer: Scope | null): string {
  return scopesOf(loop, values, outer)
    .map((scope) => fillAll(loop.body, values, scope))
    .join(loop.between)
}

/** One for each object of its list. */
function scopesOf({ each, as = 'item', start }: Loop, values: Values, outer: Scope | null): Scope[] {
  const items: unknown = valueIn({ name: each }, values, outer)
  if (!Array.isArray(items)) return []
  const objects = items.slice(0, maxListItems).filter(isRecord)
  return objects.map((item, index) => ({ prefix: `${as}.`, item, number: start + index, outer }))
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
