// What each column of an imported file becomes: a field of the contact, a statement about consent or the evidence of it, a custom property,
// or nothing. Headers match regardless of case, spaces and punctuation (`First name`, first_name, FIRSTNAME), and may include the type of a property:
// `age:number`. The caller can override any column, by its header or, without one, by its number (`#3`).

import type { PropertyType } from '../../../../db/tables/contacts.ts'
import { AppError, type Issue } from '../../../kit/error.ts'
import { ownValue } from '../../../kit/own-value.ts'
import { type ContactFields, isPropertyName, isReservedProperty, parseContactFields } from '../fields.ts'
import { parseValue } from '../properties.ts'
import { type ConsentState, consentOfCells, tellsConsent } from './consent.ts'
import { type ConsentColumn, consentColumns, findConsentColumn } from './consent-columns.ts'
import { type EvidenceColumn, evidenceColumns, noEvidence, type RowEvidence, takeEvidence } from './evidence.ts'
import { headerKey, withoutAccents } from './headers.ts'

export type Column = { header: string } & (
  | { becomes: 'field'; name: string }
  | { becomes: 'consent'; name: ConsentColumn }
  | { becomes: 'evidence'; name: EvidenceColumn }
  | { becomes: 'property'; name: string; type: PropertyType }
  | { becomes: 'nothing'; name: null }
  /** It may be about consent: the caller has to say. */
  | { becomes: 'unclear'; name: null }
  /** It has no header: skipped, and a row with a value in it is bad. */
  | { becomes: 'nameless'; name: null }
)

/** Header, or `#` and number -> what it becomes; null skips it. */
export type ColumnMap = Record<string, string | null>

type KnownProperties = Map<string, PropertyType>

/** Columns that an export has but an import ignores, and those that the file of bad rows adds. */
const leftOut = new Set(['id', 'createdat', 'updatedat', 'contactid', 'workspaceid', 'importline', 'importreason'])
const types: PropertyType[] = ['string', 'number', 'boolean', 'date']
const maxColumns = 200
const maxNameLength = 50

const headersOfFields: Record<string, string[]> = {
  email: ['email', 'emailaddress', 'mail', 'subscriberemail'],
  userId: ['userid'],
  firstName: ['firstname', 'fname', 'givenname'],
  lastName: ['lastname', 'lname', 'surname', 'familyname'],
  source: ['source'],
  userGroup: ['usergroup'],
  locale: ['locale'],
  timezone: ['timezone'],
  mailingLists: ['mailinglists'],
}
const fieldOfHeader = new Map(
  Object.entries(headersOfFields).flatMap(([name, headers]) => headers.map((header) => [header, name] as const)),
)

/** `header` reduced to lower-case letters and digits; null for what is no field. */
export function findField(header: string): string | null {
  return fieldOfHeader.get(header) ?? null
}

/** Of these a file needs one. */
const headersOfWho = Object.entries(headersOfFields).flatMap(([name, headers]) =>
  name === 'email' || name === 'userId' ? headers : [],
)

/** What is wrong with the headers of a file when none of them says whom a row is about; else null. `also`: a header of its service, as a key. */
export function whoIsMissing(headers: string[], also?: string): string | null {
  if (headers.some((header) => headersOfWho.includes(headerKey(header)) || headerKey(header) === also)) return null
  const named = headers.slice(0, 20).map((header) => JSON.stringify(header.slice(0, 40)))
  return `no column identifies the person of a row: looked for ${headersOfWho.join(', ')} (case, spaces and punctuation do not count), found ${named.join(', ') || 'none'}`
}

/** Whether a row can say whom it is about. */
export function knowsWho(columns: Column[]): boolean {
  return columns.some(({ name }) => name === 'email' || name === 'userId')
}

/** Throws 422 naming every invalid column. */
export function readColumns(cells: string[], known: KnownProperties, map: ColumnMap = {}): Column[] {
  const headers = cells.map((cell) => cell.trim())
  const errors = strayKeys(headers, map)
  const columns = headers.map((header, index): Column => {
    const own = ownValue(map, header)
    const wanted = own === undefined ? ownValue(map, `#${index + 1}`) : own
    if (wanted === undefined) return toColumn(header, index, known)
    if (wanted === null) return { header, becomes: 'nothing', name: null }
    const column = mapped(header, wanted, known)
    if (column) return column
    const path = `columns.${header || `#${index + 1}`}`.slice(0, 200)
    errors.push({ path, message: mappingFault(wanted), code: 'column' })
    return { header, becomes: 'nothing', name: null }
  })
  errors.push(...doubles(columns))
  if (cells.length > maxColumns)
    errors.push({ path: 'columns', message: `a file may have at most ${maxColumns} columns`, code: 'too_many' })
  expectNone(errors)
  return columns
}

