// Stores what is too large for one transaction in pieces, before the row that they belong to (the owner). Nobody sees them until that row
// exists, and then all of them exist. Pieces whose owner was never stored, because the process ended, are swept.

import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { day, hour } from '../kit/duration.ts'
import { firstId, type IdPrefix } from '../kit/id.ts'
import { nextTurn } from '../kit/turn.ts'
import { type App, type Tx, writeInTurn } from './app.ts'

/** A table of pieces: `number` counts the pieces of one owner. */
export interface Pieces {
  table: SQLiteTable
  owner: SQLiteColumn
  number: SQLiteColumn
  /** The prefix of owners' ids, which sort by time. */
  prefix: IdPrefix
  /** Where the owner is stored; `where`: not every row there has pieces. */
  stored: { table: SQLiteTable; id: SQLiteColumn; where?: SQL }
}

/** Stores pieces ahead, each in its own transaction. The later commit of their owner makes them durable too. */
export async function storeAhead(app: App, inserts: Iterable<(tx: Tx) => PromiseLike<unknown>>): Promise<void> {
  for (const insert of inserts) await writeInTurn(app, '', async (tx) => void (await insert(tx)), 'volatile')
}

/** How far back to look for pieces without an owner. Those of the last hour may still get one. */
const abandonedWithinMs = 2 * day

/** Deletes them, checking one hour at a time. */
export async function deleteAbandoned(app: App, pieces: Pieces): Promise<void> {
  const { table, owner, prefix, stored } = pieces
  const now = app.clock.now().getTime()
  for (let from = now - abandonedWithinMs; from < now - hour; from += hour) {
    const [first, end] = [firstId(prefix, new Date(from)), firstId(prefix, new Date(from + hour))]
    const rows = await app.db.all<{ id: string }>(
      sql`SELECT DISTINCT ${owner} AS id FROM ${table} WHERE ${owner} >= ${first} AND ${owner} < ${end}
        AND ${owner} NOT IN (SELECT ${stored.id} FROM ${stored.table}
          WHERE ${stored.id} >= ${first} AND ${stored.id} < ${end} AND ${stored.where ?? sql`1`})`,
    )
    for (const { id } of rows) await deletePieces(app, pieces, id)
    await nextTurn()
  }
}

/** Deletes pieces without an owner one by one, because each is as much as a transaction should delete. */
export async function deletePieces(app: App, { table, owner, number, stored }: Pieces, id: string): Promise<void> {
  const first = sql`SELECT ${number} FROM ${table} WHERE ${owner} = ${id} ORDER BY ${number} LIMIT 1`
  const isStored = sql`EXISTS (SELECT 1 FROM ${stored.table} WHERE ${stored.id} = ${id} AND ${stored.where ?? sql`1`})`
  const deleteOne = (tx: Tx) =>
    tx.db.all(
      sql`DELETE FROM ${table} WHERE ${owner} = ${id} AND ${number} = (${first}) AND NOT ${isStored} RETURNING 1`,
    )
  while ((await writeInTurn(app, '', deleteOne, 'volatile')).length > 0);
}

/** How many pieces one statement deletes, at most 1 MB each. */
const piecesPerDelete = 8

/** Deletes some pieces of these owners. Returns how many; call until 0, before the owners are deleted. */
export async function deleteSomePieces(tx: Tx, { table, owner }: Pieces, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0
  const some = sql`SELECT rowid FROM ${table} WHERE ${owner} IN (SELECT value FROM json_each(${JSON.stringify(ids)})) LIMIT ${piecesPerDelete}`
  const gone = await tx.db.all(sql`DELETE FROM ${table} WHERE rowid IN (${some}) RETURNING 1`)
  return gone.length
}
