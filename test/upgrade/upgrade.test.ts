// An installation that an earlier version made is carried along: nothing is lost, nothing that worked stops, and what the earlier
// version left open (file modes, consent without a record, domains without an owner) is put in order.

import { Database as SQLite } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockProcess } from '../../db/lock.ts'
import type { Json } from '../support/app.ts'
import { type Cli, cli, type Server } from '../support/cli.ts'
import { remoteDatabase } from '../support/database.ts'

const apiKey = 'pqk_wPT4M1sr9kvFuQuybrn6W3uMnBZHGfTE1Zc2s2'
const environment = {
  SECRET_KEY: 'a secret of the tests, never of an installation',
  INBOUND_DOMAIN: 'in.example.com',
  MAIL_FROM: 'Acme <hello@acme.test>',
}

let installation: Cli
let server: Server
/** What the check said of the earlier version. */
let before: Awaited<ReturnType<Cli['run']>>

beforeAll(async () => {
  if (remoteDatabase) return
  installation = await cli()
  const path = join(installation.directory, 'paquebot.db')
  const database = new SQLite(path, { create: true })
  database.run(readFileSync(join(import.meta.dir, '0.1.0.sql'), 'utf8'))
  // What had to wait for a day or more when it was made does so still, whenever this runs.
  const made = "(SELECT max(finished_at) FROM outbox_jobs WHERE state = 'done')"
  database.run(
    `UPDATE outbox_jobs SET due_at = due_at - ${made} + ? WHERE state = 'pending' AND due_at > ${made} + 3600000`,
    [Date.now()],
  )
  database.close()
  chmodSync(installation.directory, 0o755)
  chmodSync(path, 0o644)
  before = await installation.run(['upgrade', '--check', '--json'], environment)
  server = await installation.serve(environment)
})

afterAll(async () => {
  if (remoteDatabase) return
  server.kill('SIGTERM')
  await server.ended
  installation[Symbol.dispose]()
})

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

const onFile = test.skipIf(remoteDatabase)

onFile('the files of the installation are its owner’s alone', () => {
  expect(statSync(installation.directory).mode & 0o777).toBe(0o700)
  for (const name of ['paquebot.db', 'paquebot.db-wal', 'paquebot.db-shm'])
    expect([name, statSync(join(installation.directory, name)).mode & 0o777]).toEqual([name, 0o600])
})

onFile('the check tells what an upgrade will do; a copy of the database as it was stays beside it', async () => {
  const path = join(installation.directory, 'paquebot.db')
  const copy = `${path}.before-upgrade`
  expect(before).toMatchObject({ code: 0, json: { ok: true, snapshot: { path: copy, isEnough: true }, faults: [] } })
  expect(before.json.migrations.length).toBeGreaterThan(10)
  const latest = (file: string) => {
    using database = new SQLite(file, { readonly: true })
    return database.query<{ name: string }, []>('SELECT max(name) AS name FROM migrations').get()?.name
  }
  expect(latest(copy)).not.toBe(before.json.migrations.at(-1))
  expect(latest(path)).toBe(before.json.migrations.at(-1))
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  const again = await installation.run(['upgrade', '--check'], environment)
  expect(again).toMatchObject({ code: 0, out: 'The database is at this version: nothing to do.\n' })
})

onFile(
  'where no copy can be made, or a command only looks, nothing is changed; a newer database and a running server are told',
  async () => {
    using other = await cli()
    const path = join(other.directory, 'paquebot.db')
    {
      using database = new SQLite(path, { create: true })
      database.run(readFileSync(join(import.meta.dir, '0.1.0.sql'), 'utf8'))
    }
    const tables = () => {
      using database = new SQLite(path, { readonly: true })
      return database.query('SELECT name, sql FROM sqlite_master').values()
    }
    const asItWas = tables()
    for (const args of [
      ['doctor', '--local'],
      ['user', 'list'],
    ])
      expect(await other.run(args, environment)).toMatchObject({
        code: 1,
        err: expect.stringContaining('paquebot upgrade'),
      })
    expect(tables()).toEqual(asItWas)
    mkdirSync(`${path}.before-upgrade`)
    const refused = await other.run(['upgrade'], environment)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('the database is as it was') })
    expect(tables()).toEqual(asItWas)
    const lock = lockProcess(path)
    const served = await other.run(['upgrade', '--check'], environment)
    expect(served).toMatchObject({ code: 1, out: expect.stringContaining('A server is still running') })
    lock?.release()
    expect(await other.run(['upgrade', '--no-snapshot'], environment)).toMatchObject({ code: 0 })
    {
      using database = new SQLite(path)
      database.run("INSERT INTO migrations VALUES ('9999_future', 1)")
    }
    const newer = await other.run(['upgrade', '--check', '--json'], environment)
    expect(newer).toMatchObject({ code: 1, json: { ok: false, faults: [expect.stringContaining('9999_future')] } })
  },
)

