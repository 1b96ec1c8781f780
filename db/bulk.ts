// Bulk inserts: a hundred rows share one statement, which is built once per connection. That means a hundredth of the round trips to a
// libSQL server and, on a file, no repeated building. (Rows as one JSON parameter are three times slower, because of json_each.)

import { getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './handle.ts'
import { prepared, stored } from './prepared.ts'

const rowsPerStatement = [100, 10, 1] as const

interface Statement {
  run(values: Record<string, unknown>): unknown
}

const statements = prepared((_: Db) => new Map<SQLiteTable, Map<number, Statement>>())

/** Inserts `rows`, each with every column. */
export async function insertRows<T extends SQLiteTable>(db: Db, table: T, rows: T['$inferSelect'][]): Promise<void> {
  const columns = Object.entries(getTableColumns(table))
  let from = 0
  for (const size of rowsPerStatement) {
    for (; rows.length - from >= size; from += size) {
      const values: Record<string, unknown> = {}
      for (const [number, row] of rows.slice(from, from + size).entries()) {
        for (const [name, column] of columns) {
          const value: unknown = row[name]
          values[`${number}${name}`] = value === null || value === undefined ? null : column.mapToDriverValue(value)
        }
      }
      await statementFor(db, table, size).run(values)
    }
  }
}

function statementFor(db: Db, table: SQLiteTable, size: number): Statement {
  const ofTable = statements(db).getOrInsertComputed(table, () => new Map<number, Statement>())
  return ofTable.getOrInsertComputed(size, () => build(db, table, size))
}

function build(db: Db, table: SQLiteTable, size: number): Statement {
  const names = Object.keys(getTableColumns(table))
  const rows = Array.from({ length: size }, (_, number) =>
    Object.fromEntries(names.map((name) => [name, stored(`${number}${name}`)])),
  )
  return db.insert(table).values(rows).prepare()
}

/** `column IN ${oneOf(values)}`, with one parameter however many there are. */
export function oneOf(values: string[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`
}
