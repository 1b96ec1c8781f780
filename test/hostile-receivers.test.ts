// What a receiver of webhooks answers may be anything, and there may be many deliveries at once: neither holds the event loop.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { linesOf, until } from '../tools/process.ts'
import { session, type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { flood, hostileSink, type Script } from './support/hostile-sink.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'
import { sinkEnvironment } from './support/webhook-sink.ts'

let t: TestApp

beforeAll(async () => {
  t = await testApp({
    environment: sinkEnvironment,
    dialing: { connectMs: 1_000, totalMs: 1_500 },
  })
})
afterAll(() => t[Symbol.asyncDispose]())

async function endpoint(url: string): Promise<string> {
  const { id } = await t.endpoint({ url, status: 'active', maxPerSecond: null })
  await t.post(`/v1/webhook-endpoints/${id}/signing-secret`, undefined, 200, session)
  return id
}

const remove = (id: string) => t.delete(`/v1/webhook-endpoints/${id}`, undefined, 200, session)

const ok = 'HTTP/1.1 200 OK\r\n'
const block = Buffer.alloc(64 * 1024, 'x')
const spaces = ' '.repeat(15_000)

/** Every byte a packet of its own, as far as the machine can. */
const slowly =
  (text: string, everyMs = 0): Script =>
  (socket) => {
    let at = 0
    socket.data.timer = setInterval(() => at < text.length && socket.write(text[at++] ?? ''), everyMs)
  }

describe('S17: no answer of a receiver holds the loop', () => {
  const answers: [string, Script][] = [
    [
      '100 MB with their length',
      (socket) => {
        socket.write(`${ok}Content-Length: 100000000\r\n\r\n`)
        flood(socket, block)
      },
    ],
    [
      'chunks without end',
      (socket) => {
        socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n`)
        flood(socket, '1\r\nx\r\n'.repeat(10_000))
      },
    ],
    [
      'the size of a chunk without end',
      (socket) => void socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n${'0'.repeat(100_000)}`),
    ],
    ['headers without end', (socket) => flood(socket, `${ok}${'X-A: b\r\n'.repeat(1_000)}`)],
    ['one header without end', (socket) => flood(socket, `${ok}X-A: ${'b'.repeat(60_000)}`)],
    ['3,000 headers', (socket) => void socket.end(`${ok}${'a:\r\n'.repeat(3_000)}\r\n`)],
    ['a header of spaces with a word at each end', (socket) => void socket.end(`${ok}X-A: b${spaces}b\r\n\r\n`)],
    [
      'five heads of spaces',
      (socket) =>
        void socket.end(`HTTP/1.1 103 Early\r\nX-A: b${spaces}b\r\n\r\n`.repeat(4) + `${ok}X-A: b${spaces}b\r\n\r\n`),
    ],
    ['a header of spaces and a control character', (socket) => void socket.end(`${ok}X-A:${spaces}\0\r\n\r\n`)],
    ['a wait of spaces', (socket) => void socket.end(`HTTP/1.1 429 no\r\nRetry-After: 1${spaces}1\r\n\r\n`)],
    ['a wait of digits', (socket) => void socket.end(`HTTP/1.1 429 no\r\nRetry-After: ${'1'.repeat(15_000)}\r\n\r\n`)],
    ['a long way to go', (socket) => void socket.end(`HTTP/1.1 302 no\r\nLocation: ${'/'.repeat(15_000)}\r\n\r\n`)],
    ['a head that comes byte by byte', slowly(`${ok}X-A: ${'b'.repeat(300)}\r\n\r\n`)],
    ['a body that comes byte by byte', slowly(`${ok}Content-Length: 500\r\n\r\n${'b'.repeat(500)}`)],
    ['chunks that come byte by byte', slowly(`${ok}Transfer-Encoding: chunked\r\n\r\n${'1\r\nb\r\n'.repeat(300)}`)],
    ['10 MB before the request is read', (socket) => flood(socket, block)],
  ]
  for (const [name, script] of answers)
    test(name, async () => {
      await using sink = hostileSink(script)
      const id = await endpoint(sink.url)
      const { blockMs, result } = await longestBlock(`a receiver that answers with ${name}`, () =>
        t.post(`/v1/webhook-endpoints/${id}/send-test`, undefined, 200, session),
      )
      expect(result.webhookId).toStartWith('wh_')
      expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
      await remove(id)
    })
})

describe('many deliveries hold the loop no longer than one', () => {
  test.skipIf(remoteDatabase)('300 of the largest payloads, each signed with two secrets', async () => {
    const file = join(import.meta.dir, 'support/webhook-sink-process.ts')
    const sink = Bun.spawn(['bun', file], { stdout: 'pipe' })
    const port = (await until(linesOf(sink.stdout), /listening on (\d+)/))[1]
    const ids = await Promise.all(Array.from({ length: 10 }, (_, n) => endpoint(`http://127.0.0.1:${port}/${n}`)))
    for (const id of ids) await t.post(`/v1/webhook-endpoints/${id}/signing-secret`, undefined, 200, session)
    let person = 0
    const accept = async () => {
      await t.settle()
      const events = Array.from({ length: 30 }, () => ({
        eventName: 'bought',
        email: `a${++person}@example.net`,
        eventProperties: {
          text: 'é'.repeat(1_900),
          more: Array.from({ length: 40 }, (_, n) => `${n}${'x'.repeat(300)}`),
        },
      }))
      await Promise.all(events.map((event) => t.post('/v1/events/send', event, 200)))
    }
    const { blockMs } = await longestBlock('300 deliveries of 17 KB', () => t.settle(), accept)
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
    for (const id of ids) {
      const { data } = await t.get(`/v1/webhook-endpoints/${id}/deliveries?perPage=100`, 200, session)
      expect(data.length).toBeGreaterThanOrEqual(30)
      expect(new Set(data.map((one: { state: string }) => one.state))).toEqual(new Set(['delivered']))
      await remove(id)
    }
    sink.kill()
    await sink.exited
  })

  const afterwards: [string, string][] = [
    ['digits', `HTTP/1.1 429 no\r\nRetry-After: ${'1'.repeat(15_000)}\r\n\r\n`],
    ['a date without end', `HTTP/1.1 429 no\r\nRetry-After: Mon, ${'1'.repeat(15_000)} GMT\r\n\r\n`],
    ['parentheses', `HTTP/1.1 503 no\r\nRetry-After: ${'('.repeat(15_000)}\r\n\r\n`],
  ]
  for (const [name, answer] of afterwards)
    test(`300 receivers that ask to wait for ${name}`, async () => {
      await using sink = hostileSink((socket) => void socket.end(answer))
      const ids = await Promise.all(Array.from({ length: 10 }, (_, n) => endpoint(`${sink.url}${n}`)))
      const accept = async () => {
        const events = Array.from({ length: 30 }, () => ({ eventName: 'bought', email: 'ada@example.net' }))
        await Promise.all(events.map((event) => t.post('/v1/events/send', event, 200)))
      }
      const { blockMs } = await longestBlock(`answers that ask to wait for ${name}`, () => t.settle(), accept)
      expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
      for (const id of ids) await remove(id)
    })
})
