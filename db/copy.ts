// Copies every row of one database to another (file or libSQL server) in primary key order, so the last row of the target says where to
// resume after a failure. Neither database may change meanwhile.

import { Database as SQLite, type SQLQueryBindings } from 'bun:sqlite'
import { setTimeout as passing } from 'node:timers/promises'
import { systemRandom } from '../src/kit/random.ts'
import { isUnavailable } from './faults.ts'
import { modelTables, type Table } from './model.ts'

type Value = string | number | bigint | null | Uint8Array
type RowValues = Value[]

/** A database at one end of a copy. */
export interface End {
  rows(sql: string, args?: RowValues): Promise<RowValues[]>
  /** Runs all statements in one transaction. */
  write(statements: { sql: string; args: RowValues }[]): Promise<void>
  close(): void
}

/** Of one table. */
export interface Progress {
  table: string
  copied: number
  of: number
}

/** Rows that a process leaves for itself, and rows that the target has or creates itself. */
const notCopied = ['migrations', 'processes', 'write_tokens', 'activity_changes', 'touched_partitions']
const tables = () => modelTables().filter(({ name }) => !notCopied.includes(name))
const firstRows = 16
const mostRows = 2_000
/** Rows that are read at once and written in one statement. Fewer for tables with large rows. */
const aimBytes = 1_000_000
const mostValues = 30_000
const tries = 60
const pauseMs = 1_000

export async function openEnd(url: string, authToken: string | undefined): Promise<End> {
  return url.startsWith('file:') ? fileEnd(url.slice('file:'.length)) : await serverEnd(url, authToken)
}

function fileEnd(path: string): End {
  const file = new SQLite(path, { readwrite: true, create: false })
  file.run('PRAGMA busy_timeout = 5000')
  file.run('PRAGMA synchronous = FULL')
  const all = (sql: string, args: RowValues = []) =>
    file.query<unknown, SQLQueryBindings[]>(sql).values(...args) as RowValues[]
  return {
    rows: async (sql, args) => all(sql, args),
    write: async (statements) => void file.transaction(() => statements.map(({ sql, args }) => all(sql, args)))(),
    close: () => file.close(),
  }
}

async function serverEnd(url: string, authToken: string | undefined): Promise<End> {
  const { Server } = await import('./server.ts')
  const server = new Server(url, authToken, systemRandom)
  // Integers are sent as bigint: a number would be sent as floating point.
  const sent = (args: RowValues) => args.map((value) => (Number.isSafeInteger(value) ? BigInt(Number(value)) : value))
  return {
    async rows(sql, args = []) {
      const [answer] = await server.askEach([{ sql, args: sent(args) }])
      if (!answer?.ok) throw answer?.error
      return answer.result.rows.map((row) =>
        Array.from(row, (value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value)),
      )
    },
    write: async (statements) =>
      void (await server.transact(statements.map(({ sql, args }) => ({ sql, args: sent(args) })))),
    close: () => server.close(),
  }
}

/** Whether the database holds anything besides what every new database has. */
export async function isEmpty(end: End): Promise<boolean> {
  for (const { name } of tables()) {
    if (name === 'installation') continue
    if ((await end.rows(`SELECT 1 FROM "${name}" LIMIT 1`)).length > 0) return false
  }
  return true
}

/** Copies what is missing in the target. `keep`: the row of `installation` that each database keeps for itself. */
export async function copyRows(from: End, to: End, keep: string, tell: (progress: Progress) => void): Promise<void> {
  for (const table of tables()) {
    const { name } = table
    if (name === 'installation') await copyInstallation(from, to, keep)
    else await copyTable(from, to, table, tell)
  }
  const counters = await from.rows('SELECT name, seq FROM sqlite_sequence')
  await to.write(
    counters.flatMap(([name = null, seq = null]) => [
      { sql: 'DELETE FROM sqlite_sequence WHERE name = ?', args: [name] },
      { sql: 'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', args: [name, seq] },
    ]),
  )
}

