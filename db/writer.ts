// The single writer of a file. Every write of the process is a unit; up to 64 waiting units share one BEGIN … COMMIT, and those that come
// while the disk syncs one group are the next. A unit may run twice (when another one in its group failed), so it must have no effect besides its queries.

import { databaseUnavailable, isFatal, isUnavailable, isUnresponsive } from './faults.ts'
import type { Db } from './handle.ts'

const unitsPerGroup = 64
/** In a long turn of the event loop something always arrives. */
const longestGatheringMs = 4
/** A group takes no further unit after this long. */
const groupTimeMs = 2_000

/** One open connection that can hold a transaction. */
export interface Transactor {
  db: Db
  /**
   * Opens a write transaction, waiting for the lock, and returns the transaction's time. A commit is visible at once. That of a `volatile`
   * one may be lost in a power cut; the next durable commit makes it permanent.
   */
  begin(durability?: Durability): Promise<Date>
  commit(): Promise<void>
  /** Resolves when all that was committed so far survives a power cut; null when it does. Rejects when nobody can know that any more. */
  readonly unsynced: Promise<void> | null
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
  /** As of Transactor: what readers see already, and a power cut could still undo. */
  readonly unsynced: Promise<void> | null
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
  #settling: Promise<void> = Promise.resolve()
  /** Called when a whole group waits. */
  #onFull = () => {}
  #closed = false

  constructor(transactor: SharedTransactor, onFatal: (error: unknown) => void) {
    this.#transactor = transactor
    this.#onFatal = onFatal
  }

  get unsynced(): Promise<void> | null {
    return this.#transactor.unsynced
  }

  /** A group of only volatile units skips the sync. */
  write<T>(unit: Unit<T>, durability: Durability = 'durable'): Promise<T> {
    if (this.#closed) return Promise.reject(databaseUnavailable(new Error('the database is closed')))
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome) => (outcome.ok ? resolve(outcome.value as T) : reject(outcome.error))
      this.#queue.push({ run: unit, durability, settle })
      if (this.#queue.length >= unitsPerGroup) this.#onFull()
      this.#draining ??= this.#drain()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#draining
    await this.#settling
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather()
      await this.#runGroup()
    }
    this.#draining = null
  }

  /**
   * Lets units that arrive now join the group: waits for the sync of the last one, and for further turns of the event loop as long as each
   * brings more, but not long.
   */
  async #gather(): Promise<void> {
    const { unsynced } = this.#transactor
    if (unsynced !== null && this.#queue.length < unitsPerGroup) {
      const full = new Promise<void>((resolve) => {
        this.#onFull = resolve
      })
      // Whoever waits for that sync is told that it failed.
      await Promise.race([unsynced.catch(() => {}), full])
    }
    const until = performance.now() + longestGatheringMs
    let seen: number
    do {
      seen = this.#queue.length
      await new Promise(setImmediate)
    } while (this.#queue.length > seen && this.#queue.length < unitsPerGroup && performance.now() < until)
  }

  async #runGroup(): Promise<void> {
    const group = this.#queue.splice(0, unitsPerGroup)
    const beganAt = performance.now()
    try {
      const outcomes = (await this.#tryTogether(group)) ?? (await this.#tryApart(group))
      count(this.committed, outcomes.length, beganAt)
      // Units beyond the group's time limit go first in the next one.
      this.#queue.unshift(...group.slice(outcomes.length))
      this.#settle(group, outcomes)
    } catch (error) {
      await this.#transactor.rollback()
      this.#fail(isUnresponsive(error) ? [...group, ...this.#queue.splice(0)] : group, error)
    }
  }

  /** Nobody is told of what a power cut could undo, or of what was read of that. */
  #settle(group: Waiting[], outcomes: Outcome[]): void {
    const settle = () => {
      for (const [index, outcome] of outcomes.entries()) group[index]?.settle(outcome)
    }
    const { unsynced } = this.#transactor
    if (unsynced === null) settle()
    else this.#settling = unsynced.then(settle, (error) => this.#fail(group.slice(0, outcomes.length), error))
  }

  #fail(waiting: Waiting[], error: unknown): void {
    const failure = isUnavailable(error) ? databaseUnavailable(error) : error
    for (const one of waiting) one.settle({ ok: false, error: failure })
    if (isFatal(error)) this.#onFatal(error)
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
