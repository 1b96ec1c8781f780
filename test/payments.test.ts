// Payments through the whole product: the settings, what each of the 19 types becomes, who it is about, and the archive.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import { contacts } from '../db/tables/contacts.ts'
import { events, ruleRuns } from '../db/tables/events.ts'
import { paymentEvents, paymentIntegrations } from '../db/tables/payments.ts'
import { write } from '../src/core/app.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { cli } from './support/cli.ts'
import { customerId, paymentObjects } from './support/payment-objects.ts'
import { connect, deliver, providerEvent, secret } from './support/payment-provider.ts'
import { settings, stranger, supported } from './support/payment-workspaces.ts'

const archiveOf = (t: TestApp) => t.app.db.select().from(paymentEvents).orderBy(paymentEvents.createdAt).all()
const eventsOf = (t: TestApp) => t.app.db.select().from(events).orderBy(events.id).all()
const ada = (t: TestApp, more: object = {}): Promise<Json> =>
  t.post('/v1/events/send', { eventName: 'signup', email: 'ada@example.net', userId: 'user-1', ...more }, 200)
/** Contact events that came of payments. */
const paymentsOf = async (t: TestApp) => (await eventsOf(t)).filter(({ origin }) => origin === 'payments')

describe('the settings', () => {
  test('are off at first, have an address that stays, and name the supported events', async () => {
    await using t = await testApp()
    const first = await t.get(settings, 200, session)
    expect(first).toEqual({
      enabled: false,
      has_signing_secret: false,
      webhook_url: expect.stringMatching(
        new RegExp(`^${t.app.config.baseUrl}/v1/integrations/payments/webhook/int_[a-z0-9]{24}$`),
      ),
      supported_events: supported,
      create_contacts: true,
    })
    expect(await t.unchanged(() => t.get(settings, 200, session))).toEqual(first)
  })

  test('are enabled with a secret, in one request or in two, by PATCH or PUT', async () => {
    await using t = await testApp()
    await t.patch(settings, { signing_secret: secret }, 200, session)
    expect(await t.put(settings, { enabled: true }, 200, session)).toMatchObject({
      enabled: true,
      has_signing_secret: true,
    })
    expect(await t.patch(settings, { signing_secret: null }, 200, session)).toMatchObject({
      enabled: false,
      has_signing_secret: false,
    })
    expect(await t.patch(settings, { signing_secret: secret, enabled: true }, 200, session)).toMatchObject({
      enabled: true,
    })
    expect(await t.patch(settings, { enabled: false }, 200, session)).toMatchObject({
      enabled: false,
      has_signing_secret: true,
    })
  })

  const refusals: [what: string, body: Json, status: number, code: string][] = [
    ['no secret', { enabled: true }, 409, 'signing_secret_required'],
    ['an empty secret', { enabled: true, signing_secret: '' }, 422, 'validation_failed'],
    ['a secret of spaces', { enabled: true, signing_secret: '   ' }, 422, 'validation_failed'],
    ['the secret cleared', { enabled: true, signing_secret: null }, 409, 'signing_secret_required'],
    ['a secret with a line break', { signing_secret: 'whsec_a\nb_c_d_e' }, 422, 'validation_failed'],
    ['a secret of another kind', { signing_secret: 5 }, 422, 'validation_failed'],
    ['enabled of another kind', { enabled: 'true' }, 422, 'validation_failed'],
  ]
  for (const [what, body, status, code] of refusals) {
    test(`are refused with ${what}: ${status} ${code}`, async () => {
      await using t = await testApp()
      await t.get(settings, 200, session)
      expect((await t.unchanged(() => t.patch(settings, body, status, session))).code).toBe(code)
    })
  }

  test('never show the secret, and keep it sealed', async () => {
    await using t = await testApp()
    await connect(t)
    expect(JSON.stringify(await t.get(settings, 200, session))).not.toContain(secret)
    const [row] = await t.app.db.select().from(paymentIntegrations).all()
    expect(row?.signingSecretSealed).toStartWith('v1.')
    expect(JSON.stringify(row)).not.toContain(secret)
    expect(t.logged.join()).not.toContain(secret)
  })
})

