// Time as a port. Nothing else may read the machine's clock, so tests can move time and never sleep.

export interface Clock {
  /** The current time. A fresh Date each call: callers may keep it. */
  now(): Date
  /** True for a clock that a test moves by hand; a remote database then uses our time instead of its own. */
  readonly virtual: boolean
}

export const systemClock: Clock = { now: () => new Date(), virtual: false }
