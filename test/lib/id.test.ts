import { expect, test } from 'bun:test'
import { firstId, newIdDueAt } from '../../src/kit/id.ts'
import { systemRandom } from '../../src/kit/random.ts'

const source = { random: systemRandom }
const now = new Date('2026-01-15T12:00:00Z')
const due = new Date('2026-01-19T09:00:00Z')

test('ids of one due time sort in the order they were made, and lie between their neighbours in time', () => {
  const ids = Array.from({ length: 10_000 }, () => newIdDueAt(source, 'job', { due, now }))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  const later = newIdDueAt(source, 'job', { due, now: new Date(now.getTime() + 60_000) })
  expect(later > (ids.at(-1) ?? '')).toBe(true)
  expect(later < firstId('job', new Date(due.getTime() + 1))).toBe(true)
  expect((ids[0] ?? '') > firstId('job', due)).toBe(true)
})

test('they are UUIDs of version 7', () => {
  const id = newIdDueAt(source, 'job', { due, now })
  expect(id).toMatch(/^job_[0-9a-f]{12}7[0-9a-f]{3}8[0-9a-f]{15}$/)
  expect(Number.parseInt(id.slice(4, 16), 16)).toBe(due.getTime())
})
