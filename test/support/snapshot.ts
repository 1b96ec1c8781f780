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
  const rows = await app.db.all<{ tableName: string; content: string }>(sql.raw(await everythingIn(app)))
  const tables = new Map<string, Set<string>>()
  for (const [name, own] of Map.groupBy(rows, ({ tableName }) => tableName))
    tables.set(name, new Set(own.map(({ content }) => content)))
  return { tables, differencesFrom: (earlier) => differences(earlier.tables, tables) }
}

const queries = new WeakMap<App, string>()

/** One query for all tables: over a network, a query for each of them would be most of a test. */
async function everythingIn(app: App): Promise<string> {
  const known = queries.get(app)
  if (known) return known
  const columns = await app.db.all<{ tableName: string; columnName: string }>(
    sql`SELECT m.name AS tableName, c.name AS columnName FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'`,
  )
  const selects = [...Map.groupBy(columns, ({ tableName }) => tableName)]
    .filter(([name]) => !ignoredTables.includes(name) && !/^(_|sqlite_|libsql_)/.test(name))
    .map(([name, own]) => {
      const shown = own
        .filter(({ columnName }) => !ignoredColumns.includes(columnName))
        .map((one) => asJson(one.columnName))
      return `SELECT '${name}' AS tableName, '{' || ${shown.join(` || ',' || `)} || '}' AS content FROM "${name}"`
    })
  const query = selects.join(' UNION ALL ')
  queries.set(app, query)
  return query
}

function asJson(column: string): string {
  return `'"${column}":' || CASE typeof("${column}") WHEN 'blob' THEN '"' || hex("${column}") || '"' ELSE json_quote("${column}") END`
}

function differences(before: Map<string, Set<string>>, after: Map<string, Set<string>>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((table) => {
    const rows = after.get(table) ?? new Set()
    const earlier = before.get(table) ?? new Set()
    return [
      ...[...rows.difference(earlier)].map((row) => `+ ${table} ${row.slice(0, 300)}`),
      ...[...earlier.difference(rows)].map((row) => `- ${table} ${row.slice(0, 300)}`),
    ]
  })
}
