// Recurring campaigns: when they are due, that each time has one campaign or a reason, and what a feed makes of them.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { outboxJobs } from '../db/tables/outbox.ts'
import type { RecurringSchedule } from '../db/tables/recurring.ts'
import { type App, write } from '../src/core/app.ts'
import { Dispatcher } from '../src/core/outbox/dispatcher.ts'
import { cancelJobs } from '../src/core/outbox/waiting.ts'
import { nextOccurrence, servedOccurrence } from '../src/features/campaigns/recurring/occurrences.ts'
import { jobKinds } from '../src/operator/jobs.ts'
import { type Json, session, testApp } from './support/app.ts'
import { content, statsOf } from './support/campaign.ts'
import { campaignsOf, daily, digest, feedServer, item, path, recurring, rss, viewOf } from './support/recurring.ts'
import { type Answer, sinkEnvironment, webhookSink } from './support/webhook-sink.ts'

interface Row {
  says: string
  schedule: RecurringSchedule
  after: string
  times: string[]
  zone?: string
}

const month = (dayOfMonth: number, at = '09:00') => ({ every: 'month', dayOfMonth, at }) as const
const rows: Row[] = [
  {
    says: 'a day at a time that it is just now is tomorrow',
    schedule: { every: 'day', at: '09:00' },
    after: '2026-01-15T08:00Z',
    times: ['2026-01-16T08:00Z', '2026-01-17T08:00Z'],
  },
  {
    says: 'days follow the clocks as they go forward',
    schedule: { every: 'day', at: '09:00' },
    after: '2026-03-28T07:00Z',
    times: ['2026-03-28T08:00Z', '2026-03-29T07:00Z', '2026-03-30T07:00Z'],
  },
  {
    says: 'a time that is skipped is the moment after, once',
    schedule: { every: 'day', at: '02:30' },
    after: '2026-03-28T12:00Z',
    times: ['2026-03-29T01:00Z', '2026-03-30T00:30Z'],
  },
  {
    says: 'a time that comes twice is the first, once',
    schedule: { every: 'day', at: '02:30' },
    after: '2026-10-24T12:00Z',
    times: ['2026-10-25T00:30Z', '2026-10-26T01:30Z'],
  },
  {
    says: 'the weekdays that are named, across the end of a week and the change of the clocks',
    schedule: { every: 'week', weekdays: ['monday', 'friday'], at: '09:00' },
    after: '2026-10-23T07:00Z',
    times: ['2026-10-26T08:00Z', '2026-10-30T08:00Z', '2026-11-02T08:00Z'],
  },
  {
    says: 'one weekday',
    schedule: { every: 'week', weekdays: ['thursday'], at: '00:00' },
    after: '2026-01-14T23:00Z',
    times: ['2026-01-21T23:00Z', '2026-01-28T23:00Z'],
  },
  {
    says: 'the last day of a month that does not have the day',
    schedule: month(31),
    after: '2026-01-30T12:00Z',
    times: ['2026-01-31T08:00Z', '2026-02-28T08:00Z', '2026-03-31T07:00Z', '2026-04-30T07:00Z'],
  },
  { says: 'a leap day', schedule: month(30), after: '2028-01-31T00:00Z', times: ['2028-02-29T08:00Z'] },
  { says: 'the turn of the year', schedule: month(1), after: '2026-12-15T00:00Z', times: ['2027-01-01T08:00Z'] },
  {
    says: 'a month whose day begins in another month of UTC',
    schedule: month(1, '00:30'),
    after: '2026-01-31T11:00Z',
    times: ['2026-01-31T11:30Z', '2026-02-28T11:30Z'],
    zone: 'Pacific/Auckland',
  },
]

const inRecipientZone = { every: 'day', at: '09:00', inRecipientZone: true } as const
rows.push({
  says: 'the time of each recipient is due where a day is first, in summer as in winter',
  schedule: inRecipientZone,
  after: '2026-03-28T12:00Z',
  times: ['2026-03-28T19:00Z', '2026-03-29T19:00Z'],
})

