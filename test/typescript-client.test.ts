// The TypeScript client: made from the OpenAPI document as it is now, packed as it would be published, and run where its users run it,
// against a running server behind a proxy that fails.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { type TestApp, testApp } from './support/app.ts'

const root = join(import.meta.dir, '..')
const home = join(root, 'clients/typescript')
const directory = mkdtempSync(join(tmpdir(), 'paquebot-client-'))
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await t.template({ id: 'welcome', text: 'Hello {{name}}' })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

/** Fails twice on the way: once before the server has seen a send, and once after it has answered. */
function failingProxy() {
  const keys: (string | null)[] = []
  const seen = { sends: 0 }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const isSend = pathname === '/v1/transactional/send'
      const sends = isSend ? ++seen.sends : 0
      if (isSend) keys.push(request.headers.get('idempotency-key'))
      if (sends === 1) return new Response('', { status: 503, headers: { 'retry-after': '0' } })
      const body = request.method === 'GET' ? null : await request.bytes()
      const answer = await fetch(t.url + pathname + search, { method: request.method, headers: request.headers, body })
      return sends === 2 ? new Response('', { status: 502, headers: { 'retry-after': '0' } }) : answer
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, keys, stop: () => server.stop(true) }
}

const walk = `
import process from 'node:process'
import { createPaquebot, PaquebotError, verifyWebhook } from 'paquebot-client'

const { KEY: apiKey, PROXY: baseUrl, NAME: name, SECRET, PAYLOAD, HEADERS } = process.env
const paquebot = createPaquebot({ apiKey, baseUrl })
const { messageId } = await paquebot.transactional.send({
  email: name + '@example.net',
  templateId: 'welcome',
  dataVariables: { name },
})
for (const n of [1, 2, 3]) await paquebot.contacts.create({ email: name + n + '@example.net' })
const all = []
for await (const { email } of paquebot.contacts.list({ email: name, perPage: 2 })) all.push(email)
const { data } = await paquebot.contacts.list({ email: name, perPage: 2 })
const refused = await paquebot.contacts.create({ email: 'nothing' }).catch((error) => error)
const missing = await paquebot.contacts.get('con_x').catch((error) => error)
const signal = AbortSignal.abort(new Error('enough'))
const ended = await paquebot.apiKeys.test({ signal }).catch((error) => error.message)
const late = await paquebot.activity.waitForCaptured({ to: 'nobody@example.net', timeoutMs: 30000 }, { timeoutMs: 50, retries: 0 }).catch((error) => error.name)
const headers = JSON.parse(HEADERS)
const now = new Date(Number(headers['webhook-timestamp']) * 1000)
const event = await verifyWebhook(PAYLOAD, new Headers(headers), ['whsec_AAAA', SECRET], { now })
const forged = await verifyWebhook(PAYLOAD + ' ', headers, SECRET, { now }).catch((error) => error.name)
const old = await verifyWebhook(PAYLOAD, headers, SECRET, { now: new Date(now.getTime() + 301000) }).catch((error) => error.name)
console.log(JSON.stringify({
  messageId, all, page: data.length, refused: [refused instanceof PaquebotError, refused.status, refused.code, refused.errors[0].path],
  missing: missing.code, ended, late, type: event.type, forged, old,
}))
`

