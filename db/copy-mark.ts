// The mark of a database that is being copied (db/copy.ts): its source and its target carry the same one. A target is only half there
// until the mark is gone; a source keeps it, for what waits in both would be sent from both.

import { eq } from 'drizzle-orm'
import { AppError } from '../src/lib/error.ts'
import type { Db, ReadDb } from './handle.ts'
import type { Database } from './open.ts'
import { installation } from './tables/workspaces.ts'

export const markName = 'copy'

export interface CopyMark {
  /** Of this copy: a target is gone on with by the source that began it. */
  id: string
  role: 'source' | 'target'
  /** The database at the other end. */
  other: string
}

export async function readMark(db: ReadDb | Db): Promise<CopyMark | null> {
  const [row] = await db.select().from(installation).where(eq(installation.name, markName))
  return row ? (JSON.parse(row.value) as CopyMark) : null
}

export async function writeMark({ writer }: Database, mark: CopyMark): Promise<void> {
  const value = JSON.stringify(mark)
  await writer.write(async (db, now) => {
    const row = { name: markName, value, updatedAt: now }
    await db.insert(installation).values(row).onConflictDoUpdate({ target: installation.name, set: { value } })
  }, 'durable')
}

export async function removeMark({ writer }: Database): Promise<void> {
  await writer.write(
    async (db) => void (await db.delete(installation).where(eq(installation.name, markName))),
    'durable',
  )
}

/** Throws unless the database may be worked on; `goOn` gives up a copy of it. */
export async function refuseCopied(database: Database, goOn: boolean): Promise<void> {
  const mark = await readMark(database.reader)
  if (mark === null) return
  if (mark.role === 'target') {
    const message = `this database is a copy of ${mark.other} that is not whole; finish it: paquebot copy ${mark.other} TO`
    throw new AppError('conflict', message)
  }
  if (goOn) return await removeMark(database)
  const way = 'use the copy; or, if it is never to be served, go on here: paquebot serve --go-on'
  throw new AppError(
    'conflict',
    `this database was copied to ${mark.other}, and mail that waits would leave both; ${way}`,
  )
}
