// When a failed delivery is retried.

import { day, hour, minute, second } from '../../kit/duration.ts'

/** After the first, second … failure, before jitter: ten attempts within about three days. */
export const retryDelaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** An endpoint that has only failed for this long is disabled. */
export const failingUntilDisabledMs = 5 * day

/** RFC 9110, 5.6.7. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/

/** The delay from Retry-After, limited to between once and twice the scheduled delay; null = none requested. */
export function askedDelayMs(retryAfter: string | undefined, failedAttempts: number, now: Date): number | null {
  if (retryAfter === undefined) return null
  const isSeconds = /^\d{1,9}$/.test(retryAfter)
  if (!isSeconds && !httpDate.test(retryAfter)) return null
  const asked = isSeconds ? Number(retryAfter) * second : Date.parse(retryAfter) - now.getTime()
  if (Number.isNaN(asked)) return null
  const scheduled = retryDelaysMs[Math.min(failedAttempts, retryDelaysMs.length) - 1] ?? 0
  return Math.min(2 * scheduled, Math.max(scheduled, asked))
}
