// What goes wrong around recurring campaigns: feeds that change, hang or are huge, two processes, two people, templates that go.

import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contacts } from '../db/tables/contacts.ts'
import { recurringRuns } from '../db/tables/recurring.ts'
import { write } from '../src/core/app.ts'
import { Dispatcher } from '../src/core/outbox/dispatcher.ts'
import { jobKinds } from '../src/operator/jobs.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { mcpClient } from './support/mcp.ts'
import { campaignsOf, daily, digest, feedServer, item, path, recurring, rss, viewOf } from './support/recurring.ts'
import { sinkEnvironment } from './support/webhook-sink.ts'

const environment = sinkEnvironment
const runNow = (t: TestApp, { id }: Json) => t.post(`${path}/${id}/run`, {}, 200)

/** What each form of the feed comes to, one after the other. */
const changes: [says: string, forms: string[], outcomes: (number | 'nothing_new')[]][] = [
  ['a new guid for the same', [rss(item(1)), rss(item(1).replace('<guid>1<', '<guid>x<'))], [1, 'nothing_new']],
  ['other words under the same guid', [rss(item(1)), rss(item(1).replace('Story', 'Tale'))], [1, 'nothing_new']],
  [
    'a feed that empties itself, and comes back',
    [rss(item(1)), rss(), rss(item(1))],
    [1, 'nothing_new', 'nothing_new'],
  ],
  ['an item that is taken away', [rss(item(2), item(1)), rss(item(1))], [2, 'nothing_new']],
  ['a podcast whose items share a link', [rss(item(1)), rss(item(2).replace('/2<', '/1<'), item(1))], [1, 1]],
  [
    'an item that moves up as another of a long feed goes',
    [1, 2].map((from) => rss(...Array.from({ length: 1_000 }, (_, n) => item(from + n)))),
    [10, 'nothing_new'],
  ],
]
for (const [says, forms, outcomes] of changes)
  test(`what is new: ${says}`, async () => {
    await using feed = feedServer('')
    await using t = await testApp({ environment })
    const made = await recurring(t, { ...digest, feed: { url: feed.url } })
    for (const [at, xml] of forms.entries()) {
      feed.state.xml = xml
      const { outcome, items } = await runNow(t, made)
      expect(outcome === 'made' ? items : outcome).toBe(outcomes[at])
    }
  })

test('feeds that do not answer hold up those of no other workspace', async () => {
  const { promise: late, resolve: end } = Promise.withResolvers<void>()
  await using slow = feedServer('', async () => {
    await late
    return new Response(rss(item(1)))
  })
  await using quick = feedServer(rss(item(1)))
  await using t = await testApp({ environment })
  const other = await t.stranger()
  const held: Json[] = []
  for (let n = 0; n < 8; n++) held.push(await recurring(t, { ...digest, feed: { url: slow.url } }))
  const list = await t.post('/v1/mailing-lists', { name: 'Theirs' }, 201, { as: other })
  const body = { name: 'Theirs', ...digest, mailingListId: list.id, schedule: daily, feed: { url: quick.url } }
  const { id } = await t.post(path, body, 201, { as: other })
  t.clock.advance(3_600_000)
  const settled = t.settle()
  await quick.whenReceived(1)
  expect(slow.received.length).toBeLessThanOrEqual(4)
  end()
  await settled
  expect((await t.get(`${path}/${id}`, 200, { as: other })).runs).toMatchObject([{ outcome: 'made' }])
  for (const one of held) expect((await viewOf(t, one)).runs).toMatchObject([{ outcome: 'made' }])
})

test('a feed of 100 MB is not read to its end', async () => {
  const sent = { bytes: 0 }
  const megabyte = new Uint8Array(1024 * 1024).fill(0x20)
  const body = () =>
    new ReadableStream({
      pull(controller) {
        sent.bytes += megabyte.length
        if (sent.bytes > 100 * megabyte.length) controller.close()
        else controller.enqueue(megabyte)
      },
    })
  await using feed = feedServer('', () => new Response(body()))
  await using t = await testApp({ environment })
  const made = await recurring(t, { ...digest, feed: { url: feed.url } })
  expect(await runNow(t, made)).toMatchObject({ outcome: 'failed', code: 'feed_failed' })
  expect(sent.bytes).toBeLessThan(50 * megabyte.length)
})

