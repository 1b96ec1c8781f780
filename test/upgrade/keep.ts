// Keeps a database as this version leaves it, for kept.test.ts to carry along for good: a server of the checkout is filled through its
// API and stopped half way. `bun run upgrades:keep` before a release; `bun run upgrades:keep COMMIT` of an earlier commit, by its own code.
//
// Everybody at later.example has one mail that waits, for the mail server put off what was for them; everybody else has theirs.

import { Database as SQLite } from 'bun:sqlite'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import { linesOf, until } from '../../tools/process.ts'
import type { Json } from '../support/calls.ts'
import { type Sink, startSink } from '../support/smtp-sink.ts'
import { sinkEnvironment, webhookSink } from '../support/webhook-sink.ts'

export const keptSettings = {
  SECRET_KEY: 'a secret of the tests, never of an installation',
  MAIL_FROM: 'Acme <hello@acme.test>',
}
const owner = { email: 'owner@acme.test', password: 'correct horse battery' }
const readers = ['r1@example.net', 'r2@example.net', 'r3@example.net']
const waiting = ['r1@later.example', 'r2@later.example', 'r3@later.example']
const content = [{ type: 'text', text: 'Hello.' }]
const lookEveryMs = 100

type Call = (method: string, path: string, body?: object) => Promise<Json>

if (import.meta.main) await keep(process.argv[2])

async function keep(commit: string | undefined): Promise<void> {
  const root = join(import.meta.dir, '../..')
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-keep-'))
  const checkout = commit === undefined ? root : join(directory, 'checkout')
  try {
    if (commit !== undefined) {
      run(['git', 'worktree', 'add', '--detach', checkout, commit], root)
      run([process.execPath, 'install', '--frozen-lockfile'], checkout)
    }
    const data = join(directory, 'data')
    await fill(checkout, data)
    const { name, bytes } = imageOf(join(data, 'paquebot.db'))
    await Bun.write(join(import.meta.dir, `${name}.db.gz`), bytes)
    process.stdout.write(`test/upgrade/${name}.db.gz: ${bytes.length} bytes\n`)
  } finally {
    if (commit !== undefined) run(['git', 'worktree', 'remove', '--force', checkout], root)
    rmSync(directory, { recursive: true, force: true })
  }
}

function run(command: string[], cwd: string, env: Record<string, string | undefined> = process.env): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, env, stderr: 'pipe' })
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}`)
  return stdout.toString()
}

/** One file without gaps, named after its last migration; the same database makes the same bytes. */
function imageOf(path: string): { name: string; bytes: Uint8Array } {
  const copy = `${path}.kept`
  using database = new SQLite(path)
  database.run('VACUUM INTO ?', [copy])
  const found = database.query<{ name: string }, []>('SELECT max(name) AS name FROM migrations').get()
  return { name: found?.name ?? '', bytes: Bun.gzipSync(readFileSync(copy), { level: 9 }) }
}

async function fill(checkout: string, data: string): Promise<void> {
  await using sink = startSink({
    answer: (stage, _, { to }) => (stage === 'rcpt' && to.endsWith('@later.example') ? '451 4.7.1 later' : undefined),
  })
  await using hooks = webhookSink(({ body }) => new Response(null, { status: body.includes('r3@') ? 500 : 200 }))
  const program = [process.execPath, 'src/main.ts']
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    DATA_DIR: data,
    SMTP_URL: sink.url,
    ...keptSettings,
    ...sinkEnvironment,
  }
  const person = ['--email', owner.email, '--password', owner.password]
  const { apiKey } = JSON.parse(
    run([...program, 'init', '--workspace', 'acme', ...person, '--trust', 'M1', '--json'], checkout, env),
  )
  const server = Bun.spawn([...program, 'serve', '--json'], { cwd: checkout, env, stdout: 'ignore', stderr: 'pipe' })
  try {
    const [, url = ''] = await until(linesOf(server.stderr), /^listening on (\S+)$/)
    const call = callsWith(url, { authorization: `Bearer ${apiKey}` })
    const asOwner = callsWith(url, { cookie: await signIn(url), origin: url })
    await use(call, asOwner, hooks.url)
    await untilHalfDone(call, sink)
  } finally {
    server.kill('SIGTERM')
    await server.exited
  }
}

function callsWith(url: string, credential: Record<string, string>): Call {
  return async (method, path, body) => {
    const headers = { ...credential, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
}

async function signIn(url: string): Promise<string> {
  const headers = { origin: url, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(owner) })
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** What an installation is used for. Only with what every version to keep can do. */
async function use(call: Call, asOwner: Call, hookUrl: string): Promise<void> {
  const address = { companyName: 'Acme', companyAddress: '1 Harbour Road, Hull' }
  await asOwner('PATCH', '/v1/workspace', { brand: address })
  await asOwner('POST', '/v1/webhook-endpoints', { url: hookUrl, status: 'active' })
  const list = await call('POST', '/v1/mailing-lists', { name: 'News' })
  const mailingLists = { [list.id]: true }
  for (const email of [...readers, ...waiting]) await call('POST', '/v1/contacts/create', { email, mailingLists })
  await call('POST', '/v1/contacts/create', { email: 'left@example.net', mailingLists })
  await call('PUT', '/v1/contacts/update', { email: 'left@example.net', subscribed: false })

  await call('POST', '/v1/transactional/create', { id: 'hello', name: 'Hello', subject: 'Hello', content })
  for (const email of ['one@example.net', 'two@later.example']) {
    await call('POST', '/v1/contacts/create', { email })
    await call('POST', '/v1/transactional/send', { email, templateId: 'hello' })
  }
  const rule = { eventName: 'joined', action: 'send_template', templateId: 'hello', delay: { amount: 1, unit: 'h' } }
  await call('POST', '/v1/event-rules', rule)
  await call('POST', '/v1/events/send', { eventName: 'joined', email: 'three@later.example' })

  const letter = { name: 'July', subject: 'News', mailingListId: list.id, content }
  const campaign = await call('POST', '/v1/campaigns', letter)
  await call('POST', `/v1/campaigns/${campaign.id}/send`, {})
}

/** The campaign has reached the readers, and nothing is at work; each look is a moment apart. */
async function untilHalfDone(call: Call, sink: Sink): Promise<void> {
  await sink.whenReceived(readers.length + 1)
  for await (const _ of setInterval(lookEveryMs)) {
    const { data: running } = await call('GET', '/v1/jobs?state=running')
    const { data: letters } = await call('GET', '/v1/activity')
    const isTried = letters.filter(({ email }: Json) => waiting.includes(email)).length === waiting.length
    if (running.length === 0 && isTried) return
  }
}
