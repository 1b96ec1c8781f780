// The server as a process, asked whether it lives while strangers send the worst that they can: each public route of the route table, each
// route with a body, and each door for mail. What counts is how long its main thread worked before it answered, by the clock of that
// thread (Linux keeps it): a machine that is busy makes answers late, and is not the server's fault.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingNames } from '../src/core/config.ts'
import { isApi } from '../src/core/http/surface.ts'
import { buildServer } from '../src/doors/server.ts'
import { systemRandom } from '../src/kit/random.ts'
import { newApiKey, newMailboxToken } from '../src/kit/token.ts'
import { linesOf, until } from '../tools/process.ts'
import { testApp } from './support/app.ts'
import { callsTo } from './support/calls.ts'
import { selfSigned } from './support/certificate.ts'
import { hostileMail } from './support/hostile-mail.ts'
import { Slowness } from './support/loop-monitor.ts'
import { type Operation, operationsOf, pathWith } from './support/openapi.ts'
import { freshDirectory } from './support/place.ts'
import { program } from './support/program.ts'
import { type SmtpClient, smtpClient } from './support/smtp-client.ts'

const maxHeldMs = 100
const tries = 6
const kb = 1024
const isLinux = existsSync('/proc/self/schedstat')
const onLinux = test.skipIf(!isLinux)

interface Server {
  url: string
  apiKey: string
  sessionCookie: string
  /** Of the doors for mail, by their settings. */
  mailPorts: Record<string, number>
  pid: number
  stop(): Promise<void>
}

const [email, password] = ['owner@acme.test', 'correct horse battery staple']
/** In the order in which the server says them. */
const mailSettings = ['INBOUND_SMTP_PORT', 'SUBMISSION_PORT', 'SUBMISSIONS_PORT']

let server: Server
beforeAll(async () => {
  server = await start()
}, 120_000)
afterAll(() => server.stop())

/** All of its threads on one core, so that its work beside the main thread is in the way, too. */
function onOneCore(command: string[]): string[] {
  if (!isLinux || Bun.which('taskset') === null) return command
  const [, core = '0'] = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return ['taskset', '-c', core, ...command]
}

async function start(): Promise<Server> {
  const command = await program()
  const cwd = freshDirectory()
  const env = {
    HOME: cwd,
    PATH: '/usr/bin:/bin',
    PORT: '0',
    LOG_LEVEL: 'error',
    MAIL_FROM: 'acme@example.com',
    INBOUND_DOMAIN: 'in.example.net',
    ...Object.fromEntries(mailSettings.map((name) => [name, '0'])),
    SUBMISSION_TLS_CERT: 'cert.pem',
    SUBMISSION_TLS_KEY: 'key.pem',
  }
  const { cert, key } = selfSigned()
  writeFileSync(join(cwd, env.SUBMISSION_TLS_CERT), cert)
  writeFileSync(join(cwd, env.SUBMISSION_TLS_KEY), key)
  const init = Bun.spawn(
    [...command, 'init', '--workspace', 'acme', '--email', email, '--password', password, '--json'],
    {
      cwd,
      env,
    },
  )
  const { apiKey } = (await new Response(init.stdout).json()) as { apiKey: string }
  const child = Bun.spawn([...onOneCore(command), 'serve'], { cwd, env, stdout: 'ignore', stderr: 'pipe' })
  const lines = linesOf(child.stderr)
  const seen: string[] = []
  const kept = (async function* () {
    for await (const line of lines) {
      seen.push(line)
      yield line
    }
  })()
  const [, url = ''] = await until(kept, /listening on (http\S+)/)
  const ports = [...seen.join('\n').matchAll(/mail(?: of applications)? on \S+:(\d+)/g)].map(([, port]) => Number(port))
  expect(ports).toHaveLength(mailSettings.length)
  const mailPorts = Object.fromEntries(mailSettings.map((name, index) => [name, ports[index] ?? 0]))
  const signIn = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  }
  const [sessionCookie = ''] = ((await fetch(`${url}/v1/auth/login`, signIn)).headers.get('set-cookie') ?? '').split(
    ';',
  )
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
    rmSync(cwd, { recursive: true, force: true })
  }
  return { url, apiKey, sessionCookie, mailPorts, pid: child.pid, stop }
}

/** What the main thread of the server has worked so far. */
const workedMs = () =>
  Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6

/** The most that the server worked from a question to its answer, while `attack` runs. */
async function heldMs(attack: () => Promise<unknown>): Promise<number> {
  let most = 0
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const before = workedMs()
      const { status } = await fetch(`${server.url}/healthz`)
      most = Math.max(most, workedMs() - before)
      expect(status).toBe(200)
    }
  })()
  await attack().finally(() => {
    isOver = true
  })
  await asking
  return most
}

