// Who a payment event is about, under which header it may come, and what a signed body may not be.

import { describe, expect, test } from 'bun:test'
import Stripe from 'stripe'
import { events } from '../db/tables/events.ts'
import { consentRecords } from '../db/tables/lists.ts'
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
  test('of Stripe’s own name is taken, as Stripe’s package makes it', async () => {
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
  test('nested too deeply is refused, at first and again, and never a 500', async () => {
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

  test('every type is asked for every address of the choice', async () => {
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

  test('our own id counts before any address, and metadata before client_reference_id, in every type', async () => {
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

/** A customer's address, as each type names it, beside links of an earlier customer. */
const naming: [type: string, object: Json][] = [
  ['invoice.paid', { customer: 'cus_1', customer_email: 'new@example.net' }],
  ['invoice.payment_failed', { customer: 'cus_9', subscription: 'sub_1', customer_email: 'new@example.net' }],
  ['checkout.session.completed', { customer: 'cus_1', customer_details: { email: 'new@example.net' } }],
  ['customer.updated', { id: 'cus_1', email: 'new@example.net' }],
  ['customer.created', { id: 'cus_1', email: 'new@example.net' }],
  ['customer.subscription.deleted', { id: 'sub_1', customer: { id: 'cus_1', email: 'new@example.net' } }],
  ['quote.accepted', { customer: { id: 'cus_1', email: 'new@example.net' } }],
  ['charge.dispute.created', { charge: { id: 'ch_1', customer: 'cus_1', receipt_email: 'new@example.net' } }],
  // The first address counts, also where only a later one is known.
  ['invoice.paid', { customer_email: 'new@example.net', customer: { id: 'cus_1', email: 'old@example.net' } }],
  ['invoice.paid', { customer: 'cus_1', customer_email: 'nobody at all', email: 'new@example.net' }],
]

for (const [at, [type, object]] of naming.entries())
  test(`an event lands on whom it names, whoever is known: ${type} ${at}`, async () => {
    const landed = async (isKnown: boolean, creates: boolean) => {
      await using t = await testApp()
      const path = await connect(t)
      const from = { id: 'in_0', customer: 'cus_1', subscription: 'sub_1', charge: 'ch_1', payment_intent: 'pi_1' }
      await deliver(t, path, providerEvent('invoice.paid', { ...from, customer_email: 'old@example.net' }))
      if (isKnown) await t.contact({ email: 'new@example.net' })
      const settings = '/v1/settings/integrations/payments'
      if (!creates) await t.patch(settings, { create_contacts: false }, 200, { as: 'session' })
      const { body } = await deliver(t, path, providerEvent(type, { id: 'x_1', ...object }))
      const { data } = await t.get('/v1/contacts?perPage=50', 200)
      const last = (await told(t)).slice(1)
      return [body.status, data.filter(({ id }: Json) => last.includes(id)).map(({ email }: Json) => email)]
    }
    for (const creates of [true, false]) expect(await landed(true, creates)).toEqual(['processed', ['new@example.net']])
    expect(await landed(false, true)).toEqual(['processed', ['new@example.net']])
    expect(await landed(false, false)).toEqual(['ignored', []])
  })

describe('contacts of payment events', () => {
  const settings = '/v1/settings/integrations/payments'
  const session = { as: 'session' } as const
  const find = async (t: TestApp, email: string): Promise<Json> =>
    (await t.get(`/v1/contacts/find?email=${encodeURIComponent(email)}`, 200))[0]
  const ledger = async (t: TestApp, contactId: string) =>
    (await t.app.db.select().from(consentRecords)).filter((row) => row.contactId === contactId)
  const cus = (more: object) => ({ id: 'cus_new', object: 'customer', email: 'Eve@example.net', ...more })

  test('an address that nobody has makes a contact that may not be mailed, with a ledger row, and once', async () => {
    await using t = await testApp()
    const path = await connect(t)
    const object = cus({ name: 'Eve Ada Moreau', preferred_locales: ['fr-ca'], metadata: { userId: 'user-eve' } })
    expect((await deliver(t, path, providerEvent('customer.created', object))).body.status).toBe('processed')
    const eve = await find(t, 'eve@example.net')
    expect(eve).toMatchObject({
      email: 'Eve@example.net',
      userId: 'user-eve',
      firstName: 'Eve Ada',
      lastName: 'Moreau',
      locale: 'fr-CA',
      source: 'payments',
      subscribed: false,
      mailingLists: {},
    })
    expect(await ledger(t, eve.id)).toMatchObject([{ action: 'created', method: 'payments', mailingListId: null }])
    expect((await deliver(t, path, providerEvent('quote.accepted', { customer: 'cus_new' }))).body.status).toBe(
      'processed',
    )
    expect(new Set(await told(t))).toEqual(new Set([eve.id]))
    expect(await ledger(t, eve.id)).toHaveLength(1)
  })

  test('a checkout, an invoice and a dispute make one too; the end of a customer, a wrong address and an unknown customer do not', async () => {
    await using t = await testApp()
    const path = await connect(t)
    const made: [type: string, object: Json, email: string][] = [
      ['checkout.session.completed', { customer_details: { email: 'a@example.net', name: 'Solo' } }, 'a@example.net'],
      ['invoice.paid', { customer_email: 'not an address', email: 'b@example.net' }, 'b@example.net'],
      [
        'charge.dispute.created',
        { charge: { id: 'ch_1', billing_details: { email: 'c@example.net' } } },
        'c@example.net',
      ],
      ['checkout.session.completed', { customer_email: 'd@b\u00fccher.example' }, 'd@xn--bcher-kva.example'],
      ['checkout.session.completed', { customer_email: 'd@B\u00dcCHER.example' }, 'd@xn--bcher-kva.example'],
    ]
    for (const [type, object, email] of made) {
      const reply = await deliver(t, path, providerEvent(type, { id: `z_${email}`, ...object }))
      expect([reply.status, reply.body.status], email).toEqual([200, 'processed'])
      expect(await find(t, email)).toMatchObject({ subscribed: false, source: 'payments' })
    }
    expect(await find(t, 'a@example.net')).toMatchObject({ firstName: 'Solo', lastName: null })
    const none: [type: string, object: Json][] = [
      ['customer.deleted', cus({})],
      ['customer.created', cus({ email: 'nobody at all' })],
      ['customer.created', cus({ email: null })],
      ['quote.accepted', { customer: 'cus_unknown' }],
      ['customer.subscription.updated', cus({})],
    ]
    const before = (await t.get('/v1/contacts', 200)).pagination.totalResults
    for (const [type, object] of none)
      expect((await deliver(t, path, providerEvent(type, object))).body.status, type).toBe('ignored')
    expect((await t.get('/v1/contacts', 200)).pagination.totalResults).toBe(before)
  })

  test('of a known contact only what is empty is filled in; its consent, its address and its name stay', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await t.contact({ firstName: 'Augusta', subscribed: true })
    await t.contact({ email: 'off@example.net', subscribed: false })
    const [ada, off] = [await find(t, 'ada@example.net'), await find(t, 'off@example.net')]
    const records = (await t.app.db.select().from(consentRecords)).length
    const profile = { name: 'Ada Lovelace', preferred_locales: ['en-GB'], metadata: { userId: 'user-1' } }
    await deliver(t, path, providerEvent('customer.created', { id: 'cus_1', email: 'ada@example.net', ...profile }))
    await deliver(t, path, providerEvent('customer.updated', { id: 'cus_1', email: 'new@example.net', ...profile }))
    await deliver(t, path, providerEvent('customer.created', { id: 'cus_2', email: 'off@example.net' }))
    const same = ({ updatedAt: _, ...contact }: Json) => contact
    expect(same(await find(t, 'ada@example.net'))).toEqual(
      same({ ...ada, lastName: 'Lovelace', locale: 'en-GB', userId: 'user-1' }),
    )
    expect(await find(t, 'off@example.net')).toEqual(off)
    expect(await find(t, 'new@example.net')).toBeUndefined()
    expect(await t.app.db.select().from(consentRecords)).toHaveLength(records)
  })

  test('switched off, an unknown address is ignored and nothing is filled in; the setting counts when it is tried again', async () => {
    await using t = await testApp()
    const path = await connect(t)
    expect(await t.patch(settings, { create_contacts: false }, 200, session)).toMatchObject({ create_contacts: false })
    await people(t)
    const known = await find(t, 'ada@example.net')
    await deliver(t, path, providerEvent('customer.created', { id: 'cus_1', email: 'ada@example.net', name: 'Ada L' }))
    expect(await find(t, 'ada@example.net')).toEqual(known)
    const event = providerEvent('customer.created', cus({}))
    expect((await deliver(t, path, event)).body).toMatchObject({ status: 'ignored', reason: 'no_contact' })
    expect(await t.post('/v1/payment-events/reprocess', {}, 200)).toMatchObject({ tried: 1, processed: 0 })
    expect(await t.patch(settings, { create_contacts: true }, 200, session)).toMatchObject({ enabled: true })
    expect(await t.post('/v1/payment-events/reprocess', {}, 200)).toMatchObject({ tried: 1, processed: 1 })
    expect(await find(t, 'eve@example.net')).toMatchObject({ subscribed: false, source: 'payments' })
    await t.unchanged(() => t.patch(settings, { create_contacts: 'yes' }, 422, session))
  })
})
