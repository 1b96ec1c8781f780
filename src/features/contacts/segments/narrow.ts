// Finds the few contacts among whom everybody is for whom a filter holds, where an index tells: by a property that has a value or is there,
// a list, an event. So a rare match is looked up, in whatever number of contacts.

import { type SQL, sql } from 'drizzle-orm'
import type { SegmentFilter } from '../../../../db/tables/segments.ts'
import type { Reader } from '../../../core/app.ts'
import { ownValue } from '../../../kit/own-value.ts'
import { nextTurn } from '../../../kit/turn.ts'
import { searchText } from '../properties.ts'
import { textColumns } from './filter.ts'

/** More are not few; what is read of an index for that takes some milliseconds. */
const mostFound = 20_000
/** An event is looked up for whose it is. */
const mostEvents = 5_000

interface IndexedRows {
  /** Rows with a `contact_id`. */
  rows: SQL
  most: number
}

/** Their ids in order; null where no index tells of so few. `filter` has been checked. */
export async function narrow(
  reader: Reader,
  { workspaceId, filter }: { workspaceId: string; filter: SegmentFilter },
): Promise<string[] | null> {
  const found = await candidates(reader, workspaceId, filter)
  return found && [...found].sort()
}

async function candidates(reader: Reader, workspaceId: string, filter: SegmentFilter): Promise<Set<string> | null> {
  if ('all' in filter) {
    for (const one of filter.all) {
      const found = await candidates(reader, workspaceId, one)
      if (found) return found
    }
    return null
  }
  if ('any' in filter) {
    let together = new Set<string>()
    for (const one of filter.any) {
      const found = await candidates(reader, workspaceId, one)
      if (!found) return null
      together = together.union(found)
      if (together.size > mostFound) return null
    }
    return together
  }
  const indexed = toIndexed(workspaceId, filter)
  if (!indexed) return null
  await nextTurn(workspaceId)
  const rows = await reader.db.all<{ id: string }>(
    sql`SELECT contact_id AS id FROM ${indexed.rows} LIMIT ${indexed.most + 1}`,
  )
  return rows.length > indexed.most ? null : new Set(rows.map(({ id }) => id))
}

function toIndexed(workspaceId: string, filter: SegmentFilter): IndexedRows | null {
  if ('list' in filter)
    return {
      rows: sql`subscriptions WHERE mailing_list_id = ${filter.list} AND status = ${filter.status}`,
      most: mostFound,
    }
  if ('event' in filter)
    return { rows: sql`events WHERE workspace_id = ${workspaceId} AND name = ${filter.event}`, most: mostEvents }
  if (!('field' in filter) || isOwnField(filter.field)) return null
  const { field, op, value } = filter
  const named = sql`contact_values WHERE workspace_id = ${workspaceId} AND name = ${field}`
  if (op === 'exists' && value !== false) return { rows: named, most: mostFound }
  if (op !== 'eq' || value === undefined) return null
  return { rows: sql`${named} AND value = ${searchText(value)}`, most: mostFound }
}

const isOwnField = (field: string) =>
  ownValue<string>(textColumns, field) !== undefined || field === 'subscribed' || field === 'createdAt'
