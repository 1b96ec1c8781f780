// So many a second, evenly: what a quiet moment did not use is lost, but for a tenth of a second or half a mail, so that no second gets more
// than its part.

import { second } from '../kit/duration.ts'

/** Who comes a little early goes, and the next one waits for longer. */
const early = 0.25
const leastSpare = 1.5

export class Pace {
  /** What may go at once, and when that was counted. */
  #ready = leastSpare
  #countedAt = Number.NEGATIVE_INFINITY

  /** How many may go now. */
  room(perSecond: number | null, now: number): number {
    if (perSecond === null) return Number.POSITIVE_INFINITY
    const sinceMs = now - this.#countedAt
    // A clock that was set back says nothing about the time that went by.
    const more = sinceMs < 0 ? 0 : (sinceMs / second) * perSecond
    this.#ready = Math.min(Math.max(leastSpare, perSecond / 10), this.#ready + more)
    this.#countedAt = now
    return Math.floor(this.#ready + early)
  }

  /** Until one more may go; 0: now. */
  waitMs(perSecond: number | null, now: number): number {
    if (perSecond === null || this.room(perSecond, now) > 0) return 0
    return Math.ceil(((1 - this.#ready) * second) / perSecond)
  }

  /** Returns how it is given back, by who does not go after all. */
  take(perSecond: number | null): () => void {
    if (perSecond === null) return () => {}
    this.#ready--
    return () => {
      this.#ready++
    }
  }
}
