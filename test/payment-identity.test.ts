// Who a payment event is about, under which header it may come, and what a signed body may not be.

import { describe, expect, test } from 'bun:test'
import Stripe from 'stripe'
import { events } from '../db/tables/events.ts'
import { paymentEvents } from '../db/tables/payments.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { connect, deliver, providerEvent, secret, signature } from './support/payment-provider.ts'

/** Two people: one known by address, one by our own id. */
async function people(t: TestApp): Promise<{ ada: string; bob: string }> {
  const make = async (contact: object) => (await t.post('/v1/contacts/create', contact, 200)).id as string
  return {
    ada: await make({ email: 'ada@example.net' }),
    bob: await make({ email: 'bob@example.net', userId: 'user-bob' }),
  }
}

const told = async (t: TestApp) => (await t.app.db.select().from(events)).map(({ contactId }) => contactId)

describe('the header', () => {
  test('K2: of Stripe’s own name is taken, as Stripe’s package makes it', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await people(t)
    const stripe = new Stripe('sk_test_nothing')
    const payload = JSON.stringify(providerEvent('customer.created', { id: 'cus_1', email: 'ada@example.net' }))
    const timestamp = Math.floor(t.clock.now().getTime() / 1_000)
    const header = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp })
    const send = (headers: Record<string, string>) => t.request('POST', path, payload, { as: 'nobody', headers })
    const wrong = header.replace(/v1=./, 'v1=x')
    const refused: [headers: Record<string, string>, code: string][] = [
      [{}, 'signature_missing'],
      [{ 'stripe-signature': '' }, 'signature_missing'],
      [{ 'stripe-signature': wrong }, 'signature_invalid'],
      [{ 'stripe-signature': header, 'payments-signature': wrong }, 'signature_invalid'],
      [{ 'stripe-signature': wrong, 'payments-signature': header }, 'signature_invalid'],
    ]
    for (const [headers, code] of refused) {
      const reply = await t.unchanged(() => send(headers))
      expect([reply.status, reply.body.code], JSON.stringify(headers)).toEqual([400, code])
    }
    const taken = await send({ 'stripe-signature': header })
    expect([taken.status, taken.body.status]).toEqual([200, 'processed'])
    const again = await send({ 'stripe-signature': header, 'payments-signature': header })
    expect(again.body.status).toBe('duplicate')
  })
})

describe('a signed body', () => {
  test('X16: nested too deeply is refused, at first and again, and never a 500', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await people(t)
    const post = (body: string) =>
      t.request('POST', path, body, { as: 'nobody', headers: { 'payments-signature': signature(t, body) } })
    const nested = (depth: number, id: string) =>
      `{"id":"${id}","type":"customer.created","data":{"object":{"id":"cus_1","email":"ada@example.net","a":${'['.repeat(depth)}${']'.repeat(depth)}}}}`
    for (const depth of [100, 10_000, 200_000]) {
      for (let count = 0; count < 2; count++) {
        const reply = await t.unchanged(() => post(nested(depth, 'evt_deep')))
        expect([reply.status, reply.body.code], String(depth)).toEqual([400, 'invalid_json'])
      }
    }
    expect((await post(nested(60, 'evt_flat'))).body.status).toBe('processed')
    expect((await post(nested(60, 'evt_flat'))).body.status).toBe('duplicate')
    const brackets = `{"id":"evt_text","type":"customer.created","data":{"object":{"id":"cus_2","email":"ada@example.net","a":"${'[{'.repeat(500)}\\""}}}`
    expect((await post(brackets)).body.status).toBe('processed')
  })
})

describe('who it is about', () => {
  /** Of one type each, in forms in which it does not usually carry them: the order is the same for all. */
  const types = [
    'invoice.paid',
    'quote.accepted',
    'customer.subscription.created',
    'charge.dispute.created',
    'checkout.session.completed',
    'customer.updated',
  ]
  const address = 'ada@example.net'
  const forms: [what: string, object: Json][] = [
    ['customer_details.email', { customer_details: { email: address } }],
    ['customer_email', { customer_email: address }],
    ['receipt_email', { receipt_email: address }],
    ['billing_details.email', { billing_details: { email: address } }],
    ['email', { email: address }],
    ['an address in other letters', { customer_email: 'Ada@Example.NET' }],
  ]

  test('P17: every type is asked for every address of the choice', async () => {
    await using t = await testApp()
    const { ada } = await people(t)
    const path = await connect(t)
    for (const type of types) {
      for (const [what, object] of forms) {
        const reply = await deliver(t, path, providerEvent(type, { id: `x_${type}_${what}`, ...object }))
        expect(reply.body.status, `${type} by ${what}`).toBe('processed')
      }
    }
    expect(new Set(await told(t))).toEqual(new Set([ada]))
    expect(await t.app.db.select().from(paymentEvents)).toHaveLength(types.length * forms.length)
  })

  test('P17: our own id counts before any address, and metadata before client_reference_id, in every type', async () => {
    await using t = await testApp()
    const { bob } = await people(t)
    const path = await connect(t)
    for (const type of types) {
      for (const own of [
        { metadata: { userId: 'user-bob' }, client_reference_id: 'nobody' },
        { client_reference_id: 'user-bob' },
      ]) {
        const object = { id: `y_${type}`, ...own, customer_email: address, email: address }
        expect((await deliver(t, path, providerEvent(type, object))).body.status, type).toBe('processed')
      }
    }
    expect(new Set(await told(t))).toEqual(new Set([bob]))
  })
})
