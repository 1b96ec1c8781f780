// Deletes the rows that a workspace and its test workspace have in every table, in slices. They are found by an index, and what is part of
// a row goes with it, so it costs what the workspace has; only small tables are gone through as a whole (db/workspace-rows.ts).

import { type SQL, sql } from 'drizzle-orm'
import { unrecorded } from '../../../db/unrecorded.ts'
import {
  type Finding,
  findOwned,
  isOwned,
  type Owned,
  ownedTables,
  type Part,
  type PartOf,
  partsOf,
  type Whole,
} from '../../../db/workspace-rows.ts'
import { type App, Steps, type Tx } from '../../core/app.ts'
import { forgetIndexed } from '../../features/sending/activity/search-index.ts'
import { testIdOf } from '../../kit/id.ts'
import { nextTurn } from '../../kit/turn.ts'

/** Rows of one slice, with those that are parts of them. */
const perStep = { least: 50, most: 2_000 }
/** Each may have a megabyte. */
const largePerStep = { least: 1, most: 16 }
/** Values of one look through an index (`groupsOf`), and of one statement that names them. */
const groupsAtOnce = 500

/** What others write to when its rows are deleted goes first; what tells whose the rest is goes apart, and last. */
const first = ['segment_topics', 'outbox_jobs']
const apart = ['members', 'media', 'workspace_moves']

/** A workspace and its test workspace, as a list in SQL. */
export const listOf = (id: string) => `'${id}', '${testIdOf(id)}'`

export async function countErased(tx: Tx, id: string, rows: number): Promise<void> {
  if (rows === 0) return
  await tx.db.run(sql`UPDATE workspace_moves SET lines = lines + ${rows} WHERE workspace_id = ${id}`)
}

/** Deletes what there is, once through, but for what goes apart. Returns how many rows. */
export async function eraseTables(app: App, id: string, signal: AbortSignal): Promise<number> {
  const owned = ownedTables().filter(({ table }) => !apart.includes(table.name))
  const rank = ({ table, of }: Owned) => (of === 'part' ? 0 : first.includes(table.name) ? 1 : 2)
  let total = 0
  for (const one of owned.toSorted((a, b) => rank(a) - rank(b))) {
    if (one.of !== 'workspace' && one.of !== 'part') continue
    const how = findOwned(one)
    if (how.by === 'all rows') total += await eraseWalked(app, id, one, signal)
    else if (one.of === 'workspace' && how.by !== 'whole') total += await eraseFound(app, id, { ...one, how }, signal)
  }
  return total
}

type FoundTable = Whole & { how: Exclude<Finding, { by: 'all rows' | 'whole' }> }

async function eraseFound(app: App, id: string, owned: FoundTable, signal: AbortSignal): Promise<number> {
  const parts = partsOf(owned.table.name)
  const most = owned.table.bytes.length > 0 ? largePerStep.most : Math.ceil(perStep.most / (1 + parts.length))
  const steps = new Steps(app, '', { least: Math.min(perStep.least, most), most })
  let total = 0
  for await (const condition of conditionsOf(app, id, owned))
    for (let isMore = true; isMore && !signal.aborted; ) {
      const done = await steps.write(async (tx, size) => {
        const gone = await eraseSome(tx, { owned, parts, condition }, size)
        await countErased(tx, id, gone.rows)
        return gone
      })
      total += done.rows
      isMore = done.isMore
    }
  return total
}

/** Conditions that together hold for every row, each of which an index answers. */
async function* conditionsOf(app: App, id: string, { table, how, by }: FoundTable): AsyncGenerator<SQL> {
  const mine = sql.raw(`${by} IN (${listOf(id)})`)
  if (how.by === 'index') yield mine
  else if (how.by === 'indexes') for (const one of how.conditions) yield sql`${mine} AND ${sql.raw(one)}`
  else
    for await (const groups of groupsOf(app, id, { table: table.name, column: how.column, by }))
      yield sql`${sql.raw(how.column)} IN (SELECT value FROM json_each(${JSON.stringify(groups)})) AND ${mine}`
}

/** The values of a column whose rows are the workspace's: from one to the next through its index, whatever rows each has. */
async function* groupsOf(
  app: App,
  id: string,
  { table, column, by }: { table: string; column: string; by: string },
): AsyncGenerator<string[]> {
  const [rows, name] = [sql.raw(`"${table}"`), sql.raw(column)]
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after
    await nextTurn()
    const found: { value: string | null; mine: number }[] = await app.db.all(
      sql`WITH RECURSIVE next(value) AS (SELECT min(${name}) FROM ${rows} WHERE ${name} > ${from}
        UNION ALL SELECT (SELECT min(${name}) FROM ${rows} WHERE ${name} > next.value) FROM next WHERE next.value IS NOT NULL LIMIT ${groupsAtOnce})
        SELECT value, coalesce((SELECT ${sql.raw(by)} FROM ${rows} WHERE ${name} = next.value LIMIT 1) IN (${sql.raw(listOf(id))}), 0) AS mine FROM next`,
    )
    const groups = found.flatMap(({ value, mine }) => (mine && value !== null ? [value] : []))
    if (groups.length > 0) yield groups
    after = found.at(-1)?.value ?? null
  }
}