test('two processes that come to one time make it one campaign', async () => {
  await using feed = feedServer(rss(item(1)))
  await using t = await testApp({ environment, alone: false })
  const made = await recurring(t, { ...digest, feed: { url: feed.url } })
  const other = new Dispatcher(t.app, { kinds: jobKinds, alone: false, version: 'test' })
  t.clock.advance(3_600_000)
  await Promise.all([t.settle(), other.runDue()])
  await other.stop(0)
  await t.settle()
  expect((await viewOf(t, made)).runs).toMatchObject([{ outcome: 'made' }])
  expect(await campaignsOf(t)).toMatchObject([{ status: 'sent', stats: { sent: 2 } }])
})

test('of two changes at once neither is lost', async () => {
  await using t = await testApp()
  const made = await recurring(t)
  const at = `${path}/${made.id}`
  await Promise.all([
    t.patch(at, { subject: 'Other' }, 200),
    t.patch(at, { schedule: { every: 'day', at: '14:00' } }, 200),
    t.patch(at, { name: 'Named' }, 200),
  ])
  expect(await viewOf(t, made)).toMatchObject({ name: 'Named', subject: 'Other', schedule: { at: '14:00' } })
})

test('one that is made paused waits for somebody who resumes it', async () => {
  await using t = await testApp()
  const made = await recurring(t, { state: 'paused' })
  expect(made).toMatchObject({ state: 'paused', nextAt: null })
  await t.advance('48h')
  expect(await campaignsOf(t)).toEqual([])
  await t.post(`${path}/${made.id}/resume`, {}, 200)
  await t.advance('1h')
  expect((await campaignsOf(t)).length).toBe(1)
})

test('a plan shows the next times, and what the feed holds', async () => {
  await using feed = feedServer(rss(item(3), item(2), item(1)))
  await using t = await testApp({ environment })
  const plan = (body: object, status = 200) => t.unchanged(() => t.post(`${path}/plan`, body, status))
  const found = await plan({
    schedule: { every: 'day', at: '09:00' },
    timeZone: 'Europe/Berlin',
    feed: { url: feed.url, maxItems: 2 },
  })
  expect(found.times.length).toBe(5)
  expect(found.times[0]).toEqual({ at: '2026-01-16T08:00:00.000Z', localTime: '2026-01-16T09:00' })
  expect(found.feed).toMatchObject({ reason: null, title: 'Blog', items: [{ title: 'Story 3' }, { title: 'Story 2' }] })
  feed.state.status = 500
  const { feed: failed } = await plan({ schedule: daily, feed: { url: feed.url } })
  expect(failed).toEqual({ reason: 'its server answered 500', title: '', items: [] })
  const recipient = await plan({ schedule: { ...daily, inRecipientZone: true } })
  expect(recipient.feed).toBeNull()
  expect(recipient.times[0]).toEqual({ at: '2026-01-15T23:00:00.000Z', localTime: '2026-01-16T13:00' })
  const refusals: [object, string][] = [
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ feed: { url: 'http://10.0.0.1/' } }, 'feed.url'],
    [{ schedule: { every: 'month', at: '09:00' } }, 'schedule.dayOfMonth'],
  ]
  for (const [fields, at] of refusals) expect((await plan({ schedule: daily, ...fields }, 422)).errors[0].path).toBe(at)
})

