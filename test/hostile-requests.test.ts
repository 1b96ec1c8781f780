import { describe, expect, test } from 'bun:test'
import { buildServer } from '../src/doors/server.ts'
import { maxJsonValues, parseJson, readJson } from '../src/kit/json.ts'
import { networkOf } from '../src/kit/network.ts'
import { noVitals } from '../src/operator/health/vitals.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { connect, deliver, providerEvent, secret, signature } from './support/payment-provider.ts'
import { onTheWire } from './support/wire.ts'

const statusOf = (answer: string) => Number(answer.split(' ')[1])
const codeOf = (answer: string): string =>
  JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)).code
const whole = /\r\n\r\n.*\}/s

describe('what a request is sent to', () => {
  test('one Host that can be read, or 400, before anything is counted or routed', async () => {
    await using t = await testApp()
    const hosts = [
      'Host: x/',
      'Host:',
      'Host: a?b',
      'Host: a#b',
      'Host: u@a',
      'Host: a b',
      'Host: a\r\nHost: b',
      'Host: a,b',
    ]
    for (const path of ['/u/abc', '/v1/api-key', '/api/v1/api-key', '/healthz']) {
      for (const host of hosts) {
        const answer = await onTheWire(t, [`GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`], whole)
        expect([statusOf(answer), codeOf(answer)], `${path} ${host}`).toEqual([400, 'invalid_request'])
      }
    }
    for (const line of ['GET /healthz HTTP/1.0', 'CONNECT a:80 HTTP/1.1\r\nHost: a']) {
      expect(statusOf(await onTheWire(t, [`${line}\r\n\r\n`], whole)), line).toBe(400)
    }
    for (const host of ['a', 'a.b-c:80', '127.0.0.1', '[::1]:3000', 'A_B.test.']) {
      const answer = await onTheWire(t, [`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`], whole)
      expect(statusOf(answer), host).toBe(200)
    }
  })

  test('a path with a % that stands for nothing is 400', async () => {
    await using t = await testApp()
    for (const id of ['%', '%u0041', '%ff%fe', '%c3']) {
      const reply = await t.request('GET', `/v1/transactional/${id}`)
      expect([reply.status, reply.body.code], id).toEqual([400, 'invalid_request'])
    }
    await t.get('/v1/transactional/%c3%a4', 404)
  })

  test('no log holds the secret of a path', async () => {
    await using t = await testApp()
    const { server, table } = buildServer(t.app, noVitals)
    const { loggedPath } = table
    const open = server.routes.filter(({ path, hooks }) => /:/.test(path) && !hooks.detail?.security?.length)
    expect(open.length).toBeGreaterThan(12)
    for (const { path } of open) {
      const asked = path.replaceAll(/:\w+/g, 'secret-word')
      expect(loggedPath(asked), path).not.toContain('secret-word')
    }
    expect(loggedPath('/api/v1/inbound/secret-word')).toBe('/api/v1/inbound/…')
    expect(loggedPath('/v1/contacts/con_1')).toBe('/v1/contacts/con_1')
    expect(loggedPath('/v1/nothing/ada@example.net')).toBe('/v1/nothing/…')
  })
})

describe('deep JSON', () => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

  test('a signed payment event that is nested deeply is refused, the first time and again', async () => {
    await using t = await testApp()
    const path = await connect(t)
    const event = providerEvent('invoice.paid', {})
    const body = JSON.stringify(event).replace('"object":{}', `"object":${deep(50_000)}`)
    for (let round = 0; round < 2; round++) {
      const headers = { 'payments-signature': signature(t, body) }
      const reply = await t.unchanged(() => t.request('POST', path, body, { as: 'nobody', headers }))
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_json'])
    }
    expect((await deliver(t, path, event, secret)).status).toBe(200)
  })

  const refusal = (read: Promise<unknown>) =>
    read.then(
      () => 'none',
      ({ message }: Error) => message,
    )

  test('every reading of JSON ends at 64 levels, and after 100,000 values', async () => {
    await using t = await testApp()
    const { aside } = t.app
    const foreign = (text: string) => readJson(aside, text, 'foreign')
    const reads = [
      async (text: string) => parseJson(text),
      (text: string) => readJson(aside, Buffer.from(text)),
      // Large enough to be read beside the main thread.
      (text: string) => readJson(aside, text + ' '.repeat(300_000)),
      foreign,
    ]
    for (const read of reads) {
      expect(await read(deep(64))).toBeObject()
      for (const text of [deep(65), deep(500_000), '['.repeat(500_000)]) {
        expect(await refusal(read(text)), text.slice(0, 20)).toContain('nested deeper than 64 levels')
      }
    }
    const scalars = ['{}', '[]', '1', '"a\\"b,[{"', 'true', 'false', 'null', '-1.5e3']
    const counts = [
      ...scalars.map((text) => [text, 1] as const),
      ['{"a":1}', 2],
      ['[0]', 2],
      ['{"a":{"b":"c"}}', 3],
    ] as const
    for (const [text, count] of counts) {
      const fits = Math.floor((maxJsonValues - 1) / count)
      const list = (length: number) => `[${Array(length).fill(text).join(', ')}]`
      for (const read of reads) {
        expect(await read(list(fits)), text).toBeArrayOfSize(fits)
        expect(await refusal(read(list(fits + 2))), text).toContain('more than 100000 JSON values')
      }
    }
    expect(await foreign('{"a":"[[[{{{\\"[[","b":[1.5,1.5]}')).toEqual({ a: '[[[{{{"[[', b: [1.5, 1.5] })
  })
})

