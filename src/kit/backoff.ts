// When to retry: a fixed schedule with jitter, so that what failed together is not retried together.

import type { Random } from './random.ts'

/** Delay before the next attempt, in ms: schedule[failed attempts - 1] × 0.8..1.2; the last entry repeats. */
export function backoffMs(schedule: number[], failedAttempts: number, random: Random): number {
  const base = schedule[Math.min(failedAttempts, schedule.length) - 1] ?? 0
  return Math.round(base * (0.8 + 0.4 * random.fraction()))
}
