// Copies a database that others are writing to, as of one commit, byte by byte: while that lasts its log cannot start over, so it is to be
// short, and copying bytes takes a fifth of what SQLite takes to write the same rows anew.

import { Database as SQLite } from 'bun:sqlite'
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { logHeaderBytes } from './log-keeper.ts'
import { privateFile } from './private-file.ts'

/** How long another process may hold the file before this is given up. */
const lockWaitMs = 30_000
const pieceBytes = 1_048_576

/**
 * Makes `copy`, and its log beside it; SQLite makes one of both when it opens them. Not to be called in a process that has the database
 * open: to close its file drops SQLite's locks in the whole process.
 */
export function copyDatabase(database: string, copy: string): void {
  const file = openSync(database, 'r')
  try {
    // Closes before the file is closed: until then its locks hold.
    using reading = new SQLite(database, { readwrite: true, create: false })
    reading.run(`PRAGMA busy_timeout = ${lockWaitMs}`)
    reading.run('BEGIN')
    // What is read from now on is of this commit: nothing after it gets into the file.
    reading.run('SELECT count(*) FROM sqlite_schema')
    copyFile(file, copy)
    copyLog(database, copy)
    reading.run('ROLLBACK')
  } finally {
    closeSync(file)
  }
}

/**
 * A log that started over meanwhile was wholly in the file before, and what is in it since is not in the file: then the file is all that is
 * wanted. Any other has what was still missing in the file, and perhaps more commits.
 */
function copyLog(database: string, copy: string): void {
  const log = openLog(database)
  if (log === null) return
  try {
    const before = headerOf(log)
    copyFile(log, `${copy}-wal`)
    if (!headerOf(log).equals(before)) closeSync(openSync(`${copy}-wal`, 'w', privateFile))
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

function headerOf(log: number): Buffer {
  const header = Buffer.alloc(logHeaderBytes)
  return header.subarray(0, readSync(log, header, 0, logHeaderBytes, 0))
}

/** As long as it is now. */
function copyFile(from: number, path: string): void {
  const to = openSync(path, 'w', privateFile)
  try {
    const { size } = fstatSync(from)
    const piece = Buffer.allocUnsafe(pieceBytes)
    for (let at = 0; at < size; ) {
      const read = readSync(from, piece, 0, Math.min(pieceBytes, size - at), at)
      if (read === 0) return
      for (let written = 0; written < read; ) written += writeSync(to, piece, written, read - written)
      at += read
    }
  } finally {
    closeSync(to)
  }
}