/** `ofMemory`: it brings megabytes. The least of several runs: whoever asks may have been kept waiting while the server went on in short steps. */
async function expectAlive(name: string, attack: () => Promise<unknown>, { ofMemory = false } = {}): Promise<void> {
  const slowness = new Slowness({ ofMemory })
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < tries; run++) {
    least = Math.min(least, await heldMs(attack))
    if (least <= maxHeldMs) break
    slowness.look()
    if (least <= maxHeldMs * slowness.factor) break
  }
  process.stdout.write(`  held for at most ${least.toFixed(1).padStart(6)} ms  ${name}\n`)
  expect(least, name).toBeLessThanOrEqual(maxHeldMs * slowness.factor)
}

/** What is long, deep, wide or full of escapes, of that many bytes. */
function worst(bytes: number): string[] {
  const field = (unit: string) => JSON.stringify({ email: unit.repeat(Math.floor(bytes / (unit.length + 2))) })
  const wide = Array.from({ length: Math.floor(bytes / 16) }, (_, n) => `"k${n}":{}`).join(',')
  return [
    `[${'{},'.repeat(Math.floor(bytes / 3) - 2)}{}]`,
    `{${wide}}`,
    '['.repeat(bytes - 10),
    field('"'),
    field('<x-'),
    field('a@'),
    `${'9'.repeat(bytes - 10)}`,
  ].map((body) => body.slice(0, bytes))
}

async function send(operation: Operation, body: string, headers: Record<string, string>): Promise<number> {
  const path = pathWith(operation.path, {})
  const type = operation.takesJson ? 'application/json' : 'application/octet-stream'
  return await sent(operation.method, path, { body, headers: { 'content-type': type, ...headers } })
}

async function sent(method: string, path: string, rest: { body?: string; headers?: Record<string, string> }) {
  const response = await fetch(server.url + path, { method, redirect: 'manual', ...rest })
  await response.arrayBuffer()
  return response.status
}

const calls = () => callsTo(server.url, { apiKey: server.apiKey, sessionCookie: server.sessionCookie })
const operations = () => operationsOf(calls())
const takesBody = ({ method }: Operation) => method !== 'GET' && method !== 'DELETE'

onLinux('the clock of a thread tells how long it worked', () => {
  const worked = () => Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6
  const before = worked()
  for (const until = performance.now() + 3_000; performance.now() < until && worked() - before < 50; );
  expect(worked() - before).toBeGreaterThan(10)
})

/** Each as `GET /f/:sourceId`: what has no parameter of its path is asked as it is. */
async function publicRoutes(): Promise<Set<string>> {
  await using t = await testApp()
  const documented = new Map((await operations()).map((one) => [`${one.method} ${braced.in(one.path)}`, one]))
  const { routes } = buildServer(t.app, {} as Parameters<typeof buildServer>[1]).server
  return new Set(
    routes
      .filter(({ method, path }) => {
        const operation = documented.get(`${method} ${path}`)
        return operation ? operation.security.length === 0 || operation.id === 'optIn' : !isApi(path)
      })
      .map(({ method, path }) => `${method} ${path}`),
  )
}

