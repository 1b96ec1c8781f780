// Opens a place for files by its name.

import { FolderStore } from './folder.ts'
import { S3Store } from './s3.ts'
import type { S3Config, Store } from './store.ts'

/** `workFolder` is for what is on its way to a store that is elsewhere. */
export function openStore(place: string, s3: S3Config, workFolder: string): Store {
  return place.startsWith('s3://') ? new S3Store(place, s3, workFolder) : new FolderStore(place)
}