test('an address of IPv6 is limited with its /64', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::'))
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
  expect<string>(networkOf('192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('192.0.2.1')).not.toBe(networkOf('192.0.2.2'))
  expect<string>(networkOf('')).toBe('')
})

test('300 addresses of one network have one allowance', async () => {
  await using t = await testApp({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  const ask = (from: string) =>
    t.request('GET', '/u/nothing', undefined, { as: 'nobody', headers: { 'x-forwarded-for': from } })
  const replies = await Promise.all(Array.from({ length: 300 }, (_, n) => ask(`2001:db8:1:2::${n.toString(16)}`)))
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(100)
  expect((await ask('2001:db8:1:3::1')).status).not.toBe(429)
})

describe('slow and large bodies', () => {
  /** What comes back until the server closes, while a body drips in: each byte in time for an idle limit, and never the last. */
  async function trickle(t: TestApp, head: string, everyMs = 20): Promise<string> {
    const { hostname, port } = new URL(t.url)
    const closed = Promise.withResolvers<void>()
    const answer: Buffer[] = []
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_, bytes) => void answer.push(Buffer.from(bytes)),
        close: () => closed.resolve(),
        error: () => closed.resolve(),
      },
    })
    socket.write(head)
    const drip = everyMs === 0 ? undefined : setInterval(() => socket.write('a'), everyMs)
    await closed.promise.finally(() => clearInterval(drip))
    return Buffer.concat(answer).toString()
  }

  test('a body has a total time, however steadily it drips', async () => {
    await using t = await testApp({ environment: { BODY_TIMEOUT_MS: '300' } })
    const host = `Host: ${new URL(t.url).host}\r\nContent-Type: application/json\r\n`
    const key = `Authorization: Bearer ${t.apiKey}\r\n`
    const heads = [
      `POST /v1/events/send HTTP/1.1\r\n${host}${key}Content-Length: 100000\r\n\r\n{`,
      `POST /v1/auth/login HTTP/1.1\r\n${host}Content-Length: 60000\r\n\r\n{`,
    ]
    for (const head of heads) {
      const answer = await trickle(t, head)
      expect([statusOf(answer), codeOf(answer)], head).toEqual([408, 'request_timeout'])
    }
  })

  test('callers that never finish keep nobody waiting, and are cut', async () => {
    await using t = await testApp({ environment: { BODY_TIMEOUT_MS: '300' } })
    const host = `Host: ${new URL(t.url).host}\r\n`
    const head = `POST /v1/api-keys HTTP/1.1\r\n${host}Authorization: Bearer ${t.apiKey}\r\nContent-Type: application/json\r\n`
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
    // A head has the time that Bun gives it (12 s), however it drips; a body has ours.
    const heads = ['', 'P', 'POST /v1/api-keys', `GET /healthz HTTP/1.1\r\n${host}X-A: `, head]
    const bodies = [`${head}Content-Length: 100\r\n\r\n{`, `${chunked}5\r\n{`, `${chunked}1\r\n{\r\n`, `${chunked}5`]
    const started = performance.now()
    const of = (beginnings: string[], everyMs: number) =>
      Array.from({ length: 100 }, (_, n) => trickle(t, beginnings[n % beginnings.length] ?? '', everyMs))
    const cut = Promise.all([...of(heads, 0), ...of(heads, 200)])
    const answers = Promise.all([...of(bodies, 0), ...of(bodies, 200)])
    await t.unchanged(() => Promise.all(Array.from({ length: 50 }, () => t.get('/v1/workspace', 200))))
    expect(performance.now() - started).toBeLessThan(5_000)
    const statuses = new Set((await answers).map(statusOf))
    expect([...statuses].filter((status) => status !== 408 && status !== 400)).toEqual([])
    expect(new Set((await cut).map((answer) => answer.slice(0, 12)))).toEqual(new Set(['']))
    expect(performance.now() - started).toBeLessThan(40_000)
    await t.post('/v1/api-keys', {}, 201)
  })

  test('of many large bodies at once some are asked to come again, and all come through', async () => {
    await using t = await testApp()
    await t.template({ id: 'hi' })
    const attachments = [
      { filename: 'a.txt', contentType: 'text/plain', data: Buffer.alloc(9_000_000, 'a').toString('base64') },
    ]
    const body = JSON.stringify({ email: 'a@b.test', templateId: 'hi', attachments })
    const send = () => t.request('POST', '/v1/transactional/send', body)
    const first = await Promise.all(Array.from({ length: 12 }, send))
    const refused = first.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(12)
    for (const { status, headers, body: problem } of refused) {
      expect([status, problem.code, headers.get('retry-after')]).toEqual([503, 'overloaded', '1'])
    }
    for (const _ of refused) expect((await send()).status).toBe(200)
    const { pagination }: Json = await t.get('/v1/activity', 200)
    expect(pagination.totalResults).toBe(12)
  })
})
