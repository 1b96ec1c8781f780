// Everything that is stored, to prove that a refused request changed nothing.

import { sql } from 'drizzle-orm'
import type { App } from '../../src/app.ts'

/** Limits, and times of use that are noted beside a request, are no effects of it. */
const ignoredTables = ['rate_buckets', 'migrations', 'processes', 'sqlite_sequence']
const ignoredColumns = ['last_used_at', 'last_seen_at']

export interface Snapshot {
  tables: Map<string, Set<string>>
  /** One line for each row that appeared, went, or changed. */
  differencesFrom(earlier: Snapshot): string[]
}

export async function snapshot(app: App): Promise<Snapshot> {
  const named = await app.db.all<{ name: string }>(sql`SELECT name FROM sqlite_master WHERE type = 'table'`)
  const tables = new Map<string, Set<string>>()
  for (const { name } of named) {
    if (ignoredTables.includes(name) || /^(_|sqlite_|libsql_)/.test(name)) continue
    tables.set(name, await rowsOf(app, name))
  }
  return { tables, differencesFrom: (earlier) => differences(earlier.tables, tables) }
}

async function rowsOf(app: App, table: string): Promise<Set<string>> {
  const columns = await app.db.all<{ name: string }>(sql`SELECT name FROM pragma_table_info(${table})`)
  const wanted = columns.map(({ name }) => name).filter((name) => !ignoredColumns.includes(name))
  const list = sql.raw(wanted.map((name) => `"${name}"`).join(', '))
  const rows = await app.db.all<Record<string, unknown>>(sql`SELECT ${list} FROM ${sql.identifier(table)}`)
  return new Set(rows.map((row) => JSON.stringify(row)))
}

function differences(before: Map<string, Set<string>>, after: Map<string, Set<string>>): string[] {
  return [...after].flatMap(([table, rows]) => {
    const earlier = before.get(table) ?? new Set()
    return [
      ...[...rows.difference(earlier)].map((row) => `+ ${table} ${row.slice(0, 300)}`),
      ...[...earlier.difference(rows)].map((row) => `- ${table} ${row.slice(0, 300)}`),
    ]
  })
}
