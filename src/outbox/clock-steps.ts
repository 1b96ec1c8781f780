// A clock that is set while work waits. Set back, it would keep waiting what was due by the clock of before; set forward, it would
// call the leases of living processes over.

import { and, eq, gt, max, sql } from 'drizzle-orm'
import { outboxJobs, processes } from '../../db/tables/outbox.ts'
import type { Tx } from '../app.ts'
import type { Clock } from '../lib/clock.ts'
import { second } from '../lib/duration.ts'

/** By so much clocks may differ, or be corrected. */
const toleratedMs = 5 * second
/** By then every process that lives has heard of the server's new time and has renewed its leases by it. */
const heardOfWithinMs = 45 * second

/**
 * A heartbeat in the future tells that the clock was set back. Then what counts from a moment that has not come yet, retries and what
 * was to run at once, is due by so much earlier; a time that a caller named stays. Returns how many jobs that were, null if it was not.
 */
export async function followClock(tx: Tx, leaseMs: number): Promise<number | null> {
  const now = tx.now.getTime()
  const latest = await tx.db
    .select({ at: max(processes.heartbeatAt) })
    .from(processes)
    .get()
  const backMs = (latest?.at?.getTime() ?? 0) - now
  if (backMs <= toleratedMs) return null
  await tx.db.update(processes).set({ heartbeatAt: tx.now }).where(gt(processes.heartbeatAt, tx.now))
  const leaseUntil = new Date(now + leaseMs)
  await tx.db
    .update(outboxJobs)
    .set({ leaseUntil })
    .where(and(eq(outboxJobs.state, 'running'), gt(outboxJobs.leaseUntil, leaseUntil)))
  const moved = await tx.db
    .update(outboxJobs)
    .set({ dueAt: sql`due_at - ${backMs}` })
    .where(
      sql`state = 'pending' AND due_at > ${now} AND (due_at <= created_at OR EXISTS (SELECT 1 FROM outbox_attempts AS last
        WHERE last.job_id = outbox_jobs.id AND last.fence = outbox_jobs.fence AND last.ended_at BETWEEN ${now} AND due_at))`,
    )
    .returning({ id: sql`1` })
  return moved.length
}

/** Says whether the clock was set forward a moment ago. */
export class ClockWatch {
  readonly #clock: Clock
  #lead: number
  #trustedFrom = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#lead = this.#leadNow()
  }

  /** A clock that a test moves by hand is never set. */
  wasSetForward(): boolean {
    const lead = this.#leadNow()
    const isAhead = !this.#clock.virtual && lead - this.#lead > toleratedMs
    this.#lead = lead
    if (isAhead) this.#trustedFrom = performance.now() + heardOfWithinMs
    return performance.now() < this.#trustedFrom
  }

  /** By how much the clock is ahead of time as it passes. */
  #leadNow(): number {
    return this.#clock.now().getTime() - performance.now()
  }
}
