// Looks up the mailing lists named by a request, a rule or a row of a file, and refuses lists that nobody can be added to.

import { and, eq, inArray } from 'drizzle-orm'
import { mailingLists } from '../../../../db/tables/lists.ts'
import type { Reader } from '../../../core/app.ts'
import { invalidField } from '../../../kit/error.ts'

export type MailingList = typeof mailingLists.$inferSelect

/** Lists of the workspace by id, including archived ones. */
export async function findLists(reader: Reader, workspaceId: string, ids: string[]): Promise<Map<string, MailingList>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.db
    .select()
    .from(mailingLists)
    .where(and(eq(mailingLists.workspaceId, workspaceId), inArray(mailingLists.id, ids)))
  return new Map(rows.map((list) => [list.id, list]))
}

/** Also finds an archived list; undefined for another workspace's. */
export async function findList(reader: Reader, workspaceId: string, id: string): Promise<MailingList | undefined> {
  return (await findLists(reader, workspaceId, [id])).get(id)
}

/** Why nobody can be added to this list, or null. */
export function listProblem(list: MailingList | undefined, id: string): { message: string; code: string } | null {
  if (!list) return { message: `there is no mailing list ${JSON.stringify(id.slice(0, 100))}`, code: 'unknown_list' }
  if (list.status === 'active') return null
  return { message: `the mailing list ${JSON.stringify(id)} is archived`, code: 'archived_list' }
}

/** Active lists ordered by id. Throws 422 naming the first that is not active: `mailingLists.lst_…`. */
export async function activeListsNamed(
  reader: Reader,
  workspaceId: string,
  ids: string[],
  path: string,
): Promise<MailingList[]> {
  const lists = await findLists(reader, workspaceId, ids)
  return ids.map((id) => activeList(lists.get(id), id, `${path}.${id.slice(0, 100)}`))
}

/** One active list. Throws 422 naming `path`. */
export async function activeListNamed(
  reader: Reader,
  workspaceId: string,
  id: string,
  path: string,
): Promise<MailingList> {
  return activeList(await findList(reader, workspaceId, id), id, path)
}

function activeList(list: MailingList | undefined, id: string, path: string): MailingList {
  const problem = listProblem(list, id)
  if (!list || problem) throw invalidField(path, problem?.message ?? '', problem?.code)
  return list
}
