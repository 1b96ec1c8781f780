// The forecast of a campaign before it is sent, by which limit, and how wrong it was. The clock begins on 15 January 2026, 12:00 UTC.

import { describe, expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { lateText } from '../src/features/campaigns/forecast-schema.ts'
import { RelayPace } from '../src/mail/relay-pace.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { type TestApp, testApp } from './support/app.ts'
import { draft, drafted, join, listOf, sendCampaign } from './support/campaign.ts'
import { cli } from './support/cli.ts'
import { startSink } from './support/smtp-sink.ts'

const dryRun = (t: TestApp, id: string, more: object = {}) =>
  t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, { dryRun: true, ...more }, 200))
const campaign = (t: TestApp, id: string) => t.get(`/v1/campaigns/${id}`, 200)

async function untilSent(t: TestApp, id: string): Promise<void> {
  for (let n = 0; n < 300 && (await campaign(t, id)).status === 'sending'; n++) await t.advance('10m')
}

/** All mail goes over one more relay. */
async function overRelay(t: TestApp, url: string, limits: object): Promise<void> {
  const { id } = await t.post('/v1/relays', { name: 'Second', url, ...limits }, 201)
  await t.put('/v1/relay-routes', { routes: [{ relays: [{ relayId: id, weight: 1 }] }] }, 200)
}

