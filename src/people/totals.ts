// Totals shown by lists, updated in the transaction that changes them, so that no request counts a large table.

import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { counters } from '../../db/tables/contacts.ts'
import type { Reader, Tx } from '../core/app.ts'

export type Total = 'contacts' | 'suppressions'

const add = prepared((db: Db) =>
  db
    .insert(counters)
    .values({
      workspaceId: sql.placeholder('workspaceId'),
      name: sql.placeholder('name'),
      value: sql.placeholder('change'),
    })
    .onConflictDoUpdate({ target: [counters.workspaceId, counters.name], set: { value: sql`value + excluded.value` } })
    .prepare(),
)

export async function count(tx: Tx, workspaceId: string, name: Total, change: number): Promise<void> {
  await add(tx.db).run({ workspaceId, name, change })
}

export async function readTotal(reader: Reader, workspaceId: string, name: Total): Promise<number> {
  const mine = and(eq(counters.workspaceId, workspaceId), eq(counters.name, name))
  const [row] = await reader.db.select({ value: counters.value }).from(counters).where(mine)
  return row?.value ?? 0
}
