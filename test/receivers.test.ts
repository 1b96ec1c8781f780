// What receivers say to each relay: counted and shown, obeyed by campaigns, kept over a restart; routes and rules by receiver.

import { describe, expect, test } from 'bun:test'
import { createApp } from '../src/core/app.ts'
import { followRelays } from '../src/core/relays.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, listOf, trust } from './support/campaign.ts'
import { nameServer } from './support/dns.ts'
import { type Sink, type SinkStage, startSink } from './support/smtp-sink.ts'

const path = '/v1/receivers'
const recipients = ({ received }: Sink) => received.flatMap(({ to }) => to).sort()

/** Refuses at RCPT, while that is wanted, who is at the domain. */
const refusing = (domain: string, reply: () => string | undefined) => ({
  answer: (stage: SinkStage, _: number, { to }: { to: string }) =>
    stage === 'rcpt' && to.endsWith(`@${domain}`) ? reply() : undefined,
})

async function campaign(t: TestApp, many: number, domain: string): Promise<string> {
  const { list } = await listOf(t, many, { domain })
  const id = await draft(t, list)
  await t.post(`/v1/campaigns/${id}/send`, {}, 200)
  await t.settle()
  return id
}

const stateOf = async (t: TestApp, receiver: string): Promise<Json> =>
  (await t.get(`${path}?receiver=${receiver}`, 200)).data[0]

