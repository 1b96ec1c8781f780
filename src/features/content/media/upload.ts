// Takes a picture: its bytes go to a file of their own while they arrive, are hashed on the way and looked at when they are all there. A
// file that nobody comes to own, because the upload broke off or is refused, is deleted; by a sweep where the process ended before that.

import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { eq, sum } from 'drizzle-orm'
import { media, mediaUnowned } from '../../../../db/tables/media.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { tooLarge } from '../../../core/http/body.ts'
import { AppError, invalidField } from '../../../kit/error.ts'
import { newId } from '../../../kit/id.ts'
import { type Picture, readPicture } from '../../../kit/picture/read.ts'
import { maxPictureBytes } from '../../../kit/picture/size.ts'
import { makePrivateFolder, privateFile } from '../../../kit/private-file.ts'
import { arrivingPath, forgetFile, type MediaRow, mediaStore, reaching } from './store.ts'

/** How much is hashed at once. */
const sliceBytes = 1024 * 1024

interface Received {
  picture: Picture
  sizeBytes: number
  key: string
}

export interface Labels {
  name: string
  alt: string
}

/** The same bytes are stored once: `isNew` says whether they were not there yet. Throws 413, 415, 422. */
export async function takePicture(
  app: App,
  workspaceId: string,
  body: AsyncIterable<Uint8Array>,
  labels: Labels,
): Promise<{ row: MediaRow; isNew: boolean }> {
  const arrived = await arrive(app, workspaceId, { body, labels })
  const { id } = arrived
  const store = mediaStore(app)
  let row: MediaRow | null = null
  try {
    const stored = await write(app, (tx) => own(tx, app, arrived))
    row = stored
    // The file of the same bytes may have been lost; one that is there stays.
    if (stored.id !== id) await reaching(app, () => store.put(stored.id, arrivingPath(store, id)))
    return { row: stored, isNew: stored.id === id }
  } finally {
    if (row?.id === id) await rm(arrivingPath(store, id), { force: true })
    else await forgetFile(app, id)
  }
}

export type NewMedia = Received & Labels & { id: string; workspaceId: string }

/** Its file is stored, and nobody owns it. Throws 413, 415, 422, and then there is none. */
export async function arrive(
  app: App,
  workspaceId: string,
  { body, labels }: { body: AsyncIterable<Uint8Array>; labels: Labels },
): Promise<NewMedia> {
  const store = mediaStore(app)
  const id = newId(app, 'med', app.clock.now())
  await write(app, (tx) => tx.db.insert(mediaUnowned).values({ id, createdAt: tx.now }))
  try {
    const received = await receive(app, id, workspaceId, body)
    const put = await reaching(app, () => store.put(id, arrivingPath(store, id)))
    if (put === 'taken') throw new Error(`there is another file ${id}`)
    return { id, workspaceId, ...received, ...labels }
  } catch (error) {
    await forgetFile(app, id)
    throw error
  }
}

async function receive(app: App, id: string, workspaceId: string, body: AsyncIterable<Uint8Array>): Promise<Received> {
  const path = arrivingPath(mediaStore(app), id)
  const hash = hashOf(workspaceId)
  const sizeBytes = await toFile(app, path, hashed(body, hash))
  const picture = readPicture(Buffer.from(await Bun.file(path).arrayBuffer()))
  if ('fault' in picture) {
    if (picture.fault === 'kind') throw new AppError('unsupported_media_type', picture.message)
    throw invalidField('', picture.message, picture.fault)
  }
  return { picture, sizeBytes, key: toKey(hash) }
}

/** The workspace comes first, so that nobody can find out what another one has. */
const hashOf = (workspaceId: string) => new Bun.SHA256().update(workspaceId)
const toKey = (hash: Bun.SHA256) => hash.digest('hex').slice(0, 32)

/** What the address of a picture is made of. */
export function mediaKey(workspaceId: string, bytes: Uint8Array): string {
  return toKey(hashOf(workspaceId).update(bytes))
}

/** In slices that are hashed as they pass. Throws 413. */
async function* hashed(body: AsyncIterable<Uint8Array>, hash: Bun.SHA256): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body)
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      const slice = chunk.subarray(at, at + sliceBytes)
      bytes += slice.length
      if (bytes > maxPictureBytes) throw tooLarge(maxPictureBytes)
      hash.update(slice)
      yield slice
    }
}

/** Returns how many bytes it has. */
async function toFile(app: App, path: string, slices: AsyncIterable<Uint8Array>): Promise<number> {
  await using file = await reaching(app, async () => {
    makePrivateFolder(dirname(path))
    return await open(path, 'wx', privateFile)
  })
  let bytes = 0
  for await (const slice of slices) {
    await reaching(app, () => file.writeFile(slice))
    bytes += slice.length
  }
  return bytes
}

/** From here on the file belongs to a row; or to nobody, for the row of the same bytes has one. */
export async function own(tx: Tx, { config }: App, given: NewMedia): Promise<MediaRow> {
  const { id, workspaceId, key, sizeBytes, picture, name, alt } = given
  const [same] = await tx.db.select().from(media).where(eq(media.key, key))
  if (same) return same.removedAt === null ? same : await bringBack(tx, same, { name, alt })
  await refuseTooMany(tx, workspaceId, { sizeBytes, limit: config.media.workspaceBytes })
  const { kind, width, height, frames } = picture
  const row: MediaRow = {
    ...{ id, workspaceId, key, kind, name, alt, sizeBytes, width, height },
    animated: frames > 1,
    removedAt: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await tx.db.insert(media).values(row)
  await tx.db.delete(mediaUnowned).where(eq(mediaUnowned.id, id))
  return row
}

async function bringBack(tx: Tx, row: MediaRow, labels: Labels): Promise<MediaRow> {
  const change = { ...labels, removedAt: null, updatedAt: tx.now }
  await tx.db.update(media).set(change).where(eq(media.id, row.id))
  return { ...row, ...change }
}

async function refuseTooMany(
  tx: Tx,
  workspaceId: string,
  { sizeBytes, limit }: { sizeBytes: number; limit: number },
): Promise<void> {
  const used = await usedBytes(tx, workspaceId)
  if (used + sizeBytes <= limit) return
  const message = `The pictures of this workspace have ${used} of ${limit} bytes, and this one has ${sizeBytes}: delete some, or have the operator raise MEDIA_WORKSPACE_MB.`
  throw new AppError('payload_too_large', message)
}

/** Of all its files, also those that are kept for mails alone. */
export async function usedBytes({ db }: Reader, workspaceId: string): Promise<number> {
  const [found] = await db
    .select({ bytes: sum(media.sizeBytes) })
    .from(media)
    .where(eq(media.workspaceId, workspaceId))
  return Number(found?.bytes ?? 0)
}
