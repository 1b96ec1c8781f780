// How often what is done now has been round: a delivery of ours may make its receiver call us, which makes a delivery, and so on.
// Each one says how many came before it; a request that has come round too often is refused. Known as long as the request runs.

import { AsyncLocalStorage } from 'node:async_hooks'

/** On deliveries, and on requests of receivers that pass it on. */
export const hopsHeader = 'Webhook-Hops'
/** A request after so many deliveries is part of a loop. */
export const maxHops = 3

const hops = new AsyncLocalStorage<number>()

/** Deliveries that came before what runs now. */
export function currentHops(): number {
  return hops.getStore() ?? 0
}

/** Runs `work`, and all it waits for, as what came of so many deliveries. */
export function afterHops<T>(count: number, work: () => T): T {
  return hops.run(count, work)
}

/** What a header says; 0 for none, or for something else than a count. */
export function hopsOf(header: string | null): number {
  return header !== null && /^\d{1,4}$/.test(header) ? Number(header) : 0
}
