// When a recurring campaign is due: the times of its schedule in its zone, or in that of each recipient.

import { type RecurringSchedule, weekdays } from '../../../../db/tables/recurring.ts'
import { hour } from '../../../kit/duration.ts'
import { fromLocal, localParts, nextLocalTime } from '../../../kit/local-time.ts'

/** As scheduled campaigns: a time that passed longer ago is not made up for. */
export const missedAfterMs = hour

/** The first on earth to have a time of day: in none has it passed before. */
const firstZone = '+14:00'

/** `timeZone`: where the time of day is meant, unless it is that of each recipient. */
export interface Rhythm {
  schedule: RecurringSchedule
  timeZone: string
}

const zoneOf = ({ schedule, timeZone }: Rhythm) => (schedule.inRecipientZone ? firstZone : timeZone)

/** The first of its times after this moment. */
export function nextOccurrence(rhythm: Rhythm, after: Date): Date {
  const { schedule } = rhythm
  const zone = zoneOf(rhythm)
  const from = new Date(after.getTime() + 1)
  const { at: time } = schedule
  if (schedule.every === 'day') return nextLocalTime(from, { zone, time })
  if (schedule.every === 'month') return nextInMonths(schedule, zone, from)
  return nextLocalTime(from, { zone, time, weekdays: schedule.weekdays.map((name) => weekdays.indexOf(name) + 1) })
}

/** The next ones, the first first. */
export function listOccurrences(rhythm: Rhythm, after: Date, count: number): Date[] {
  const times: Date[] = []
  for (let last = after; times.length < count; times.push(last)) last = nextOccurrence(rhythm, last)
  return times
}

/** `2027-01-15T09:00`: the time on its clock. */
export function wallTimeOf(rhythm: Rhythm, at: Date): string {
  const { year, month, day, hour, minute } = localParts(at, zoneOf(rhythm))
  const [date, time] = [
    [year, month, day],
    [hour, minute],
  ].map((parts) => parts.map((part) => String(part).padStart(2, '0')))
  return `${date?.join('-')}T${time?.join(':')}`
}

/** The time that may be served now of those from `due` on: the last that has passed, where that is no longer than an hour ago. */
export function servedOccurrence(rhythm: Rhythm, due: Date, now: Date): Date | null {
  if (now.getTime() - due.getTime() <= missedAfterMs) return due
  const last = nextOccurrence(rhythm, new Date(now.getTime() - missedAfterMs - 1))
  return last <= now ? last : null
}

function nextInMonths(
  { at: time, dayOfMonth }: RecurringSchedule & { every: 'month' },
  zone: string,
  from: Date,
): Date {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const { year, month } = localParts(from, zone)
  for (let ahead = 0; ; ahead++) {
    const first = new Date(Date.UTC(year, month - 1 + ahead))
    const days = new Date(Date.UTC(year, month + ahead, 0)).getUTCDate()
    const day = Math.min(dayOfMonth, days)
    const local = { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1, day, hour, minute }
    const moment = fromLocal(local, zone)
    if (moment >= from) return moment
  }
}
