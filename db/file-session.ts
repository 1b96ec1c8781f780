// Makes objects of the rows of a file. Drizzle works out for every value of every row what it is and where it belongs; here that is done once
// per query.

import { Column, type DriverValueDecoder, getTableName, is, noopDecoder, type Query, SQL, Subquery } from 'drizzle-orm'
import { type PreparedQuery, SQLiteBunSession } from 'drizzle-orm/bun-sqlite'
import type { PreparedQueryConfig, SelectedFieldsOrdered, SQLiteExecuteMethod } from 'drizzle-orm/sqlite-core'

type ExecuteArguments = [
  how: SQLiteExecuteMethod,
  isResponseInArrayMode: boolean,
  mapper?: (rows: unknown[][]) => unknown,
]

type Fields = SelectedFieldsOrdered
type Field = Fields[number]['field']
type RowObject = Record<string, unknown>

export class FileSession extends SQLiteBunSession<Record<string, never>, Record<string, never>> {
  override prepareQuery<T extends Omit<PreparedQueryConfig, 'run'>>(
    query: Query,
    fields: Fields | undefined,
    ...others: ExecuteArguments
  ): PreparedQuery<T> {
    const prepared = super.prepareQuery<T>(query, fields, ...others)
    const [, , ownMapper] = others
    if (!fields || ownMapper) return prepared
    let reader: ((stored: unknown[]) => RowObject) | null = null
    const read = (stored: unknown[]) => {
      // Drizzle says what may be missing after it has prepared the query.
      reader ??= rowReader(fields, Reflect.get(prepared, 'joinsNotNullableMap') ?? null)
      return reader(stored)
    }
    prepared.all = (values) => (prepared.values(values) as unknown[][]).map(read)
    prepared.get = (values) => {
      const [first] = prepared.values(values) as unknown[][]
      return first && read(first)
    }
    return prepared
  }
}

/** A value of a row; `decode` is null for one that is as it is stored. */
interface Cell {
  at: number
  name: string
  decode: ((stored: unknown) => unknown) | null
}

/** A row within the row, of one table; null when that table was joined and had none. */
interface Inner {
  name: string
  cells: Cell[]
  /** The name of the value that is null if the join found no row; null if it always finds one. */
  witness: string | null
}

type Joined = Record<string, boolean> | null

function rowReader(fields: Fields, joined: Joined): (stored: unknown[]) => RowObject {
  const cells = fields.map(({ path, field }, at) => ({ at, path, field, decode: findDecoder(field) }))
  const parts = [...Map.groupBy(cells, ({ path: [name = ''] }) => name)].map(([name, same]): Cell | Inner => {
    const inside = same.map(({ path, at, decode }) => ({ at, name: path[1] ?? '', decode }))
    const [first] = same
    const isInner = first === undefined || first.path.length > 1
    return isInner ? { name, cells: inside, witness: findWitness(same, joined) } : { ...first, name }
  })
  return (stored) => {
    const row: RowObject = {}
    for (const part of parts) row[part.name] = 'cells' in part ? readInner(part, stored) : readCell(part, stored)
    return row
  }
}

function findWitness(cells: { path: string[]; field: Field }[], joined: Joined): string | null {
  const columns = cells.flatMap(({ path, field }) => (is(field, Column) ? [{ name: path[1], field }] : []))
  const tables = new Set(columns.map(({ field }) => getTableName(field.table)))
  const [table = ''] = tables
  const mayBeMissing = joined !== null && tables.size === 1 && !joined[table]
  return mayBeMissing ? (columns[0]?.name ?? null) : null
}

function readInner({ cells, witness }: Inner, stored: unknown[]): RowObject | null {
  const row: RowObject = {}
  for (const cell of cells) row[cell.name] = readCell(cell, stored)
  return witness !== null && row[witness] === null ? null : row
}

function readCell({ at, decode }: Cell, stored: unknown[]): unknown {
  const value = stored[at]
  return decode === null || value === null ? value : decode(value)
}

const asStored = Column.prototype.mapFromDriverValue

function findDecoder(field: Field): Cell['decode'] {
  const source = is(field, Subquery) ? field._.sql : is(field, SQL.Aliased) ? field.sql : field
  const decoder: DriverValueDecoder<unknown, unknown> = is(source, SQL) ? Reflect.get(source, 'decoder') : source
  const isAsStored = decoder === noopDecoder || decoder.mapFromDriverValue === asStored
  return isAsStored ? null : (value) => decoder.mapFromDriverValue(value)
}
