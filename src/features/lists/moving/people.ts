// Collects the people in the files of an export and writes them as one CSV for the import. Rows are ordered from the strictest state to the
// mildest, so that people who left, complained or bounced are known before anybody is subscribed.

import type { ExportReport, PropertyType } from '../../../../db/tables/contacts.ts'
import { csvRow } from '../../../kit/csv.ts'
import type { Pace } from '../../../kit/turn.ts'
import { isPropertyName } from '../../contacts/fields.ts'
import { type ColumnMap, toPropertyName } from '../../contacts/imports/columns.ts'
import type { ConsentState } from '../../contacts/imports/consent.ts'
import type { ListState } from '../../contacts/imports/evidence.ts'
import type { ExportColumns } from './export-columns.ts'
import type { FoundLists } from './lists.ts'

const fields = ['firstName', 'lastName', 'userId', 'source', 'userGroup', 'locale', 'timezone'] as const
export type PersonField = (typeof fields)[number]

export interface Person {
  email: string
  /** File and line, for the ledger and for whoever corrects the file. */
  place: string
  /** Null: the export says nothing of consent. */
  says: ConsentState | null
  /** When they agreed or left, and from where. */
  at?: Date | null
  ip?: string
  fields?: Partial<Record<PersonField, string>>
  properties?: Record<string, unknown>
  /** By the name of the list. */
  lists?: [string, ListState][]
}

/** As the import reads it (features/contacts/imports/consent.ts). */
const words: Record<ConsentState, string> = {
  subscribed: 'subscribed',
  unconfirmed: 'unconfirmed',
  unsubscribed: 'unsubscribed',
  manual: 'blocklisted',
  hardBounce: 'bounced',
  complaint: 'complained',
}

const own = ['importLine', 'email', ...fields, 'status', 'consentAt', 'consentIp', 'lists']
const mapped = { importLine: 'place', consentAt: 'consentAt', consentIp: 'consentIp', lists: 'listStates' }

/** Apart from the columns of our own. */
const propertyHeader = (property: string) => `property ${property}`

interface Rows {
  /** How many properties the rows have values for; later ones are empty. */
  properties: number
  texts: string[]
}

export interface People {
  add(person: Person): void
  refuse(where: string, reason: string): void
  note(text: string): void
  /** The CSV, and how its columns are mapped. */
  csv(pace: Pace): AsyncGenerator<Uint8Array>
  columns(): ColumnMap
  report(): Pick<ExportReport, 'properties' | 'refused' | 'notes' | 'silent'>
}

const maxRefused = 1_000

export function gatherPeople(lists: FoundLists, columns: ExportColumns): People {
  const properties = new Map<string, PropertyType>()
  const names = new Map<string, string>()
  const buckets: Rows[][] = [[], [], []]
  const refused: ExportReport['refused'] = []
  const notes = new Set<string>()
  let silent = 0

  const nameOf = (written: string) => {
    const known = names.get(written)
    if (known !== undefined) return known
    const name = columns.named(written) ?? toPropertyName(written, names.size, properties)
    const free = isPropertyName(name) ? name : `own${name.charAt(0).toUpperCase()}${name.slice(1)}`.slice(0, 50)
    names.set(written, free)
    return free
  }
  const valuesOf = (given: Record<string, unknown>) => {
    const values = new Map(flat(given, '').map(([key, value]) => [nameOf(key), value]))
    for (const [name, value] of values) {
      const type = typeof value === 'number' || typeof value === 'boolean' ? (typeof value as PropertyType) : 'string'
      properties.set(name, (properties.get(name) ?? type) === type ? type : 'string')
    }
    return [...properties.keys()].map((name) => String(values.get(name) ?? ''))
  }

  return {
    add(person) {
      const { email, place, says, at, ip = '', properties: given = {} } = person
      if (says === null) silent++
      const values = valuesOf(given)
      const states = (person.lists ?? []).flatMap(([name, state]) => lists.cell(name, state))
      if (says === null || says === 'subscribed')
        for (const [name, state] of person.lists ?? []) if (state === 'active') lists.count(name)
      const ownFields = fields.map((name) => person.fields?.[name] ?? '')
      const status = says === null ? '' : words[says]
      const row = [place, email, ...ownFields, status, at?.toISOString() ?? '', ip, states.join(' '), ...values]
      const bucket = buckets[strictness(person)]
      const last = bucket?.at(-1)
      const text = csvRow(row).slice(0, -2)
      if (last?.properties === values.length) last.texts.push(text)
      else bucket?.push({ properties: values.length, texts: [text] })
    },
    refuse(where, reason) {
      if (refused.length < maxRefused) refused.push({ where, reason })
    },
    note: (text) => notes.add(text),
    async *csv(pace) {
      const encoder = new TextEncoder()
      yield encoder.encode(csvRow([...own, ...[...properties.keys()].map(propertyHeader)]))
      for (const { properties: filled, texts } of buckets.flat()) {
        const rest = ','.repeat(properties.size - filled)
        for (let at = 0; at < texts.length; at += 500) {
          await pace()
          const lines = texts.slice(at, at + 500).map((text) => `${text}${rest}\r\n`)
          yield encoder.encode(lines.join(''))
        }
      }
    },
    columns() {
      const entries = [...properties].map(([name, type]) => [propertyHeader(name), `${name}:${type}`] as const)
      return { ...mapped, ...Object.fromEntries(entries) }
    },
    report() {
      const named = [...properties].map(([name, type]) => ({ name, type }))
      return { properties: named, refused, notes: [...notes], silent }
    },
  }
}

/** The first word is the first name: as listmonk and Sendy split it in their own mails. */
export function nameFields(name: string): Partial<Record<PersonField, string>> {
  const [first = '', ...others] = name.trim().split(/\s+/)
  return first === '' ? {} : { firstName: first, ...(others.length > 0 ? { lastName: others.join(' ') } : {}) }
}

function strictness({ says, lists = [] }: Person): 0 | 1 | 2 {
  const isStrict = says !== null && says !== 'subscribed' && says !== 'unconfirmed'
  if (isStrict || lists.some(([, state]) => state === 'left')) return 0
  return says === 'unconfirmed' || lists.some(([, state]) => state === 'waits') ? 1 : 2
}

/** Objects within objects become one property each: `address.city`. A list becomes one text. */
export function flat(value: Record<string, unknown>, before: string): [string, unknown][] {
  return Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
    if (one === null || one === '' || one === undefined) return []
    if (Array.isArray(one)) return one.length === 0 ? [] : [[before + key, one.map(toText).join(', ')]]
    if (typeof one === 'object') return flat({ ...one }, `${before}${key}.`)
    return [[before + key, one]]
  })
}

function toText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