describe('what becomes of an event', () => {
  test('each of the 19 types is an event of its contact, with what it carries', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    for (const [type, object] of Object.entries(paymentObjects)) {
      const event = providerEvent(type, object)
      const reply = await deliver(t, path, event)
      expect(reply.body, type).toEqual({ received: true, status: 'processed', eventId: event.id })
    }
    const made = await paymentsOf(t)
    expect(made.map(({ name }) => name.slice('payments.'.length)).sort()).toEqual([...supported].sort())
    for (const { name, properties, occurredAt } of made) {
      expect(properties, name).toMatchObject({
        provider_event_id: expect.stringContaining('evt_provider'),
        occurred_at: '2026-01-15T11:58:20.000Z',
        livemode: false,
      })
      expect(occurredAt, name).toEqual(new Date('2026-01-15T11:58:20.000Z'))
    }
    const of = (type: string) => made.find(({ name }) => name === `payments.${type}`)?.properties
    expect(of('customer.created')).toMatchObject({
      object_id: customerId,
      customer_id: customerId,
      amount: null,
      currency: 'eur',
    })
    expect(of('checkout.session.completed')).toMatchObject({
      amount: 2198,
      currency: 'eur',
      status: 'paid',
      customer_id: customerId,
    })
    expect(of('customer.subscription.created')).toMatchObject({
      amount: 1000,
      plan: 'price_1MowQULkdIwHu7ixraBm864M',
      status: 'trialing',
      period_end: '2026-02-14T14:13:20.000Z',
    })
    expect(of('invoice.paid')).toMatchObject({ amount: 1500, status: 'paid', plan: 'price_1MowQULkdIwHu7ixraBm864M' })
    expect(of('invoice.payment_failed')).toMatchObject({ amount: 1500, status: 'open' })
    expect(of('invoice.upcoming')).toMatchObject({ object_id: null, amount: 1500 })
    expect(of('quote.accepted')).toMatchObject({ amount: 2198, status: 'accepted' })
    expect(of('charge.dispute.closed')).toMatchObject({ amount: 2198, status: 'won', customer_id: null })
    expect(new Set(made.map(({ contactId }) => contactId)).size).toBe(1)
  })

  test('an end of a period that no date can say is none, and the event counts', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    const customer = { id: customerId, email: 'ada@example.net' }
    const subscription = { ...paymentObjects['customer.subscription.created'], customer, current_period_end: 1e17 }
    const event = providerEvent('customer.subscription.created', subscription)
    const reply = await deliver(t, path, event)
    expect(reply.body).toEqual({ received: true, status: 'processed', eventId: event.id })
    expect((await paymentsOf(t))[0]?.properties).toMatchObject({ period_end: null })
  })

  test('an event feeds rules like any other', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    await t.template({ id: 'failed', text: '{{amount}} {{event.currency}}' })
    const rule = { eventName: 'payments.invoice.payment_failed', action: 'send_template', templateId: 'failed' }
    const timing = { delay: { amount: 3, unit: 'd' }, cancelOn: ['payments.invoice.paid'] }
    const filter = [{ property: 'amount', operator: 'greaterThan', value: 1000 }]
    await t.post(
      '/v1/event-rules',
      { ...rule, ...timing, filter, variables: { amount: '{{event.amount}}' }, reEligible: true },
      201,
    )
    const failed = () =>
      deliver(t, path, providerEvent('invoice.payment_failed', paymentObjects['invoice.payment_failed']))
    await failed()
    await t.advance('2d')
    await deliver(t, path, providerEvent('invoice.paid', paymentObjects['invoice.paid']))
    await t.advance('2d')
    expect(await t.sent()).toEqual([])
    await failed()
    await t.advance('3d')
    expect((await simpleParser((await t.sent())[0]?.raw ?? '')).text).toContain('1500 eur')
    expect((await t.app.db.select().from(ruleRuns).all()).map(({ status }) => status).sort()).toEqual([
      'cancelled',
      'done',
    ])
  })

  const ignored: [what: string, event: Json, reason: string][] = [
    [
      'a type that is not in the list',
      providerEvent('customer.subscription.updated', paymentObjects['customer.subscription.created']),
      'unsupported_type',
    ],
    ['a name of an object', providerEvent('constructor', {}), 'unsupported_type'],
    [
      'a thin event',
      {
        id: 'evt_thin_1',
        object: 'v2.core.event',
        type: 'v1.billing.meter.error_report_triggered',
        created: '2026-01-15T12:00:00.000Z',
      },
      'unsupported_type',
    ],
    ['a stranger', providerEvent('customer.created', { id: 'cus_x', email: 'nobody@example.net' }), 'no_contact'],
    ['nobody', providerEvent('invoice.paid', { id: 'in_x', customer: null }), 'no_contact'],
    ['no object', providerEvent('invoice.paid', null), 'no_contact'],
    ['an unknown customer', providerEvent('quote.accepted', { id: 'qt_x', customer: 'cus_x' }), 'no_contact'],
    [
      'members of other kinds',
      providerEvent('invoice.paid', { customer: 5, customer_email: {}, metadata: 'x', lines: [] }),
      'no_contact',
    ],
  ]
  for (const [what, event, reason] of ignored) {
    test(`${what} is archived and ignored as ${reason}, with 200`, async () => {
      await using t = await testApp()
      const path = await connect(t, {}, { create_contacts: false })
      const reply = await deliver(t, path, event)
      expect([reply.status, reply.body]).toEqual([
        200,
        { received: true, status: 'ignored', eventId: event.id, reason },
      ])
      expect(await archiveOf(t)).toMatchObject([
        { status: 'ignored', reason, body: JSON.stringify(event), eventId: null },
      ])
      expect(await eventsOf(t)).toEqual([])
      expect(await t.app.db.select().from(contacts).all()).toEqual([])
    })
  }

  test('a throw anywhere archives nothing, and the provider’s next attempt succeeds', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    const event = providerEvent('customer.created', paymentObjects['customer.created'])
    for (const table of ['events', 'payment_events', 'payment_customers']) {
      await write(t.app, (tx) =>
        tx.db.run(sql.raw(`CREATE TRIGGER broken BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'broken'); END`)),
      )
      expect((await t.unchanged(() => deliver(t, path, event))).status).toBe(500)
      await write(t.app, (tx) => tx.db.run(sql`DROP TRIGGER broken`))
    }
    expect((await deliver(t, path, event)).body.status).toBe('processed')
  })
})

