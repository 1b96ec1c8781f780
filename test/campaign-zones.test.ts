// Campaigns in the time of each person: at a local time in their zone, and not in their quiet hours. The clock begins on 15 January 2026,
// 12:00 UTC.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contacts } from '../db/tables/contacts.ts'
import { write } from '../src/core/app.ts'
import { minute } from '../src/kit/duration.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { spreadFrom, zoneOf } from '../src/people/recipient-time.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { draft, drafted, listOf, statsOf } from './support/campaign.ts'

/** A draft to one person in each of these zones; null: without one. */
async function draftTo(t: TestApp, zones: (string | null)[], fields: object = {}) {
  const made = await drafted(t, zones.length, fields)
  for (const [n, timezone] of zones.entries()) await moveTo(t, made.contacts[n]?.id ?? '', timezone)
  return made
}

const moveTo = (t: TestApp, id: string, timezone: string | null) =>
  write(t.app, (tx) => tx.db.update(contacts).set({ timezone }).where(eq(contacts.id, id)))

/** Runs what is due every five minutes until then, as a server does that is never late. */
async function runUntil(t: TestApp, time: string): Promise<void> {
  const until = new Date(time).getTime()
  await t.settle()
  for (let left = until - t.clock.now().getTime(); left > 0; left = until - t.clock.now().getTime()) {
    t.clock.advance(Math.min(left, 5 * minute))
    await t.settle()
  }
}

/** When each of r0, r1 … had it; null: not yet. */
async function sentTimes(t: TestApp, id: string): Promise<(string | null)[]> {
  const { data } = await t.get(`/v1/campaigns/${id}/recipients?perPage=100`, 200)
  const number = ({ email }: Json) => Number(/\d+/.exec(email)?.[0])
  return data
    .toSorted((one: Json, other: Json) => number(one) - number(other))
    .map(({ state, updatedAt }: Json) => (state === 'sent' ? updatedAt : null))
}

/** Whether it is in the ten minutes from then, and the five of a step. */
function isShortlyAfter(time: string | null | undefined, expected: string): boolean {
  const lateMs = new Date(time ?? 0).getTime() - new Date(expected).getTime()
  return lateMs >= 0 && lateMs <= 15 * minute
}

const schedule = (t: TestApp, id: string, scheduledAt: string, status = 200) =>
  t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt, inRecipientZone: true }, status)

const quiet = (t: TestApp, from: string, to: string) =>
  t.patch('/v1/campaign-settings', { quietHours: { from, to } }, 200, { as: 'session' })

test('the zone of a person is theirs if it is one, else that of the workspace', () => {
  const workspace = { timeZone: 'Europe/Paris' }
  expect(zoneOf({ timezone: 'Asia/Kolkata' }, workspace)).toBe('Asia/Kolkata')
  for (const timezone of [null, '', 'Berlin', 'GMT+25']) expect(zoneOf({ timezone }, workspace)).toBe('Europe/Paris')
})

