// When mails would have left over the relays that share them: by how much each may carry a second and a day, and by how fast it was lately. It
// is told of mails in the order in which they are due, and changes nothing.

import { day, minute, second } from '../kit/duration.ts'
import { startOfDay } from './quota.ts'

/** What a relay carries. */
export interface Pace {
  /** Null for the relay of SMTP_URL. */
  relayId: string | null
  /** Mails a second, as measured lately; null: nothing was. */
  measured: number | null
  mostPerSecond: number | null
  mostPerDay: number | null
  /** What has left through it today. */
  sentToday: number
  /** Its warm-up, with what it carried today by receiver; null: it needs none. */
  warmUp: { since: Date; carried: Map<string, number> } | null
}

/** `no_relay`: none may carry it. */
export type RelayLimit = 'relay_speed' | 'relay_second' | 'relay_day' | 'relay_warm_up' | 'no_relay'

export interface Part {
  mails: number
  /** When the last of them has left, ms; Infinity: not in a year. */
  at: number
  /** Why not at once; null: they leave at once. */
  by: RelayLimit | null
}

interface Carrying {
  perMs: number
  by: RelayLimit
  mostPerDay: number
  left: number
}

/** What has left within this time has left at once. */
const atOnceMs = minute
/** What would leave later than this never does. */
export const farthestMs = 366 * day

export class RelayPace {
  readonly #relays: Carrying[]
  #today: number
  /** When what it was told of has left. */
  #freeAt = 0

  /** `paces`: null where nothing limits anything. */
  constructor(paces: Pace[] | null, now: Date) {
    this.#relays = (paces ?? [unlimited]).map(toCarrying)
    this.#today = startOfDay(now.getTime())
  }

  /** How they leave that are due then, in parts where a day is not enough. */
  through(mails: number, dueAt: number): Part[] {
    if (this.#relays.length === 0) return [{ mails, at: Number.POSITIVE_INFINITY, by: 'no_relay' }]
    const parts: Part[] = []
    let since = Math.max(dueAt, this.#freeAt)
    let isDayFull = false
    for (let left = mails; left > 0; since = this.#today + day) {
      if (since - dueAt > farthestMs)
        return [...parts, { mails: left, at: Number.POSITIVE_INFINITY, by: this.#slowest() }]
      this.#turn(since)
      const wanted = Math.min(
        left,
        this.#relays.reduce((sum, one) => sum + one.left, 0),
      )
      const tookMs = this.#msFor(wanted, this.#today + day - since)
      const leaving = Math.min(wanted, Math.floor(this.#carriedIn(tookMs)))
      this.#take(leaving, tookMs)
      this.#freeAt = since + tookMs
      if (leaving > 0) parts.push(this.#part(leaving, dueAt, isDayFull))
      isDayFull ||= wanted < left
      left -= leaving
    }
    return parts
  }

  #part(mails: number, dueAt: number, isDayFull: boolean): Part {
    if (this.#freeAt - dueAt < atOnceMs) return { mails, at: dueAt, by: null }
    return { mails, at: this.#freeAt, by: isDayFull ? 'relay_day' : this.#slowest() }
  }

  /** The first ms, of so many, in which they have left. */
  #msFor(mails: number, mostMs: number): number {
    let [low, high] = [0, mostMs]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.#carriedIn(middle) < mails) low = middle + 1
      else high = middle
    }
    return low
  }

  #carriedIn(ms: number): number {
    return this.#relays.reduce(
      (sum, { left, perMs }) => sum + Math.min(left, perMs === Number.POSITIVE_INFINITY ? left : perMs * ms),
      0,
    )
  }

  #take(mails: number, ms: number): void {
    let rest = mails
    for (const relay of this.#relays) {
      const took = Math.min(
        rest,
        relay.left,
        relay.perMs === Number.POSITIVE_INFINITY ? rest : Math.ceil(relay.perMs * ms),
      )
      relay.left -= took
      rest -= took
    }
  }

  #turn(at: number): void {
    const today = startOfDay(at)
    if (today === this.#today) return
    this.#today = today
    for (const relay of this.#relays) relay.left = relay.mostPerDay
  }

  /** What limits the fastest of those that need time. */
  #slowest(): RelayLimit {
    const timed = this.#relays.filter(({ perMs }) => Number.isFinite(perMs))
    return (
      timed.reduce<Carrying | null>((most, one) => (most && most.perMs >= one.perMs ? most : one), null)?.by ??
      'relay_day'
    )
  }
}

const unlimited: Pace = {
  relayId: null,
  measured: null,
  mostPerSecond: null,
  mostPerDay: null,
  sentToday: 0,
  warmUp: null,
}

function toCarrying({ measured, mostPerSecond, mostPerDay, sentToday }: Pace): Carrying {
  const [speed, allowed] = [measured ?? Number.POSITIVE_INFINITY, mostPerSecond ?? Number.POSITIVE_INFINITY]
  const most = mostPerDay ?? Number.POSITIVE_INFINITY
  return {
    perMs: Math.min(speed, allowed) / second,
    by: allowed <= speed ? 'relay_second' : 'relay_speed',
    mostPerDay: most,
    left: Math.max(0, most - sentToday),
  }
}
