// Moves an installation from one database to another while it is served: paquebot copy FROM TO --live. Everything is copied, compared, and
// caught up with while the servers go on; then these end the mail that they are at, the source refuses every write, what is left is copied,
// and the servers go on with the target by themselves (watch.ts). Until the mark of the source says `moved`, they go on with the source
// whenever this command is silent.

import { setTimeout as pause } from 'node:timers/promises'
import { copyRows, isEmpty, putCounters, readCounters, silence, unsilence } from '../../../db/copy.ts'
import { type End, patiently } from '../../../db/copy-ends.ts'
import { fenceAfter, unfencing } from '../../../db/copy-fence.ts'
import { beating, catchUp, type LiveCopy, notedKeys, track } from '../../../db/copy-live.ts'
import { type CopyMark, markName } from '../../../db/copy-mark.ts'
import { compareKeys, describeKeys, type Keys, sweep } from '../../../db/copy-sweep.ts'
import {
  allDrained,
  beat,
  findMark,
  isLate,
  type LiveServer,
  liveServers,
  silentMs,
  step,
} from '../../../db/copy-turn.ts'
import { withDeadline } from '../../kit/deadline.ts'
import { minute, second } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'

const beatEveryMs = second / 2
const lookEveryMs = 50
/** How long the servers have to say whether they can go on with the target, */
const readyWithinMs = 30 * second
/** and to end the mail that they are at. */
const drainWithinMs = minute
/** How long a server may take to be seen at the target. */
const servedWithinMs = 30 * second
/** Servers may start while others drain. */
const fenceTries = 5
/** A move whose end takes longer is taken back: nobody can write meanwhile. */
const fencedMostMs = 10 * second

export interface Move {
  from: End
  to: End
  /** A second connection to the source, for the signs of life. */
  pulse: End
  mark: CopyMark
  isFile: { from: boolean; to: boolean }
  /** Whether servers use the source: then one of them must be known, or none. */
  isServed: boolean
  /** Prepares the target to be served: after this it is complete. */
  complete(): Promise<void>
  say(line: string): void
}

export interface Moved {
  /** The servers that went on with the target. */
  servers: number
  /** Those that did not end their mail in time: some of it may go twice. */
  late: LiveServer[]
  /** Nobody could write, in ms: until a server was seen at the target, where there was one. */
  pauseMs: number
}

/** Throws AppError `conflict` when it cannot be done; the servers then go on with the source. */
export async function turnOver(move: Move): Promise<Moved> {
  await begin(move)
  const pulse = new Pulse(move)
  try {
    await copyAll(move)
    return await drainAndTurn(move)
  } catch (error) {
    await takeBack(move)
    throw error
  } finally {
    await pulse.stop()
  }
}

/** Marks the source, once. Throws while another command moves it; one that was given up is gone on with. */
async function begin({ from, mark, say }: Move): Promise<void> {
  const found = await findMark(from)
  if (found === null) {
    const sql = `INSERT INTO installation (name, value, updated_at) VALUES ('${markName}', ?, CAST(unixepoch('subsec') * 1000 AS INTEGER))`
    await from.write([{ sql, args: [JSON.stringify({ ...mark, phase: 'copying', beat: 0, servers: {} })] }])
    return
  }
  say('an interrupted move is gone on with')
  await pause(2 * beatEveryMs)
  if ((await findMark(from))?.beat !== found.beat)
    throw new AppError('conflict', 'another command moves this database; wait for its end')
  await from.write([step(mark.id, ['copying', 'draining', 'fenced'], 'copying'), ...unfencing()])
}

async function copyAll(move: Move): Promise<void> {
  const { from, to, mark, say } = move
  const copy: LiveCopy = { from, to, id: mark.id }
  // What changed while nobody noted it is not known.
  if ((await track(copy)) === 'begun' && !(await isEmpty(to)))
    throw new AppError('conflict', 'the interrupted move was given up meanwhile; empty TO and begin anew')
  await ready(move)
  await silence(to)
  const beats = beating(copy)
  let toldAt = 0
  await copyRows(from, to, async ({ table, copied, of }) => {
    await beats()
    if (copied < of && performance.now() - toldAt < second) return
    toldAt = performance.now()
    say(`${table}: ${copied} of ${of}`)
  })
  await catchUp(copy)
}

