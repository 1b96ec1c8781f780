// Handles a system clock that is changed while jobs wait. Set back, jobs that were due would wait until the old time comes again; set
// forward, the leases of live processes would look expired.

import { and, eq, gt, max, sql } from 'drizzle-orm'
import { outboxJobs, processes } from '../../../db/tables/outbox.ts'
import type { Clock } from '../../kit/clock.ts'
import { second } from '../../kit/duration.ts'
import type { Tx } from '../app.ts'

/** How far clocks may differ, or be corrected. */
const toleratedMs = 5 * second
/** By then every live process has seen the server's new time and renewed its leases. */
const heardOfWithinMs = 45 * second

/**
 * A heartbeat in the future shows that the clock was set back. Then jobs whose due time was computed from the old time (retries, and jobs
 * to run at once) are moved earlier by the difference; a time chosen by a caller stays. Returns the number of jobs moved, or null if the
 * clock was not set back.
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

/** Whether the clock was set forward a moment ago. */
export class ClockWatch {
  readonly #clock: Clock
  #lead: number
  #trustedFrom = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#lead = this.#leadNow()
  }

  /** A clock that a test moves by hand is never corrected. */
  wasSetForward(): boolean {
    const lead = this.#leadNow()
    const isAhead = !this.#clock.virtual && lead - this.#lead > toleratedMs
    this.#lead = lead
    if (isAhead) this.#trustedFrom = performance.now() + heardOfWithinMs
    return performance.now() < this.#trustedFrom
  }

  /** How far the clock is ahead of elapsed time. */
  #leadNow(): number {
    return this.#clock.now().getTime() - performance.now()
  }
}
