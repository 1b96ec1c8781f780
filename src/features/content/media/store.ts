// Where the files of pictures are: in a folder beside the database, or in an S3-compatible store. A file that is being stored or deleted is
// noted first, so that one whose process ends before that is done is found and deleted.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, lt } from 'drizzle-orm'
import { type media, mediaUnowned } from '../../../../db/tables/media.ts'
import { type App, write } from '../../../core/app.ts'
import { hour } from '../../../kit/duration.ts'
import { AppError } from '../../../kit/error.ts'
import { openStore } from '../../../kit/store/open.ts'
import type { Part, Store } from '../../../kit/store/store.ts'
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

/** What the store or its disk refuses is no fault of the caller's, who may come again. Throws 404 or 503. `what`: in words. */
export async function reaching<T>(app: App, work: () => Promise<T>, what = 'this picture'): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found')
      throw new AppError('not_found', `The file of ${what} is gone.`)
    app.log.error('the store of pictures failed', { where: app.config.media.to, error })
    const message = 'The store of pictures does not answer; nothing was changed. Try again in a moment.'
    throw new AppError('overloaded', message, { retryAfterSeconds: 5 })
  }
}

/**
 * Throws 404 or 503 where the file does not come, before anything is answered. `part` is of one in a store that is elsewhere: of a file here
 * Bun sends what Range asks for.
 */
export async function openStored(
  app: App,
  id: string,
  what?: string,
  part?: Part,
): Promise<Blob | ReadableStream<Uint8Array>> {
  const store = mediaStore(app)
  return await reaching(
    app,
    async () => {
      const path = store.pathOf(id)
      if (path !== null) return Bun.file(path)
      const chunks = store.get(id, part)[Symbol.asyncIterator]()
      return streamed(chunks, await chunks.next())
    },
    what,
  )
}

function streamed(chunks: AsyncIterator<Uint8Array>, begun: IteratorResult<Uint8Array>): ReadableStream<Uint8Array> {
  let next: IteratorResult<Uint8Array> | null = begun
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = next ?? (await chunks.next())
      next = null
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}

/** Deletes a file that no row owns, and what arrived of it. False: the store did not let us; a sweep tries again. */
export async function forgetFile(app: App, id: string): Promise<boolean> {
  const store = mediaStore(app)
  try {
    await rm(arrivingPath(store, id), { force: true })
    await store.delete(id)
  } catch (error) {
    app.log.warn('a picture was not deleted', { id, where: store.where, error })
    return false
  }
  await write(app, (tx) => tx.db.delete(mediaUnowned).where(eq(mediaUnowned.id, id)))
  return true
}

/** Files of processes that ended before they were done, and those that the store did not let go. */
export async function sweepUnowned(app: App, signal: AbortSignal): Promise<void> {
  const before = new Date(app.clock.now().getTime() - abandonedMs)
  while (!signal.aborted) {
    const rows = await app.db.select().from(mediaUnowned).where(lt(mediaUnowned.createdAt, before)).limit(sweptAtOnce)
    for (const { id } of rows) {
      if (!(await forgetFile(app, id))) return
      await nextTurn()
    }
    if (rows.length < sweptAtOnce) return
  }
}
