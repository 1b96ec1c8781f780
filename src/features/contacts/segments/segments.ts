// Segments: made, changed, deleted. Campaigns that have not begun follow a change; one that has keeps the filter it began with. Who is in a
// new segment, or by a new filter, is looked up afterwards (keep.ts).

import { and, count, eq, inArray } from 'drizzle-orm'
import { type CampaignStatus, campaigns } from '../../../../db/tables/campaigns.ts'
import { nameOrder } from '../../../../db/tables/columns.ts'
import { deletedSegments, type SegmentFilter, segments, unbuilt } from '../../../../db/tables/segments.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { type Sort, sortingOf } from '../../../core/http/sorting.ts'
import { AppError, invalidField } from '../../../kit/error.ts'
import { newId } from '../../../kit/id.ts'
import { listProperties } from '../properties.ts'
import { readFilter } from './filter.ts'
import { wakeSegments } from './wake.ts'

export type Segment = typeof segments.$inferSelect

const maxSegments = 500
const notBegun: CampaignStatus[] = ['draft', 'approved', 'scheduled']

/** Checked against the custom properties of the workspace. Throws 422. */
export async function checkedFilter(reader: Reader, workspaceId: string, given: unknown): Promise<SegmentFilter> {
  const properties = await listProperties(reader, workspaceId)
  return readFilter(given, new Map(properties.map(({ name, type }) => [name, type])))
}

export async function createSegment(
  tx: Tx,
  workspaceId: string,
  { name, filter }: { name: string; filter: unknown },
): Promise<Segment> {
  if ((await countSegments(tx, workspaceId)) >= maxSegments)
    throw invalidField('name', `a workspace may have at most ${maxSegments} segments`, 'too_many')
  const row = {
    id: newId(tx, 'seg', tx.now),
    workspaceId,
    name,
    filter: await checkedFilter(tx, workspaceId, filter),
    members: 0,
    building: unbuilt,
    builtAt: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await tx.db.insert(segments).values(row)
  await wakeSegments(tx, workspaceId)
  return row
}

export async function findSegment(reader: Reader, workspaceId: string, id: string): Promise<Segment | undefined> {
  const [row] = await reader.db
    .select()
    .from(segments)
    .where(and(eq(segments.workspaceId, workspaceId), eq(segments.id, id)))
  return row
}

/** Throws not_found, also for another workspace's. */
export async function getSegment(reader: Reader, workspaceId: string, id: string): Promise<Segment> {
  const row = await findSegment(reader, workspaceId, id)
  if (row) return row
  throw new AppError('not_found', 'there is no such segment')
}

/** Oldest first. */
const byId = { column: segments.id, of: ({ id }: Segment) => id }
const byName = { column: nameOrder, of: ({ name }: Segment) => name }
export const segmentOrders = {
  first: 'createdAt',
  named: { createdAt: { key: byId }, name: { by: byName, key: byId } },
} as const
export type SegmentSort = Sort<keyof typeof segmentOrders.named>

export async function listSegments(
  reader: Reader,
  workspaceId: string,
  { sort, after, limit }: { sort?: SegmentSort | undefined; after?: string | undefined; limit: number },
): Promise<Segment[]> {
  const { order, beyond } = sortingOf(segmentOrders, sort)
  return await reader.db
    .select()
    .from(segments)
    .where(and(eq(segments.workspaceId, workspaceId), beyond(after)))
    .orderBy(order)
    .limit(limit)
}

export async function countSegments(reader: Reader, workspaceId: string): Promise<number> {
  const [row] = await reader.db.select({ total: count() }).from(segments).where(eq(segments.workspaceId, workspaceId))
  return row?.total ?? 0
}

/** An approval of a campaign that has not begun is for the filter it had (features/campaigns/approval.ts). */
export async function updateSegment(
  tx: Tx,
  workspaceId: string,
  id: string,
  change: { name?: string | undefined; filter?: unknown },
): Promise<Segment> {
  const before = await getSegment(tx, workspaceId, id)
  const filter = change.filter === undefined ? before.filter : await checkedFilter(tx, workspaceId, change.filter)
  const set = { name: change.name ?? before.name, filter, updatedAt: tx.now }
  const isNew = !Bun.deepEquals(filter, before.filter)
  const segment = { ...before, ...set, ...(isNew ? { building: unbuilt } : {}) }
  await tx.db
    .update(segments)
    .set(isNew ? { ...set, building: unbuilt } : set)
    .where(eq(segments.id, id))
  await tx.db.update(campaigns).set({ segmentFilter: filter }).where(waiting(workspaceId, id))
  if (isNew) await wakeSegments(tx, workspaceId)
  return segment
}

/** Throws `conflict` while a campaign that has not begun is for it. */
export async function deleteSegment(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await getSegment(tx, workspaceId, id)
  const [campaign] = await tx.db.select({ id: campaigns.id }).from(campaigns).where(waiting(workspaceId, id)).limit(1)
  if (campaign) throw new AppError('conflict', `the campaign ${campaign.id} is for this segment`)
  await tx.db.delete(segments).where(eq(segments.id, id))
  await tx.db.insert(deletedSegments).values({ workspaceId, segmentId: id })
  await wakeSegments(tx, workspaceId)
}

const waiting = (workspaceId: string, id: string) =>
  and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.segmentId, id), inArray(campaigns.status, notBegun))
