// What providers report and the payment provider calls back with may be anything, rightly signed or not: it never holds the event loop.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { type TestApp, testApp } from './support/app.ts'
import { certificateFor } from './support/certificate.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'
import { connect, providerEvent, signature } from './support/payment-provider.ts'

const topicArn = 'arn:aws:sns:eu-west-1:123456789012:bounces'
const sns = certificateFor('sns.amazonaws.com')
const sendgrid = generateKeyPairSync('ec', { namedCurve: 'P-256' })

let t: TestApp
const paths = new Map<string, string>()

beforeAll(async () => {
  t = await testApp()
  const hooks = [
    { provider: 'mailgun', verifyWith: 'key-1' },
    { provider: 'ses', verifyWith: sns.cert, topicArn },
    { provider: 'postmark' },
    {
      provider: 'sendgrid',
      verifyWith: sendgrid.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    },
  ]
  for (const hook of hooks) {
    const { url } = await t.put('/v1/provider-hooks', hook, 200, { as: 'session' })
    paths.set(hook.provider, new URL(url).pathname)
  }
  paths.set('payments', await connect(t))
})
afterAll(() => t[Symbol.asyncDispose]())

const now = () => Math.floor(t.clock.now().getTime() / 1_000)

type Signing = (body: string) => Record<string, string>
const unsigned: Signing = () => ({})
const bySendgrid: Signing = (body) => ({
  'x-twilio-email-event-webhook-timestamp': String(now()),
  'x-twilio-email-event-webhook-signature': createSign('sha256')
    .update(now() + body)
    .sign(sendgrid.privateKey, 'base64'),
})
const byPayments: Signing = (body) => ({ 'payments-signature': signature(t, body) })

/** Posts `body`, and expects that nobody waited for it. */
async function quick(name: string, to: string, body: string, signing: Signing = unsigned): Promise<number> {
  const headers = signing(body)
  const options = { as: 'nobody', headers } as const
  const { blockMs, result } = await longestBlock(`${name}, ${to}`, () =>
    t.request('POST', paths.get(to) ?? '', body, options),
  )
  expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  return result.status
}

const mega = 1_000_000
const filled = (text: string, length: number) => text.repeat(Math.floor(length / text.length))
const anId = (n: number) => `msg_${String(n).padStart(32, '0')}`

const bodies: [string, string][] = [
  ['nesting without end', filled('[', mega)],
  ['objects in objects', `${filled('{"a":', mega)}1`],
  ['a string of 1 MB', JSON.stringify(filled('x', mega))],
  ['a string of quotes', JSON.stringify(filled('"', mega / 2))],
  ['a string of backslashes', `"${filled('\\\\', mega)}"`],
  ['a string that has no end', `{"a":"${filled('\\"', mega)}`],
  ['100,000 numbers', JSON.stringify(Array.from({ length: 100_000 }, (_, n) => n))],
  ['300,000 empty objects', `[${filled('{},', 900_000)}{}]`],
  ['300,000 empty lists', `[${filled('[],', 900_000)}[]]`],
  ['40,000 names', JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`k${n}`, 1])))],
  ['a number of 1 MB', `{"a":${filled('1', mega)}}`],
  ['1 MB of zero bytes', filled('\0', mega)],
]

describe('bodies of any kind, signed and not', () => {
  test.each(bodies)('%s', async (name, body) => {
    for (const provider of ['mailgun', 'ses', 'postmark', 'sendgrid'])
      expect(await quick(name, provider, body)).toBe(200)
    expect(await quick(`${name}, signed`, 'sendgrid', body, bySendgrid)).toBe(200)
    expect(await quick(name, 'payments', body)).toBe(400)
    expect(await quick(`${name}, signed`, 'payments', body, byPayments)).toBe(400)
  })
})

/** Rightly signed, whatever `fields` says. */
function fromMailgun(fields: object, token: string): string {
  const timestamp = String(now())
  const signed = createHmac('sha256', 'key-1')
    .update(timestamp + token)
    .digest('hex')
  return JSON.stringify({ signature: { timestamp, token, signature: signed }, 'event-data': fields })
}

function fromSns(message: unknown, subject = ''): string {
  const fields = {
    Message: typeof message === 'string' ? message : JSON.stringify(message),
    MessageId: 'a',
    Subject: subject,
    Timestamp: t.clock.now().toISOString(),
    TopicArn: topicArn,
    Type: 'Notification',
  }
  const signed = Object.entries(fields).flatMap(([name, value]) => (value ? [`${name}\n${value}\n`] : []))
  const Signature = createSign('sha256').update(signed.join('')).sign(sns.key, 'base64')
  return JSON.stringify({ ...fields, Signature, SignatureVersion: '2' })
}

