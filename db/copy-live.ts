// Copies a database while others write to it. Triggers note the key of each row that changes; what was noted is copied again, until little
// is left: that is read as of one commit. So no read is long (a server cannot checkpoint meanwhile, and then lets nobody write), and
// writers wait for nothing.

import { hostname } from 'node:os'
import { AppError } from '../src/kit/error.ts'
import {
  copiedTables,
  copiedWhere,
  inPortions,
  insert,
  list,
  putCounters,
  readCounters,
  remove,
  withKeys,
} from './copy.ts'
import { type End, type EndQuery, patiently, type Read, type RowValues } from './copy-ends.ts'
import { keptNames, trackName } from './copy-mark.ts'
import { isAnswerTooLarge, sqliteCode } from './faults.ts'
import type { Table } from './model.ts'

/** A copy between two databases. `id`: of this copy, and of no other. */
export interface LiveCopy {
  from: End
  to: End
  id: string
}

/** Who notes changes at a source. */
interface Tracking {
  id: string
  host: string
  pid: number
}

const notesName = 'copied_changes'
const trackPrefix = 'copy_track_'
/** A copy that was not heard of for so long has ended. */
const abandonedMs = 60_000
const beatMs = 5_000
/** Notes that are read at once. */
const notesAtOnce = 2_000
const fewestNotes = 16
/** Rows that are read in one statement; fewer of those that are large. */
const keysAtOnce = 250
const largeAtOnce = 4
/** Few enough to be read as of one commit, and the most if they do not become fewer. */
const fewNotes = 300
const mostNotes = 5_000
const closings = 20

/** The time of the database, which is the only one that all see. */
const nowMs = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/**
 * Notes what changes from now on. 'resumed' if this copy does so already: what is at the target then counts. Throws AppError `conflict`
 * while another copy notes changes there; one that was given up is cleared away.
 */
export async function track({ from, id }: Pick<LiveCopy, 'from' | 'id'>): Promise<'begun' | 'resumed'> {
  const found = await patiently(() => findTracking(from))
  const value = JSON.stringify({ id, host: hostname(), pid: process.pid } satisfies Tracking)
  if (found?.id === id) {
    // Another process may have begun it.
    const sql = `UPDATE installation SET value = ?, updated_at = ${nowMs} WHERE name = ?`
    await patiently(() => from.write([mine(id), { sql, args: [value, trackName] }]))
    return 'resumed'
  }
  if (found && !found.isAbandoned)
    throw new AppError(
      'conflict',
      `process ${found.pid} on ${found.host} copies this database, or takes a backup of it; wait for its end, or ${abandonedMs / 1000} s if it was killed`,
    )
  if (found) await untrack({ from, id: found.id })
  const begin = {
    sql: `INSERT INTO installation (name, value, updated_at) VALUES (?, ?, ${nowMs})`,
    args: [trackName, value],
  }
  try {
    await from.write([begin, ...noting().map((sql) => ({ sql, args: [] }))])
  } catch (error) {
    // Another one was quicker, or the answer was lost.
    const now = await patiently(() => findTracking(from))
    if (now?.id !== id) throw error
  }
  return 'begun'
}

/** Stops noting, and leaves nothing behind of it. */
export async function untrack({ from, id }: Pick<LiveCopy, 'from' | 'id'>): Promise<void> {
  await patiently(async () => {
    if ((await findTracking(from))?.id !== id) return
    const names = await from.rows(findTracks)
    await from.write([mine(id), ...untracking(names.map(([name]) => String(name)))])
  })
}

/** The names of the triggers that note changes. */
export const findTracks = `SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, ${trackPrefix.length}) = '${trackPrefix}'`

/** Takes those triggers away, with all that they noted. */
export function untracking(triggers: string[]): EndQuery[] {
  const drop = triggers.map((name) => `DROP TRIGGER IF EXISTS "${name}"`)
  const statements = [...drop, `DROP TABLE IF EXISTS ${notesName}`].map((sql) => ({ sql, args: [] }))
  return [...statements, { sql: 'DELETE FROM installation WHERE name = ?', args: [trackName] }]
}

/** Clears away what a copy has left that ended before its end. */
export async function clearAbandoned(from: End): Promise<void> {
  const found = await findTracking(from)
  if (found?.isAbandoned) await untrack({ from, id: found.id })
}

/** Says that this copy goes on, at most every five seconds; for `tell` of copyRows. */
export function beating({ from, id }: LiveCopy): () => Promise<void> {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < beatMs) return
    last = performance.now()
    await own(() => patiently(() => from.write([mine(id), beat])))
  }
}