describe('receivers', () => {
  test('what each took and answered is counted, by relay; replies of one kind are one', async () => {
    const said = ['451 4.3.0 try later, id 1', '451 4.3.0 try later, id 2']
    await using sink = startSink(refusing('busy.example', () => said.shift()))
    await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=1` }), isNew: true })
    await t.template()
    for (const email of ['a@busy.example', 'b@busy.example', 'c@busy.example', 'd@other.example'])
      await t.mail({ email })
    await t.settle()
    const busy = await stateOf(t, 'busy.example')
    expect(busy).toMatchObject({ relayId: 'smtp_url', rate: null, suspendedUntil: null })
    expect(busy.day).toEqual({ accepted: 1, deferred: 2, refused: 0 })
    expect(busy.replies).toMatchObject([{ outcome: 'deferred', stage: 'rcpt', code: '451 4.3.0', count: 2 }])
    const { data } = await t.get(path, 200)
    expect(data.map(({ receiver }: Json) => receiver)).toEqual(['busy.example', 'other.example'])
    // Counted once, however often it is asked for, and by the hour that began less than a day ago.
    expect((await stateOf(t, 'busy.example')).day.deferred).toBe(2)
    await t.advance('26h')
    expect((await t.get(`${path}?receiver=other.example`, 200)).data).toEqual([])
  })

  test('one that asks for less is kept waiting by campaigns, not by mail that somebody waits for; it can be resumed', async () => {
    let reply: string | undefined = '421 4.7.0 too much'
    await using sink = startSink(refusing('slow.example', () => reply))
    await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=1` }), isNew: true })
    await t.template()
    await trust(t, 'M1')
    const id = await campaign(t, 3, 'slow.example')
    const before = await stateOf(t, 'slow.example')
    expect(before).toMatchObject({ lastReply: '421 4.7.0 too much', suspendedUntil: expect.any(String) })
    reply = undefined
    await t.mail({ email: 'urgent@slow.example' })
    await t.settle()
    expect(recipients(sink)).toEqual(['urgent@slow.example'])
    const one = (await t.get(`/v1/campaigns/${id}/recipients`, 200)).data[0]
    const { checks } = await t.get(`/v1/campaigns/${id}/recipients/${one.contactId}`, 200)
    expect(checks.at(-1)).toMatchObject({ check: 'throttle', ok: false, value: expect.stringContaining('too much') })
    await t.post(`${path}/resume`, { relayId: 'smtp_url', receiver: 'Slow.example' }, 200)
    expect(await stateOf(t, 'slow.example')).toMatchObject({ suspendedUntil: null, rate: null })
    await t.advance('90s')
    expect(recipients(sink)).toHaveLength(4)
  })

  test('what was learnt is known after a restart, and to other processes', async () => {
    await using sink = startSink(refusing('slow.example', () => '421 4.7.0 too much'))
    await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=1` }), isNew: true })
    await trust(t, 'M1')
    await campaign(t, 3, 'slow.example')
    const pair = { relayId: null, receiver: 'slow.example' }
    const here = t.app.mailer.shaping.limitsOf(pair)
    expect(here?.suspendedUntil).toBeInstanceOf(Date)
    const later = await createApp(t.app.config, { clock: t.clock })
    await followRelays(later)
    expect(later.mailer.shaping.limitsOf(pair)).toEqual(here)
    await later.close()
  })

  test('routes by receiver: a domain at Google goes where Google’s mail goes, by its MX', async () => {
    await using dns = await nameServer()
    dns.names.set('acme.example', { mx: ['1 aspmx.l.google.com', '5 alt1.aspmx.l.google.com'] })
    dns.names.set('own.example', { mx: ['10 mx.own.example'] })
    await using here = startSink()
    await using there = startSink()
    await using own = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: here.url }), dns: dns.resolver, isNew: true })
    await t.template()
    const add = (name: string, { url }: Sink) => t.post('/v1/relays', { name, url, weight: 0 }, 201)
    const [second, third] = [await add('Second', there), await add('Third', own)]
    const routes = [
      { receivers: ['Google'], relays: [{ relayId: second.id, weight: 1 }] },
      { receivers: ['mx.own.example'], relays: [{ relayId: third.id, weight: 1 }] },
    ]
    const { routes: set } = await t.put('/v1/relay-routes', { routes }, 200)
    expect(set[0].receivers).toEqual(['google'])
    for (const email of ['a@gmail.com', 'b@acme.example', 'c@own.example', 'd@else.example']) await t.mail({ email })
    await t.settle()
    expect([here, there, own].map(recipients)).toEqual([
      ['d@else.example'],
      ['a@gmail.com', 'b@acme.example'],
      ['c@own.example'],
    ])
    expect((await t.get(`${path}?relayId=${second.id}`, 200)).data).toMatchObject([
      { receiver: 'google', day: { accepted: 2 } },
    ])
  })
})

describe('rules', () => {
  const rules = '/v1/receiver-rules'

  test('are tried against what was answered before they are set, and decide from then on', async () => {
    const reply = '450 4.4.5 Come back tomorrow'
    await using sink = startSink(refusing('odd.example', () => reply))
    await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=1` }), isNew: true })
    await trust(t, 'M1')
    await campaign(t, 2, 'odd.example')
    expect(await stateOf(t, 'odd.example')).toMatchObject({ suspendedUntil: null, day: { deferred: 2 } })
    const rule = { receivers: ['odd.example'], contains: ['BACK tomorrow'], action: 'suspend', waitSeconds: 3_600 }
    const tried = await t.post(`${rules}/try`, { rules: [rule] }, 200)
    expect(tried.met[0]).toMatchObject({ builtIn: false, count: 2, example: '450 4.4.5 Come back tomorrow' })
    expect(tried.met[0].receivers).toEqual([{ receiver: 'odd.example', count: 2 }])
    expect((await t.post(`${rules}/try`, {}, 200)).unmet).toMatchObject([{ receiver: 'odd.example', count: 2 }])
    const set = await t.put(rules, { rules: [rule] }, 200)
    expect(set.rules).toMatchObject([{ contains: ['back tomorrow'], codes: null, by: 0.95, waitSeconds: 3_600 }])
    expect(set.builtIn.length).toBeGreaterThan(5)
    await t.advance('2m')
    const until = Date.parse((await stateOf(t, 'odd.example')).suspendedUntil)
    expect(until - t.clock.now().getTime()).toBeGreaterThan(3_500_000)
  })

  test.each<[string, object, string]>([
    ['fits every reply', { action: 'ignore' }, 'rules[0]'],
    ['names a code that is none', { action: 'ignore', codes: ['9'] }, 'rules[0].codes[0]'],
    ['names a pattern in place of a code', { action: 'ignore', enhanced: ['4.*'] }, 'rules[0].enhanced[0]'],
    ['slows down to nothing', { action: 'slow_down', codes: ['421'], by: 0 }, 'rules[0].by'],
    [
      'waits for longer than anybody should',
      { action: 'suspend', codes: ['421'], waitSeconds: 14_401 },
      'rules[0].waitSeconds',
    ],
  ])('a rule that %s is refused, and those that are set stay', async (_, rule, at) => {
    await using t = await testApp()
    const before = await t.get(rules, 200)
    const { errors } = await t.put(rules, { rules: [rule] }, 422)
    expect(errors[0].path).toBe(at)
    expect(await t.get(rules, 200)).toEqual(before)
  })
})
