// Compares two databases row by row, for a copy whose source nobody writes to.

import { copiedTables, nextLimit, rowsAfter, someRows } from './copy.ts'
import type { End, RowValues, Value } from './copy-ends.ts'
import type { Table } from './model.ts'

export interface Compared {
  table: string
  from: number
  to: number
  /** Of all rows in the order of their keys. */
  isEqual: boolean
}

const firstRows = 16

/** Reads every row of both, a slice at a time. */
export async function compareRows(from: End, to: End): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const table of copiedTables()) {
    const [one, other] = await Promise.all([digest(from, table), digest(to, table)])
    compared.push({ table: table.name, from: one.rows, to: other.rows, isEqual: one.hash === other.hash })
  }
  return compared
}

async function digest(end: End, table: Table): Promise<{ rows: number; hash: bigint }> {
  let [rows, hash, limit] = [0, 0n, firstRows]
  for (let last: RowValues | null = null; ; ) {
    const { rows: some, limit: read }: Awaited<ReturnType<typeof someRows>> = await someRows(limit, (most) =>
      rowsAfter(end, table, last, most),
    )
    if (some.length === 0) return { rows, hash }
    for (const row of some) hash = Bun.hash.wyhash(JSON.stringify(row.map(written)), hash)
    rows += some.length
    last = some.at(-1)?.slice(0, table.key.length) ?? last
    limit = nextLimit(some, read)
  }
}

/** Bytes and large numbers are not the text that they look like. */
export function written(value: Value): unknown {
  if (value instanceof Uint8Array) return [Bun.hash.wyhash(value).toString(16), value.length]
  return typeof value === 'bigint' ? [String(value)] : value
}
