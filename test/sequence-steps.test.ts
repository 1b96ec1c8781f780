// What each step of a sequence does, and what begins one besides an event.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { write } from '../src/core/app.ts'
import { enqueue } from '../src/core/outbox/enqueue.ts'
import { sequenceDatesJob } from '../src/features/sequences/dates.ts'
import { type Json, testApp } from './support/app.ts'
import { listOf, trust } from './support/campaign.ts'
import { publish, runsOf, subjects, tell, templates } from './support/sequences.ts'

const send = (templateId: string, more: object = {}) => ({ id: templateId, type: 'send', templateId, ...more })
const wait = (amount: number, unit: string, more: object = {}) => ({
  id: `wait-${amount}${unit}`,
  type: 'wait',
  for: { amount, unit },
  ...more,
})
const start = { event: 'signup' }

describe('a step', () => {
  test('waits for an event, and goes on with it or without', async () => {
    await using t = await testApp()
    await templates(t, 'thanks', 'reminder')
    const filter = [{ property: 'total', operator: 'greaterThan', value: 10 }]
    const order = { id: 'order', type: 'event', event: 'ordered', filter, atMost: { amount: 2, unit: 'd' } }
    const { id } = await publish(t, {
      start,
      steps: [{ ...order, next: 'thanks', otherwise: 'reminder' }, send('thanks', { next: null }), send('reminder')],
    })
    await tell(t, 'signup')
    await tell(t, 'signup', { email: 'bob@example.net' })
    await t.settle()
    await t.advance('1d')
    await tell(t, 'ordered', { eventProperties: { total: 5 } })
    await tell(t, 'ordered', { email: 'bob@example.net', eventProperties: { total: 50 } })
    await t.settle()
    expect(await subjects(t)).toEqual(['thanks'])
    await t.advance('1d')
    expect(await subjects(t)).toEqual(['thanks', 'reminder'])
    expect((await runsOf(t, id)).map(({ path }) => path)).toEqual([
      ['order: did_not_come', 'reminder: sent'],
      ['order: came', 'thanks: sent'],
    ])
  })

  test('counts an event that came before, if it looks back', async () => {
    await using t = await testApp()
    const order = (id: string, lookBack: object) => {
      return { id, type: 'event', event: 'ordered', atMost: { amount: 1, unit: 'd' }, ...lookBack }
    }
    const { id } = await publish(t, {
      start,
      steps: [order('recent', { lookBack: { amount: 2, unit: 'h' } }), order('blind', {})],
    })
    await tell(t, 'ordered')
    await t.advance('1h')
    await tell(t, 'signup')
    await tell(t, 'ordered', { email: 'bob@example.net' })
    await t.settle()
    await t.advance('3h')
    await tell(t, 'signup', { email: 'bob@example.net' })
    await t.settle()
    await t.advance('1d')
    await t.advance('1d')
    expect((await runsOf(t, id)).map(({ path }) => path)).toEqual([
      ['recent: came', 'blind: did_not_come'],
      ['recent: did_not_come', 'blind: did_not_come'],
    ])
  })

  test('branches by the contact, by what began it, and by share', async () => {
    await using t = await testApp()
    const tell1 = (id: string) => ({ id, type: 'webhook', next: null })
    const { id } = await publish(t, {
      start,
      steps: [
        {
          id: 'split',
          type: 'branch',
          branches: [
            { if: { contact: { field: 'plan', op: 'eq', value: 'pro' } }, next: 'pro' },
            { if: { event: [{ property: 'source', operator: 'equals', value: 'ad' }] }, next: 'ad' },
            { if: { share: 50 }, next: 'half' },
          ],
          next: 'rest',
        },
        ...['pro', 'ad', 'half', 'rest'].map(tell1),
      ],
    })
    for (let n = 0; n < 40; n++)
      await tell(t, 'signup', {
        email: `r${n}@example.net`,
        ...(n < 5 ? { contactProperties: { plan: 'pro' } } : {}),
        eventProperties: n < 10 ? { source: 'ad' } : {},
      })
    await t.settle()
    const ends = Object.groupBy(await runsOf(t, id), ({ stepId }) => stepId)
    expect([ends['pro']?.length, ends['ad']?.length]).toEqual([5, 5])
    expect((ends['half']?.length ?? 0) + (ends['rest']?.length ?? 0)).toBe(30)
    expect(ends['half']?.length).toBeGreaterThan(5)
    expect(ends['rest']?.length).toBeGreaterThan(5)
  })

  test('changes the contact, puts it on a list and takes it off, tells the webhooks', async () => {
    await using t = await testApp()
    const list = (await t.mailingList()).id
    await t.endpoint({ url: 'https://hooks.example.com/', status: 'disabled', eventFilters: ['sequence.stepReached'] })
    const { id } = await publish(t, {
      start,
      steps: [
        { id: 'mark', type: 'update', properties: { stage: 'trial', seats: '{{event.seats}}' } },
        { id: 'join', type: 'subscribe', list },
        { id: 'say', type: 'webhook' },
        wait(1, 'd'),
        { id: 'leave', type: 'unsubscribe', list },
        { id: 'leave-again', type: 'unsubscribe', list },
      ],
    })
    await tell(t, 'signup', { eventProperties: { seats: 3 } })
    await t.settle()
    const [contact] = (await t.get('/v1/contacts/find?email=ada@example.net', 200)) as Json
    expect(contact).toMatchObject({ stage: 'trial', seats: 3, mailingLists: { [list]: true } })
    const { data } = await t.get('/v1/event-feed', 200)
    const told = data.filter(({ type }: Json) => type === 'sequence.stepReached')
    expect(told).toMatchObject([{ payload: { data: { sequence: { id, stepId: 'say' } } } }])
    await t.advance('1d')
    expect((await runsOf(t, id))[0]?.path).toEqual([
      'mark: done',
      'join: done',
      'say: done',
      'wait-1d: waited',
      'leave: done',
      'leave-again: skipped',
    ])
  })

  test('waits until a time of day where the person is, on a weekday', async () => {
    await using t = await testApp()
    const { id } = await publish(t, {
      start,
      steps: [{ id: 'morning', type: 'wait', at: '09:00', weekdays: [1, 2, 3, 4, 5] }],
    })
    // A Thursday, 12:00 UTC: 21:00 in Tokyo, 07:00 in New York.
    await tell(t, 'signup', { timezone: 'Asia/Tokyo' })
    await tell(t, 'signup', { email: 'bob@example.net', timezone: 'America/New_York' })
    await tell(t, 'signup', { email: 'eve@example.net' })
    await t.settle()
    expect((await runsOf(t, id)).map(({ dueAt }) => dueAt)).toEqual([
      '2026-01-16T00:00:00.000Z',
      '2026-01-15T14:00:00.000Z',
      '2026-01-16T09:00:00.000Z',
    ])
    await t.advance('49h')
    await tell(t, 'signup', { email: 'sat@example.net', timezone: 'Asia/Tokyo' })
    await t.settle()
    const runs = await runsOf(t, id)
    expect(runs.map(({ path, dueAt }) => path[0] ?? dueAt)).toEqual([
      'morning: waited',
      'morning: waited',
      'morning: waited',
      '2026-01-19T00:00:00.000Z',
    ])
  })

  test('waits until a date of the contact', async () => {
    await using t = await testApp()
    await t.contact({ email: 'ada@example.net', trialEnds: '2026-01-25' })
    const { id } = await publish(t, {
      start,
      steps: [{ id: 'trial', type: 'wait', date: 'trialEnds', days: -3, at: '10:00' }],
    })
    await tell(t, 'signup')
    await tell(t, 'signup', { email: 'bob@example.net' })
    await t.settle()
    expect((await runsOf(t, id)).map(({ state, dueAt }) => [state, dueAt])).toEqual([
      ['waiting', '2026-01-22T10:00:00.000Z'],
      ['completed', null],
    ])
  })
})

