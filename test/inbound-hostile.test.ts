// Mail that is built to hold the reader of it: whatever comes, by SMTP or by HTTP, the loop goes on and the neighbours are served.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { listenForMail } from '../src/features/mailboxes/listen.ts'
import { messageAddress } from '../src/features/sending/activity/message-address.ts'
import { newId } from '../src/kit/id.ts'
import type { SmtpListener } from '../src/mail/smtp-listener.ts'
import { session, type TestApp, testApp } from './support/app.ts'
import { eventually } from './support/eventually.ts'
import { type HostileMail, hostileMail } from './support/hostile-mail.ts'
import { longestBlock, loopMs, maxBlockMs, monitorLoop } from './support/loop-monitor.ts'
import { rawMail, type TestMailbox, testMailbox } from './support/mailbox.ts'
import { type McpClient, mcpClient } from './support/mcp.ts'
import { smtpClient } from './support/smtp-client.ts'

const refusal = /^554 5\.6\.0 (the header|a header field|a line) has more than \d+ (bytes|lines|fields)/
const address = 'desk@in.example.net'
const mails = [...hostileMail()]

let t: TestApp
let mailbox: TestMailbox
let listener: SmtpListener
let tools: McpClient
let inbound: string

beforeAll(async () => {
  t = await testApp({ environment: { INBOUND_DOMAIN: 'in.example.net' } })
  mailbox = await testMailbox(t, { address })
  listener = await listenForMail(t.app, { port: 0, host: '127.0.0.1' })
  tools = await mcpClient('2025 (Streamable HTTP)', `${t.url}/mailbox/mcp`, mailbox.token)
  const made = await t.post(`/v1/mailboxes/${mailbox.id}/inbound-address`, undefined, 200, session)
  inbound = new URL(made.inboundUrl).pathname
  await deliver(Buffer.from(rawMail({ to: address })))
})

afterAll(async () => {
  await tools[Symbol.asyncDispose]()
  await listener.close()
  await t[Symbol.asyncDispose]()
})

/** What the listener says to it. Written piece by piece: the sender's work is not ours. */
async function deliver(raw: Buffer, recipient = address): Promise<string> {
  using c = await smtpClient(listener.port)
  await c.toData(recipient)
  const pieceBytes = 128 * 1024
  for (let at = 0; at < raw.length; at += pieceBytes) {
    c.write(raw.subarray(at, at + pieceBytes))
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  c.write('\r\n.\r\n')
  return await c.reply()
}

/** Reads it piece by piece: to make one text of 18 MB is the reader's work. */
async function drain(path: string): Promise<void> {
  const { body } = await fetch(t.url + path, { headers: { cookie: t.sessionCookie, origin: t.url } })
  for await (const _ of body ?? []);
}

describe('the monitor', () => {
  const holds: [string, () => void][] = [
    [
      'work',
      () => {
        for (const until = loopMs() + 80; loopMs() < until; );
      },
    ],
    ['waiting', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80)],
  ]
  test.each(holds)('sees a loop that is held by %s', async (_, hold) => {
    // Not before the work of earlier tests, and of the collector behind them, leaves it alone.
    await eventually(async () => {
      using earlier = monitorLoop()
      await new Promise<void>((resolve) => setImmediate(resolve))
      return earlier.longestMs()
    }).toBeLessThan(40)
    using monitor = monitorLoop()
    hold()
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect(monitor.longestMs()).toBeGreaterThan(75)
  })
})

describe('no mail holds the loop', () => {
  for (const { name, raw, code } of mails) {
    const size = `${(raw.length / 1024).toFixed(0)} KB`
    test(`${name}, ${size}`, async () => {
      const { blockMs, result } = await longestBlock(`${name} (${size}), by SMTP`, () => deliver(raw))
      expect(result).toStartWith(code)
      expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
      if (code === '554') expect(result).toMatch(refusal)
      else await readEverywhere(name, result.split(' ').at(-1) ?? '')
    })
  }

  async function readEverywhere(name: string, id: string) {
    const path = `/v1/mailboxes/${mailbox.id}/messages`
    const read = await longestBlock(`${name}, read`, async () => {
      await t.get(path, 200, session)
      await t.get(`${path}/${id}`, 200, session)
      await drain(`${path}/${id}/attachments/1`)
      return tools.callTool({ name: 'read_inbox', arguments: { messageId: id } })
    })
    expect(read.result.isError).toBeFalsy()
    expect(read.blockMs).toBeLessThanOrEqual(maxBlockMs)
  }
})