describe('before a campaign is sent it is told when its last mail leaves and why; afterwards, how wrong that was', () => {
  test('a cap', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 25)
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { dailyCap: 10 }))
    const limit = { reason: 'daily_cap', by: 'operator', message: 'the cap that the operator has set' }
    const lastAt = '2026-01-17T12:20:00.000Z'
    expect(await dryRun(t, id)).toMatchObject({ forecast: 'finishes in 2 days at the cap set', lastAt, limit })
    expect((await campaign(t, id)).forecast).toBeNull()
    const rehearsed = await t.unchanged(() => t.post(`/v1/campaigns/${id}/rehearse`, {}, 200))
    expect(rehearsed).toMatchObject({ lastAt, limit })
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.settle()
    const told = { madeAt: '2026-01-15T12:00:00.000Z', recipients: 25, lastAt, limit }
    expect((await campaign(t, id)).forecast).toEqual({ ...told, lateSeconds: null })
    await untilSent(t, id)
    const { forecast, endedAt } = await campaign(t, id)
    expect(forecast).toEqual({ ...told, lateSeconds: (Date.parse(endedAt) - Date.parse(lastAt)) / 1_000 })
    expect(Math.abs(forecast.lateSeconds)).toBeLessThanOrEqual(600)
  })

  test('nobody: it ends when it begins', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 0)
    const lastAt = '2026-01-15T12:00:00.000Z'
    expect(await dryRun(t, id)).toMatchObject({ recipients: 0, forecast: 'finishes today', lastAt, limit: null })
    const scheduledAt = '2026-01-20T09:00:00.000Z'
    expect(await dryRun(t, id, { scheduledAt })).toMatchObject({ forecast: 'finishes in 4 days', lastAt: scheduledAt })
  })

  test('what a relay may carry a day; it ends later when somebody pauses it', async () => {
    await using sink = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: sink.url }), isNew: true })
    await overRelay(t, sink.url, { mostPerDay: 10 })
    const { id } = await drafted(t, 25)
    const limit = { reason: 'relays', by: 'relay_day', message: 'what the relays may carry a day' }
    const lastAt = '2026-01-17T00:00:00.000Z'
    expect(await dryRun(t, id)).toMatchObject({ lastAt, limit, forecast: `finishes in 1 day: ${limit.message}` })
    expect(await t.post(`/v1/campaigns/${id}/rehearse`, {}, 200)).toMatchObject({ lastAt, limit, leaves: 25, left: 0 })
    expect(await t.post(`/v1/campaigns/${id}/rehearse`, { days: 1 }, 200)).toMatchObject({ leaves: 20, left: 5 })
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.settle()
    expect(sink.count()).toBe(10)
    await t.post(`/v1/campaigns/${id}/pause`, {}, 200)
    await t.advance('3d')
    await t.post(`/v1/campaigns/${id}/resume`, {}, 200)
    await untilSent(t, id)
    const { forecast, endedAt } = await campaign(t, id)
    expect(forecast.lateSeconds).toBe((Date.parse(endedAt) - Date.parse(lastAt)) / 1_000)
    expect(forecast.lateSeconds).toBeGreaterThan(36 * 3_600)
  })

  test('what a relay may carry a second, and one that may carry nothing of it', async () => {
    await using sink = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: sink.url }), isNew: true })
    await overRelay(t, sink.url, { mostPerSecond: 1 })
    const { id } = await drafted(t, 120)
    expect(await dryRun(t, id)).toMatchObject({
      lastAt: '2026-01-15T12:02:00.000Z',
      limit: { by: 'relay_second' },
      forecast: 'finishes today',
    })
    const { data } = await t.get('/v1/relays', 200)
    for (const { id: relayId } of data)
      await t.patch(`/v1/relays/${relayId}`, { workspaceId: t.workspace.id, streams: ['replies'] }, 200)
    expect(await dryRun(t, id)).toMatchObject({ lastAt: null, limit: { by: 'no_relay' } })
  })

  test('the warm-up of the only relay, for the receiver with the most mail', async () => {
    await using sink = startSink()
    await using t = await testApp({ isNew: true })
    await t.post('/v1/relays', { name: 'Cold', url: sink.url, warmUpSince: '2026-01-15T00:00:00Z' }, 201)
    const { list } = await listOf(t, 170, { domain: 'gmail.com' })
    await join(t, list, 60, { domain: 'gmx.de', first: 500 })
    const id = await draft(t, list)
    const limit = { reason: 'relays', by: 'relay_warm_up', message: 'the warm-up of the relays' }
    const lastAt = '2026-01-17T00:00:00.000Z'
    expect(await dryRun(t, id)).toMatchObject({ lastAt, limit })
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.settle()
    expect(sink.count()).toBe(100)
    await untilSent(t, id)
    expect(Math.abs((await campaign(t, id)).forecast.lateSeconds)).toBeLessThanOrEqual(600)
    // The next one begins with what the day has left.
    const { list: more } = await listOf(t, 250, { domain: 'gmail.com', first: 1_000 })
    expect(await dryRun(t, await draft(t, more))).toMatchObject({ lastAt: '2026-01-18T00:00:00.000Z', limit })
    await t.post('/v1/relays', { name: 'Warm', url: sink.url }, 201)
    expect(await dryRun(t, await draft(t, more))).toMatchObject({ limit: null })
  })

  test('a schedule, quiet hours and zones; an edit drops what was forecast', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 3)
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { quietHours: { from: '20:00', to: '08:00' } }))
    await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T23:00:00Z' }, 200)
    const { forecast } = await campaign(t, id)
    expect(forecast).toMatchObject({ limit: { reason: 'quiet_hours' }, lateSeconds: null })
    await t.post(`/v1/campaigns/${id}/unschedule`, {}, 200)
    expect((await campaign(t, id)).forecast).toBeNull()
    await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T23:00:00Z' }, 200)
    await t.patch(`/v1/campaigns/${id}`, { name: 'June' }, 200)
    expect((await campaign(t, id)).forecast).toBeNull()
    await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T23:00:00Z' }, 200)
    await t.advance('11h')
    await untilSent(t, id)
    const { lateSeconds } = (await campaign(t, id)).forecast
    expect(Math.abs(lateSeconds)).toBeLessThanOrEqual(600)
  })

  test.each([
    [{ by: 'hand' }, null],
    [{ by: 'clicks', afterHours: 4 }, '2026-01-15T16:00:00.000Z'],
  ])('the winner of a test, chosen by %o', async (winner, lastAt) => {
    await using t = await testApp()
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { trackClicks: true }))
    const variants = [{ name: 'A' }, { name: 'B', subject: 'Other' }]
    const { id } = await drafted(t, 30, { test: { share: 50, holdOut: 0, winner, variants } })
    expect(await dryRun(t, id)).toMatchObject({ lastAt, limit: { reason: 'awaits_winner' } })
  })
})

