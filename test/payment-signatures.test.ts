// The callback of payments as the provider's own SDK signs it, and what an attacker may try (G05-G13).

import { describe, expect, test } from 'bun:test'
import Stripe from 'stripe'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { paymentObjects } from './support/payment-objects.ts'
import { connect, deliver, providerEvent, secret, signature } from './support/payment-provider.ts'
import { settings, stranger, supported } from './support/payment-workspaces.ts'

const ada = (t: TestApp, more: object = {}): Promise<Json> =>
  t.post('/v1/events/send', { eventName: 'signup', email: 'ada@example.net', userId: 'user-1', ...more }, 200)

describe('the signature', () => {
  test('of the provider’s SDK is right for each of the 19 types, and ours for the SDK', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    const stripe = new Stripe('sk_test_nothing')
    expect(Object.keys(paymentObjects).sort()).toEqual([...supported].sort())
    const timestamp = Math.floor(t.clock.now().getTime() / 1_000)
    for (const [type, object] of Object.entries(paymentObjects)) {
      const payload = JSON.stringify(providerEvent(type, object), null, 2)
      const header = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp })
      const headers = { 'payments-signature': header }
      const reply = await t.request('POST', path, payload, { as: 'nobody', headers })
      expect([reply.status, reply.body.status], `${type}: ${reply.text}`).toEqual([200, 'processed'])
      const ours = signature(t, payload)
      const read = await stripe.webhooks.constructEventAsync(
        payload,
        ours,
        secret,
        300,
        undefined,
        t.clock.now().getTime(),
      )
      expect(read.id).toBe(JSON.parse(payload).id)
    }
  })

  test('agrees with the SDK on what is wrong, except for a time in the future, which we refuse', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    const stripe = new Stripe('sk_test_nothing')
    const now = Math.floor(t.clock.now().getTime() / 1_000)
    const v1 = (body: string, at = now, key = secret) => signature(t, body, { at, key }).split('v1=')[1] ?? ''
    const cases: [what: string, header: (body: string) => string, status: number, future?: 'ours alone'][] = [
      ['right', (body) => `t=${now},v1=${v1(body)}`, 200],
      ['299 s old', (body) => signature(t, body, { at: now - 299 }), 200],
      ['300 s old', (body) => signature(t, body, { at: now - 300 }), 200],
      ['301 s old', (body) => signature(t, body, { at: now - 301 }), 400],
      ['300 s ahead', (body) => signature(t, body, { at: now + 300 }), 200],
      ['301 s ahead', (body) => signature(t, body, { at: now + 301 }), 400, 'ours alone'],
      ['a year ahead', (body) => signature(t, body, { at: now + 31_536_000 }), 400, 'ours alone'],
      ['several, one right', (body) => `t=${now},v1=${'0'.repeat(64)},v1=${v1(body)}`, 200],
      ['beside another scheme', (body) => `t=${now},v0=abc,v1=${v1(body)}`, 200],
      ['another secret', (body) => signature(t, body, { key: 'whsec_another' }), 400],
      ['another body', (body) => signature(t, `${body} `), 400],
      ['another time than was signed', (body) => `t=${now + 1},v1=${v1(body)}`, 400],
      ['v0 only', (body) => `t=${now},v0=${v1(body)}`, 400],
      ['no time', (body) => `v1=${v1(body)}`, 400],
      ['no signature', () => `t=${now}`, 400],
      ['a time that is none', (body) => `t=abc,v1=${v1(body)}`, 400],
      ['a negative time', (body) => `t=-1,v1=${v1(body)}`, 400],
      ['base64', (body) => `t=${now},v1=${Buffer.from(v1(body), 'hex').toString('base64')}`, 400],
      ['upper case', (body) => `t=${now},v1=${v1(body).toUpperCase()}`, 400],
      ['cut short', (body) => `t=${now},v1=${v1(body).slice(0, 63)}`, 400],
      ['nonsense', () => 'nonsense', 400],
    ]
    for (const [what, header, status, future] of cases) {
      const body = JSON.stringify(providerEvent('customer.updated', paymentObjects['customer.updated']))
      const headers = { 'payments-signature': header(body) }
      const ask = () => t.request('POST', path, body, { as: 'nobody', headers })
      const reply = status === 200 ? await ask() : await t.unchanged(ask)
      expect([reply.status, reply.body.code], what).toEqual([status, status === 200 ? undefined : 'signature_invalid'])
      const theirs = await stripe.webhooks
        .constructEventAsync(body, header(body), secret, 300, undefined, t.clock.now().getTime())
        .then(
          () => 200,
          () => 400,
        )
      expect(theirs, `${what}, by the SDK`).toBe(future ? 200 : status)
    }
  })

  const malformed: [what: string, header: string | undefined, code: string][] = [
    ['is missing', undefined, 'signature_missing'],
    ['is empty', '', 'signature_missing'],
    ['stands twice', 't=1,v1=a, t=2,v1=b', 'signature_invalid'],
    ['has a time like 1e99', 't=1e99,v1=ab', 'signature_invalid'],
    ['has 100 signatures', `t=1${`,v1=${'a'.repeat(64)}`.repeat(100)}`, 'signature_invalid'],
  ]
  for (const [what, header, code] of malformed) {
    test(`that ${what} is 400 ${code}, whatever the address`, async () => {
      await using t = await testApp()
      const path = await connect(t)
      const body = JSON.stringify(providerEvent('customer.created', {}))
      for (const at of [path, '/v1/integrations/payments/webhook/int_unknown']) {
        const headers: Record<string, string> = header === undefined ? {} : { 'payments-signature': header }
        const reply = await t.unchanged(() => t.request('POST', at, body, { as: 'nobody', headers }))
        expect([reply.status, reply.body.code], at).toEqual([400, code])
      }
    })
  }

  test('is of the raw bytes: the same JSON written otherwise is 400', async () => {
    await using t = await testApp()
    const path = await connect(t)
    const event = providerEvent('customer.created', { id: 'cus_1' })
    const headers = { 'payments-signature': signature(t, JSON.stringify(event)) }
    const reply = await t.unchanged(() =>
      t.request('POST', path, JSON.stringify(event, null, 1), { as: 'nobody', headers }),
    )
    expect([reply.status, reply.body.code]).toEqual([400, 'signature_invalid'])
  })

  test('leads nowhere at an unknown address, a disabled one, or with the secret of another workspace', async () => {
    await using t = await testApp()
    const path = await connect(t)
    const other = await stranger(t)
    const event = providerEvent('customer.created', { id: 'cus_1' })
    const unknown = await t.unchanged(() =>
      deliver(t, '/v1/integrations/payments/webhook/int_000000000000000000000000', event),
    )
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
    const foreign = await t.unchanged(() => deliver(t, other.path, event))
    expect([foreign.status, foreign.body.code]).toEqual([400, 'signature_invalid'])
    await t.patch(settings, { enabled: false }, 200, session)
    const disabled = await t.unchanged(() => deliver(t, path, event))
    const same = ({ requestId: _, instance: __, ...rest }: Json) => rest
    expect(same(disabled.body)).toEqual(same(unknown.body))
    await t.patch(settings, { signing_secret: null }, 200, session)
    expect(same((await t.unchanged(() => deliver(t, path, event))).body)).toEqual(same(unknown.body))
  })

  test('is not looked at over 1 MB', async () => {
    await using t = await testApp()
    const path = await connect(t)
    const event = providerEvent('customer.created', { id: 'cus_1', filler: 'x'.repeat(1024 * 1024) })
    expect((await t.unchanged(() => deliver(t, path, event))).status).toBe(413)
    const chunks = async function* () {
      for (let i = 0; i < 20; i++) yield new Uint8Array(100_000).fill(32)
    }
    const headers = { 'payments-signature': signature(t, 'x') }
    const reply = await fetch(t.url + path, { method: 'POST', headers, body: chunks() as never })
    expect(reply.status).toBe(413)
    const just = providerEvent('customer.created', { id: 'cus_1', filler: 'x'.repeat(1024 * 1024 - 1_000) })
    expect((await deliver(t, path, just)).status).toBe(200)
  })

  test('of what is no event is 400, and nothing is archived', async () => {
    await using t = await testApp()
    const path = await connect(t)
    for (const body of ['', '{', '[]', '{}', '{"id":5,"type":"a"}', '{"id":"","type":"a"}', '"text"']) {
      const headers = { 'payments-signature': signature(t, body) }
      const reply = await t.unchanged(() => t.request('POST', path, body, { as: 'nobody', headers }))
      expect([reply.status, reply.body.code], body).toEqual([400, 'invalid_json'])
    }
  })
})
