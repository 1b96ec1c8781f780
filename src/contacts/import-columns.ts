// What the columns of an imported file mean, and a row of it as the fields of a contact. A header is a field (`firstName`, also
// written "First name" or first_name) or a custom property, whose type may follow it: `age:number`.

import type { PropertyType } from '../../db/tables/contacts.ts'
import type { Reader, Tx } from '../app.ts'
import { AppError, type Issue } from '../lib/error.ts'
import { ownValue } from '../lib/own-value.ts'
import { type ContactFields, isPropertyName, isReservedProperty, parseContactFields } from './fields.ts'
import { declareProperties, listProperties, newProperties, parseValue } from './properties.ts'

interface Column {
  name: string
  /** Of a custom property; null for a field of ours. */
  type: PropertyType | null
}

/** Null: a column that is left out, because it is ours to set or tells about a bad row. */
export type Columns = (Column | null)[]

/** What an export has and an import leaves alone, and what the file of bad rows puts before each row. */
const leftOut = ['id', 'createdAt', 'updatedAt', 'optInStatus', 'importLine', 'importReason']
const types: PropertyType[] = ['string', 'number', 'boolean', 'date']
const maxColumns = 200
const otherNames: Record<string, string> = {
  eMail: 'email',
  emailAddress: 'email',
  mail: 'email',
  timeZone: 'timezone',
}

/** Throws 422 naming every column that cannot be. */
export function readColumns(cells: string[]): Columns {
  const errors: Issue[] = []
  const seen = new Set<string>()
  const columns = cells.map((cell, index): Column | null => {
    const column = columnOf(cell)
    const fault = column === null ? null : faultOf(column, seen)
    if (fault !== null)
      errors.push({ path: `columns[${index}]`, message: `${cell.slice(0, 80)} ${fault}`, code: 'column' })
    if (column) seen.add(column.name)
    return column
  })
  if (!seen.has('email') && !seen.has('userId'))
    errors.push({ path: 'columns', message: 'the first line must name a column email or userId', code: 'required' })
  if (cells.length > maxColumns)
    errors.push({ path: 'columns', message: `a file may have ${maxColumns} columns`, code: 'too_many' })
  const [first] = errors
  if (first) throw new AppError('validation_failed', first.message, { errors: errors.slice(0, 64) })
  return columns
}

function columnOf(cell: string): Column | null {
  const [written = '', suffix] = cell.trim().split(':', 2)
  const name = fieldName(written)
  if (leftOut.includes(name)) return null
  if (isReservedProperty(name)) return { name, type: null }
  return { name, type: types.find((type) => type === suffix?.trim()) ?? 'string' }
}

/** `First name`, `first_name` and `firstName` are the same field. */
function fieldName(written: string): string {
  const words = written.trim().split(/[\s_-]+/)
  const name = words
    .map((word, index) => (index === 0 ? lowerFirst(word) : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
  return ownValue(otherNames, name) ?? name
}

function lowerFirst(word: string): string {
  return /^[A-Z]+$/.test(word) ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1)
}

function faultOf({ name, type }: Column, seen: Set<string>): string | null {
  if (seen.has(name)) return 'is there twice'
  if (type !== null && !isPropertyName(name)) return 'is no name of a property: letters and digits, at most 50'
  return null
}

/** The columns with the types that the workspace has for them; a property that is new has the type of its column. */
export async function typedColumns(reader: Reader, workspaceId: string, columns: Columns): Promise<Columns> {
  const known = new Map((await listProperties(reader, workspaceId)).map(({ name, type }) => [name, type]))
  return columns.map((column) => column && { ...column, type: column.type && (known.get(column.name) ?? column.type) })
}

/** Makes the properties that the columns name and the workspace does not have yet. */
export async function declareColumns(tx: Tx, workspaceId: string, columns: Columns): Promise<void> {
  await declareProperties(tx, workspaceId, customOf(columns))
}

/** Throws 422 when the workspace would have too many properties. */
export async function expectRoom(reader: Reader, workspaceId: string, columns: Columns): Promise<void> {
  await newProperties(reader, workspaceId, customOf(columns))
}

function customOf(columns: Columns) {
  return columns.flatMap((column) => (column?.type ? [{ name: column.name, type: column.type }] : []))
}

/** The fields of a row, or what is wrong with it. Empty cells leave a field as it is. */
export function fieldsOfRow(columns: Columns, cells: string[]): ContactFields | { fault: string } {
  if (cells.length !== columns.length)
    return { fault: `has ${cells.length} cells, and the first line has ${columns.length}` }
  const body: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (column === null || cell === '') continue
    if (cell.includes('\ufffd')) return { fault: `${column.name} is not UTF-8` }
    const value = readCell(column, cell)
    if (value === undefined) return { fault: `${column.name} must be a ${column.type ?? 'boolean'}` }
    body[column.name] = value
  }
  const { fields, errors } = parseContactFields(body)
  return errors.length === 0 ? fields : { fault: errors.map(({ message }) => message).join('; ') }
}

function readCell({ name, type }: Column, cell: string): unknown {
  if (name === 'subscribed') return parseValue('boolean', cell.trim())
  if (name === 'mailingLists')
    return Object.fromEntries(
      cell
        .split(/[\s|;,]+/)
        .filter(Boolean)
        .map((id) => [id, true]),
    )
  if (name === 'email') return cell.trim()
  return type === null || type === 'string' ? cell : parseValue(type, cell.trim())
}
