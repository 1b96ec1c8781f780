// Webhooks as their users meet them: endpoints, what they are told, the feed, and a test at any time.

import { describe, expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { type EventType, eventTypeNames, eventTypes, matchesFilters } from '../src/features/webhooks/event-types.ts'
import { publish, toPayload } from '../src/features/webhooks/publish.ts'
import { type Json, type RequestOptions, session, type TestApp, testApp } from './support/app.ts'
import { ranOnFile } from './support/database.ts'
import { create, deliveries, path, rotate, say, someone, start, verifies } from './support/webhook-endpoints.ts'
import { webhookSink } from './support/webhook-sink.ts'

describe('endpoints', () => {
  test('a new endpoint is disabled, takes everything, and its secret is nowhere to be seen', async () => {
    await using t = await start()
    const endpoint = await t.post(path, { url: 'https://hooks.example.com/' }, 201, session)
    expect(endpoint).toMatchObject({
      status: 'disabled',
      eventFilters: ['*'],
      hasSigningSecret: false,
      maxPerSecond: 10,
      url: 'https://hooks.example.com/',
      description: '',
    })
    expect(endpoint.id).toMatch(/^whe_[0-9a-f]{32}$/)
    expect(endpoint.endpointId).toBe(endpoint.id)
    const { signingSecret } = await rotate(t, endpoint.id)
    const shown = [
      await t.get(path, 200, session),
      await t.get(`${path}/${endpoint.id}`, 200, session),
      await t.patch(`${path}/${endpoint.id}`, { status: 'active', description: 'CRM' }, 200, session),
    ]
    expect(shown[2]).toMatchObject({ status: 'active', description: 'CRM', hasSigningSecret: true })
    for (const one of shown) expect(JSON.stringify(one)).not.toContain('whsec_')
    expect(t.logged.join()).not.toContain(signingSecret)
    await t.delete(`${path}/${endpoint.id}`, undefined, 200, session)
    await t.get(`${path}/${endpoint.id}`, 404, session)
  })

  const refusals: [string, object, string][] = [
    ['no url', {}, 'missing_required_field'],
    ['S01 loopback', { url: 'https://127.0.0.1/' }, 'validation_failed'],
    ['S02 decimal', { url: 'https://2130706433/' }, 'validation_failed'],
    ['S03 a name of this machine', { url: 'https://localhost./' }, 'validation_failed'],
    ['S04 unspecified', { url: 'https://[::]/' }, 'validation_failed'],
    ['S05 mapped', { url: 'https://[::ffff:7f00:1]/' }, 'validation_failed'],
    ['S06 NAT64', { url: 'https://[64:ff9b::a9fe:a9fe]/' }, 'validation_failed'],
    ['S07 link-local', { url: 'https://[fe80::1]/' }, 'validation_failed'],
    ['S08 metadata', { url: 'https://169.254.169.254/latest' }, 'validation_failed'],
    ['S09 private', { url: 'https://192.168.1.1/' }, 'validation_failed'],
    ['S15 http', { url: 'http://hooks.example.com/' }, 'validation_failed'],
    ['S15 a scheme', { url: 'file:///etc/passwd' }, 'validation_failed'],
    ['S15 a port', { url: 'https://hooks.example.com:6379/' }, 'validation_failed'],
    ['S15 credentials', { url: 'https://user:hunter2@hooks.example.com/' }, 'validation_failed'],
    ['S15 a line break', { url: 'https://hooks.example.com/\r\nX: y' }, 'validation_failed'],
    ['an unknown status', { url: 'https://hooks.example.com/', status: 'paused' }, 'validation_failed'],
    ['an unknown event', { url: 'https://hooks.example.com/', eventFilters: ['contact.eaten'] }, 'validation_failed'],
    ['an unknown group', { url: 'https://hooks.example.com/', eventFilters: ['loop.*'] }, 'validation_failed'],
    ['a wildcard inside', { url: 'https://hooks.example.com/', eventFilters: ['*.created'] }, 'validation_failed'],
    ['a rate that is text', { url: 'https://hooks.example.com/', maxPerSecond: '5' }, 'validation_failed'],
    ['a rate of none', { url: 'https://hooks.example.com/', maxPerSecond: 0 }, 'validation_failed'],
  ]
  test.skipIf(ranOnFile).each(refusals)(
    '%s is 422 on create and on change, and changes nothing',
    async (_, body, code) => {
      await using t = await testApp()
      const { id } = await t.post(path, { url: 'https://hooks.example.com/' }, 201, session)
      await t.unchanged(async () => {
        const refusal = await t.post(path, body, 422, session)
        expect(refusal.code).toBe(code)
        expect(JSON.stringify(refusal)).not.toContain('hunter2')
        if (code === 'validation_failed') await t.patch(`${path}/${id}`, body, 422, session)
      })
      expect(t.logged.join()).not.toContain('hunter2')
    },
  )

  test('S16 an address of the installation itself is 422', async () => {
    await using t = await start()
    await t.unchanged(() => t.post(path, { url: `${t.url}/v1/events/send` }, 422, session))
  })

  test('these routes take a session and no key; another workspace finds nothing here', async () => {
    await using t = await start()
    await using sink = webhookSink()
    const { id } = await create(t, sink.url)
    await say(t)
    await t.settle()
    const [delivery] = await deliveries(t, id)
    const stranger = await t.stranger()
    const foreign = await strangeSession(t, stranger.workspace.id)
    const routes: [string, string, unknown?][] = [
      ['GET', `${path}/${id}`],
      ['PATCH', `${path}/${id}`, { description: 'mine' }],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/${id}/signing-secret`],
      ['DELETE', `${path}/${id}/signing-secret/previous`],
      ['POST', `${path}/${id}/send-test`],
      ['GET', `${path}/${id}/deliveries`],
      ['GET', `${path}/${id}/deliveries/${delivery.id}`],
      ['POST', `${path}/${id}/deliveries/${delivery.id}/replay`],
      ['POST', `${path}/${id}/replay`, {}],
    ]
    await t.unchanged(async () => {
      for (const [method, route, body] of [...routes, ['GET', path], ['POST', path, {}]] as typeof routes) {
        expect((await t.request(method, route, body)).status, `${method} ${route} with a key`).toBe(401)
        expect((await t.request(method, route, body, { as: 'nobody' })).status).toBe(401)
      }
      for (const [method, route, body] of routes)
        expect((await t.request(method, route, body, foreign)).status, `${method} ${route} from elsewhere`).toBe(404)
      expect((await t.get(path, 200, foreign)).data).toEqual([])
      expect((await t.get('/v1/event-feed', 200, { as: { apiKey: stranger.apiKey } })).data).toEqual([])
      await t.get(`/v1/event-feed?after=${delivery.webhookId}`, 400, { as: { apiKey: stranger.apiKey } })
    })
    expect(sink.received).toHaveLength(1)
  })
})

/** The same person, at work in the other workspace. */
async function strangeSession(t: TestApp, workspaceId: string): Promise<RequestOptions> {
  const { members } = await import('../db/tables/workspaces.ts')
  await write(t.app, async (tx) => {
    await tx.db
      .insert(members)
      .values({ workspaceId, userId: t.user.id, role: 'owner', createdAt: tx.now })
      .onConflictDoNothing()
  })
  return { as: 'session', headers: { 'x-workspace-id': workspaceId } }
}

describe('events', () => {
  test('the catalogue names each type with a schema and an example, and the examples are what publish takes', async () => {
    await using t = await start()
    const { data } = await t.get('/v1/webhook-event-types', 200)
    expect(data.map(({ name }: Json) => name)).toEqual(eventTypeNames)
    for (const { schema, example, description } of data) {
      expect(description).toBeTruthy()
      expect(schema.type).toBe('object')
      expect(Object.keys(example)).toEqual(expect.arrayContaining(schema.required))
    }
  })

  test('filters: a name, a group, everything', () => {
    expect(matchesFilters(['*'], 'email.queued')).toBe(true)
    expect(matchesFilters(['email.*'], 'email.queued')).toBe(true)
    expect(matchesFilters(['contact.*'], 'contact.mailingList.subscribed')).toBe(true)
    expect(matchesFilters(['contact.*'], 'contacts.created')).toBe(false)
    expect(matchesFilters(['email.queued', 'contact.*'], 'email.delivered')).toBe(false)
  })

  test('a send is told as it goes: queued, contact, sent; each endpoint hears what it asked for', async () => {
    await using t = await start()
    await using all = webhookSink()
    await using some = webhookSink()
    await create(t, all.url)
    await create(t, some.url, { eventFilters: ['contact.*', 'suppression.added'] })
    await t.template({ id: 'hi', name: 'Hi', subject: 'Hi', text: 'x' })
    const { messageId } = await t.mail({ email: 'ada@example.com', templateId: 'hi', addToContact: true })
    await t.settle()
    expect(all.types()).toEqual(['email.queued', 'contact.created', 'transactional.email.sent'])
    expect(some.types()).toEqual(['contact.created'])
    const sent = JSON.parse(all.received[2]?.body ?? '')
    expect(sent.data).toMatchObject({
      contactIdentity: { email: 'ada@example.com', userId: null },
      email: { id: messageId, subject: 'Hi' },
      sourceType: 'transactional',
      transactionalId: 'hi',
    })
    expect(sent.email).toEqual(sent.data.email)
  })

  test('what a transaction that fails would have said is never heard', async () => {
    await using t = await start()
    await using sink = webhookSink()
    await create(t, sink.url)
    await t.unchanged(async () => {
      const failing = write(t.app, async (tx) => {
        await publish(tx, t.workspace.id, 'contact.created', someone)
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      await t.settle()
    })
    expect(sink.received).toEqual([])
  })

  test('a workspace without endpoints writes nothing', async () => {
    await using t = await start()
    await t.unchanged(() => say(t))
  })

  test('a payload stays under 20 KB: it loses its largest members, and says so', async () => {
    const huge = { ...someone, mailingLists: [{ id: 'l', name: 'L' }], contact: { note: 'ü'.repeat(9_990) } }
    const payload = toPayload('contact.updated', huge, new Date(0))
    expect(payload.length).toBeLessThan(1_000)
    expect(JSON.parse(payload).data).toEqual({ ...someone, mailingLists: [{ id: 'l', name: 'L' }], truncated: true })
    const all = { contactIdentity: 'x'.repeat(30_000) }
    expect(JSON.parse(toPayload('contact.updated', all, new Date(0))).data).toEqual({ truncated: true })
    await using t = await start()
    await t.post(path, { url: 'https://hooks.example.com/', eventFilters: ['event.received'] }, 201, session)
    const send = (notes: number) => {
      const eventProperties = Object.fromEntries(
        Array.from({ length: notes }, (_, n) => [`note${n}`, 'x'.repeat(9_000)]),
      )
      return t.post('/v1/events/send', { eventName: 'e', email: 'a@example.net', eventProperties }, 200)
    }
    const short = await send(2)
    const long = await send(3)
    const { data } = await t.get('/v1/event-feed', 200)
    const told = data.filter(({ type }: Json) => type === 'event.received').map(({ payload }: Json) => payload)
    expect(told.map(({ data }: Json) => [data.event.id, data.truncated])).toEqual([
      [short.eventId, undefined],
      [long.eventId, true],
    ])
    expect(told[1].data).toMatchObject({ contactIdentity: { email: 'a@example.net' } })
    expect(JSON.stringify(told[1]).length).toBeLessThan(20_000)
  })

  test('the feed gives what happened in order, from wherever the consumer was', async () => {
    await using t = await start()
    await t.post(path, { url: 'https://hooks.example.com/' }, 201, session)
    const types: EventType[] = [
      'contact.created',
      'contact.updated',
      'contact.deleted',
      'contact.created',
      'contact.updated',
    ]
    for (const type of types) await say(t, type)
    const first = await t.get('/v1/event-feed?limit=2', 200)
    expect(first).toMatchObject({ hasMore: true, nextAfter: first.data[1].id })
    expect(first.data[0].payload).toMatchObject({ type: 'contact.created', data: someone })
    const rest = await t.get(`/v1/event-feed?after=${first.nextAfter}`, 200)
    expect([...first.data, ...rest.data].map(({ type }: Json) => type)).toEqual(types)
    expect(rest.hasMore).toBe(false)
    const nothing = await t.get(`/v1/event-feed?after=${rest.nextAfter}`, 200, session)
    expect(nothing).toEqual({ data: [], hasMore: false, nextAfter: rest.nextAfter })
    expect((await t.get('/v1/event-feed?type=contact.deleted', 200)).data).toHaveLength(1)
    const { apiKey } = await t.post('/v1/api-keys', { scopes: ['contacts.read'] }, 201)
    await t.get('/v1/event-feed', 403, { as: { apiKey } })
    await t.get('/v1/event-feed?after=wh_nothing', 400)
  })
})

test('S16 a loop through a receiver that passes the hops on is cut at the third', async () => {
  await using t = await start()
  const answers: number[] = []
  await using sink = webhookSink(async ({ headers, body }) => {
    if (JSON.parse(body).type !== 'email.queued') return new Response()
    const hops = headers['webhook-hops'] ?? ''
    const reply = await t.request('POST', '/v1/transactional/send', send, { headers: { 'webhook-hops': hops } })
    answers.push(reply.status)
    return new Response()
  })
  await create(t, sink.url)
  const send = { email: 'ada@example.com', templateId: 'hi' }
  await t.template({ id: 'hi', name: 'Hi', subject: 'Hi', text: 'x' })
  await t.mail(send)
  for (let round = 0; round < 6; round++) await t.settle()
  expect(answers).toEqual([200, 200, 508])
  await t.unchanged(() => t.post('/v1/transactional/send', send, 508, { headers: { 'webhook-hops': '3' } }))
})

describe('send-test', () => {
  test('goes out at once, signed, once, also to a disabled endpoint whatever its filters, and stands in the log', async () => {
    await using t = await start()
    await using sink = webhookSink(
      (_, count) => new Response(count === 1 ? 'hello' : 'no', { status: count === 1 ? 200 : 503 }),
    )
    const { id } = await create(t, sink.url, { status: 'disabled', eventFilters: ['contact.created'] })
    const { signingSecret } = await rotate(t, id)
    const good = await t.post(`${path}/${id}/send-test`, undefined, 200, session)
    expect(good).toMatchObject({ success: true, delivered: true, statusCode: 200, responseBody: 'hello', code: null })
    const [webhook] = sink.received
    if (!webhook) throw new Error('nothing came')
    expect(verifies(t, signingSecret, webhook)).toBe(true)
    expect(webhook.headers['webhook-id']).toBe(good.webhookId)
    expect(JSON.parse(webhook.body)).toMatchObject({
      type: 'testing.testEvent',
      eventName: 'testing.testEvent',
      message: 'test',
      data: { message: 'test' },
    })
    const bad = await t.post(`${path}/${id}/send-test`, undefined, 200, session)
    expect(bad).toMatchObject({ success: true, delivered: false, statusCode: 503, code: 'http_error' })
    await t.advance('1h')
    expect(sink.received).toHaveLength(2)
    expect((await deliveries(t, id)).map(({ state }) => state)).toEqual(['failed', 'delivered'])
  })

  test('S11 an address that is blocked by now is an answer, not a connection', async () => {
    let addresses = ['127.0.0.1']
    await using t = await start({ dialing: { resolve: async () => addresses } })
    await using sink = webhookSink()
    const { id } = await create(t, `http://hooks.example.com:${sink.port}/`)
    expect(await t.post(`${path}/${id}/send-test`, undefined, 200, session)).toMatchObject({ delivered: true })
    addresses = ['192.168.0.1']
    expect(await t.post(`${path}/${id}/send-test`, undefined, 200, session)).toMatchObject({
      delivered: false,
      statusCode: null,
      code: 'blocked_ip',
    })
    expect(sink.received).toHaveLength(1)
  })
})

test.skipIf(ranOnFile)('the documentation lists every event type', async () => {
  const text = await Bun.file(new URL('../docs/webhooks.md', import.meta.url)).text()
  for (const name of eventTypeNames) expect(text).toContain(`| \`${name}\` | ${eventTypes[name].says} |`)
})
