// Encryption on the way to receivers (`mx://`): used where it is offered, demanded where a policy says so (MTA-STS), and never silently
// given up. Certificates and policies are the test's own.

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { certificateFor, selfSigned } from './support/certificate.ts'
import { startPostfix } from './support/postfix.ts'
import { hostOf, type Receivers, receivers } from './support/receivers.ts'
import { startRelay } from './support/relay.ts'
import { startSink } from './support/smtp-sink.ts'

/** It is started by root only. */
const postfix = process.getuid?.() === 0 ? Bun.which('postfix') : null
if (postfix === null) process.stderr.write('postfix is not installed: it receives no mail here\n')

const directory = mkdtempSync(join(tmpdir(), 'mx-encryption-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

interface Served {
  mode: string
  mx: string[]
  maxAge?: number
}

/** Serves the policies of domains by HTTPS, and trusts what it is served with. */
async function withPolicies(policies: Map<string, Served | string>, trusted: string[] = []) {
  const domains = ['one.example', 'two.example']
  const pairs = domains.map((domain) => ({ domain, ...certificateFor(`mta-sts.${domain}`) }))
  const asked: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: pairs.map(({ domain, key, cert }) => ({ serverName: `mta-sts.${domain}`, key, cert })),
    fetch(request) {
      const domain = (request.headers.get('host') ?? '').replace('mta-sts.', '')
      asked.push(domain)
      const policy = policies.get(domain)
      if (policy === undefined || new URL(request.url).pathname !== '/.well-known/mta-sts.txt')
        return new Response('no', { status: 404 })
      return new Response(typeof policy === 'string' ? policy : written(policy))
    },
  })
  const world = await receivers({
    dialing: {
      resolve: async () => ['127.0.0.1'],
      ca: [...pairs.map(({ cert }) => cert), ...trusted].join('\n'),
      httpsPort: server.port ?? 0,
    },
  })
  return {
    world,
    asked,
    publish(domain: string, id: string) {
      world.name(`_mta-sts.${domain}`, [`v=STSv1; id=${id};`])
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await server.stop(true)
    },
  }
}

function written({ mode, mx, maxAge = 86_400 }: Served): string {
  return [`version: STSv1`, `mode: ${mode}`, ...mx.map((one) => `mx: ${one}`), `max_age: ${maxAge}`, ''].join('\r\n')
}

async function tlsServer({ port, dns }: Receivers, number: number, pair: { key: string; cert: string }) {
  dns.names.set(hostOf(number), { a: [`127.0.0.${number}`] })
  return await startRelay({ ...pair, authOptional: true }, { host: `127.0.0.${number}`, port })
}

const statusOf = async (world: Receivers, email: string) => {
  const [id = ''] = await world.send(email)
  await world.t.settle()
  return await world.message(id)
}

