// How many a second there were lately: over three seconds, or since the first of them, but at least one.

import { second } from '../kit/duration.ts'

const stepMs = second / 10
const steps = 30

export class Lately {
  readonly #counts = new Array<number>(steps).fill(0)
  /** Of the newest count, in steps; the first of those that are not too old. */
  #last = Number.NEGATIVE_INFINITY
  #since = 0

  note(now: number): void {
    const step = Math.floor(now / stepMs)
    if (step - this.#last >= steps) this.#since = step
    this.#turn(step)
    this.#counts[step % steps] = (this.#counts[step % steps] ?? 0) + 1
  }

  perSecond(now: number): number {
    const step = Math.floor(now / stepMs)
    this.#turn(step)
    const seconds = Math.min(steps, Math.max(step - this.#since, second / stepMs)) / (second / stepMs)
    return this.#counts.reduce((one, other) => one + other) / seconds
  }

  #turn(step: number): void {
    // A clock that was set back counts in the newest step.
    for (let at = Math.max(this.#last + 1, step - steps + 1); at <= step; at++) this.#counts[at % steps] = 0
    this.#last = Math.max(this.#last, step)
  }
}
