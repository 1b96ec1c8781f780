// A database file put back to the rows that it once had: for an app that serves one test after another.

import type { Database as SQLite } from 'bun:sqlite'
import { files } from '../../db/handle.ts'
import type { App } from '../../src/core/app.ts'

type Row = Record<string, string | number | bigint | boolean | Uint8Array | null>

/** What a database holds. */
export interface Contents {
  schemaVersion: unknown
  tables: { name: string; rows: Row[] }[]
}

const sequences = 'sqlite_sequence'
const isWrittenByTriggers = (name: string) => /^(audit_|activity_|segment_(topics|marks))/.test(name)

/** Tables that triggers write are emptied last, but first what makes them write to others. */
const placeOf = (name: string) => (name === 'segment_topics' ? 0 : isWrittenByTriggers(name) ? 2 : 1)

/** Of `app` as it is now. */
export function contentsOf(app: App): Contents {
  const file = fileOf(app.db)
  const names = file
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name <> 'sqlite_schema'")
    .all() as { name: string }[]
  const tables = names.map(({ name }) => ({ name, rows: file.prepare(`SELECT * FROM "${name}"`).all() as Row[] }))
  tables.sort((one, other) => placeOf(one.name) - placeOf(other.name))
  return { schemaVersion: numberOf(file, 'schema_version'), tables }
}

/** Puts the rows of `app` back to `contents`. False where that cannot be: its tables are others, or its reader sees an earlier commit. */
export async function putBack(app: App, { schemaVersion, tables }: Contents): Promise<boolean> {
  const reader = fileOf(app.db)
  if (numberOf(reader, 'schema_version') !== schemaVersion) return false
  const before = numberOf(reader, 'data_version')
  await app.database.writer.write(async (db) => replaceRows(fileOf(db), tables), 'volatile')
  // A statement that was left open, as bun leaves EXPLAIN, holds what it read.
  return numberOf(reader, 'data_version') !== before
}

function replaceRows(file: SQLite, tables: Contents['tables']): void {
  const run = (text: string, ...values: Row[string][]) => file.prepare(text).run(...values)
  const empty = (some: Contents['tables']) => {
    for (const name of filled(file, some)) run(`DELETE FROM "${name}"`)
  }
  const fill = (some: Contents['tables']) => {
    for (const { name, rows } of some)
      for (const row of rows) {
        const columns = Object.keys(row).map((one) => `"${one}"`)
        run(`INSERT INTO "${name}" (${columns}) VALUES (${columns.map(() => '?')})`, ...Object.values(row))
      }
  }
  const own = tables.filter(({ name }) => !isWrittenByTriggers(name) && name !== sequences)
  const written = tables.filter(({ name }) => isWrittenByTriggers(name))
  const counted = tables.filter(({ name }) => name === sequences)
  run('PRAGMA defer_foreign_keys = ON')
  empty(tables)
  fill(own)
  empty(written)
  fill(written)
  // Last, for rows that are inserted are counted there.
  empty(counted)
  fill(counted)
}

/** The tables that have rows. */
function filled(file: SQLite, tables: Contents['tables']): string[] {
  const asked = tables.map(({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM "${name}")`)
  return (file.prepare(asked.join(' UNION ALL ')).all() as { name: string }[]).map(({ name }) => name)
}

function numberOf(file: SQLite, pragma: string): unknown {
  return (file.prepare(`PRAGMA ${pragma}`).get() as Record<string, unknown>)[pragma]
}

function fileOf(db: object): SQLite {
  const file = files.get(db)
  if (!file) throw new Error('only a file can be put back')
  return file
}
