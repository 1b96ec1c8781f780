// A forecast beside what then happens, in the same simulator and on the same clock: by source and by day, what leaves and what does not. The
// clock begins on 15 January 2026, 12:00 UTC.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { oneOf } from '../db/bulk.ts'
import { contacts } from '../db/tables/contacts.ts'
import { write } from '../src/core/app.ts'
import { enqueue } from '../src/core/outbox/enqueue.ts'
import { type Forecast, forecast, type SourceForecast } from '../src/features/forecast/forecast.ts'
import { sequenceDatesJob } from '../src/features/sequences/dates.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { getWorkspace } from '../src/people/workspaces.ts'
import { type TestApp, testApp } from './support/app.ts'
import { draft, listOf, trust } from './support/campaign.ts'
import { cli } from './support/cli.ts'
import { path, publish, templates } from './support/sequences.ts'

const days = 8
const d = (amount: number) => ({ amount, unit: 'd' })
const send = (id: string, more: object = {}) => ({ id, type: 'send', templateId: id, ...more })

/** By date: how many left, and by reason how many never will. */
type Daily = Record<string, { leaves: number; stopped: Record<string, number> }>

const foretold = ({ days }: SourceForecast): Daily =>
  Object.fromEntries(
    days
      .filter(({ leaves, stopped }) => leaves > 0 || Object.keys(stopped).length > 0)
      .map(({ date, leaves, stopped }) => [date, { leaves, stopped }]),
  )

/** As a server that looks at dates every hour. */
async function run(t: TestApp): Promise<void> {
  for (let n = 0; n < days * 144; n++) {
    if (n % 6 === 0) await write(t.app, (tx) => enqueue(tx, sequenceDatesJob, { workspaceId: '', payload: {} }))
    await t.advance('10m')
  }
}

const dateOf = sql.raw(`date(at / 1000, 'unixepoch')`)

/** What really happened in a sequence. */
async function ofSequence(t: TestApp, id: string): Promise<Daily> {
  const rows = await t.app.db.all<{ date: string; outcome: string; reason: string | null; count: number }>(
    sql`SELECT ${dateOf} AS date, outcome, detail AS reason, count(*) AS count FROM sequence_path
        WHERE run_id IN (SELECT id FROM sequence_runs WHERE sequence_id = ${id}) AND outcome IN ('sent', 'skipped') GROUP BY 1, 2, 3
        UNION ALL SELECT date(ended_at / 1000, 'unixepoch'), 'exited', reason, count(*) FROM sequence_runs
        WHERE sequence_id = ${id} AND state = 'exited' GROUP BY 1, 3`,
  )
  return toDaily(rows.map(({ outcome, ...row }) => ({ ...row, hasLeft: outcome === 'sent' })))
}

/** How many mails each sequence has sent. */
async function sentOf(t: TestApp): Promise<Map<string, number>> {
  const rows = await t.app.db.all<{ id: string; sent: number }>(
    sql`SELECT sequence_id AS id, sum(sent) AS sent FROM sequence_step_counts GROUP BY 1`,
  )
  return new Map(rows.map(({ id, sent }) => [id, sent]))
}

async function ofCampaign(t: TestApp, id: string): Promise<Daily> {
  const rows = await t.app.db.all<{ date: string; state: string; reason: string | null; count: number }>(
    sql`SELECT date(updated_at / 1000, 'unixepoch') AS date, state, reason, count(*) AS count FROM campaign_recipients
        WHERE campaign_id = ${id} AND state NOT IN ('queued', 'sending') GROUP BY 1, 2, 3`,
  )
  return toDaily(rows.map(({ state, ...row }) => ({ ...row, hasLeft: state === 'sent' })))
}

interface Row {
  date: string
  reason: string | null
  count: number
  hasLeft: boolean
}

function toDaily(rows: Row[]): Daily {
  const daily: Daily = {}
  for (const { date, reason, count, hasLeft } of rows) {
    daily[date] ??= { leaves: 0, stopped: {} }
    const of = daily[date]
    if (hasLeft) of.leaves += count
    else of.stopped[reason ?? ''] = (of.stopped[reason ?? ''] ?? 0) + count
  }
  return daily
}