/** A small table, copied whole, because the target already has rows of its own in it. */
async function copyInstallation(from: End, to: End, keep: string): Promise<void> {
  const rows = await from.rows('SELECT name, value, updated_at FROM installation WHERE name <> ?', [keep])
  const sql = 'INSERT OR REPLACE INTO installation (name, value, updated_at) VALUES (?, ?, ?)'
  await to.write(rows.map((args) => ({ sql, args })))
}

async function copyTable(from: End, to: End, table: Table, tell: (progress: Progress) => void): Promise<void> {
  const of = await count(from, table.name)
  let copied = await count(to, table.name)
  let limit = firstRows
  let last = await lastKey(to, table)
  for (let failures = 0; ; ) {
    try {
      const rows = await rowsAfter(from, table, last, limit)
      if (rows.length === 0) break
      for (const some of inPortions(rows)) {
        await to.write([insert(table, some)])
        copied += some.length
        last = some.at(-1)?.slice(0, table.key.length) ?? last
      }
      tell({ table: table.name, copied, of })
      const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0)
      limit = Math.max(1, Math.min(mostRows, limit * 4, Math.floor((aimBytes * rows.length) / bytes)))
      failures = 0
    } catch (error) {
      if (!isUnavailable(error))
        throw new Error(`table ${table.name}: ${error instanceof Error ? error.message : error}`)
      if (++failures > tries) throw error
      await passing(pauseMs)
      // The answer was lost, but the rows may have been written.
      last = await lastKey(to, table).catch(() => last)
    }
  }
}

async function rowsAfter(
  from: End,
  { name, key, columns }: Table,
  last: RowValues | null,
  limit: number,
): Promise<RowValues[]> {
  const order = key.join(', ')
  const after = last === null ? '' : `WHERE (${order}) > (${last.map(() => '?').join(', ')})`
  const sql = `SELECT ${list(columns)} FROM "${name}" ${after} ORDER BY ${order} LIMIT ${limit}`
  return await from.rows(sql, last ?? [])
}

async function lastKey(to: End, { name, key }: Table): Promise<RowValues | null> {
  const order = key.map((column) => `${column} DESC`).join(', ')
  return (await to.rows(`SELECT ${key.join(', ')} FROM "${name}" ORDER BY ${order} LIMIT 1`))[0] ?? null
}

function insert({ name, columns }: Table, rows: RowValues[]) {
  const row = `(${columns.map(() => '?').join(', ')})`
  return { sql: `INSERT INTO "${name}" (${list(columns)}) VALUES ${rows.map(() => row).join(', ')}`, args: rows.flat() }
}

function* inPortions(rows: RowValues[]): Generator<RowValues[]> {
  let portion: RowValues[] = []
  let bytes = 0
  for (const row of rows) {
    const isFull = bytes + sizeOf(row) > aimBytes || (portion.length + 1) * row.length > mostValues
    if (isFull && portion.length > 0) {
      yield portion
      portion = []
      bytes = 0
    }
    portion.push(row)
    bytes += sizeOf(row)
  }
  yield portion
}

function sizeOf(row: RowValues): number {
  return row.reduce<number>(
    (sum, value) => sum + (value && typeof value === 'object' ? value.length : String(value).length),
    0,
  )
}

const list = (columns: string[]) => columns.map((column) => `"${column}"`).join(', ')

async function count(end: End, table: string, where = '1'): Promise<number> {
  return Number((await end.rows(`SELECT count(*) FROM "${table}" WHERE ${where}`))[0]?.[0])
}

/** The number of rows of each table in both databases. */
export async function countRows(from: End, to: End, keep: string) {
  const counts: { table: string; from: number; to: number }[] = []
  for (const { name } of tables()) {
    const where = name === 'installation' ? `name <> '${keep}'` : '1'
    counts.push({ table: name, from: await count(from, name, where), to: await count(to, name, where) })
  }
  return counts
}
