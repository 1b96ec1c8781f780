// Marks a database that takes part in a copy (db/copy.ts). Source and target carry the same mark. A target is incomplete until its mark is
// removed; a source keeps its mark, because mail that waits in both would be sent twice.

import { eq, sql } from 'drizzle-orm'
import { AppError } from '../src/kit/error.ts'
import type { Db, ReadDb } from './handle.ts'
import type { Database } from './open.ts'
import { installation } from './tables/workspaces.ts'

export const markName = 'copy'
/** Says that changes are noted for a copy (copy-live.ts). */
export const trackName = 'tracking'
/** What each database has for itself. */
export const keptNames = [markName, trackName]

export const fencePrefix = 'copy_fence_'
/** The triggers that refuse every write to a database that was moved. */
export const findFence = `SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, ${fencePrefix.length}) = '${fencePrefix}' ORDER BY name`

export interface CopyMark {
  /** Identifies the copy: a target can only be continued from the source that started it. */
  id: string
  role: 'source' | 'target'
  /** The database at the other end. */
  other: string
  /** Of a source that is served meanwhile (copy-turn.ts): how far the move is, */
  phase?: Phase
  /** the sign of life of the command that moves it, which grows, */
  beat?: number
  /** and what its servers say, by their boot ids. */
  servers?: Record<string, string>
}

/**
 * `copying`: served as ever, and what changes is noted. `draining`: served, but no mail leaves any more. `fenced`: nobody can write.
 * `moved`: the target is served, and the source never again.
 */
export type Phase = 'copying' | 'draining' | 'fenced' | 'moved'

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

/** And the fence that a move may have put up with it (copy-fence.ts). */
export async function removeMark({ writer }: Database): Promise<void> {
  await writer.write(async (db) => {
    const fences = await db.all<{ name: string }>(sql.raw(findFence))
    for (const { name } of fences) await db.run(sql.raw(`DROP TRIGGER "${name}"`))
    await db.delete(installation).where(eq(installation.name, markName))
  }, 'durable')
}

/** Throws unless the database may be used. `goOn` abandons its copy. */
export async function refuseCopied(database: Database, goOn: boolean): Promise<void> {
  const mark = await readMark(database.reader)
  if (mark === null) return
  if (mark.role === 'target') {
    const message = `this database is an unfinished copy of ${mark.other}; finish it with: paquebot copy ${mark.other} TO`
    throw new AppError('conflict', message)
  }
  if (goOn) return await removeMark(database)
  if (mark.phase === 'copying' || mark.phase === 'draining') return
  if (mark.phase === 'moved')
    throw new AppError('conflict', `the database has moved to ${mark.other}: set DATABASE_URL`)
  if (mark.phase === 'fenced')
    throw new AppError('conflict', `the database is being moved to ${mark.other}; try again in a moment`)
  const way = 'use the copy; or, if the copy will never be served, continue here with: paquebot serve --go-on'
  throw new AppError(
    'conflict',
    `this database was copied to ${mark.other}, and waiting mail would be sent from both; ${way}`,
  )
}
