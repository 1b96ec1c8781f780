// The dashboard's words, in the language for which it was built, and how that language writes numbers and times. The words stand in
// `languages/`; who is shown which is decided by the server.

import { createSpeaker, fromTheRight, type MessagesOf } from '../languages/message.ts'
import { textDirection, withLatinDigits } from '../src/kit/locale.ts'
import { loadAnew } from './departure.ts'

export const { language, languages } = spoken

/** For Intl. */
export const locale = withLatinDigits(language)

const speak = createSpeaker(language)

/** The words of one area: `catalogue.campaigns.general`, for which the build puts its messages. */
export function inLanguage<W>(area: MessagesOf<W>): W {
  return speak(area)
}

/** What stands between parts that are put together, and around the words of others. */
export const { comma, colon, quoted } = inLanguage(catalogue.frame.joins)
const isMirrored = textDirection(language) === 'rtl'
/** From one to the next: it points where one reads on. */
export const onward = isMirrored ? '←' : '→'

/** What was put together of words and the names of others, in the direction of the words. */
export function sentence(text: string): string {
  return isMirrored ? fromTheRight(text) : text
}

const aYear = 365 * 24 * 3_600

/** The page is drawn anew, and from now on in this language. */
export function speakIn(wanted: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the store of cookies is not there over plain http
  document.cookie = `language=${wanted}; Path=/; Max-Age=${aYear}; SameSite=Lax${secure}`
  loadAnew()
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
const absolute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
const wall = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const numbers = new Intl.NumberFormat(locale)

/** `3 min. ago` */
export function ago(at: string): string {
  const ms = new Date(at).getTime() - Date.now()
  const [unit, size] = units.find(([, one]) => Math.abs(ms) >= one) ?? ['second', 1_000]
  return relative.format(Math.round(ms / size), unit)
}

export function moment(at: string): string {
  return absolute.format(new Date(at))
}

/** A time of no zone: `2027-01-15T09:00`. */
export function wallTime(local: string): string {
  return wall.format(new Date(`${local}Z`))
}

export function count(n: number): string {
  return numbers.format(n)
}

/** Of a file or a mail: `3.2 kB`, `70 MB` */
export function size(bytes: number): string {
  const [unit, one] = bytes >= 1e9 ? ['gigabyte', 1e9] : bytes >= 1e6 ? ['megabyte', 1e6] : ['kilobyte', 1e3]
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / one)
}

/** Of ISO: 1 is Monday, as was the first of January 2024. */
export function weekday(day: number, length: 'short' | 'long' = 'short'): string {
  const format = new Intl.DateTimeFormat(locale, { weekday: length, timeZone: 'UTC' })
  return format.format(new Date(Date.UTC(2024, 0, day)))
}

/** Of a time of no zone. */
export function weekdayOf(local: string): string {
  return weekday(new Date(`${local}Z`).getUTCDay() || 7)
}
