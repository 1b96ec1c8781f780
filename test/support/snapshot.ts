// Everything that is stored, to prove that a refused request changed nothing.

import { sql } from 'drizzle-orm'
import { files } from '../../db/handle.ts'
import { type App, write } from '../../src/core/app.ts'

/** Limits, and times of use that are noted beside a request, are no effects of it. */
const ignoredTables = ['rate_buckets', 'migrations', 'processes', 'sqlite_sequence', 'test_writes', 'write_tokens']
const ignoredColumns = ['last_used_at', 'last_seen_at']

export interface Snapshot {
  tables: Map<string, Set<string>>
  /** One line for each row that appeared, went, or changed. */
  differencesFrom(earlier: Snapshot): string[]
}

/** One that was taken before is still good where nothing was committed since. */
export async function snapshot(app: App): Promise<Snapshot> {
  const writes = await writesOf(app)
  const last = taken.get(app)
  if (last && writes !== null && last.writes === writes) return last.snapshot
  const now = await takeSnapshot(app)
  taken.set(app, { writes, snapshot: now })
  return now
}

const taken = new WeakMap<App, { writes: number | null; snapshot: Snapshot }>()

/** A number that is another one after each commit; null where nobody counts. */
async function writesOf(app: App): Promise<number | null> {
  const file = files.get(app.db)
  if (file) return (file.prepare('PRAGMA data_version').get() as { data_version: number }).data_version
  if (!counting.has(app)) return null
  const [now] = await app.db.all<{ writes: number }>(sql`SELECT writes FROM test_writes`)
  return now?.writes ?? null
}

const counting = new WeakSet<App>()

/** For tests on a server that take hundreds: from here on its writes are counted. A file counts its own. */
export async function countWrites(app: App): Promise<void> {
  if (files.has(app.db)) return
  const tables = await watchedTables(app)
  await write(app, async (tx) => {
    await tx.db.run(sql`CREATE TABLE test_writes (writes INTEGER NOT NULL)`)
    await tx.db.run(sql`INSERT INTO test_writes VALUES (0)`)
    for (const table of tables.keys())
      for (const what of ['INSERT', 'UPDATE', 'DELETE'])
        await tx.db.run(
          sql.raw(
            `CREATE TRIGGER "test_${table}_${what}" AFTER ${what} ON "${table}" BEGIN UPDATE test_writes SET writes = writes + 1; END`,
          ),
        )
  })
  counting.add(app)
}

async function takeSnapshot(app: App): Promise<Snapshot> {
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
  const selects = [...(await watchedTables(app))].map(([name, columns]) => {
    const shown = columns.filter((column) => !ignoredColumns.includes(column)).map(asJson)
    return `SELECT '${name}' AS tableName, '{' || ${shown.join(` || ',' || `)} || '}' AS content FROM "${name}"`
  })
  const query = selects.join(' UNION ALL ')
  queries.set(app, query)
  return query
}

/** The names of their columns. */
async function watchedTables(app: App): Promise<Map<string, string[]>> {
  const columns = await app.db.all<{ tableName: string; columnName: string }>(
    sql`SELECT m.name AS tableName, c.name AS columnName FROM pragma_table_list m, pragma_table_info(m.name) c
      WHERE m.schema = 'main' AND m.type = 'table'`,
  )
  const tables = Map.groupBy(columns, ({ tableName }) => tableName)
  const watched = [...tables].filter(([name]) => !ignoredTables.includes(name) && !/^(_|sqlite_|libsql_)/.test(name))
  return new Map(watched.map(([name, own]) => [name, own.map(({ columnName }) => columnName)]))
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