const sourceOf = ({ sources }: Forecast, id: string): SourceForecast => {
  const found = sources.find((one) => one.id === id)
  if (!found) throw new Error(`nothing is foretold of ${id}`)
  return found
}

const look = async (t: TestApp, more: { campaignId?: string } = {}): Promise<Forecast> => {
  const workspace = await getWorkspace(t.app, t.workspace.id)
  return await t.unchanged(() => forecast(t.app, workspace, { days, ...more }))
}

async function enrol(t: TestApp, id: string, list: { email: string }[]): Promise<void> {
  for (let at = 0; at < list.length; at += 100)
    await t.post(`${path}/${id}/enrol`, { emails: list.slice(at, at + 100).map(({ email }) => email) }, 200)
}

const change = (t: TestApp, ids: string[], set: Partial<typeof contacts.$inferInsert>) =>
  write(t.app, (tx) =>
    tx.db
      .update(contacts)
      .set(set)
      .where(sql`id IN ${oneOf(ids)}`),
  )

describe('where nothing is shared it is exact', () => {
  test('waits, zones, branches, lots and consent of a sequence', async () => {
    await using t = await testApp()
    await templates(t, 'hello', 'vip', 'tips', 'last')
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { hoursBetween: 0, mailsPerWeek: 0 }))
    const { contacts: people } = await listOf(t, 120)
    const ids = people.map(({ id }) => id)
    await change(t, ids.slice(0, 30), { timezone: 'Asia/Tokyo' })
    await change(t, ids.slice(30, 60), { timezone: 'America/New_York' })
    await change(t, ids.slice(50, 70), { locale: 'de' })
    await change(t, ids.slice(100, 110), { subscribed: false })
    const steps = [
      send('hello'),
      { id: 'morning', type: 'wait', for: d(1), at: '09:00' },
      {
        id: 'who',
        type: 'branch',
        branches: [
          { if: { contact: { field: 'locale', op: 'eq', value: 'de' } }, next: 'vip' },
          { if: { share: 30 }, next: 'last' },
        ],
      },
      send('tips', { next: 'pause' }),
      send('vip'),
      { id: 'pause', type: 'wait', for: { amount: 30, unit: 'h' } },
      send('last'),
    ]
    const { id } = await publish(t, { steps })
    await enrol(t, id, people)
    const told = sourceOf(await look(t), id)
    await run(t)
    expect(foretold(told)).toEqual(await ofSequence(t, id))
    expect(told.leaves).toBeGreaterThan(250)
  })

  test('a digest, an event that is waited for and one that came before, and what one sequence does for another', async () => {
    await using t = await testApp()
    await templates(t, 'hello', 'tips', 'late', 'joined')
    const items = [{ type: 'text', text: '{{item.text}}' }]
    await t.template({
      id: 'digest',
      subject: 'digest',
      content: [{ type: 'list', itemsVariable: 'digest.items', items }],
    })
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { hoursBetween: 0, mailsPerWeek: 0 }))
    const { contacts: people } = await listOf(t, 30)
    const { list: vips } = await listOf(t, 0)
    const hourly = {
      id: 'digest',
      type: 'digest',
      event: 'commented',
      for: { amount: 8, unit: 'h' },
      templateId: 'digest',
    }
    const digest = await publish(t, { start: { event: 'commented' }, reEntry: { mode: 'afterExit' }, steps: [hourly] })
    const joins = await publish(t, { start: { list: vips.id, change: 'joined' }, steps: [send('joined')] }, 'Joined')
    const waits = await publish(
      t,
      {
        start: { event: 'ordered' },
        steps: [
          { id: 'came', type: 'event', event: 'paid', atMost: d(1), lookBack: d(2), next: 'hello', otherwise: 'late' },
          send('late', { next: 'vip' }),
          send('hello'),
          { id: 'vip', type: 'subscribe', list: vips.id },
          { id: 'w', type: 'wait', for: d(2) },
          { id: 'left', type: 'unsubscribe', list: vips.id },
          send('tips'),
        ],
        exits: [{ list: vips.id, change: 'left' }],
      },
      'Waits',
    )
    for (const [n, { email }] of people.entries()) {
      const eventProperties = { text: 'a' }
      if (n < 20) await t.post('/v1/events/send', { eventName: 'commented', email, eventProperties }, 200)
      if (n >= 15 && n % 2 === 0) await t.post('/v1/events/send', { eventName: 'paid', email }, 200)
      if (n >= 10) await t.post('/v1/events/send', { eventName: 'ordered', email }, 200)
    }
    await t.settle()
    const before = await sentOf(t)
    const told = await look(t)
    await run(t)
    for (const { id } of [digest, joins, waits]) {
      const real = await ofSequence(t, id)
      const today = real['2026-01-15']
      if (today) today.leaves -= before.get(id) ?? 0
      if (today?.leaves === 0) delete real['2026-01-15']
      expect(foretold(sourceOf(told, id))).toEqual(real)
    }
    expect(sourceOf(told, joins.id).leaves).toBeGreaterThan(0)
  })

  test('a test of a step, with some who are held out, and with a winner', async () => {
    await using t = await testApp()
    await templates(t, 'hello', 'other', 'tips')
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { hoursBetween: 0, mailsPerWeek: 0 }))
    const { contacts: people } = await listOf(t, 80)
    const variants = [{ name: 'A' }, { name: 'B', templateId: 'other' }]
    const test = { variants, share: 40, holdOut: 20, winner: { by: 'hand' } }
    const wait = { id: 'pause', type: 'wait', for: d(1) }
    const { id } = await publish(t, { steps: [wait, send('hello', { test }), { ...wait, id: 'again' }, send('tips')] })
    await enrol(t, id, people.slice(0, 40))
    await t.post(`${path}/${id}/steps/hello/winner`, { variant: 'B' }, 200)
    await enrol(t, id, people.slice(40))
    await t.settle()
    const told = sourceOf(await look(t), id)
    await run(t)
    const real = await ofSequence(t, id)
    expect(foretold(told)).toEqual(real)
    expect(Object.values(real).some(({ stopped }) => (stopped['held_out'] ?? 0) > 0)).toBe(true)
  })

  test('a date of theirs, and a test of a campaign whose winner clicks decide', async () => {
    await using t = await testApp()
    await templates(t, 'hello')
    await write(t.app, (tx) =>
      changeSettings(tx, t.workspace.id, { hoursBetween: 0, mailsPerWeek: 0, trackClicks: true }),
    )
    const { list, contacts: people } = await listOf(t, 60)
    await t.post('/api/v1/contacts/properties', { name: 'birthday', type: 'date' }, 200)
    for (const [n, { email }] of people.slice(0, 20).entries()) {
      const birthday = `19${70 + n}-01-${15 + (n % 10)}`
      await t.put('/v1/contacts/update', { email, birthday }, 200)
    }
    const start = { date: 'birthday', yearly: true }
    const birthdays = await publish(t, { start, steps: [{ id: 'w', type: 'wait', at: '09:00' }, send('hello')] })
    const variants = [{ name: 'A' }, { name: 'B', subject: 'Only today' }]
    const test = { variants, share: 50, holdOut: 10, winner: { by: 'clicks', afterHours: 30 } }
    const campaign = await draft(t, list, {
      test,
      content: [{ type: 'button', text: 'Offer', href: 'https://shop.example' }],
    })
    await t.post(`/v1/campaigns/${campaign}/schedule`, { scheduledAt: '2026-01-16T15:00:00Z' }, 200)
    const told = await look(t)
    await run(t)
    expect(foretold(sourceOf(told, birthdays.id))).toEqual(await ofSequence(t, birthdays.id))
    expect(foretold(sourceOf(told, campaign))).toEqual(await ofCampaign(t, campaign))
    expect(sourceOf(told, campaign)).toMatchObject({ limit: { reason: 'awaits_winner' }, left: 0 })
  })
})

