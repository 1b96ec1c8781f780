// The single writer of a file. Every write of the process is a unit; up to 64 waiting units share one BEGIN … COMMIT and so one fsync. A
// unit may run twice (when another one in its group failed), so it must have no effect besides its queries.

import { databaseUnavailable, isFatal, isUnavailable, isUnresponsive } from './faults.ts'
import type { Db } from './handle.ts'

const unitsPerGroup = 64
/** A group takes no further unit after this long. */
const groupTimeMs = 2_000

/** One open connection that can hold a transaction. */
export interface Transactor {
  db: Db
  /**
   * Opens a write transaction, waiting for the lock, and returns the transaction's time. The commit of a `volatile` one is visible at once
   * but may be lost in a power cut; the next durable commit makes it permanent.
   */
  begin(durability?: Durability): Promise<Date>
  commit(): Promise<void>
  /** Ends the transaction if one is open; never throws. */
  rollback(): Promise<void>
}

/** A transaction that several units can share. */
export interface SharedTransactor extends Transactor {
  savepoint(command: 'SAVEPOINT unit' | 'RELEASE unit' | 'ROLLBACK TO unit'): Promise<void>
  /** Rows changed through this connection so far. */
  changes(): number
}

export type Durability = 'durable' | 'volatile'

export type Unit<T> = (db: Db, now: Date) => T | Promise<T>

/** What was committed since the start. */
export interface Committed {
  groups: number
  units: number
  /** What the groups took, one after the other. */
  seconds: number
}

/** Runs units of work: each in a transaction, committed when its promise resolves. */
export interface UnitWriter {
  readonly committed: Readonly<Committed>
  /**
   * Runs `unit` in a transaction and resolves with its value once that is committed. A throw rolls back only this unit. A `volatile` unit
   * may be lost in a power cut. A promise within the value, of a query that the unit did not wait for, resolves at the same time.
   */
  write<T>(unit: Unit<T>, durability?: Durability): Promise<T>
  /** Waits for the units already submitted; later ones are refused. */
  close(): Promise<void>
}

interface Waiting {
  run: Unit<unknown>
  durability: Durability
  settle(outcome: Outcome): void
}

export type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown }

export class Writer implements UnitWriter {
  readonly committed: Committed = { groups: 0, units: 0, seconds: 0 }
  readonly #transactor: SharedTransactor
  readonly #onFatal: (error: unknown) => void
  #queue: Waiting[] = []
  #draining: Promise<void> | null = null
  #closed = false

  constructor(transactor: SharedTransactor, onFatal: (error: unknown) => void) {
    this.#transactor = transactor
    this.#onFatal = onFatal
  }

  /** A group of only volatile units skips the fsync. */
  write<T>(unit: Unit<T>, durability: Durability = 'durable'): Promise<T> {
    if (this.#closed) return Promise.reject(databaseUnavailable(new Error('the database is closed')))
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome) => (outcome.ok ? resolve(outcome.value as T) : reject(outcome.error))
      this.#queue.push({ run: unit, durability, settle })
      this.#draining ??= this.#drain()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#draining
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather()
      await this.#runGroup()
    }
    this.#draining = null
  }

  /** Lets units that arrive now join the group: waits for further turns of the event loop as long as each brings more. */
  async #gather(): Promise<void> {
    let seen: number
    do {
      seen = this.#queue.length
      await new Promise(setImmediate)
    } while (this.#queue.length > seen && this.#queue.length < unitsPerGroup)
  }

  async #runGroup(): Promise<void> {
    const group = this.#queue.splice(0, unitsPerGroup)
    const beganAt = performance.now()
    try {
      const outcomes = (await this.#tryTogether(group)) ?? (await this.#tryApart(group))
      count(this.committed, outcomes.length, beganAt)
      // Units beyond the group's time limit go first in the next one.
      this.#queue.unshift(...group.slice(outcomes.length))
      for (const [index, outcome] of outcomes.entries()) group[index]?.settle(outcome)
    } catch (error) {
      await this.#transactor.rollback()
      const failure = isUnavailable(error) ? databaseUnavailable(error) : error
      const behind = isUnresponsive(error) ? this.#queue.splice(0) : []
      for (const waiting of [...group, ...behind]) waiting.settle({ ok: false, error: failure })
      if (isFatal(error)) this.#onFatal(error)
    }
  }

  /** The common path: no savepoints. Null when a unit failed next to others, which must then run separately. */
  async #tryTogether(group: Waiting[]): Promise<Outcome[] | null> {
    const isVolatile = group.every(({ durability }) => durability === 'volatile')
    const now = await this.#transactor.begin(isVolatile ? 'volatile' : 'durable')
    const outcomes: Outcome[] = []
    const startedAt = performance.now()
    for (const waiting of group) {
      if (outcomes.length > 0 && performance.now() - startedAt > groupTimeMs) break
      const before = this.#transactor.changes()
      const outcome = await attempt(waiting.run, this.#transactor.db, now)
      outcomes.push(outcome)
      if (outcome.ok) continue
      if (isUnavailable(outcome.error)) throw outcome.error
      // A unit that refused before it changed anything does not affect the others.
      if (before === this.#transactor.changes()) continue
      await this.#transactor.rollback()
      return group.length === 1 ? outcomes : null
    }
    await this.#transactor.commit()
    return outcomes
  }

  /** The rare path: each unit in a savepoint, so that a failing one takes nothing else with it. */
  async #tryApart(group: Waiting[]): Promise<Outcome[]> {
    const now = await this.#transactor.begin()
    const outcomes: Outcome[] = []
    const startedAt = performance.now()
    for (const waiting of group) {
      if (outcomes.length > 0 && performance.now() - startedAt > groupTimeMs) break
      await this.#transactor.savepoint('SAVEPOINT unit')
      const outcome = await attempt(waiting.run, this.#transactor.db, now)
      if (!outcome.ok && isUnavailable(outcome.error)) throw outcome.error
      if (!outcome.ok) await this.#transactor.savepoint('ROLLBACK TO unit')
      await this.#transactor.savepoint('RELEASE unit')
      outcomes.push(outcome)
    }
    await this.#transactor.commit()
    return outcomes
  }
}

/** Adds a group of so many units. */
export function count(committed: Committed, units: number, beganAt: number): void {
  committed.groups++
  committed.units += units
  committed.seconds += (performance.now() - beganAt) / 1_000
}

async function attempt(unit: Unit<unknown>, db: Db, now: Date): Promise<Outcome> {
  try {
    return { ok: true, value: await unit(db, now) }
  } catch (error) {
    return { ok: false, error }
  }
}
