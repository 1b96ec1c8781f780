// Copies every row of one database to another (file or libSQL server) in primary key order, so the last row of the target says where to
// resume after a failure. What is written meanwhile has to be noted (copy-live.ts), or nobody may write.

import { auditTriggers } from './audited.ts'
import { type End, type EndQuery, patiently, type RowValues } from './copy-ends.ts'
import { keptNames } from './copy-mark.ts'
import { isAnswerTooLarge } from './faults.ts'
import { fullTextNames, modelTables, modelTriggers, type Table } from './model.ts'

/** Of one table. */
export interface Progress {
  table: string
  copied: number
  of: number
}

/** Rows that a process leaves for itself, and what the target has of its own. */
const notCopied = ['migrations', 'processes', 'write_tokens', 'touched_partitions']
/** All that are copied, by name. */
export const copiedTables = () => modelTables().filter(({ name }) => !notCopied.includes(name))
const firstRows = 16
const mostRows = 2_000
/** Rows that are read at once and written in one statement. Fewer for tables with large rows. */
const aimBytes = 1_000_000
const mostValues = 30_000

/** Whether the database holds anything besides what every new database has. */
export async function isEmpty(end: End): Promise<boolean> {
  for (const { name } of copiedTables()) {
    if (name === 'installation') continue
    if ((await end.rows(`SELECT 1 FROM "${name}" LIMIT 1`)).length > 0) return false
  }
  return true
}

/**
 * Takes the triggers of the target away, but for those of a full-text index, which is not copied: what they would write is copied. Until
 * they are made again, the target must not be used.
 */
export async function silence(to: End): Promise<void> {
  const names = await to.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
  const silent = names.filter(([, sql]) => !feedsText(String(sql)))
  await to.write(silent.map(([name = '']) => ({ sql: `DROP TRIGGER IF EXISTS "${name}"`, args: [] })))
}

