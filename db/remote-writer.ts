// The writer for a libSQL server. A unit's reads happen ahead, outside of any transaction. Its writes are sent with those of other units as
// one transaction in one request, which fails if anything that was read has changed; up to four such requests are in flight. A unit that
// must read in between, or lost that race twice, gets a transaction of its own. A unit may run more than once, so it must have no effect
// besides its queries.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../src/kit/random.ts'
import {
  databaseUnavailable,
  isFatal,
  isLost,
  isUnavailable,
  isUnresponsive,
  outcomeUnknown,
  unreachable,
} from './faults.ts'
import { Ahead, Recorder, type StatementBatch } from './recorder.ts'
import { ask, type Connection, type Result, type Server, type Statement, StatementFailed } from './server.ts'
import { type Committed, count, type Outcome, type Unit, type UnitWriter } from './writer.ts'

const unitsPerRequest = 64
/**
 * Units that become ready while this many requests are in flight are sent together: a transaction costs the server more than its
 * statements.
 */
const requestsUnderWay = 2
/** After losing the race this often, a unit holds the lock while it reads. */
const overtakenMost = 2
/** How long to ask for the outcome of a request whose answer was lost: at a silent server, and at one that answers other requests. */
const askAboutForMs = 700
const askAliveForMs = 4_000
/** So long after a request began its outcome is asked about no longer than of a server that answers nothing: whoever waits is told within ten seconds. */
const lateMs = 8_000
/** A transaction that is known not to be committed is sent again if that was known so soon. */
const againWithinMs = 1_000
const askPauseMs = 4
const rollbackWithinMs = 300

interface Waiting {
  run: Unit<unknown>
  /** How often something it had read was changed before it could write. */
  overtaken: number
  ended: Promise<void>
  settle(outcome: Outcome): void
}

/** A unit that has run, with the statements it queued. */
interface Done {
  waiting: Waiting
  outcome: Outcome
  taken: StatementBatch
}

export interface RemoteWriterPorts {
  now(): Date
  random: Random
  /** Queries outside of any transaction. */
  read(statement: Statement): Promise<Result>
  onFatal(error: unknown): void
}

export class RemoteWriter implements UnitWriter {
  readonly committed: Committed = { groups: 0, units: 0, seconds: 0 }
  /** What a server answers it keeps as it was set to. */
  readonly unsynced = null
  readonly #server: Server
  readonly #ports: RemoteWriterPorts
  readonly #ahead: Ahead
  readonly #recorders: Recorder[] = []
  /** Units that have run and wait to be sent. */
  #ready: Done[] = []
  /** Units that must read within their transaction: one at a time, first come first served. */
  #asking: Waiting[] = []
  /** Units that have not finished. */
  readonly #open = new Set<Promise<void>>()
  #underWay = 0
  #isAsking = false
  #gathering = false
  #closed = false

  constructor(server: Server, ports: RemoteWriterPorts) {
    this.#server = server
    this.#ports = ports
    this.#ahead = new Ahead(ports.read)
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
      void this.#run({ run: unit, overtaken: 0, ended: promise, settle })
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    while (this.#open.size > 0) await Promise.all(this.#open)
  }

  async #run(waiting: Waiting): Promise<void> {
    const recorded = waiting.overtaken < overtakenMost ? await this.#record(waiting) : null
    if (recorded === null) {
      this.#asking.push(waiting)
      void this.#runAsking()
    } else if (recorded.taken.statements.length > 0) {
      this.#ready.push({ waiting, ...recorded })
      void this.#gather()
    } else await this.#settleUnsent(waiting, recorded.outcome)
  }

  /** A unit that writes nothing waits for the writes in flight, so what it read is committed when it resolves. */
  async #settleUnsent(waiting: Waiting, outcome: Outcome): Promise<void> {
    this.#open.delete(waiting.ended)
    if (outcome.ok) await Promise.all(this.#open)
    waiting.settle(outcome)
  }

