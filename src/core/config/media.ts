// Pictures that are uploaded: where their files are, and how many a workspace may have.

import { join } from 'node:path'
import type { Reader } from '../../kit/environment.ts'
import type { S3Config } from '../../kit/store/store.ts'
import { readStorePlace } from './s3.ts'

export const mediaSettings = ['MEDIA_TO', 'MEDIA_WORKSPACE_MB']

export interface MediaConfig {
  /** A folder as an absolute path, or `s3://bucket/prefix`. */
  to: string
  /** Of all pictures of one workspace. */
  workspaceBytes: number
}

export function readMedia(read: Reader, s3: S3Config, around: { dataDir: string; directory: string }): MediaConfig {
  const to = read.text('MEDIA_TO')
  return {
    to: to === undefined ? mediaFolder(around.dataDir) : readStorePlace('MEDIA_TO', to, s3, around.directory),
    workspaceBytes: read.whole('MEDIA_WORKSPACE_MB', 1_000, 1, 1_000_000) * 1_000_000,
  }
}

/** Where nothing else is set, and what a restored backup fills. */
export function mediaFolder(dataDir: string): string {
  return join(dataDir, 'media')
}