/** Throws unless every server could go on with the target; of a file, which has one, one of them. */
async function ready({ from, isFile, isServed }: Move): Promise<void> {
  if (!isServed) return
  for (const until = performance.now() + readyWithinMs; ; await pause(lookEveryMs)) {
    const servers = await liveServers(from, isFile.from)
    const said = (await findMark(from))?.servers ?? {}
    const answers = servers.map((server) => ({ server, answer: said[server.bootId] ?? null }))
    const refusal = answers.find(({ answer }) => answer?.startsWith('cannot'))
    const isReady = answers.filter(({ answer }) => answer === 'ready').length
    if (isReady > 0 && (isFile.to || isReady === servers.length)) return
    if (performance.now() < until && !(refusal && !isFile.to)) continue
    if (refusal) throw new AppError('conflict', `${nameOf(refusal.server)} ${refusal.answer}`)
    const silent = answers.find(({ answer }) => answer === null)
    const who = silent ? nameOf(silent.server) : 'the server that has the file (it may be held, or just starting)'
    throw new AppError('conflict', `${who} did not say whether it can go on with TO; is it of this version?`)
  }
}

const nameOf = ({ pid, host }: LiveServer) => `process ${pid} on ${host}`

async function drainAndTurn(move: Move): Promise<Moved> {
  const { from, to, mark, say } = move
  const copy: LiveCopy = { from, to, id: mark.id }
  say('comparing every row')
  const beats = beating(copy)
  const differing = await sweep(from, to, beats)
  for (let tries = 1; ; tries++) {
    await catchUp(copy)
    const late = await drain(move)
    await catchUp(copy)
    try {
      return await turn(move, differing, late)
    } catch (error) {
      if (!isLate(error) || tries === fenceTries) throw error
      say('a server has started: it is asked, too')
    }
  }
}

/** Returns the servers that are still at something. */
async function drain({ from, mark, isFile, isServed, say }: Move): Promise<LiveServer[]> {
  await from.write([step(mark.id, ['copying', 'draining'], 'draining')])
  if (!isServed) return []
  say('the servers end the mail that they are at')
  for (const until = performance.now() + drainWithinMs; ; await pause(lookEveryMs)) {
    const servers = await liveServers(from, isFile.from)
    const found = await findMark(from)
    if (found?.phase !== 'draining') throw new AppError('conflict', 'the servers have gone on with FROM')
    const open = servers.filter(({ bootId }) => found.servers?.[bootId] !== 'drained')
    if (open.length === 0) return []
    if (performance.now() > until) return open
  }
}

/** From here to its end nobody can write. */
async function turn(move: Move, differing: Keys, late: LiveServer[]): Promise<Moved> {
  const { from, to, mark, isServed, say } = move
  const began = performance.now()
  const former = (await liveServers(from, false)).map(({ bootId }) => bootId)
  // Of a file only the last one is there.
  const excused = former.slice(!isServed ? 0 : move.isFile.from ? 1 : former.length)
  const guards = [allDrained([...late.map(({ bootId }) => bootId), ...excused]), step(mark.id, ['draining'], 'fenced')]
  await fenceAfter(from, guards)
  say('nobody can write until TO is complete')
  const done = withDeadline(
    complete(move, differing).then(() => true),
    fencedMostMs,
    false,
  )
  if (!(await done)) throw new AppError('conflict', `TO was not complete within ${fencedMostMs / second} s`)
  const servers = isServed ? await served(to) : 0
  return { servers, late, pauseMs: performance.now() - began }
}

async function complete({ from, to, mark, complete }: Move, differing: Keys): Promise<void> {
  const copy: LiveCopy = { from, to, id: mark.id }
  const last = await notedKeys(copy)
  await catchUp(copy, 0)
  const wrong = describeKeys(await compareKeys(from, to, union(differing, last)))
  if (wrong !== null) throw new AppError('conflict', `the copy is not its source: ${wrong}; empty TO and begin anew`)
  await to.write(putCounters(await from.rows(readCounters)))
  await unsilence(to)
  await complete()
  await patiently(() => from.write([step(mark.id, ['fenced', 'moved'], 'moved')]))
}

function union(one: Keys, other: Keys): Keys {
  const all = new Map(one)
  for (const [table, keys] of other) all.set(table, [...(all.get(table) ?? []), ...keys])
  return all
}

/** Waits until a server is seen at the target. Returns how many were. */
async function served(to: End): Promise<number> {
  for (const until = performance.now() + servedWithinMs; performance.now() < until; await pause(lookEveryMs)) {
    const servers = await liveServers(to, false)
    if (servers.length > 0) return servers.length
  }
  return 0
}

/** The servers go on with the source, at once. */
async function takeBack({ from, mark, say }: Move): Promise<void> {
  try {
    await from.write([step(mark.id, ['copying', 'draining', 'fenced'], 'copying'), ...unfencing()])
  } catch (error) {
    if (isLate(error)) return
    say(`FROM could not be told that the move has failed; its servers go on with it within ${silentMs / second} s`)
  }
}

/** The signs of life of this command, on a connection of their own. */
class Pulse {
  readonly #timer: ReturnType<typeof setInterval>
  #beating = Promise.resolve()

  constructor({ pulse, mark }: Move) {
    this.#timer = setInterval(() => {
      this.#beating = pulse.write([beat(mark.id)]).catch(() => {})
    }, beatEveryMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
  }
}
