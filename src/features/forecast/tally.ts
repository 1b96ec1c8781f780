// What a forecast counts for one source: by day, the mails that leave, those that never will and why, and those that had to wait.

import { localParts } from '../../kit/local-time.ts'
import type { Allowance } from '../campaigns/reputation/caps.ts'

export interface DayCounts {
  /** `2027-01-15`, in the time zone of the workspace. */
  date: string
  leaves: number
  /** By reason: never sent. */
  stopped: Record<string, number>
  /** By reason: sent later than they were due; each mail once a day. */
  waited: Record<string, number>
}

/** What keeps the most mails for the longest. */
export interface Limit {
  reason: string
  /** Of `daily_cap`: which cap it is. */
  by: Allowance['by'] | null
}

interface Wait extends Limit {
  mails: number
  /** For how long. */
  ms: number
  /** Whether they were counted today. */
  isKnown: boolean
}

export class Tally {
  readonly #days = new Map<string, DayCounts>()
  readonly #waits = new Map<string, Limit & { mailMs: number }>()
  readonly #timeZone: string
  leaves = 0
  lastAt: number | null = null

  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  leave(at: number, mails: number): void {
    this.#day(at).leaves += mails
    this.leaves += mails
    this.lastAt = at
  }

  stop(at: number, reason: string, mails: number): void {
    const { stopped } = this.#day(at)
    stopped[reason] = (stopped[reason] ?? 0) + mails
  }

  wait(at: number, { reason, by, mails, ms, isKnown }: Wait): void {
    const { waited } = this.#day(at)
    if (!isKnown) waited[reason] = (waited[reason] ?? 0) + mails
    const kept = this.#waits.getOrInsertComputed(`${reason} ${by}`, () => ({ reason, by, mailMs: 0 }))
    kept.mailMs += mails * ms
  }

  /** The date there and then. */
  dateOf(at: number): string {
    const { year, month, day } = localParts(new Date(at), this.#timeZone)
    return `${year}-${padded(month)}-${padded(day)}`
  }

  days(): DayCounts[] {
    return [...this.#days.values()].sort((one, other) => (one.date < other.date ? -1 : 1))
  }

  /** Null: nothing waited. */
  limit(): Limit | null {
    const [most] = [...this.#waits.values()].sort((one, other) => other.mailMs - one.mailMs)
    return most === undefined ? null : { reason: most.reason, by: most.by }
  }

  #day(at: number): DayCounts {
    const date = this.dateOf(at)
    return this.#days.getOrInsertComputed(date, () => ({ date, leaves: 0, stopped: {}, waited: {} }))
  }
}

const padded = (number: number) => String(number).padStart(2, '0')
