// Several relays: which mail takes which, what happens when one fails, and that no mail leaves twice because of it.

import { describe, expect, test } from 'bun:test'
import { outboxAttempts, sendJournal } from '../db/tables/outbox.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, listOf, trust } from './support/campaign.ts'
import { type Answer, type Sink, type SinkStage, startSink } from './support/smtp-sink.ts'

const path = '/v1/relays'

const add = (t: TestApp, { url }: Sink, more: object = {}): Promise<Json> =>
  t.post(path, { name: 'Second', url, ...more }, 201)

/** Mails to as many domains. */
async function mails(t: TestApp, many: number, more: object = {}): Promise<string[]> {
  const emails = Array.from({ length: many }, (_, n) => `a${n}@domain${n}.example`)
  await Promise.all(emails.map((email) => t.mail({ email, ...more })))
  return emails.sort()
}

const recipientsOf = (...sinks: Sink[]) => sinks.flatMap(({ received }) => received.flatMap(({ to }) => to)).sort()

const relaysOf = (id: string) => ({ relays: [{ relayId: id, weight: 1 }] })

/** Answers at one stage with one thing. */
const always = (stage: SinkStage, said: Answer) => ({ answer: (at: SinkStage) => (at === stage ? said : undefined) })

async function throughSinks(first: Sink) {
  const t = await testApp({ mailer: smtpTransport({ url: first.url }), isNew: true })
  await t.template()
  return t
}

