// How much a relay may carry: so many mails a second and a day (UTC). In the memory of one process, which has its part of what all processes
// may send; what left today, also through others, is told to it.

import type { Clock } from '../kit/clock.ts'
import { day } from '../kit/duration.ts'
import { Pace } from './pace.ts'

export interface Limits {
  mostPerSecond: number | null
  mostPerDay: number | null
}

/** Midnight (UTC) before it. */
export const startOfDay = (ms: number) => Math.floor(ms / day) * day

export class Quota {
  readonly #clock: Clock
  readonly #pace = new Pace()
  #limits: Limits = { mostPerSecond: null, mostPerDay: null }
  /** How many processes share the limits. */
  #processes = 1
  /** What left through all processes when that was last told, and what this one took since. */
  #today = { number: 0, told: 0, since: 0 }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  limit({ mostPerSecond, mostPerDay }: Limits, processes: number): void {
    this.#limits = { mostPerSecond: mostPerSecond === null ? null : mostPerSecond / processes, mostPerDay }
    this.#processes = processes
  }

  /** How many left today through all processes, and how many of this one are on their way. */
  startAt(count: number, inFlight: number): void {
    this.#turn()
    const { told, since } = this.#today
    const ofOne = this.#processes === 1 ? Math.max(told + since - inFlight, count) : count
    Object.assign(this.#today, { told: ofOne, since: inFlight })
  }

  /** How many left today. */
  get sentToday(): number {
    this.#turn()
    return this.#today.told + this.#today.since
  }

  /** How many may go now. */
  room(): number {
    const now = this.#turn()
    return Math.max(0, Math.min(this.#pace.room(this.#limits.mostPerSecond, now), this.#leftToday()))
  }

  /** Until one more may go; 0: now. */
  waitMs(): number {
    const now = this.#turn()
    if (this.#leftToday() <= 0) return (this.#today.number + 1) * day - now
    return this.#pace.waitMs(this.#limits.mostPerSecond, now)
  }

  /** Returns how its place in the second is given back, by a mail that is not offered to the relay. */
  take(): () => void {
    this.#turn()
    this.#today.since++
    return this.#pace.take(this.#limits.mostPerSecond)
  }

  /** A mail was not handed over: it does not count for the day. */
  giveBack(): void {
    this.#today.since = Math.max(0, this.#today.since - 1)
  }

  /** Of this process: never more than the limit in all. */
  #leftToday(): number {
    const { mostPerDay } = this.#limits
    if (mostPerDay === null) return Number.POSITIVE_INFINITY
    const { told, since } = this.#today
    return Math.floor((mostPerDay - told) / this.#processes) - since
  }

  #turn(): number {
    const now = this.#clock.now().getTime()
    const number = Math.floor(now / day)
    if (number !== this.#today.number) this.#today = { number, told: 0, since: 0 }
    return now
  }
}