  /** The unit's result and the statements it queued; null when it waits for an answer. */
  async #record({ run, overtaken }: Waiting): Promise<{ outcome: Outcome; taken: StatementBatch } | null> {
    const recorder = this.#recorders.pop() ?? new Recorder()
    const waits = Promise.withResolvers<null>()
    recorder.ahead = this.#ahead
    recorder.believes = overtaken === 0
    recorder.onWaiting = () => waits.resolve(null)
    const outcome = await Promise.race([attempt(run, recorder, this.#ports.now()), waits.promise])
    // The queued writes of a unit that throws are never sent.
    const taken = recorder.take({ assertionsOnly: outcome?.ok === false })
    if (recorder.isIdle) this.#recorders.push(recorder)
    return outcome && { outcome, taken }
  }

  /** Lets units that arrive now join: waits for further turns of the event loop as long as each brings more. */
  async #gather(): Promise<void> {
    if (this.#gathering) return
    this.#gathering = true
    let seen: number
    do {
      seen = this.#ready.length
      await new Promise(setImmediate)
    } while (this.#ready.length > seen && this.#ready.length < unitsPerRequest)
    this.#gathering = false
    this.#sendReady()
  }

  #sendReady(): void {
    while (this.#ready.length > 0 && this.#underWay < requestsUnderWay) {
      this.#underWay++
      void this.#sendGroup(this.#ready.splice(0, unitsPerRequest)).finally(() => {
        this.#underWay--
        this.#sendReady()
      })
    }
  }

