// Who is in a segment. It is read from what is kept (keep.ts); until that is known, and for a filter that is not saved, contacts are looked
// at one by one in the order of their ids, slice by slice, so that a filter without an index does not hold others up.

import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { contacts } from '../../../../db/tables/contacts.ts'
import { type SegmentFilter, segmentMembers, segments } from '../../../../db/tables/segments.ts'
import type { Reader } from '../../../core/app.ts'
import { nextTurn } from '../../../kit/turn.ts'
import { readTotal } from '../../../people/totals.ts'
import type { Contact } from '../consent/find-contact.ts'
import { segmentSql } from './compile.ts'
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

/** The first `limit` after the contact `after`. */
export async function membersAfter(
  reader: Reader,
  query: SegmentQuery,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<Contact[]> {
  const found: Contact[] = []
  const filter = toFilterSql(query)
  for await (const slice of slicesOf(reader, query.workspaceId, after)) {
    const members = reader.db
      .select()
      .from(contactRow)
      .where(sql`${isInSlice(query, slice)} AND ${filter}`)
      .orderBy(sql`c.id`)
      .limit(limit - found.length)
    found.push(...(await members))
    if (found.length >= limit) break
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
    .where(sql`${isInSlice(query, { after, upTo: last, size: seen })} AND ${toFilterSql(query)}`)
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
  for await (const slice of slicesOf(reader, query.workspaceId, '')) {
    const [row] = await reader.db.all<{ members: number }>(
      sql`SELECT count(*) AS members FROM contacts AS c WHERE ${isInSlice(query, slice)} AND ${filter}`,
    )
    members += row?.members ?? 0
    seen += slice.size
    if (seen >= countLimit) {
      const total = Math.max(seen, await readTotal(reader, query.workspaceId, 'contacts'))
      return { contacts: Math.round((members / seen) * total), exact: seen === total }
    }
  }
  return { contacts: members, exact: true }
}

interface Slice {
  after: string
  upTo: string
  size: number
}

const toFilterSql = ({ filter, now }: SegmentQuery): SQL => segmentSql(filter, now)

const isInSlice = ({ workspaceId }: SegmentQuery, { after, upTo }: Slice): SQL =>
  sql`c.workspace_id = ${workspaceId} AND c.id > ${after} AND c.id <= ${upTo}`

/** Each in its turn, and as large as there is time for: measured by what the reader of the last one took. */
async function* slicesOf(reader: Reader, workspaceId: string, from: string): AsyncGenerator<Slice> {
  const { first, least, most } = contactsPerSlice
  for (let after = from, size: number = first; ; ) {
    await nextTurn(workspaceId)
    const began = performance.now()
    const [end] = await reader.db.all<{ upTo: string | null; size: number }>(
      sql`SELECT max(id) AS upTo, count(*) AS size
        FROM (SELECT id FROM contacts WHERE workspace_id = ${workspaceId} AND id > ${after} ORDER BY id LIMIT ${size})`,
    )
    if (!end?.upTo) return
    yield { after, upTo: end.upTo, size: end.size }
    if (end.size < size) return
    after = end.upTo
    const factor = sliceMs / Math.max(performance.now() - began, 0.1)
    size = Math.round(Math.min(most, Math.max(least, size * Math.min(factor, 4))))
  }
}
