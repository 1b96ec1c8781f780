// Who is in a segment. It is read from what is kept (keep.ts); until that is known, and for a filter that is not saved, the few are looked at
// that an index tells of (narrow.ts), or all contacts one by one in the order of their ids, slice by slice, so that others are not held up.

import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { oneOf } from '../../../../db/bulk.ts'
import { contacts } from '../../../../db/tables/contacts.ts'
import { type SegmentFilter, segmentMembers, segments } from '../../../../db/tables/segments.ts'
import type { Reader } from '../../../core/app.ts'
import { nextTurn } from '../../../kit/turn.ts'
import { readTotal } from '../../../people/totals.ts'
import type { Contact } from '../consent/find-contact.ts'
import { segmentSql } from './compile.ts'
import { narrow } from './narrow.ts'
import type { Segment } from './segments.ts'

const contactRow = alias(contacts, 'c')

/** The time that a slice should take, whatever the filter costs. */
const sliceMs = 8
const contactsPerSlice = { first: 200, least: 20, most: 2_000 }
/** Beyond this many contacts, a count is extrapolated. */
const countLimit = 20_000

/** Members of a saved segment, the first `limit` after the contact `after`, and how many it has. */
export async function readMembers(
  reader: Reader,
  segment: Segment,
  { now, after, limit }: { now: Date; after?: string | undefined; limit: number },
): Promise<{ rows: Contact[]; total: number }> {
  if (segment.building === null)
    return { rows: await storedAfter(reader, segment.id, { after, limit }), total: segment.members }
  const query = { ...segment, now }
  const rows = await membersAfter(reader, query, { after, limit })
  return { rows, total: (await countMembers(reader, query)).contacts }
}

