// When a wait of a sequence is over: days of 23 and of 25 hours, leap days, turns of the year, weekdays, dates of the contact.

import { describe, expect, test } from 'bun:test'
import type { WaitStep } from '../db/tables/sequences.ts'
import type { Contact } from '../src/features/contacts/consent/find-contact.ts'
import { dueAt } from '../src/features/sequences/moves.ts'

interface Row {
  says: string
  zone: string
  now: string
  wait: Omit<WaitStep, 'id' | 'type'>
  properties?: Record<string, unknown>
  until: string
}

const [berlin, newYork, auckland] = ['Europe/Berlin', 'America/New_York', 'Pacific/Auckland']
const days = (amount: number) => ({ amount, unit: 'd' }) as const
const weekdays = [1, 2, 3, 4, 5]

const rows: Row[] = [
  // The clocks go forward in Berlin on 29 March 2026 at 02:00, and back on 25 October at 03:00.
  {
    says: 'a time of day that is skipped is the moment after it',
    zone: berlin,
    now: '2026-03-28T12:00Z',
    wait: { at: '02:30' },
    until: '2026-03-29T01:00Z',
  },
  {
    says: 'a time of day that comes twice is the first of the two',
    zone: berlin,
    now: '2026-10-24T12:00Z',
    wait: { at: '02:30' },
    until: '2026-10-25T00:30Z',
  },
  {
    says: 'between the two it is the next day',
    zone: berlin,
    now: '2026-10-25T00:45Z',
    wait: { at: '02:30' },
    until: '2026-10-26T01:30Z',
  },
  {
    says: 'a day without a time of day is 24 hours',
    zone: berlin,
    now: '2026-03-28T11:00Z',
    wait: { for: days(1) },
    until: '2026-03-29T11:00Z',
  },
  {
    says: 'a day with a time of day is tomorrow, after one of 23 hours',
    zone: berlin,
    now: '2026-03-28T11:00Z',
    wait: { for: days(1), at: '12:00' },
    until: '2026-03-29T10:00Z',
  },
  {
    says: 'and after one of 25',
    zone: berlin,
    now: '2026-10-24T10:00Z',
    wait: { for: days(1), at: '12:00' },
    until: '2026-10-25T11:00Z',
  },
  {
    says: 'a mail that left seconds after nine is followed by one at nine the next day',
    zone: berlin,
    now: '2026-06-01T07:00:07Z',
    wait: { for: days(1), at: '09:00' },
    until: '2026-06-02T07:00Z',
  },
  {
    says: 'hours are hours, whatever the time of day',
    zone: berlin,
    now: '2026-06-01T07:00:07Z',
    wait: { for: { amount: 24, unit: 'h' }, at: '09:00' },
    until: '2026-06-03T07:00Z',
  },
  {
    says: 'half an hour is skipped on Lord Howe',
    zone: 'Australia/Lord_Howe',
    now: '2026-10-03T03:00Z',
    wait: { at: '02:15' },
    until: '2026-10-03T15:30Z',
  },
  {
    says: 'a year has a leap day',
    zone: berlin,
    now: '2028-02-28T12:00Z',
    wait: { for: days(1), at: '08:00' },
    until: '2028-02-29T07:00Z',
  },
  {
    says: 'a year of days ends a day early after it',
    zone: berlin,
    now: '2028-02-29T12:00Z',
    wait: { for: days(365), at: '08:00' },
    until: '2029-02-28T07:00Z',
  },
  {
    says: 'a year turns where the person is',
    zone: berlin,
    now: '2026-12-31T23:30Z',
    wait: { at: '00:15' },
    until: '2027-01-01T23:15Z',
  },
  {
    says: 'a time of day that is now is not waited for',
    zone: berlin,
    now: '2026-06-01T07:00Z',
    wait: { at: '09:00' },
    until: '2026-06-01T07:00Z',
  },
  {
    says: 'a weekday over a weekend of 47 hours',
    zone: newYork,
    now: '2026-03-06T15:00Z',
    wait: { at: '09:00', weekdays },
    until: '2026-03-09T13:00Z',
  },
  {
    says: 'a weekday is that of the place',
    zone: auckland,
    now: '2026-06-05T10:00Z',
    wait: { at: '23:00', weekdays: [5] },
    until: '2026-06-05T11:00Z',
  },
  {
    says: 'the same weekday is a week later when its time is over',
    zone: auckland,
    now: '2026-06-05T11:00:01Z',
    wait: { at: '23:00', weekdays: [5] },
    until: '2026-06-12T11:00Z',
  },
  {
    says: 'days before a date are days of the calendar',
    zone: berlin,
    now: '2026-03-01T00:00Z',
    wait: { date: 'ends', days: -3, at: '10:00' },
    properties: { ends: '2026-03-30' },
    until: '2026-03-27T09:00Z',
  },
  {
    says: 'a date begins where the person is',
    zone: auckland,
    now: '2026-03-01T00:00Z',
    wait: { date: 'ends' },
    properties: { ends: '2026-03-30' },
    until: '2026-03-29T11:00Z',
  },
  {
    says: 'a date begins at one where midnight is skipped',
    zone: 'Africa/Cairo',
    now: '2026-04-01T00:00Z',
    wait: { date: 'ends' },
    properties: { ends: '2026-04-24' },
    until: '2026-04-23T22:00Z',
  },
  {
    says: 'a leap day is a date',
    zone: 'UTC',
    now: '2028-01-01T00:00Z',
    wait: { date: 'ends' },
    properties: { ends: '2028-02-29' },
    until: '2028-02-29T00:00Z',
  },
  {
    says: 'a day before 1 March is the leap day',
    zone: 'UTC',
    now: '2028-01-01T00:00Z',
    wait: { date: 'ends', days: -1 },
    properties: { ends: '2028-03-01' },
    until: '2028-02-29T00:00Z',
  },
  {
    says: 'a year after a leap day is 28 February',
    zone: 'UTC',
    now: '2028-01-01T00:00Z',
    wait: { date: 'ends', days: 365 },
    properties: { ends: '2028-02-29' },
    until: '2029-02-28T00:00Z',
  },
  {
    says: 'a date with a time keeps it',
    zone: berlin,
    now: '2026-01-01T00:00Z',
    wait: { date: 'ends', days: -1 },
    properties: { ends: '2026-02-10T18:30:00Z' },
    until: '2026-02-09T18:30Z',
  },
  {
    says: 'a date after the last year is that of its end',
    zone: berlin,
    now: '2026-06-01T00:00Z',
    wait: { date: 'ends', days: 400, at: '10:00' },
    properties: { ends: '9999-12-31' },
    until: '9999-12-31T23:59:59Z',
  },
  {
    says: 'a date that is over is not waited for',
    zone: berlin,
    now: '2026-06-01T00:00Z',
    wait: { date: 'ends', at: '10:00' },
    properties: { ends: '2026-03-30' },
    until: '2026-06-01T00:00Z',
  },
  {
    says: 'nor one that is missing',
    zone: berlin,
    now: '2026-06-01T00:00Z',
    wait: { date: 'ends' },
    until: '2026-06-01T00:00Z',
  },
  {
    says: 'nor one that no calendar has',
    zone: berlin,
    now: '2026-01-01T00:00Z',
    wait: { date: 'ends' },
    properties: { ends: '2026-02-29' },
    until: '2026-01-01T00:00Z',
  },
]

describe('a wait is over', () => {
  for (const { says, zone, now, wait, properties = {}, until } of rows)
    test(`${says} (${zone})`, () => {
      const contact = { properties, createdAt: new Date('2026-01-01T00:00Z') } as Contact
      const at = dueAt({ id: 'wait', type: 'wait', ...wait }, { now: new Date(now), contact, zone })
      expect(at.toISOString()).toBe(new Date(until).toISOString())
    })
})
