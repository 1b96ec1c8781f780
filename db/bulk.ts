// Many rows in one statement with one parameter: the rows travel as JSON, and SQLite takes them apart. A libSQL server is asked
// once instead of once a row, and a file saves the cost of binding.

import { getTableColumns, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './handle.ts'

/** Inserts `rows`, each with every column. Not for blobs. */
export async function insertRows<T extends SQLiteTable>(db: Db, table: T, rows: T['$inferSelect'][]): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.entries(getTableColumns(table))
  const stored = rows.map((row) =>
    columns.map(([name, column]) => {
      const value: unknown = row[name]
      return value === null || value === undefined ? null : column.mapToDriverValue(value)
    }),
  )
  const names = sql.raw(columns.map(([, column]) => `"${column.name}"`).join(', '))
  const cells = sql.raw(columns.map((_, index) => `value ->> ${index}`).join(', '))
  await db.run(
    sql`INSERT INTO ${sql.identifier(getTableConfig(table).name)} (${names}) SELECT ${cells} FROM json_each(${JSON.stringify(stored)})`,
  )
}

/** `column IN ${oneOf(values)}`, with one parameter however many there are. */
export function oneOf(values: string[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`
}