async function storedAfter(
  reader: Reader,
  segmentId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Contact[]> {
  const beyond = after === undefined ? undefined : gt(segmentMembers.contactId, after)
  const rows = await reader.db
    .select({ contact: contacts })
    .from(segmentMembers)
    .innerJoin(contacts, eq(contacts.id, segmentMembers.contactId))
    .where(and(eq(segmentMembers.segmentId, segmentId), beyond))
    .orderBy(asc(segmentMembers.contactId))
    .limit(limit)
  return rows.map(({ contact }) => contact)
}

/** The segments that a contact is in, and since when. */
export async function listSegmentsWith(reader: Reader, workspaceId: string, contactId: string) {
  return await reader.db
    .select({ segmentId: segments.id, name: segments.name, since: segmentMembers.since })
    .from(segments)
    .innerJoin(segmentMembers, and(eq(segmentMembers.segmentId, segments.id), eq(segmentMembers.contactId, contactId)))
    .where(and(eq(segments.workspaceId, workspaceId), isNull(segments.building)))
    .orderBy(asc(segments.id))
}

export interface SegmentQuery {
  workspaceId: string
  filter: SegmentFilter
  /** What days are counted back from. */
  now: Date
}

/** The first `limit` after the contact `after`; of those among the next `most` contacts, if no index tells of them. */
export async function membersAfter(
  reader: Reader,
  query: SegmentQuery,
  { after = '', limit, most = Number.POSITIVE_INFINITY }: { after?: string | undefined; limit: number; most?: number },
): Promise<Contact[]> {
  const found: Contact[] = []
  const filter = toFilterSql(query)
  const few = await narrow(reader, query)
  let seen = 0
  for await (const slice of slicesOf(reader, query, { after, few })) {
    const members = reader.db
      .select()
      .from(contactRow)
      .where(sql`${slice.some} AND ${filter}`)
      .orderBy(sql`c.id`)
      .limit(limit - found.length)
    found.push(...(await members))
    seen += slice.size
    if (found.length >= limit || seen >= most) break
  }
  return found
}

export interface MembersPage {
  members: Contact[]
  /** The last contact that was looked at, and how many were. */
  last: string
  seen: number
}

/** The next members of a segment; while it is built, those among the next `size` contacts of the workspace. */
export async function membersPage(
  reader: Reader,
  segment: Segment,
  { after, size, now }: { after: string; size: number; now: Date },
): Promise<MembersPage> {
  if (segment.building === null) {
    const members = await storedAfter(reader, segment.id, { after, limit: size })
    return { members, last: members.at(-1)?.id ?? after, seen: members.length }
  }
  const query = { ...segment, now }
  const [page] = await reader.db.all<{ upTo: string | null; seen: number }>(
    sql`SELECT max(id) AS upTo, count(*) AS seen
      FROM (SELECT id FROM contacts WHERE workspace_id = ${query.workspaceId} AND id > ${after} ORDER BY id LIMIT ${size})`,
  )
  const [last, seen] = [page?.upTo ?? after, page?.seen ?? 0]
  const members = await reader.db
    .select()
    .from(contactRow)
    .where(sql`${isBetween(query, after, last)} AND ${toFilterSql(query)}`)
    .orderBy(sql`c.id`)
  return { members, last, seen }
}

/** The first contact that the next page looks at; null: there is none. */
export async function nextInSegment(
  reader: Reader,
  { id, workspaceId, building }: Segment,
  after: string,
): Promise<string | null> {
  const from =
    building === null
      ? sql`segment_members WHERE segment_id = ${id} AND contact_id > ${after}`
      : sql`(SELECT id AS contact_id FROM contacts WHERE workspace_id = ${workspaceId} AND id > ${after})`
  const [row] = await reader.db.all<{ id: string }>(
    sql`SELECT contact_id AS id FROM ${from} ORDER BY contact_id LIMIT 1`,
  )
  return row?.id ?? null
}

export interface Count {
  contacts: number
  /** False where it is reckoned from the first contacts of a large workspace. */
  exact: boolean
}

export async function countMembers(reader: Reader, query: SegmentQuery): Promise<Count> {
  let [members, seen] = [0, 0]
  const filter = toFilterSql(query)
  const few = await narrow(reader, query)
  for await (const slice of slicesOf(reader, query, { after: '', few })) {
    const [row] = await reader.db.all<{ members: number }>(
      sql`SELECT count(*) AS members FROM contacts AS c WHERE ${slice.some} AND ${filter}`,
    )
    members += row?.members ?? 0
    seen += slice.size
    if (few === null && seen >= countLimit) {
      const total = Math.max(seen, await readTotal(reader, query.workspaceId, 'contacts'))
      return { contacts: Math.round((members / seen) * total), exact: seen === total }
    }
  }
  return { contacts: members, exact: true }
}

interface Slice {
  /** A condition on a contact that the query calls `c`. */
  some: SQL
  size: number
}

const toFilterSql = ({ filter, now }: SegmentQuery): SQL => segmentSql(filter, now)

const isBetween = ({ workspaceId }: SegmentQuery, after: string, upTo: string): SQL =>
  sql`c.workspace_id = ${workspaceId} AND c.id > ${after} AND c.id <= ${upTo}`

/** Each in its turn, and as large as there is time for: measured by what the reader of the last one took. */
async function* slicesOf(
  reader: Reader,
  query: SegmentQuery,
  { after, few }: { after: string; few: string[] | null },
): AsyncGenerator<Slice> {
  const { workspaceId } = query
  const next =
    few === null
      ? createWalk(reader, query, after)
      : createNaming(
          query,
          few.filter((id) => id > after),
        )
  const { first, least, most } = contactsPerSlice
  for (let size: number = first; ; ) {
    await nextTurn(workspaceId)
    const began = performance.now()
    const slice = await next(size)
    if (slice === null) return
    yield slice
    if (slice.size < size) return
    const factor = sliceMs / Math.max(performance.now() - began, 0.1)
    size = Math.round(Math.min(most, Math.max(least, size * Math.min(factor, 4))))
  }
}

type NextSlice = (size: number) => Promise<Slice | null>

/** All contacts of the workspace after one. */
function createWalk(reader: Reader, query: SegmentQuery, from: string): NextSlice {
  let after = from
  return async (most) => {
    const [end] = await reader.db.all<{ upTo: string | null; size: number }>(
      sql`SELECT max(id) AS upTo, count(*) AS size
        FROM (SELECT id FROM contacts WHERE workspace_id = ${query.workspaceId} AND id > ${after} ORDER BY id LIMIT ${most})`,
    )
    if (!end?.upTo) return null
    const some = isBetween(query, after, end.upTo)
    after = end.upTo
    return { some, size: end.size }
  }
}

/** Those with these ids. A list that a filter names may be another workspace's. */
function createNaming({ workspaceId }: SegmentQuery, ids: string[]): NextSlice {
  let at = 0
  return async (most) => {
    const named = ids.slice(at, at + most)
    at += named.length
    return named.length === 0
      ? null
      : { some: sql`c.id IN ${oneOf(named)} AND +c.workspace_id = ${workspaceId}`, size: named.length }
  }
}