describe('what begins one', () => {
  test('a list that is joined, a property that changes', async () => {
    await using t = await testApp()
    const list = (await t.mailingList()).id
    const steps = [{ id: 'say', type: 'webhook' }]
    const joined = await publish(t, { start: { list }, steps })
    const left = await publish(t, { start: { list, change: 'left' }, steps })
    const pro = await publish(t, { start: { property: 'plan', equals: 'pro' }, steps })
    await t.contact({ plan: 'free', mailingLists: { [list]: true } })
    await t.settle()
    await t.put('/v1/contacts/update', { email: 'ada@example.net', plan: 'pro', mailingLists: { [list]: false } }, 200)
    await t.settle()
    const counts = await Promise.all([joined, left, pro].map(async ({ id }) => (await runsOf(t, id)).length))
    expect(counts).toEqual([1, 1, 1])
  })

  test('a segment that is joined or left', async () => {
    await using t = await testApp()
    await t.contact({ email: 'early@example.net', plan: 'pro' })
    const filter = { field: 'plan', op: 'eq', value: 'pro' }
    const { id: segment } = await t.post('/v1/segments', { name: 'Pro', filter }, 201)
    await t.settle()
    const steps = [{ id: 'say', type: 'webhook' }]
    const joined = await publish(t, { start: { segment }, steps })
    const left = await publish(t, { start: { segment, change: 'left' }, steps })
    await t.contact({ plan: 'pro' })
    await t.settle()
    await t.put('/v1/contacts/update', { email: 'early@example.net', plan: 'free' }, 200)
    await t.settle()
    expect((await runsOf(t, joined.id)).map(({ email }) => email)).toEqual(['ada@example.net'])
    expect((await runsOf(t, left.id)).map(({ email }) => email)).toEqual(['early@example.net'])
  })

  test('a date of the contact, once or each year, in the morning where they are', async () => {
    await using t = await testApp()
    await t.post('/api/v1/contacts/properties', { name: 'birthday', type: 'date' }, 200)
    await t.contact({ email: 'ada@example.net', birthday: '1990-01-17', timezone: 'Asia/Tokyo' })
    await t.contact({ email: 'leap@example.net', birthday: '1996-02-29', timezone: 'America/New_York' })
    await t.contact({ email: 'new@example.net', birthday: '2026-01-17' })
    await t.contact({ email: 'never@example.net' })
    const steps = [
      { id: 'morning', type: 'wait', at: '09:00' },
      { id: 'say', type: 'webhook' },
    ]
    const yearly = await publish(t, { start: { date: 'birthday', yearly: true }, steps })
    const once = await publish(t, { start: { date: 'birthday', days: -1 }, steps })
    const hourly = async (hours: number) => {
      for (let hour = 0; hour < hours; hour++) {
        t.clock.advance(3_600_000)
        await write(t.app, (tx) => enqueue(tx, sequenceDatesJob, { workspaceId: '', payload: {} }))
        await t.settle()
      }
    }
    await hourly(72)
    const begun = async (id: string) =>
      (await runsOf(t, id)).map(({ email, key, path, endedAt }) => [email, key, path.length, endedAt])
    expect(await begun(yearly.id)).toEqual([
      ['ada@example.net', '2026-01-17', 2, '2026-01-17T00:00:00.000Z'],
      ['new@example.net', '2026-01-17', 2, '2026-01-17T09:00:00.000Z'],
    ])
    expect((await runsOf(t, once.id)).map(({ email, key }) => [email, key])).toEqual([
      ['new@example.net', '2026-01-16'],
    ])
    await t.advance('38d')
    await hourly(96)
    expect((await begun(yearly.id)).at(-1)).toEqual(['leap@example.net', '2026-02-28', 2, expect.any(String)])
  })

  test('a person who opens a link of a campaign, and no scanner', async () => {
    await using t = await testApp()
    await t.patch('/v1/campaign-settings', { trackClicks: true }, 200, { as: 'session' })
    await trust(t, 'M1')
    const { list } = await listOf(t, 2)
    const content = [{ type: 'button', text: 'Look', href: 'https://example.com/may' }]
    const draft = { name: 'May', subject: 'May', mailingListId: list.id, content }
    const { id: campaignId } = await t.post('/v1/campaigns', draft, 201)
    const { id } = await publish(t, { start: { mail: 'clicked', campaignId }, steps: [{ id: 'say', type: 'webhook' }] })
    await t.post(`/v1/campaigns/${campaignId}/send`, {}, 200)
    await t.settle()
    const links = (await t.sent()).map(({ raw }) => {
      const plain = raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
      return /href="[^"]*(\/t\/c\/[^"]+)"/.exec(plain)?.[1] ?? ''
    })
    t.clock.advance(60_000)
    for (const [n, link] of links.entries())
      await t.request('GET', link, undefined, {
        as: 'nobody',
        headers: { 'user-agent': n === 0 ? 'Mozilla/5.0 (X11; Linux) Firefox/140' : 'safelinks scanner' },
      })
    await t.settle()
    expect((await runsOf(t, id)).map(({ email }) => email)).toEqual(['r0@example.net'])
  })

  test('a person, by address, and a segment', async () => {
    await using t = await testApp()
    const { id } = await publish(t, { steps: [wait(1, 'd')] })
    for (const email of ['a@example.net', 'b@example.net', 'c@example.net']) await t.contact({ email, plan: 'pro' })
    await t.contact({ email: 'd@example.net' })
    const at = `/v1/sequences/${id}/enrol`
    const emails = ['a@example.net', 'nobody@example.net']
    const dry = await t.post(at, { emails, dryRun: true }, 200)
    expect(dry).toMatchObject({ started: 1, refused: [{ email: 'nobody@example.net', reason: 'unknown_contact' }] })
    expect(await runsOf(t, id)).toEqual([])
    await t.post(at, { emails }, 200)
    const filter = { field: 'plan', op: 'eq', value: 'pro' }
    const { id: segmentId } = await t.post('/v1/segments', { name: 'Pro', filter }, 201)
    const estimate = { looked: 3, isWhole: true, started: 2, notStarted: [{ reason: 'already_in', contacts: 1 }] }
    const told = { dryRun: true, started: 0, refused: [], enrolment: null, estimate }
    expect(await t.post(at, { segmentId, dryRun: true }, 200)).toMatchObject(told)
    await t.settle()
    expect(await t.post(at, { segmentId, dryRun: true }, 200)).toMatchObject(told)
    expect(await runsOf(t, id)).toHaveLength(1)
    await t.post(at, { segmentId }, 200)
    await t.settle()
    expect((await runsOf(t, id)).map(({ email }) => email)).toEqual(['a@example.net', 'b@example.net', 'c@example.net'])
    const { data } = await t.get(`/v1/sequences/${id}/enrolments`, 200)
    expect(data).toMatchObject([{ segmentId, started: 2, skipped: 1, doneAt: expect.any(String) }])
    await t.post(at, {}, 422)
    for (const dryRun of [true, false]) await t.post(at, { segmentId: 'seg_x', dryRun }, 422)
  })

  test('a large segment, of which the first ten thousand are looked at before', async () => {
    await using t = await testApp()
    const { id } = await publish(t, { steps: [wait(1, 'd')] })
    await write(t.app, (tx) =>
      tx.db.run(sql`INSERT INTO contacts (id, workspace_id, email, email_key, subscribed, properties, created_at, updated_at)
        SELECT printf('con_%05d', value), ${t.workspace.id}, value || '@example.net', value || '@example.net', 1, '{}', 0, 0
        FROM json_each(${JSON.stringify(Array.from({ length: 10_300 }, (_, n) => n))})`),
    )
    const filter = { field: 'email', op: 'exists' }
    const { id: segmentId } = await t.post('/v1/segments', { name: 'All', filter }, 201)
    const { estimate } = await t.post(`/v1/sequences/${id}/enrol`, { segmentId, dryRun: true }, 200)
    expect(estimate).toEqual({ looked: 10_000, isWhole: false, started: 10_000, notStarted: [] })
  })
})
