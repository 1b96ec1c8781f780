// Many rows in one statement: they are passed as one parameter, a JSON list of lists, and the statement reads their values by place. A
// table's column determines a value's type and how it is stored. A single row is a list of one.
//
//   const ends = rowsOf({ id: tasks.id, state: tasks.state }, { now: tasks.updatedAt })
//   const end = prepared((db: Db) =>
//     db.update(tasks).set({ state: ends.each.state, updatedAt: ends.shared.now })
//       .from(ends.list).where(eq(tasks.id, ends.each.id)).prepare())
//   await end(tx.db).run(ends.given([{ id: 'a', state: 'done' }], { now: tx.now }))

import type { Database as SQLite } from 'bun:sqlite'
import { Column, type GetColumnData, getTableColumns, getTableName, is, SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Db, files } from './handle.ts'
import { prepared } from './prepared.ts'

/** A value of a row that is not simply what a column stores. */
interface Value<T> {
  /** Encodes the value; null: it is written as it is. */
  encode: ((value: unknown) => unknown) | null
  isBytes: boolean
  /** Of the value; there is none. */
  type?: T
}

type Values = Record<string, SQLiteColumn | Value<unknown>>
type DataOf<V> = V extends SQLiteColumn ? GetColumnData<V> : V extends Value<infer T> ? T : never
type RowData<V extends Values> = { readonly [K in keyof V]: DataOf<V[K]> }
type RowColumns<V extends Values> = { readonly [K in keyof V]: SQL<DataOf<V[K]>> }

/** A text or number that belongs to no column. */
export function unmappedValue<T extends string | number | null>(): Value<T> {
  return { encode: null, isBytes: false }
}

/** A value stored as `column` stores it, or null even if the column may not be null. */
export function orNull<C extends SQLiteColumn>(column: C): Value<GetColumnData<C> | null> {
  return asValue(column)
}

/** What an INSERT gives to the columns of a table; one with a default may be left out. */
export type NewRow<T extends SQLiteTable> = { [K in keyof T['$inferInsert']]: T['$inferInsert'][K] | SQL }

/** `V` are the values of each row, `S` those that all rows share. */
export interface Rows<V extends Values, S extends Values> {
  each: RowColumns<V>
  shared: RowColumns<S>
  /** The index of the row: 0, 1, 2 … */
  number: SQL<number>
  /** What to put after FROM. */
  list: SQL
  /** `id IN ${rows.pick('id')}`, or `(message_id, number) IN ${rows.pick('messageId', 'number')}`. */
  pick(...names: (keyof V & string)[]): SQL
  /** Inserts one row of `table` for each row of the list; ON CONFLICT, RETURNING and prepare() may follow. */
  insertInto<T extends SQLiteTable>(db: Db, table: T, row: NewRow<T>): ReturnType<typeof insertSelect<T>>
  /**
   * Does the same. On a file, rows go in as VALUES in small groups, which costs a third of reading them from a list; a server gets all at
   * once.
   */
  adding<T extends SQLiteTable>(table: T, row: NewRow<T>): Adding<V, S>
  /** The parameters of the statement. */
  given(
    rows: readonly RowData<V>[],
    ...shared: keyof S extends never ? [] : [shared: RowData<S>]
  ): Record<string, unknown>
}

type StoredValue = string | number | Uint8Array | null

type RowInput = Record<string, unknown>

/** Where an INSERT takes the value of a column from: each row has its own, or all rows have the same. */
type Source = NamedValue | ((shared: RowInput) => StoredValue)

type Adding<V extends Values, S extends Values> = (db: Db, ...given: Parameters<Rows<V, S>['given']>) => Promise<void>

const listName = 'the list'

