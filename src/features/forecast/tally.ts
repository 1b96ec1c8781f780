// What a forecast counts for one source: by day, the mails that leave, those that never will and why, and those that had to wait.

import type { Limit } from '../../../db/tables/campaigns.ts'
import { localParts } from '../../kit/local-time.ts'
import { Waits } from '../campaigns/limits.ts'

export interface DayCounts {
  /** `2027-01-15`, in the time zone of the workspace. */
  date: string
  leaves: number
  /** By reason: never sent. */
  stopped: Record<string, number>
  /** By reason: sent later than they were due; each mail once a day. */
  waited: Record<string, number>
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
  readonly #waits = new Waits()
  readonly #timeZone: string
  leaves = 0
  lastAt: number | null = null

  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  leave(at: number, mails: number): void {
    this.#day(at).leaves += mails
    this.leaves += mails
    this.lastAt = Math.max(this.lastAt ?? at, at)
  }

  stop(at: number, reason: string, mails: number): void {
    const { stopped } = this.#day(at)
    stopped[reason] = (stopped[reason] ?? 0) + mails
  }

  wait(at: number, { reason, by, mails, ms, isKnown }: Wait): void {
    const { waited } = this.#day(at)
    if (!isKnown) waited[reason] = (waited[reason] ?? 0) + mails
    this.#waits.add({ reason, by }, mails, ms)
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
    return this.#waits.limit()
  }

  #day(at: number): DayCounts {
    const date = this.dateOf(at)
    return this.#days.getOrInsertComputed(date, () => ({ date, leaves: 0, stopped: {}, waited: {} }))
  }
}

const padded = (number: number) => String(number).padStart(2, '0')
