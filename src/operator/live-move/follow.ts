// Where the database of an installation has moved to (paquebot copy --live): a server that starts with the old DATABASE_URL goes on with the
// new one, and one that starts in the middle of a move waits for its end, or for the end of the command, and then goes on with the source.

import { existsSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type End, openEnd } from '../../../db/copy-ends.ts'
import { unfencing } from '../../../db/copy-fence.ts'
import { type CopyMark, markName } from '../../../db/copy-mark.ts'
import { findMark, isLate, silentMs, step } from '../../../db/copy-turn.ts'
import type { Config } from '../../core/config.ts'
import { AppError, failureText } from '../../kit/error.ts'

const lookEveryMs = 200
/** Moves of one installation that are followed one after the other. */
const movesMost = 16

/** The settings of the server once it goes on with that database. An archive is of a file only. */
export function configAt(config: Config, url: string): Config {
  if (url === config.databaseUrl) return config
  const archive = url.startsWith('file:') ? config.archive : { ...config.archive, to: undefined }
  return { ...config, databaseUrl: url, archive }
}

/** Why this server could not go on with the target of a move; null when it could. */
export async function cannotFollow(config: Config, mark: CopyMark): Promise<string | null> {
  if (config.archive.leaseMs !== undefined) return 'it has a standby: end that first, and unset STANDBY_LEASE_S'
  try {
    const found = await withEnd(configAt(config, mark.other), findMark)
    return found?.id === mark.id ? null : `${mark.other} is another database from where it runs`
  } catch (error) {
    return `${mark.other}: ${failureText(error)}`
  }
}

/** Completes a move that was decided: from now on its target may be opened. False where it is a file that is not on this machine. */
export async function enterTarget(config: Config, id: string): Promise<boolean> {
  if (!isThere(config)) return false
  const ours = `name = '${markName}' AND value ->> 'id' = ? AND value ->> 'role' = 'target'`
  const sql = `DELETE FROM installation WHERE ${ours}`
  await withEnd(config, (end) => end.write([{ sql, args: [id] }]))
  return true
}

/** The settings with the database that is to be served. `goOn`: with this one, wherever it moved. `say`: what an operator should know. */
export async function followMoves(
  config: Config,
  { goOn, say }: { goOn: boolean; say: (line: string) => void },
): Promise<Config> {
  if (goOn) return config
  let followed = config
  for (let moves = 0; moves < movesMost; moves++) {
    const mark = await settle(followed, say)
    if (mark === null) return followed
    followed = configAt(followed, mark.other)
    if (!(await enterTarget(followed, mark.id)))
      throw new AppError('not_found', `the database has moved to ${mark.other}, which is not there; set DATABASE_URL`)
    say(`the database has moved to ${mark.other}, which is served: set DATABASE_URL`)
  }
  throw new AppError(
    'conflict',
    `the database has moved more than ${movesMost} times: set DATABASE_URL to the last one`,
  )
}

/** The mark of a database that has moved; null for one that may be opened, or is not there. */
async function settle(config: Config, say: (line: string) => void): Promise<CopyMark | null> {
  if (!isThere(config)) return null
  return await withEnd(config, async (end) => {
    let heard = { beat: -1, at: performance.now() }
    for (let waits = false; ; waits = true) {
      const mark = await findMark(end)
      if (mark?.role !== 'source' || mark.phase === undefined || mark.phase === 'copying') return null
      if (mark.phase === 'moved') return mark
      const { beat = 0 } = mark
      if (beat !== heard.beat) heard = { beat, at: performance.now() }
      if (!waits) say(`the database is being moved to ${mark.other}: waiting for the end of that`)
      if (performance.now() - heard.at > silentMs) await takeBack(end, mark.id)
      await pause(lookEveryMs)
    }
  })
}

/** The command is gone: the source is served. */
async function takeBack(end: End, id: string): Promise<void> {
  try {
    await end.write([step(id, ['draining', 'fenced'], 'copying'), ...unfencing()])
  } catch (error) {
    if (!isLate(error)) throw error
  }
}

function isThere({ databaseUrl }: Config): boolean {
  const path = databaseUrl.slice('file:'.length)
  return !databaseUrl.startsWith('file:') || (existsSync(path) && statSync(path).size > 0)
}

async function withEnd<T>({ databaseUrl, databaseAuthToken }: Config, work: (end: End) => Promise<T>): Promise<T> {
  const end = await openEnd(databaseUrl, { authToken: databaseAuthToken })
  try {
    return await work(end)
  } finally {
    end.close()
  }
}
