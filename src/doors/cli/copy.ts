// paquebot copy FROM TO: from a file to a libSQL server, or back. Neither may be in use meanwhile. Repeating the command resumes an
// interrupted copy, and the target is served only once it is complete.

import { existsSync } from 'node:fs'
import { copyRows, countTables, isEmpty, type Progress, silence, unsilence } from '../../../db/copy.ts'
import { type End, openEnd } from '../../../db/copy-ends.ts'
import { readMark, removeMark, writeMark } from '../../../db/copy-mark.ts'
import { lockProcess } from '../../../db/lock.ts'
import { type Database, openDatabase } from '../../../db/open.ts'
import { type Config, readDatabaseUrl } from '../../core/config.ts'
import { checkInvariants } from '../../core/outbox/invariants.ts'
import { listRunning } from '../../core/processes.ts'
import { systemClock } from '../../kit/clock.ts'
import { second } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { systemRandom } from '../../kit/random.ts'
import type { Moved } from '../../operator/live-move/turn-over.ts'
import { expectMove } from '../../operator/quarantine/quarantine.ts'
import { defineCommand, type Output } from './command.ts'
import { copyLive } from './copy-live.ts'

/** A server process that was not seen for this long is gone. */
const heardOfWithinMs = 40 * second
const tellEveryMs = second

export const copy = defineCommand({
  name: 'copy',
  says: 'Copies everything to another database, which must be empty: a file to a libSQL server, or back. Resumes an interrupted copy.',
  flags: {
    from: { type: 'string', value: 'FROM', required: true, operand: true, says: 'the database, as in DATABASE_URL' },
    to: {
      type: 'string',
      value: 'TO',
      required: true,
      operand: true,
      says: 'an empty database, or the target of this unfinished copy',
    },
    live: {
      type: 'boolean',
      says: 'while servers use FROM: they send and answer meanwhile, and go on with TO by themselves',
    },
  },
  run: async (flags, config) => {
    const [from, to] = [readDatabaseUrl('FROM', flags.from), readDatabaseUrl('TO', flags.to)]
    if (from === to) throw new AppError('conflict', 'FROM and TO are the same database')
    if (flags.live) return describeMove(await copyLive(config(), from, to, tell), { from, to })
    const free = [from, to].map(hold)
    try {
      const counts = await copyHeld(config(), from, to)
      const rows = counts.reduce((sum, table) => sum + table.to, 0)
      const lines = [
        `${rows} rows in ${counts.length} tables are in ${displayUrl(to)}; the counts agree and all invariants hold.`,
        `Serve it with the same SECRET_KEY. ${displayUrl(from)} can no longer be served.`,
      ]
      return { json: { ok: true, from: displayUrl(from), to: displayUrl(to), tables: counts }, lines }
    } finally {
      for (const release of free) release()
    }
  },
})

function describeMove({ servers, late, pauseMs }: Moved, { from, to }: { from: string; to: string }): Output {
  const uncertain = late.map(({ pid, host }) => `${pid} on ${host}`)
  const lines = [
    servers > 0
      ? `${servers === 1 ? 'One server goes' : `${servers} servers go`} on with ${displayUrl(to)}; nobody could write for ${(pauseMs / second).toFixed(1)} s.`
      : `Everything is in ${displayUrl(to)}. Serve it with the same SECRET_KEY.`,
    `Set DATABASE_URL to it. ${displayUrl(from)} can no longer be served, and may be kept as it was at that moment.`,
    ...(late.length === 0
      ? []
      : [`Not ended in time: process ${uncertain.join(', ')}. A mail that it was just handing over may go twice.`]),
  ]
  return { json: { ok: true, from: displayUrl(from), to: displayUrl(to), servers, pauseMs, late }, lines }
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Makes sure that no server uses the database: by its lock for a file, by recent heartbeats for a libSQL server. */
function hold(url: string): () => void {
  if (!url.startsWith('file:')) return () => {}
  const lock = lockProcess(url.slice('file:'.length))
  if (!lock) throw new AppError('conflict', `another paquebot serves ${displayUrl(url)}; stop it first`)
  return () => lock.release()
}

async function copyHeld(config: Config, from: string, to: string) {
  const path = from.slice('file:'.length)
  if (from.startsWith('file:') && !existsSync(path)) throw new AppError('not_found', `there is no database at ${path}`)
  const opened: { close(): unknown }[] = []
  const { databaseAuthToken: authToken } = config
  const open = async (url: string, whenEmpty = () => {}) => {
    const database = await openDatabase({ url, authToken, clock: systemClock, whenEmpty })
    const end = await openEnd(url, { authToken })
    opened.push(end, database)
    return { database, end }
  }
  try {
    const source = await open(from, () => {
      throw new AppError('not_found', `${displayUrl(from)} is empty`)
    })
    await refuseServed(source.database, from)
    const target = await open(to)
    const id = await mayBegin(source.database, target, to)
    // From now on nobody else opens either of them.
    await writeMark(source.database, { id, role: 'source', other: displayUrl(to) })
    await writeMark(target.database, { id, role: 'target', other: displayUrl(from) })
    await silence(target.end)
    await copyRows(source.end, target.end, teller())
    await unsilence(target.end)
    const counts = await countTables(source.end, target.end)
    await verify(target.database, counts)
    await target.database.writer.write((db, now) => expectMove({ db, now }), 'durable')
    await removeMark(target.database)
    return counts
  } finally {
    for (const one of opened) await one.close()
  }
}

async function refuseServed({ reader, clock }: Database, url: string): Promise<void> {
  if (url.startsWith('file:')) return
  const since = new Date(clock.now().getTime() - heardOfWithinMs)
  const [one] = await listRunning(reader, since)
  if (one)
    throw new AppError(
      'conflict',
      `process ${one.pid} on ${one.host} serves ${displayUrl(url)}; stop it first, and wait 40 s if it was killed`,
    )
}

/** The id of the copy, new or resumed. Throws unless the target is empty or belongs to this copy. */
async function mayBegin(source: Database, target: { database: Database; end: End }, to: string): Promise<string> {
  const mark = await readMark(source.reader)
  if (mark?.role === 'target') throw new AppError('conflict', `FROM is an unfinished copy of ${mark.other}`)
  const found = await readMark(target.database.reader)
  if (mark && found?.role === 'target' && found.id === mark.id) return mark.id
  const what = found?.role === 'target' ? `an unfinished copy of ${found.other}` : 'data of its own'
  if (found || !(await isEmpty(target.end)))
    throw new AppError('conflict', `${displayUrl(to)} holds ${what}; TO must be empty`)
  return systemRandom.uuidv7(source.clock.now())
}

async function verify(target: Database, counts: { table: string; from: number; to: number }[]): Promise<void> {
  const wrong = counts.find((table) => table.from !== table.to)
  if (wrong)
    throw new AppError(
      'conflict',
      `${wrong.table} has ${wrong.from} rows, and ${wrong.to} in the copy; empty TO and copy again`,
    )
  const [violation, ...others] = await checkInvariants({ db: target.reader })
  if (violation !== undefined)
    throw new AppError('conflict', `the copy breaks ${others.length + 1} invariants: ${violation}`)
}

/** Prints a line for each table, and progress for a large one. */
function teller(): (progress: Progress) => void {
  let toldAt = 0
  return ({ table, copied, of }) => {
    if (copied < of && performance.now() - toldAt < tellEveryMs) return
    toldAt = performance.now()
    process.stderr.write(`${table}: ${copied} of ${of}\n`)
  }
}

/** The URL without its credentials. */
function displayUrl(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//').replace(/\?.*/s, '')
}
