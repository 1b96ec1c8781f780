// Checks a database that nobody serves: what SQLite itself can tell, the number of rows in each table, and the invariants of the outbox.

import { Database as SQLite } from 'bun:sqlite'
import { openDatabase } from '../../../db/open.ts'
import { checkInvariants } from '../../core/outbox/invariants.ts'
import { systemClock } from '../../kit/clock.ts'

/** Rows by table. */
export type Rows = Record<string, number>

export function countRows(file: SQLite): Rows {
  const tables = file.query<{ name: string }, []>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  )
  const count = (name: string) => file.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${name}"`).get()?.n ?? 0
  return Object.fromEntries(tables.all().map(({ name }) => [name, count(name)]))
}

/** What is wrong, a line for each; none when all is well. The file is brought to this version by that. */
export async function findFaults(path: string, expected: Rows | null): Promise<string[]> {
  const stored = storedFaults(path, expected)
  return stored.length > 0 ? stored : await brokenInvariants(path)
}

function storedFaults(path: string, expected: Rows | null): string[] {
  using file = new SQLite(path, { readwrite: true, create: false })
  const found = file.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all()
  const damaged = found.map((row) => row.integrity_check).filter((line) => line !== 'ok')
  const orphans = file.query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check').all()
  if (damaged.length > 0) return damaged
  const rows = countRows(file)
  const names = Object.keys({ ...rows, ...expected })
  return [
    ...orphans.map(({ table, parent }) => `a row of ${table} refers to a row of ${parent} that is not there`),
    ...names
      .filter((name) => expected !== null && rows[name] !== expected[name])
      .map((name) => `${name} has ${rows[name] ?? 'no'} rows, not ${expected?.[name] ?? 'any'}`),
  ]
}

async function brokenInvariants(path: string): Promise<string[]> {
  const database = await openDatabase({ url: `file:${path}`, clock: systemClock })
  try {
    return await checkInvariants({ db: database.reader })
  } finally {
    await database.close()
  }
}
