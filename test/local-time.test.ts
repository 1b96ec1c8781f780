// Times of day where people are: daylight saving, leap days, zones of half hours, and those at the ends of the world.

import { describe, expect, test } from 'bun:test'
import {
  fromLocal,
  isTimeZone,
  localParts,
  nextLocalTime,
  nextOutside,
  parseLocalTime,
  spread,
} from '../src/kit/local-time.ts'

const at = (text: string) => new Date(text)

function local(text: string) {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/[-T:]/).map(Number)
  return { year, month, day, hour, minute }
}

test('a local time has no offset, and a day and an hour that there are', () => {
  expect(parseLocalTime('2028-02-29T23:59')).toEqual({ ...local('2028-02-29T23:59'), second: 0 })
  expect(parseLocalTime('2027-01-15T09:00:30')).toEqual({ ...local('2027-01-15T09:00'), second: 30 })
  for (const text of [
    '2027-02-29T09:00',
    '2027-01-15T24:01',
    '2027-01-15T09:60',
    '2027-01-15T09:00Z',
    '2027-01-15',
    '09:00',
    '',
  ])
    expect(parseLocalTime(text)).toBeNull()
})

describe('what a zone is', () => {
  test.each(['UTC', 'Europe/Berlin', 'europe/berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+12', 'EST', '+05:30'])(
    '%p',
    (name) => expect(isTimeZone(name)).toBe(true),
  )

  test.each([
    '',
    ' ',
    'Mars/Olympus',
    'Berlin',
    'Europe/Berlin ',
    '2026-01-01T00:00[UTC]',
    '20260101',
    'Z',
    '+25:00',
    '\0',
  ])('not %p', (name) => {
    expect(isTimeZone(name)).toBe(false)
    expect(() => localParts(at('2026-01-01T00:00:00Z'), name)).toThrow('is not a time zone')
  })

  test('a long name costs nothing, and many names leave what is known usable', () => {
    expect(isTimeZone('Europe/'.repeat(1_000_000))).toBe(false)
    for (let n = 0; n < 3_000; n++) expect(isTimeZone(`Nowhere/N${n}`)).toBe(false)
    expect(isTimeZone('Europe/Berlin')).toBe(true)
  })
})

describe('what time it is there', () => {
  test.each([
    ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29T01:59', 7],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29T03:00', 7],
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25T02:30', 7],
    ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25T02:30', 7],
    ['2026-01-01T00:00:00Z', 'Asia/Kathmandu', '2026-01-01T05:45', 4],
    ['2026-07-01T00:00:00Z', 'Australia/Lord_Howe', '2026-07-01T10:30', 3],
    ['2026-01-01T00:00:00Z', 'Australia/Lord_Howe', '2026-01-01T11:00', 4],
    ['2026-01-01T11:00:00Z', 'Pacific/Kiritimati', '2026-01-02T01:00', 5],
    ['2026-01-01T11:00:00Z', 'Etc/GMT+12', '2025-12-31T23:00', 3],
    ['2028-02-28T23:30:00Z', 'Europe/Berlin', '2028-02-29T00:30', 2],
    ['2027-02-28T23:30:00Z', 'Europe/Berlin', '2027-03-01T00:30', 1],
    ['2026-06-01T00:00:00Z', '-03:30', '2026-05-31T20:30', 7],
  ])('at %s in %s it is %s', (moment, zone, text, weekday) => {
    expect(localParts(at(moment), zone)).toEqual({ ...local(text), weekday })
  })
})

describe('when it is a time there', () => {
  test.each([
    // The clocks go from 02:00 to 03:00.
    ['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00Z'],
    ['2026-03-29T02:00', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
    // 02:00 to 03:00 occurs twice.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
    ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00Z'],
    // Half an hour of daylight saving.
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00Z'],
    // A whole day that was skipped.
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
    // Clocks that change at midnight.
    ['2026-03-08T00:30', 'America/Havana', '2026-03-08T05:00:00Z'],
    ['2026-01-02T01:00', 'Pacific/Kiritimati', '2026-01-01T11:00:00Z'],
    ['2025-12-31T23:00', 'Etc/GMT+12', '2026-01-01T11:00:00Z'],
    ['2028-02-29T09:00', 'Asia/Kolkata', '2028-02-29T03:30:00Z'],
    ['2027-02-29T09:00', 'Asia/Kolkata', '2027-03-01T03:30:00Z'],
  ])('%s in %s is %s', (text, zone, moment) => {
    expect(fromLocal(local(text), zone)).toEqual(at(moment))
  })

  test('every quarter of an hour of two years comes back from its local time, or is the second of two', () => {
    const quarter = 15 * 60_000
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Chatham', 'UTC']) {
      const odd: number[] = []
      for (let n = 0; n < 2 * 365 * 96; n++) {
        const moment = Date.UTC(2026, 0, 1) + n * quarter
        const found = fromLocal(localParts(new Date(moment), zone), zone).getTime()
        if (found !== moment) odd.push(moment - found)
      }
      const repeatedMs = zone === 'Australia/Lord_Howe' ? 2 * quarter : 4 * quarter
      const times = zone === 'UTC' ? 0 : 2 * (repeatedMs / quarter)
      expect(odd).toEqual(Array.from({ length: times }, () => repeatedMs))
    }
  })
})