/** What is told of a day, over all sources, beside what happened. */
function expectClose(told: Forecast, real: Map<string, Daily>): void {
  const dates = new Set([...real.values()].flatMap((daily) => Object.keys(daily)))
  for (const date of dates) {
    const foretold = sum(told.sources.map(({ days }) => days.find((one) => one.date === date)?.leaves ?? 0))
    const happened = sum([...real.values()].map((daily) => daily[date]?.leaves ?? 0))
    expect(Math.abs(foretold - happened), `${date}: ${foretold} of ${happened}`).toBeLessThanOrEqual(0.05 * happened)
  }
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

test('caps, a warm-up, limits of frequency and quiet hours, shared by sequences and campaigns', async () => {
  await using t = await testApp()
  await templates(t, 'hello', 'tips', 'news')
  const limits = { dailyCap: 220, warmUp: true, hoursBetween: 30, quietHours: { from: '20:00', to: '08:00' } }
  await write(t.app, (tx) => changeSettings(tx, t.workspace.id, limits))
  const { list, contacts: people } = await listOf(t, 580)
  const ids = people.map(({ id }) => id)
  await change(t, ids.slice(0, 100), { timezone: 'Asia/Tokyo' })
  await change(t, ids.slice(100, 200), { timezone: 'America/New_York' })
  await change(t, ids.slice(560), { subscribed: false })
  const { list: other, contacts: others } = await listOf(t, 120, { first: 1_000 })
  const first = await draft(t, list, { name: 'First' })
  const second = await draft(t, other, { name: 'Second' })
  await t.post(`/v1/campaigns/${first}/schedule`, { scheduledAt: '2026-01-15T15:00:00Z' }, 200)
  await t.post(`/v1/campaigns/${second}/schedule`, { scheduledAt: '2026-01-20T12:00', inRecipientZone: true }, 200)
  const waiting = (days: number, templateId: string) => [
    { id: 'w', type: 'wait', for: d(days), at: '10:00' },
    send(templateId),
  ]
  const welcome = await publish(t, {
    steps: [...waiting(5, 'hello'), { id: 'p', type: 'wait', for: d(1) }, send('tips')],
  })
  const weekly = await publish(t, { steps: waiting(6, 'news') }, 'Weekly')
  await enrol(t, welcome.id, [...people.slice(90, 130), ...others.slice(0, 40)])
  await enrol(t, weekly.id, [...others.slice(40, 80), ...people.slice(550)])
  const told = await look(t)
  await run(t)
  const real = new Map([
    [welcome.id, await ofSequence(t, welcome.id)],
    [weekly.id, await ofSequence(t, weekly.id)],
    [first, await ofCampaign(t, first)],
    [second, await ofCampaign(t, second)],
  ])
  for (const [id, daily] of real) expect(foretold(sourceOf(told, id))).toEqual(daily)
  expect(sourceOf(told, first)).toMatchObject({ left: 0, limit: { reason: 'daily_cap', by: 'warm_up' } })
  expect(sourceOf(told, second)).toMatchObject({ left: 0, limit: { reason: 'local_time' } })
  expect(sourceOf(told, weekly.id)).toMatchObject({ limit: { reason: 'too_often' } })
})

test('where several wait for the same room, each day has as many', async () => {
  await using t = await testApp()
  await templates(t, 'hello', 'news')
  await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { dailyCap: 60, hoursBetween: 0, mailsPerWeek: 0 }))
  const { list, contacts: people } = await listOf(t, 150)
  const campaign = await draft(t, list)
  await t.post(`/v1/campaigns/${campaign}/send`, {}, 200)
  const hello = await publish(t, { steps: [send('hello')], postponeAtMost: d(30) })
  const news = await publish(t, { steps: [send('news')], postponeAtMost: d(30) }, 'News')
  await enrol(t, hello.id, people.slice(0, 80))
  await enrol(t, news.id, people.slice(40, 120))
  const told = await look(t)
  await run(t)
  const real = [hello.id, news.id].map(async (id): Promise<[string, Daily]> => [id, await ofSequence(t, id)])
  expectClose(told, new Map([[campaign, await ofCampaign(t, campaign)], ...(await Promise.all(real))]))
})