/** Copies what was noted until at most `few` notes are left, and no fewer with another pass. Returns how many are left. */
export async function catchUp(copy: LiveCopy, few = fewNotes): Promise<number> {
  return await own(() => takeAll(copy, few))
}

async function takeAll(copy: LiveCopy, few: number): Promise<number> {
  let atOnce = notesAtOnce
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const left = await countNotes(copy)
    if (left <= few || (left >= before && left <= mostNotes)) return left
    before = left
    for (let done = 0; done < left; ) {
      try {
        done += await takeNotes(copy, atOnce)
        atOnce = notesAtOnce
      } catch (error) {
        if (!isAnswerTooLarge(error) || atOnce === 1) throw error
        atOnce = Math.max(1, Math.floor(atOnce / fewestNotes))
      }
    }
  }
}

/** The rows of each table in the source, as of the commit of the copy. */
export type Counts = Record<string, number>

/**
 * Ends a copy of a database that is written to all the time: what is left of the notes, and the number of rows of each table, are read as
 * of one commit, which is what the target then is. `untrack` comes after it.
 */
export async function close(copy: LiveCopy): Promise<Counts> {
  for (let closing = 1; ; closing++) {
    await catchUp(copy)
    try {
      return await own(() => copy.from.moment((read) => closeAt(copy, read)))
    } catch (error) {
      // More was written meanwhile than one answer holds, or the server was away.
      if (closing === closings || error instanceof AppError || sqliteCode(error) === null) throw error
    }
  }
}

async function closeAt(copy: LiveCopy, read: Read): Promise<Counts> {
  const notes = await readNotes(copy.id, read, mostNotes + 1)
  if (notes.length > mostNotes) throw Object.assign(new Error('too much is written'), { code: 'RESPONSE_TOO_LARGE' })
  await apply(copy.to, read, notes)
  const tables = copiedTables()
  const count = (name: string) => ({ sql: `SELECT count(*) FROM "${name}" WHERE ${copiedWhere(name)}`, args: [] })
  const [counters = [], ...counts] = await read([
    { sql: readCounters, args: [] },
    ...tables.map(({ name }) => count(name)),
  ])
  await copy.to.write(putCounters(counters))
  return Object.fromEntries(tables.map(({ name }, index) => [name, Number(counts[index]?.[0]?.[0])]))
}

/** Copies some and removes their notes. Returns how many these were. */
async function takeNotes(copy: LiveCopy, most: number): Promise<number> {
  const { from, to, id } = copy
  const read: Read = (statements) => patiently(() => from.moment((now) => now(statements)))
  const notes = await readNotes(id, read, most)
  const last = notes.at(-1)?.[0]
  if (last === undefined) return most
  await apply(to, read, notes)
  // The last one of all stays, so that no number is given twice: else to remove them again, after an answer was lost, could remove others.
  const taken = `DELETE FROM ${notesName} WHERE seq <= ? AND seq < (SELECT max(seq) FROM ${notesName})`
  await patiently(() => from.write([mine(id), beat, { sql: taken, args: [last] }]))
  return notes.length
}

/** The keys of what has changed and was not copied again. Throws where that is more than a burst. */
export async function notedKeys({ from, id }: LiveCopy): Promise<Map<Table, RowValues[]>> {
  const notes = await from.moment((read) => readNotes(id, read, mostNotes + 1))
  if (notes.length > mostNotes) throw new Error(`more than ${mostNotes} changes were left to copy`)
  const keys = new Map<Table, RowValues[]>()
  for (const part of partsOf(notes)) keys.set(part.table, [...(keys.get(part.table) ?? []), ...part.keys])
  return keys
}

async function countNotes({ from, id }: LiveCopy): Promise<number> {
  const [, [[count = 0] = []] = []] = await patiently(() =>
    from.moment((read) => read([mine(id), { sql: `SELECT count(*) FROM ${notesName}`, args: [] }])),
  )
  return Number(count)
}

/** Their number, table and key. */
async function readNotes(id: string, read: Read, most: number): Promise<RowValues[]> {
  const keys = Array.from({ length: widest() }, (_, index) => `k${index}`).join(', ')
  const sql = `SELECT seq, of, ${keys} FROM ${notesName} ORDER BY seq LIMIT ${most}`
  const [, notes = []] = await read([mine(id), { sql, args: [] }])
  return notes
}

/** Makes the rows of these notes at the target what they are in the source, which may be nothing. */
async function apply(to: End, read: Read, notes: RowValues[]): Promise<void> {
  for (const parts of requestsOf(notes)) {
    const found = await read(parts.map(({ table, keys }) => rowsWith(table, keys)))
    const statements = parts.flatMap(({ table, keys }, index) => {
      const rows = found[index] ?? []
      return [remove(table, keys), ...(rows.length > 0 ? [...inPortions(rows)].map((some) => insert(table, some)) : [])]
    })
    await patiently(() => to.write(statements))
  }
}

