// A place for files that are written once: a folder, or an S3-compatible store (`s3://bucket/prefix`). Backups are kept there.

import type { S3Config } from '../config/s3.ts'
import { FolderStore } from './folder.ts'
import { S3Store } from './s3.ts'

export interface Store {
  /** As its operator wrote it. */
  readonly where: string
  /** A folder on the disk of the store, or near, for work that ends in `put`. */
  readonly workFolder: string
  /** The file of that name; null where it must be brought by `get`. */
  pathOf(name: string): string | null
  /** The names in it that begin so, sorted. */
  list(prefix: string): Promise<string[]>
  /** Stores the file, which may become the stored one, under a name that is free. `taken`: something else has that name. */
  put(name: string, path: string): Promise<'stored' | 'taken'>
  /** Throws `not_found`, at the first byte. */
  get(name: string): AsyncIterable<Uint8Array>
  delete(name: string): Promise<void>
}

/** `workFolder` is for what is on its way to a store that is elsewhere. */
export function openStore(place: string, s3: S3Config, workFolder: string): Store {
  return isRemotePlace(place) ? new S3Store(place, s3, workFolder) : new FolderStore(place)
}

/** The whole of a small file. Throws `not_found`. */
export async function readWhole(store: Store, name: string): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(store.get(name)))
}

export function isRemotePlace(place: string): boolean {
  return place.startsWith('s3://')
}
