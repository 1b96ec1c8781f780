// The search language of the activity, one line of text: `to:ada@example.net status:bounced,failed -tag:beta after:7d "your invoice"`.
// Several values of one field are alternatives; all other conditions must be met together.

import { type MessageStatus, messageStatuses } from '../../../../db/tables/messages.ts'
import { parseDuration } from '../../../kit/duration.ts'
import { invalidField } from '../../../kit/error.ts'
import { nearest } from '../../../kit/nearest.ts'
import { ownValue } from '../../../kit/own-value.ts'
import { parseTime } from '../../../kit/time.ts'

export const maxSearchChars = 1_000
const maxValues = 20

export interface Search {
  /** By field: one of the values, or for `not` none of them. */
  conditions: Condition[]
  /** When the mail was accepted. */
  after?: Date
  before?: Date
}

export interface Condition {
  field: FieldName
  values: string[]
  not: boolean
}

interface Field {
  /** What it takes, for people. */
  takes: string
  /** The value as it is compared; null for one that it cannot be. */
  read(value: string): string | null
}

/** Fields whose value is compared as it is. */
const verbatim = (takes: string, pattern = /^.{1,256}$/su): Field => ({
  takes,
  read: (value) => (pattern.test(value) ? value : null),
})

const fields = {
  to: {
    takes: 'a whole address; domain:example.net finds all of a domain',
    read: (value: string) => (/^[^@\s]+@[^@\s]+$/.test(value) ? value.toLowerCase() : null),
  },
  domain: {
    takes: 'the domain of recipients, like example.net',
    read: (value: string) => (/^[^@\s]+$/.test(value) ? value.toLowerCase() : null),
  },
  template: verbatim('the id of a template'),
  campaign: verbatim('the id of a campaign, cmp_…', /^cmp_\w+$/),
  contact: verbatim('the id of a contact, con_…', /^con_\w+$/),
  tag: verbatim('a tag of the send'),
  key: verbatim('the Idempotency-Key of the send'),
  status: {
    takes: `one of ${messageStatuses.join(', ')}`,
    read: (value: string) => messageStatuses.find((status: MessageStatus) => status === value.toLowerCase()) ?? null,
  },
  words: { takes: 'words of the address or the subject', read: lowered },
  /** Of the product itself: an id of a contact beside its address. */
  person: verbatim(''),
} satisfies Record<string, Field>

type FieldName = keyof typeof fields

const timeFields = ['after', 'before'] as const
const unnamed = ['words', 'person']
/** What may stand before a colon. */
export const searchFields = [...Object.keys(fields).filter((name) => !unnamed.includes(name)), ...timeFields]

/** `-`, a field with its colon, and a value that may be quoted; a stray quote is part of a word. */
const wordPattern = /(-?)(?:([A-Za-z]\w*):)?("(?:[^"\\]|\\.)*"|[^\s"]\S*)?/y

/** As SQLite does it: letters of ASCII only. */
export function lowered(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Throws 422 that names `q`, the place in it and what is allowed there. `now`: of which times like `7d` are ago. */
export function parseSearch(text: string, now: Date): Search {
  if (text.length > maxSearchChars) throw invalidField('q', `q has more than ${maxSearchChars} characters`, 'too_long')
  const search: Search = { conditions: [] }
  let count = 0
  for (let at = skipSpace(text, 0); at < text.length; ) {
    wordPattern.lastIndex = at
    const [whole = '', minus, name, written = ''] = wordPattern.exec(text) ?? []
    const value = unquoted(written)
    const place = `q, character ${at + 1}`
    const end = at + whole.length
    if (whole === '' || (end < text.length && !/\s/.test(text[end] ?? '')))
      throw refused(`${place}: a quote that does not end, or text behind one; \\" is a quote within quotes`)
    if (value === '') throw refused(`${place}: ${whole} has no value${name ? `; ${describeField(name)}` : ''}`)
    if (++count > maxValues) throw refused(`${place}: at most ${maxValues} values in one search`)
    add(search, { name: name?.toLowerCase(), value, isQuoted: written.startsWith('"'), not: minus === '-' }, place, now)
    at = skipSpace(text, end)
  }
  return search
}

interface Word {
  name: string | undefined
  value: string
  isQuoted: boolean
  not: boolean
}

function add(search: Search, { name, value, isQuoted, not }: Word, place: string, now: Date): void {
  const isTime = timeFields.find((one) => one === name)
  if (isTime) {
    if (not) throw refused(`${place}: -${isTime} is written ${isTime === 'after' ? 'before' : 'after'}:${value}`)
    if (search[isTime]) throw refused(`${place}: a search has one ${isTime}`)
    search[isTime] = readTime(value, now) ?? refuse(`${place}: ${isTime} takes ${timeTakes}, not ${quoted(value)}`)
    return
  }
  const field = fieldNamed(name ?? 'words')
  if (!field || name === 'words')
    throw refused(`${place}: there is no field ${quoted(name ?? '')}; ${hint(name ?? '')}`)
  // Only what has choices is listed with commas: any other value may hold one.
  const values = field === 'status' && !isQuoted ? value.split(',').filter((one) => one !== '') : [value]
  const read = values.map(
    (one) => fields[field].read(one) ?? refuse(`${place}: ${name} takes ${fields[field].takes}, not ${quoted(one)}`),
  )
  // Each word must be there; of a field one value is enough.
  const known = field === 'words' ? undefined : search.conditions.find((one) => one.field === field && one.not === not)
  if (known) known.values.push(...read)
  else search.conditions.push({ field, values: read, not })
}

function fieldNamed(name: string): FieldName | undefined {
  return ownValue<Field>(fields, name) ? (name as FieldName) : undefined
}

const timeTakes = 'a date (2027-01-31), a time with its offset (2027-01-31T12:00Z) or how long ago (7d, 12h, 30m)'

function readTime(value: string, now: Date): Date | null {
  const agoMs = parseDuration(value)
  if (agoMs !== null) return new Date(now.getTime() - agoMs)
  return parseTime(/^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00Z` : value)
}

function describeField(name: string): string {
  const field = fieldNamed(name.toLowerCase())
  if (field) return `${name} takes ${fields[field].takes}`
  return timeFields.some((one) => one === name.toLowerCase()) ? `${name} takes ${timeTakes}` : hint(name)
}

function hint(name: string): string {
  const near = nearest(name, searchFields)
  const all = `allowed are ${searchFields.join(', ')}; in quotes it is a word of the subject`
  return near === null ? all : `did you mean ${near}? ${all}`
}

function refused(message: string) {
  return invalidField('q', message, 'invalid_search')
}

function refuse(message: string): never {
  throw refused(message)
}

function quoted(value: string): string {
  return JSON.stringify(value.slice(0, 80))
}

function unquoted(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : written
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at] ?? '')) at++
  return at
}
