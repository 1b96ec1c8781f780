// Copies a database that others are writing to, as of one commit, byte by byte: first while they write, then again what has changed, and at
// last under a read transaction. As long as that lasts their log cannot start over, so it only reads, and writes next to nothing.

import { Database as SQLite } from 'bun:sqlite'
import { closeSync, constants, copyFileSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { privateFile } from '../src/kit/private-file.ts'
import { steadily } from '../src/kit/steady-file.ts'
import type { End } from './copy-ends.ts'
import { logHeaderBytes } from './log-keeper.ts'

/** How long another process may hold the file before this is given up. */
const lockWaitMs = 30_000
/** While others write. After the second one little has changed. */
const passes = 2
const pieceBytes = 1_048_576
/** What is written again if anything in it has changed. */
const blockBytes = 16_384

/**
 * Makes `copy`, and its log beside it; SQLite makes one of both when it opens them. Not to be called in a process that has the database
 * open: to close its file drops SQLite's locks in the whole process.
 */
export function copyDatabase(database: string, copy: string): void {
  const from = openSync(database, 'r')
  const to = openSync(copy, 'w', privateFile)
  try {
    const blocks: bigint[] = []
    const wrote = steadily(to)
    for (let pass = 0; pass < passes; pass++) copyChanged(from, to, blocks, wrote)
    // Closes before the file is closed: until then its locks hold.
    using reading = new SQLite(database, { readwrite: true, create: false })
    reading.run(`PRAGMA busy_timeout = ${lockWaitMs}`)
    reading.run('BEGIN')
    // What is read from now on is of this commit: nothing after it gets into the file.
    reading.run('SELECT count(*) FROM sqlite_schema')
    copyChanged(from, to, blocks, wrote)
    copyLog(database, copy)
    reading.run('ROLLBACK')
  } finally {
    closeSync(to)
    closeSync(from)
  }
}

/** While others write, so not of one commit. The file system shares the bytes where it can. Where not to call it: as above. */
export function copyBytes(database: string, copy: string): void {
  try {
    copyFileSync(database, copy, constants.COPYFILE_FICLONE_FORCE)
  } catch {
    const from = openSync(database, 'r')
    try {
      copyFile(from, copy)
    } finally {
      closeSync(from)
    }
  }
}

/** Reads a database that others write to as of one commit, until it is closed. As long as that lasts their log cannot start over. */
export function openMoment(database: string): Pick<End, 'rows' | 'close'> {
  const reading = new SQLite(database, { readwrite: true, create: false })
  reading.run(`PRAGMA busy_timeout = ${lockWaitMs}`)
  reading.run('BEGIN')
  reading.run('SELECT count(*) FROM sqlite_schema')
  return {
    rows: async (text, args = []) => reading.query<unknown, typeof args>(text).values(...args) as (typeof args)[],
    close: () => reading.close(),
  }
}

/** `blocks`: hashes of what was copied before. */
function copyChanged(from: number, to: number, blocks: bigint[], wrote: (bytes: number) => void): void {
  const { size } = fstatSync(from)
  for (const { piece, at } of piecesOf(from, size))
    for (let start = 0; start < piece.length; start += blockBytes) {
      const block = piece.subarray(start, start + blockBytes)
      const index = (at + start) / blockBytes
      const hash = Bun.hash.wyhash(block)
      if (hash === blocks[index]) continue
      writeAll(to, block, at + start)
      wrote(block.length)
      blocks[index] = hash
    }
  ftruncateSync(to, size)
}

/**
 * A log that started over meanwhile was wholly in the file before, and what is in it since is not in the file: then the file is all that is
 * wanted. Any other has what was still missing in the file, and perhaps more commits.
 */
function copyLog(database: string, copy: string): void {
  const log = openLog(database)
  if (log === null) return
  try {
    const before = readHeader(log)
    copyFile(log, `${copy}-wal`)
    if (!readHeader(log).equals(before)) closeSync(openSync(`${copy}-wal`, 'w', privateFile))
  } finally {
    closeSync(log)
  }
}

function openLog(database: string): number | null {
  try {
    return openSync(`${database}-wal`, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function readHeader(log: number): Buffer {
  const header = Buffer.alloc(logHeaderBytes)
  return header.subarray(0, readSync(log, header, 0, logHeaderBytes, 0))
}

/** As long as it is now. */
function copyFile(from: number, path: string): void {
  const to = openSync(path, 'w', privateFile)
  const wrote = steadily(to)
  try {
    for (const { piece, at } of piecesOf(from, fstatSync(from).size)) {
      writeAll(to, piece, at)
      wrote(piece.length)
    }
  } finally {
    closeSync(to)
  }
}

/** Each is good until the next one is read. */
function* piecesOf(file: number, size: number): Generator<{ piece: Buffer; at: number }> {
  const buffer = Buffer.allocUnsafe(pieceBytes)
  for (let at = 0; at < size; at += pieceBytes) {
    const read = readSync(file, buffer, 0, Math.min(pieceBytes, size - at), at)
    yield { piece: buffer.subarray(0, read), at }
  }
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(file, bytes, written, bytes.length - written, at + written)
}
