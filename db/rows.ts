// Many rows in one statement: they travel as one parameter, a JSON list of objects, and the statement reads their values by name. What
// a value may be and how it is stored is said by a column of a table. One row is a list of one.
//
//   const ends = rowsOf({ id: tasks.id, state: tasks.state }, { now: tasks.updatedAt })
//   const end = prepared((db: Db) =>
//     db.update(tasks).set({ state: ends.each.state, updatedAt: ends.shared.now })
//       .from(ends.list).where(eq(tasks.id, ends.each.id)).prepare())
//   await end(tx.db).run(ends.given([{ id: 'a', state: 'done' }], { now: tx.now }))

import { Column, type GetColumnData, getTableColumns, is, SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './handle.ts'

/** A value of a row, where it is not just what a column stores. */
interface Value<T> {
  /** Null: it is written as it is. */
  encode: ((value: unknown) => unknown) | null
  isBytes: boolean
  /** Of the value; there is none. */
  type?: T
}

type Values = Record<string, SQLiteColumn | Value<unknown>>
type DataOf<V> = V extends SQLiteColumn ? GetColumnData<V> : V extends Value<infer T> ? T : never
type Row<V extends Values> = { readonly [K in keyof V]: DataOf<V[K]> }
type Read<V extends Values> = { readonly [K in keyof V]: SQL<DataOf<V[K]>> }

/** A text or number that no column stores. */
export function plain<T extends string | number | null>(): Value<T> {
  return { encode: null, isBytes: false }
}

/** A value as `column` has it, or null, though the column may never be null. */
export function orNull<C extends SQLiteColumn>(column: C): Value<GetColumnData<C> | null> {
  return asValue(column)
}

/** What an INSERT gives to the columns of a table; one with a default may be left out. */
export type NewRow<T extends SQLiteTable> = { [K in keyof T['$inferInsert']]: T['$inferInsert'][K] | SQL }

/** `V` are the values of each row, `S` those that all rows have in common. */
export interface Rows<V extends Values, S extends Values> {
  each: Read<V>
  shared: Read<S>
  /** Which row it is: 0, 1, 2 … */
  number: SQL<number>
  /** Stands after FROM. */
  list: SQL
  /** `id IN ${rows.pick('id')}`, or `(message_id, number) IN ${rows.pick('messageId', 'number')}`. */
  pick(...names: (keyof V & string)[]): SQL
  /** INSERT INTO `table` one row for each of the list; ON CONFLICT, RETURNING and prepare() may follow. */
  insertInto<T extends SQLiteTable>(db: Db, table: T, row: NewRow<T>): ReturnType<typeof insertSelect<T>>
  /** What the statement is run with. */
  given(rows: readonly Row<V>[], ...shared: keyof S extends never ? [] : [shared: Row<S>]): Record<string, unknown>
}

const listName = 'the list'

export function rowsOf<V extends Values>(each: V): Rows<V, Record<never, never>>
export function rowsOf<V extends Values, S extends Values>(each: V, shared: S): Rows<V, S>
export function rowsOf(each: Values, shared: Values = {}): Rows<Values, Values> {
  // Each look into a `value` of json_each() makes its text anew and parses it. With a LIMIT it is made once, and read in place.
  const list = sql`(SELECT key, jsonb(value) AS value FROM json_each(${sql.placeholder(listName)}) LIMIT -1) AS item`
  const [ofEach, ofAll] = [valuesOf(each), valuesOf(shared)]
  const read = Object.fromEntries(ofEach.map(({ name, isBytes }) => [name, readItem(name, isBytes)]))
  return {
    each: read,
    shared: Object.fromEntries(ofAll.map(({ name }) => [name, sql`${sql.placeholder(name)}`])),
    number: sql<number>`item.key`,
    list,
    pick: (...names) =>
      sql`(SELECT ${sql.join(
        names.map((name) => read[name]),
        sql`, `,
      )} FROM ${list})`,
    // Without WHERE an ON CONFLICT would be taken for the ON of a join.
    insertInto: (db, table, row) => insertSelect(db, table, row, sql`${list} WHERE true`),
    given: (rows, common = {}) => ({
      [listName]: JSON.stringify(rows.map((row) => encode(ofEach, row, hexadecimal))),
      ...encode(ofAll, common, asItIs),
    }),
  }
}

/** INSERT INTO `table` what a SELECT finds: `source` is what stands after its FROM. */
export function insertSelect<T extends SQLiteTable>(db: Db, table: T, row: NewRow<T>, source: SQL) {
  const given: Record<string, unknown> = row
  // In the order in which Drizzle names the columns.
  const values = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = given[name] === undefined ? (column.default ?? null) : given[name]
    return is(value, SQL) ? value : sql`${sql.param(value, column)}`
  })
  return db.insert(table).select(sql`SELECT ${sql.join(values, sql`, `)} FROM ${source}`)
}

type Named = Value<unknown> & { name: string }

function valuesOf(values: Values): Named[] {
  return Object.entries(values).map(([name, value]) => ({ name, ...asValue(value) }))
}

function asValue(value: SQLiteColumn | Value<unknown>): Value<unknown> {
  if (!is(value, Column)) return value
  const isStoredAsItIs = value.mapToDriverValue === Column.prototype.mapToDriverValue
  return {
    encode: isStoredAsItIs ? null : (data) => value.mapToDriverValue(data),
    isBytes: value.getSQLType() === 'blob',
  }
}

function readItem(name: string, isBytes: boolean): SQL {
  const text = sql.raw(`item.value ->> '$.${name}'`)
  return isBytes ? sql`unhex(${text})` : sql`(${text})`
}

function encode(values: Named[], row: Record<string, unknown>, bytes: (value: unknown) => unknown) {
  const encoded: Record<string, unknown> = {}
  for (const { name, encode: encodeOne, isBytes } of values) {
    const value = row[name]
    const stored = encodeOne === null || value === null || value === undefined ? value : encodeOne(value)
    encoded[name] = isBytes ? bytes(stored) : stored
  }
  return encoded
}

/** JSON holds no bytes. */
const hexadecimal = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)
const asItIs = (value: unknown) => value