onFile('an upgrade that was interrupted goes on, and the copy of before it began stays', async () => {
  using other = await cli()
  const path = join(other.directory, 'paquebot.db')
  {
    using database = new SQLite(path, { create: true })
    database.run(readFileSync(join(import.meta.dir, '0.1.0.sql'), 'utf8'))
  }
  writeFileSync(`${path}.before-upgrade`, 'of before')
  writeFileSync(`${path}.upgrading`, '')
  expect(await other.run(['upgrade'], environment)).toMatchObject({ code: 0 })
  expect(readFileSync(`${path}.before-upgrade`, 'utf8')).toBe('of before')
  expect(existsSync(`${path}.upgrading`)).toBe(false)
})

onFile('every contact that may be mailed has a record of how it came to be so', async () => {
  const { body } = await call('GET', '/v1/contacts?perPage=50')
  expect(body.data.length).toBe(6)
  for (const { id, email, subscribed, createdAt } of body.data) {
    const { body: consent } = await call('GET', `/v1/contacts/${id}/consent`)
    const granted = consent.data.filter((one: Json) => one.action === 'granted' || one.action === 'confirmed')
    expect([email, granted.length > 0]).toEqual([email, subscribed])
    if (email === 'plain@example.net')
      expect(consent.data).toMatchObject([{ action: 'granted', method: 'unknown', givenAt: createdAt }])
  }
})

onFile('domains that sent go on sending, and doctor tells that nobody has proved them', async () => {
  const template = { id: 'letter', name: 'Letter', subject: 'L', content: [{ type: 'text', text: 'Hello' }] }
  const { status } = await call('POST', '/v1/transactional/create', { ...template, fromEmail: 'us@mail.acme.example' })
  expect(status).toBe(201)
  const sent = await call('POST', '/v1/transactional/send', { email: 'ada@example.net', templateId: 'letter' })
  expect(sent).toMatchObject({ status: 200, body: { success: true, warnings: [] } })
  const doctor = await installation.run(['doctor', '--json'], environment)
  expect(doctor.out).toContain(
    'No workspace has proved that it owns the domain: mail.acme.example (acme), other.example (other)',
  )
})

onFile('what waited still waits, and what was stored is read', async () => {
  const { body: jobs } = await call('GET', '/v1/jobs?perPage=50&state=pending')
  const kinds = jobs.data.map(({ kind }: Json) => kind)
  expect(kinds).toContain('deliver-template')
  const { body: activity } = await call('GET', '/v1/activity?email=later@example.net')
  expect(activity.data).toMatchObject([{ status: 'queued' }])
  const send = {
    email: 'grace@example.net',
    templateId: 'welcome',
    locale: 'de',
    dataVariables: { name: 'G', code: '1' },
  }
  expect(await call('POST', '/v1/transactional/send', send)).toMatchObject({ status: 200 })
  const { body: campaigns } = await call('GET', '/v1/campaigns')
  expect(campaigns.data).toMatchObject([{ name: 'Spring', status: 'draft' }])
})

onFile('an address at the operator’s domain stays with the workspace that took it', async () => {
  const { body } = await call('GET', '/v1/mailboxes')
  expect(body.data.map(({ address }: Json) => address).sort()).toEqual(['ceo@in.example.com', 'help@in.example.com'])
})

onFile('its invariants hold', async () => {
  const { code, json } = await installation.run(['verify', '--json'], environment)
  expect({ code, json }).toEqual({ code: 0, json: { ok: true, violations: [] } })
})
