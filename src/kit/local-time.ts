// Times of day where people are: in zones of IANA (`Europe/Berlin`) or at an offset (`+05:30`), with daylight saving. A time of day that
// a change of the clocks skips is the first moment after it; one that occurs twice is the first of the two.

import { day, hour, minute } from './duration.ts'
import { parseTime } from './time.ts'

export interface LocalTime {
  year: number
  /** 1 to 12 */
  month: number
  day: number
  hour: number
  minute: number
  /** Default: 0. */
  second?: number
}

/** Times of day (`22:00`) between which nobody is to be disturbed: from the first until just before the second, also across midnight. */
export interface QuietHours {
  from: string
  to: string
}

/** `09:05`, in 24 hours. */
export const timeOfDayPattern = '^([01]\\d|2[0-3]):[0-5]\\d$'

/** A time in which a zone keeps one distance from UTC. */
interface Span {
  from: number
  until: number
  offsetMs: number
}

/** A whole date with its zone would be a zone to the runtime, too. */
const zoneShape = /^(?:[A-Za-z][A-Za-z0-9_+/-]{0,63}|[+-]\d\d:?\d\d)$/
/** No zone was ever further from UTC. */
const farthestMs = 16 * hour

const maxZones = 1_000
const maxSpans = 100
/** A cache: zones are few, and the runtime takes long. The spans that were needed; null: no such zone. Its names come from strangers. */
const spansOf = new Map<string, Span[] | null>()

export function isTimeZone(name: string): boolean {
  return findSpans(name) !== null
}

/** Throws for a zone that is none. `weekday` is 1 for Monday to 7 for Sunday. */
export function localParts(at: Date, zone: string): LocalTime & { weekday: number } {
  const local = new Date(at.getTime() + spanAt(zone, at.getTime()).offsetMs)
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    weekday: local.getUTCDay() || 7,
  }
}

const localShape = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?$/

/** `2027-01-15T09:00`, also with seconds; null for another format and for a time that no day has. */
export function parseLocalTime(text: string): LocalTime | null {
  const match = localShape.exec(text)
  if (match === null || parseTime(`${text}Z`) === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  return { year, month, day, hour, minute, second }
}

/** A day that the month does not have counts on into the next: 30 February is 2 March, or 1 March. */
export function fromLocal({ year, month, day, hour, minute, second = 0 }: LocalTime, zone: string): Date {
  return new Date(momentOf(Date.UTC(year, month - 1, day, hour, minute, second), zone))
}

/** The first moment not before `after` at which it is `time` there, on one of the weekdays (1 Monday to 7 Sunday; absent: on any). */
export function nextLocalTime(after: Date, when: { zone: string; time: string; weekdays?: number[] }): Date {
  const { year, month, day: today, weekday } = localParts(after, when.zone)
  const first = Date.UTC(year, month - 1, today) + minutesOf(when.time) * minute
  // A week later it is the same weekday, should the time of today have passed.
  for (let days = 0; days <= 7; days++) {
    const isMeant = when.weekdays?.includes(((weekday - 1 + days) % 7) + 1) ?? true
    const moment = isMeant ? momentOf(first + days * day, when.zone) : -1
    if (moment >= after.getTime()) return new Date(moment)
  }
  throw new RangeError('none of these is a weekday')
}

/** The first moment not before `at` that is not quiet there; `at` itself where nothing is. An hour that occurs twice is quiet twice. */
export function nextOutside(quiet: QuietHours | null, zone: string, at: Date): Date {
  if (quiet === null) return at
  const from = minutesOf(quiet.from) * minute
  const lengthMs = remainder(minutesOf(quiet.to) * minute - from)
  for (let now = at.getTime(); ; ) {
    const { offsetMs, until } = spanAt(zone, now)
    const passedMs = remainder(now + offsetMs - from)
    if (passedMs >= lengthMs) return now === at.getTime() ? at : new Date(now)
    // When the clocks change before it ends, the new time of day decides.
    now = Math.min(now + lengthMs - passedMs, until)
  }
}

/** From 0 to just under `withinMs`, always the same for a key: what is due together leaves one after the other. */
export function spread(key: string, withinMs: number): number {
  return Math.floor((Bun.hash.xxHash32(key) / 2 ** 32) * withinMs)
}

/** Of a local time, written as if it were UTC: the first span in which it occurs, or that begins after it was skipped. */
function momentOf(local: number, zone: string): number {
  for (let span = spanAt(zone, local - farthestMs); ; span = spanAt(zone, span.until)) {
    const moment = local - span.offsetMs
    if (moment < span.until) return Math.max(moment, span.from)
  }
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

function remainder(ms: number): number {
  return ((ms % day) + day) % day
}

function spanAt(zone: string, at: number): Span {
  const spans = findSpans(zone)
  if (spans === null) throw new RangeError(`${JSON.stringify(zone.slice(0, 64))} is not a time zone`)
  for (const span of spans) if (span.from <= at && at < span.until) return span
  const span = readSpan(zone, at)
  if (spans.length >= maxSpans) spans.length = 0
  spans.push(span)
  return span
}

function findSpans(zone: string): Span[] | null {
  const known = spansOf.get(zone)
  if (known !== undefined) return known
  if (!zoneShape.test(zone)) return null
  if (spansOf.size >= maxZones) spansOf.clear()
  const spans = isKnownToRuntime(zone) ? [] : null
  spansOf.set(zone, spans)
  return spans
}

function isKnownToRuntime(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone)
    return true
  } catch {
    return false
  }
}

function readSpan(zone: string, at: number): Span {
  const moment = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  const next = moment.getTimeZoneTransition('next')
  // The transition before the next one: `previous` of the moment itself would miss the one that happens at it.
  const last = (next ?? moment.add({ milliseconds: 1 })).getTimeZoneTransition('previous')
  return {
    from: last?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: moment.offsetNanoseconds / 1e6,
  }
}
