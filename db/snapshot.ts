// A copy of the database as an earlier version left it, beside it until the next upgrade: the way back, because an older binary refuses a
// database that a newer one has migrated.

import { Database as SQLite } from 'bun:sqlite'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { makePrivateFile } from '../src/kit/private-file.ts'

/** How long another process may hold the file. */
const lockWaitMs = 30_000

class SnapshotError extends Error {}

export function snapshotPath(database: string): string {
  return `${database}.before-upgrade`
}

/** Says that an upgrade has begun, until it is complete. */
const markPath = (database: string) => `${database}.upgrading`

/** Once for each upgrade: what an interrupted one has left half done is no way back. */
export function beginUpgrade(database: string): void {
  if (existsSync(markPath(database)) && existsSync(snapshotPath(database))) return
  takeSnapshot(database)
  makePrivateFile(markPath(database))
}

export function endUpgrade(database: string): void {
  rmSync(markPath(database), { force: true })
}

/** Takes the place of the one before. Throws, and leaves that one, when it cannot be written. */
function takeSnapshot(database: string): void {
  const path = snapshotPath(database)
  const unfinished = `${path}.unfinished`
  try {
    rmSync(unfinished, { force: true })
    makePrivateFile(unfinished)
    using source = new SQLite(database, { readwrite: true, create: false })
    source.run(`PRAGMA busy_timeout = ${lockWaitMs}`)
    source.run('VACUUM INTO ?', [unfinished])
    const file = openSync(unfinished, 'r+')
    fsyncSync(file)
    closeSync(file)
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    const why = error instanceof Error ? error.message : String(error)
    throw new SnapshotError(
      `the database is as it was: no copy could be made of it before the upgrade (${why}). Make room, or back it up with the earlier version and run: paquebot upgrade --no-snapshot`,
    )
  }
}
