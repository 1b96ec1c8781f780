// Where the files of pictures are: in a folder beside the database, or in an S3-compatible store. A file that is being stored or deleted is
// noted first, so that one whose process ends before that is done is found and deleted.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, lt } from 'drizzle-orm'
import { type media, mediaUnowned } from '../../../../db/tables/media.ts'
import { type App, write } from '../../../core/app.ts'
import { hour } from '../../../kit/duration.ts'
import { openStore } from '../../../kit/store/open.ts'
import type { Store } from '../../../kit/store/store.ts'
import { nextTurn } from '../../../kit/turn.ts'

/** Its file has its id as a name. */
export type MediaRow = typeof media.$inferSelect

const abandonedMs = hour
const sweptAtOnce = 100

export function mediaStore(app: App): Store {
  return app.own(open)
}

function open({ config }: App): Store {
  return openStore(config.media.to, config.s3, join(config.dataDir, 'media-arriving'))
}

/** In the folder of the store, where it may become the stored file. */
export function arrivingPath({ workFolder }: Store, id: string): string {
  return join(workFolder, `.arriving-${id}`)
}

/** Deletes a file that no row owns. */
export async function forgetFile(app: App, store: Store, id: string): Promise<void> {
  await store.delete(id)
  await write(app, (tx) => tx.db.delete(mediaUnowned).where(eq(mediaUnowned.id, id)))
}

/** Files of processes that ended before they were done. */
export async function sweepUnowned(app: App, signal: AbortSignal): Promise<void> {
  const store = mediaStore(app)
  const before = new Date(app.clock.now().getTime() - abandonedMs)
  while (!signal.aborted) {
    const rows = await app.db.select().from(mediaUnowned).where(lt(mediaUnowned.createdAt, before)).limit(sweptAtOnce)
    for (const { id } of rows) {
      await rm(arrivingPath(store, id), { force: true })
      await forgetFile(app, store, id)
      await nextTurn()
    }
    if (rows.length < sweptAtOnce) return
  }
}
