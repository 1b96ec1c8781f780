// Compares every row of a copy with its source while that is written to, so that the comparison costs no pause: what differs at that moment
// may only have changed since it was copied, and is compared again once nobody writes.

import { copiedTables, copiedWhere, list, nextLimit, rowsAfter, someRows } from './copy.ts'
import { written } from './copy-compare.ts'
import type { End, RowValues } from './copy-ends.ts'
import { rowsWith } from './copy-live.ts'
import type { Table } from './model.ts'

/** Keys of rows, by table. */
export type Keys = Map<Table, RowValues[]>

const firstRows = 16
/** Rows that may have changed while they were compared; with more, one of the two is wrong. */
const mostDiffer = 20_000
const keysAtOnce = 250

/** The rows that are not the same at both ends, read one after the other. Throws where these are more than 20,000. */
export async function sweep(from: End, to: End, tell: () => Promise<void>): Promise<Keys> {
  const differing: Keys = new Map()
  let count = 0
  for (const table of copiedTables()) {
    let limit = firstRows
    for (let last: RowValues | null = null; ; ) {
      const read = await someRows(limit, (most) => rowsAfter(from, table, last, most))
      const end: RowValues | null = read.rows.at(-1)?.slice(0, table.key.length) ?? null
      const theirs = await rowsUpTo(to, table, last, end)
      const keys = differences(table, read.rows, theirs)
      if (keys.length > 0) differing.set(table, [...(differing.get(table) ?? []), ...keys])
      count += keys.length
      if (count > mostDiffer) throw new Error(`more than ${mostDiffer} rows of the copy are not those of the source`)
      await tell()
      if (end === null) break
      last = end
      limit = nextLimit(read.rows, read.limit)
    }
  }
  return differing
}

/** Of these rows, those that are not the same at both ends. */
export async function compareKeys(from: End, to: End, keys: Keys): Promise<Keys> {
  const differing: Keys = new Map()
  for (const [table, all] of keys)
    for (let at = 0; at < all.length; at += keysAtOnce) {
      const { sql, args } = rowsWith(table, all.slice(at, at + keysAtOnce))
      const [ours, theirs] = await Promise.all([from, to].map((end) => end.rows(sql, args)))
      const found = differences(table, ours ?? [], theirs ?? [])
      if (found.length > 0) differing.set(table, [...(differing.get(table) ?? []), ...found])
    }
  return differing
}

/** A table that fails, and how many rows do. */
export function describeKeys(keys: Keys): string | null {
  const [first] = keys
  if (!first) return null
  const count = [...keys.values()].reduce((sum, some) => sum + some.length, 0)
  return `${count} rows differ, the first in ${first[0].name}`
}

/** After `last`, up to `end`; all that follow where `end` is null. */
async function rowsUpTo(to: End, table: Table, last: RowValues | null, end: RowValues | null): Promise<RowValues[]> {
  if (end === null) return await rowsAfter(to, table, last, mostDiffer)
  const order = table.key.join(', ')
  const marks = `(${table.key.map(() => '?').join(', ')})`
  const after = last === null ? '1' : `(${order}) > ${marks}`
  const sql = `SELECT ${list(table.columns)} FROM "${table.name}" WHERE ${copiedWhere(table.name)} AND ${after} AND (${order}) <= ${marks} ORDER BY ${order}`
  return await to.rows(sql, [...(last ?? []), ...end])
}

function differences({ key }: Table, ours: RowValues[], theirs: RowValues[]): RowValues[] {
  const keyOf = (row: RowValues) => JSON.stringify(row.slice(0, key.length).map(written))
  const other = new Map(theirs.map((row) => [keyOf(row), row]))
  const differing: RowValues[] = []
  for (const row of ours) {
    const same = other.get(keyOf(row))
    other.delete(keyOf(row))
    if (same === undefined || JSON.stringify(same.map(written)) !== JSON.stringify(row.map(written)))
      differing.push(row.slice(0, key.length))
  }
  return [...differing, ...[...other.values()].map((row) => row.slice(0, key.length))]
}
