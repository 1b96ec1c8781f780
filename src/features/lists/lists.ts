// Creates, changes and archives mailing lists. Their counters are updated by consent/subscriptions.ts.

import { and, eq, sql } from 'drizzle-orm'
import { nameOrder } from '../../../db/tables/columns.ts'
import { mailingLists } from '../../../db/tables/lists.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { type Sort, sortingOf } from '../../core/http/sorting.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { findList, type MailingList } from '../contacts/consent/named-lists.ts'

export interface ListFields {
  name?: string
  description?: string | null
  isPublic?: boolean
  hasPublicArchive?: boolean
  optIn?: 'single' | 'double'
}

export async function createList(
  tx: Tx,
  workspaceId: string,
  fields: ListFields & { id?: string; name: string },
): Promise<MailingList> {
  const row: MailingList = {
    id: fields.id ?? newId(tx, 'lst', tx.now),
    workspaceId,
    name: fields.name,
    description: fields.description ?? null,
    isPublic: fields.isPublic ?? false,
    hasPublicArchive: fields.hasPublicArchive ?? false,
    optIn: fields.optIn ?? 'single',
    status: 'active',
    contactCount: 0,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await tx.db.insert(mailingLists).values(row)
  return row
}

/** Active lists, oldest first. */
const byId = { column: mailingLists.id, of: ({ id }: MailingList) => id }
const byName = { column: nameOrder, of: ({ name }: MailingList) => name }
export const listOrders = {
  first: 'createdAt',
  named: { createdAt: { key: byId }, name: { by: byName, key: byId } },
} as const
export type ListSort = Sort<keyof typeof listOrders.named>

export async function listLists(
  reader: Reader,
  workspaceId: string,
  { sort, after, limit }: { sort?: ListSort | undefined; after?: string | undefined; limit: number },
): Promise<MailingList[]> {
  const { order, beyond } = sortingOf(listOrders, sort)
  return await reader.db
    .select()
    .from(mailingLists)
    .where(and(eq(mailingLists.workspaceId, workspaceId), eq(mailingLists.status, 'active'), beyond(after)))
    .orderBy(order)
    .limit(limit)
}

export async function countLists(reader: Reader, workspaceId: string): Promise<number> {
  const [row] = await reader.db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM mailing_lists WHERE workspace_id = ${workspaceId} AND status = 'active'`,
  )
  return row?.count ?? 0
}

/** Also finds an archived list. Throws not_found, also for another workspace's. */
export async function getList(reader: Reader, workspaceId: string, id: string): Promise<MailingList> {
  const row = await findList(reader, workspaceId, id)
  if (!row) throw new AppError('not_found', 'there is no such mailing list')
  return row
}

export async function updateList(tx: Tx, workspaceId: string, id: string, fields: ListFields): Promise<MailingList> {
  const before = await getList(tx, workspaceId, id)
  if (before.status === 'archived') throw new AppError('conflict', 'an archived mailing list cannot be changed')
  await tx.db
    .update(mailingLists)
    .set({ ...fields, updatedAt: tx.now })
    .where(eq(mailingLists.id, id))
  return await getList(tx, workspaceId, id)
}

/** Hides the list and stops sending to it. Its subscriptions and their consent stay on record. */
export async function archiveList(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await getList(tx, workspaceId, id)
  await tx.db.update(mailingLists).set({ status: 'archived', updatedAt: tx.now }).where(eq(mailingLists.id, id))
}