describe('the same event again', () => {
  test('is a duplicate, and changes nothing', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    const event = providerEvent('invoice.paid', paymentObjects['invoice.paid'])
    await deliver(t, path, event)
    const again = await t.unchanged(() => deliver(t, path, event))
    expect(again.body).toEqual({ received: true, status: 'duplicate', eventId: event.id })
    const later = await t.unchanged(() => deliver(t, path, { ...event, pending_webhooks: 3 }))
    expect(later.body.conflict).toBeUndefined()
  })

  test('with another content is a conflict: the first one wins, and the archive says so', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    const event = providerEvent('invoice.paid', paymentObjects['invoice.paid'])
    await deliver(t, path, event)
    const other = { ...event, data: { object: { ...paymentObjects['invoice.paid'], amount_paid: 1 } } }
    expect((await deliver(t, path, other)).body).toMatchObject({ status: 'duplicate', conflict: true })
    expect(await archiveOf(t)).toMatchObject([{ conflict: true, body: JSON.stringify(event) }])
    expect((await paymentsOf(t)).map(({ properties }) => properties.amount)).toEqual([1500])
  })

  test('R14: 50 times at once to two workspaces is two rows and two events', async () => {
    await using t = await testApp()
    const path = await connect(t)
    const other = await stranger(t)
    await ada(t)
    await t.post('/v1/events/send', { eventName: 'a', email: 'ada@example.net' }, 200, { as: { apiKey: other.apiKey } })
    const event = providerEvent('invoice.paid', paymentObjects['invoice.paid'])
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => [
        deliver(t, path, event),
        deliver(t, other.path, event, 'whsec_of_the_stranger'),
      ]).flat(),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200))
    const counts = Object.groupBy(replies, ({ body }) => body.status)
    expect([counts.processed?.length, counts.duplicate?.length]).toEqual([2, 98])
    expect((await archiveOf(t)).map(({ workspaceId }) => workspaceId).sort()).toEqual(
      [t.workspace.id, other.workspaceId].sort(),
    )
    expect((await paymentsOf(t)).map(({ workspaceId }) => workspaceId).sort()).toEqual(
      [t.workspace.id, other.workspaceId].sort(),
    )
  })
})

