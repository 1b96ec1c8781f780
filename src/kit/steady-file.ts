// Writes large files to the disk as they grow. Else the system keeps them in memory and writes them in bursts of hundreds of megabytes, and
// whoever syncs a few bytes meanwhile, as a server does with each commit, waits until the burst is over.

import { fdatasyncSync, readdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { privateFile } from './private-file.ts'
import type { Syncing } from './sync-work.ts'

/** For so much others wait at most. Smaller pieces cost more syncs. */
export const pieceBytes = 4_194_304

type Bytes = AsyncIterable<Uint8Array>

/** Called after each write, with how much that was: whether it is time for a sync. */
function eachPiece(): (bytes: number) => boolean {
  let unsynced = 0
  return (bytes) => {
    unsynced += bytes
    if (unsynced < pieceBytes) return false
    unsynced = 0
    return true
  }
}

/** To be called after each write to the file, with how much that was. */
export function steadily(file: number): (bytes: number) => void {
  const isTime = eachPiece()
  return (bytes) => {
    if (isTime(bytes)) fdatasyncSync(file)
  }
}

/** Makes the file, or empties it, and forces it to the disk. */
export async function writeSteadily(path: string, bytes: Bytes): Promise<void> {
  await using file = await open(path, 'w', privateFile)
  const isTime = eachPiece()
  for await (const some of bytes) {
    for (let written = 0; written < some.length; )
      written += (await file.write(some, written, some.length - written)).bytesWritten
    if (isTime(some.length)) await file.datasync()
  }
  await file.sync()
}

/** What passes through goes to files in the folder: those are synced that have grown. */
export function filling(folder: string): (bytes: Bytes) => Bytes {
  const sizes = new Map<string, number>()
  return async function* (bytes) {
    const isTime = eachPiece()
    for await (const some of bytes) {
      yield some
      if (isTime(some.length)) await syncGrown(folder, sizes)
    }
  }
}

async function syncGrown(folder: string, sizes: Map<string, number>): Promise<void> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  for (const path of files.map(({ name }) => join(folder, name))) {
    const { size } = statSync(path)
    if (size === sizes.get(path)) continue
    await using file = await open(path)
    await file.datasync()
    sizes.set(path, size)
  }
}

/** Runs `write`, in which SQLite writes the file and syncs nothing; a thread syncs what there is meanwhile. */
export async function syncedBeside(path: string, write: () => void): Promise<void> {
  await using file = await open(path)
  const isWritten = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(new URL('./sync-work.ts', import.meta.url).href, { name: 'sync' })
  // One that fails ends the syncs, not the work.
  const next = () => new Promise((resolve) => Object.assign(thread, { onmessage: resolve, onerror: resolve }))
  const begun = next()
  thread.postMessage({ file: file.fd, isWritten } satisfies Syncing)
  await begun
  const ended = next()
  try {
    write()
  } finally {
    Atomics.store(isWritten, 0, 1)
    Atomics.notify(isWritten, 0)
    await ended
    thread.terminate()
  }
}
