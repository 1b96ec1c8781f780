// The clock of a test workspace: what waits there is reached at once, and nothing real is moved.

import { expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { bringForward } from '../src/core/outbox/bring-forward.ts'
import { type As, type Json, type TestApp, testApp } from './support/app.ts'
import { trust } from './support/campaign.ts'
import { startSink } from './support/smtp-sink.ts'

const path = '/v1/test/clock'
const content = [{ type: 'text', text: 'Hello' }]

/** Mails that wait: one that is scheduled, one of a rule with a delay, and a campaign. */
async function schedule(t: TestApp, as: { as: As }, domain: string): Promise<void> {
  const later = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000).toISOString()
  await t.template({}, as)
  await t.mail({ email: `late@${domain}`, scheduledAt: later(2) }, as)
  const rule = {
    eventName: 'bought',
    action: 'send_template',
    templateId: 'hello',
    delay: { amount: 3, unit: 'd' },
    enabled: true,
  }
  await t.post('/v1/event-rules', rule, 201, as)
  const list = await t.mailingList({}, as)
  await t.contact({ email: `ada@${domain}`, mailingLists: { [list.id]: true } }, as)
  await t.post('/v1/events/send', { email: `ada@${domain}`, eventName: 'bought' }, 200, as)
  const draft = { name: 'News', subject: 'News', mailingListId: list.id, content }
  const { id } = await t.post('/v1/campaigns', draft, 201, as)
  await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: later(4) }, 200, as)
}

test('moving it brings what waits there nearer, and only there', async () => {
  await using server = startSink()
  await using t = await testApp({ environment: { SMTP_URL: server.url } })
  await trust(t, 'M1')
  const { apiKey } = await t.post('/v1/api-keys', { test: true }, 201)
  const inTest = { as: { apiKey } }
  await schedule(t, inTest, 'test.example')
  await schedule(t, { as: 'key' }, 'real.example')
  await t.settle()
  const now = t.clock.now().toISOString()
  const to = async () =>
    (await t.get('/v1/activity?status=sent', 200, inTest)).data.map(({ email }: Json) => email).toSorted()
  const days = (count: number) => new Date(t.clock.now().getTime() + count * 86_400_000).toISOString()
  expect(await t.get(path, 200, inTest)).toEqual({ now, waiting: 3, nextDueAt: days(2) })

  const moved = await t.post(path, { advance: '1d' }, 200, inTest)
  expect(moved).toMatchObject({ now, moved: 3, waiting: 3, nextDueAt: days(1) })
  await t.settle()
  expect(await to()).toEqual([])
  // A key of the workspace moves its test workspace, never itself.
  await t.post(path, { advance: '24h' }, 200)
  await t.settle()
  expect(await to()).toEqual(['late@test.example'])
  await t.post(path, { advance: '1d' }, 200, inTest)
  await t.settle()
  expect(await to()).toEqual(['ada@test.example', 'late@test.example'])
  await t.post(path, { advance: '1d' }, 200, inTest)
  await t.settle()
  expect(await to()).toEqual(['ada@test.example', 'ada@test.example', 'late@test.example'])
  expect(await t.get(path, 200)).toEqual({ now, waiting: 0, nextDueAt: null })
  expect(server.connections()).toBe(0)
  const { data } = await t.get('/v1/jobs?state=pending', 200)
  expect(data.map(({ dueAt }: Json) => dueAt).toSorted()).toEqual([days(2), days(3), days(4)])
})

test('retries come at once, links of confirmations expire, and a limit of frequency ends', async () => {
  await using t = await testApp()
  const { apiKey } = await t.post('/v1/api-keys', { test: true }, 201)
  const inTest = { as: { apiKey } }
  await t.template()
  const { messageId } = await t.mail({ email: 'delay@simulator.paquebot.test' }, inTest)
  const list = await t.mailingList({ optIn: 'double' }, inTest)
  const { id: sourceId } = await t.post(
    '/v1/subscription-sources',
    { name: 'Form', mailingListIds: [list.id] },
    201,
    inTest,
  )
  await t.post('/v1/contact-subscriptions/opt-in', { email: 'ada@example.net', sourceId }, 202, inTest)
  const plain = await t.mailingList({ name: 'Plain' }, inTest)
  await t.contact({ email: 'ben@example.net', mailingLists: { [plain.id]: true } }, inTest)
  const campaign = async () => {
    const { id } = await t.post(
      '/v1/campaigns',
      { name: 'N', subject: 'N', mailingListId: plain.id, content },
      201,
      inTest,
    )
    await t.post(`/v1/campaigns/${id}/send`, {}, 200, inTest)
    await t.settle()
    const { data } = await t.get(`/v1/campaigns/${id}/recipients`, 200, inTest)
    return data[0].state
  }
  expect(await campaign()).toBe('sent')
  expect(await campaign()).toBe('rate_guardrail')
  expect((await t.get(`/v1/activity/${messageId}`, 200, inTest)).status).toBe('delayed')
  const { mail } = await t.get('/v1/activity/captured/wait?to=ada@example.net', 200, inTest)
  const link = /\/confirm\/[\w-]{43}/.exec(mail.source.replaceAll('=\r\n', ''))?.[0] ?? ''
  expect((await t.request('GET', link, undefined, { as: 'nobody' })).status).toBe(200)

  await t.post(path, { advance: '8d' }, 200, inTest)
  await t.settle()
  expect((await t.get(`/v1/activity/${messageId}`, 200, inTest)).status).toBe('delivered')
  expect((await t.request('GET', link, undefined, { as: 'nobody' })).status).toBe(410)
  expect(await campaign()).toBe('sent')
})

test('a duration that is none, and a workspace that is no test workspace, are refused', async () => {
  await using t = await testApp()
  for (const advance of ['soon', '0s', '-1d', '401d', ''])
    expect((await t.unchanged(() => t.post(path, { advance }, 422))).errors[0].path).toBe('advance')
  await expect(write(t.app, (tx) => bringForward(tx, t.workspace.id, 1))).rejects.toThrow(
    'only what waits in a test workspace',
  )
})

test('a local time and the recipients who wait for it come nearer, too', async () => {
  await using t = await testApp()
  const { apiKey } = await t.post('/v1/api-keys', { test: true }, 201)
  const inTest = { as: { apiKey } }
  const list = await t.mailingList({}, inTest)
  for (const [n, timezone] of ['Asia/Tokyo', 'America/New_York'].entries())
    await t.contact({ email: `r${n}@example.net`, timezone, mailingLists: { [list.id]: true } }, inTest)
  const body = { name: 'N', subject: 'N', mailingListId: list.id, content }
  const { id } = await t.post('/v1/campaigns', body, 201, inTest)
  const at = { scheduledAt: '2026-01-16T09:00', inRecipientZone: true }
  await t.post(`/v1/campaigns/${id}/schedule`, at, 200, inTest)
  const sent = async () => (await t.get(`/v1/campaigns/${id}`, 200, inTest)).stats.sent
  const advance = async (duration: string) => {
    await t.post(path, { advance: duration }, 200, inTest)
    await t.settle()
    return await sent()
  }
  // It begins, and then each waits for their nine o'clock.
  expect(await advance('12h')).toBe(0)
  expect(await advance('13h')).toBe(1)
  expect(await advance('15h')).toBe(2)
})