describe('over several relays', () => {
  const now = new Date('2026-01-15T12:00:00Z')
  const free = { measured: null, mostPerSecond: null, mostPerDay: null, sentToday: 0, warmUp: null }
  const after = (mails: number, ...paces: object[]) => {
    const all = paces.map((pace, n) => ({ relayId: `rel_${n}`, ...free, ...pace }))
    return new RelayPace(all, now).through(mails, now.getTime()).map(({ mails, at, by }) => {
      return [mails, (at - now.getTime()) / 1_000, by]
    })
  }

  test('they carry it together, each as much as it may', () => {
    expect(after(1_000, {})).toEqual([[1_000, 0, null]])
    expect(after(600, { mostPerSecond: 1 }, { measured: 4 })).toEqual([[600, 120, 'relay_speed']])
    expect(after(600, { mostPerSecond: 3, measured: 100 }, { measured: 1 })).toEqual([[600, 150, 'relay_second']])
    expect(after(10_000, { mostPerDay: 100 }, { measured: 1 })).toEqual([[10_000, 9_900, 'relay_speed']])
  })

  test('what was sent today counts, and tomorrow begins anew', () => {
    expect(after(15, { mostPerDay: 10, sentToday: 8 })).toEqual([
      [2, 0, null],
      [10, 43_200, 'relay_day'],
      [3, 129_600, 'relay_day'],
    ])
  })

  test('what does not leave within a year never leaves', () => {
    expect(after(1_000_000, { mostPerDay: 10 }).at(-1)).toEqual([996_330, Number.POSITIVE_INFINITY, 'relay_day'])
  })

  test('a second mail waits for the first', () => {
    const pace = new RelayPace([{ relayId: null, ...free, mostPerSecond: 1 }], now)
    pace.through(100, now.getTime())
    expect(pace.through(20, now.getTime())).toEqual([{ mails: 20, at: now.getTime() + 120_000, by: 'relay_second' }])
  })
})

test('how fast a relay takes mail is measured', async () => {
  await using sink = startSink()
  await using t = await testApp({ mailer: smtpTransport({ url: sink.url }), isNew: true })
  const paces = () => t.app.mailer.paces({ workspaceId: t.workspace.id, stream: 'marketing', from: 'a@example.com' })
  expect(paces()).toMatchObject([{ relayId: null, measured: null }])
  await sendCampaign(t, (await drafted(t, 10)).id)
  expect(paces()).toMatchObject([{ relayId: null, measured: expect.any(Number) }])
})

test('the command says what is forecast, and then how wrong it was', async () => {
  using paquebot = await cli()
  const { code, err } = await paquebot.run(['init', '--workspace', 'acme', '--email', 'ada@acme.test', '--json'])
  expect(code, err).toBe(0)
  const make = async (...args: string[]) => (await paquebot.run([...args, '--workspace', 'acme', '--json'])).json
  const list = await make('list', 'create', '--name', 'News')
  const consent = { email: 'grace@example.net', subscribed: true, mailingLists: { [list.id]: true } }
  await make('contact', 'create', '--body', JSON.stringify(consent))
  const content = { subject: 'Hi', content: [{ type: 'text', text: 'Hi' }] }
  const { id } = await make(
    ...['campaign', 'create', '--body', JSON.stringify({ name: 'July', mailingListId: list.id, ...content })],
  )
  const says = async (what: string) =>
    (await paquebot.run(['campaign', what, '--workspace', 'acme', '--campaign', id])).out
  expect(await says('check')).toMatch(/its last mail would leave \d{4}-/)
  expect(await says('report')).not.toContain('forecast')
  await make('campaign', 'send', id)
  expect(await says('report')).toMatch(/forecast of the last mail +\d{4}-.*\nlimited by +nothing\n/)
})

test.each([
  [0, 'less than a minute'],
  [-3_700, '1 h 2 min earlier'],
  [180_000, '2 d 2 h 0 min later'],
])('%d s too late are told as %s', (seconds, text) => {
  expect(lateText(seconds)).toBe(text)
})