describe('when', () => {
  for (const { says, schedule, after, times, zone = 'Europe/Berlin' } of rows)
    test(says, () => {
      const rhythm = { schedule, timeZone: zone }
      let last = new Date(after)
      const found = times.map(() => {
        last = nextOccurrence(rhythm, last)
        return `${last.toISOString().slice(0, 16)}Z`
      })
      expect(found).toEqual(times)
    })

  const due = '2026-01-15T13:00Z'
  for (const [now, served] of [
    ['2026-01-15T13:00Z', due],
    ['2026-01-15T14:00Z', due],
    ['2026-01-15T14:01Z', null],
    ['2026-01-18T12:59Z', null],
    ['2026-01-18T13:30Z', '2026-01-18T13:00Z'],
  ] as const)
    test(`what was due at ${due} is at ${now} made up for as ${served}`, () => {
      const found = servedOccurrence({ schedule: daily, timeZone: 'UTC' }, new Date(due), new Date(now))
      expect(found?.getTime() ?? null).toBe(served && new Date(served).getTime())
    })
})

test('each of its times makes a campaign, with its own ledger', async () => {
  await using t = await testApp()
  const made = await recurring(t)
  expect(made).toMatchObject({ state: 'active', nextAt: '2026-01-15T13:00:00.000Z', timeZone: 'UTC', runs: [] })
  await t.advance('59m')
  expect(await campaignsOf(t)).toEqual([])
  await t.advance('1m')
  const [first] = await campaignsOf(t)
  expect(first).toMatchObject({ name: 'Daily, 2026-01-15', subject: 'News', status: 'sent', stats: { sent: 2 } })
  await t.advance('24h')
  expect((await campaignsOf(t)).length).toBe(2)
  const view = await viewOf(t, made)
  expect(view.nextAt).toBe('2026-01-17T13:00:00.000Z')
  expect(view.runs).toMatchObject([
    { at: '2026-01-16T13:00:00.000Z', outcome: 'made', campaignId: view.lastCampaignId, items: 0 },
    { at: '2026-01-15T13:00:00.000Z', outcome: 'made', campaignId: first.id },
  ])
  expect(await statsOf(t, view.lastCampaignId)).toMatchObject({ status: 'sent' })
})

test('the events are those of the campaigns', async () => {
  await using t = await testApp()
  await t.endpoint({ url: 'https://example.net/hook', status: 'active' })
  await recurring(t)
  await t.advance('1h')
  const { data } = await t.get('/v1/event-feed?perPage=100', 200)
  const types = data.map(({ type }: Json) => type).filter((type: string) => type.startsWith('campaign.'))
  const told = ['campaign.completed', 'campaign.email.sent', 'campaign.scheduled', 'campaign.started']
  expect([...new Set(types)].sort()).toEqual(told)
})

test('of what was missed, the last within an hour is made up for', async () => {
  await using t = await testApp()
  const made = await recurring(t)
  t.clock.advance(3 * 86_400_000 + 90 * 60_000)
  await t.settle()
  expect((await viewOf(t, made)).runs).toMatchObject([{ at: '2026-01-18T13:00:00.000Z', outcome: 'made' }])
  t.clock.advance(3 * 86_400_000 + 90 * 60_000)
  await t.settle()
  const view = await viewOf(t, made)
  expect(view.runs[0]).toMatchObject({ outcome: 'missed', code: 'missed_window', campaignId: null })
  expect(view).toMatchObject({ nextAt: '2026-01-22T13:00:00.000Z', failures: 0 })
  expect((await campaignsOf(t)).length).toBe(1)
})

test('where agents need approval it waits for one, and a member sends it', async () => {
  await using t = await testApp()
  await t.patch('/v1/campaign-settings', { agentsNeedApproval: true }, 200, session)
  await recurring(t, {}, session)
  await t.advance('1h')
  const [campaign] = await campaignsOf(t)
  expect(campaign).toMatchObject({ status: 'draft' })
  const { data } = await t.get('/v1/approvals', 200, session)
  expect(data).toMatchObject([{ id: campaign.id, status: 'waiting' }])
  expect(await t.sent()).toEqual([])
  const decision = { approvals: [{ id: campaign.id, contentHash: data[0].contentHash }] }
  expect((await t.post('/v1/approvals/approve', decision, 200, session)).results).toMatchObject([{ error: null }])
  await t.post(`/v1/campaigns/${campaign.id}/send`, {}, 200)
  await t.settle()
  expect(await statsOf(t, campaign.id)).toMatchObject({ status: 'sent', sent: 2 })
})

