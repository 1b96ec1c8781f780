// Decides whether an expired lease means that its process is gone. Right after the database was unavailable it does not: no process could
// renew its lease meanwhile.

import type { Clock } from '../../kit/clock.ts'
import { second } from '../../kit/duration.ts'

/** Leases are renewed every ten seconds: by then every living process has done so. */
const renewedWithinMs = 20 * second

export class LeaseWatch {
  readonly #clock: Clock
  #isAway = false
  #trustedFrom = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Our own lease could not be renewed, or nothing is known about the time before. */
  missed(): void {
    this.#isAway = true
  }

  renewed(): void {
    if (this.#isAway) this.#trustedFrom = this.#clock.now().getTime() + renewedWithinMs
    this.#isAway = false
  }

  isTrusted(): boolean {
    return !this.#isAway && this.#clock.now().getTime() >= this.#trustedFrom
  }
}
