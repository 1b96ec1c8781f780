// A unit of work can often predict what a query will return, e.g. that its jobs are still its own. On a libSQL server it then need not wait
// for the answer: the expectation is asserted in its transaction, and if it is wrong the unit runs again and asks.

import type { Db } from './handle.ts'

/** The expected rows in their order, with values as stored; or the rows that the same query returned last time. */
export type Expected = (string | number | null)[][] | 'as before'

const listeners = new WeakMap<object, (expected: Expected) => void>()

/** Receives what is expected of the next query on `db`. */
export function onExpecting(db: Db, listener: (expected: Expected) => void): void {
  listeners.set(db, listener)
}

/** Runs `query`, which must query `db` exactly once and at once. On a connection that answers immediately nothing is expected. */
export function expecting<T>(db: object, expected: Expected, query: () => T): T {
  listeners.get(db)?.(expected)
  return query()
}
