// Receivers that could not be spoken to a moment ago: mail for them fails at once in the same way, and is tried again at its own time. So a
// dead server costs one attempt in a while, and not one for each mail.

import type { Clock } from '../../kit/clock.ts'
import { minute, second } from '../../kit/duration.ts'
import type { Failure } from '../smtp-connection.ts'

const firstMs = 30 * second
const longestMs = 5 * minute
/** Receivers that are remembered. */
const most = 5_000

interface Trouble {
  failure: Failure
  until: number
  waitMs: number
}

export class Troubles {
  readonly #clock: Clock
  readonly #troubles = new Map<string, Trouble>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How the last mail failed, while no other is tried. */
  of(site: string): Failure | null {
    const trouble = this.#troubles.get(site)
    return trouble && this.#now() < trouble.until ? trouble.failure : null
  }

  failed(site: string, failure: Failure): void {
    const before = this.#troubles.get(site)
    // Several may have been on their way.
    if (before && this.#now() < before.until) return
    const waitMs = before ? Math.min(2 * before.waitMs, longestMs) : firstMs
    this.#troubles.delete(site)
    const oldest = this.#troubles.size < most ? undefined : this.#troubles.keys().next().value
    if (oldest !== undefined) this.#troubles.delete(oldest)
    this.#troubles.set(site, { failure, until: this.#now() + waitMs, waitMs })
  }

  over(site: string): void {
    this.#troubles.delete(site)
  }

  #now(): number {
    return this.#clock.now().getTime()
  }
}