describe('who it is about', () => {
  const named = async (t: TestApp) => (await paymentsOf(t)).map(({ contactId }) => contactId)
  const contactId = async (t: TestApp, email: string) =>
    (await t.app.db.select().from(contacts).all()).find((one) => one.email === email)?.id ?? ''

  test('our userId before the e-mail, the e-mail before what was learnt', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    await ada(t, { email: 'bob@example.net', userId: 'user-2' })
    await ada(t, { email: 'eve@example.net', userId: 'user-3' })
    const [adaId, bobId, eveId] = await Promise.all(
      ['ada', 'bob', 'eve'].map((name) => contactId(t, `${name}@example.net`)),
    )
    const checkout = {
      id: 'cs_1',
      customer: 'cus_bob',
      client_reference_id: 'user-2',
      customer_details: { email: 'ada@example.net' },
    }
    await deliver(t, path, providerEvent('checkout.session.completed', checkout))
    await deliver(
      t,
      path,
      providerEvent('checkout.session.completed', { ...checkout, metadata: { userId: 'user-3' }, customer: 'cus_eve' }),
    )
    await deliver(
      t,
      path,
      providerEvent('invoice.paid', { id: 'in_1', customer: 'cus_bob', customer_email: 'Ada@Example.net' }),
    )
    await deliver(
      t,
      path,
      providerEvent('invoice.paid', { id: 'in_2', customer: 'cus_bob', customer_email: 'unknown@example.net' }),
    )
    await deliver(
      t,
      path,
      providerEvent('invoice.paid', { id: 'in_3', customer: { id: 'cus_eve', object: 'customer' } }),
    )
    // Whom the event names, though the customer is known as somebody else.
    const unknownId = await contactId(t, 'unknown@example.net')
    expect(await named(t)).toEqual([bobId, eveId, adaId, unknownId, eveId].map((id) => id ?? ''))
  })

  test('a customer is learnt from what names both, and then known by the id alone', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    const later = ['customer.subscription.created', 'quote.accepted', 'invoice.upcoming', 'charge.dispute.created']
    for (const type of later)
      expect((await deliver(t, path, providerEvent(type, paymentObjects[type]))).body.status, type).toBe('ignored')
    await deliver(t, path, providerEvent('checkout.session.completed', paymentObjects['checkout.session.completed']))
    for (const type of later)
      expect((await deliver(t, path, providerEvent(type, paymentObjects[type]))).body.status, type).toBe('processed')
  })

  test('no metadata and no link leads to a contact of another workspace', async () => {
    await using t = await testApp()
    const path = await connect(t)
    const other = await stranger(t)
    await ada(t)
    await deliver(t, path, providerEvent('customer.created', paymentObjects['customer.created']))
    for (const [type, object] of Object.entries(paymentObjects)) {
      const hostile = {
        ...object,
        metadata: { userId: 'user-1', contactId: await contactId(t, 'ada@example.net'), workspaceId: t.workspace.id },
      }
      const reply = await deliver(t, other.path, providerEvent(type, hostile), 'whsec_of_the_stranger')
      expect(reply.body, type).toMatchObject({ status: 'ignored', reason: 'no_contact' })
    }
    expect(await named(t)).toHaveLength(1)
  })

  test('a customer who takes the address of somebody else does not become them', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    await ada(t, { email: 'bob@example.net', userId: 'user-2' })
    const before = await t.app.db.select().from(contacts).all()
    await deliver(t, path, providerEvent('customer.created', { id: 'cus_ada', email: 'ada@example.net' }))
    await deliver(t, path, providerEvent('customer.updated', { id: 'cus_ada', email: 'bob@example.net' }))
    await deliver(t, path, providerEvent('quote.accepted', { id: 'qt_1', customer: 'cus_ada' }))
    const [adaId, bobId] = await Promise.all(['ada', 'bob'].map((name) => contactId(t, `${name}@example.net`)))
    expect(await named(t)).toEqual([adaId, bobId, adaId].map((id) => id ?? ''))
    expect(await t.app.db.select().from(contacts).all()).toEqual(before)
  })

  test('a contact that was deleted is nobody, until another one is learnt', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    await deliver(t, path, providerEvent('customer.created', { id: 'cus_1', email: 'ada@example.net' }))
    await write(t.app, (tx) => tx.db.delete(contacts))
    const quote = () => deliver(t, path, providerEvent('quote.accepted', { id: 'qt_1', customer: 'cus_1' }))
    expect((await quote()).body).toMatchObject({ status: 'ignored', reason: 'no_contact' })
    await ada(t)
    await deliver(t, path, providerEvent('customer.updated', { id: 'cus_1', email: 'ada@example.net' }))
    expect((await quote()).body.status).toBe('processed')
  })
})