describe('without a policy', () => {
  test('a server that offers encryption gets it, whatever its certificate', async () => {
    await using world = await receivers()
    await using server = await tlsServer(world, 2, selfSigned())
    world.domain('example.net', 2)
    expect(await statusOf(world, 'ada@example.net')).toMatchObject({ status: 'sent' })
    expect(server.bodies.length).toBe(1)
    expect(server.secured()).toBe(1)
  })

  test.skipIf(postfix === null)('Debian’s postfix receives it, encrypted', async () => {
    const { key, cert } = certificateFor(hostOf(1))
    const files = { key: join(directory, 'key.pem'), cert: join(directory, 'cert.pem') }
    writeFileSync(files.key, key, { mode: 0o600 })
    writeFileSync(files.cert, cert)
    await using behind = startSink()
    await using server = await startPostfix(directory, {
      root: join(dirname(postfix ?? ''), '../..'),
      relayPort: behind.port,
      connections: 2,
      settings: {
        smtpd_tls_security_level: 'may',
        smtpd_tls_cert_file: files.cert,
        smtpd_tls_key_file: files.key,
        smtpd_tls_received_header: 'yes',
      },
    })
    await using world = await receivers({
      port: server.port,
      patience: { finalReplyMs: 20_000, greetingMs: 20_000, commandMs: 20_000 },
    })
    world.name('example.net', { mx: [`10 ${hostOf(1)}`] })
    world.name(hostOf(1), { a: ['127.0.0.1'] })
    expect(await statusOf(world, 'ada@example.net')).toMatchObject({
      status: 'sent',
      detail: expect.stringMatching(/^250 2\.0\.0 Ok: queued/),
    })
    await behind.whenReceived(1)
    const raw = behind.received[0]?.raw.toString() ?? ''
    expect(raw).toMatch(
      /^Received: from mail\.paquebot\.test .*\(using TLSv1\.3 .*by peer\.example \(Postfix\) with ESMTPS/s,
    )
  })

  test('where encryption fails, a mail goes to the next server, or waits and goes in clear', async () => {
    await using world = await receivers()
    const broken = { answer: (stage: string) => (stage === 'ehlo' ? '250-sink\r\n250 STARTTLS' : undefined) }
    const alone = world.serve(3, broken)
    world.domain('alone.example', 3)
    const first = world.serve(4, broken)
    const second = world.serve(5)
    world.domain('two.example', 4, 5)
    const ids = await world.send('ada@alone.example', 'ada@two.example')
    await world.t.settle()
    expect([alone.count(), first.count(), second.count()]).toEqual([0, 0, 1])
    expect(await world.message(ids[0] ?? '')).toMatchObject({
      status: 'delayed',
      detail: expect.stringMatching(/^502/),
    })
    await world.t.advance('90s')
    expect([alone.count(), first.count(), second.count()]).toEqual([1, 0, 1])
  })
})

describe('MTA-STS', () => {
  const right = certificateFor(hostOf(6))

  test('a policy in force is kept to: a trusted certificate of a server that it names', async () => {
    const policies = new Map<string, Served>([['one.example', { mode: 'enforce', mx: [`*.receivers.example`] }]])
    await using p = await withPolicies(policies, [right.cert])
    p.publish('one.example', '1')
    await using server = await tlsServer(p.world, 6, right)
    const other = p.world.serve(7)
    p.world.name('other.example', { a: ['127.0.0.7'] })
    // The first server is not named by the policy, and gets nothing.
    p.world.name('one.example', { mx: ['10 other.example', `20 ${hostOf(6)}`] })
    expect(await statusOf(p.world, 'ada@one.example')).toMatchObject({ status: 'sent' })
    expect(await statusOf(p.world, 'bob@one.example')).toMatchObject({ status: 'sent' })
    expect([server.bodies.length, other.connections(), p.asked]).toEqual([2, 0, ['one.example']])
  })

  test('no mail in clear, to a wrong certificate, or to a server that the policy does not name', async () => {
    const policies = new Map<string, Served>([['one.example', { mode: 'enforce', mx: [hostOf(8), hostOf(9)] }]])
    await using p = await withPolicies(policies)
    p.publish('one.example', '1')
    const stripped = p.world.serve(8)
    await using wrong = await tlsServer(p.world, 9, selfSigned())
    p.world.serve(10)
    const ways: [number, RegExp][] = [
      [8, /offers no STARTTLS, as its MTA-STS policy demands/],
      [9, /certificate.*, as its MTA-STS policy demands/i],
      [10, /policy of the domain names none of its mail servers/],
    ]
    for (const [number, detail] of ways) {
      p.world.domain('one.example', number)
      // The DNS is asked again by then.
      await p.world.t.advance('6m')
      const [id = ''] = await p.world.send('ada@one.example')
      await p.world.t.settle()
      expect(await p.world.message(id)).toMatchObject({
        status: 'delayed',
        code: 'tls',
        detail: expect.stringMatching(detail),
      })
    }
    // Not at the second attempt either, nor because others were refused.
    await p.world.t.advance('90s')
    expect([stripped.count(), wrong.bodies.length]).toEqual([0, 0])
    expect((await p.world.t.get('/v1/sending-faults', 200)).data).toEqual([])
  })

  test('a policy in testing is noted, not kept to', async () => {
    const policies = new Map<string, Served>([['one.example', { mode: 'testing', mx: [hostOf(11)] }]])
    await using p = await withPolicies(policies)
    p.publish('one.example', '1')
    const sink = p.world.serve(11)
    p.world.domain('one.example', 11)
    expect(await statusOf(p.world, 'ada@one.example')).toMatchObject({ status: 'sent' })
    expect(sink.count()).toBe(1)
    expect(p.world.t.logged.join()).toContain('it offers no STARTTLS')
  })

  test('what cannot be fetched changes no policy that is known, and a new one is fetched when its id changes', async () => {
    const policies = new Map<string, Served | string>([['one.example', { mode: 'enforce', mx: [hostOf(12)] }]])
    await using p = await withPolicies(policies)
    p.publish('one.example', '1')
    const sink = p.world.serve(12)
    p.world.domain('one.example', 12)
    const attempt = async (email: string) => (await statusOf(p.world, email)).status
    expect(await attempt('a@one.example')).toBe('delayed')
    // Somebody takes its record away, or puts another one there and nothing behind it.
    p.world.dns.names.delete('_mta-sts.one.example')
    await p.world.t.advance('6m')
    expect(await attempt('b@one.example')).toBe('delayed')
    policies.set('one.example', 'version: STSv1\nmode: whatever')
    p.publish('one.example', '2')
    await p.world.t.advance('6m')
    expect(await attempt('c@one.example')).toBe('delayed')
    policies.set('one.example', { mode: 'none', mx: [] })
    await p.world.t.advance('6m')
    expect(await attempt('d@one.example')).toBe('sent')
    await p.world.t.advance('2h')
    expect(sink.count()).toBe(4)
  })

  test('a domain whose policy was never fetched has none', async () => {
    await using p = await withPolicies(new Map([['one.example', 'x'.repeat(100_000)]]))
    p.publish('one.example', '1')
    p.world.name('_mta-sts.two.example', ['v=STSv1; id=1', 'v=STSv1; id=2'])
    const sink = p.world.serve(13)
    p.world.domain('one.example', 13)
    p.world.domain('two.example', 13)
    for (const domain of ['one.example', 'two.example'])
      expect(await statusOf(p.world, `ada@${domain}`)).toMatchObject({ status: 'sent' })
    expect([sink.count(), p.asked]).toEqual([2, ['one.example']])
  })
})