/** One life of a process that ends at its nth commit, before or after it. False when it had no more so many. */
async function live(app: App, nth: number, side: 'before' | 'after'): Promise<boolean> {
  const { writer } = app.database
  const died = Promise.withResolvers<'died'>()
  let commits = 0
  const dying: typeof writer.write = async (unit, durability) => {
    const mine = ++commits
    if (mine < nth) return await writer.write(unit, durability)
    if (mine === nth && side === 'after') await writer.write(unit, durability)
    died.resolve('died')
    throw new Error('dead')
  }
  const database = { ...app.database, writer: Object.assign(Object.create(writer) as typeof writer, { write: dying }) }
  const dispatcher = new Dispatcher({ ...app, database }, { kinds: jobKinds, alone: true, version: 'test' })
  const ended = await Promise.race([dispatcher.runDue().then(() => 'done' as const), died.promise])
  void dispatcher.stop(0)
  return ended === 'died'
}

test.each(['before', 'after'] as const)(
  'a process that dies %s any commit leaves each time one campaign',
  async (side) => {
    for (let nth = 1, died = true; died; nth++) {
      await using t = await testApp()
      const made = await recurring(t)
      t.clock.advance(3_600_000)
      died = await live(t.app, nth, side)
      await t.dispatcher.rescue()
      await t.advance('10m')
      const view = await viewOf(t, made)
      expect(view.runs, `commit ${nth}`).toMatchObject([{ outcome: 'made' }])
      expect((await campaignsOf(t)).length, `commit ${nth}`).toBe(1)
      expect(view.nextAt).toBe('2026-01-16T13:00:00.000Z')
    }
  },
)

test('a job that is cancelled, as when a database is put back, leaves the next time to come', async () => {
  await using t = await testApp()
  const made = await recurring(t)
  const [job] = await t.app.db.select().from(outboxJobs).where(eq(outboxJobs.kind, 'recurring-campaign'))
  await write(t.app, (tx) => cancelJobs(tx, jobKinds, { jobIds: [job?.id ?? ''] }))
  expect(await viewOf(t, made)).toMatchObject({ nextAt: '2026-01-16T13:00:00.000Z', runs: [{ outcome: 'missed' }] })
  await t.advance('25h')
  expect((await viewOf(t, made)).runs[0]).toMatchObject({ outcome: 'made', at: '2026-01-16T13:00:00.000Z' })
})

test('paused it makes none; resumed it goes on with its next time; changed it has another', async () => {
  await using t = await testApp()
  const made = await recurring(t)
  const at = `${path}/${made.id}`
  expect(await t.post(`${at}/pause`, {}, 200)).toMatchObject({ state: 'paused', nextAt: null })
  await t.post(`${at}/pause`, {}, 409)
  await t.advance('25h')
  expect(await campaignsOf(t)).toEqual([])
  expect(await t.post(`${at}/resume`, {}, 200)).toMatchObject({ nextAt: '2026-01-17T13:00:00.000Z' })
  const weekly = { every: 'week', weekdays: ['sunday'], at: '08:00' }
  const changed = await t.patch(at, { schedule: weekly, timeZone: 'Asia/Tokyo', subject: 'Weekly' }, 200)
  expect(changed).toMatchObject({ nextAt: '2026-01-17T23:00:00.000Z', subject: 'Weekly', name: 'Daily', content })
  await t.advance('24h')
  expect(await campaignsOf(t)).toEqual([])
  await t.advance('10h')
  expect(await campaignsOf(t)).toMatchObject([{ subject: 'Weekly', name: 'Daily, 2026-01-18' }])
  await t.delete(at, undefined, 200)
  await t.get(at, 404)
  await t.advance('240h')
  expect((await campaignsOf(t)).length).toBe(1)
})