test('each recipient gets it at its time of day where they are', async () => {
  await using t = await testApp()
  const made = await recurring(t, { schedule: { every: 'day', at: '09:00', inRecipientZone: true } })
  await write(t.app, (tx) =>
    tx.db.update(contacts).set({ timezone: 'Asia/Tokyo' }).where(eq(contacts.email, 'r0@example.net')),
  )
  expect(made).toMatchObject({ nextAt: '2026-01-15T19:00:00.000Z', schedule: { inRecipientZone: true } })
  await t.advance('7h')
  const [campaign] = await campaignsOf(t)
  expect(campaign).toMatchObject({ name: 'Daily, 2026-01-16', localTime: '2026-01-16T09:00', status: 'sending' })
  await t.advance('4h')
  expect(await t.sent()).toEqual([])
  await t.advance('70m')
  expect((await t.sent()).flatMap(({ to }) => to)).toEqual(['r0@example.net'])
  await t.advance('8h')
  expect(await t.sent()).toHaveLength(1)
  await t.advance('1h')
  expect(await t.sent()).toHaveLength(2)
})

test('a template that recurring campaigns send is not deleted by accident; with force they are paused', async () => {
  await using t = await testApp()
  await t.template({ id: 'digest', kind: 'marketing' })
  const made = await recurring(t, { templateId: 'digest', content: undefined })
  const refused = await t.post('/v1/transactional/delete', { id: 'digest' }, 409)
  expect(refused.detail).toContain(`recurring campaigns (${made.id})`)
  const saved = await t.put(
    '/v1/transactional/update',
    { id: 'digest', content: [{ type: 'text', text: '{{x}}' }] },
    200,
  )
  expect(saved.warnings).toContainEqual(expect.objectContaining({ code: 'missing_variable' }))
  expect(JSON.stringify(saved.warnings)).toContain(made.id)
  await t.post('/v1/transactional/delete', { id: 'digest', force: true }, 200)
  expect(await viewOf(t, made)).toMatchObject({ state: 'paused', nextAt: null })
  await t.post(`${path}/${made.id}/resume`, {}, 200)
  await t.advance('1h')
  expect((await viewOf(t, made)).runs).toMatchObject([{ outcome: 'failed', code: 'unknown_template' }])
})

test('of the runs the last hundred stay, and every campaign', async () => {
  await using t = await testApp()
  const made = await recurring(t, {}, session)
  const first = await runNow(t, made)
  await write(t.app, async (tx) => {
    for (let n = 1; n <= 120; n++)
      await tx.db.insert(recurringRuns).values({
        recurringCampaignId: made.id,
        at: new Date(n * 1_000),
        outcome: 'nothing_new',
      })
  })
  await t.advance('1h')
  const { runs } = await viewOf(t, made)
  expect(runs.length).toBe(100)
  expect(runs.slice(0, 3)).toMatchObject([
    { outcome: 'made' },
    { campaignId: first.campaignId },
    { outcome: 'nothing_new' },
  ])
  const rows = await t.app.db.select().from(recurringRuns).where(eq(recurringRuns.recurringCampaignId, made.id))
  expect(rows.length).toBe(100)
  expect((await campaignsOf(t)).length).toBe(2)
})

test('an agent drafts one, paused, and reads what became of its times', async () => {
  await using t = await testApp()
  const { id: mailingListId } = await t.mailingList()
  await using client = await mcpClient('2026-07-28 (stateless)', `${t.url}/mcp`, t.apiKey)
  const told = async (name: string, args: object) => {
    const { isError, structuredContent, content: words } = await client.callTool({ name, arguments: { ...args } })
    return isError ? JSON.parse(words[0].text) : structuredContent
  }
  const fields = { name: 'R', subject: 'S', mailingListId, content: [{ type: 'text', text: 'Hello' }] }
  const wrong = { ...fields, schedule: { every: 'year', at: '09:00' } }
  expect((await told('draft_recurring_campaign', wrong)).errors[0].path).toBe('schedule')
  const made = await told('draft_recurring_campaign', { ...fields, schedule: daily })
  expect(made).toMatchObject({ state: 'paused', nextAt: null, runs: [], schedule: daily })
  await runNow(t, made)
  expect(await told('get_recurring_campaign', { recurringCampaignId: made.id })).toMatchObject({
    runs: [{ outcome: 'made' }],
  })
  expect(await told('list_recurring_campaigns', {})).toMatchObject({
    data: [{ id: made.id, state: 'paused' }],
    pagination: { totalResults: 1 },
  })
})