describe('the archive', () => {
  test('is listed newest first, by pages, and by status', async () => {
    await using t = await testApp()
    const path = await connect(t)
    await ada(t)
    const told: string[] = []
    for (const type of ['customer.created', 'customer.subscription.updated', 'invoice.paid']) {
      const event = providerEvent(type, paymentObjects[type] ?? {})
      await deliver(t, path, event)
      t.clock.advance(1_000)
      told.unshift(event.id)
    }
    const first = await t.get('/v1/payment-events?perPage=2', 200)
    const second = await t.get(`/v1/payment-events?perPage=2&cursor=${first.pagination.nextCursor}`, 200)
    expect([...first.data, ...second.data].map(({ eventId }: Json) => eventId)).toEqual(told)
    expect(first.pagination).toMatchObject({ totalResults: 3, totalPages: 2 })
    const ignored = await t.get('/v1/payment-events?status=ignored', 200)
    expect(ignored.data).toMatchObject([
      { type: 'customer.subscription.updated', reason: 'unsupported_type', contactEventId: null },
    ])
    await t.get('/v1/payment-events?status=lost', 422)
  })

  test('an ignored event is processed once its contact exists, one by one or all, and only once', async () => {
    await using t = await testApp()
    const path = await connect(t, {}, { create_contacts: false })
    const found = ['customer.created', 'invoice.paid'].map((type) => providerEvent(type, paymentObjects[type]))
    const never = providerEvent('customer.subscription.updated', paymentObjects['customer.subscription.created'])
    for (const event of [...found, never]) await deliver(t, path, event)
    const again = (id: string, status: number) => t.post(`/v1/payment-events/${id}/reprocess`, {}, status)
    expect(await again(found[0].id, 200)).toMatchObject({ status: 'ignored', reason: 'no_contact' })
    expect(await t.post('/v1/payment-events/reprocess', {}, 200)).toMatchObject({ tried: 2, processed: 0 })
    await ada(t)
    expect(await again(found[0].id, 200)).toMatchObject({
      status: 'processed',
      contactEventId: expect.stringMatching(/^evt_/),
    })
    expect((await t.unchanged(() => again(found[0].id, 409))).code).toBe('invalid_state_transition')
    expect(await t.post('/v1/payment-events/reprocess', {}, 200)).toMatchObject({ tried: 1, processed: 1 })
    await t.unchanged(() => again('evt_unknown', 404))
    expect((await archiveOf(t)).map(({ status }) => status).sort()).toEqual(['ignored', 'processed', 'processed'])
    expect(await paymentsOf(t)).toHaveLength(2)
  })

  test('of two that process all again at once, neither fails and each event is processed once', async () => {
    await using t = await testApp()
    const path = await connect(t, {}, { create_contacts: false })
    const events = ['customer.created', 'invoice.paid'].map((type) => providerEvent(type, paymentObjects[type]))
    for (const event of events) await deliver(t, path, event)
    await ada(t)
    const all = () => t.post('/v1/payment-events/reprocess', undefined, 200)
    const [one, other] = await Promise.all([all(), all()])
    expect(one.processed + other.processed).toBe(2)
    expect(await paymentsOf(t)).toHaveLength(2)
  })

  test('is listed and processed again on the command line', async () => {
    using shell = await cli()
    const { json } = await shell.run(['init', '--workspace', 'acme', '--email', 'a@acme.test', '--json'])
    expect(json.apiKey).toStartWith('pqk_')
    expect((await shell.run(['payments', 'list', '--workspace', 'acme', '--json'])).json.data).toEqual([])
    expect((await shell.run(['payments', 'reprocess-many', '--workspace', 'acme', '--json'])).json).toMatchObject({
      tried: 0,
      processed: 0,
    })
    const unknown = await shell.run(['payments', 'reprocess', 'evt_x', '--workspace', 'acme', '--json'])
    expect([unknown.code, unknown.json.code]).toEqual([1, 'not_found'])
    expect((await shell.run(['payments', 'list', '--workspace', 'acme', '--status', 'lost'])).code).toBe(1)
  })
})