test('run now is a campaign beside the schedule, once for a key', async () => {
  await using t = await testApp()
  const made = await recurring(t)
  const once = { headers: { 'idempotency-key': 'now' } }
  const first = await t.post(`${path}/${made.id}/run`, {}, 200, once)
  expect(await t.post(`${path}/${made.id}/run`, {}, 200, once)).toEqual(first)
  expect(first).toMatchObject({ outcome: 'made', at: '2026-01-15T12:00:00.001Z' })
  expect(await t.post(`${path}/${made.id}/run`, {}, 200)).toMatchObject({ at: '2026-01-15T12:00:00.002Z' })
  await t.advance('1h')
  expect((await viewOf(t, made)).runs.length).toBe(3)
})

test('what could make no campaign is not stored', async () => {
  await using t = await testApp()
  const made = await recurring(t)
  const { mailingListId } = made
  const body = { name: 'Daily', subject: 'News', mailingListId, content, schedule: daily }
  const tooLong = { type: 'list', itemsVariable: 'feed.items', items: Array(30).fill('{{item.title}}') }
  const refusals: [object, string][] = [
    [{ mailingListId: 'lst_none' }, 'mailingListId'],
    [{ content: undefined }, 'content'],
    [{ templateId: 'none', content: undefined }, 'templateId'],
    [{ subject: '{{feed.title}}' }, 'content'],
    [{ content: [{ type: 'text', text: '{{feed.nothing}}' }], feed: { url: 'https://a.example/' } }, 'content'],
    [{ content: [tooLong], feed: { url: 'https://a.example/', maxItems: 50 } }, 'content[0].items'],
    [{ feed: { url: 'https://127.0.0.1/feed' } }, 'feed.url'],
    [{ feed: { url: 'ftp://a.example/feed' } }, 'feed.url'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ schedule: { every: 'week', at: '09:00' } }, 'schedule.weekdays'],
    [{ schedule: { every: 'month', at: '09:00' } }, 'schedule.dayOfMonth'],
    [{ schedule: { every: 'day', at: '09:00', dayOfMonth: 1 } }, 'schedule.dayOfMonth'],
    [{ schedule: { every: 'day', at: '25:00' } }, 'schedule.at'],
  ]
  for (const [fields, at] of refusals) {
    const { errors } = await t.unchanged(() => t.post(path, { ...body, ...fields }, 422))
    expect(errors.map((one: Json) => one.path)).toContain(at)
  }
  const forbidden = await t.post(path, { ...body, ignoreGuardrail: true }, 403)
  expect(forbidden.success).toBe(false)
  const { apiKey } = await t.stranger()
  await t.get(`${path}/${made.id}`, 404, { as: { apiKey } })
})

test('what can make no campaign any more says why, and is on the attention list', async () => {
  await using t = await testApp()
  const made = await recurring(t)
  await t.delete(`/v1/mailing-lists/${made.mailingListId}`, undefined, 200)
  await t.advance('1h')
  const view = await viewOf(t, made)
  expect(view).toMatchObject({ failures: 1, runs: [{ outcome: 'failed', campaignId: null }], lastCampaignId: null })
  expect(await campaignsOf(t)).toEqual([])
  const { data } = await t.get('/v1/attention', 200)
  expect(data).toContainEqual(expect.objectContaining({ code: 'recurring_failing', detail: view.runs[0].reason }))
})

