// The writer of a libSQL server. A unit that only writes, or asks nothing before it is done, is sent with its neighbours as one
// transaction in one request; up to four such requests are under way. A unit that has to know something first has a transaction of its
// own, in which everything that can travel together does. A unit may run twice, so it holds no effect but its queries.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../src/lib/random.ts'
import {
  databaseUnavailable,
  isBusy,
  isFatal,
  isLost,
  isUnavailable,
  isUnresponsive,
  outcomeUnknown,
  unreachable,
} from './faults.ts'
import { Recorder, type Taken } from './recorder.ts'
import { ask, type Connection, type Result, type Server, type Statement } from './server.ts'
import type { Outcome, Unit, UnitWriter } from './writer.ts'

const unitsPerRequest = 64
const requestsUnderWay = 4
/** Somebody else writes: the lock is asked for again, so long. */
const busyForMs = 4_500
const busyPauseMs = 4
/** A request whose answer was lost is asked about for so long. */
const askAboutForMs = 700
const rollbackWithinMs = 300

interface Waiting {
  run: Unit<unknown>
  /** It was seen to ask before it was done. */
  asks: boolean
  ended: Promise<void>
  settle(outcome: Outcome): void
}

interface Done {
  waiting: Waiting
  outcome: Outcome
  taken: Taken
}

export interface RemoteWriterPorts {
  now(): Date
  random: Random
  onFatal(error: unknown): void
}

export class RemoteWriter implements UnitWriter {
  readonly #server: Server
  readonly #ports: RemoteWriterPorts
  readonly #recorders: Recorder[] = []
  #queue: Waiting[] = []
  /** Units that have not ended. */
  readonly #open = new Set<Promise<void>>()
  #underWay = 0
  #isAsking = false
  /** One group at a time, so that who asks is in the order in which they came. */
  #isRecording = false
  #gathering = false
  #closed = false
  #idle = Promise.withResolvers<void>()

  constructor(server: Server, ports: RemoteWriterPorts) {
    this.#server = server
    this.#ports = ports
  }

