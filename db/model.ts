// The tables of this version as the migrations make them: their columns, what orders their rows, and what finds them.

import { Database as SQLite } from 'bun:sqlite'
import { migrations } from './migrations/list.ts'

export interface Table {
  name: string
  /** The columns that order the rows: `rowid` for a table that has one. */
  key: string[]
  /** With `rowid`, where that is the key. */
  columns: string[]
  /** The first column of each index that holds every row. */
  found: string[]
  /** Columns of bytes: rows may be large. */
  bytes: string[]
}

interface Model {
  tables: Table[]
  triggers: Trigger[]
  fullText: string[]
}

export interface Trigger {
  name: string
  sql: string
}

let model: Model | undefined

/** All of them, by name; shared. Without those of SQLite and of a full-text index. */
export function modelTables(): Table[] {
  return sharedModel().tables
}

/** Those that the migrations make. */
export function modelTriggers(): Trigger[] {
  return sharedModel().triggers
}

/** The full-text indexes. */
export function fullTextNames(): string[] {
  return sharedModel().fullText
}

function sharedModel(): Model {
  model ??= readModel()
  return model
}

function readModel(): Model {
  const migrated = new SQLite(':memory:')
  for (const { statements } of migrations)
    for (const statement of statements.split('--> statement-breakpoint')) migrated.run(statement)
  const listed = migrated.query<{ name: string; wr: number }, []>(
    "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  )
  const columnsOf = migrated.query<{ name: string; pk: number; type: string }, [string]>(
    'SELECT name, pk, type FROM pragma_table_info(?) ORDER BY cid',
  )
  const firstOf = migrated.query<{ name: string | null }, [string]>(
    `SELECT c.name AS name FROM pragma_index_list(?) AS i, pragma_index_info(i.name) AS c WHERE i.partial = 0 AND c.seqno = 0`,
  )
  const triggers = migrated.query<Trigger, []>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name",
  )
  const fullText = migrated.query<{ name: string }, []>("SELECT name FROM pragma_table_list WHERE type = 'virtual'")
  const tables = listed.all().map(({ name, wr }) => {
    const columns = columnsOf.all(name)
    const primary = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk)
    const isRowid = primary.length === 1 && primary[0]?.type.toUpperCase() === 'INTEGER'
    const key = wr === 1 || isRowid ? primary.map((column) => column.name) : ['rowid']
    const first = firstOf.all(name).flatMap((index) => index.name ?? [])
    const bytes = columns.filter(({ type }) => type.toUpperCase() === 'BLOB').map((column) => column.name)
    return { name, key, columns: [...new Set([...key, ...columns.map((column) => column.name)])], found: first, bytes }
  })
  const found = { tables, triggers: triggers.all(), fullText: fullText.all().map(({ name }) => name) }
  migrated.close()
  return found
}
