// The limits of a plan, and suspension, at the doors other than the API; who is told of a limit; and two processes that share one.

import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { write } from '../src/core/app.ts'
import { listenForSubmissions } from '../src/doors/smtp/listen.ts'
import { takeMails } from '../src/people/limits.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { listOf } from './support/campaign.ts'
import { selfSigned } from './support/certificate.ts'
import { rawMail, testMailbox } from './support/mailbox.ts'
import { call, problemOf } from './support/mcp-calls.ts'
import { connect, ping } from './support/oauth.ts'
import { png } from './support/picture.ts'
import { publish, tell, templates, welcoming } from './support/sequences.ts'
import { servedBy } from './support/served.ts'
import { type SmtpClient, smtpClient } from './support/smtp-client.ts'
import { sinkEnvironment, webhookSink } from './support/webhook-sink.ts'

const path = '/v1/workspaces'
const reason = 'The invoice of April is not paid.'

/** The first workspace may have limits, too. */
const limit = (t: TestApp, limits: object) => t.patch(`${path}/${t.workspace.id}`, { limits }, 200, session)
const usageOf = (t: TestApp) => t.get(`${path}/${t.workspace.id}/usage`, 200)
const acceptedOf = async (t: TestApp) => (await usageOf(t)).totals.accepted

