// Test keys: what is done with one happens in the test workspace, where nothing leaves, whatever the way in.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createTransport } from 'nodemailer'
import { ServerClient } from 'postmark'
import { Resend } from 'resend'
import { listenForSubmissions } from '../src/doors/smtp/listen.ts'
import { isApiKey } from '../src/kit/token.ts'
import { type As, type Json, session, type TestApp, testApp } from './support/app.ts'
import { operationsOf, pathWith, wholeSampleOf } from './support/openapi.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'
import { sinkEnvironment, webhookSink } from './support/webhook-sink.ts'

const content = [{ type: 'text', text: 'Hello {{name|you}}' }]

interface Stage {
  t: TestApp
  server: Sink
  key: string
  test: { as: As }
  /** Of the test workspace. */
  place: { id: string; slug: string; name: string; test: boolean }
  inTest: { as: 'session'; headers: Record<string, string> }
}

/** An installation that really sends, with a test key. */
async function stage(environment: Record<string, string> = {}): Promise<Stage> {
  const server = startSink()
  const t = await testApp({ environment: { ...sinkEnvironment, SMTP_URL: server.url, ...environment } })
  const made = await t.post('/v1/api-keys', { name: 'CI', test: true }, 201)
  const { workspaces } = await t.get('/v1/auth/session', 200, session)
  const place = workspaces.find((one: Json) => one.test)
  const inTest = { as: 'session' as const, headers: { 'x-workspace-id': place.id } }
  return { t, server, key: made.apiKey, test: { as: { apiKey: made.apiKey } }, place, inTest }
}

/** How many rows of each table are of the workspace. */
async function rowsOf({ app }: TestApp, workspaceId: string): Promise<Record<string, number>> {
  const tables = await app.db.all<{ name: string }>(
    sql`SELECT m.name AS name FROM pragma_table_list m JOIN pragma_table_info(m.name) c ON c.name = 'workspace_id' WHERE m.schema = 'main' AND m.type = 'table'`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await app.db.all<{ n: number }>(
      sql`SELECT count(*) AS n FROM ${sql.identifier(name)} WHERE workspace_id = ${workspaceId}`,
    )
    counts[name] = row?.n ?? 0
  }
  return counts
}

describe('a test key', () => {
  let s: Stage
  beforeAll(async () => {
    s = await stage()
  })
  afterAll(async () => {
    await s.t[Symbol.asyncDispose]()
    await s.server[Symbol.asyncDispose]()
  })

  test('says what it is, makes only its like, and is listed with those of its workspace, which does not see the others', async () => {
    const { t, key, test } = s
    expect(key).toMatch(/^pqk_test_[0-9A-Za-z]{38}$/)
    expect(isApiKey(key)).toBe(true)
    expect(isApiKey(key.replace('pqk_test_', 'pqk_'))).toBe(false)
    const other = await t.post('/v1/api-keys', { name: 'more', test: false }, 201, test)
    expect(other).toMatchObject({ test: true, prefix: other.apiKey.slice(0, 15) })
    const names = async (as: { as: As }) =>
      (await t.get('/v1/api-keys', 200, as)).data.map(({ name, test: isTest }: Json) => [name, isTest])
    expect(await names({ as: 'key' })).toEqual([
      ['more', true],
      ['CI', true],
      ['tests', false],
    ])
    expect(await names(test)).toEqual([
      ['more', true],
      ['CI', true],
    ])
    const { data } = await t.get('/v1/api-keys', 200)
    const idOf = (wanted: string) => data.find(({ name }: Json) => name === wanted)?.id
    await t.delete(`/v1/api-keys/${idOf('tests')}`, undefined, 404, test)
    await t.delete(`/v1/api-keys/${idOf('more')}`, undefined, 200)
    await t.get('/v1/api-key', 401, { as: { apiKey: other.apiKey } })
  })

  test('sends to the captured mail, with the templates and senders of its workspace, and everything says that it is a test', async () => {
    const { t, server, test, inTest, place } = s
    await using receiver = webhookSink()
    await using real = webhookSink()
    await t.template({ content })
    const endpoint = { url: receiver.url, status: 'active', eventFilters: ['email.*', 'transactional.*'] }
    await t.post('/v1/webhook-endpoints', endpoint, 201, inTest)
    await t.post('/v1/webhook-endpoints', { ...endpoint, url: real.url }, 201, session)
    const send = { email: 'ada@example.net', templateId: 'hello', dataVariables: { name: 'Ada' } }
    const { messageId } = await t.mail(send, test)
    await t.settle()
    expect(server.connections()).toBe(0)
    const mail = await t.get(`/v1/activity/${messageId}`, 200, test)
    expect(mail).toMatchObject({ status: 'sent', test: true, captured: { text: expect.stringContaining('Hello Ada') } })
    expect((await t.get(`/v1/activity/captured?to=ada@example.net`, 200, inTest)).data).toHaveLength(1)
    expect(receiver.received.map(({ body }) => JSON.parse(body).test)).toEqual([true, true])
    expect(real.received).toEqual([])
    await t.get(`/v1/activity/${messageId}`, 404)
    expect(place).toMatchObject({ slug: `${t.workspace.slug}.test`, name: `${t.workspace.name} (test)` })

    const { messageId: left } = await t.mail(send)
    await t.settle()
    expect(server.received.map(({ to }) => to)).toEqual([['ada@example.net']])
    expect(await t.get(`/v1/activity/${left}`, 200)).not.toHaveProperty('test')
    expect(real.received.map(({ body }) => JSON.parse(body).test)).toEqual([undefined, undefined])
    server.received.length = 0
  })

  test('shows mail as its workspace does, whose settings it cannot change; it claims no address and no domain', async () => {
    const { t, test, inTest } = s
    const brand = { companyName: 'Acme Ltd' }
    await t.patch('/v1/workspace', { name: 'Acme 2', brand }, 200)
    expect(await t.get('/v1/workspace', 200, test)).toMatchObject({ name: 'Acme 2 (test)', brand })
    for (const as of [test, inTest]) {
      await t.patch('/v1/workspace', { name: 'Mine' }, 403, as)
      await t.post('/v1/mailboxes', { address: 'support@paquebot.localhost' }, 403, as)
      await t.post('/v1/sending-domains', { domain: 'acme.example' }, 403, as)
    }
    const people = (await t.get('/v1/members', 200)).data
    expect((await t.get('/v1/members', 200, inTest)).data).toEqual(people)
    const stranger = await t.stranger('elsewhere')
    await t.get('/v1/workspace', 404, {
      as: 'session',
      headers: { 'x-workspace-id': stranger.workspace.id.replace('ws_', 'wst_') },
    })
  })
})