describe('at a local time', () => {
  test('three zones get it one after the other, each at nine, and who has none with the workspace', async () => {
    await using t = await testApp()
    await t.patch('/v1/workspace', { timeZone: 'Europe/Berlin' }, 200)
    const { id } = await draftTo(t, ['America/New_York', 'Asia/Tokyo', null, 'Nowhere/At_All', 'Europe/Berlin'])
    const scheduled = await schedule(t, id, '2026-01-16T09:00')
    expect(scheduled).toMatchObject({
      status: 'scheduled',
      scheduledAt: '2026-01-16T00:00:00.000Z',
      localTime: '2026-01-16T09:00',
    })
    await runUntil(t, '2026-01-15T23:59:00Z')
    expect(await sentTimes(t, id)).toEqual([])
    await runUntil(t, '2026-01-16T00:00:00Z')
    expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({ status: 'sending' })
    await runUntil(t, '2026-01-16T15:00:00Z')
    const [newYork, tokyo, ...berlin] = await sentTimes(t, id)
    expect(isShortlyAfter(tokyo, '2026-01-16T00:00:00Z'), `${tokyo}`).toBe(true)
    for (const time of berlin) expect(isShortlyAfter(time, '2026-01-16T08:00:00Z'), `${time}`).toBe(true)
    expect(isShortlyAfter(newYork, '2026-01-16T14:00:00Z'), `${newYork}`).toBe(true)
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 5, sent: 5 })
    expect((await t.sent()).length).toBe(5)
  })

  test('on the day on which the clocks change it is the local time all the same', async () => {
    await using t = await testApp()
    t.clock.set(new Date('2026-03-27T12:00:00Z'))
    const { id } = await draftTo(t, ['Europe/Berlin', 'America/New_York', 'Africa/Lagos'])
    // Berlin changes that night: 02:30 does not exist there, and the first moment after is 03:00.
    await schedule(t, id, '2026-03-29T02:30')
    await runUntil(t, '2026-03-29T12:00:00Z')
    const [berlin, newYork, lagos] = await sentTimes(t, id)
    expect(isShortlyAfter(berlin, '2026-03-29T01:00:00Z'), `${berlin}`).toBe(true)
    expect(isShortlyAfter(lagos, '2026-03-29T01:30:00Z'), `${lagos}`).toBe(true)
    expect(isShortlyAfter(newYork, '2026-03-29T06:30:00Z'), `${newYork}`).toBe(true)
  })

  test('nine is no wall: those of one zone leave over ten minutes', async () => {
    await using t = await testApp()
    const { id } = await draftTo(
      t,
      Array.from({ length: 40 }, () => 'Europe/Berlin'),
    )
    await schedule(t, id, '2026-01-15T15:00')
    await runUntil(t, '2026-01-15T14:00:00Z')
    const first = (await sentTimes(t, id)).filter((time) => time !== null).length
    await runUntil(t, '2026-01-15T14:05:00Z')
    const half = (await sentTimes(t, id)).filter((time) => time !== null).length
    await runUntil(t, '2026-01-15T14:10:00Z')
    expect(first).toBeLessThan(10)
    expect(Math.abs(half - 20)).toBeLessThan(12)
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 40 })
    const person = { zone: 'UTC', quietHours: { from: '09:01', to: '08:00' }, key: 'a' }
    expect(spreadFrom(new Date('2026-01-15T09:00:00Z'), person).toISOString()).toBe('2026-01-15T09:00:00.000Z')
  })

  test('whose time has passed get it at once, and the dry run says how many', async () => {
    await using t = await testApp()
    const { id } = await draftTo(t, ['Asia/Tokyo', 'Asia/Tokyo', 'Europe/Berlin', 'America/New_York'])
    const body = { scheduledAt: '2026-01-15T13:00', inRecipientZone: true }
    const dry = await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, { ...body, dryRun: true }, 200))
    expect(dry.timing).toEqual({ atLocalTime: 2, atOnce: 2, afterQuietHours: 0 })
    expect(dry.warnings.find(({ code }: Json) => code === 'local_time_passed')?.message).toContain('2 recipients 13:00')
    expect(await t.post(`/v1/campaigns/${id}/send`, body, 200)).toMatchObject({
      timing: dry.timing,
      nextSendAt: '2026-01-15T12:00:00.000Z',
    })
    await runUntil(t, '2026-01-15T12:10:00Z')
    const [one, other, berlin, newYork] = await sentTimes(t, id)
    expect([one, other, newYork]).toEqual(['2026-01-15T12:00:00.000Z', '2026-01-15T12:00:00.000Z', null])
    expect(isShortlyAfter(berlin, '2026-01-15T12:00:00Z')).toBe(true)
    await runUntil(t, '2026-01-15T18:10:00Z')
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 4 })
  })

  test('what contradicts itself is refused by the name of its field', async () => {
    await using t = await testApp()
    const { id } = await draftTo(t, ['Asia/Tokyo', 'Europe/Berlin'])
    const refused = async (path: string, body: object) =>
      (await t.unchanged(() => t.post(`/v1/campaigns/${id}/${path}`, body, 422))).errors[0]
    const inRecipientZone = true
    for (const scheduledAt of ['2026-01-16T09:00:00Z', '2026-01-16T09:00:00+01:00', '2026-02-30T09:00', 'at nine']) {
      const error = await refused('schedule', { scheduledAt, inRecipientZone })
      expect(error).toMatchObject({ path: 'scheduledAt', code: 'invalid_time' })
      expect(error.message).toContain('without an offset')
    }
    const passed = await refused('schedule', { scheduledAt: '2026-01-15T12:59', inRecipientZone })
    expect(passed).toMatchObject({ path: 'scheduledAt', code: 'invalid_time' })
    expect(await refused('schedule', { scheduledAt: '2027-01-17T09:00', inRecipientZone })).toMatchObject({
      path: 'scheduledAt',
    })
    expect(await refused('send', { inRecipientZone })).toMatchObject({ path: 'inRecipientZone' })
    expect(await refused('send', { inRecipientZone, dryRun: true })).toMatchObject({ path: 'inRecipientZone' })
  })

  test('taken back, changed or sent now, the local time is over', async () => {
    await using t = await testApp()
    const { id } = await draftTo(t, ['Asia/Tokyo', 'America/New_York'])
    const scheduled = () => schedule(t, id, '2026-01-16T09:00')
    await scheduled()
    expect(await t.post(`/v1/campaigns/${id}/unschedule`, {}, 200)).toMatchObject({ localTime: null })
    await scheduled()
    expect(await t.patch(`/v1/campaigns/${id}`, { name: 'Other' }, 200)).toMatchObject({ localTime: null })
    await scheduled()
    await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-16T09:00' }, 200)
    expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({ localTime: null })
    await scheduled()
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.settle()
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 2, sent: 2 })
  })

  test('while some wait, why and the explanation tell until when', async () => {
    await using t = await testApp()
    const { id, contacts: people } = await draftTo(t, ['Asia/Tokyo', 'America/New_York', 'America/New_York'])
    await schedule(t, id, '2026-01-15T13:00')
    await t.settle()
    expect(await statsOf(t, id)).toEqual({ status: 'sending', audience: 3, sent: 1, queued: 2 })
    const { nextSendAt } = await t.get(`/v1/campaigns/${id}`, 200)
    expect(isShortlyAfter(nextSendAt, '2026-01-15T18:00:00Z'), nextSendAt).toBe(true)
    const { data } = await t.get(`/v1/campaigns/${id}/why`, 200)
    const reason = data.find(({ code }: Json) => code === 'put_aside')
    expect(reason).toMatchObject({ state: 'waiting', until: nextSendAt })
    expect(reason.detail).toBe('2 wait; it leaves at 2026-01-15T13:00 in the zone of each')
    const { checks, recipient } = await t.get(`/v1/campaigns/${id}/recipients/${people[1]?.id}`, 200)
    const found = checks.find(({ check }: Json) => check === 'time')
    expect(found.ok).toBe(false)
    expect(found.value).toContain(`waiting until ${recipient.sendAfter}: 2026-01-15T13:00`)
    expect(found.value).toContain('America/New_York')
  })

  test('a zone that is changed later changes nothing: nobody gets it twice or not at all', async () => {
    await using t = await testApp()
    const { id, contacts: people } = await draftTo(t, ['Asia/Tokyo', 'America/New_York', 'Europe/Berlin'])
    await schedule(t, id, '2026-01-15T14:00')
    await t.settle()
    const [tokyo, newYork, berlin] = people.map((person) => person.id)
    await moveTo(t, tokyo ?? '', 'America/Los_Angeles')
    await moveTo(t, newYork ?? '', 'Asia/Tokyo')
    await moveTo(t, berlin ?? '', 'Pacific/Honolulu')
    await runUntil(t, '2026-01-16T12:00:00Z')
    const times = await sentTimes(t, id)
    expect(times[0]).toBe('2026-01-15T12:00:00.000Z')
    expect(isShortlyAfter(times[1], '2026-01-15T19:00:00Z')).toBe(true)
    expect(isShortlyAfter(times[2], '2026-01-15T13:00:00Z')).toBe(true)
    expect((await t.sent()).length).toBe(3)
  })

  test('paused, those whose time comes wait; resumed, they get it at once, and the others at theirs', async () => {
    await using t = await testApp()
    const { id } = await draftTo(t, ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York'])
    await schedule(t, id, '2026-01-15T14:00')
    await t.settle()
    await t.post(`/v1/campaigns/${id}/pause`, {}, 200)
    await runUntil(t, '2026-01-15T15:00:00Z')
    expect((await t.sent()).length).toBe(1)
    await t.post(`/v1/campaigns/${id}/resume`, {}, 200)
    await t.settle()
    expect((await sentTimes(t, id))[1]).toBe('2026-01-15T15:00:00.000Z')
    await runUntil(t, '2026-01-15T19:10:00Z')
    expect(isShortlyAfter((await sentTimes(t, id))[2], '2026-01-15T19:00:00Z')).toBe(true)
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 3, sent: 3 })
  })

  test('cancelled, those who wait do not get it', async () => {
    await using t = await testApp()
    const { id } = await draftTo(t, ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York'])
    await schedule(t, id, '2026-01-15T14:00')
    await t.settle()
    await t.post(`/v1/campaigns/${id}/cancel`, {}, 200)
    await runUntil(t, '2026-01-15T20:00:00Z')
    expect(await statsOf(t, id)).toEqual({ status: 'cancelled', audience: 3, sent: 1, cancelled: 2 })
  })

  test('who leaves the list while waiting does not get it', async () => {
    await using t = await testApp()
    const { id, list } = await draftTo(t, ['Asia/Tokyo', 'Europe/Berlin', 'Europe/Berlin'])
    await schedule(t, id, '2026-01-15T14:00')
    await t.settle()
    await t.put('/v1/contacts/update', { email: 'r1@example.net', mailingLists: { [list.id]: false } }, 200)
    await t.post('/v1/contacts/delete', { email: 'r2@example.net' }, 200)
    await runUntil(t, '2026-01-15T13:15:00Z')
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 3, sent: 1, unsubscribed: 2 })
  })

  test('those who wait hold up nobody: neither by the window nor by the cap', async () => {
    await using t = await testApp()
    const { list, contacts: people } = await listOf(t, 1_500)
    const id = await draft(t, list)
    await write(t.app, async (tx) => {
      await tx.db.update(contacts).set({ timezone: 'America/New_York' })
      for (const { id: last } of people.slice(-3))
        await tx.db.update(contacts).set({ timezone: 'Asia/Tokyo' }).where(eq(contacts.id, last))
      await changeSettings(tx, t.workspace.id, { dailyCap: 5 })
    })
    await schedule(t, id, '2026-01-15T13:00')
    await t.settle()
    expect(await statsOf(t, id)).toEqual({ status: 'sending', audience: 1_500, sent: 3, queued: 1_497 })
    await runUntil(t, '2026-01-15T18:30:00Z')
    expect(await statsOf(t, id)).toEqual({ status: 'sending', audience: 1_500, sent: 5, queued: 1_495 })
    expect(new Date((await t.get(`/v1/campaigns/${id}`, 200)).nextSendAt).getTime()).toBeGreaterThan(
      new Date('2026-01-16T11:00:00Z').getTime(),
    )
  })

  test('more than an hour late a person decides; then everybody whose time has passed gets it', async () => {
    await using t = await testApp()
    const { id } = await draftTo(t, ['Asia/Tokyo', 'America/New_York'])
    await schedule(t, id, '2026-01-15T23:00')
    await t.advance('4h')
    expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({ status: 'paused', pauseReason: 'missed_window' })
    await t.post(`/v1/campaigns/${id}/resume`, {}, 200)
    await t.settle()
    expect(await sentTimes(t, id)).toEqual(['2026-01-15T16:00:00.000Z', null])
    await runUntil(t, '2026-01-16T04:10:00Z')
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 2 })
  })

  test('a segment counts: it begins with the first zone of those who are meant', async () => {
    await using t = await testApp()
    const { id } = await draftTo(t, ['Asia/Tokyo', 'Europe/Berlin'], {
      audienceFilter: [{ field: 'timezone', op: 'eq', value: 'Europe/Berlin' }],
    })
    expect(await schedule(t, id, '2026-01-16T09:00')).toMatchObject({ scheduledAt: '2026-01-16T08:00:00.000Z' })
  })
})

