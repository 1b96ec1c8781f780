// What a client is shown of the result of a tool: what strangers wrote as a person would see it, and no more than the context of a model
// holds. What is left out is said, and how to get it.

import type { Touches } from '../../core/http/operation.ts'
import { AppError } from '../../kit/error.ts'
import { visible } from '../../kit/visible.ts'
import { changedInside } from './untrusted.ts'

/** What is left of the 64 KB that an answer may have, in bytes of UTF-8, is for what a tool writes around it. */
const maxBytes = 48 * 1024
const maxNotes = 20
/** Of no use in part. */
const whole = /^(?:pagination\.)?(?:nextCursor|nextPage)$/

/** How much of each text (in characters), of each list inside of another value, and of the list that was asked for is shown. */
const measures = [
  { text: 12_000, inner: Number.POSITIVE_INFINITY, outer: Number.POSITIVE_INFINITY },
  { text: 4_000, inner: Number.POSITIVE_INFINITY, outer: Number.POSITIVE_INFINITY },
  { text: 1_000, inner: 50, outer: Number.POSITIVE_INFINITY },
  { text: 300, inner: 10, outer: Number.POSITIVE_INFINITY },
  { text: 300, inner: 10, outer: 50 },
  { text: 300, inner: 10, outer: 20 },
  { text: 100, inner: 5, outer: 10 },
  { text: 100, inner: 2, outer: 5 },
  { text: 100, inner: 1, outer: 1 },
] as const
type Measure = (typeof measures)[number]

export interface ToolAnswer {
  structured: unknown
  /** What a model reads. */
  text: string
}

interface Result<O> {
  structured: O
  text?: (json: string) => string
}

/** The result as it is shown: of the same shape, at most 64 KB. Throws `payload_too_large` for one that cannot be made to fit. */
export function fitted<O>({ structured, text = (json) => json }: Result<O>, { reads }: Touches): ToolAnswer {
  const seen = reads === 'untrusted' ? mapped(structured, '', { text: visible }) : structured
  if (fits(seen)) return { structured: seen, text: text(toJson(seen)) }
  for (const measure of measures) {
    const notes: string[] = []
    const part = withoutCursor(cut(seen, measure, notes), notes)
    if (fits(part)) return { structured: part, text: `${text(toJson(part))}\n\n${leftOut(notes)}` }
  }
  throw new AppError('payload_too_large', 'This answer is too large for a tool; the REST interface gives it.')
}

function toJson(value: unknown): string {
  return JSON.stringify(value)
}

function fits(value: unknown): boolean {
  return Buffer.byteLength(toJson(value)) <= maxBytes
}

function leftOut(notes: string[]): string {
  const more = notes.length > maxNotes ? [`and ${notes.length - maxNotes} more`] : []
  return `[Cut to fit: ${[...notes.slice(0, maxNotes), ...more].join('; ')}. Ask for fewer at a time, or for one of them.]`
}

interface Change {
  text(text: string, path: string): string
  list?(list: unknown[], path: string): unknown[]
}

/** A copy in which texts, and lists, are changed. Keys that strangers chose are texts as well. */
function mapped<O>(value: O, path: string, change: Change): O
function mapped(value: unknown, path: string, change: Change): unknown {
  if (typeof value === 'string') return change.text(value, path)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = change.list?.(value, path) ?? value
    return list.map((one, n) => mapped(one, `${path}[${n}]`, change))
  }
  const entries = Object.entries(value).map(([name, one]) => [
    change.text(name, ''),
    mapped(one, path === '' ? name : `${path}.${name}`, change),
  ])
  return Object.fromEntries(entries)
}

function cut<O>(value: O, { text: maxChars, inner, outer }: Measure, notes: string[]): O {
  return mapped(value, '', {
    text(text, path) {
      if (path === '' || text.length <= maxChars || whole.test(path)) return text
      notes.push(`${path}: the first ${maxChars} of ${text.length} characters`)
      return changedInside(text, (one) => `${one.slice(0, maxChars).toWellFormed()}…`)
    },
    list(list, path) {
      const most = /[.[]/.test(path) ? inner : outer
      if (list.length > most) notes.push(`${path}: ${most} of ${list.length}`)
      return list.slice(0, most)
    },
  })
}

/** A page that is not shown whole has no next one: whoever went on from its end would not see what was left out. */
function withoutCursor<O>(value: O, notes: string[]): O {
  const isWhole = !notes.some((note) => /^[^.[:]+: \d+ of/.test(note))
  if (isWhole || typeof value !== 'object' || value === null) return value
  const none = { nextCursor: null }
  if ('nextCursor' in value) return { ...value, ...none }
  if ('pagination' in value) return { ...value, pagination: { ...Object(value.pagination), ...none, nextPage: null } }
  return value
}
