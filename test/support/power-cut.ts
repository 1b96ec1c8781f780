// A power cut without a switch: a process runs with a library (power-cut.c) that keeps each file as it was when it was last forced to the disk.
// After the kill the folder is made anew from that: what was written since is gone, or of each sector by chance, as a disk may have it.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freshDirectory } from './place.ts'

/** What a disk writes whole. */
const sectorBytes = 512

/** Null where no library can be made: it takes Linux, and a compiler of C. */
export function powerCutLibrary(): string | null {
  const compiler = process.platform === 'linux' ? Bun.which('cc') : null
  if (compiler === null) return null
  const library = join(freshDirectory(), 'power-cut.so')
  const source = join(import.meta.dir, 'power-cut.c')
  const { success, stderr } = Bun.spawnSync(
    [compiler, '-O2', '-shared', '-fPIC', '-o', library, source, '-ldl', '-lpthread'],
    { stderr: 'pipe' },
  )
  if (!success) throw new Error(`the library of power cuts was not made: ${stderr}`)
  return library
}

export interface Sync {
  path: string
  /** In bytes, when it was synced. */
  size: number
  /** Which one waited. */
  thread: 'main' | 'other'
}

/** What was synced, in order, by a process whose POWER_CUT_SYNCS is `log`. */
export function syncsIn(log: string): Sync[] {
  const lines = readFileSync(log, 'utf8').matchAll(/^(\d+) (main|other) (.+)$/gm)
  return [...lines].map(([, size, thread, path]) => ({
    size: Number(size),
    thread: thread as Sync['thread'],
    path: path ?? '',
  }))
}

export interface Disk {
  /** Whatever is in it counts as synced. */
  folder: string
  /** Of a process that writes to it. */
  environment: Record<string, string>
  /** To be called when the process was killed. `keeps` decides, of each sector that was not synced, whether it survives. Returns how many did not. */
  cut(keeps: () => boolean): number
  /** Everything written so far is on the disk, as it is half a minute later on any system. */
  settle(): void
  remove(): void
}

/** The names of files and folders survive, as in a file system with a journal. */
export function openDisk(library: string, folder = freshDirectory()): Disk {
  const images = freshDirectory()
  const filesIn = (path: string) =>
    readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(path, name)).isFile())
  const imageOf = (name: string) => join(images, String(statSync(join(folder, name)).ino))
  const settle = () => {
    rmSync(images, { recursive: true })
    mkdirSync(images)
    for (const name of filesIn(folder)) writeFileSync(imageOf(name), readFileSync(join(folder, name)))
  }
  settle()
  return {
    folder,
    environment: { LD_PRELOAD: library, POWER_CUT_FILES: `${folder}/`, POWER_CUT_IMAGES: images },
    cut(keeps) {
      let lost = 0
      const left = filesIn(folder).map((name) => {
        const written = readFileSync(join(folder, name))
        const synced = existsSync(imageOf(name)) ? readFileSync(imageOf(name)) : Buffer.alloc(0)
        const found = surviving(synced, written, keeps)
        lost += found.lost
        return { name, bytes: found.bytes }
      })
      // Anew, so that no process that is still dying writes to it.
      rmSync(folder, { recursive: true })
      for (const { name, bytes } of left) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        // The index of a log is memory that processes share.
        if (!name.endsWith('-shm')) writeFileSync(join(folder, name), bytes)
      }
      settle()
      return lost
    },
    settle,
    remove() {
      for (const path of [folder, images]) rmSync(path, { recursive: true, force: true })
    },
  }
}

/** The length is one of the two as well: what is longer and was not synced is zeros. */
function surviving(synced: Buffer, written: Buffer, keeps: () => boolean): { bytes: Buffer; lost: number } {
  if (synced.equals(written)) return { bytes: synced, lost: 0 }
  const length = keeps() ? written.length : synced.length
  const bytes = Buffer.alloc(length)
  synced.copy(bytes)
  let lost = 0
  const most = Math.max(synced.length, written.length)
  for (let at = 0; at < most; at += sectorBytes) {
    const sector = written.subarray(at, at + sectorBytes)
    if (sector.equals(synced.subarray(at, at + sectorBytes))) continue
    if (at < length && keeps()) sector.copy(bytes, at, 0, Math.min(sector.length, length - at))
    else lost++
  }
  return { bytes, lost }
}