describe('of a feed', () => {
  test('what is new is in the mail, as words; nothing new makes none and says so', async () => {
    await using feed = feedServer(rss(item(2), item(1)))
    await using t = await testApp({ environment: sinkEnvironment })
    const made = await recurring(t, { ...digest, feed: { url: feed.url } })
    await t.advance('1h')
    const [campaign] = await campaignsOf(t)
    expect(campaign).toMatchObject({ subject: 'Story 2 and more of Blog', status: 'sent' })
    const raw = (await t.sent())[0]?.raw ?? ''
    for (const words of ['2 for Reader 0', 'Story 1', 'About 2', 'https://blog.example/2']) expect(raw).toContain(words)
    expect(feed.received[0]?.headers['user-agent']).toStartWith('Paquebot/')
    await t.advance('24h')
    expect((await viewOf(t, made)).runs[0]).toMatchObject({ outcome: 'nothing_new', campaignId: null })
    feed.state.xml = rss(item(3), item(2), item(1))
    await t.advance('24h')
    expect((await viewOf(t, made)).runs[0]).toMatchObject({ outcome: 'made', items: 1 })
    expect((await campaignsOf(t))[0]).toMatchObject({ subject: 'Story 3 and more of Blog' })
    expect((await campaignsOf(t)).length).toBe(2)
  })

  test('a mail shows so many; what it leaves out is not new the next time', async () => {
    const items = Array.from({ length: 30 }, (_, n) => item(30 - n))
    await using feed = feedServer(rss(...items))
    await using t = await testApp({ environment: sinkEnvironment })
    const made = await recurring(t, { ...digest, feed: { url: feed.url, maxItems: 3 } })
    await t.advance('1h')
    await t.advance('24h')
    expect((await viewOf(t, made)).runs).toMatchObject([{ outcome: 'nothing_new' }, { outcome: 'made', items: 3 }])
  })

  test('a server that knows its feed is asked whether it changed', async () => {
    await using feed = feedServer('', ({ headers }) =>
      headers['if-none-match'] === '"1"' && headers['if-modified-since'] === 'Thu, 15 Jan 2026 09:00:00 GMT'
        ? new Response(null, { status: 304 })
        : new Response(rss(item(1)), { headers: { etag: '"1"', 'last-modified': 'Thu, 15 Jan 2026 09:00:00 GMT' } }),
    )
    await using t = await testApp({ environment: sinkEnvironment })
    const made = await recurring(t, { ...digest, feed: { url: feed.url } })
    await t.advance('1h')
    await t.advance('24h')
    expect((await viewOf(t, made)).runs).toMatchObject([{ outcome: 'nothing_new' }, { outcome: 'made' }])
  })

  test('a preview shows what it would send, and changes nothing', async () => {
    await using feed = feedServer(rss(item(1)))
    await using t = await testApp({ environment: sinkEnvironment })
    const made = await recurring(t, { ...digest, feed: { url: feed.url } })
    const preview = () => t.unchanged(() => t.post(`${path}/${made.id}/preview`, { email: 'r1@example.net' }, 200))
    const { outcome, items, mail } = await preview()
    expect({ outcome, items }).toEqual({
      outcome: 'made',
      items: [{ title: 'Story 1', link: 'https://blog.example/1', summary: 'About 1', date: null }],
    })
    expect(mail.text).toContain('1 for Reader 1')
    await t.advance('1h')
    expect(await preview()).toMatchObject({ outcome: 'nothing_new', items: [], mail: null })
  })

  test('a template is written into in each of its locales', async () => {
    await using feed = feedServer(rss(item(1)))
    await using t = await testApp({ environment: sinkEnvironment })
    await t.template({ id: 'digest', ...digest, kind: 'marketing' })
    const german = { content: [{ type: 'text', text: 'Neu: {{feed.newest}}' }], subject: 'Neues von {{feed.title}}' }
    await t.put('/v1/transactional/digest/content/de', german, 200)
    const made = await recurring(t, { templateId: 'digest', content: undefined, feed: { url: feed.url } })
    await t.advance('1h')
    const { lastCampaignId } = await viewOf(t, made)
    const { data } = await t.get(`/v1/campaigns/${lastCampaignId}/content`, 200)
    expect(data).toMatchObject([
      { locale: 'de', subject: 'Neues von Blog', content: [{ text: 'Neu: Story 1' }] },
      { locale: 'en', subject: 'News' },
    ])
  })

  test('what an item says is never a placeholder, markdown or HTML of the mail', async () => {
    const hostile = item(1).replace(
      'Story 1',
      '{{contact.email}} **b** [x](https://evil.example/) &lt;img src="https://evil.example/p"&gt; &amp;lt;b&amp;gt;',
    )
    await using feed = feedServer(rss(hostile))
    await using t = await testApp({ environment: sinkEnvironment })
    const markdown = {
      type: 'text',
      format: 'markdown',
      text: 'See {{{feed.newest}} and {{feed.newest}}{{feed.newest}}',
    }
    const made = await recurring(t, { ...digest, content: [markdown], feed: { url: feed.url } })
    const { mail } = await t.post(`${path}/${made.id}/preview`, {}, 200)
    expect(mail.text).toContain('((contact.email)) **b** [x](https://evil.example/) <b>')
    expect(mail.html).not.toContain('<img src="https://evil')
    expect(mail.html).not.toContain('href="https://evil')
    expect(mail.missingVariables).toEqual([])
  })

  test('one that fails is fetched again within the hour, then left out with its reason; after three times it is on the list', async () => {
    await using feed = feedServer('')
    feed.state.status = 503
    await using t = await testApp({ environment: sinkEnvironment })
    const made = await recurring(t, { ...digest, feed: { url: feed.url } })
    await t.advance('1h')
    expect((await viewOf(t, made)).runs).toEqual([])
    for (let tries = 0; tries < 6; tries++) await t.advance('10m')
    expect(feed.received.length).toBe(7)
    expect(await viewOf(t, made)).toMatchObject({
      failures: 1,
      nextAt: '2026-01-16T13:00:00.000Z',
      runs: [{ outcome: 'failed', code: 'feed_failed', reason: 'The feed: its server answered 503' }],
    })
    const failing = async () =>
      (await t.get('/v1/attention', 200)).data.filter(({ code }: Json) => code === 'feed_failing')
    for (let days = 0; days < 2; days++) {
      expect(await failing()).toEqual([])
      await t.advance('23h')
      for (let tries = 0; tries < 6; tries++) await t.advance('10m')
    }
    expect(await failing()).toMatchObject([{ thing: { id: made.id }, detail: 'The feed: its server answered 503' }])
    expect(await campaignsOf(t)).toEqual([])
    Object.assign(feed.state, { xml: rss(item(1)), status: 200 })
    await t.advance('23h')
    expect((await viewOf(t, made)).runs[0]).toMatchObject({ outcome: 'made' })
    expect(await failing()).toEqual([])
  })

  test('one that comes back within the hour has its campaign', async () => {
    await using feed = feedServer('<html>')
    await using t = await testApp({ environment: sinkEnvironment })
    const made = await recurring(t, { ...digest, feed: { url: feed.url } })
    await t.advance('1h')
    feed.state.xml = rss(item(1))
    await t.advance('10m')
    expect(await viewOf(t, made)).toMatchObject({ failures: 0, runs: [{ outcome: 'made' }] })
  })

  const faults: [string, Answer, string][] = [
    ['is no feed', () => new Response('<html></html>'), 'it is neither RSS nor Atom'],
    ['is cut off', () => new Response('<rss><channel>'), 'it ends before its end'],
    ['is too large', () => new Response(Buffer.alloc(6 * 1024 * 1024, 0x20)), 'larger than 5 MB'],
    ['leads into a private network', () => Response.redirect('http://10.0.0.1/feed', 302), 'a private network'],
    ['leads in a circle', () => Response.redirect('/', 302), 'answered 302'],
  ]
  for (const [says, answer, reason] of faults)
    test(`one that ${says} sends nothing, and says so`, async () => {
      await using feed = feedServer('', answer)
      await using t = await testApp({ environment: sinkEnvironment })
      const made = await recurring(t, { ...digest, feed: { url: feed.url } })
      const run = await t.post(`${path}/${made.id}/run`, {}, 200)
      expect(run).toMatchObject({ outcome: 'failed', code: 'feed_failed', campaignId: null })
      expect(run.reason).toContain(reason)
      expect(await campaignsOf(t)).toEqual([])
    })

  test('one that has moved is followed', async () => {
    await using feed = feedServer(rss(item(1)))
    await using old = webhookSink(() => Response.redirect(feed.url, 301))
    await using t = await testApp({ environment: sinkEnvironment })
    const made = await recurring(t, { ...digest, feed: { url: old.url } })
    expect(await t.post(`${path}/${made.id}/run`, {}, 200)).toMatchObject({ outcome: 'made', items: 1 })
  })
})
