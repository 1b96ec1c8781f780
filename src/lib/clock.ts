// Time as a port. Nothing else in the product may read the machine's clock, so a test can move time and nothing sleeps.

export interface Clock {
  /** The present moment. A fresh Date each call: callers may keep it. */
  now(): Date
  /** True for a clock that a test moves by hand: a remote database then takes our time instead of its own. */
  readonly virtual: boolean
}

export const systemClock: Clock = { now: () => new Date(), virtual: false }
