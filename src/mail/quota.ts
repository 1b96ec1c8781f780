// How much a relay may carry: so many mails a second and a day (UTC). In the memory of one process; what left earlier in the day, also through
// other processes, is told to it.

import type { Clock } from '../kit/clock.ts'
import { day, second } from '../kit/duration.ts'

export interface Limits {
  mostPerSecond: number | null
  mostPerDay: number | null
}

export class Quota {
  readonly #clock: Clock
  #limits: Limits = { mostPerSecond: null, mostPerDay: null }
  /** Since this moment so many have gone of what a second allows. */
  #second = { beganAt: Number.NEGATIVE_INFINITY, count: 0 }
  #today = { number: 0, count: 0 }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  limit({ mostPerSecond, mostPerDay }: Limits): void {
    this.#limits = { mostPerSecond, mostPerDay }
  }

  /** How many left today before this process counted. */
  startAt(count: number): void {
    this.#turn()
    this.#today.count = Math.max(this.#today.count, count)
  }

  /** How many may go now. */
  room(): number {
    this.#turn()
    const { mostPerSecond, mostPerDay } = this.#limits
    return Math.max(
      0,
      Math.min(
        (mostPerSecond ?? Number.POSITIVE_INFINITY) - this.#second.count,
        (mostPerDay ?? Number.POSITIVE_INFINITY) - this.#today.count,
      ),
    )
  }

  /** Until one more may go; 0: now. */
  waitMs(): number {
    if (this.room() > 0) return 0
    const now = this.#clock.now().getTime()
    const isDayOver = this.#today.count < (this.#limits.mostPerDay ?? Number.POSITIVE_INFINITY)
    return isDayOver ? this.#second.beganAt + second - now : (this.#today.number + 1) * day - now
  }

  take(): void {
    this.#turn()
    this.#second.count++
    this.#today.count++
  }

  #turn(): void {
    const now = this.#clock.now().getTime()
    const number = Math.floor(now / day)
    if (number !== this.#today.number) this.#today = { number, count: 0 }
    const sinceMs = now - this.#second.beganAt
    if (sinceMs >= second || sinceMs < 0) this.#second = { beganAt: now, count: 0 }
  }
}
