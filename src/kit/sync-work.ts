// The thread that syncs a file again and again while SQLite writes it in one go (steady-file.ts).

import { fdatasyncSync } from 'node:fs'

declare const self: Worker

/** Between two syncs. */
const restMs = 20

export interface Syncing {
  file: number
  /** 1 when all is written. */
  isWritten: Int32Array<SharedArrayBuffer>
}

self.addEventListener('message', ({ data: { file, isWritten } }: MessageEvent<Syncing>) => {
  self.postMessage('begun')
  do fdatasyncSync(file)
  while (Atomics.wait(isWritten, 0, 0, restMs) === 'timed-out')
  self.postMessage('ended')
})
