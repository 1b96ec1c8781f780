// The warm-up of a relay: so many mails a day to each receiver, the rest by a warmer relay, and waiting only where there is none. The clock
// begins on 15 January 2026, 12:00 UTC.

import { describe, expect, test } from 'bun:test'
import { createApp, write } from '../src/core/app.ts'
import { routeMail } from '../src/core/relays.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { rampOn, WarmUp, warmUpStage } from '../src/mail/warm-up.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, join, listOf, sendCampaign, statsOf, trust } from './support/campaign.ts'
import { testClock } from './support/clock.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

const path = '/v1/relays'
const today = '2026-01-15T12:00:00Z'

const add = (t: TestApp, { url }: Sink, more: object = {}): Promise<Json> =>
  t.post(path, { name: 'Cold', url, warmUpSince: today, ...more }, 201)

/** Mails to people of one domain. */
async function mails(t: TestApp, many: number, domain: string, first = 0): Promise<void> {
  await Promise.all(Array.from({ length: many }, (_, n) => t.mail({ email: `a${first + n}@${domain}` })))
}

const sentTo = ({ received }: Sink, domain: string) =>
  received.flatMap(({ to }) => to).filter((to) => to.endsWith(`@${domain}`)).length

async function throughSinks(first: Sink) {
  const t = await testApp({ mailer: smtpTransport({ url: first.url }), isNew: true })
  await t.template()
  await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { hoursBetween: 0, mailsPerWeek: 0 }))
  return t
}

/** A campaign to so many people of each domain, over what relays there are. */
async function campaignTo(t: TestApp, people: Record<string, number>): Promise<string> {
  const [[domain, many] = ['', 0], ...others] = Object.entries(people)
  const { list } = await listOf(t, many, { domain })
  for (const [domain, many] of others) await join(t, list, many, { domain, first: 1_000 })
  return await draft(t, list)
}

const carried = async (t: TestApp, id: string) => {
  const { warmUp } = await t.get(`${path}/${id}`, 200)
  return { ...warmUp, receivers: Object.fromEntries(warmUp.receivers.map((one: Json) => [one.receiver, one.carried])) }
}