/** Whichever way it came, what is in it is read by the same code: of those with a large body each other way has the worst. */
const worst = [
  '2 MB of base64 that is none',
  'a boundary of 60 KB',
  'ISO-2022-JP that shifts for ever',
  'HTML: entities',
]
const everyWay = mails
  .filter(({ name, raw, code }) => raw.length < (code === '554' ? 3_000_000 : 800_000) || worst.includes(name))
  .map((mail): [string, HostileMail] => [mail.name, mail])

describe('nor does it by other ways in', () => {
  test.each(everyWay)('by HTTP: %s', async (name, { raw, code }) => {
    const options = { as: 'nobody', headers: { 'content-type': 'message/rfc822' } } as const
    const { blockMs, result } = await longestBlock(`${name}, by HTTP`, () => t.request('POST', inbound, raw, options))
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
    if (code === '250') expect(result.status).toBe(200)
    else
      expect(result.body).toMatchObject({
        status: 422,
        code: 'validation_failed',
        detail: expect.stringMatching(/more than \d+/),
      })
  })

  test.each([
    ['a mail of 25 MB', { From: 'eve@example.net', TextBody: 'x\n'.repeat(8_000_000) }, 200],
    [
      'an attachment of 18 MB',
      { From: 'eve@example.net', Attachments: [{ Name: 'a', Content: 'QUJD'.repeat(6_000_000), ContentType: 'a/b' }] },
      200,
    ],
    ['30,000 headers', { From: 'eve@example.net', Headers: Array(30_000).fill({ Name: 'X', Value: 'a' }) }, 422],
    // More JSON values than there may be.
    ['100,000 headers', { From: 'eve@example.net', Headers: Array(100_000).fill({ Name: 'X', Value: 'a' }) }, 400],
    [
      '900 headers of 1 KB',
      { From: 'eve@example.net', Headers: Array(900).fill({ Name: 'X', Value: 'a '.repeat(500) }) },
      422,
    ],
    ['4 MB of open brackets', `[`.repeat(4_000_000), 400],
  ] as const)('as the JSON of Postmark: %s', async (name, body, status) => {
    const text = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const options = { as: 'nobody', headers: { 'content-type': 'application/json' } } as const
    const { blockMs, result } = await longestBlock(`${name}, as JSON`, () => t.request('POST', inbound, text, options))
    expect(result.status).toBe(status)
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  })

  test.each(everyWay)('to the address of a bounce: %s', async (name, { raw }) => {
    const bounce = messageAddress(t.app, 'bounce', newId(t.app, 'msg', t.clock.now())) ?? ''
    const { blockMs, result } = await longestBlock(`${name}, as a bounce`, () => deliver(raw, bounce))
    expect(result).toStartWith('250')
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  })

  const reports: [string, string][] = [
    ['100,000 parts', `Content-Type: multipart/report; boundary=x\r\n\r\n${'--x\r\n'.repeat(100_000)}`],
    ['500,000 groups of fields', report(`\r\n${'a: b\r\n\r\n'.repeat(100_000)}`)],
    ['a status of 900 KB', report(`Action: failed\r\nStatus: ${'5.'.repeat(450_000)}`)],
    [
      'a diagnosis folded 200,000 times',
      report(`Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp;${'\r\n a'.repeat(200_000)}`),
    ],
  ]
  test.each(reports)('a report: %s', async (name, text) => {
    const bounce = messageAddress(t.app, 'bounce', newId(t.app, 'msg', t.clock.now())) ?? ''
    const { blockMs, result } = await longestBlock(`a report: ${name}`, () => deliver(Buffer.from(text), bounce))
    expect(result).toStartWith('250')
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  })
})

function report(fields: string): string {
  return `Content-Type: multipart/report; boundary=x\r\n\r\n--x\r\nContent-Type: message/delivery-status\r\n\r\n${fields}\r\n--x--\r\n`
}

describe('work that never ends', () => {
  test('is given up; the mail is kept, shown by its head, and the next one is read as ever', async () => {
    // So little that a mail which takes a moment counts as one that takes for ever.
    await using strict = await testApp({
      environment: { INBOUND_DOMAIN: 'in.example.net' },
      mailReading: { stallMs: 150 },
    })
    const desk = await testMailbox(strict, { address })
    const slow = `Subject: slow\r\n${rawMail().replace('text/plain', 'text/html')}${'<div>&amp; \r\n'.repeat(900_000)}`
    const id = await desk.receive(slow)
    const path = `/v1/mailboxes/${desk.id}/messages`
    expect(await strict.get(`${path}/${id}`, 200, session)).toMatchObject({
      subject: 'slow',
      isComplete: false,
      sizeBytes: slow.length,
    })
  })
})
