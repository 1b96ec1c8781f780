// The pictures of a workspace: found, listed, named, deleted.

import { and, count, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { media, mediaUnowned, mediaUses } from '../../../../db/tables/media.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { AppError } from '../../../kit/error.ts'
import { forgetFile, type MediaRow } from './store.ts'
import type { Labels } from './upload.ts'
import { refuseInUse } from './uses.ts'

/** Throws not_found, also for another workspace's. */
export async function getMedia(reader: Reader, workspaceId: string, id: string): Promise<MediaRow> {
  const [row] = await reader.db
    .select()
    .from(media)
    .where(and(eq(media.workspaceId, workspaceId), eq(media.id, id)))
  if (row) return row
  throw new AppError('not_found', `no picture ${JSON.stringify(id.slice(0, 80))} in this workspace`)
}

interface MediaQuery {
  /** Part of the name or of the alternative text. */
  search?: string | undefined
  /** The id of the last row of the previous page. */
  after: string | undefined
  limit: number
}

/** Those of the library, newest first. */
export async function listMedia(reader: Reader, workspaceId: string, { search, after, limit }: MediaQuery) {
  const mine = and(eq(media.workspaceId, workspaceId), isNull(media.removedAt), search ? holding(search) : undefined)
  const rows = await reader.db
    .select()
    .from(media)
    .where(and(mine, after === undefined ? undefined : lt(media.id, after)))
    .orderBy(desc(media.id))
    .limit(limit)
  const [counted] = await reader.db.select({ total: count() }).from(media).where(mine)
  return { rows, total: counted?.total ?? 0 }
}

function holding(text: string): SQL {
  return sql`instr(lower(${media.name} || char(10) || ${media.alt}), lower(${text})) > 0`
}

export async function labelMedia(
  tx: Tx,
  workspaceId: string,
  id: string,
  { name, alt }: { name?: string | undefined; alt?: string | undefined },
): Promise<MediaRow> {
  const row = await getMedia(tx, workspaceId, id)
  const labels: Labels = { name: name ?? row.name, alt: alt ?? row.alt }
  const change = { ...labels, updatedAt: tx.now }
  await tx.db.update(media).set(change).where(eq(media.id, id))
  return { ...row, ...change }
}

/** `removed`: it is in the library no more, and mails that show it still do. */
export const deletions = ['deleted', 'removed'] as const
export type Deletion = (typeof deletions)[number]

/**
 * A picture that no saved mail ever showed is deleted, and so is any with `force`. Any other is only taken out of the library, because mails
 * that were sent load it from its address. Throws 409 `media_in_use` while something shows it that is yet to be sent.
 */
export async function deleteMedia(
  app: App,
  workspaceId: string,
  id: string,
  { force }: { force: boolean },
): Promise<Deletion> {
  const deletion = await write(app, async (tx) => {
    const row = await getMedia(tx, workspaceId, id)
    if (!force) await refuseInUse(tx, row)
    if (!force && (await wasUsed(tx, row.key))) {
      await tx.db.update(media).set({ removedAt: tx.now, updatedAt: tx.now }).where(eq(media.id, id))
      return 'removed'
    }
    await tx.db.delete(media).where(eq(media.id, id))
    await tx.db.insert(mediaUnowned).values({ id, createdAt: tx.now })
    return 'deleted'
  })
  if (deletion === 'deleted') await forgetFile(app, id)
  return deletion
}

async function wasUsed(reader: Reader, key: string): Promise<boolean> {
  const rows = await reader.db
    .select({ key: mediaUses.mediaKey })
    .from(mediaUses)
    .where(eq(mediaUses.mediaKey, key))
    .limit(1)
  return rows.length > 0
}
