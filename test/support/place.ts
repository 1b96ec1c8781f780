// Where tests keep their databases: in memory where there is room for it. What a test proves of a disk it proves of any file, and a wait
// for the disk, which all tests share, would be most of its time.

import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const neededBytes = 2 * 1024 ** 3

const place = hasRoom() ? memory : tmpdir()

function hasRoom(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > neededBytes
}

/** A new directory; whoever makes it removes it. */
export function freshDirectory(): string {
  return mkdtempSync(join(place, 'paquebot-'))
}
