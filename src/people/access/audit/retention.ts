// Deletes from the audit log: old lines, and what it says about a person who is erased.

import { and, eq, gt, inArray, lt, max, sql } from 'drizzle-orm'
import { auditChanges, auditLog } from '../../../../db/tables/audit.ts'
import type { Tx } from '../../../core/app.ts'
import { firstId } from '../../../kit/id.ts'

const deletedAtOnce = 200

/** Deletes lines from before `horizon`. Returns how many; call until 0. */
export async function deleteOldLines(tx: Tx, horizon: Date): Promise<number> {
  const old = await tx.db
    .select({ workspaceId: auditLog.workspaceId, id: auditLog.id })
    .from(auditLog)
    .where(lt(auditLog.id, firstId('aud', horizon)))
    .limit(deletedAtOnce)
  for (const [workspaceId, lines] of Map.groupBy(old, (line) => line.workspaceId)) {
    const ids = lines.map(({ id }) => id)
    await tx.db
      .delete(auditChanges)
      .where(and(eq(auditChanges.workspaceId, workspaceId), inArray(auditChanges.lineId, ids)))
    await tx.db.delete(auditLog).where(and(eq(auditLog.workspaceId, workspaceId), inArray(auditLog.id, ids)))
  }
  return old.length
}

/**
 * Takes an address out of what things were before and after (somebody may have filtered an audience by it), in the next `size` changes.
 * Returns the line up to which it is done; null when it is done. With a line that has more changes than that, all of them are.
 */
export async function forgetInLog(
  tx: Tx,
  { workspaceId, email, instead }: { workspaceId: string; email: string; instead: string },
  { after, size }: { after: string; size: number },
): Promise<string | null> {
  const own = eq(auditChanges.workspaceId, workspaceId)
  const next = tx.db
    .select({ lineId: auditChanges.lineId })
    .from(auditChanges)
    .where(and(own, gt(auditChanges.lineId, after)))
    .orderBy(auditChanges.lineId)
    .limit(size)
  const [row] = await tx.db.select({ last: max(next.as('next').lineId) }).from(next.as('next'))
  const last = row?.last ?? null
  if (last === null) return null
  const those = and(own, gt(auditChanges.lineId, after), sql`${auditChanges.lineId} <= ${last}`)
  const found = await tx.db
    .select()
    .from(auditChanges)
    .where(
      and(
        those,
        sql`instr(lower(coalesce(before, '') || coalesce(after, '') || thing_id), ${email.toLowerCase()}) > 0`,
      ),
    )
  const without = replacing(email, instead)
  for (const { lineId, number, before, after: since, thingId } of found) {
    const forgotten = { before: without(before), after: without(since), thingId: without(thingId) }
    await tx.db
      .update(auditChanges)
      .set(forgotten)
      .where(and(own, eq(auditChanges.lineId, lineId), eq(auditChanges.number, number)))
  }
  return last
}

function replacing(text: string, instead: string) {
  const pattern = new RegExp(RegExp.escape(text), 'gi')
  return <T>(value: T): T => JSON.parse(JSON.stringify(value).replace(pattern, instead)) as T
}