describe('a relay that warms up', () => {
  test('carries so many to each receiver, and a warmer one the rest; the campaign is one', async () => {
    await using warm = startSink()
    await using cold = startSink()
    await using t = await throughSinks(warm)
    const { id: relayId } = await add(t, cold, { weight: 1_000 })
    await trust(t, 'M1')
    const id = await campaignTo(t, { 'gmail.com': 120, 'gmx.de': 40, 'outlook.com': 60 })
    await sendCampaign(t, id)
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', audience: 220, sent: 220 })
    expect(cold.count() + warm.count()).toBe(220)
    expect([sentTo(cold, 'gmail.com'), sentTo(cold, 'outlook.com')]).toEqual([50, 50])
    expect(sentTo(cold, 'gmx.de')).toBeGreaterThan(35)
    expect(await carried(t, relayId)).toEqual({
      day: 1,
      allowed: 50,
      receivers: { google: 50, microsoft: 50, gmx: sentTo(cold, 'gmx.de') },
    })
  })

  test('alone, bulk mail waits for the next day, which has more; what somebody waits for does not', async () => {
    await using cold = startSink()
    await using t = await testApp({ isNew: true })
    await t.template()
    const { id: relayId } = await add(t, cold)
    const id = await campaignTo(t, { 'gmail.com': 170, 'gmx.de': 10 })
    await sendCampaign(t, id)
    expect([sentTo(cold, 'gmail.com'), sentTo(cold, 'gmx.de')]).toEqual([50, 10])
    await mails(t, 3, 'gmail.com')
    await t.settle()
    expect(sentTo(cold, 'gmail.com')).toBe(53)
    const { data } = await t.get(`/v1/campaigns/${id}/recipients?state=delayed&perPage=1`, 200)
    expect((await t.get(`/v1/activity/${data[0].messageId}`, 200)).events.at(-1)).toMatchObject({
      detail: 'no relay is warm enough to carry more to google today',
    })
    await t.advance('11h')
    expect(sentTo(cold, 'gmail.com')).toBe(53)
    await t.advance('2h')
    expect(sentTo(cold, 'gmail.com')).toBe(153)
    expect(await carried(t, relayId)).toMatchObject({ day: 2, allowed: 100, receivers: { google: 100 } })
    await t.advance('24h')
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 180 })
    expect(cold.count()).toBe(183)
  })

  test('of two, mail that somebody waits for goes through the warmest where neither may carry more', async () => {
    await using one = startSink()
    await using other = startSink()
    await using t = await testApp({ isNew: true })
    await t.template()
    await add(t, one, { name: 'Younger', weight: 1_000 })
    await add(t, other, { name: 'Older', weight: 0, warmUpSince: '2026-01-14T12:00:00Z' })
    await mails(t, 200, 'gmail.com')
    await t.settle()
    expect([one.count(), other.count()]).toEqual([50, 150])
  })

  test('what was carried counts after a restart, and what was not handed over does not', async () => {
    let isBusy = true
    const answer = (stage: string) => (stage === 'rcpt' && isBusy ? '451 4.7.1 Greylisted, try again later' : undefined)
    await using warm = startSink()
    await using cold = startSink({ answer })
    await using t = await throughSinks(warm)
    const { id: relayId } = await add(t, cold)
    const relays = [
      { relayId, weight: 1 },
      { relayId: 'smtp_url', weight: 0 },
    ]
    await t.put('/v1/relay-routes', { routes: [{ relays }] }, 200)
    await mails(t, 30, 'gmail.com')
    await t.settle()
    expect(await carried(t, relayId)).toMatchObject({ receivers: {} })
    isBusy = false
    await t.advance('10m')
    expect([cold.count(), warm.count()]).toEqual([30, 0])
    expect(await carried(t, relayId)).toMatchObject({ receivers: { google: 30 } })
    // Another process begins with what is stored.
    const later = await createApp(t.app.config, { clock: t.clock })
    const mail = {
      workspaceId: t.workspace.id,
      from: 'a@example.com',
      to: 'b@gmail.com',
      stream: 'marketing',
      bulk: true,
    } as const
    for (let n = 0; n < 20; n++) expect(await routeMail(later, mail)).toMatchObject({ relayId })
    expect(await routeMail(later, mail)).toMatchObject({ outcome: 'held' })
    expect(await routeMail(later, { ...mail, to: 'b@gmx.de' })).toMatchObject({ relayId })
    await later.close()
    await mails(t, 40, 'gmail.com', 100)
    await t.settle()
    expect([sentTo(cold, 'gmail.com'), warm.count()]).toEqual([50, 20])
  })

  test('after its last day it is as any other', async () => {
    await using warm = startSink()
    await using cold = startSink()
    await using t = await throughSinks(warm)
    const { id } = await add(t, cold, { weight: 1_000, warmUpSince: '2026-01-01T00:00:00Z' })
    expect(await t.get(`${path}/${id}`, 200)).toMatchObject({ warmUpSince: '2026-01-01T00:00:00.000Z', warmUp: null })
    await mails(t, 60, 'gmail.com')
    await t.settle()
    expect(cold.count()).toBeGreaterThan(50)
    await t.patch(`${path}/${id}`, { warmUpSince: today }, 200)
    await mails(t, 10, 'gmail.com', 100)
    await t.settle()
    expect(warm.count()).toBeGreaterThanOrEqual(10)
    await t.patch(`${path}/${id}`, { warmUpSince: null }, 200)
    await mails(t, 30, 'gmail.com', 200)
    await t.settle()
    expect(cold.count()).toBeGreaterThan(80)
  })

  test.each(['yesterday', '2026-01-15', '2026-01-16T12:00:00Z'])('cannot have begun %s', async (warmUpSince) => {
    await using t = await testApp()
    await using sink = startSink()
    const { errors } = await t.post(path, { name: 'Cold', url: sink.url, warmUpSince }, 422)
    expect(errors).toMatchObject([{ path: 'warmUpSince' }])
  })
})

test('a warm-up has 50, 100, 250, 500, 1,000, and then twice as many each day', () => {
  expect([0, 1, 2, 3, 4, 5, 13].map(rampOn)).toEqual([50, 100, 250, 500, 1_000, 2_000, 512_000])
  const since = new Date('2026-01-15T23:00:00Z')
  const on = (at: string) => warmUpStage(since, new Date(at))
  expect(on('2026-01-15T23:59:00Z')).toEqual({ day: 1, allowed: 50 })
  expect(on('2026-01-16T00:00:00Z')).toEqual({ day: 2, allowed: 100 })
  expect(on('2026-01-28T00:00:00Z')).toEqual({ day: 14, allowed: 512_000 })
  expect(on('2026-01-29T00:00:00Z')).toBeNull()
  expect(warmUpStage(null, since)).toBeNull()
})

test('processes share what is allowed, and together carry no more', () => {
  const clock = testClock()
  const [one, other] = [new WarmUp(clock), new WarmUp(clock)]
  const takeAll = (warmUp: WarmUp): number => {
    let taken = 0
    for (; warmUp.waitMs('google') === 0; taken++) warmUp.take('google')
    return taken
  }
  for (const warmUp of [one, other]) {
    warmUp.set(clock.now(), 2)
    warmUp.startAt(new Map([['google', 11]]))
  }
  expect([takeAll(one), takeAll(other)]).toEqual([19, 19])
  expect(one.waitMs('gmx')).toBe(0)
  expect(one.waitMs('google')).toBe(12 * 3_600_000)
  clock.advance(12 * 3_600_000)
  expect(takeAll(one)).toBe(50)
})
