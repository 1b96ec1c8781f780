// Detects webhook loops: one of our deliveries may make its receiver call us, which makes another delivery, and so on. Each delivery
// carries the number of deliveries before it, and a request with too high a number is refused. The number is known while the request runs.

import { AsyncLocalStorage } from 'node:async_hooks'

/** Sent with deliveries, and on requests by receivers that pass it on. */
export const hopsHeader = 'Webhook-Hops'
/** A request after this many deliveries is part of a loop. */
export const maxHops = 3

const hops = new AsyncLocalStorage<number>()

/** The number of deliveries that led to what runs now. */
export function currentHops(): number {
  return hops.getStore() ?? 0
}

/** Runs `work`, and everything it awaits, as the result of this many deliveries. */
export function afterHops<T>(count: number, work: () => T): T {
  return hops.run(count, work)
}

/** The number in the header; 0 when it is missing or not a number. */
export function countHops(header: string | null): number {
  return header !== null && /^\d{1,4}$/.test(header) ? Number(header) : 0
}
