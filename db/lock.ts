// One server process per database file: an exclusive lock that the operating system releases when the process ends, however it ends.
// Because of it, every `running` job found at the start can be rescued at once.

import { Database as SQLite } from 'bun:sqlite'
import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { makePrivateFile, makePrivateFolder } from '../src/kit/private-file.ts'
import { sqliteCode } from './faults.ts'

export interface ProcessLock {
  release(): void
}

/** Locks `PATH.lock` beside the database file; null when another process holds it. */
export function lockProcess(databasePath: string): ProcessLock | null {
  // Two links to one file count as the same database.
  const path = `${existsSync(databasePath) ? realpathSync(databasePath) : databasePath}.lock`
  makePrivateFolder(dirname(path))
  makePrivateFile(path)
  const lock = new SQLite(path)
  try {
    lock.run('PRAGMA locking_mode = EXCLUSIVE')
    lock.run('PRAGMA journal_mode = DELETE')
    lock.run('BEGIN EXCLUSIVE')
    return { release: () => lock.close() }
  } catch (error) {
    lock.close()
    if (sqliteCode(error)?.startsWith('SQLITE_BUSY')) return null
    throw error
  }
}
