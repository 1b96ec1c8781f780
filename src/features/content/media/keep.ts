// Stores the pictures of a mail together with the mail: both or neither. Their files come first, owned by nobody; the transaction that stores what
// shows them makes their rows, and a save that is refused leaves no file.

import { rm } from 'node:fs/promises'
import { and, inArray, isNull } from 'drizzle-orm'
import { media } from '../../../../db/tables/media.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { AppError } from '../../../kit/error.ts'
import { nextTurn } from '../../../kit/turn.ts'
import type { EmbeddedPicture } from './embedded.ts'
import { arrivingPath, forgetFile, mediaStore } from './store.ts'
import { arrive, type NewMedia, own } from './upload.ts'

const labels = { name: 'picture', alt: '' }

/** write(), with the pictures that it will show. Throws 413 where the workspace has no room for them. */
export async function writeShowing<T>(
  app: App,
  workspaceId: string,
  pictures: EmbeddedPicture[],
  store: (tx: Tx) => T | Promise<T>,
): Promise<T> {
  if (pictures.length === 0) return await write(app, store)
  const known = await findKeys(app, pictures)
  const arrived: NewMedia[] = []
  let owned = new Set<string>()
  try {
    for (const { key, bytes } of pictures) {
      if (known.has(key)) continue
      arrived.push(await arrive(app, workspaceId, { body: whole(bytes), labels }))
      await nextTurn()
    }
    const [stored, ids] = await write(app, async (tx) => {
      const rows = []
      for (const one of arrived) rows.push(await own(tx, app, one))
      await refuseGone(tx, pictures)
      return [await store(tx), rows.map(({ id }) => id)] as const
    })
    owned = new Set(ids)
    return stored
  } finally {
    for (const { id } of arrived)
      if (owned.has(id)) await rm(arrivingPath(mediaStore(app), id), { force: true })
      else await forgetFile(app, id)
  }
}

/** Of those that are in the library. */
async function findKeys(reader: Reader, pictures: EmbeddedPicture[]): Promise<Set<string>> {
  const keys = pictures.map(({ key }) => key)
  const mine = and(inArray(media.key, keys), isNull(media.removedAt))
  return new Set((await reader.db.select({ key: media.key }).from(media).where(mine)).map(({ key }) => key))
}

/** One may have been deleted since it was looked for. */
async function refuseGone(tx: Tx, pictures: EmbeddedPicture[]): Promise<void> {
  if ((await findKeys(tx, pictures)).size === pictures.length) return
  const message = 'A picture of this mail was deleted at the same moment; nothing was changed. Send it again.'
  throw new AppError('overloaded', message, { retryAfterSeconds: 1 })
}

async function* whole(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}