export const mappingFault = (wanted: string) =>
  `${JSON.stringify(wanted.slice(0, 80))} is not a field, a consent column or a property name`

/** Throws 422 with the first 64. */
export function expectNone(errors: Issue[]): void {
  const [first] = errors
  if (first) throw new AppError('validation_failed', first.message, { errors: errors.slice(0, 64) })
}

export function strayKeys(headers: string[], map: ColumnMap): Issue[] {
  const numbers = headers.map((_, index) => `#${index + 1}`)
  return Object.keys(map)
    .filter((key) => !headers.includes(key) && !numbers.includes(key))
    .map((key) => ({
      path: `columns.${key.slice(0, 100)}`,
      message: `the file has no column ${JSON.stringify(key.slice(0, 80))}`,
      code: 'column',
    }))
}

/** Two columns that become the same thing; only consent may have several columns. */
function doubles(columns: Column[]): Issue[] {
  const seen = new Set<string>()
  return columns.flatMap(({ becomes, name, header }, index) => {
    if (name === null || becomes === 'consent') return []
    const isDouble = seen.has(name)
    seen.add(name)
    const message = `${header.slice(0, 80)} becomes ${name}, like another column; map one of them`
    return isDouble ? [{ path: `columns[${index}]`, message, code: 'column' }] : []
  })
}

function toColumn(header: string, index: number, known: KnownProperties): Column {
  if (header === '') return { header, becomes: 'nameless', name: null }
  const { name: written, type } = splitType(header)
  const key = headerKey(written)
  if (leftOut.has(key)) return { header, becomes: 'nothing', name: null }
  const field = fieldOfHeader.get(key)
  if (field !== undefined && (type === null || isReservedProperty(field)))
    return { header, becomes: 'field', name: field }
  const consent = findConsentColumn(written)
  if (consent !== null && (type === null || isReservedProperty(consent)))
    return consent === 'unclear'
      ? { header, becomes: consent, name: null }
      : { header, becomes: 'consent', name: consent }
  const name = toPropertyName(written, index, known)
  return { header, becomes: 'property', name, type: known.get(name) ?? type ?? 'string' }
}

/** The caller's mapping: a field, a consent column, or a property with or without its type. */
function mapped(header: string, wanted: string, known: KnownProperties): Column | null {
  if (Object.hasOwn(headersOfFields, wanted)) return { header, becomes: 'field', name: wanted }
  const evidence = evidenceColumns.find((one) => one === wanted)
  if (evidence !== undefined) return { header, becomes: 'evidence', name: evidence }
  const found = consentOrProperty(wanted)
  if (found?.becomes !== 'property') return found && { header, ...found }
  const { name, type } = found
  return { header, becomes: 'property', name, type: known.get(name) ?? type ?? 'string' }
}

/** `optedOut`, `seats:number` */
export function consentOrProperty(
  wanted: string,
):
  | { becomes: 'consent'; name: ConsentColumn }
  | { becomes: 'property'; name: string; type: PropertyType | null }
  | null {
  const consent = consentColumns.find((one) => one === wanted)
  if (consent !== undefined) return { becomes: 'consent', name: consent }
  const { name, type } = splitType(wanted)
  return isPropertyName(name) ? { becomes: 'property', name, type } : null
}

/** `age:number` */
function splitType(text: string): { name: string; type: PropertyType | null } {
  const at = text.lastIndexOf(':')
  const type = at === -1 ? undefined : types.find((one) => one === text.slice(at + 1).trim())
  return type === undefined ? { name: text, type: null } : { name: text.slice(0, at).trim(), type }
}