describe('quiet hours', () => {
  test('across midnight: who sleeps gets it after, who does not at once', async () => {
    await using t = await testApp()
    await quiet(t, '21:00', '08:00')
    const { id } = await draftTo(t, ['Asia/Tokyo', 'Europe/Berlin', 'America/Los_Angeles', null])
    const dry = await t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200)
    expect(dry.timing).toEqual({ atLocalTime: 0, atOnce: 2, afterQuietHours: 2 })
    expect(dry.warnings.find(({ code }: Json) => code === 'quiet_hours')?.message).toContain('21:00 to 08:00')
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.settle()
    const now = '2026-01-15T12:00:00.000Z'
    expect(await sentTimes(t, id)).toEqual([null, now, null, now])
    const { data } = await t.get(`/v1/campaigns/${id}/why`, 200)
    expect(data.find(({ code }: Json) => code === 'put_aside')?.detail).toBe('2 wait')
    await runUntil(t, '2026-01-15T23:30:00Z')
    const [tokyo, , angeles] = await sentTimes(t, id)
    expect(isShortlyAfter(tokyo, '2026-01-15T23:00:00Z'), `${tokyo}`).toBe(true)
    expect(isShortlyAfter(angeles, '2026-01-15T16:00:00Z'), `${angeles}`).toBe(true)
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 4, sent: 4 })
  })

  test('a local time in the quiet hours waits for their end', async () => {
    await using t = await testApp()
    await quiet(t, '22:00', '08:00')
    const { id } = await draftTo(t, ['Europe/Berlin', 'Asia/Tokyo'])
    const body = { scheduledAt: '2026-01-16T07:00', inRecipientZone: true }
    const { timing } = await t.post(`/v1/campaigns/${id}/send`, body, 200)
    expect(timing).toEqual({ atLocalTime: 0, atOnce: 0, afterQuietHours: 2 })
    await runUntil(t, '2026-01-16T07:30:00Z')
    const [berlin, tokyo] = await sentTimes(t, id)
    expect(isShortlyAfter(berlin, '2026-01-16T07:00:00Z'), `${berlin}`).toBe(true)
    expect(isShortlyAfter(tokyo, '2026-01-15T23:00:00Z'), `${tokyo}`).toBe(true)
  })

  test('quiet hours that begin while somebody waits for room hold them again', async () => {
    await using t = await testApp()
    const { id } = await draftTo(t, ['UTC', 'UTC'])
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.post(`/v1/campaigns/${id}/pause`, {}, 200)
    await quiet(t, '13:00', '14:00')
    await t.advance('70m')
    await t.post(`/v1/campaigns/${id}/resume`, {}, 200)
    await t.settle()
    expect(await statsOf(t, id)).toEqual({ status: 'sending', audience: 2, queued: 2 })
    await runUntil(t, '2026-01-15T14:10:00Z')
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 2, sent: 2 })
  })

  test('they are a setting: what is none is refused, null turns them off', async () => {
    await using t = await testApp()
    const change = (quietHours: unknown, status: number) =>
      t.patch('/v1/campaign-settings', { quietHours }, status, session)
    expect(await t.get('/v1/campaign-settings', 200)).toMatchObject({ quietHours: null })
    for (const [wrong, path] of [
      [{ from: '24:00', to: '08:00' }, 'quietHours.from'],
      [{ from: '22:00', to: '8' }, 'quietHours.to'],
      [{ from: '08:00', to: '08:00' }, 'quietHours.to'],
    ] as const)
      expect((await t.unchanged(() => change(wrong, 422))).errors[0].path).toBe(path)
    const hours = { from: '22:00', to: '08:00' }
    expect(await change(hours, 200)).toMatchObject({ quietHours: hours })
    expect(await change(undefined, 200)).toMatchObject({ quietHours: hours })
    expect(await change(null, 200)).toMatchObject({ quietHours: null })
  })
})

test('of two campaigns for one morning the second is skipped: the limit of frequency is asked when each leaves', async () => {
  await using t = await testApp()
  const { id, list } = await draftTo(t, ['Europe/Berlin', 'America/New_York'])
  const other = await draft(t, list)
  await schedule(t, id, '2026-01-16T09:00')
  await schedule(t, other, '2026-01-16T10:00')
  await runUntil(t, '2026-01-16T15:30:00Z')
  expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 2, sent: 2 })
  expect(await statsOf(t, other)).toEqual({ status: 'sent', audience: 2, rate_guardrail: 2 })
})
