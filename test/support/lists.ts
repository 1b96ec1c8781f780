// A mailing list for tests of contacts, which need one and not its routes.

import { mailingLists } from '../../db/tables/lists.ts'
import { write } from '../../src/core/app.ts'
import { newId } from '../../src/kit/id.ts'
import type { TestApp } from './app.ts'

type List = typeof mailingLists.$inferSelect

export async function makeList(
  t: TestApp,
  { optIn = 'single', status = 'active' }: Partial<List> = {},
): Promise<string> {
  return await write(t.app, async (tx) => {
    const id = newId(tx, 'lst', tx.now)
    const times = { createdAt: tx.now, updatedAt: tx.now }
    const row = {
      id,
      workspaceId: t.workspace.id,
      name: 'News',
      isPublic: true,
      optIn,
      status,
      contactCount: 0,
      ...times,
    }
    await tx.db.insert(mailingLists).values(row)
    return id
  })
}

export async function countOn(t: TestApp, listId: string): Promise<number | undefined> {
  const rows = await t.app.db.select().from(mailingLists)
  return rows.find(({ id }) => id === listId)?.contactCount
}