test('a cap that is no whole number, or no number at all, ends all the same', async () => {
  await using t = await testApp()
  await templates(t, 'hello')
  const { list, contacts: people } = await listOf(t, 20)
  const campaign = await draft(t, list)
  const { id } = await publish(t, { steps: [send('hello')] })
  await enrol(t, id, people.slice(0, 10))
  for (const [dailyCap, leaves] of [
    [0.5, 0],
    [-3, 0],
    [2.9, 8],
    [1e300, 30],
  ] as const) {
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { dailyCap, hoursBetween: 0, mailsPerWeek: 0 }))
    const { sources } = await look(t, { campaignId: campaign })
    const all = sum(sources.map((source) => source.leaves))
    if (dailyCap === 2.9) expect(all).toBeGreaterThanOrEqual(leaves)
    else expect(all, `${dailyCap}`).toBe(leaves)
  }
})

test('what cannot be sent says why, and a campaign that is over is not rehearsed', async () => {
  await using t = await testApp()
  await templates(t, 'hello')
  const { list, contacts: people } = await listOf(t, 20)
  const campaign = await draft(t, list)
  const { id } = await publish(t, { steps: [{ id: 'w', type: 'wait', for: d(1) }, send('hello')] })
  await enrol(t, id, people)
  const path = `/v1/campaigns/${campaign}/rehearse`
  const first = await t.unchanged(() => t.post(path, { days: 3 }, 200))
  expect(first).toMatchObject({ campaignId: campaign, leaves: 20, left: 0, limit: null, problem: null })
  expect(first.lastAt).toBe('2026-01-15T12:00:00.000Z')
  await trust(t, 'M2')
  const { sources } = await look(t, { campaignId: campaign })
  for (const source of sources) expect(source).toMatchObject({ leaves: 0, lastAt: null, problem: expect.any(String) })
  expect(await t.post(path, {}, 200)).toMatchObject({ leaves: 0, left: 20, problem: expect.any(String) })
  await t.post(path, { days: 91 }, 422)
  await t.post(`/v1/campaigns/${campaign}/cancel`, {}, 200)
  await t.post(path, {}, 409)
})

