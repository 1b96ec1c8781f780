// Where tests keep their databases: in memory where there is room for it. What a test proves of a disk it proves of any file, and a wait
// for the disk, which all tests share, would be most of its time.

import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
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

const name = /^paquebot-(\d+)-/
let isSwept = false

/** A new directory; whoever makes it removes it. What a run left that was killed, or whose end nothing hears, the next one removes. */
export function freshDirectory(): string {
  if (!isSwept) sweep()
  isSwept = true
  return mkdtempSync(join(place, `paquebot-${process.pid}-`))
}

function sweep(): void {
  for (const found of readdirSync(place)) {
    const pid = name.exec(found)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(place, found), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
