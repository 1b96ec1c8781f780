// The dashboard's texts that are shared by its screens, in the language of the person who looks at it. Each screen has its own texts beside
// it, in English and in German.

import { loadAnew } from './departure.ts'

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

const key = 'language'

export const language: Language = chosen() ?? (navigator.language.startsWith('de') ? 'de' : 'en')
document.documentElement.lang = language

function chosen(): Language | null {
  const stored = localStorage.getItem(key)
  return stored === 'en' || stored === 'de' ? stored : null
}

/** The same words must be there in each language: the types see to it. */
export function inLanguage<W>(words: { en: W; de: { [K in keyof W]: W[K] } }): W {
  return words[language]
}

/** The page is drawn anew. */
export function speak(wanted: Language): void {
  localStorage.setItem(key, wanted)
  loadAnew()
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
const absolute = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })
const wall = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const numbers = new Intl.NumberFormat(language)

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

const forms = new Intl.PluralRules(language)

/** A number and what follows it: `1 contact`, `2,345 contacts`, `1 is left`. */
export function counted(n: number, one: string, others: string): string {
  return `${count(n)} ${forms.select(n) === 'one' ? one : others}`
}

/** Of ISO: 1 is Monday, as was the first of January 2024. */
export function weekday(day: number, length: 'short' | 'long' = 'short'): string {
  const format = new Intl.DateTimeFormat(language, { weekday: length, timeZone: 'UTC' })
  return format.format(new Date(Date.UTC(2024, 0, day)))
}

/** Of a time of no zone. */
export function weekdayOf(local: string): string {
  return weekday(new Date(`${local}Z`).getUTCDay() || 7)
}
