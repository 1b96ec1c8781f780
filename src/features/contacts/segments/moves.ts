// People join a segment and leave it. Every move goes through recordMoves(), in the transaction in which it is noticed; only a contact that
// is deleted leaves without one, by a trigger, for `contact.deleted` says it.

import { eq, sql } from 'drizzle-orm'
import { oneOf } from '../../../../db/bulk.ts'
import type { Db } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { toRows } from '../../../../db/rows.ts'
import { contacts } from '../../../../db/tables/contacts.ts'
import { segmentMembers, segments } from '../../../../db/tables/segments.ts'
import type { Tx } from '../../../core/app.ts'
import { noteSignals, signalOf } from '../../signals.ts'
import { listeningWorkspaces } from '../../webhooks/listening.ts'
import { publishAll } from '../../webhooks/publish.ts'
import type { Segment } from './segments.ts'

export interface Move {
  segment: Pick<Segment, 'id' | 'workspaceId' | 'name' | 'builtAt'>
  contactId: string
  kind: 'joined' | 'left'
}

const { segmentId, contactId, since } = segmentMembers
const joining = toRows({ segmentId, contactId }, { since })
const leaving = toRows({ segmentId, contactId })

const insertMembers = joining.adding(segmentMembers, { ...joining.each, ...joining.shared })

const deleteMembers = prepared((db: Db) =>
  db
    .delete(segmentMembers)
    .where(sql`(segment_id, contact_id) IN ${leaving.pick('segmentId', 'contactId')}`)
    .prepare(),
)

/** Each is of somebody who was not in the segment, or was. All are of one workspace. */
export async function recordMoves(tx: Tx, moves: Move[]): Promise<void> {
  const rowsOf = (kind: Move['kind']) =>
    moves.filter((one) => one.kind === kind).map(({ segment, contactId }) => ({ segmentId: segment.id, contactId }))
  const [joined, left] = [rowsOf('joined'), rowsOf('left')]
  if (joined.length > 0) await insertMembers(tx.db, joined, { since: tx.now })
  if (left.length > 0) await deleteMembers(tx.db).run(leaving.given(left))
  await countMoves(tx, moves)
  await publishMoves(tx, moves)
  await noteSignals(tx, moves.filter(isNews).map(toSignal))
}

async function countMoves(tx: Tx, moves: Move[]): Promise<void> {
  for (const [id, ofOne] of Map.groupBy(moves, ({ segment }) => segment.id)) {
    const joined = ofOne.filter(({ kind }) => kind === 'joined').length
    const more = 2 * joined - ofOne.length
    if (more === 0) continue
    await tx.db
      .update(segments)
      .set({ members: sql`members + ${more}` })
      .where(eq(segments.id, id))
  }
}

/** Those whom a segment had when it was made are no news: nothing is published before it was built once. */
const isNews = ({ segment }: Move) => segment.builtAt !== null

function toSignal({ segment: { id, workspaceId }, contactId, kind }: Move) {
  return { workspaceId, contactId, signal: signalOf.segment(kind, id) }
}

async function publishMoves(tx: Tx, moves: Move[]): Promise<void> {
  const news = moves.filter(isNews)
  const [workspaceId] = new Set(news.map(({ segment }) => segment.workspaceId))
  if (workspaceId === undefined || (await listeningWorkspaces(tx, [workspaceId])).size === 0) return
  const people = await tx.db
    .select({ id: contacts.id, email: contacts.email, userId: contacts.userId })
    .from(contacts)
    .where(sql`id IN ${oneOf([...new Set(news.map((one) => one.contactId))])}`)
  const identities = new Map(people.map((one) => [one.id, one]))
  const publications = news.flatMap(({ segment: { id, name }, contactId, kind }) => {
    const contactIdentity = identities.get(contactId)
    const type = `segment.${kind}` as const
    return contactIdentity ? [{ workspaceId, type, data: { contactIdentity, segment: { id, name } } }] : []
  })
  await publishAll(tx, publications)
}
