// The warm-up of a relay: since it began, it carries only so many mails a day (UTC) to each receiver (receiver-groups.ts), more from day to day.
// In the memory of one process, which has its part of what all processes may send; what was carried today, also through others, is told to it.

import type { Clock } from '../kit/clock.ts'
import { day } from '../kit/duration.ts'
import type { HandOver, MailOutcome } from './mailer.ts'

const firstDays = [50, 100, 250, 500]

/** How many on a day of a warm-up, from 0: then a thousand, and twice as many each day. */
export function rampOn(days: number): number {
  return firstDays[days] ?? 1_000 * 2 ** Math.min(days - firstDays.length, 30)
}

/** After so many days nothing is limited any more. */
export const warmUpDays = 14

const dayNumber = (at: Date) => Math.floor(at.getTime() / day)

/** Where a warm-up stands: its day, from 1, and how many it allows to each receiver; null: there is none, or it is over. */
export function warmUpStage(since: Date | null, now: Date): { day: number; allowed: number } | null {
  if (since === null) return null
  const days = Math.max(0, dayNumber(now) - dayNumber(since))
  return days < warmUpDays ? { day: days + 1, allowed: rampOn(days) } : null
}

interface Carried {
  /** Through all processes, when that was last told. */
  told: number
  /** Taken by this one since then. */
  since: number
  inFlight: number
}

export class WarmUp {
  readonly #clock: Clock
  #since: Date | null = null
  /** How many processes share what is allowed. */
  #processes = 1
  #today = { number: 0, receivers: new Map<string, Carried>() }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  set(since: Date | null, processes: number): void {
    this.#since = since
    this.#processes = processes
  }

  get isOn(): boolean {
    return this.#stage() !== null
  }

  /** Until one more may go to the receiver; 0: now. */
  waitMs(receiver: string): number {
    const stage = this.#stage()
    if (stage === null) return 0
    const { told, since } = this.#turn().get(receiver) ?? none
    const left = Math.floor((stage.allowed - told) / this.#processes) - since
    return left > 0 ? 0 : (this.#today.number + 1) * day - this.#clock.now().getTime()
  }

  take(receiver: string): void {
    if (this.isOn) this.#of(receiver).since++
  }

  /** A mail that was taken is carried; one that is not handed over in the end does not count. */
  async carry(
    receiver: string,
    handOver: HandOver,
    send: (handOver: HandOver) => Promise<MailOutcome>,
  ): Promise<MailOutcome> {
    if (!this.isOn) return await send(handOver)
    const carried = this.#of(receiver)
    let isHandedOver = false
    const beforeFinalDot = async () => {
      isHandedOver = await handOver.beforeFinalDot()
      return isHandedOver
    }
    carried.inFlight++
    try {
      return await send({ ...handOver, beforeFinalDot })
    } finally {
      carried.inFlight--
      if (!isHandedOver) carried.since = Math.max(0, carried.since - 1)
    }
  }

  /** What was carried today through all processes, by receiver. */
  startAt(counts: Map<string, number>): void {
    for (const [receiver, count] of counts) {
      const carried = this.#of(receiver)
      const { told, since, inFlight } = carried
      const ofOne = this.#processes === 1 ? Math.max(told + since - inFlight, count) : count
      Object.assign(carried, { told: ofOne, since: inFlight })
    }
  }

  /** What was carried today, by receiver. */
  get carried(): Map<string, number> {
    return new Map([...this.#turn()].map(([receiver, { told, since }]) => [receiver, told + since]))
  }

  #stage() {
    return warmUpStage(this.#since, this.#clock.now())
  }

  #of(receiver: string): Carried {
    return this.#turn().getOrInsertComputed(receiver, () => ({ ...none }))
  }

  #turn(): Map<string, Carried> {
    const number = dayNumber(this.#clock.now())
    if (number !== this.#today.number) this.#today = { number, receivers: new Map() }
    return this.#today.receivers
  }
}

const none: Carried = { told: 0, since: 0, inFlight: 0 }
