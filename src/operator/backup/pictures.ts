// The pictures of a backup: files beside the database, named in it. Those of an S3-compatible store stay there, and are not in a backup.

import { Database as SQLite } from 'bun:sqlite'
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TarSource } from 'modern-tar/fs'
import { mediaFolder } from '../../core/config/media.ts'
import type { Config } from '../../core/config.ts'
import { privateFile } from '../../kit/private-file.ts'

const folderName = 'media'

/** Bytes by the name of the file. */
export type Pictures = Record<string, number>

export interface Packed {
  pictures: Pictures
  sources: TarSource[]
}

/** Those that the copied database knows, held in `work` until they are packed: a second name costs nothing, and outlives a deletion. */
export function holdPictures({ media }: Config, copy: string, work: string): Packed {
  const packed: Packed = { pictures: {}, sources: [] }
  if (media.to.startsWith('s3://')) return packed
  mkdirSync(join(work, folderName))
  for (const id of picturesIn(copy)) {
    const [from, held] = [join(media.to, id), join(work, folderName, id)]
    // Deleted since the database was copied.
    if (!existsSync(from)) continue
    hold(from, held)
    packed.pictures[id] = statSync(held).size
    packed.sources.push({ type: 'file', source: held, target: `${folderName}/${id}`, mode: privateFile })
  }
  return packed
}

function picturesIn(database: string): string[] {
  using file = new SQLite(database, { readonly: true })
  const hasTable = file.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'media'").get() !== null
  if (!hasTable) return []
  return file
    .query<{ id: string }, []>('SELECT id FROM media')
    .all()
    .map(({ id }) => id)
}

/** Copied where it is on another disk. */
function hold(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

/** What is wrong with those that were unpacked into `folder`. */
export function pictureFaults(folder: string, pictures: Pictures): string[] {
  return Object.entries(pictures).flatMap(([id, bytes]) => {
    const found = statSync(join(folder, folderName, id), { throwIfNoEntry: false })
    return found?.size === bytes ? [] : [`the picture ${id} has ${found?.size ?? 'no'} bytes, not ${bytes}`]
  })
}

/** From where they were unpacked to where an installation in `folder` looks for them. */
export function placePictures(unpacked: string, folder: string): void {
  const from = join(unpacked, folderName)
  if (existsSync(from)) renameSync(from, mediaFolder(folder))
}
