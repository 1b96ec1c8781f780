// paquebot copy FROM TO --live: while servers use FROM, which go on with TO by themselves (src/operator/live-move/turn-over.ts).

import { existsSync } from 'node:fs'
import { isEmpty } from '../../../db/copy.ts'
import { type End, openEnd } from '../../../db/copy-ends.ts'
import { type CopyMark, readMark, writeMark } from '../../../db/copy-mark.ts'
import { findMark, liveServers } from '../../../db/copy-turn.ts'
import { lockProcess } from '../../../db/lock.ts'
import { migrations } from '../../../db/migrations/list.ts'
import { type Database, openDatabase } from '../../../db/open.ts'
import type { Config } from '../../core/config.ts'
import { systemClock } from '../../kit/clock.ts'
import { AppError } from '../../kit/error.ts'
import { systemRandom } from '../../kit/random.ts'
import { configAt, enterTarget } from '../../operator/live-move/follow.ts'
import { type Moved, turnOver } from '../../operator/live-move/turn-over.ts'
import { expectMove } from '../../operator/quarantine/quarantine.ts'

/** Throws AppError where it cannot be done; FROM is then served as before. */
export async function copyLive(config: Config, from: string, to: string, say: (line: string) => void): Promise<Moved> {
  for (const url of [from, to])
    if (/\/\/[^/]*@|\?/.test(url))
      throw new AppError(
        'conflict',
        'a URL with credentials is told to no server: set DATABASE_AUTH_TOKEN here and there',
      )
  const isFile = { from: from.startsWith('file:'), to: to.startsWith('file:') }
  const path = from.slice('file:'.length)
  if (isFile.from && !existsSync(path)) throw new AppError('not_found', `there is no database at ${path}`)
  const ending: { close(): unknown }[] = []
  const open = async (url: string) => {
    const end = await openEnd(url, { authToken: config.databaseAuthToken })
    ending.push(end)
    return end
  }
  try {
    // Who has the lock of a file serves it.
    const lock = isFile.from ? lockProcess(path) : null
    if (lock) ending.push({ close: () => lock.release() })
    const source = await open(from)
    await refuseOtherVersion(source)
    const target = holdTarget(to, isFile.to)
    ending.push({ close: target.release })
    const database = await openDatabase({ url: to, authToken: config.databaseAuthToken, clock: systemClock })
    ending.push(database)
    const end = await open(to)
    const found = await findMark(source)
    if (found?.role === 'source' && found.phase === 'moved' && found.other === to)
      return { servers: await finish(config, { end, to, id: found.id, isFile: isFile.to }), late: [], pauseMs: 0 }
    const mark = await enter(found, { database, end, from, to })
    const isServed = isFile.from ? lock === null : (await liveServers(source, false)).length > 0
    return await turnOver({
      from: source,
      to: end,
      pulse: await open(from),
      mark,
      isFile,
      isServed,
      say,
      async complete() {
        await database.writer.write((db, now) => expectMove({ db, now }), 'durable')
        target.release()
      },
    })
  } finally {
    for (const one of ending.toReversed()) await one.close()
  }
}

/** The command was cut off after its servers had gone on with the target, or were about to. */
async function finish(config: Config, { end, to, id, isFile }: { end: End; to: string; id: string; isFile: boolean }) {
  await enterTarget(configAt(config, to), id)
  return (await liveServers(end, isFile)).length
}

/** The servers must know of moves, and the target has the tables of this version. */
async function refuseOtherVersion(source: End): Promise<void> {
  const [table] = await source.rows("SELECT 1 FROM sqlite_master WHERE name = 'migrations'")
  if (!table) throw new AppError('not_found', 'FROM is empty')
  const present = (await source.rows('SELECT name FROM migrations ORDER BY name')).map(([name]) => name)
  const ours = migrations.map(({ name }) => name).toSorted()
  if (present.length !== ours.length || present.some((name, index) => name !== ours[index]))
    throw new AppError('conflict', 'FROM is of another version: use the paquebot that serves it')
}

/** Nobody serves a file that is being made. */
function holdTarget(to: string, isFile: boolean): { release(): void } {
  if (!isFile) return { release: () => {} }
  const lock = lockProcess(to.slice('file:'.length))
  if (!lock) throw new AppError('conflict', `another paquebot uses ${to}`)
  let isHeld = true
  return {
    release() {
      if (isHeld) lock.release()
      isHeld = false
    },
  }
}

interface Ends {
  database: Database
  end: End
  from: string
  to: string
}

/** The mark of a move that begins, or is gone on with. The target has it, too, so that nobody opens it. */
async function enter(found: CopyMark | null, { database, end, from, to }: Ends): Promise<CopyMark> {
  if (found?.role === 'target') throw new AppError('conflict', `FROM is an unfinished copy of ${found.other}`)
  if (found && found.phase === undefined)
    throw new AppError('conflict', `FROM was copied to ${found.other}: finish that, or paquebot serve --go-on`)
  if (found?.phase === 'moved') throw new AppError('conflict', `FROM has moved to ${found.other}`)
  if (found && found.other !== to)
    throw new AppError(
      'conflict',
      `FROM is being moved to ${found.other}: repeat that, or wait ten minutes after its end`,
    )
  const theirs = await readMark(database.reader)
  if (found && theirs?.role === 'target' && theirs.id === found.id) return found
  if (theirs?.role === 'source' || !(await isEmpty(end)))
    throw new AppError('conflict', `${to} holds data of its own, or of another copy; TO must be empty`)
  const id = found?.id ?? systemRandom.uuidv7(systemClock.now())
  await writeMark(database, { id, role: 'target', other: from })
  return found ?? { id, role: 'source', other: to }
}