/** Those of a table that have these keys. */
export function rowsWith({ name, key, columns }: Table, keys: RowValues[]): EndQuery {
  const where = `${withKeys(key, keys.length)} AND ${copiedWhere(name)}`
  return { sql: `SELECT ${list(columns)} FROM "${name}" WHERE ${where}`, args: keys.flat() }
}

interface Part {
  table: Table
  keys: RowValues[]
}

/** What is read in one request: some keys of each table, and few of one with large rows. */
function* requestsOf(notes: RowValues[]): Generator<Part[]> {
  let request: Part[] = []
  let size = 0
  for (const part of partsOf(notes)) {
    const cost = part.keys.length * (isLarge(part.table) ? keysAtOnce / largeAtOnce : 1)
    if (size + cost > keysAtOnce && request.length > 0) {
      yield request
      request = []
      size = 0
    }
    request.push(part)
    size += cost
  }
  if (request.length > 0) yield request
}

const isLarge = ({ bytes }: Table) => bytes.length > 0

function partsOf(notes: RowValues[]): Part[] {
  const byTable = new Map<unknown, Map<string, RowValues>>()
  for (const [, of, ...columns] of notes) {
    const table = byTable.getOrInsertComputed(of, () => new Map())
    table.set(JSON.stringify(columns), columns)
  }
  return copiedTables().flatMap((table) => {
    const found = [...(byTable.get(table.name)?.values() ?? [])].map((columns) => columns.slice(0, table.key.length))
    const keys = found.filter((key) => !isKept(table, key))
    const most = isLarge(table) ? largeAtOnce : keysAtOnce
    const count = Math.ceil(keys.length / most)
    return Array.from({ length: count }, (_, index) => ({ table, keys: keys.slice(index * most, (index + 1) * most) }))
  })
}

/** The target has its own. */
const isKept = ({ name }: Table, [key]: RowValues) => name === 'installation' && keptNames.includes(String(key))

async function findTracking(from: End): Promise<(Tracking & { isAbandoned: boolean }) | null> {
  const [row] = await from.rows(`SELECT value, ${nowMs} - updated_at FROM installation WHERE name = ?`, [trackName])
  if (!row) return null
  const found = JSON.parse(String(row[0])) as Tracking
  return { ...found, isAbandoned: Number(row[1]) > abandonedMs || hasEnded(found) }
}

/** Of a process of another machine nobody knows. */
function hasEnded({ host, pid }: Tracking): boolean {
  if (host !== hostname()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Fails unless this copy notes changes: another one may have found it abandoned. */
function mine(id: string): EndQuery {
  const sql = `SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM installation WHERE name = ? AND value ->> 'id' = ?) THEN json('this copy was given up') END`
  return { sql, args: [trackName, id] }
}

async function own<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!String(error instanceof Error && (error.cause ?? error)).includes('malformed JSON')) throw error
    throw new AppError(
      'conflict',
      `this copy was not heard of for ${abandonedMs / 1000} s, and was given up; begin anew`,
    )
  }
}

const beat: EndQuery = { sql: `UPDATE installation SET updated_at = ${nowMs} WHERE name = ?`, args: [trackName] }

const widest = () => Math.max(...copiedTables().map(({ key }) => key.length))

/** What makes the notes, and what makes them be written. */
function noting(): string[] {
  const keys = Array.from({ length: widest() }, (_, index) => `k${index}`)
  return [`CREATE TABLE ${notesName} (seq INTEGER PRIMARY KEY, of TEXT NOT NULL, ${keys.join(', ')})`].concat(
    copiedTables().flatMap(({ name, key }) => {
      const [columns, old, now] = [
        keys.slice(0, key.length),
        ...['OLD', 'NEW'].map((row) => key.map((one) => `${row}."${one}"`)),
      ]
      const note = (values = now) => `INSERT INTO ${notesName} (of, ${columns}) SELECT '${name}', ${values}`
      const isMoved = key.map((one) => `OLD."${one}" IS NOT NEW."${one}"`).join(' OR ')
      const trigger = (event: string, ...body: string[]) =>
        `CREATE TRIGGER "${trackPrefix}${name}_${event.toLowerCase()}" AFTER ${event} ON "${name}" BEGIN ${body.join('; ')}; END`
      return [
        trigger('INSERT', note()),
        trigger('UPDATE', note(), `${note(old)} WHERE ${isMoved}`),
        trigger('DELETE', note(old)),
      ]
    }),
  )
}