  async #sendGroup(group: Done[]): Promise<void> {
    const beganAt = performance.now()
    try {
      const results = await this.#transact(group.flatMap(({ taken }) => taken.statements))
      for (const { taken } of group) taken.answer(results.splice(0, taken.statements.length))
      count(this.committed, group.length, beganAt)
    } catch (error) {
      if (error instanceof StatementFailed) return await this.#sendWithout(group, error.index)
      for (const { taken } of group) taken.fail(error)
      if (error !== answersLost)
        return this.#fail(
          group.map(({ waiting }) => waiting),
          error,
        )
    }
    for (const { waiting, outcome } of group) waiting.settle(outcome)
  }

  /** A statement of one unit failed: that unit runs again. Nothing of the others was written either. */
  async #sendWithout(group: Done[], index: number): Promise<void> {
    let before = 0
    const failed = group.find(({ taken: { statements } }) => {
      before += statements.length
      return index < before
    })
    const others = group.filter((one) => one !== failed)
    if (failed) {
      const { waiting, taken } = failed
      const wasOvertaken = taken.asserts[index - before + taken.asserts.length] ?? false
      void this.#run({ ...waiting, overtaken: wasOvertaken ? waiting.overtaken + 1 : overtakenMost })
    }
    if (others.length > 0) await this.#sendGroup(others)
  }

  /** Throws `answersLost` when it was committed but the results were lost. */
  async #transact(statements: Statement[]): Promise<Result[]> {
    const beganAt = performance.now()
    for (;;) {
      const token = this.#newToken()
      try {
        return await this.#server.transact([...statements, this.#leave(token)])
      } catch (error) {
        if (!isLost(error)) throw error
        if (await this.#wasCommitted(token, beganAt)) throw answersLost
        // The server has just answered, so the units behind this one may still succeed.
        if (performance.now() - beganAt > againWithinMs) throw databaseUnavailable(error)
      }
    }
  }

  async #runAsking(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    for (let next = this.#asking.shift(); next; next = this.#asking.shift()) await this.#runAlone(next)
    this.#isAsking = false
  }

  async #runAlone(waiting: Waiting): Promise<void> {
    const recorder = this.#recorders.pop() ?? new Recorder()
    recorder.ahead = null
    const transaction = new Transaction(this.#server, recorder)
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
  }

  async #commit(transaction: Transaction): Promise<void> {
    const beganAt = performance.now()
    const token = this.#newToken()
    try {
      await transaction.commit([this.#leave(token)])
    } catch (error) {
      if (!isLost(error)) throw error
      if (!(await this.#wasCommitted(token, beganAt))) throw databaseUnavailable(error)
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
   * Whether the transaction with this token was committed. Asking claims the token, so a transaction that is not committed by now never can
   * be: it will find its token taken. Throws when the server does not answer.
   */
  async #wasCommitted(token: string, sentAt: number): Promise<boolean> {
    const { sql, args } = this.#leave(token, 0)
    const take = { sql: `${sql} ON CONFLICT DO NOTHING`, args }
    const look = { sql: 'SELECT committed FROM write_tokens WHERE token = ?', args: [token] }
    const beganAt = performance.now()
    for (;;) {
      try {
        const [, looked] = await this.#server.transact([take, look], 'brief')
        return looked?.rows[0]?.[0] === 1
      } catch (error) {
        const now = performance.now()
        const isAlive = this.#server.answeredAt > beganAt && now - sentAt < lateMs
        if (now - beganAt > (isAlive ? askAliveForMs : askAboutForMs)) throw outcomeUnknown(error)
        await sleep(askPauseMs)
      }
    }
  }

  #fail(units: Waiting[], error: unknown): void {
    const failure = isUnavailable(error) ? databaseUnavailable(error) : error
    for (const { settle } of units) settle({ ok: false, error: failure })
    // Whatever waits behind a server that does not answer would wait just as long.
    const unsent = databaseUnavailable(new Error('the database server does not answer'))
    if (isUnresponsive(error)) {
      const behind = [...this.#ready.splice(0).map(({ waiting }) => waiting), ...this.#asking.splice(0)]
      for (const { settle } of behind) settle({ ok: false, error: unsent })
    }
    if (isFatal(error)) this.#ports.onFatal(error)
  }
}

const answersLost = Object.assign(new Error('committed, but the answer was lost'), { code: unreachable })

/** A transaction that is queried while it is open: queued statements are sent whenever its unit can do nothing else. */
export class Transaction {
  readonly #server: Server
  readonly #recorder: Recorder
  #connection: Connection | null = null

  constructor(server: Server, recorder: Recorder) {
    this.#server = server
    this.#recorder = recorder
    recorder.onWaiting = () => void this.#send([], false).catch(() => undefined)
  }

  async commit(more: Statement[] = []): Promise<void> {
    if (this.#connection === null && this.#recorder.isEmpty) return
    await this.#send(more, true)
  }

  /** Rolls the transaction back if it was begun; never throws. The server rolls back what is never committed. */
  async rollback(): Promise<void> {
    this.#recorder.take().fail(new Error('the transaction was rolled back'))
    const connection = this.#connection
    this.#connection = null
    if (connection === null || connection.closed) return
    const undone = ask(connection, [{ sql: 'ROLLBACK', args: [] }]).catch(() => null)
    const isUndone = await Promise.race([undone, sleep(rollbackWithinMs, null, { ref: false })])
    if (isUndone) this.#server.giveBack(connection)
    else connection.close()
  }

  async #send(more: Statement[], commits: boolean): Promise<void> {
    const taken = this.#recorder.take()
    const statements = [...taken.statements, ...more]
    const begins = this.#connection === null
    const send = (connection: Connection) => {
      this.#connection = connection
      return this.#server.whileBusy(connection, () => ask(connection, statements, { begins, commits }))
    }
    try {
      taken.answer(this.#connection ? await send(this.#connection) : await this.#server.begin(send))
    } catch (error) {
      const reason = error instanceof StatementFailed ? error.cause : error
      taken.fail(reason)
      throw reason
    }
    if (!commits || !this.#connection) return
    this.#server.giveBack(this.#connection)
    this.#connection = null
  }
}

async function attempt(unit: Unit<unknown>, { db }: Recorder, now: Date): Promise<Outcome> {
  try {
    return { ok: true, value: await unit(db, now) }
  } catch (error) {
    return { ok: false, error }
  }
}
