// Mail without a relay (`mx://`): to which server of a receiver it goes, what happens where that server is silent, refuses or lies, and that
// one receiver's trouble is nobody else's. Real servers and a real name server, all on loopback.

import { describe, expect, test } from 'bun:test'
import { networkInterfaces } from 'node:os'
import { suppressions } from '../db/tables/contacts.ts'
import { testApp } from './support/app.ts'
import { nameServer } from './support/dns.ts'
import { hostOf, type Receivers, receivers } from './support/receivers.ts'
import { type SinkOptions, startSink } from './support/smtp-sink.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((ours) => ours?.some(({ address }) => address === '::1'))
const faultsOf = async ({ t }: Receivers) => (await t.get('/v1/sending-faults', 200)).data
const suppressed = async ({ t }: Receivers) => (await t.app.db.select().from(suppressions)).map(({ email }) => email)

describe('where a mail goes', () => {
  test('SMTP_URL=mx:// alone is enough: to the server that the DNS names, greeted by the name that was chosen', async () => {
    await using dns = await nameServer()
    await using sink = startSink({ hostname: '127.0.0.2' })
    dns.names.set('example.net', { mx: ['10 mx.example.net'] })
    dns.names.set('mx.example.net', { a: ['127.0.0.2'] })
    const environment = {
      SMTP_URL: `mx://mail.paquebot.test?port=${sink.port}`,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    }
    await using t = await testApp({ environment, dns: dns.resolver })
    await t.template({})
    const { messageId } = await t.mail({ email: 'ada@example.net' })
    await t.settle()
    expect(sink.received.map(({ to }) => to)).toEqual([['ada@example.net']])
    expect((await t.get(`/v1/activity/${messageId}`, 200)).status).toBe('sent')
    expect(sink.greetings).toEqual(['mail.paquebot.test'])
  })

  test('to the server of the best preference; to the next where that one is silent, busy or away', async () => {
    const ills: [string, SinkOptions | null][] = [
      ['silent', { answer: (stage) => (stage === 'banner' ? 'silent' : undefined) }],
      ['busy', { answer: (stage) => (stage === 'banner' ? '421 4.3.2 too busy' : undefined) }],
      ['unwilling', { answer: (stage) => (stage === 'banner' ? '554 no service here' : undefined) }],
      ['refusing at EHLO', { answer: (stage) => (stage === 'ehlo' ? '421 4.7.0 later' : undefined) }],
      ['cut', { answer: (stage) => (stage === 'ehlo' ? 'cut' : undefined) }],
      ['away', null],
    ]
    await using world = await receivers()
    const second = world.serve(3)
    for (const [at, [name, options]] of ills.entries()) {
      const number = 10 + at
      const first = options === null ? null : world.serve(number, options)
      if (options === null) world.name(hostOf(number), { a: [`127.0.0.${number}`] })
      world.domain(`d${number}.example`, number, 3)
      const [id = ''] = await world.send(`ada@d${number}.example`)
      await world.t.settle()
      expect([name, (await world.message(id)).status, first?.count() ?? 0]).toEqual([name, 'sent', 0])
    }
    expect(second.count()).toBe(ills.length)
  })

  test('servers of equal preference share the load', async () => {
    await using world = await receivers()
    const both = [world.serve(4), world.serve(5)]
    world.name('example.net', { mx: [`10 ${hostOf(4)}`, `10 ${hostOf(5)}`, `20 ${hostOf(6)}`] })
    await world.send(...Array.from({ length: 40 }, (_, n) => `a${n}@example.net`))
    await world.t.settle()
    expect(both.map((sink) => sink.count()).reduce((one, other) => one + other)).toBe(40)
    for (const sink of both) expect(sink.count()).toBeGreaterThan(0)
  })

  test('to the domain itself without an MX record, by its other name, by IPv6, and past addresses of private networks', async () => {
    await using world = await receivers()
    const sink = world.serve(7)
    const ofIpv6 = hasIpv6 ? startSink({ hostname: '::1', port: world.port }) : null
    world.name('plain.example', { a: ['127.0.0.7'] })
    world.name('alias.example', { cname: 'plain.example' })
    world.name('alias-mx.example', { cname: 'other.example' })
    world.domain('other.example', 7)
    world.name('mixed.example', { a: ['10.0.0.1', '127.0.0.7', '169.254.169.254'] })
    world.name('six.example', { aaaa: ['::1'] })
    // Nobody listens at its IPv4 address.
    world.name('both.example', { a: ['127.0.0.99'], aaaa: ['::1'] })
    const domains = ['plain', 'alias', 'alias-mx', 'mixed', ...(hasIpv6 ? ['six', 'both'] : [])].map(
      (name) => `${name}.example`,
    )
    const ids = await world.send(...domains.map((domain) => `ada@${domain}`))
    await world.t.settle()
    for (const [at, id] of ids.entries())
      expect([domains[at], (await world.message(id)).status]).toEqual([domains[at], 'sent'])
    expect([sink.count(), ofIpv6?.count() ?? 2]).toEqual([4, 2])
    ofIpv6?.stop()
  })

  test('from the address that was chosen, and so to receivers of its family only', async () => {
    await using world = await receivers({ query: '&bindAddress=127.0.0.200' })
    const sink = world.serve(7)
    world.domain('example.net', 7)
    world.name('six.example', { aaaa: ['::1'] })
    const [sent = '', waits = ''] = await world.send('ada@example.net', 'ada@six.example')
    await world.t.settle()
    expect([(await world.message(sent)).status, sink.callers]).toEqual(['sent', ['127.0.0.200']])
    expect(await world.message(waits)).toMatchObject({
      status: 'delayed',
      detail: expect.stringContaining('another family'),
    })
  })

  test('nowhere: a domain that takes no mail bounces, and one that the DNS does not tell of waits', async () => {
    const answers: [Parameters<Receivers['name']>[1] | null, status: string, detail: RegExp][] = [
      [{ mx: ['0 .'] }, 'bounced', /^556 5\.1\.10 .*null MX/],
      [null, 'bounced', /^550 5\.1\.2 .*no mail server/],
      [{ txt: ['v=spf1 -all'] }, 'bounced', /^550 5\.1\.2 .*no mail server/],
      ['servfail', 'delayed', /no answer of the DNS/],
      [{ mx: ['10 gone.example'] }, 'delayed', /servers that the domain names have no address/],
      [{ mx: ['10 10.0.0.1'] }, 'delayed', /servers that the domain names have no address/],
    ]
    await using world = await receivers()
    for (const [at, [records, status, detail]] of answers.entries()) {
      if (records !== null) world.name(`d${at}.example`, records)
      const [id = ''] = await world.send(`ada@d${at}.example`)
      await world.t.settle()
      const message = await world.message(id)
      expect([at, message.status, message.detail]).toEqual([at, status, expect.stringMatching(detail)])
    }
    expect((await suppressed(world)).sort()).toEqual(['ada@d0.example', 'ada@d1.example', 'ada@d2.example'])
  })

  test('many domains that the DNS does not know, and nobody takes mail: the name server is doubted, and nobody suppressed', async () => {
    await using world = await receivers()
    await world.send(...Array.from({ length: 40 }, (_, n) => `ada@unknown${n}.example`))
    await world.t.settle()
    expect((await suppressed(world)).length).toBeLessThan(10)
    const sink = world.serve(8)
    for (let n = 0; n < 40; n++) world.domain(`unknown${n}.example`, 8)
    const gone = (await suppressed(world)).length
    for (let minutes = 0; minutes < 90; minutes += 15) await world.t.advance('15m')
    expect(sink.count()).toBe(40 - gone)
  })

  test('never to an address of a private network', async () => {
    await using world = await receivers({ environment: { WEBHOOK_ALLOW_CIDRS: '192.0.2.0/24' } })
    const here = world.serve(9)
    const addresses = ['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '0.0.0.0', '127.0.0.9', '169.254.169.254']
    const ipv6 = ['::1', '::', 'fd00::1', 'fe80::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '2002:a00:1::1']
    for (const [at, address] of [...addresses, ...ipv6].entries())
      world.name(`d${at}.example`, address.includes(':') ? { aaaa: [address] } : { a: [address] })
    const ids = await world.send(...[...addresses, ...ipv6].map((_, at) => `ada@d${at}.example`))
    await world.t.settle()
    for (const id of ids)
      expect(await world.message(id)).toMatchObject({
        status: 'delayed',
        code: 'dns',
        detail: expect.stringContaining('private'),
      })
    expect(here.connections()).toBe(0)
  })
})

describe('what a server says stays with it', () => {
  test('once a mail was offered, it goes to no other server: refused, or perhaps taken', async () => {
    const said: [SinkOptions, status: string][] = [
      [{ answer: (stage) => (stage === 'rcpt' ? '550 5.1.1 no such user' : undefined) }, 'bounced'],
      [{ answer: (stage) => (stage === 'rcpt' ? '450 4.7.1 greylisted' : undefined) }, 'delayed'],
      [{ answer: (stage) => (stage === 'mail' ? '451 4.3.0 not now' : undefined) }, 'delayed'],
      [{ answer: (stage) => (stage === 'dot' ? '554 5.7.1 no' : undefined) }, 'failed'],
      [{ answer: (stage) => (stage === 'rcpt' ? '554 5.7.1 Relay access denied' : undefined) }, 'failed'],
      [{ answer: (stage) => (stage === 'data' ? 'cut' : undefined) }, 'delayed'],
      [{ answer: (stage) => (stage === 'dot' ? 'silent' : undefined) }, 'delayed'],
      [{ answer: (stage) => (stage === 'dot' ? 'cut' : undefined) }, 'delayed'],
    ]
    await using world = await receivers()
    const second = world.serve(3)
    for (const [at, [options, status]] of said.entries()) {
      world.serve(20 + at, options)
      world.domain(`d${at}.example`, 20 + at, 3)
      const [id = ''] = await world.send(`ada@d${at}.example`)
      await world.t.settle()
      expect([at, (await world.message(id)).status]).toEqual([at, status])
    }
    expect(second.connections()).toBe(0)
    expect(await suppressed(world)).toEqual(['ada@d0.example'])
  })

  test('a receiver that never takes us ends its own mail after the last attempt, and suppresses nobody', async () => {
    await using world = await receivers()
    world.serve(30, { answer: (stage) => (stage === 'banner' ? '554 no service for you' : undefined) })
    world.domain('closed.example', 30)
    world.name('away.example', { a: ['127.0.0.98'] })
    const ids = await world.send('ada@closed.example', 'ada@away.example')
    await world.t.settle()
    for (let hours = 0; hours < 120; hours += 6) await world.t.advance('6h')
    expect(await Promise.all(ids.map(async (id) => await world.message(id)))).toMatchObject([
      { status: 'failed', code: '554', detail: '554 no service for you' },
      { status: 'failed', code: 'refused_connection' },
    ])
    expect([await suppressed(world), await faultsOf(world)]).toEqual([[], []])
  })

  test('greylisting of many receivers holds nothing, and is over at the second attempt after its time', async () => {
    await using world = await receivers()
    const words = [
      '450 4.2.0 <%>: Recipient address rejected: Greylisted, see http://postgrey.example/help',
      '451 4.7.1 Greylisting in action, please come back in 00:05:00',
      '450 4.7.1 Client host rejected: Greylisted for 5 minutes',
      '451 Temporary failure, please try again later.',
    ]
    const seen = new Map<string, number>()
    const sinks = Array.from({ length: 20 }, (_, n) => {
      world.domain(`grey${n}.example`, 40 + n)
      return world.serve(40 + n, {
        answer(stage, _, { to }) {
          const now = world.t.clock.now().getTime()
          if (stage !== 'rcpt') return undefined
          const first = seen.get(to) ?? now
          seen.set(to, first)
          return now - first < 300_000 ? words[n % words.length]?.replace('%', to) : undefined
        },
      })
    })
    world.serve(3)
    world.domain('example.net', 3)
    await world.send(...sinks.flatMap((_, n) => [`ada@grey${n}.example`, `bob@grey${n}.example`]))
    await world.t.settle()
    expect(await faultsOf(world)).toEqual([])
    const [other = ''] = await world.send('ada@example.net')
    await world.t.settle()
    expect((await world.message(other)).status).toBe('sent')
    for (let minutes = 0; minutes < 8; minutes++) await world.t.advance('1m')
    expect(sinks.map((sink) => sink.count())).toEqual(sinks.map(() => 2))
    expect(await suppressed(world)).toEqual([])
  })
})

describe('one receiver is one, however many domains it has', () => {
  const thousand = Array.from({ length: 1_000 }, (_, n) => `ada@shop${n}.example`)

  test('a thousand domains on one server share a few connections, whatever they call it', async () => {
    await using world = await receivers()
    let open = 0
    let mostOpen = 0
    const sink = world.serve(70, {
      async answer(stage) {
        if (stage !== 'data') return undefined
        mostOpen = Math.max(mostOpen, ++open)
        await new Promise(setImmediate)
        open--
        return undefined
      },
    })
    for (let n = 0; n < 1_000; n++) {
      // Every other one has a name of its own for it.
      world.name(`mail.shop${n}.example`, { a: ['127.0.0.70'] })
      world.name(`shop${n}.example`, { mx: [n % 2 === 0 ? `10 ${hostOf(70)}` : `10 mail.shop${n}.example`] })
    }
    await world.send(...thousand)
    await world.t.settle()
    for (let seconds = 0; seconds < 30 && sink.count() < 1_000; seconds++) await world.t.advance('1s')
    expect(sink.count()).toBe(1_000)
    expect(mostOpen).toBeLessThanOrEqual(10)
    expect(sink.connections()).toBeLessThanOrEqual(20)
  }, 120_000)

  test('a dead server of a thousand domains is asked now and then, and mail to others leaves', async () => {
    await using world = await receivers({ patience: { greetingMs: 200 } })
    const dead = world.serve(71, { answer: (stage) => (stage === 'banner' ? 'silent' : undefined) })
    for (let n = 0; n < 1_000; n++) world.domain(`shop${n}.example`, 71)
    const sink = world.serve(3)
    world.domain('example.net', 3)
    await world.send(...thousand.slice(0, 300))
    const [other = ''] = await world.send('ada@example.net')
    await world.t.settle()
    expect((await world.message(other)).status).toBe('sent')
    expect(sink.count()).toBe(1)
    expect(dead.connections()).toBeLessThanOrEqual(10)
    expect(await faultsOf(world)).toEqual([])
  }, 120_000)

  test('one that refuses all of us holds the mail to its domains, and no other', async () => {
    await using world = await receivers()
    let asked = 0
    world.serve(72, {
      answer(stage) {
        if (stage === 'mail') asked++
        return stage === 'mail' ? '550 5.7.1 [192.0.2.1] is on our block list' : undefined
      },
    })
    for (let n = 0; n < 100; n++) world.domain(`shop${n}.example`, 72)
    const sink = world.serve(3)
    for (let n = 0; n < 20; n++) world.domain(`good${n}.example`, 3)
    await world.send(...thousand.slice(0, 10))
    await world.t.settle()
    await world.send(...thousand.slice(10, 100))
    await world.t.settle()
    expect(asked).toBeLessThanOrEqual(20)
    const faults = await faultsOf(world)
    expect(faults).toMatchObject([{ scope: 'workspace', domain: hostOf(72), about: 'sender' }])
    await world.send(...Array.from({ length: 20 }, (_, n) => `ada@good${n}.example`))
    await world.t.settle()
    expect(sink.count()).toBe(20)
    expect(await suppressed(world)).toEqual([])
  })

  test('what it refuses for one of its domains holds no other, and many of its domains are not several receivers', async () => {
    await using world = await receivers()
    const refused = (to: string) => /@(shop0|shop\d\d)\.example$/.test(to)
    const sink = world.serve(73, {
      answer: (stage, _, { to }) => (stage === 'rcpt' && refused(to) ? '550 5.7.26 unauthenticated mail' : undefined),
    })
    for (let n = 0; n < 100; n++) world.domain(`shop${n}.example`, 73)
    world.serve(3)
    world.domain('example.net', 3)
    await world.send(...Array.from({ length: 10 }, (_, n) => `a${n}@shop0.example`))
    await world.t.settle()
    expect(await faultsOf(world)).toMatchObject([{ scope: 'workspace', domain: 'shop0.example', about: 'sender' }])
    await world.send('ada@shop1.example')
    await world.t.settle()
    expect(sink.count()).toBe(1)
    await world.send(...thousand.slice(10, 60))
    await world.t.settle()
    const [other = ''] = await world.send('ada@example.net')
    await world.t.settle()
    expect((await world.message(other)).status).toBe('sent')
    const faults: { domain: string | null }[] = await faultsOf(world)
    expect(faults.filter(({ domain }) => domain === null)).toEqual([])
  })

  test('no refusal of a connection is taken for the fault of a relay', async () => {
    await using world = await receivers()
    for (let n = 0; n < 12; n++) {
      world.serve(80 + n, { answer: (stage) => (stage === 'banner' ? '554 go away' : undefined) })
      world.domain(`closed${n}.example`, 80 + n)
    }
    const sink = world.serve(3)
    world.domain('example.net', 3)
    await world.send(...Array.from({ length: 12 }, (_, n) => `ada@closed${n}.example`))
    await world.t.settle()
    expect(await faultsOf(world)).toEqual([])
    await world.send('ada@example.net')
    await world.t.settle()
    expect(sink.count()).toBe(1)
  })
})

test('forty receivers, ten of them hostile: all mail for the others leaves', async () => {
  const hostile: NonNullable<SinkOptions['answer']>[] = [
    (stage) => (stage === 'banner' ? 'silent' : undefined),
    (stage) => (stage === 'ehlo' ? 'silent' : undefined),
    (stage) => (stage === 'mail' ? 'silent' : undefined),
    (stage) => (stage === 'rcpt' ? 'silent' : undefined),
    (stage) => (stage === 'banner' ? '554 nobody' : undefined),
    (stage) => (stage === 'mail' ? '550 5.7.1 not you' : undefined),
    (stage) => (stage === 'rcpt' ? '550 5.7.1 Client host rejected: no reputation' : undefined),
    (stage) => (stage === 'dot' ? '451 4.7.1 Greylisting in action' : undefined),
    (stage) => (stage === 'banner' ? 'cut' : undefined),
    (stage) => (stage === 'banner' ? 'HTTP/1.1 400 Bad Request' : undefined),
  ]
  await using world = await receivers()
  const bad = hostile.map((answer, at) => {
    world.domain(`bad${at}.example`, 100 + at)
    return world.serve(100 + at, { answer })
  })
  const good = Array.from({ length: 30 }, (_, at) => {
    world.domain(`good${at}.example`, 120 + at)
    return world.serve(120 + at)
  })
  const perReceiver = 5
  for (let n = 0; n < perReceiver; n++) {
    await world.send(...bad.map((_, at) => `a${n}@bad${at}.example`))
    await world.send(...good.map((_, at) => `a${n}@good${at}.example`))
  }
  await world.t.settle()
  for (let seconds = 0; seconds < 30; seconds += 5) await world.t.advance('5s')
  expect(good.map((sink) => sink.count())).toEqual(good.map(() => perReceiver))
  expect(bad.map((sink) => sink.count())).toEqual(bad.map(() => 0))
  const faults: { scope: string; domain: string | null }[] = await faultsOf(world)
  expect(faults.filter(({ scope, domain }) => scope === 'relay' || domain === null)).toEqual([])
  expect(await suppressed(world)).toEqual([])
}, 120_000)