test('the command tells days, sources and limits', async () => {
  using paquebot = await cli()
  const { code, err } = await paquebot.run(['init', '--workspace', 'acme', '--email', 'ada@acme.test', '--json'])
  expect(code, err).toBe(0)
  const rehearse = (...args: string[]) => paquebot.run(['rehearse', '--workspace', 'acme', ...args])
  expect(await rehearse()).toMatchObject({ code: 0, out: 'Nothing is published, scheduled or being sent.\n' })
  expect((await rehearse('--days', '0')).err).toContain('--days takes a number from 1 to 90, not 0')
  const content = { subject: 'Hi', content: [{ type: 'text', text: 'Hi' }] }
  const make = async (...args: string[]) => (await paquebot.run([...args, '--workspace', 'acme', '--json'])).json
  await make('template', 'create', '--body', JSON.stringify({ id: 'hello', name: 'hello', ...content }))
  const list = await make('list', 'create', '--name', 'News')
  const consent = { email: 'grace@example.net', subscribed: true, mailingLists: { [list.id]: true } }
  await make('contact', 'create', '--body', JSON.stringify(consent))
  const campaign = { name: 'July', mailingListId: list.id, ...content }
  const { id } = await make('campaign', 'create', '--body', JSON.stringify(campaign))
  const told = await make('campaign', 'rehearse', id)
  expect(told).toMatchObject({ campaignId: id, leaves: 1, left: 0, lastAt: told.from, limit: null })
  await make('campaign', 'send', id)
  const { out } = await rehearse('--days', '2')
  expect(out).toContain('July: 1 leave, the last on')
})