const braced = { in: (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1') }

/** What begins with a token that we made is refused by its form; nobody has these. */
const invented = ['a', '.', '%41', '~', '_-', '%00'].map((unit) => unit.repeat(6_000 / unit.length))

/** Addresses of routes with parameters, of things that are there; null where a stranger has no token, and only invents one. */
async function liveAddresses(): Promise<Record<string, string | null>> {
  const { post, put } = calls()
  const session = { as: 'session' } as const
  const { id: listId } = await post('/v1/mailing-lists', { name: 'News', hasPublicArchive: true }, 201)
  const source = { name: 'Form', type: 'form', mailingListIds: [listId], allowedOrigins: [server.url] }
  const { id: sourceId } = await post('/v1/subscription-sources/create', source, 201)
  const { id: mailboxId } = await post('/v1/mailboxes', { address: 'letters@in.example.net' }, 201)
  const { inboundUrl } = await post(`/v1/mailboxes/${mailboxId}/inbound-address`, {}, 200, session)
  const payments = await put(
    '/v1/settings/integrations/payments',
    { signing_secret: `whsec_${'a'.repeat(32)}`, enabled: true },
    200,
    session,
  )
  const hook = await put('/v1/provider-hooks', { provider: 'postmark' }, 200, session)
  const pathOf = (url: string) => new URL(url).pathname
  return {
    '/f/:sourceId': `/f/${sourceId}`,
    '/f/:sourceId/challenge': `/f/${sourceId}/challenge`,
    '/v1/contact-subscriptions/opt-in': '/v1/contact-subscriptions/opt-in',
    '/v1/inbound/:token': pathOf(inboundUrl),
    '/v1/integrations/payments/webhook/:integrationId': pathOf(payments.webhook_url),
    '/hooks/:provider/:token': pathOf(hook.url),
    // A working one is made by the server alone, and mailed.
    '/approve/:token': `/approve/${'a'.repeat(43)}`,
    '/dashboard/*': '/dashboard/people',
    '/docs/*': '/docs/quick-start',
    '/docs/files/*': '/docs/files/none.svg',
    '/archive/:listId': `/archive/${listId}`,
    '/archive/:listId/feed.xml': `/archive/${listId}/feed.xml`,
    sourceId,
    ...Object.fromEntries(
      [
        ...[
          '/view/:token',
          '/media/:file',
          '/archive/:listId/:campaignId',
          '/confirm/:token',
          '/confirm/:token/resend',
          '/u/:token',
          '/preferences/:token',
        ],
        ...['/t/o/:token', '/t/c/:token/:number', '/login/:token', '/setup/:token', '/invite/:token'],
        ...[
          '/dashboard/files/:name',
          '/captured/:id',
          '/captured/:id/html',
          '/captured/:id/source',
          '/captured/:id/raw',
        ],
        '/captured/:id/attachments/:number',
      ].map((path) => [path, null]),
    ),
  }
}

onLinux(
  'public routes, with what a stranger can send',
  async () => {
    const routes = [...(await publicRoutes())]
    expect(routes.length).toBeGreaterThan(40)
    const addresses = await liveAddresses()
    const hasParameter = (path: string) => /[:*]/.test(path)
    const missing = routes.filter((one) => hasParameter(one) && !((one.split(' ')[1] ?? '') in addresses))
    expect(missing, 'say in liveAddresses() what a stranger asks of them').toEqual([])
    const bodies = [...worst(63 * kb), ...worst(18_000 * kb).slice(0, 2)]
    const units = ['a', '"', '=', ';', ',', 'q=0.5,', '{', '%41']
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ')
      const live = hasParameter(path) ? addresses[path] : path
      const paths = [
        ...(live ? [live] : []),
        ...(hasParameter(path) ? invented.map((token) => path.replaceAll(/[:*]\w*/g, token)) : []),
      ]
      const origin = { origin: server.url, authorization: `Bearer ${addresses.sourceId}` }
      await expectAlive(
        route,
        async () => {
          for (const one of paths)
            for (const unit of units) {
              const text = unit.repeat(4_000 / unit.length)
              const headers = { cookie: `session=${text}`, 'accept-language': text, accept: text }
              if (method === 'GET')
                await sent(method, `${one}?a=${encodeURIComponent(text.slice(0, 1_000))}`, { headers })
            }
          if (method !== 'GET' && live)
            for (const type of ['application/json', 'application/x-www-form-urlencoded'])
              for (const body of bodies)
                expect(await sent(method, live, { body, headers: { ...origin, 'content-type': type } })).not.toBe(500)
        },
        { ofMemory: method !== 'GET' },
      )
    }
  },
  300_000,
)

onLinux(
  'routes that take an API key, with as much as they read',
  async () => {
    const headers = { authorization: `Bearer ${server.apiKey}` }
    const keyed = (await operations()).filter((one) => takesBody(one) && one.security.some((each) => 'apiKey' in each))
    expect(keyed.length).toBeGreaterThan(40)
    const bodies = worst(250 * kb)
    for (const [index, operation] of keyed.entries())
      await expectAlive(operation.id, async () => {
        // Each has two of them: all that can be wrong with a body is looked at by the same code.
        for (const step of [0, 3]) {
          const status = await send(operation, bodies[(index + step) % bodies.length] ?? '', headers)
          expect([401, 403, 429, 500], operation.id).not.toContain(status)
        }
      })
    const sending = keyed.find(({ id }) => id === 'send')
    for (const body of worst(24_000 * kb))
      await expectAlive(`24 MB of ${body.slice(0, 12)}`, async () => sending && (await send(sending, body, headers)), {
        ofMemory: true,
      })
  },
  300_000,
)

/** The doors that take a key or a token, each with one that nobody has, of the right form. */
const wrongKeys: Record<string, (n: number) => [path: string, headers: Record<string, string>]> = {
  rest: () => ['/v1/contacts', { authorization: `Bearer ${newApiKey(random)}` }],
  source: (n) => ['/v1/contact-subscriptions/opt-in', { authorization: `Bearer src_${hex(n)}`, origin: server.url }],
  mcp: () => ['/mcp', { authorization: `Bearer ${newApiKey(random)}` }],
  mailbox: () => ['/mailbox/mcp', { authorization: `Bearer ${newMailboxToken(random)}` }],
  resend: () => ['/compat/resend/emails', { authorization: `Bearer ${newApiKey(random)}` }],
  postmark: () => ['/compat/postmark/email', { 'x-postmark-server-token': newApiKey(random) }],
  sendgrid: () => ['/compat/sendgrid/v3/mail/send', { authorization: `Bearer ${newApiKey(random)}` }],
  ses(n) {
    const now = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
    const credential = `Credential=key_${hex(n)}/${now.slice(0, 8)}/eu-west-1/ses/aws4_request`
    const signed = `SignedHeaders=host;x-amz-date, Signature=${hex(n).repeat(2)}`
    const authorization = `AWS4-HMAC-SHA256 ${credential}, ${signed}`
    return ['/compat/ses/v2/email/outbound-emails', { authorization, 'x-amz-date': now }]
  },
}
const random = { random: systemRandom }
const hex = (n: number) => n.toString(16).padStart(32, '0')

onLinux(
  'keys that nobody has, 2,000 at each door, which take nothing from who has one',
  async () => {
    for (const [name, wrong] of Object.entries(wrongKeys))
      await expectAlive(`wrong keys: ${name}`, async () => {
        const statuses = new Set<number>()
        let sent = 0
        const flood = async () => {
          while (sent++ < 2_000) {
            const [path, headers] = wrong(sent)
            const body = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' }
            const response = await fetch(server.url + path, body)
            await response.arrayBuffer()
            statuses.add(response.status)
          }
        }
        await Promise.all(Array.from({ length: 16 }, flood))
        expect([...statuses], name).toEqual([name === 'ses' ? 403 : 401])
      })
    const headers = { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' }
    const accept = 'application/json, text/event-stream'
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const asked = await fetch(`${server.url}/mcp`, { method: 'POST', headers: { ...headers, accept }, body: ping })
    expect([asked.status, (await fetch(`${server.url}/v1/contacts`, { headers })).status]).toEqual([200, 200])
  },
  300_000,
)

test('every door for mail is known here', () => {
  expect(settingNames.filter((name) => /_PORT$/.test(name)).sort()).toEqual([...mailSettings].sort())
})

onLinux(
  'the doors for mail',
  async () => {
    await calls().post('/v1/mailboxes', { address: 'desk@in.example.net' }, 201)
    for (const door of mailSettings)
      for (const { name, raw } of hostileMail()) {
        if (raw.length > 3_000_000) continue
        await expectAlive(`${door}: ${name}`, async () => {
          using client = await enter(door)
          client.write(raw)
          client.write('\r\n.\r\n')
          await client.reply()
        })
      }
  },
  300_000,
)

/** To where it takes the mail. */
async function enter(door: string): Promise<SmtpClient> {
  const client = await smtpClient(server.mailPorts[door] ?? 0, { tls: door === 'SUBMISSIONS_PORT' })
  if (door === 'INBOUND_SMTP_PORT') await client.toData('desk@in.example.net')
  else {
    await client.reply()
    if (door === 'SUBMISSION_PORT') {
      await client.say('EHLO app.example')
      await client.say('STARTTLS')
      await client.upgrade()
    }
    await client.say('EHLO app.example')
    await client.say(`AUTH PLAIN ${Buffer.from(`\0anybody\0${server.apiKey}`).toString('base64')}`)
    await client.say('MAIL FROM:<acme@example.com>')
    await client.say('RCPT TO:<ada@example.net>')
    expect(await client.say('DATA')).toStartWith('354')
  }
  return client
}

onLinux(
  'the doors for mail, with commands of strangers',
  async () => {
    const units = [
      'a',
      ' ',
      '\r\n',
      'NOOP\r\n',
      'MAIL FROM:<',
      'AUTH PLAIN =\r\n',
      'EHLO a\r\n',
      'RCPT TO:<a@b>\r\n',
      '\0',
      '"',
    ]
    for (const door of mailSettings)
      for (const unit of units)
        await expectAlive(`${door}: ${JSON.stringify(unit)}`, async () => {
          using client = await smtpClient(server.mailPorts[door] ?? 0, { tls: door === 'SUBMISSIONS_PORT' })
          await client.reply()
          client.write(unit.repeat(60_000 / unit.length))
          client.write('\r\nQUIT\r\n')
          await client.closed
        })
  },
  300_000,
)
