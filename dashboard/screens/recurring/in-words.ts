// When a recurring campaign is due, in words.

import { weekdays } from '../../../db/tables/recurring.ts'
import type { Recurring } from '../../nouns.ts'
import { comma, weekday } from '../../words.ts'
import { words } from './words.ts'

type Rhythm = Pick<Recurring, 'schedule' | 'timeZone'>

/** `Every Mon, Thu at 09:00 (Europe/Berlin)` */
export function scheduleInWords({ schedule, timeZone }: Rhythm): string {
  const zone = schedule.inRecipientZone ? words.ofEach : `(${timeZone})`
  return `${daysInWords(schedule)} ${words.atTime(schedule.at)} ${zone}`
}

function daysInWords({ every, weekdays: names = [], dayOfMonth = 1 }: Recurring['schedule']): string {
  if (every === 'day') return words.everyDay
  if (every === 'month') return words.everyMonth(dayOfMonth)
  return words.everyWeek(names.map((name) => weekday(weekdays.indexOf(name) + 1)).join(comma))
}
