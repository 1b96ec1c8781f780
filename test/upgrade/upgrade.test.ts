// An installation that an earlier version made is carried along: nothing is lost, nothing that worked stops, and what the earlier
// version left open (file modes, consent without a record, domains without an owner) is put in order.

import { Database as SQLite } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
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

beforeAll(async () => {
  if (remoteDatabase) return
  installation = await cli()
  const path = join(installation.directory, 'paquebot.db')
  const database = new SQLite(path, { create: true })
  database.run(readFileSync(join(import.meta.dir, '0.1.0.sql'), 'utf8'))
  database.close()
  chmodSync(installation.directory, 0o755)
  chmodSync(path, 0o644)
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
