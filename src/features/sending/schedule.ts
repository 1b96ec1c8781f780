// The time of a scheduled mail: how it is written, and how far ahead it may be.

import type { App } from '../../core/app.ts'
import { day } from '../../kit/duration.ts'
import { invalidField } from '../../kit/error.ts'
import { parseTime } from '../../kit/time.ts'

const maxAheadMs = 365 * day

/** Undefined for now, and for a time that has passed. Throws 422 naming `path`. */
export function parseSchedule(app: App, path: string, text: string | null | undefined): Date | undefined {
  return text === undefined || text === null ? undefined : checkSchedule(app, path, parseTime(text))
}

/** The same for a time that was parsed; null: it was none. */
export function checkSchedule(app: App, path: string, at: Date | null): Date | undefined {
  if (at === null)
    throw invalidField(path, 'must be an ISO 8601 time with an offset, like 2027-01-15T12:00:00Z', 'invalid_time')
  const delayMs = at.getTime() - app.clock.now().getTime()
  checkAhead(path, delayMs)
  return delayMs > 0 ? at : undefined
}

/** Throws 422 for more than a year, and for a time beyond all that can be written (NaN). */
export function checkAhead(path: string, delayMs: number): void {
  if (!(delayMs <= maxAheadMs)) throw invalidField(path, 'must be at most 365 days ahead', 'invalid_time')
}
