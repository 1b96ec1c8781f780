// What doctor tells of an installation: what is wrong ends it with 1, what should be known is a warning.

import { expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { outsideChecks } from '../src/doors/cli/mail-checks.ts'
import { testApp } from './support/app.ts'
import { selfSigned } from './support/certificate.ts'
import { type Cli, cli } from './support/cli.ts'
import { nameServer } from './support/dns.ts'
import { startSink } from './support/smtp-sink.ts'

interface Check {
  name: string
  ok: boolean
  warning?: true
  detail: string
}

async function examine(paquebot: Cli, environment: Record<string, string> = {}, ...flags: string[]) {
  const run = await paquebot.run(['doctor', '--json', ...flags], environment)
  const checks: Check[] = run.json.checks
  const check = (name: string) => {
    const found = checks.find((one) => one.name === name)
    return found ? [found.ok, found.warning ?? false, found.detail] : null
  }
  return { code: run.code, bad: checks.filter(({ ok }) => !ok).map(({ name }) => name), check }
}

async function installed(): Promise<Cli> {
  const paquebot = await cli()
  await paquebot.run(['init', '--workspace', 'acme', '--email', 'ada@acme.test'])
  return paquebot
}

test('doctor names what is wrong', async () => {
  using paquebot = await installed()
  const healthy = await examine(paquebot)
  expect([healthy.code, healthy.bad]).toEqual([0, []])
  chmodSync(join(paquebot.directory, 'secret.key'), 0o644)
  // Nobody listens on the discard port.
  const ill = await examine(paquebot, { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@acme.localhost' })
  expect([ill.code, ill.bad]).toEqual([1, ['files', 'SMTP server']])
  const server = await paquebot.serve()
  server.kill('SIGTERM')
  await server.ended
  chmodSync(join(paquebot.directory, 'secret.key'), 0o644)
  const local = await examine(paquebot, { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@acme.localhost' }, '--local')
  expect(local.check('server')).toEqual([
    true,
    true,
    'Nothing is sent: no server runs on this database. Start it: `paquebot serve`.',
  ])
  expect([local.bad, local.check('SMTP server'), local.check('sender')]).toEqual([['files'], null, null])
})

test('doctor goes as far as the mail server lets a mail go, and sends nothing', async () => {
  using paquebot = await installed()
  const MAIL_FROM = 'a@acme.localhost'
  let refusesSender = false
  await using sink = startSink({
    auth: true,
    answer: (stage) => (stage === 'mail' && refusesSender ? '550 5.7.1 sender not allowed' : undefined),
  })
  const url = sink.url.replace('://', '://ada:secret@')
  const good = await examine(paquebot, { SMTP_URL: url, MAIL_FROM })
  expect(good.check('SMTP server')).toEqual([
    true,
    false,
    `127.0.0.1:${sink.port} accepts mail from ${MAIL_FROM} (without TLS, signed in as ada)`,
  ])
  refusesSender = true
  const refused = await examine(paquebot, { SMTP_URL: url, MAIL_FROM })
  expect(refused.check('SMTP server')).toEqual([
    false,
    false,
    `127.0.0.1:${sink.port} refused at MAIL: 550 5.7.1 sender not allowed`,
  ])
  expect(sink.count()).toBe(0)
})

test('doctor tries each relay, and warns of one whose mail another carries', async () => {
  await using dns = await nameServer()
  await using sink = startSink({ auth: true })
  await using ill = startSink({ answer: (stage) => (stage === 'banner' ? '554 5.7.1 no service' : undefined) })
  const url = sink.url.replace('://', '://ada:secret@')
  const environment = { SMTP_URL: ill.url, MAIL_FROM: 'a@acme.localhost' }
  await using t = await testApp({ environment, dns: dns.resolver, isNew: true })
  const look = async () => (await outsideChecks(t.app)).filter(({ name }) => name !== 'sender')
  expect(await look()).toMatchObject([{ name: 'SMTP server', ok: false }])
  const add = (name: string, url: string, more: object = {}) => t.post('/v1/relays', { name, url, ...more }, 201)
  const { id } = await add('Second', url)
  await add('Off', ill.url, { state: 'off' })
  await add('Own', 'smtp://127.0.0.1:9', { workspaceId: t.workspace.id })
  await add('Direct', 'mx://mail.acme.com')
  const [fixed, second, own, direct] = await look()
  expect(fixed).toMatchObject({ name: 'SMTP server', ok: true, warning: true })
  expect(fixed?.detail).toMatch(/refused at BANNER: 554 5\.7\.1 no service\./)
  expect(second).toEqual({
    name: 'relay Second',
    ok: true,
    detail: `127.0.0.1:${sink.port} accepts mail from a@acme.localhost (without TLS, signed in as ada)`,
  })
  // Nothing else carries mail of that workspace.
  expect(own).toMatchObject({ name: 'relay Own', ok: false })
  expect(own?.detail).toMatch(
    /failed at connect: .* Check host and port in its URL \(`paquebot relay update rel_\S+ --url …`\)/,
  )
  expect(direct).toMatchObject({ name: 'relay Direct', ok: true, warning: true })
  expect(direct?.detail).toContain('mail.acme.com has no address in the DNS')
  await t.delete(`/v1/relays/${id}`, undefined, 200)
  expect((await look()).map(({ name, ok }) => [name, ok])).toEqual([
    ['SMTP server', false],
    ['relay Own', false],
    ['relay Direct', false],
  ])
  expect(sink.count() + ill.count()).toBe(0)
})

test('doctor tells a certificate that is not trusted, and a password that is not taken', async () => {
  using paquebot = await installed()
  const { key, cert } = selfSigned()
  const server = new SMTPServer({
    key,
    cert,
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'ada' }) : done(new Error('no')),
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const MAIL_FROM = 'a@acme.localhost'
  const ask = async (password: string, query: string) => {
    const SMTP_URL = `smtp://ada:${password}@127.0.0.1:${port}${query}`
    return (await examine(paquebot, { SMTP_URL, MAIL_FROM })).check('SMTP server')
  }
  expect(await ask('right', '')).toEqual([
    false,
    false,
    expect.stringMatching(
      /failed at starttls: .*certificate.* is not trusted: every mail waits.*rejectUnauthorized=false/,
    ),
  ])
  expect(await ask('right', '?tls.rejectUnauthorized=false')).toEqual([
    true,
    false,
    expect.stringContaining('(over TLS, signed in as ada)'),
  ])
  expect(await ask('wrong', '?tls.rejectUnauthorized=false')).toEqual([
    false,
    false,
    expect.stringContaining('refused at AUTH: 535'),
  ])
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

test('doctor warns of links that open nowhere, bounces that nobody sees, and a sender that receivers do not know', async () => {
  using paquebot = await installed()
  await using sink = startSink({})
  const SMTP_URL = sink.url
  const found = await examine(paquebot, { SMTP_URL, MAIL_FROM: 'a@acme.localhost' })
  expect([found.code, found.bad]).toEqual([0, []])
  expect(found.check('address')).toEqual([true, true, expect.stringContaining('BASE_URL is http://127.0.0.1:3000')])
  expect(found.check('bounces')).toEqual([true, true, expect.stringContaining('INBOUND_DOMAIN is unset')])
  expect(found.check('sender')).toEqual([
    true,
    true,
    'acme.localhost is not a name in the public DNS: no receiver accepts mail from it',
  ])
  const better = await examine(paquebot, {
    SMTP_URL,
    MAIL_FROM: 'a@acme.localhost',
    BASE_URL: 'https://mail.acme.test',
    INBOUND_DOMAIN: 'in.acme.test',
    INBOUND_SMTP_PORT: '2525',
  })
  expect([better.check('address'), better.check('bounces')]).toEqual([
    [true, false, 'https://mail.acme.test'],
    [true, false, 'come back to in.acme.test'],
  ])
})

test('doctor asks the DNS whether receivers know the domain of MAIL_FROM', async () => {
  await using dns = await nameServer()
  await using sink = startSink({})
  const environment = { SMTP_URL: sink.url, MAIL_FROM: 'Acme <a@mail.acme.com>' }
  await using t = await testApp({ environment, dns: dns.resolver })
  const sender = async () => (await outsideChecks(t.app)).find(({ name }) => name === 'sender')
  expect((await sender())?.detail).toBe(
    'receivers may not trust mail from mail.acme.com: mail.acme.com has no SPF record; ' +
      'no DKIM key for mail.acme.com here: add it as a sending domain, or sign at the relay; _dmarc.mail.acme.com has no DMARC record',
  )
  dns.names.set('mail.acme.com', ['v=spf1 -all', 'v=spf1 a -all'])
  dns.names.set('_dmarc.acme.com', ['v=DMARC1; p=none'])
  const { dnsRecords } = await t.post('/v1/sending-domains', { domain: 'mail.acme.com' }, 201)
  expect(await sender()).toMatchObject({
    ok: true,
    warning: true,
    detail: expect.stringContaining('has 2 SPF records'),
  })
  dns.names.set('mail.acme.com', ['v=spf1 a -all'])
  for (const { name, value } of dnsRecords) if (name.includes('_domainkey')) dns.names.set(name, [value])
  expect(await sender()).toEqual({ name: 'sender', ok: true, detail: 'mail.acme.com has SPF, DKIM and DMARC' })
})

test('doctor tells what an address meets that sends without a relay', async () => {
  await using dns = await nameServer()
  const look = async (query = '') => {
    const environment = { SMTP_URL: `mx://mail.acme.com${query}`, MAIL_FROM: 'Acme <a@acme.test>' }
    await using t = await testApp({ environment, dns: dns.resolver })
    const { ok, warning = false, detail } = (await outsideChecks(t.app))[0] ?? { ok: null, detail: '' }
    expect(detail).toMatch(/Port 25 .*no reputation.*DANE is not used/)
    return [ok, warning, detail]
  }
  expect(await look()).toEqual([false, false, expect.stringContaining('mail.acme.com has no address in the DNS')])
  dns.names.set('mail.acme.com', { a: ['192.0.2.7'] })
  expect(await look()).toEqual([true, true, expect.stringContaining('192.0.2.7 is no public address')])
  dns.names.set('mail.acme.com', { a: ['8.8.4.4'], aaaa: ['2606:4700::1111'] })
  expect(await look()).toEqual([true, true, expect.stringMatching(/8\.8\.4\.4 has no PTR record: .*5\.7\.25/)])
  dns.names.set('4.4.8.8.in-addr.arpa', { ptr: ['host4.hoster.example'] })
  expect(await look()).toEqual([true, true, expect.stringContaining('is host4.hoster.example, not mail.acme.com')])
  dns.names.set('4.4.8.8.in-addr.arpa', { ptr: ['mail.acme.com'] })
  expect(await look()).toEqual([true, true, expect.stringContaining('2606:4700::1111 has no PTR record')])
  const ipv6 = '1.1.1.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.7.4.6.0.6.2.ip6.arpa'
  dns.names.set(ipv6, { ptr: ['mail.acme.com'] })
  expect(await look()).toEqual([true, false, expect.stringContaining('whose PTR records lead back to it')])
  expect(await look('?bindAddress=8.8.8.8')).toEqual([
    true,
    true,
    expect.stringContaining(
      'mail.acme.com does not lead to 8.8.8.8, from which mail leaves; 8.8.8.8 has no PTR record',
    ),
  ])
  dns.names.set('mail.acme.com', 'servfail')
  expect(await look()).toEqual([true, true, expect.stringContaining('the DNS does not answer')])
})