interface Selection {
  owned: FoundTable
  parts: PartOf[]
  condition: SQL
}

/** Deletes the next `size` rows once nothing is part of them, or that many of their parts. */
async function eraseSome(
  tx: Tx,
  { owned: { table }, parts, condition }: Selection,
  size: number,
): Promise<{ rows: number; isMore: boolean }> {
  const columns = [...new Set([...table.key, ...parts.map(({ its }) => its)])]
  const rows = await tx.db.all<OwnedRow>(
    sql`SELECT ${sql.raw(columns.join(', '))} FROM ${sql.raw(`"${table.name}"`)} WHERE ${condition} LIMIT ${sql.raw(String(size))}`,
  )
  if (rows.length === 0) return { rows: 0, isMore: false }
  return await unrecorded(tx, async () => {
    let gone = 0
    for (const part of parts) {
      const most = part.table.bytes.length > 0 ? Math.min(size, largePerStep.most) : size
      const some = await deleteParts(tx, part, rows, most)
      gone += some
      if (some === most) return { rows: gone, isMore: true }
    }
    return { rows: gone + (await deleteRows(tx, table, rows)), isMore: rows.length === size }
  })
}

type OwnedRow = Record<string, unknown>

const valuesOf = (rows: OwnedRow[], columns: string[]) =>
  JSON.stringify(rows.map((row) => columns.map((one) => row[one])))

/** At most `most`. Returns how many. */
async function deleteParts(tx: Tx, { table, column, its }: PartOf, rows: OwnedRow[], most: number): Promise<number> {
  const [name, key] = [sql.raw(`"${table.name}"`), sql.raw(table.key.join(', '))]
  const gone = await tx.db.all(
    sql`DELETE FROM ${name} WHERE (${key}) IN (SELECT ${key} FROM ${name}
      WHERE ${sql.raw(column)} IN (SELECT value ->> 0 FROM json_each(${valuesOf(rows, [its])})) LIMIT ${sql.raw(String(most))})
      RETURNING 1 AS gone`,
  )
  return gone.length
}

/** By their keys. Returns how many. */
async function deleteRows(tx: Tx, { name, key }: Owned['table'], rows: OwnedRow[]): Promise<number> {
  if (name === 'messages')
    await forgetIndexed(
      tx,
      rows.map((row) => Number(row['rowid'])),
    )
  const places = key.map((_, at) => `value ->> ${at}`).join(', ')
  const gone = await tx.db.all(
    sql`DELETE FROM ${sql.raw(`"${name}"`)} WHERE (${sql.raw(key.join(', '))}) IN
      (SELECT ${sql.raw(places)} FROM json_each(${valuesOf(rows, key)})) RETURNING 1 AS gone`,
  )
  return gone.length
}

/** Of a small table: all rows are gone through in their order. */
async function eraseWalked(app: App, id: string, owned: Whole | Part, signal: AbortSignal): Promise<number> {
  const { table } = owned
  const steps = new Steps(app, '', perStep)
  const mine = sql.raw(isOwned(owned, listOf(id)))
  const columns = table.key.join(', ')
  let total = 0
  for (let after: unknown[] | null = []; after !== null && !signal.aborted; ) {
    const from: unknown[] = after
    const { gone, next } = await steps.write(async (tx, size) => {
      const upTo = await findLast(tx, table, from, size)
      const within = upTo === null ? sql`` : sql`AND ${sql.raw(`(${columns})`)} <= ${tuple(upTo)}`
      const rows = await tx.db.all<OwnedRow>(
        sql`SELECT ${sql.raw(columns)} FROM ${sql.raw(`"${table.name}"`)} WHERE ${mine} AND ${beyond(`(${columns})`, from)} ${within}`,
      )
      const gone = rows.length === 0 ? 0 : await unrecorded(tx, () => deleteRows(tx, table, rows))
      await countErased(tx, id, gone)
      return { gone, next: upTo }
    })
    total += gone
    after = next
  }
  return total
}

const tuple = (values: unknown[]): SQL =>
  sql`(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`
const beyond = (key: string, from: unknown[]): SQL =>
  from.length === 0 ? sql`true` : sql`${sql.raw(key)} > ${tuple(from)}`

/** The key of the last of the next `size` rows; null where there are fewer. */
async function findLast(
  tx: Tx,
  { name, key }: Owned['table'],
  from: unknown[],
  size: number,
): Promise<unknown[] | null> {
  const columns = key.map((column, index) => `${column} AS k${index}`).join(', ')
  const [row] = await tx.db.all<Record<string, unknown>>(
    sql`SELECT ${sql.raw(columns)} FROM ${sql.raw(`"${name}"`)} WHERE ${beyond(`(${key.join(', ')})`, from)}
      ORDER BY ${sql.raw(key.join(', '))} LIMIT 1 OFFSET ${sql.raw(String(size - 1))}`,
  )
  return row === undefined ? null : key.map((_, index) => row[`k${index}`])
}