  write<T>(unit: Unit<T>): Promise<T> {
    if (this.#closed) return Promise.reject(databaseUnavailable(new Error('the database is closed')))
    return new Promise<T>((resolve, reject) => {
      const { promise, resolve: end } = Promise.withResolvers<void>()
      const settle = (outcome: Outcome) => {
        if (outcome.ok) resolve(outcome.value as T)
        else reject(outcome.error)
        this.#open.delete(promise)
        end()
      }
      this.#open.add(promise)
      this.#queue.push({ run: unit, asks: false, ended: promise, settle })
      void this.#gather()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    while (this.#queue.length > 0 || this.#underWay > 0 || this.#isAsking) await this.#idle.promise
  }

  /** Lets what arrives now join: turns of the event loop go by as long as each brings more. */
  async #gather(): Promise<void> {
    if (this.#gathering) return
    this.#gathering = true
    let seen: number
    do {
      seen = this.#queue.length
      await new Promise(setImmediate)
    } while (this.#queue.length > seen && this.#queue.length < unitsPerRequest)
    this.#gathering = false
    this.#start()
  }

  #start(): void {
    const asking = this.#isAsking ? -1 : this.#queue.findIndex(({ asks }) => asks)
    const [alone] = asking < 0 ? [] : this.#queue.splice(asking, 1)
    if (alone) void this.#runAlone(alone)
    const canStart = !this.#isRecording && this.#underWay < requestsUnderWay
    if (canStart && this.#queue.some(({ asks }) => !asks)) void this.#runGroup()
  }

  #ended(): void {
    this.#idle.resolve()
    this.#idle = Promise.withResolvers()
    this.#start()
  }

  /** Units that ask nothing, in one request. Those that do ask are put aside, to be run alone. */
  async #runGroup(): Promise<void> {
    this.#underWay++
    this.#isRecording = true
    const done = await this.#recordGroup(this.#takeGroup())
    this.#isRecording = false
    this.#start()
    // What a unit wrote before it refused is never sent.
    const sent = done.filter(({ outcome, taken }) => outcome.ok && taken.statements.length > 0)
    for (const one of done) if (!sent.includes(one)) void this.#settleUnsent(one)
    await this.#sendGroup(sent)
    this.#underWay--
    this.#ended()
  }

  /** Who writes nothing waits for what is being written: by then it is there. */
  async #settleUnsent({ waiting, outcome }: Done): Promise<void> {
    this.#open.delete(waiting.ended)
    if (outcome.ok) await Promise.all(this.#open)
    waiting.settle(outcome)
  }

  #takeGroup(): Waiting[] {
    const group: Waiting[] = []
    this.#queue = this.#queue.filter((waiting) => {
      if (waiting.asks || group.length === unitsPerRequest) return true
      group.push(waiting)
      return false
    })
    return group
  }

  async #recordGroup(group: Waiting[]): Promise<Done[]> {
    const now = this.#ports.now()
    const done: Done[] = []
    for (const waiting of group) {
      const recorded = await this.#record(waiting, now)
      if (recorded) done.push({ waiting, ...recorded })
      else this.#queue.push({ ...waiting, asks: true })
    }
    return done
  }

  async #sendGroup(sent: Done[]): Promise<void> {
    try {
      const results = await this.#transact(sent.flatMap(({ taken }) => taken.statements))
      for (const { taken } of sent) taken.answer(results.splice(0, taken.statements.length))
    } catch (error) {
      for (const { taken } of sent) taken.fail(error)
      if (error !== answersLost) return this.#refused(sent, error)
    }
    for (const { waiting, outcome } of sent) waiting.settle(outcome)
  }

  /** One unit spoils it for all: each runs again, by itself. */
  #refused(sent: Done[], error: unknown): void {
    const units = sent.map(({ waiting }) => waiting)
    if (isUnavailable(error)) this.#fail(units, error)
    else this.#queue.push(...units.map((waiting) => ({ ...waiting, asks: true })))
  }

  /** What the unit came to and the statements it left; null when it waits for an answer. */
  async #record({ run }: Waiting, now: Date): Promise<{ outcome: Outcome; taken: Taken } | null> {
    const recorder = this.#recorders.pop() ?? new Recorder()
    const waits = Promise.withResolvers<null>()
    recorder.onWaiting = () => waits.resolve(null)
    const outcome = await Promise.race([attempt(run, recorder, now), waits.promise])
    const taken = recorder.take()
    this.#recorders.push(recorder)
    return outcome && { outcome, taken }
  }

  /** Throws `answersLost` when it was committed and nobody heard what it answered. */
  async #transact(statements: Statement[]): Promise<Result[]> {
    if (statements.length === 0) return []
    const token = this.#newToken()
    try {
      return await whileBusy(this.#ports.random, () => this.#server.transact([...statements, this.#leave(token)]))
    } catch (error) {
      if (isLost(error) && (await this.#wasCommitted(token))) throw answersLost
      throw error
    }
  }

  async #runAlone(waiting: Waiting): Promise<void> {
    this.#isAsking = true
    const recorder = this.#recorders.pop() ?? new Recorder()
    const transaction = new Transaction(this.#server, this.#ports.random, recorder)
    try {
      const outcome = await attempt(waiting.run, recorder, this.#ports.now())
      if (!outcome.ok) throw outcome.error
      await this.#commit(transaction)
      waiting.settle(outcome)
    } catch (error) {
      await transaction.rollback()
      this.#fail([waiting], error)
    }
    this.#recorders.push(recorder)
    this.#isAsking = false
    this.#ended()
  }

  async #commit(transaction: Transaction): Promise<void> {
    const token = this.#newToken()
    try {
      await transaction.commit([this.#leave(token)])
    } catch (error) {
      if (!isLost(error) || !(await this.#wasCommitted(token))) throw error
    }
  }

  #newToken(): string {
    return this.#ports.random.uuidv7(this.#ports.now())
  }

  #leave(token: string, committed = 1): Statement {
    const at = this.#ports.now().getTime()
    return { sql: 'INSERT INTO write_tokens (token, at, committed) VALUES (?, ?, ?)', args: [token, at, committed] }
  }

  /**
   * Whether the transaction with this token was committed. Asking takes the token: what was not committed by then never will be, for it
   * finds its own token taken. Throws when the server does not tell.
   */
  async #wasCommitted(token: string): Promise<boolean> {
    const { sql, args } = this.#leave(token, 0)
    const take = { sql: `${sql} ON CONFLICT DO NOTHING`, args }
    const look = { sql: 'SELECT committed FROM write_tokens WHERE token = ?', args: [token] }
    const until = performance.now() + askAboutForMs
    for (;;) {
      try {
        const [, looked] = await this.#server.transact([take, look], 'brief')
        return looked?.rows[0]?.[0] === 1
      } catch (error) {
        if (performance.now() > until) throw outcomeUnknown(error)
        await sleep(busyPauseMs)
      }
    }
  }

  #fail(units: Waiting[], error: unknown): void {
    const failure = isUnavailable(error) ? databaseUnavailable(error) : error
    for (const { settle } of units) settle({ ok: false, error: failure })
    // Who waits behind a server that keeps silent would only wait as long.
    const unsent = databaseUnavailable(new Error('the database server does not answer'))
    if (isUnresponsive(error)) for (const { settle } of this.#queue.splice(0)) settle({ ok: false, error: unsent })
    if (isFatal(error)) this.#ports.onFatal(error)
  }
}

const answersLost = Object.assign(new Error('committed; what it answered was lost on the way'), { code: unreachable })

/** A transaction that is asked questions while it is open: what waits for an answer is sent whenever its unit can do nothing else. */
export class Transaction {
  readonly #server: Server
  readonly #random: Random
  readonly #recorder: Recorder
  #connection: Connection | null = null

  constructor(server: Server, random: Random, recorder: Recorder) {
    this.#server = server
    this.#random = random
    this.#recorder = recorder
    recorder.onWaiting = () => void this.#send([], false).catch(() => undefined)
  }

  async commit(more: Statement[] = []): Promise<void> {
    if (this.#connection === null && this.#recorder.isEmpty) return
    await this.#send(more, true)
  }

  /** Ends it if it was begun; never throws. The server undoes what nobody commits. */
  async rollback(): Promise<void> {
    this.#recorder.take().fail(new Error('the transaction was rolled back'))
    const connection = this.#connection
    this.#connection = null
    if (connection === null || connection.closed) return
    const undone = ask(connection, [{ sql: 'ROLLBACK', args: [] }]).catch(() => undefined)
    await Promise.race([undone, sleep(rollbackWithinMs, undefined, { ref: false })])
    connection.close()
  }

  async #send(more: Statement[], commits: boolean): Promise<void> {
    const taken = this.#recorder.take()
    const begins = this.#connection === null
    this.#connection ??= this.#server.connect()
    const connection = this.#connection
    try {
      taken.answer(
        await whileBusy(this.#random, () => ask(connection, [...taken.statements, ...more], { begins, commits })),
      )
    } catch (error) {
      taken.fail(error)
      throw error
    }
    if (!commits) return
    this.#connection = null
    connection.close()
  }
}

/** Somebody else writes: the lock is asked for again. */
async function whileBusy<T>(random: Random, send: () => Promise<T>): Promise<T> {
  const until = performance.now() + busyForMs
  for (;;) {
    try {
      return await send()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      await sleep(busyPauseMs * (1 + 3 * random.fraction()))
    }
  }
}

async function attempt(unit: Unit<unknown>, { db }: Recorder, now: Date): Promise<Outcome> {
  try {
    return { ok: true, value: await unit(db, now) }
  } catch (error) {
    return { ok: false, error }
  }
}
