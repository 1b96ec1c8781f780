// Where in the database something stands: for tests of what is not stored, or not any more.

import { sql } from 'drizzle-orm'
import type { Json, TestApp } from './app.ts'

/** Where a text stands, in any case: names of tables, with what is around it. */
export async function whereIs(t: TestApp, text: string): Promise<string[]> {
  const found: string[] = []
  const tables = await t.app.db.all<{ name: string }>(
    sql`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite_%'`,
  )
  for (const { name } of tables) {
    const rows = await t.app.db.all<Json>(sql`SELECT * FROM ${sql.identifier(name)}`)
    for (const row of rows) {
      const values = Object.values(row).map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
      )
      const held = values.find((value) => value.toLowerCase().includes(text.toLowerCase()))
      if (held !== undefined) found.push(`${name}: ${held.slice(0, 300)}`)
    }
  }
  return found
}
