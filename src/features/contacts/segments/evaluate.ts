// Looks at contacts again: who has joined which segment, who has left it, and when time alone may move them next. What several segments ask
// about the same contacts is asked in one statement, which costs a third of one each.

import { type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../../db/bulk.ts'
import { insertSelect } from '../../../../db/rows.ts'
import { segmentMoments } from '../../../../db/tables/segments.ts'
import type { Tx } from '../../../core/app.ts'
import { segmentSql } from './compile.ts'
import { nextMoment } from './moments.ts'
import type { Move } from './moves.ts'
import type { Segment } from './segments.ts'

/** A statement takes so many filters. */
const filtersAtOnce = 20

/** `some`: a condition on contacts of the workspace, which the query calls `c`. The moments are written, the moves are returned. */
export async function evaluate(tx: Tx, list: Segment[], some: SQL): Promise<Move[]> {
  const moves: Move[] = []
  for (let from = 0; from < list.length; from += filtersAtOnce) {
    const portion = list.slice(from, from + filtersAtOnce)
    await noteMoments(tx, portion, some)
    moves.push(...(await findMoves(tx, portion, some)))
  }
  return moves
}

async function findMoves(tx: Tx, list: Segment[], some: SQL): Promise<Move[]> {
  const holds = list.map(({ filter }) => segmentSql(filter, tx.now))
  const meant = await tx.db.all<{ place: number; contactId: string }>(
    sql`SELECT one.key AS place, c.id AS contactId FROM contacts AS c, json_each(json_array(${sql.join(holds, sql`, `)})) AS one
      WHERE ${some} AND one.value`,
  )
  const members = await tx.db.all<{ segmentId: string; contactId: string }>(
    sql`SELECT segment_id AS segmentId, contact_id AS contactId FROM segment_members
      WHERE segment_id IN ${oneOf(list.map(({ id }) => id))} AND contact_id IN (SELECT c.id FROM contacts AS c WHERE ${some})`,
  )
  const before = Map.groupBy(members, ({ segmentId }) => segmentId)
  const now = Map.groupBy(meant, ({ place }) => place)
  return list.flatMap((segment, place) => {
    const were = new Set(before.get(segment.id)?.map(({ contactId }) => contactId))
    const are = new Set(now.get(place)?.map(({ contactId }) => contactId))
    return [...moved(segment, 'joined', are.difference(were)), ...moved(segment, 'left', were.difference(are))]
  })
}

function moved(segment: Segment, kind: Move['kind'], contactIds: Set<string>): Move[] {
  return Array.from(contactIds, (contactId) => ({ segment, kind, contactId }))
}

async function noteMoments(tx: Tx, list: Segment[], some: SQL): Promise<void> {
  const timed = list.flatMap((segment) => {
    const at = nextMoment(segment.filter, tx.now)
    // Where one is built, the filter before may have counted days.
    return at === null && segment.building === null ? [] : [{ ...segment, at: at ?? sql`NULL` }]
  })
  const [first] = timed
  if (!first) return
  const ids = timed.map(({ id }) => id)
  await tx.db
    .delete(segmentMoments)
    .where(sql`segment_id IN ${oneOf(ids)} AND contact_id IN (SELECT c.id FROM contacts AS c WHERE ${some})`)
  const moments = sql.join(
    timed.map(({ at }) => at),
    sql`, `,
  )
  await insertSelect(
    tx.db,
    segmentMoments,
    {
      segmentId: sql`${JSON.stringify(ids)} ->> one.key`,
      contactId: sql`c.id`,
      workspaceId: first.workspaceId,
      at: sql`one.value`,
    },
    sql`contacts AS c, json_each(json_array(${moments})) AS one WHERE ${some} AND one.value IS NOT NULL`,
  )
}
