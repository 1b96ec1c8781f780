// Looks at contacts again: who has joined a segment, who has left it, and when time alone may move them next.

import { type SQL, sql } from 'drizzle-orm'
import { insertSelect } from '../../../../db/rows.ts'
import { segmentMoments } from '../../../../db/tables/segments.ts'
import type { Tx } from '../../../core/app.ts'
import { segmentSql } from './compile.ts'
import { nextMoment } from './moments.ts'
import type { Move } from './moves.ts'
import type { Segment } from './segments.ts'

/** `some`: a condition on contacts of the workspace, which the query calls `c`. The moments are written, the moves are returned. */
export async function evaluate(tx: Tx, segment: Segment, some: SQL): Promise<Move[]> {
  await noteMoments(tx, segment, some)
  const isMember = sql`EXISTS (SELECT 1 FROM segment_members AS m WHERE m.segment_id = ${segment.id} AND m.contact_id = c.id)`
  const moved = await tx.db.all<{ contactId: string; wasIn: number }>(
    sql`SELECT c.id AS contactId, ${isMember} AS wasIn FROM contacts AS c
      WHERE ${some} AND ${segmentSql(segment.filter, tx.now)} <> ${isMember}`,
  )
  return moved.map(({ contactId, wasIn }) => ({ segment, contactId, kind: wasIn ? 'left' : 'joined' }))
}

async function noteMoments(tx: Tx, segment: Segment, some: SQL): Promise<void> {
  const { id: segmentId, workspaceId, filter, building } = segment
  const at = nextMoment(filter, tx.now)
  // The filter before may have counted days.
  if (at === null && building === null) return
  await tx.db
    .delete(segmentMoments)
    .where(sql`segment_id = ${segmentId} AND contact_id IN (SELECT c.id FROM contacts AS c WHERE ${some})`)
  if (at === null) return
  await insertSelect(
    tx.db,
    segmentMoments,
    { segmentId, workspaceId, contactId: sql`id`, at: sql`at` },
    sql`(SELECT c.id AS id, ${at} AS at FROM contacts AS c WHERE ${some}) WHERE at IS NOT NULL`,
  )
}