/** A server for applications, with STARTTLS, as its client signs in there. */
async function submissions() {
  const directory = mkdtempSync(join(tmpdir(), 'limits-'))
  const { cert, key } = selfSigned()
  const files = { cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem') }
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  const t = await testApp({
    environment: {
      SUBMISSION_PORT: '0',
      SUBMISSION_TLS_CERT: files.cert,
      SUBMISSION_TLS_KEY: files.key,
      MAIL_FROM: 'House <hello@house.example>',
    },
  })
  const listeners = await listenForSubmissions(t.app, '127.0.0.1')
  return {
    t,
    async signIn(apiKey: string): Promise<{ client: SmtpClient; answer: string }> {
      const client = await smtpClient(listeners[0]?.port ?? 0)
      await client.reply()
      await client.say('EHLO app.example')
      await client.say('STARTTLS')
      await client.upgrade()
      await client.say('EHLO app.example')
      const secret = Buffer.from(`\0anybody\0${apiKey}`).toString('base64')
      return { client, answer: await client.say(`AUTH PLAIN ${secret}`) }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(listeners.map((one) => one.close()))
      await t[Symbol.asyncDispose]()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function submit(client: SmtpClient, recipients: string[]): Promise<string> {
  await client.say('MAIL FROM:<hello@house.example>')
  for (const one of recipients) await client.say(`RCPT TO:<${one}>`)
  await client.say('DATA')
  client.write('From: hello@house.example\r\nSubject: Hi\r\n\r\nHello\r\n.\r\n')
  return await client.reply()
}

describe('a limit of mails a day', () => {
  test('over SMTP puts off with 451 what is beyond it, all recipients of a mail or none', async () => {
    await using s = await submissions()
    await limit(s.t, { mailsPerDay: 2 })
    const { client, answer } = await s.signIn(s.t.apiKey)
    using c = client
    expect(answer).toStartWith('235')
    expect(await submit(c, ['a@example.net', 'b@example.net', 'c@example.net'])).toStartWith('451 4.7.1')
    expect(await acceptedOf(s.t)).toBe(0)
    expect(await submit(c, ['a@example.net', 'b@example.net'])).toStartWith('250')
    expect(await submit(c, ['c@example.net'])).toStartWith('451 4.7.1')
    await s.t.settle()
    expect([await acceptedOf(s.t), (await s.t.sent()).length]).toEqual([2, 2])
    expect((await usageOf(s.t)).data.at(-1).limitsMet).toEqual(['mailsPerDay'])
  })

  test('refuses the reply of an agent, which is told to webhooks as any', async () => {
    await using sink = webhookSink()
    await using t = await testApp({ environment: sinkEnvironment })
    await t.endpoint({ url: sink.url, eventFilters: ['workspace.*'], status: 'active' })
    const mailbox = await testMailbox(t)
    const messageId = await mailbox.receive(rawMail())
    await limit(t, { mailsPerDay: 0 })
    const refused = problemOf(await call(t, mailbox, 'reply_to_email', { messageId, text: 'Well.' }))
    expect(refused).toMatchObject({ code: 'limit_reached', limit: 'mailsPerDay', most: 0 })
    await t.settle()
    expect([sink.types(), await t.sent()]).toEqual([['workspace.limitReached'], []])
    await limit(t, { mailsPerDay: 1 })
    const replied = await call(t, mailbox, 'reply_to_email', { messageId, text: 'Well.' })
    expect(replied.isError).toBeUndefined()
    expect(await acceptedOf(t)).toBe(1)
  })

  test('makes the people of a sequence wait, not leave, and each gets one mail', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, welcoming)
    await limit(t, { mailsPerDay: 2 })
    for (const n of [1, 2, 3, 4, 5]) await tell(t, 'signup', { email: `p${n}@example.net` })
    const mailed: number[] = []
    for (let step = 0; step < 3; step++) {
      await t.settle()
      mailed.push((await t.sent()).length)
      await t.advance('24h')
    }
    expect(mailed).toEqual([2, 4, 5])
    const welcomed = (await t.sent()).filter(({ raw }) => raw.includes('Subject: hello'))
    expect(new Set(welcomed.map(({ to }) => String(to))).size).toBe(welcomed.length)
    const runs = await t.get(`/v1/sequences/${id}/runs?perPage=50`, 200)
    expect(runs.data.filter(({ state }: Json) => ['failed', 'exited'].includes(state))).toEqual([])
  })

  test('holds in all doors of one process together, however many knock at once', async () => {
    await using s = await submissions()
    const { t } = s
    await t.template()
    await limit(t, { mailsPerDay: 25 })
    const { client } = await s.signIn(t.apiKey)
    using c = client
    const message = (n: number) => ({ email: `r${n}@example.net`, templateId: 'hello' })
    const many = Array.from({ length: 60 }, (_, n) => t.request('POST', '/v1/transactional/send', message(n)))
    const batches = Array.from({ length: 10 }, (_, n) =>
      t.request('POST', '/v1/transactional/send-batch', { messages: [message(100 + 2 * n), message(101 + 2 * n)] }),
    )
    const [answers, pairs, dot] = [Promise.all(many), Promise.all(batches), submit(c, ['s@example.net'])]
    const one = (await answers).filter(({ status }) => status === 200).length
    const two = (await pairs).filter(({ status }) => status === 200).length
    const smtp = (await dot).startsWith('250') ? 1 : 0
    await t.settle()
    const total = one + 2 * two + smtp
    expect([total, await acceptedOf(t), (await t.sent()).length]).toEqual([total, total, total])
    // A pair may leave the last place free.
    expect([24, 25]).toContain(total)
  })
})

test('an import that leaves contacts out tells that there may be no more of them, and a trial of one does not', async () => {
  await using sink = webhookSink()
  await using t = await testApp({ environment: sinkEnvironment })
  await t.endpoint({ url: sink.url, eventFilters: ['workspace.*'], status: 'active' })
  await limit(t, { contacts: 1 })
  const consent = encodeURIComponent('{"subscribed":true,"statement":"Signed up at the fair."}')
  const headers = { 'content-type': 'text/csv' }
  const take = (query: string) =>
    t.request('POST', `/v1/contacts/import?consent=${consent}${query}`, 'email\na@example.net\nb@example.net\n', {
      headers,
    })
  await take('&dryRun=true')
  await t.settle()
  expect(sink.types()).toEqual([])
  await take('')
  await t.settle()
  expect(sink.types()).toEqual(['workspace.limitReached'])
  expect((await usageOf(t)).contacts).toBe(1)
})

test('what came in is counted by day from the moment that there are limits, in the transaction that takes it, and once', async () => {
  await using t = await testApp()
  const mailbox = await testMailbox(t)
  const occur = (email: string) =>
    t.post('/v1/events/send', { eventName: 'seen', email, eventId: email.replaceAll(/\W/g, '-') }, 200)
  await occur('before@example.net')
  expect((await usageOf(t)).totals).toMatchObject({ events: null, contactsMade: null, receivedBytes: null })
  await limit(t, { contacts: 3 })
  const mail = rawMail()
  await mailbox.receive(mail)
  await mailbox.receive(mail)
  await occur('a@example.net')
  await occur('a@example.net')
  const dot = png({ width: 7, height: 7 })
  const headers = { 'content-type': 'image/png' }
  for (let time = 0; time < 2; time++)
    await t.request('POST', '/v1/media?name=dot.png', new Uint8Array(dot), { headers })
  await t.advance('24h')
  await occur('b@example.net')
  const refused = await t.request('POST', '/v1/events/send', { eventName: 'seen', email: 'c@example.net' })
  expect(refused.body.code).toBe('limit_reached')
  const { data, totals, contacts } = await usageOf(t)
  const day = { events: 1, contactsMade: 1, mediaBytes: 0, receivedBytes: 0 }
  expect(data.at(-2)).toMatchObject({ ...day, mediaBytes: dot.length, receivedBytes: Buffer.byteLength(mail) })
  expect(data.at(-1)).toMatchObject(day)
  expect([totals.events, totals.contactsMade, contacts]).toEqual([2, 2, 3])
})

test('bytes of sent mail are counted by the day on which a server took it, as it was handed over', async () => {
  await using t = await testApp()
  await t.template()
  await t.mail()
  await t.settle()
  await limit(t, { contacts: 3 })
  await t.mail({ email: 'a@example.net' })
  await t.mail({ email: 'b@example.net', scheduledAt: '2026-01-16T13:00:00Z' })
  await t.settle()
  const first = (await usageOf(t)).totals
  await t.advance('26h')
  await t.advance('24h')
  const sizes = (await t.sent()).map(({ raw }) => raw.length)
  expect(sizes).toHaveLength(3)
  expect(sizes.every((size) => size > 300)).toBe(true)
  expect(first.sentBytes).toBe(sizes[1])
  const { data, totals } = await usageOf(t)
  expect(data.slice(-3).map(({ sentBytes }: Json) => sentBytes)).toEqual([sizes[1], sizes[2], 0])
  expect(totals.sentBytes).toBe((sizes[1] ?? 0) + (sizes[2] ?? 0))
})

test('those of a campaign are counted, too', async () => {
  await using t = await testApp()
  await t.patch(`${path}/${t.workspace.id}`, { limits: { contacts: 10 }, trustLevel: 'M1' }, 200, session)
  const { list } = await listOf(t, 3)
  const body = { name: 'July', subject: 'News', mailingListId: list.id, content: [{ type: 'text', text: 'Hi' }] }
  const { id } = await t.post('/v1/campaigns', body, 201)
  await t.post(`/v1/campaigns/${id}/send`, {}, 200)
  await t.settle()
  const sizes = (await t.sent()).map(({ raw }) => raw.length)
  expect(sizes).toHaveLength(3)
  expect((await usageOf(t)).totals.sentBytes).toBe(sizes.reduce((sum, size) => sum + size, 0))
})

describe('a suspended workspace', () => {
  /** One beside the first, which cannot be suspended. */
  async function suspendable(t: TestApp) {
    const { id } = await t.post(path, { slug: 'tenant', trustLevel: 'M1' }, 201, session)
    const { apiKey } = await t.post(`${path}/${id}/api-keys`, { name: 'First' }, 201, session)
    const act = (what: 'suspend' | 'resume') =>
      t.post(`${path}/${id}/${what}`, what === 'suspend' ? { reason } : {}, 200, session)
    return { id, apiKey, act }
  }

  test('is closed to its mailbox tokens, its connections and its keys over MCP, with the reason, until it is resumed', async () => {
    await using t = await testApp()
    const { id, apiKey, act } = await suspendable(t)
    const mailbox = await testMailbox(t, { workspaceId: id, address: 'tenant@paquebot.localhost' })
    const owner = await t.person('owner', { email: 'o@tenant.test', workspace: { ...t.workspace, id } })
    const cookie = owner.sessionCookie
    const { tokens } = await connect(t, { cookie, target: id, scopes: ['read'] })
    const doors = [
      ['/mcp', apiKey],
      ['/mcp', tokens.access_token],
      ['/mailbox/mcp', mailbox.token],
    ] as const
    const knock = () => Promise.all(doors.map(([door, token]) => ping(t, door, token)))
    expect((await knock()).map(({ status }) => status)).toEqual([200, 200, 200])
    await act('suspend')
    for (const { status, text } of await knock()) expect([status, text]).toEqual([403, expect.stringContaining(reason)])
    await act('resume')
    expect((await knock()).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('is refused at sign-in over SMTP, with the reason', async () => {
    await using s = await submissions()
    const { apiKey, act } = await suspendable(s.t)
    await act('suspend')
    const { client, answer } = await s.signIn(apiKey)
    using _ = client
    expect(answer).toMatch(/^5\d\d /)
    expect(answer).toContain(reason)
  })

  test('says so of each recipient of a campaign that was being sent', async () => {
    await using t = await testApp()
    const { id, act } = await suspendable(t)
    const workspace = { ...t.workspace, id }
    const owner = await t.person('owner', { email: 'o@tenant.test', workspace })
    const { list, contacts } = await listOf(t, 1, { workspaceId: id })
    const body = { name: 'July', subject: 'News', mailingListId: list.id, content: [{ type: 'text', text: 'Hi' }] }
    const campaign = await t.post('/v1/campaigns', body, 201, owner.as)
    await t.post(`/v1/campaigns/${campaign.id}/send`, {}, 200, owner.as)
    const at = `/v1/campaigns/${campaign.id}/recipients/${contacts[0]?.id}`
    const found = async () => (await t.get(at, 200, owner.as)).checks.find(({ check }: Json) => check === 'workspace')
    expect(await found()).toEqual({ check: 'workspace', ok: true, value: 'not suspended' })
    await act('suspend')
    expect(await found()).toEqual({ check: 'workspace', ok: false, value: `suspended: ${reason}` })
    const dry = await t.request('POST', `/v1/campaigns/${campaign.id}/send`, { dryRun: true }, owner.as)
    expect([dry.status, dry.body.code]).toEqual([403, 'workspace_suspended'])
    expect(dry.body.detail).toContain(reason)
  })
})

test.each([700, 1_500])(
  '%p mails a second are as many, though each takes no whole millisecond',
  async (mailsPerSecond) => {
    await using t = await testApp()
    const { id } = t.workspace
    const limits = { mailsPerDay: null, mailsPerMonth: null, contacts: null, mailsPerSecond }
    const take = () => write(t.app, (tx) => takeMails(tx, { id, limits }, 1))
    let taken = 0
    while ((await take()) === null) taken++
    // In one moment: what may be used a second ahead.
    expect(Math.abs(taken - mailsPerSecond)).toBeLessThanOrEqual(1)
  },
)

test.each([{ mailsPerDay: 17 }, { mailsPerSecond: 5 }])(
  'two processes accept together never more than %j',
  async (limits) => {
    await using both = await servedBy(2)
    const [first = '', other = ''] = both.urls
    const { body: mine } = await both.request(first, 'GET', `${path}?search=acme`)
    const { id } = mine.data[0]
    const hello = { id: 'hello', name: 'Hello', subject: 'Hello', content: [{ type: 'text', text: 'Hello' }] }
    await both.request(first, 'POST', '/v1/transactional/create', hello)
    await both.request(first, 'PATCH', `${path}/${id}`, { limits })
    const began = Date.now()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        both.request(n % 2 === 0 ? first : other, 'POST', '/v1/transactional/send', {
          email: `r${n}@example.net`,
          templateId: 'hello',
        }),
      ),
    )
    const seconds = (Date.now() - began) / 1_000
    const accepted = answers.filter(({ status }) => status === 200).length
    const refused = answers.filter(({ body }) => body.code === 'limit_reached').length
    expect(accepted + refused).toBe(60)
    // A rate may be used a second ahead.
    if ('mailsPerDay' in limits) expect(accepted).toBe(17)
    else expect([accepted > 0, accepted <= 5 * (seconds + 1) + 1]).toEqual([true, true])
    const usage = await Promise.all(both.urls.map((url) => both.request(url, 'GET', `${path}/${id}/usage`)))
    expect(usage.map(({ body }) => body.totals.accepted)).toEqual([accepted, accepted])
  },
)