describe('the next time of day', () => {
  test.each([
    ['2026-06-01T06:59:59Z', 'Europe/Berlin', '09:00', undefined, '2026-06-01T07:00:00Z'],
    ['2026-06-01T07:00:00Z', 'Europe/Berlin', '09:00', undefined, '2026-06-01T07:00:00Z'],
    ['2026-06-01T07:00:01Z', 'Europe/Berlin', '09:00', undefined, '2026-06-02T07:00:00Z'],
    // 1 June 2026 is a Monday.
    ['2026-06-01T07:00:01Z', 'Europe/Berlin', '09:00', [1], '2026-06-08T07:00:00Z'],
    ['2026-06-01T05:00:00Z', 'Europe/Berlin', '09:00', [6, 7], '2026-06-06T07:00:00Z'],
    ['2026-06-07T23:00:00Z', 'Europe/Berlin', '00:30', [1], '2026-06-14T22:30:00Z'],
    // The day of the person, not that of UTC.
    ['2026-06-01T11:00:00Z', 'Pacific/Kiritimati', '09:00', [2], '2026-06-01T19:00:00Z'],
    ['2026-06-01T11:00:00Z', 'Etc/GMT+12', '23:00', [7], '2026-06-01T11:00:00Z'],
    ['2026-03-28T12:00:00Z', 'Europe/Berlin', '02:30', undefined, '2026-03-29T01:00:00Z'],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '02:30', undefined, '2026-03-29T01:00:00Z'],
    ['2026-10-25T00:45:00Z', 'Europe/Berlin', '02:30', undefined, '2026-10-26T01:30:00Z'],
    ['2028-02-28T12:00:00Z', 'Asia/Kathmandu', '09:00', undefined, '2028-02-29T03:15:00Z'],
  ])('after %s in %s at %s on %p: %s', (after, zone, time, weekdays, moment) => {
    expect(nextLocalTime(at(after), { zone, time, ...(weekdays && { weekdays }) })).toEqual(at(moment))
  })

  test('no weekday is refused', () => {
    const when = { zone: 'UTC', time: '09:00', weekdays: [] }
    expect(() => nextLocalTime(at('2026-06-01T00:00:00Z'), when)).toThrow('weekday')
  })
})

describe('quiet hours', () => {
  test.each([
    ['22:00', '08:00', 'UTC', '2026-06-01T21:59:59Z', '2026-06-01T21:59:59Z'],
    ['22:00', '08:00', 'UTC', '2026-06-01T22:00:00Z', '2026-06-02T08:00:00Z'],
    ['22:00', '08:00', 'UTC', '2026-06-02T07:59:59Z', '2026-06-02T08:00:00Z'],
    ['22:00', '08:00', 'UTC', '2026-06-02T08:00:00Z', '2026-06-02T08:00:00Z'],
    ['12:00', '14:00', 'Asia/Kolkata', '2026-06-01T07:00:00Z', '2026-06-01T08:30:00Z'],
    ['12:00', '14:00', 'Asia/Kolkata', '2026-06-01T09:00:00Z', '2026-06-01T09:00:00Z'],
    // The night in which an hour is skipped, and the one that has it twice.
    ['22:00', '08:00', 'Europe/Berlin', '2026-03-28T22:00:00Z', '2026-03-29T06:00:00Z'],
    ['22:00', '08:00', 'Europe/Berlin', '2026-10-24T21:00:00Z', '2026-10-25T07:00:00Z'],
    ['22:00', '02:30', 'Europe/Berlin', '2026-03-29T00:30:00Z', '2026-03-29T01:00:00Z'],
    ['22:00', '02:30', 'Europe/Berlin', '2026-10-25T00:00:00Z', '2026-10-25T00:30:00Z'],
    ['22:00', '02:30', 'Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25T01:30:00Z'],
    ['22:00', '07:00', 'Pacific/Kiritimati', '2026-01-01T11:00:00Z', '2026-01-01T17:00:00Z'],
    ['22:00', '07:00', 'Etc/GMT+12', '2026-01-01T11:00:00Z', '2026-01-01T19:00:00Z'],
    ['08:00', '08:00', 'UTC', '2026-06-01T08:00:00Z', '2026-06-01T08:00:00Z'],
  ])('%s to %s in %s: at %s one waits until %s', (from, to, zone, moment, end) => {
    expect(nextOutside({ from, to }, zone, at(moment))).toEqual(at(end))
  })

  test('without quiet hours nobody waits', () => {
    const now = at('2026-06-01T00:00:00Z')
    expect(nextOutside(null, 'UTC', now)).toBe(now)
  })
})

test('what is due together is spread: each at a moment of its own, always the same', () => {
  const offsets = Array.from({ length: 10_000 }, (_, n) => spread(`contact_${n}`, 600_000))
  expect(offsets).toEqual(Array.from({ length: 10_000 }, (_, n) => spread(`contact_${n}`, 600_000)))
  expect(Math.min(...offsets)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...offsets)).toBeLessThan(600_000)
  const perMinute = Array.from({ length: 10 }, (_, n) => offsets.filter((ms) => Math.floor(ms / 60_000) === n).length)
  for (const count of perMinute) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  expect(spread('a', 0)).toBe(0)
})
