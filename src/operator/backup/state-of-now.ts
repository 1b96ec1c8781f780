// The database as of one commit, in a file of its own, while others write to it; and without what was deleted.

import { Database as SQLite } from 'bun:sqlite'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyRows, silence, unsilence } from '../../../db/copy.ts'
import { openEnd } from '../../../db/copy-ends.ts'
import { copyDatabase } from '../../../db/copy-file.ts'
import { beating, type Counts, close, track, untrack } from '../../../db/copy-live.ts'
import { findSchemaGaps, openDatabase } from '../../../db/open.ts'
import type { Config } from '../../core/config.ts'
import { databasePath } from '../../core/installation.ts'
import { systemClock } from '../../kit/clock.ts'
import { AppError } from '../../kit/error.ts'
import { makePrivateFile } from '../../kit/private-file.ts'
import { systemRandom } from '../../kit/random.ts'
import { syncedBeside } from '../../kit/steady-file.ts'
import { countRows, type Rows } from './check.ts'

/** Makes the file `copy`. `work`: a folder for what is needed meanwhile. Returns how many rows are in it. */
export async function copyAsOfNow(config: Config, copy: string, work: string): Promise<Rows> {
  const copied = join(work, 'copied.db')
  const path = databasePath(config)
  const expected = path === null ? await copyServer(config, copied) : copyDatabase(path, copied)
  {
    // When it closes, SQLite removes the log of the copy.
    using source = new SQLite(copied, { readwrite: true, create: false })
    // What has to be on the disk is what it is packed into.
    source.run('PRAGMA synchronous = OFF')
    makePrivateFile(copy)
    await syncedBeside(copy, () => source.run('VACUUM INTO ?', [copy]))
  }
  rmSync(copied)
  using file = new SQLite(copy, { readonly: true })
  const rows = countRows(file)
  if (expected) mustBe(rows, expected)
  return rows
}

/** Of a libSQL server, whose bytes nobody may read: row by row. Returns what it had as of the commit that the copy is of. */
async function copyServer({ databaseUrl, databaseAuthToken: authToken }: Config, path: string): Promise<Counts> {
  const schema = await findSchemaGaps({ url: databaseUrl, authToken, clock: systemClock })
  if (schema.unknown !== null || schema.missing.length > 0)
    throw new AppError('conflict', 'the database is of another version of paquebot: take the backup with that version')
  await makeDatabase(path)
  const from = await openEnd(databaseUrl, { authToken })
  const to = await openEnd(`file:${path}`, { syncs: false })
  const copy = { from, to, id: systemRandom.uuidv7(systemClock.now()) }
  try {
    await silence(to)
    await track(copy)
    await copyRows(from, to, beating(copy))
    const counts = await close(copy)
    await unsilence(to)
    return counts
  } finally {
    await untrack(copy).finally(() => {
      from.close()
      to.close()
    })
  }
}

async function makeDatabase(path: string): Promise<void> {
  const made = await openDatabase({ url: `file:${path}`, clock: systemClock })
  await made.close()
}

function mustBe(rows: Rows, expected: Counts): void {
  const wrong = Object.entries(expected).find(([name, count]) => rows[name] !== count)
  if (wrong === undefined) return
  const [name, count] = wrong
  throw new AppError('conflict', `the copy of ${name} has ${rows[name] ?? 'no'} rows, and the database had ${count}`)
}