/** The header itself if it is a valid name; else its words in camelCase. */
export function toPropertyName(written: string, index: number, known: KnownProperties): string {
  const words = withoutAccents(written)
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => (/^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word))
  const joined = words.map((word, at) => (at === 0 ? lowerFirst(word) : upperFirst(word))).join('')
  const named = joined === '' ? `column${index + 1}` : /^[0-9]/.test(joined) ? `column${upperFirst(joined)}` : joined
  const camel = named.slice(0, maxNameLength)
  const asWritten = isPropertyName(written) && (known.has(written) || !known.has(camel))
  return asWritten ? written : camel
}

const lowerFirst = (word: string) => word.charAt(0).toLowerCase() + word.slice(1)
const upperFirst = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** The header of a property in an export, which an import recognizes. */
export function headerOfProperty({ name, type }: { name: string; type: PropertyType }): string {
  const key = headerKey(name)
  const isOther = leftOut.has(key) || fieldOfHeader.has(key) || findConsentColumn(name) !== null
  return type === 'string' && !isOther ? name : `${name}:${type}`
}

/** The columns that may be about consent, and of which nobody says what they mean. */
export function unclearIn(columns: (Column & { example?: string | null })[]): { column: string; example: string }[] {
  return columns.flatMap(({ becomes, header, example }) =>
    becomes === 'unclear' ? [{ column: header, example: example ?? '' }] : [],
  )
}

/** Throws 422 naming each of them. */
export function expectClear(headers: string[]): void {
  const meanings = consentColumns.join(', ')
  const errors = headers.map((header) => ({
    path: `columns.${header}`.slice(0, 200),
    message: `${JSON.stringify(header.slice(0, 80))} may say whether somebody agreed to mail; say with columns={…} what it means: ${meanings}, or, if it is not about consent, the name of a property, or null to leave it out`,
    code: 'consent_unclear',
  }))
  expectNone(errors)
}

/** Whether the file says for each person what they agreed to. */
export function knowsConsent(columns: Column[]): boolean {
  return columns.some((column) => column.becomes === 'consent' && tellsConsent(column.name))
}

export function columnProperties(columns: Column[]): { name: string; type: PropertyType }[] {
  return columns.flatMap((column) => (column.becomes === 'property' ? [{ name: column.name, type: column.type }] : []))
}

/** The fields and the consent of a row, or what is wrong with it. Empty cells leave a field unchanged. */
export function readRow(
  columns: Column[],
  cells: string[],
): { fields: ContactFields; says: ConsentState | null; evidence: RowEvidence } | { fault: string } {
  if (cells.length !== columns.length)
    return { fault: `has ${cells.length} cells, and the first line has ${columns.length}` }
  const body: Record<string, unknown> = {}
  const consent: Parameters<typeof consentOfCells>[0] = []
  const evidence = noEvidence()
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '' || (column.name === null && column.becomes !== 'nameless')) continue
    const fault = faultOfCell(column, cell, index)
    if (fault !== null) return { fault }
    if (column.becomes === 'consent') consent.push({ column: column.name, header: column.header, cell: cell.trim() })
    else if (column.becomes === 'evidence') takeEvidence(evidence, column.name, cell)
    else if (column.becomes === 'field') body[column.name] = fieldValue(column.name, cell)
    else if (column.becomes === 'property') body[column.name] = propertyValue(column.type, cell)
  }
  const says = consentOfCells(consent)
  if (says !== null && typeof says === 'object') return says
  const { fields, errors } = parseContactFields(body)
  return errors.length === 0 ? { fields, says, evidence } : { fault: errors.map(({ message }) => message).join('; ') }
}

function faultOfCell(column: Column, cell: string, index: number): string | null {
  if (column.becomes === 'nameless')
    return `has a value in column ${index + 1}, which has no name; map it: "#${index + 1}"`
  if (cell.includes('\ufffd')) return `${column.name} is not UTF-8`
  if (column.becomes !== 'property') return null
  return propertyValue(column.type, cell) === undefined ? `${column.name} must be a ${column.type}` : null
}

function fieldValue(name: string, cell: string): unknown {
  if (name !== 'mailingLists') return name === 'email' ? cell.trim() : cell
  const ids = cell.split(/[\s|;,]+/).filter(Boolean)
  return Object.fromEntries(ids.map((id) => [id, true]))
}

function propertyValue(type: PropertyType, cell: string) {
  return type === 'string' ? cell : parseValue(type, cell.trim())
}
