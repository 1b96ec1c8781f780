// How long figures are kept: hours for a month, days for a year, months for ever; and which figures an erasure deletes.

import { and, eq, lt, sql } from 'drizzle-orm'
import { figures } from '../../../../db/tables/figures.ts'
import type { Tx } from '../../../core/app.ts'
import { day } from '../../../kit/duration.ts'
import { bucketsBetween } from './read.ts'

const hoursKeptMs = 31 * day
const daysKeptMs = 400 * day
const retentionBatch = 200

/** Removes what is too old. Returns how many; call until 0. */
export async function deleteOldFigures(tx: Tx): Promise<number> {
  const before = (keptMs: number) => new Date(tx.now.getTime() - keptMs)
  const key = sql`(workspace_id, dimension, bucket, at, value)`
  let gone = 0
  for (const [bucket, keptMs] of [
    ['hour', hoursKeptMs],
    ['day', daysKeptMs],
  ] as const) {
    const old = tx.db
      .select({ key: sql`workspace_id, dimension, bucket, at, value` })
      .from(figures)
      .where(and(eq(figures.bucket, bucket), lt(figures.at, before(keptMs))))
      .limit(retentionBatch)
    const deleted = await tx.db.delete(figures).where(sql`${key} IN ${old}`).returning({ at: figures.at })
    gone += deleted.length
  }
  return gone
}

/** A domain that so few mails went to may be one person's. */
const fewMails = 1_000

/** A person is erased: figures of a domain that may be theirs alone go, too. Those of the workspace, templates and campaigns name nobody. */
export async function forgetDomain(tx: Tx, workspaceId: string, domain: string): Promise<void> {
  const days = bucketsBetween('day', new Date(tx.now.getTime() - daysKeptMs - day), new Date(tx.now.getTime() + 1))
  const own = and(
    eq(figures.workspaceId, workspaceId),
    eq(figures.dimension, 'domain'),
    eq(figures.bucket, 'day'),
    sql`at IN (SELECT value FROM json_each(${JSON.stringify(days.map((at) => at.getTime()))}))`,
    eq(figures.value, domain),
  )
  const [total] = await tx.db
    .select({ mails: sql<number>`coalesce(sum(sent + failed + bounced + suppressed), 0)` })
    .from(figures)
    .where(own)
  if (total && total.mails < fewMails) await tx.db.delete(figures).where(own)
}
