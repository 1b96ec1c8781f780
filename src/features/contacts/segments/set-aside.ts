// Contacts that cannot be looked at for a segment, whatever the reason: what marks them is kept aside, with what went wrong, and tried again
// for one segment after the other, so that the other segments and contacts go on.

import { eq, sql } from 'drizzle-orm'
import { isUnavailable } from '../../../../db/faults.ts'
import { segmentMarks, segmentMoments, segments } from '../../../../db/tables/segments.ts'
import type { Tx } from '../../../core/app.ts'
import { hour } from '../../../kit/duration.ts'
import { failureText } from '../../../kit/error.ts'
import { evaluate } from './evaluate.ts'
import { type Move, recordMoves } from './moves.ts'

const againAfterMs = hour
const maxFailure = 500

/** The first mark is one of those that are looked at segment by segment. */
export async function setMarkAside(tx: Tx, workspaceId: string, error: unknown): Promise<boolean> {
  const first = sql`(workspace_id, contact_id, topic) IN (SELECT workspace_id, contact_id, topic FROM segment_marks
    WHERE workspace_id = ${workspaceId} AND failure IS NULL ORDER BY contact_id, topic LIMIT 1)`
  await tx.db.update(segmentMarks).set(asideAt(tx.now, error)).where(first)
  return true
}

/** The first moment that is due becomes such a mark. */
export async function setMomentAside(tx: Tx, workspaceId: string, error: unknown): Promise<boolean> {
  const [moment] = await tx.db
    .delete(segmentMoments)
    .where(
      sql`(segment_id, contact_id) IN (SELECT segment_id, contact_id FROM segment_moments
        WHERE workspace_id = ${workspaceId} AND at <= ${tx.now.getTime()} ORDER BY at LIMIT 1)`,
    )
    .returning({ contactId: segmentMoments.contactId })
  if (moment) await setContactAside(tx, { workspaceId, ...moment }, error)
  return true
}

/** For every segment. */
export async function setContactAside(
  tx: Tx,
  contact: { workspaceId: string; contactId: string },
  error: unknown,
): Promise<void> {
  await tx.db
    .insert(segmentMarks)
    .values({ ...contact, topic: '', at: tx.now, ...asideAt(tx.now, error) })
    .onConflictDoNothing()
}

const asideAt = (againAt: Date, error: unknown) => ({ failure: failureText(error).slice(0, maxFailure), againAt })

async function findAside(tx: Tx, workspaceId: string): Promise<typeof segmentMarks.$inferSelect | undefined> {
  const [mark] = await tx.db
    .select()
    .from(segmentMarks)
    .where(sql`workspace_id = ${workspaceId} AND failure IS NOT NULL AND again_at <= ${tx.now.getTime()}`)
    .orderBy(segmentMarks.againAt)
    .limit(1)
  return mark
}

/** The next contact that was set aside, for one segment after the other; false where there is none. */
export async function lookAtAside(tx: Tx, workspaceId: string): Promise<boolean> {
  const mark = await findAside(tx, workspaceId)
  if (!mark) return false
  const moves: Move[] = []
  let failure: unknown = null
  for (const id of await segmentsAsking(tx, mark)) {
    const found = await evaluateFor(tx, id, mark.contactId).catch((error) => {
      if (isUnavailable(error)) throw error
      failure = error
      return []
    })
    moves.push(...found)
  }
  if (moves.length > 0) await recordMoves(tx, moves)
  if (failure === null) await tx.db.delete(segmentMarks).where(isMark(mark))
  else await leaveAside(tx, workspaceId, failure)
  return true
}

/** It is tried again later. */
export async function leaveAside(tx: Tx, workspaceId: string, error: unknown): Promise<boolean> {
  const mark = await findAside(tx, workspaceId)
  if (!mark) throw error
  await tx.db
    .update(segmentMarks)
    .set(asideAt(new Date(tx.now.getTime() + againAfterMs), error))
    .where(isMark(mark))
  return true
}

type Mark = Pick<typeof segmentMarks.$inferSelect, 'workspaceId' | 'contactId' | 'topic'>

const isMark = ({ workspaceId, contactId, topic }: Mark) =>
  sql`workspace_id = ${workspaceId} AND contact_id = ${contactId} AND topic = ${topic}`

async function segmentsAsking(tx: Tx, { workspaceId, topic }: Mark): Promise<string[]> {
  const rows = await tx.db.all<{ id: string }>(
    sql`SELECT DISTINCT segment_id AS id FROM segment_topics WHERE workspace_id = ${workspaceId}
      ${topic === '' ? sql`` : sql`AND topic = ${topic}`} ORDER BY segment_id`,
  )
  return rows.map(({ id }) => id)
}

async function evaluateFor(tx: Tx, segmentId: string, contactId: string): Promise<Move[]> {
  const found = await tx.db.select().from(segments).where(eq(segments.id, segmentId))
  return await evaluate(tx, found, sql`c.id = ${contactId}`)
}