/** Makes the triggers again that `silence` took. */
export async function unsilence(to: End): Promise<void> {
  const present = new Set(
    (await to.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'")).map(([name]) => name),
  )
  const missing = [...modelTriggers(), ...auditTriggers()].filter(({ name }) => !present.has(name))
  await to.write(missing.map(({ sql }) => ({ sql, args: [] })))
}

function feedsText(trigger: string): boolean {
  return fullTextNames().some((name) => new RegExp(`\\b(?:INTO|FROM) ${name}\\b`, 'i').test(trigger))
}

/** Copies what is missing in the target, which is silent. `tell` is called after each slice. */
export async function copyRows(
  from: End,
  to: End,
  tell: (progress: Progress) => void | Promise<void> = () => {},
): Promise<void> {
  for (const table of copiedTables()) {
    const { name } = table
    if (name === 'installation') await copyInstallation(from, to)
    else await copyTable(from, to, table, tell)
  }
  await to.write(putCounters(await from.rows(readCounters)))
}

/** How far each AUTOINCREMENT has counted. */
export const readCounters = 'SELECT name, seq FROM sqlite_sequence'

export function putCounters(counters: RowValues[]): EndQuery[] {
  return counters.flatMap(([name = null, seq = null]) => [
    { sql: 'DELETE FROM sqlite_sequence WHERE name = ?', args: [name] },
    { sql: 'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', args: [name, seq] },
  ])
}

/** What of a table is copied: each database keeps what says that it is being copied for itself. */
export const copiedWhere = (name: string) =>
  name === 'installation' ? `name NOT IN (${keptNames.map((kept) => `'${kept}'`)})` : '1'

/** A small table, copied whole, because the target already has rows of its own in it. */
async function copyInstallation(from: End, to: End): Promise<void> {
  const where = copiedWhere('installation')
  const rows = await from.rows(`SELECT name, value, updated_at FROM installation WHERE ${where}`)
  const sql = 'INSERT OR REPLACE INTO installation (name, value, updated_at) VALUES (?, ?, ?)'
  await to.write(rows.map((args) => ({ sql, args })))
}

async function copyTable(
  from: End,
  to: End,
  table: Table,
  tell: (progress: Progress) => void | Promise<void>,
): Promise<void> {
  const { name, key } = table
  try {
    const of = await patiently(() => countRows(from, name))
    let copied = await patiently(() => countRows(to, name))
    let limit = firstRows
    for (let last = await lastKey(to, table); ; ) {
      const { rows, limit: read } = await someRows(limit, (most) => rowsAfter(from, table, last, most))
      if (rows.length === 0) break
      for (const some of inPortions(rows)) {
        await to.write([insert(table, some)]).catch(async () => {
          // The answer may be lost and the rows written: then this does nothing.
          await patiently(() =>
            to.write([
              remove(
                table,
                some.map((row) => row.slice(0, key.length)),
              ),
              insert(table, some),
            ]),
          )
        })
        copied += some.length
        last = some.at(-1)?.slice(0, key.length) ?? last
      }
      await tell({ table: name, copied, of })
      limit = nextLimit(rows, read)
    }
  } catch (error) {
    throw new Error(`table ${name}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

/** Asks for half as many when they are more than a server answers. */
export async function someRows(
  limit: number,
  read: (most: number) => Promise<RowValues[]>,
): Promise<{ rows: RowValues[]; limit: number }> {
  for (let most = limit; ; most = Math.ceil(most / 2)) {
    try {
      return { rows: await patiently(() => read(most)), limit: most }
    } catch (error) {
      if (!isAnswerTooLarge(error) || most === 1) throw error
    }
  }
}

/** How many to read next, after `rows` of at most `limit`: more while they are small. */
export function nextLimit(rows: RowValues[], limit: number): number {
  const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 1)
  return Math.max(1, Math.min(mostRows, limit * 4, Math.floor((aimBytes * rows.length) / bytes)))
}

/** In the order of the key, after that one. */
export async function rowsAfter(
  from: Pick<End, 'rows'>,
  { name, key, columns }: Table,
  last: RowValues | null,
  limit: number,
): Promise<RowValues[]> {
  const order = key.join(', ')
  const after = last === null ? '1' : `(${order}) > (${last.map(() => '?').join(', ')})`
  const where = `${copiedWhere(name)} AND ${after}`
  const sql = `SELECT ${list(columns)} FROM "${name}" WHERE ${where} ORDER BY ${order} LIMIT ${limit}`
  return await from.rows(sql, last ?? [])
}

async function lastKey(to: End, { name, key }: Table): Promise<RowValues | null> {
  const order = key.map((column) => `${column} DESC`).join(', ')
  return (await to.rows(`SELECT ${key.join(', ')} FROM "${name}" ORDER BY ${order} LIMIT 1`))[0] ?? null
}

/** A row of the target that stands in the way is one that the source no longer has. */
export function insert({ name, columns }: Table, rows: RowValues[]): EndQuery {
  const row = `(${columns.map(() => '?').join(', ')})`
  return {
    sql: `INSERT OR REPLACE INTO "${name}" (${list(columns)}) VALUES ${rows.map(() => row).join(', ')}`,
    args: rows.flat(),
  }
}

/** Deletes the rows with these keys. */
export function remove({ name, key }: Table, keys: RowValues[]): EndQuery {
  return { sql: `DELETE FROM "${name}" WHERE ${withKeys(key, keys.length)}`, args: keys.flat() }
}

/** Finds rows by that many keys. */
export function withKeys(key: string[], count: number): string {
  if (key.length === 1) return `${key[0]} IN (${Array.from({ length: count }, () => '?').join(', ')})`
  const one = `(${key.map(() => '?').join(', ')})`
  return `(${key.join(', ')}) IN (VALUES ${Array.from({ length: count }, () => one).join(', ')})`
}

export function* inPortions(rows: RowValues[]): Generator<RowValues[]> {
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

export const list = (columns: string[]) => columns.map((column) => `"${column}"`).join(', ')

async function countRows(end: Pick<End, 'rows'>, table: string): Promise<number> {
  return Number((await end.rows(`SELECT count(*) FROM "${table}" WHERE ${copiedWhere(table)}`))[0]?.[0])
}

/** The number of rows of each table in both databases. */
export async function countTables(from: End, to: End) {
  const counts: { table: string; from: number; to: number }[] = []
  for (const { name } of copiedTables())
    counts.push({ table: name, from: await countRows(from, name), to: await countRows(to, name) })
  return counts
}