describe('relays', () => {
  test('share the mail by their weights, and a spare has none of it', async () => {
    await using here = startSink()
    await using there = startSink()
    await using spare = startSink()
    await using t = await throughSinks(here)
    const second = await add(t, there)
    await add(t, spare, { name: 'Spare', weight: 0 })
    const emails = await mails(t, 120)
    await t.settle()
    expect(recipientsOf(here, there)).toEqual(emails)
    expect(spare.count()).toBe(0)
    expect(Math.min(here.count(), there.count())).toBeGreaterThan(30)
    const journal = await t.app.db.select().from(sendJournal)
    expect(journal.filter(({ relayId }) => relayId === second.id)).toHaveLength(there.count())
  })

  test.each<[string, SinkStage, Answer]>([
    ['cuts the line at once', 'banner', 'cut'],
    ['says that it is too busy', 'banner', '421 4.3.2 too busy'],
    ['refuses our sign-in', 'mail', '530 5.7.0 Authentication required'],
    ['has no more quota for us', 'mail', '454 4.7.0 Daily sending quota exceeded'],
  ])('one that %s costs no mail anything: the other takes it', async (_, stage, said) => {
    await using here = startSink(always(stage, said))
    await using there = startSink()
    await using t = await throughSinks(here)
    await add(t, there)
    const emails = await mails(t, 60)
    await t.settle()
    expect(recipientsOf(there)).toEqual(emails)
    expect(here.count()).toBe(0)
    // It is told, and tried again later by one mail.
    const { data } = await t.get(path, 200)
    expect(data).toHaveLength(1)
    expect((await t.get('/v1/sending-faults', 200)).data).toMatchObject([{ about: 'relay' }])
  })

  test.each<[string, object, (id: string) => object[]]>([
    ['is for other mail', { streams: ['marketing'] }, () => []],
    [
      'no route names',
      {},
      (id) => [{ streams: ['transactional'], relays: [{ relayId: 'smtp_url', weight: 1 }] }, relaysOf(id)],
    ],
  ])('one that %s is no substitute: the mail waits, and goes when its relay is back', async (_, settings, routesOf) => {
    let isDown = true
    await using here = startSink({ answer: (stage) => (stage === 'banner' && isDown ? 'cut' : undefined) })
    await using there = startSink()
    await using t = await throughSinks(here)
    const { id } = await add(t, there, settings)
    await t.put('/v1/relay-routes', { routes: routesOf(id) }, 200)
    const emails = await mails(t, 5)
    await t.settle()
    expect([here.count(), there.count()]).toEqual([0, 0])
    isDown = false
    await t.advance('1h')
    expect([recipientsOf(here), there.count()]).toEqual([emails, 0])
  })

  test('one that comes back is tried by a single mail, and shares again', async () => {
    let isDown = true
    await using here = startSink({ answer: (stage) => (stage === 'banner' && isDown ? 'cut' : undefined) })
    await using there = startSink()
    await using t = await throughSinks(here)
    await add(t, there)
    await mails(t, 20)
    await t.settle()
    expect([here.count(), there.count()]).toEqual([0, 20])
    isDown = false
    t.clock.advance(60_000)
    await mails(t, 10)
    await t.settle()
    expect(here.count()).toBeGreaterThan(0)
    const before = here.count()
    await mails(t, 60)
    await t.settle()
    expect(recipientsOf(here, there)).toHaveLength(90)
    expect(here.count() - before).toBeGreaterThan(15)
    expect((await t.get('/v1/sending-faults', 200)).data).toEqual([])
  })

  test('a mail whose answer is lost is not sent by another', async () => {
    await using here = startSink(always('dot', 'cut'))
    await using there = startSink()
    await using t = await throughSinks(here)
    await add(t, there, { weight: 0 })
    await trust(t, 'M1')
    const { list } = await listOf(t, 3)
    const id = await draft(t, list)
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.settle()
    expect(there.count()).toBe(0)
    expect((await t.get(`/v1/campaigns/${id}/recipients`, 200)).data.map(({ state }: Json) => state)).toEqual(
      Array(3).fill('uncertain'),
    )
  })

  test('a mail that may have arrived goes again through the same relay, and so does one that was refused for who we are', async () => {
    let isLost = true
    const refuse = (stage: SinkStage, _: number, { to }: { to: string }) => {
      if (stage === 'rcpt' && to.startsWith('blocked@')) return '550 5.7.26 Your mail has been blocked: unauthenticated'
      return stage === 'dot' && isLost ? 'cut' : undefined
    }
    await using here = startSink({ answer: refuse })
    await using there = startSink()
    await using t = await throughSinks(here)
    await t.mail({ email: 'lost@example.net' })
    await t.mail({ email: 'blocked@example.org' })
    await t.settle()
    isLost = false
    await add(t, there, { weight: 1_000 })
    for (let n = 0; n < 3; n++) await t.advance('10m')
    expect(recipientsOf(there)).toEqual([])
    expect(recipientsOf(here)).toContain('lost@example.net')
    await mails(t, 10)
    await t.settle()
    expect(there.count()).toBeGreaterThan(8)
  })

  test('when all were down, mail goes as soon as one is back', async () => {
    let isDown = true
    await using here = startSink(always('banner', 'cut'))
    await using there = startSink({ answer: (stage) => (stage === 'banner' && isDown ? 'cut' : undefined) })
    await using t = await throughSinks(here)
    await add(t, there)
    const emails = await mails(t, 20)
    await t.settle()
    isDown = false
    await t.advance('2m')
    await t.advance('2m')
    expect(recipientsOf(there)).toEqual(emails)
  })

  test('when all were down, the spare is tried beside those that share, and carries all', async () => {
    let isDown = true
    await using here = startSink(always('banner', 'cut'))
    await using there = startSink(always('banner', 'cut'))
    await using spare = startSink({ answer: (stage) => (stage === 'banner' && isDown ? 'cut' : undefined) })
    await using t = await throughSinks(here)
    await add(t, there)
    await add(t, spare, { weight: 0 })
    const emails = await mails(t, 20)
    await t.settle()
    isDown = false
    for (let n = 0; n < 3; n++) {
      await t.post('/v1/sending-faults/try-again', {}, 200)
      await t.settle()
    }
    expect(recipientsOf(spare)).toEqual(emails)
  })

  test('a mail that may have arrived waits for its relay while that is down', async () => {
    let [isLost, isDown] = [true, false]
    await using here = startSink({
      answer: (stage) => ((stage === 'dot' && isLost) || (stage === 'banner' && isDown) ? 'cut' : undefined),
    })
    await using there = startSink()
    await using t = await throughSinks(here)
    await t.mail({ email: 'lost@example.net' })
    await t.settle()
    isLost = false
    isDown = true
    await add(t, there)
    const others = await mails(t, 20)
    await t.settle()
    await t.advance('10m')
    expect(recipientsOf(there)).toEqual(others)
    expect((await t.app.db.select().from(outboxAttempts)).length).toBeLessThan(50)
    isDown = false
    await t.advance('20m')
    expect(recipientsOf(here)).toEqual(['lost@example.net', 'lost@example.net'])
  })

  test('a mail whose relay breaks off before the final dot goes on at once, through another', async () => {
    let isDown = false
    await using here = startSink({
      answer(stage) {
        if (stage === 'data') isDown = true
        return isDown ? 'cut' : undefined
      },
    })
    await using there = startSink()
    await using t = await throughSinks(here)
    await add(t, there, { weight: 0 })
    const emails = await mails(t, 10)
    await t.settle()
    expect(recipientsOf(there)).toEqual(emails)
  })

  test('a mail at which every relay breaks off is tried again later, and other mail goes', async () => {
    const poison = (stage: SinkStage, _: number, { to }: { to: string }) =>
      stage === 'data' && to.startsWith('poison@') ? 'cut' : undefined
    await using here = startSink({ answer: poison })
    await using there = startSink({ answer: poison })
    await using t = await throughSinks(here)
    await add(t, there)
    await t.mail({ email: 'poison@example.net' })
    await t.settle()
    expect(await t.app.db.select().from(outboxAttempts)).toHaveLength(2)
    const emails = await mails(t, 20)
    await t.settle()
    expect(recipientsOf(here, there)).toEqual(emails)
  })

  test('a mail that may have arrived stays with its relay while that drains, and goes on by another once it is off', async () => {
    let isLost = true
    await using here = startSink()
    await using there = startSink({ answer: (stage) => (stage === 'dot' && isLost ? 'cut' : undefined) })
    await using t = await throughSinks(here)
    const { id: relayId } = await add(t, there)
    await t.put('/v1/relay-routes', { routes: [{ relays: [{ relayId, weight: 1 }] }] }, 200)
    await t.mail({ email: 'lost@example.net' })
    await t.settle()
    await t.put('/v1/relay-routes', { routes: [] }, 200)
    await t.patch(`${path}/${relayId}`, { state: 'draining' }, 200)
    await t.advance('2m')
    expect(here.count()).toBe(0)
    await t.patch(`${path}/${relayId}`, { state: 'off' }, 200)
    isLost = false
    for (let n = 0; n < 3; n++) await t.advance('10m')
    expect(recipientsOf(here)).toEqual(['lost@example.net'])
  })

  test('a limit a day counts what left, not what was put off; the rest goes elsewhere, or waits for the day to end', async () => {
    const isBusy = (stage: SinkStage, _: number, { to }: { to: string }) =>
      stage === 'rcpt' && to.endsWith('@busy.example') ? '451 4.3.0 try later' : undefined
    await using here = startSink()
    await using there = startSink({ answer: isBusy })
    await using t = await throughSinks(here)
    const { id: relayId } = await add(t, there, { mostPerDay: 5 })
    const route = (weight: number) => ({ relays: [{ relayId, weight }] })
    await t.put('/v1/relay-routes', { routes: [route(1)] }, 200)
    for (let n = 0; n < 8; n++) await t.mail({ email: `a${n}@busy.example` })
    await t.settle()
    await mails(t, 7)
    await t.settle()
    expect([here.count(), there.count()]).toEqual([0, 5])
    const toOther = { relays: [...route(1).relays, { relayId: 'smtp_url', weight: 0 }] }
    await t.put('/v1/relay-routes', { routes: [toOther] }, 200)
    await t.mail({ email: 'now@domain1.example' })
    await t.settle()
    expect(recipientsOf(here)).toEqual(['now@domain1.example'])
    await t.advance('13h')
    expect(recipientsOf(here, there).filter((to) => !to.endsWith('@busy.example'))).toHaveLength(8)
  })

  test('a mail that may have arrived waits for its relay while that is down', async () => {
    let ill: SinkStage | null = 'dot'
    await using here = startSink({ answer: (stage) => (stage === ill ? 'cut' : undefined) })
    await using there = startSink()
    await using t = await throughSinks(here)
    await t.mail({ email: 'lost@example.net' })
    await t.settle()
    await add(t, there)
    ill = 'banner'
    await t.advance('10m')
    expect([here.count(), there.count()]).toEqual([1, 0])
    ill = null
    await t.advance('1h')
    expect([recipientsOf(here), there.count()]).toEqual([['lost@example.net', 'lost@example.net'], 0])
  })

  test('a receiver that refuses us for who we are is not tried through another', async () => {
    const refuse = (stage: SinkStage, _: number, { to }: { to: string }) =>
      stage === 'rcpt' && to.endsWith('@gmail.example')
        ? '550 5.7.26 Your mail has been blocked: unauthenticated'
        : undefined
    await using here = startSink({ answer: refuse })
    await using there = startSink()
    await using t = await throughSinks(here)
    for (let n = 0; n < 8; n++) await t.mail({ email: `a${n}@gmail.example` })
    await t.settle()
    await add(t, there)
    for (let n = 0; n < 10; n++) await t.advance('1h')
    expect(recipientsOf(there).filter((to) => to.endsWith('@gmail.example'))).toEqual([])
    // Its trouble is its own.
    const others = await mails(t, 40)
    await t.settle()
    expect(recipientsOf(here, there)).toEqual(others)
  })

  test('and waits for its own while that is down', async () => {
    let isDown = false
    await using here = startSink({
      answer: (stage) => {
        if (stage === 'mail' && isDown) return '454 4.7.0 Daily sending quota exceeded'
        return stage === 'rcpt' ? '550 5.7.26 Your mail has been blocked: unauthenticated' : undefined
      },
    })
    await using there = startSink()
    await using t = await throughSinks(here)
    for (let n = 0; n < 8; n++) await t.mail({ email: `a${n}@gmail.example` })
    await t.settle()
    await add(t, there)
    isDown = true
    await t.mail({ email: 'a@domain.example' })
    await t.mail({ email: 'a@gmail.example' })
    await t.settle()
    await t.advance('2h')
    expect([here.count(), recipientsOf(there)]).toEqual([0, ['a@domain.example']])
  })

  test('one that drains or is off takes no more; removed, the other carries all', async () => {
    await using here = startSink()
    await using there = startSink()
    await using t = await throughSinks(here)
    const { id } = await add(t, there, { state: 'draining' })
    await mails(t, 10)
    await t.settle()
    expect([here.count(), there.count()]).toEqual([10, 0])
    await t.patch(`${path}/${id}`, { state: 'active', weight: 1_000 }, 200)
    await mails(t, 10, {})
    await t.settle()
    expect(there.count()).toBeGreaterThan(5)
    await t.delete(`${path}/${id}`, undefined, 200)
    const before = there.count()
    await mails(t, 10)
    await t.settle()
    expect([there.count(), here.count() + there.count()]).toEqual([before, 30])
  })
})