describe('reports of the right form, rightly signed', () => {
  const failed = (headers: object) => ({
    event: 'failed',
    severity: 'permanent',
    reason: 'bounce',
    message: { headers },
  })
  const bounce = (mail: object) => ({ notificationType: 'Bounce', bounce: { bounceType: 'Permanent' }, mail })
  const delivered = (more: object) => JSON.stringify({ RecordType: 'Delivery', ...more })

  const reports: [string, string, () => string, Signing?][] = [
    ['a token of 900 KB', 'mailgun', () => fromMailgun(failed({}), filled('t', 900_000))],
    ['a Message-ID of 900 KB', 'mailgun', () => fromMailgun(failed({ 'message-id': filled('msg_0', 900_000) }), 'a')],
    ['20,000 ids in one', 'mailgun', () => fromMailgun(failed({ 'message-id': filled(`${anId(1)} `, 900_000) }), 'b')],
    ['a Message-ID of 900 KB', 'postmark', () => delivered({ MessageID: filled('msg_', 900_000) })],
    ['a detail of 900 KB', 'postmark', () => delivered({ MessageID: anId(1), Details: filled('d', 900_000) })],
    ['nesting without end', 'ses', () => fromSns(filled('[', 900_000))],
    [
      '300,000 headers',
      'ses',
      () => fromSns(`{"notificationType":"Bounce","mail":{"headers":[${filled('{},', 900_000)}{}]}}`),
    ],
    [
      '15,000 Message-IDs',
      'ses',
      () =>
        fromSns(bounce({ headers: Array.from({ length: 8_000 }, (_, n) => ({ name: 'Message-ID', value: anId(n) })) })),
    ],
    [
      '25,000 recipients',
      'ses',
      () =>
        fromSns({
          ...bounce({
            commonHeaders: { messageId: anId(1), to: Array.from({ length: 25_000 }, (_, n) => `a${n}@example.net`) },
          }),
        }),
    ],
    ['a subject of 900 KB', 'ses', () => fromSns(bounce({}), filled('s', 900_000))],
    [
      '12,000 bounces of nobody',
      'sendgrid',
      () => JSON.stringify(Array.from({ length: 12_000 }, (_, n) => ({ event: 'bounce', 'smtp-id': anId(n) }))),
      bySendgrid,
    ],
    ['80,000 openings', 'sendgrid', () => `[${filled('{"event":""},', mega - 20)}{}]`, bySendgrid],
  ]
  for (const [name, provider, body, signing] of reports)
    test(`${name}, from ${provider}`, async () => {
      expect(await quick(name, provider, body(), signing)).toBe(200)
    })
})

describe('payment events of the right form, rightly signed', () => {
  const lines = (length: number) => ({ data: Array.from({ length }, (_, n) => ({ id: `il_${n}`, amount: n })) })
  const objects: [string, string, () => object][] = [
    ['an address of 900 KB', 'customer.created', () => ({ id: 'cus_1', email: `${filled('a', 900_000)}@example.net` })],
    ['an address of dots', 'customer.created', () => ({ id: 'cus_2', email: `${filled('a.', 900_000)}@example.net` })],
    [
      'a name of 900 KB of spaces',
      'customer.created',
      () => ({ id: 'cus_3', email: 'a@example.net', name: `a${filled(' ', 900_000)}b` }),
    ],
    [
      'a name of 400,000 words',
      'customer.created',
      () => ({ id: 'cus_4', email: 'b@example.net', name: filled('a ', 900_000) }),
    ],
    [
      'a locale of 900 KB',
      'customer.created',
      () => ({ id: 'cus_5', email: 'c@example.net', preferred_locales: [filled('a-', 900_000)] }),
    ],
    [
      'metadata of 50,000 names',
      'customer.created',
      () => ({
        id: 'cus_6',
        email: 'd@example.net',
        metadata: Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n])),
      }),
    ],
    [
      'a userId of 900 KB',
      'checkout.session.completed',
      () => ({ id: 'cs_1', client_reference_id: filled('u', 900_000) }),
    ],
    ['25,000 lines', 'invoice.paid', () => ({ id: 'in_1', customer_email: 'e@example.net', lines: lines(25_000) })],
    [
      'a customer of 900 KB',
      'invoice.paid',
      () => ({ id: 'in_2', customer: filled('c', 900_000), customer_email: 'f@example.net' }),
    ],
    [
      'a status of 900 KB',
      'charge.dispute.created',
      () => ({ id: 'dp_1', status: filled('s', 900_000), charge: { receipt_email: 'g@example.net' } }),
    ],
  ]
  test.each(objects)('%s', async (name, type, object) => {
    const event = providerEvent(type, object())
    expect(await quick(name, 'payments', JSON.stringify(event), byPayments)).toBe(200)
    const again = JSON.stringify({ ...event, pending_webhooks: 7 })
    expect(await quick(`${name}, again`, 'payments', again, byPayments)).toBe(200)
  })
})

test('a call of ours with 40,000 names', async () => {
  const eventProperties = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`k${n}`, 1]))
  const body = { eventName: 'signup', email: 'h@example.net', eventProperties }
  const { blockMs, result } = await longestBlock('a call with 40,000 names', () =>
    t.request('POST', '/v1/events/send', body),
  )
  expect(result.status).toBe(422)
  expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
})