export function toRows<V extends Values>(each: V): Rows<V, Record<never, never>>
export function toRows<V extends Values, S extends Values>(each: V, shared: S): Rows<V, S>
export function toRows(each: Values, shared: Values = {}): Rows<Values, Values> {
  // Each access to `value` of json_each() builds and parses its text anew. With a LIMIT it is built once and read in place.
  const list = sql`(SELECT key, jsonb(value) AS value FROM json_each(${sql.placeholder(listName)}) LIMIT -1) AS item`
  const [ofEach, ofAll] = [toNamedValues(each), toNamedValues(shared)]
  const read = Object.fromEntries(ofEach.map(({ name, isBytes }, place) => [name, readItem(place, isBytes)]))
  const readAll = Object.fromEntries(ofAll.map(({ name }) => [name, sql<never>`${sql.placeholder(name)}`]))
  const rows: Rows<Values, Values> = {
    each: read,
    shared: readAll,
    number: sql<number>`item.key`,
    list,
    pick: (...names) =>
      sql`(SELECT ${sql.join(
        names.map((name) => read[name]),
        sql`, `,
      )} FROM ${list})`,
    // Without WHERE, SQLite would parse ON CONFLICT as the ON of a join.
    insertInto: (db, table, row) => insertSelect(db, table, row, sql`${list} WHERE true`),
    adding(table, row) {
      const insertAll = prepared((db: Db) => rows.insertInto(db, table, row).prepare())
      const columns = filledColumns(table, row)
      const sources = columns.map(({ column, value }): Source => {
        const own = ofEach.find(({ name }) => read[name] === value)
        if (own) return own
        const common = ofAll.find(({ name }) => readAll[name] === value)
        if (common) return (shared) => storedAs(common, shared)
        if (is(value, SQL)) throw new Error(`${column.name} is worked out: use insertInto()`)
        const constant = (value === null ? null : column.mapToDriverValue(value)) as StoredValue
        return () => constant
      })
      const insertSome = inserting(
        table,
        columns.map(({ column }) => column),
        sources,
      )
      return async (db, list, shared = {}) => {
        const file = files.get(db)
        if (file) insertSome(file, list, shared)
        else await insertAll(db).run(rows.given(list, shared))
      }
    },
    given: (rows, common = {}) => ({
      [listName]: JSON.stringify(rows.map((row) => ofEach.map((value) => inJson(value, row)))),
      ...Object.fromEntries(ofAll.map((value) => [value.name, storedAs(value, common)])),
    }),
  }
  return rows
}

/** Inserts what a SELECT finds into `table`; `source` is what follows its FROM. */
export function insertSelect<T extends SQLiteTable>(db: Db, table: T, row: NewRow<T>, source: SQL) {
  const values = filledColumns(table, row).map(({ value, column }) =>
    is(value, SQL) ? value : sql`${sql.param(value, column)}`,
  )
  return db.insert(table).select(sql`SELECT ${sql.join(values, sql`, `)} FROM ${source}`)
}

/** The value that an INSERT gives to each column, in Drizzle's order. */
function filledColumns<T extends SQLiteTable>(table: T, row: NewRow<T>): { column: SQLiteColumn; value: unknown }[] {
  const given: Record<string, unknown> = row
  return Object.entries(getTableColumns(table)).map(([name, column]) => {
    return { column, value: given[name] === undefined ? (column.default ?? null) : given[name] }
  })
}

/** The fixed cost of running a statement, in rows. */
const rowsPerInsert = [32, 8, 1]

/** Writes rows into a file as VALUES; `sources` gives the value of each of `columns`. What all rows share is bound once. */
function inserting(table: SQLiteTable, columns: SQLiteColumn[], sources: Source[]) {
  const names = columns.map(({ name }) => name).join()
  const common = sources.filter((source) => typeof source === 'function')
  const own = sources.filter((source) => typeof source !== 'function')
  const inserts = rowsPerInsert.map((size) => {
    let bound = common.length
    const parameter = (source: Source) => `?${typeof source === 'function' ? common.indexOf(source) + 1 : ++bound}`
    const rows = Array.from({ length: size }, () => `(${sources.map(parameter).join()})`).join()
    return { size, text: `INSERT INTO ${getTableName(table)} (${names}) VALUES ${rows}` }
  })
  return (file: SQLite, rows: readonly RowInput[], shared: RowInput): void => {
    let from = 0
    for (const { size, text } of inserts)
      for (; rows.length - from >= size; from += size) {
        const values = common.map((source) => source(shared))
        for (const row of rows.slice(from, from + size)) for (const value of own) values.push(storedAs(value, row))
        file.prepare<unknown, StoredValue[]>(text).run(...values)
      }
  }
}

type NamedValue = Value<unknown> & { name: string }

function toNamedValues(values: Values): NamedValue[] {
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

function readItem(place: number, isBytes: boolean): SQL {
  const text = sql.raw(`item.value ->> ${place}`)
  return isBytes ? sql`unhex(${text})` : sql`(${text})`
}

/** JSON cannot hold bytes. */
function inJson(value: NamedValue, row: RowInput): StoredValue {
  const stored = storedAs(value, row)
  return value.isBytes && stored instanceof Uint8Array ? Buffer.from(stored).toString('hex') : stored
}

/** The value of a row as its column stores it; a missing one is NULL. */
function storedAs({ name, encode }: NamedValue, row: Record<string, unknown>): StoredValue {
  const value = row[name] ?? null
  return (encode === null || value === null ? value : encode(value)) as StoredValue
}
