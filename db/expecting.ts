// A unit of work often knows what it will be told: that its jobs are still its own, that nobody was suppressed a moment ago. On a libSQL
// server it need not wait to hear so: what it expects is asserted in its transaction, and where that is wrong it runs again and asks.

import type { Db } from './handle.ts'

/** The rows of an answer, their values as the database has them, in its order; or those of the last time the same was asked. */
export type Expected = (string | number | null)[][] | 'as before'

const listeners = new WeakMap<object, (expected: Expected) => void>()

/** Who is told what is expected of the next question that is put to `db`. */
export function onExpecting(db: Db, listener: (expected: Expected) => void): void {
  listeners.set(db, listener)
}

/** Asks with `query`, which puts one question to `db` at once. Where answers are at hand nothing is expected. */
export function expecting<T>(db: object, expected: Expected, query: () => T): T {
  listeners.get(db)?.(expected)
  return query()
}