describe('packed and installed', () => {
  const app = join(directory, 'app')
  beforeAll(async () => {
    await run(['bun', 'pm', 'pack', '--destination', directory], home)
    const tarball = readdirSync(directory).find((name) => name.endsWith('.tgz')) ?? ''
    const installed = join(app, 'node_modules/paquebot-client')
    mkdirSync(installed, { recursive: true })
    await run(['tar', '-xzf', join(directory, tarball), '-C', installed, '--strip-components=1'])
    await Bun.write(join(app, 'package.json'), '{"type":"module","dependencies":{"paquebot-client":"*"}}')
    await Bun.write(join(app, 'walk.js'), walk)
  }, 120_000)

  const deno = join(root, 'node_modules/.bin/deno')
  const runtimes: [name: string, command: string[]][] = [
    ['bun', ['bun', 'walk.js']],
    ['node', [Bun.which('node', { PATH: '/usr/local/bin:/usr/bin:/bin' }) ?? '', 'walk.js']],
    ['deno', [Bun.which(deno) ?? '', 'run', '--allow-all', '--node-modules-dir=manual', '--no-lock', 'walk.js']],
  ]
  for (const [name, command] of runtimes)
    test.skipIf(command[0] === '')(
      `in ${name} it sends once through failures, pages, refuses, and verifies webhooks`,
      async () => {
        const proxy = failingProxy()
        const payload = JSON.stringify({ type: 'testing.testEvent', data: {} })
        const at = t.clock.now()
        const headers = {
          'webhook-id': 'wh_1',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('wh_1', at, payload)}`,
        }
        const given = {
          KEY: t.apiKey,
          PROXY: proxy.url,
          NAME: name,
          SECRET: secret,
          PAYLOAD: payload,
          HEADERS: JSON.stringify(headers),
        }
        const told = JSON.parse(
          await run(command, app, { ...given, DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(directory, 'deno') }),
        )
        await proxy.stop()
        expect(told).toEqual({
          messageId: expect.stringMatching(/^msg_/),
          all: [1, 2, 3].map((n) => `${name}${n}@example.net`),
          page: 2,
          refused: [true, 422, 'validation_failed', 'email'],
          missing: 'not_found',
          ended: 'enough',
          late: 'ConnectionError',
          type: 'testing.testEvent',
          forged: 'WebhookVerificationError',
          old: 'WebhookVerificationError',
        })
        // Three attempts with one key, the second of them done by the server: one mail.
        expect(proxy.keys).toHaveLength(3)
        expect(new Set(proxy.keys).size).toBe(1)
        const { data } = await t.get(`/v1/activity?email=${name}@example.net`, 200)
        expect(data.map((one: { messageId: string }) => one.messageId)).toEqual([told.messageId])
      },
    )

  const caller = `
import { createPaquebot, type Page, type PaquebotError } from 'paquebot-client'

const paquebot = createPaquebot({ apiKey: String(process.env['KEY']), baseUrl: String(process.env['PROXY']) })
const lost: Promise<Page<unknown>> = paquebot.contacts.list({ cursor: 'nothing' })
const told: string[] = []
void (async () => {
  const code = await lost.finally(() => void told.push('ended')).catch((error: unknown) => (error as PaquebotError).code)
  const page = await Promise.race([paquebot.contacts.list({ perPage: 10 })])
  console.log(JSON.stringify([told, code, typeof page.pagination.nextCursor, Object.prototype.toString.call(lost)]))
})()
`

  test('a list is a whole promise, and what is CommonJS has types and runs as what is a module does', async () => {
    for (const ending of ['mts', 'cts']) await Bun.write(join(app, `caller.${ending}`), caller)
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'bun', '--lib', 'esnext']
    const options = ['--ignoreConfig', '--strict', '--module', 'nodenext', '--target', 'es2022', '--outDir', 'made']
    const files = ['caller.mts', 'caller.cts']
    const tsc = join(root, 'node_modules/.bin/tsc')
    expect(await run(['bun', '--bun', tsc, ...options, ...types, '--skipLibCheck', ...files], app)).toBe('')
    const node = Bun.which('node', { PATH: '/usr/local/bin:/usr/bin:/bin' })
    for (const file of ['made/caller.mjs', 'made/caller.cjs'])
      for (const command of [['bun'], ...(node === null ? [] : [[node]])]) {
        const printed = await run([...command, file], app, { KEY: t.apiKey, PROXY: t.url })
        expect(JSON.parse(printed)).toEqual([['ended'], 'invalid_cursor', 'object', '[object Pages]'])
      }
  })

  test('its README is a program that type-checks and runs', async () => {
    const text = await Bun.file(join(home, 'README.md')).text()
    const program = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n')
    await Bun.write(join(app, 'readme.ts'), program)
    const types = `--typeRoots ${join(root, 'node_modules/@types')} --types bun --lib esnext,dom,dom.iterable`.split(
      ' ',
    )
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'preserve',
      '--target',
      'esnext',
      ...types,
    ]
    expect(await run(['bun', 'x', '--bun', 'tsc', ...options, join(app, 'readme.ts')])).toBe('')
    const printed = await run(['bun', 'readme.ts'], app, { PAQUEBOT_KEY: t.apiKey, PAQUEBOT_URL: t.url })
    expect(printed).toMatch(/^msg_\w+\n\d+ of \d+\n[\s\S]*422 validation_failed email\n$/)
  })
})

async function run(command: string[], cwd = root, env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn(
    command.map((word, index) => (word === 'bun' && index === 0 ? process.execPath : word)),
    { cwd, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' },
  )
  const [printed, said, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(' ')} failed: ${printed}${said}`)
  return printed
}