/** What a request names, in the test workspace. */
async function thingsOf({ t, test, inTest }: Stage): Promise<Record<string, string>> {
  const email = 'ada@example.net'
  const made = await t.template({ content }, test)
  const list = await t.mailingList({ optIn: 'double' }, test)
  const source = await t.post('/v1/subscription-sources', { name: 'Form', mailingListIds: [list.id] }, 201, test)
  const contact = await t.contact({ email, mailingLists: { [list.id]: true } }, test)
  const rule = { eventName: 'bought', action: 'send_template', templateId: 'hello', enabled: true }
  const late = { ...rule, delay: { amount: 3, unit: 'd' } }
  const { id: ruleId } = await t.post('/v1/event-rules', rule, 201, test)
  await t.post('/v1/event-rules', late, 201, test)
  await t.post('/v1/events/send', { email, eventName: 'bought' }, 200, test)
  await t.post('/v1/contact-subscriptions/opt-in', { email: 'new@example.net', sourceId: source.id }, 202, test)
  const plain = await t.mailingList({ name: 'Plain' }, test)
  await t.contact({ email: 'ben@example.net', mailingLists: { [plain.id]: true } }, test)
  const draft = { name: 'News', subject: 'News', mailingListId: plain.id, content }
  const sent = await t.post('/v1/campaigns', draft, 201, test)
  await t.post(`/v1/campaigns/${sent.id}/send`, {}, 200, test)
  const campaign = await t.post('/v1/campaigns', draft, 201, test)
  const { messageId } = await t.mail({ email }, test)
  const endpoint = await t.post('/v1/webhook-endpoints', { url: 'https://hooks.acme.test/' }, 201, inTest)
  const { data } = await t.get('/v1/jobs', 200, test)
  const ids = {
    templateId: made.id,
    locale: 'en',
    messageId,
    contactId: contact.id,
    listId: list.id,
    sourceId: source.id,
  }
  return { ...ids, ruleId, campaignId: campaign.id, endpointId: endpoint.id, jobId: data[0].id }
}

test('no route, protocol or client of another service sends with a test key, now or later, or touches what is real', async () => {
  const s = await stage({ SUBMISSION_PORT: '0', INBOUND_DOMAIN: 'in.acme.test' })
  await using server = s.server
  await using t = s.t
  const listeners = await listenForSubmissions(t.app, '127.0.0.1')
  const before = await rowsOf(t, t.workspace.id)
  const ids = await thingsOf(s)
  const document = await t.get('/openapi.json', 200, { as: 'nobody' })
  const operations = await operationsOf(t)
  const order = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE']
  operations.sort((one, other) => order.indexOf(one.method) - order.indexOf(other.method))
  let accepted = 0
  for (const { method, path, bodySchema, security } of operations) {
    if (!security.some((scheme) => 'apiKey' in scheme)) continue
    const example = document.paths[path][method.toLowerCase()].requestBody?.content['application/json']?.example
    const bodies = method === 'GET' ? [undefined] : [{ ...example, templateId: 'hello' }, wholeSampleOf(bodySchema)]
    const soon = path.includes('wait') ? '?to=nobody@example.net&timeoutMs=1' : ''
    for (const body of bodies) {
      const reply = await t.request(method, pathWith(path, ids) + soon, body, { ...s.test, headers: { 'x-test': '1' } })
      expect(reply.status, `${method} ${path} ${reply.text.slice(0, 300)}`).toBeLessThan(500)
      if (reply.status < 300) accepted++
    }
  }
  expect(accepted).toBeGreaterThan(60)

  const mail = {
    from: 'Paquebot <paquebot@paquebot.localhost>',
    to: 'eve@example.net',
    subject: 'Hi',
    html: '<p>Hi</p>',
  }
  const port = listeners[0]?.port ?? 0
  const application = createTransport({
    host: '127.0.0.1',
    port,
    auth: { user: 'app', pass: s.key },
    tls: { rejectUnauthorized: false },
  })
  await application.sendMail(mail)
  application.close()
  const resend = await new Resend(s.key, { baseUrl: `${t.url}/compat/resend` }).emails.send(mail)
  expect(resend.error).toBeNull()
  const postmark = new ServerClient(s.key, {
    useHttps: false,
    requestHost: `${t.url.slice('http://'.length)}/compat/postmark`,
  })
  await postmark.sendEmail({ From: mail.from, To: mail.to, Subject: 'Hi', HtmlBody: mail.html })

  await t.settle()
  await t.advance('4d')
  expect(server.connections()).toBe(0)
  const kept = (await t.get('/v1/activity/captured?to=eve@example.net', 200, s.test)).data
  expect(kept).toHaveLength(3)
  expect(await rowsOf(t, t.workspace.id)).toEqual(before)
  await Promise.all(listeners.map((one) => one.close()))
})
