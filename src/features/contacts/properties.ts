// The custom properties of a workspace: created on first use with the type of their first value, or declared. A value of another type is
// refused. Each value is also stored in an index table for searches.

import { and, eq, inArray } from 'drizzle-orm'
import {
  type ContactProperties,
  contactProperties,
  contactValues,
  type PropertyType,
} from '../../../db/tables/contacts.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { parseTime } from '../../kit/time.ts'
import type { PropertyValue } from './fields.ts'

const maxPerWorkspace = 500
/** A longer value is indexed by its beginning. */
const searchableLength = 200
const dayOnly = /^\d{4}-\d{2}-\d{2}$/

export async function listProperties(reader: Reader, workspaceId: string) {
  return await reader.db.select().from(contactProperties).where(eq(contactProperties.workspaceId, workspaceId))
}

/** Declares a property; an existing one keeps its type. Returns its type. */
export async function declareProperty(
  tx: Tx,
  workspaceId: string,
  name: string,
  type: PropertyType,
): Promise<PropertyType> {
  await declareProperties(tx, workspaceId, [{ name, type }])
  const mine = and(eq(contactProperties.workspaceId, workspaceId), eq(contactProperties.name, name))
  const [row] = await tx.db.select().from(contactProperties).where(mine)
  return row?.type ?? type
}

/**
 * Checks the values against the types of the workspace, declares new properties, and returns the values as stored: dates as ISO 8601 UTC.
 * Throws 422 naming each property of another type.
 */
export async function typedProperties(
  tx: Tx,
  workspaceId: string,
  given: Record<string, PropertyValue | null>,
): Promise<Record<string, PropertyValue | null>> {
  const { typed, types } = await readProperties(tx, workspaceId, given)
  await declareNew(tx, workspaceId, given, types)
  return typed
}

/** The same without declaring the new ones, and the types of the others. */
export async function readProperties(reader: Reader, workspaceId: string, given: Record<string, PropertyValue | null>) {
  const names = Object.keys(given)
  if (names.length === 0) return { typed: given, types: new Map<string, PropertyType>() }
  const mine = and(eq(contactProperties.workspaceId, workspaceId), inArray(contactProperties.name, names))
  const types = new Map(
    (await reader.db.select().from(contactProperties).where(mine)).map(({ name, type }) => [name, type]),
  )
  const errors: Issue[] = []
  const typed: Record<string, PropertyValue | null> = {}
  for (const [name, value] of Object.entries(given)) {
    const type = types.get(name)
    const stored = value === null || type === undefined ? value : asType(type, value)
    if (stored === undefined)
      errors.push({ path: name, message: `${name} must be a ${type}, like its earlier values`, code: 'wrong_type' })
    else typed[name] = stored
  }
  const [first] = errors
  if (first) throw new AppError('validation_failed', first.message, { errors })
  return { typed, types }
}

async function declareNew(
  tx: Tx,
  workspaceId: string,
  given: Record<string, PropertyValue | null>,
  types: Map<string, PropertyType>,
): Promise<void> {
  const fresh = Object.entries(given).flatMap(([name, value]) =>
    value === null || types.has(name) ? [] : [{ name, type: typeof value as PropertyType }],
  )
  if (fresh.length > 0) await declareProperties(tx, workspaceId, fresh)
}

interface Property {
  name: string
  type: PropertyType
}

/** Declares the new ones of these. Throws 422 when the workspace would have too many. */
export async function declareProperties(tx: Tx, workspaceId: string, wanted: Property[]): Promise<void> {
  const fresh = await newProperties(tx, workspaceId, wanted)
  if (fresh.length === 0) return
  await tx.db.insert(contactProperties).values(fresh.map((one) => ({ ...one, workspaceId, createdAt: tx.now })))
}

/** Those that the workspace does not have yet. Throws 422 when it would have too many. */
export async function newProperties(reader: Reader, workspaceId: string, wanted: Property[]): Promise<Property[]> {
  const known = new Set((await listProperties(reader, workspaceId)).map(({ name }) => name))
  const fresh = wanted.filter(({ name }) => !known.has(name))
  if (fresh.length > 0 && known.size + fresh.length > maxPerWorkspace)
    throw invalidField(
      fresh[0]?.name ?? '',
      `a workspace may have at most ${maxPerWorkspace} custom properties`,
      'too_many',
    )
  return fresh
}

/** The value as its type is stored; undefined when it is of another type. */
function asType(type: PropertyType, value: PropertyValue): PropertyValue | undefined {
  if (type !== 'date') return typeof value === type ? value : undefined
  const moment =
    typeof value === 'string' ? parseTime(dayOnly.test(value) ? `${value}T00:00:00Z` : value) : toDate(value)
  return moment?.toISOString()
}

/** Milliseconds since 1970, the form in which Loops clients send dates. */
function toDate(value: number | boolean): Date | null {
  if (typeof value === 'boolean') return null
  const moment = new Date(value)
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** Updates the search rows of a contact to match its properties. */
export async function storeValues(
  tx: Tx,
  contact: { workspaceId: string; id: string },
  before: ContactProperties,
  after: ContactProperties,
): Promise<void> {
  const { workspaceId, id: contactId } = contact
  const row = (name: string, value: PropertyValue) => ({ workspaceId, name, value: searchText(value), contactId })
  const gone = Object.entries(before).filter(([name, value]) => after[name] !== value)
  for (const [name, value] of gone) {
    const old = row(name, value)
    await tx.db
      .delete(contactValues)
      .where(
        and(
          eq(contactValues.workspaceId, workspaceId),
          eq(contactValues.name, name),
          eq(contactValues.value, old.value),
          eq(contactValues.contactId, contactId),
        ),
      )
  }
  const fresh = Object.entries(after).filter(([name, value]) => before[name] !== value)
  if (fresh.length > 0)
    await tx.db
      .insert(contactValues)
      .values(fresh.map(([name, value]) => row(name, value)))
      .onConflictDoNothing()
}

/** A search value in its indexed form: 1.0 finds 1, and 2026-01-15 finds that day's first moment. */
export async function searchKey(reader: Reader, workspaceId: string, name: string, text: string): Promise<string> {
  const mine = and(eq(contactProperties.workspaceId, workspaceId), eq(contactProperties.name, name))
  const [row] = await reader.db.select().from(contactProperties).where(mine)
  return searchText((row ? parseValue(row.type, text) : undefined) ?? text)
}

/** A value given as text, as its type is stored; undefined when it is not of that type. */
export function parseValue(type: PropertyType, text: string): PropertyValue | undefined {
  if (type === 'number') return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? asNumber(text) : undefined
  if (type === 'boolean') return readYesNo(text)
  return asType(type, text)
}

/** true, t, yes, y and 1, and their opposites; undefined for anything else. */
export function readYesNo(text: string): boolean | undefined {
  if (/^(true|t|yes|y|1)$/i.test(text)) return true
  return /^(false|f|no|n|0)$/i.test(text) ? false : undefined
}

function asNumber(text: string): number | undefined {
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** A value in its indexed form. */
export function searchText(value: PropertyValue): string {
  return String(value).slice(0, searchableLength)
}
