// The server as a process, asked whether it lives while strangers send the worst that they can: each public route of the OpenAPI document,
// each route with a body, and each door for mail. What counts is how long its main thread worked before it answered, by the clock of that
// thread (Linux keeps it): a machine that is busy makes answers late, and is not the server's fault.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { systemRandom } from '../src/lib/random.ts'
import { newApiKey, newMailboxToken } from '../src/lib/token.ts'
import { callsTo } from './support/calls.ts'
import { hostileMail } from './support/hostile-mail.ts'
import { Slowness } from './support/loop-monitor.ts'
import { type Operation, operationsOf, pathWith } from './support/openapi.ts'
import { freshDirectory } from './support/place.ts'
import { linesOf, until } from './support/process.ts'
import { program } from './support/program.ts'
import { smtpClient } from './support/smtp-client.ts'

const maxHeldMs = 100
const tries = 6
const kb = 1024
const isLinux = existsSync('/proc/self/schedstat')
const onLinux = test.skipIf(!isLinux)

interface Server {
  url: string
  apiKey: string
  smtpPort: number
  pid: number
  stop(): Promise<void>
}

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
    INBOUND_SMTP_PORT: '0',
  }
  const init = Bun.spawn([...command, 'init', '--workspace', 'acme', '--email', 'owner@acme.test', '--json'], {
    cwd,
    env,
  })
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
  const smtpPort = Number(/receiving mail on \S+:(\d+)/.exec(seen.join('\n'))?.[1])
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
    rmSync(cwd, { recursive: true, force: true })
  }
  return { url, apiKey, smtpPort, pid: child.pid, stop }
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

/** The least of several runs: whoever asks may have been kept waiting while the server went on in short steps. */
async function expectAlive(name: string, attack: () => Promise<unknown>): Promise<void> {
  const slowness = new Slowness()
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
  const response = await fetch(server.url + path, {
    method: operation.method,
    headers: { 'content-type': type, ...headers },
    body,
  })
  await response.arrayBuffer()
  return response.status
}

const operations = () => operationsOf(callsTo(server.url, { apiKey: server.apiKey, sessionCookie: '' }))
const takesBody = ({ method }: Operation) => method !== 'GET' && method !== 'DELETE'

onLinux('the clock of a thread tells how long it worked', () => {
  const worked = () => Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6
  const before = worked()
  for (const until = performance.now() + 3_000; performance.now() < until && worked() - before < 50; );
  expect(worked() - before).toBeGreaterThan(10)
})

onLinux(
  'public routes, with what a stranger can send',
  async () => {
    const open = (await operations()).filter(
      (one) => takesBody(one) && (one.security.length === 0 || one.id === 'optIn'),
    )
    expect(open.length).toBeGreaterThan(3)
    const { post } = callsTo(server.url, { apiKey: server.apiKey, sessionCookie: '' })
    const { id } = await post('/v1/mailing-lists', { name: 'News' }, 201)
    const source = { name: 'Form', type: 'form', mailingListIds: [id], allowedOrigins: [server.url] }
    const { id: sourceId } = await post('/v1/subscription-sources/create', source, 201)
    const bodies = [...worst(63 * kb), ...worst(18_000 * kb).slice(0, 2)]
    for (const operation of open) {
      const isOptIn = operation.id === 'optIn'
      const headers = { origin: server.url, ...(isOptIn && { authorization: `Bearer ${sourceId}` }) }
      await expectAlive(operation.id, async () => {
        for (const body of bodies) {
          const status = await send(operation, body, headers)
          if (isOptIn) expect([400, 413, 422]).toContain(status)
        }
      })
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
      await expectAlive(`24 MB of ${body.slice(0, 12)}`, async () => sending && (await send(sending, body, headers)))
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

onLinux(
  'the door for mail',
  async () => {
    const { post } = callsTo(server.url, { apiKey: server.apiKey, sessionCookie: '' })
    await post('/v1/mailboxes', { address: 'desk@in.example.net' }, 201)
    for (const { name, raw } of hostileMail()) {
      if (raw.length > 3_000_000) continue
      await expectAlive(name, async () => {
        using client = await smtpClient(server.smtpPort)
        await client.toData('desk@in.example.net')
        client.write(raw)
        client.write('\r\n.\r\n')
        await client.reply()
      })
    }
  },
  300_000,
)
