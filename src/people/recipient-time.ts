// When a person may be sent marketing mail: in which zone they are, and not in their quiet hours.

import { second } from '../kit/duration.ts'
import { isTimeZone, nextOutside, type QuietHours, spread } from '../kit/local-time.ts'

/** The zone of the contact; that of the workspace for one without, or with one that nobody knows. */
export function zoneOf({ timezone }: { timezone: string | null }, workspace: { timeZone: string }): string {
  return timezone !== null && isTimeZone(timezone) ? timezone : workspace.timeZone
}

export interface RecipientTime {
  zone: string
  quietHours: QuietHours | null
  /** Decides how soon after the others it leaves: what is sent, and to whom. */
  key: string
}

/** Ten minutes, in steps: who leaves in the same step is prepared together. */
const spreadSteps = 60
const stepMs = 10 * second
/** How much later than the first the last leave. */
export const spreadMs = (spreadSteps - 1) * stepMs

/** In the ten minutes from `at`, but `at` itself where that would be in their quiet hours. */
export function spreadFrom(at: Date, { zone, quietHours, key }: RecipientTime): Date {
  const later = new Date(at.getTime() + spread(key, spreadSteps) * stepMs)
  return nextOutside(quietHours, zone, later) === later ? later : at
}

/** `at` itself outside of their quiet hours, else in the first minutes after these. */
export function mailableFrom(at: Date, person: RecipientTime): Date {
  const end = nextOutside(person.quietHours, person.zone, at)
  return end === at ? at : spreadFrom(end, person)
}
