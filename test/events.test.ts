// POST /v1/events/send through the whole product: the contact, the event, what is scheduled, repeats, refusals, and that a throw
// anywhere writes nothing. What rules do is in event-rules.test.ts.

import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { LoopsClient } from 'loops'
import { contactProperties, contacts } from '../db/tables/contacts.ts'
import { events, ruleRuns } from '../db/tables/events.ts'
import { consentRecords, mailingLists, subscriptions } from '../db/tables/lists.ts'
import { outboxJobs } from '../db/tables/outbox.ts'
import { write } from '../src/core/app.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { ranOnFile } from './support/database.ts'

const path = '/v1/events/send'
const signup = { eventName: 'signup', email: 'ada@example.net' }

const contactsOf = (t: TestApp) => t.app.db.select().from(contacts).orderBy(contacts.id).all()
const eventsOf = (t: TestApp) => t.app.db.select().from(events).orderBy(events.id).all()
const runsOf = (t: TestApp) => t.app.db.select().from(ruleRuns).all()
const jobsOf = (t: TestApp) => t.app.db.select().from(outboxJobs).all()
const subscriptionsOf = (t: TestApp) => t.app.db.select().from(subscriptions).all()

/** A rule that mails a day later. */
async function delayedRule(t: TestApp, more: object = {}): Promise<string> {
  const template = { id: 'welcome', name: 'W', subject: 'Welcome {{name}}', content: [{ type: 'text', text: 'Hi' }] }
  await t.request('POST', '/v1/transactional/create', template)
  const rule = {
    eventName: 'signup',
    action: 'send_template',
    templateId: 'welcome',
    delay: { amount: 1, unit: 'd' },
    variables: { name: '{{contact.firstName|there}}' },
  }
  return (await t.post('/v1/event-rules', { ...rule, ...more }, 201)).id
}

describe('what is accepted', () => {
  test('an event makes its contact, and answers with an id and no jobs', async () => {
    await using t = await testApp()
    const body = { ...signup, eventProperties: { plan: 'pro', seats: 3, nested: { a: [1, null] } } }
    expect(await t.post(path, body, 200)).toEqual({
      success: true,
      eventId: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      jobs: [],
      warnings: [],
    })
    const [contact] = await contactsOf(t)
    expect(contact).toMatchObject({ email: 'ada@example.net', subscribed: true, userId: null, properties: {} })
    expect(await eventsOf(t)).toMatchObject([
      {
        name: 'signup',
        contactId: contact?.id,
        origin: 'api',
        properties: body.eventProperties,
        occurredAt: t.clock.now(),
      },
    ])
  })

  test('contact properties stand at the top level, or in contactProperties', async () => {
    await using t = await testApp()
    const body = {
      ...signup,
      userId: 'u-1',
      firstName: 'Ada',
      plan: 'pro',
      contactProperties: { lastName: 'L', plan: 'pro', seats: 3 },
    }
    await t.post(path, body, 200)
    expect(await contactsOf(t)).toMatchObject([
      { userId: 'u-1', firstName: 'Ada', lastName: 'L', properties: { plan: 'pro', seats: 3 } },
    ])
  })

  test('a known contact is found by e-mail in any case, or by userId, and changed only where the event says so', async () => {
    await using t = await testApp()
    await t.post(path, { ...signup, userId: 'u-1', firstName: 'Ada' }, 200)
    const [before] = await contactsOf(t)
    t.clock.advance(1_000)
    await t.post(path, { eventName: 'seen', email: 'ADA@example.net' }, 200)
    await t.post(path, { eventName: 'seen', userId: 'u-1' }, 200)
    expect(await contactsOf(t)).toEqual(before ? [before] : [])
    await t.post(path, { eventName: 'seen', userId: 'u-1', plan: 'pro' }, 200)
    expect(await contactsOf(t)).toMatchObject([{ id: before?.id, firstName: 'Ada', properties: { plan: 'pro' } }])
    expect(new Set((await eventsOf(t)).map(({ contactId }) => contactId)).size).toBe(1)
  })

  test('consent changes only where it is said, and each change is in the ledger', async () => {
    await using t = await testApp()
    const lists = await Promise.all(['single', 'double'].map((optIn) => t.mailingList({ name: optIn, optIn })))
    const [single, double] = lists.map(({ id }: Json) => String(id))
    await t.post(path, { ...signup, subscribed: false }, 200)
    await t.post(path, signup, 200)
    expect(await contactsOf(t)).toMatchObject([{ subscribed: false }])
    await t.post(path, { ...signup, mailingLists: { [single ?? '']: true, [double ?? '']: true } }, 200)
    const states = async () =>
      Object.fromEntries((await subscriptionsOf(t)).map(({ mailingListId, status }) => [mailingListId, status]))
    expect(await states()).toEqual({ [single ?? '']: 'active', [double ?? '']: 'pending' })
    await t.post(path, { ...signup, mailingLists: { [single ?? '']: false } }, 200)
    expect(await states()).toMatchObject({ [single ?? '']: 'unsubscribed' })
    const ledger = await t.app.db.select().from(consentRecords).orderBy(consentRecords.id).all()
    expect(ledger.filter(({ mailingListId }) => mailingListId === single).map(({ action }) => action)).toEqual([
      'granted',
      'withdrawn',
    ])
    expect(ledger.every(({ method }) => method === 'api')).toBe(true)
    const [list] = await t.app.db
      .select()
      .from(mailingLists)
      .where(eq(mailingLists.id, single ?? ''))
    expect(list?.contactCount).toBe(0)
  })

  test('occurredAt is kept; the delay counts from when we were told', async () => {
    await using t = await testApp()
    await delayedRule(t)
    const { jobs } = await t.post(path, { ...signup, occurredAt: '2026-01-01T10:00:00+02:00' }, 200)
    expect((await eventsOf(t))[0]?.occurredAt).toEqual(new Date('2026-01-01T08:00:00Z'))
    expect(jobs).toMatchObject([{ runAt: '2026-01-16T12:00:00.000Z' }])
  })

  test('the answer lists what was scheduled, and it leaves then', async () => {
    await using t = await testApp()
    await delayedRule(t)
    const { eventId, jobs } = await t.post(path, { ...signup, firstName: 'Ada' }, 200)
    expect(jobs).toEqual([
      { jobId: expect.stringMatching(/^job_/), templateId: 'welcome', runAt: '2026-01-16T12:00:00.000Z' },
    ])
    expect(await runsOf(t)).toMatchObject([{ eventId, status: 'scheduled', jobId: jobs[0].jobId }])
    t.clock.advance(24 * 3_600_000 - 1)
    await t.settle()
    expect(await t.sent()).toEqual([])
    await t.advance('1ms')
    const [mail] = await t.sent()
    expect(mail?.raw).toContain('Subject: Welcome Ada')
    const [run] = await runsOf(t)
    expect(run).toMatchObject({ status: 'done', reason: null })
    expect(await t.get(`/v1/activity/${run?.messageId}`, 200)).toMatchObject({
      kind: 'rule',
      status: 'sent',
      ruleId: run?.ruleId,
      templateId: 'welcome',
    })
  })

  test('webhook endpoints are told, in the transaction of the event', async () => {
    await using t = await testApp()
    const { id } = await t.endpoint({
      url: 'https://hooks.example.com/',
      status: 'disabled',
      eventFilters: ['event.received'],
    })
    const { eventId } = await t.post(path, { ...signup, userId: 'u-1', eventProperties: { plan: 'pro' } }, 200)
    const [told] = await t.app.db.all<{ payload: string; endpoint: string; state: string }>(
      sql`SELECT e.payload AS payload, d.endpoint_id AS endpoint, d.state AS state
        FROM webhook_events e JOIN webhook_deliveries d ON d.event_sequence = e.sequence WHERE e.type = 'event.received'`,
    )
    expect(told).toMatchObject({ endpoint: id, state: 'skipped' })
    expect(JSON.parse(told?.payload ?? '')).toMatchObject({
      eventName: 'event.received',
      contactIdentity: { email: 'ada@example.net', userId: 'u-1' },
      data: { event: { id: eventId, name: 'signup', properties: { plan: 'pro' } } },
    })
  })

  test('members that are ours are ignored, and said so', async () => {
    await using t = await testApp()
    const { warnings } = await t.post(path, { ...signup, id: 'x', contactProperties: { createdAt: 1 } }, 200)
    expect(warnings.map(({ path }: Json) => path)).toEqual(['id', 'contactProperties.createdAt'])
  })

  test.skipIf(ranOnFile)('the loops SDK tells events', async () => {
    await using t = await testApp()
    await delayedRule(t)
    const loops = new LoopsClient(t.apiKey)
    loops.apiRoot = `${t.url}/api/`
    const event = {
      email: 'ada@example.net',
      userId: 'u-1',
      eventName: 'signup',
      contactProperties: { firstName: 'Ada', plan: 'pro' },
      eventProperties: { plan: 'pro', seats: 3, trial: true },
      headers: { 'Idempotency-Key': 'k-1' },
    }
    for (let i = 0; i < 2; i++) expect(await loops.sendEvent(event)).toMatchObject({ success: true })
    expect(await contactsOf(t)).toMatchObject([{ userId: 'u-1', firstName: 'Ada', properties: { plan: 'pro' } }])
    expect(await eventsOf(t)).toHaveLength(1)
    const refused = loops.sendEvent({ userId: 'u-1', eventName: 'not a name?' })
    await expect(refused).rejects.toMatchObject({ statusCode: 422, json: { success: false } })
  })
})

describe('repeats', () => {
  test('the same Idempotency-Key schedules once and gets the same answer', async () => {
    await using t = await testApp()
    await delayedRule(t, { reEligible: true })
    const headers = { 'idempotency-key': 'k-1' }
    const first = await t.request('POST', path, signup, { headers })
    const second = await t.unchanged(() => t.request('POST', path, signup, { headers }))
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    const other = await t.unchanged(() => t.request('POST', path, { ...signup, plan: 'x' }, { headers }))
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_mismatch'])
  })

  test('the same eventId is the same event, whatever else is said, but in another workspace it is another', async () => {
    await using t = await testApp()
    await delayedRule(t, { reEligible: true })
    const first = await t.post(path, { ...signup, eventId: 'order-1' }, 200)
    const again = await t.unchanged(() =>
      t.post(path, { eventName: 'else', email: 'b@example.net', eventId: 'order-1' }, 200),
    )
    expect(again).toEqual({ ...first, warnings: [expect.objectContaining({ code: 'duplicate_event' })] })
    const { apiKey } = await t.stranger()
    const stranger = await t.post(path, { ...signup, eventId: 'order-1' }, 200, { as: { apiKey } })
    expect(stranger.eventId).not.toBe(first.eventId)
    expect(stranger.warnings).toEqual([])
  })

  for (const [what, options] of [
    ['Idempotency-Key', { headers: { 'idempotency-key': 'k' } }],
    ['eventId', {}],
  ] as const) {
    test(`R14: 50 at once with one ${what} are one event with one job, and equal answers`, async () => {
      await using t = await testApp()
      await delayedRule(t, { reEligible: true })
      const body = what === 'eventId' ? { ...signup, eventId: 'e-1' } : signup
      const replies = await Promise.all(Array.from({ length: 50 }, () => t.request('POST', path, body, options)))
      expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
      expect(new Set(replies.map(({ body }) => JSON.stringify([body.eventId, body.jobs]))).size).toBe(1)
      expect([(await eventsOf(t)).length, (await jobsOf(t)).length, (await contactsOf(t)).length]).toEqual([1, 1, 1])
    })
  }

  test('50 at once of one new contact make one contact', async () => {
    await using t = await testApp()
    await Promise.all(Array.from({ length: 50 }, (_, n) => t.post(path, { ...signup, seats: n }, 200)))
    expect(await contactsOf(t)).toHaveLength(1)
    expect(await eventsOf(t)).toHaveLength(50)
  })
})

describe('what is refused', () => {
  const long = 'x'.repeat(10_001)
  const refusals: [what: string, body: Json, status: number, code: string, path: string][] = [
    ['no event name', { email: 'a@b.co' }, 422, 'missing_required_field', 'eventName'],
    ['an empty name', { ...signup, eventName: '' }, 422, 'validation_failed', 'eventName'],
    ['a name with a space at its end', { ...signup, eventName: 'sign up ' }, 422, 'validation_failed', 'eventName'],
    ['a long name', { ...signup, eventName: 'x'.repeat(101) }, 422, 'validation_failed', 'eventName'],
    ['nobody', { eventName: 'signup' }, 422, 'missing_required_field', 'email'],
    ['no address', { ...signup, email: 'ada' }, 422, 'validation_failed', 'email'],
    ['an address of another kind', { ...signup, email: 5 }, 422, 'validation_failed', 'email'],
    ['a userId of another kind', { ...signup, userId: 5 }, 422, 'validation_failed', 'userId'],
    ['a property name', { ...signup, 'first name': 'x' }, 422, 'validation_failed', 'first name'],
    ['an object as a property', { ...signup, plan: {} }, 422, 'validation_failed', 'plan'],
    [
      'a nested property',
      { ...signup, contactProperties: { plan: [] } },
      422,
      'validation_failed',
      'contactProperties.plan',
    ],
    [
      'contactProperties of another kind',
      { ...signup, contactProperties: 'x' },
      422,
      'validation_failed',
      'contactProperties',
    ],
    [
      'eventProperties of another kind',
      { ...signup, eventProperties: [1] },
      422,
      'validation_failed',
      'eventProperties',
    ],
    [
      'a long event property',
      { ...signup, eventProperties: { a: long } },
      422,
      'validation_failed',
      'eventProperties.a',
    ],
    [
      'too many event properties',
      { ...signup, eventProperties: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`p${i}`, i])) },
      422,
      'validation_failed',
      'eventProperties',
    ],
    [
      'large event properties',
      { ...signup, eventProperties: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`p${i}`, long.slice(1)])) },
      422,
      'validation_failed',
      'eventProperties',
    ],
    ['a time without offset', { ...signup, occurredAt: '2026-01-01T10:00:00' }, 422, 'validation_failed', 'occurredAt'],
    ['an eventId with a dot', { ...signup, eventId: 'a.b' }, 422, 'validation_failed', 'eventId'],
    ['an unknown list', { ...signup, mailingLists: { lst_x: true } }, 422, 'validation_failed', 'mailingLists.lst_x'],
    ['lists of another kind', { ...signup, mailingLists: { lst_x: 1 } }, 422, 'validation_failed', 'mailingLists'],
    ['unreadable JSON', '{"eventName":', 400, 'invalid_json', ''],
  ]
  for (const [what, body, status, code, at] of refusals) {
    test.skipIf(ranOnFile)(`${what} is ${status} ${code}`, async () => {
      await using t = await testApp()
      const reply = await t.unchanged(() => t.request('POST', path, body))
      expect([reply.status, reply.body.code]).toEqual([status, code])
      if (at !== '') expect(reply.body.errors.map((issue: Json) => issue.path)).toContain(at)
    })
  }

  test('two people in one request are 409; a property of another type is 422', async () => {
    await using t = await testApp()
    await t.post(path, { eventName: 'a', email: 'ada@example.net', userId: 'u-1', plan: 'pro' }, 200)
    await t.post(path, { eventName: 'a', email: 'bob@example.net', userId: 'u-2' }, 200)
    const both = { eventName: 'a', email: 'ada@example.net', userId: 'u-2' }
    expect(await t.unchanged(() => t.post(path, both, 409))).toMatchObject({ code: 'contact_exists' })
    const wrong = { eventName: 'a', email: 'new@example.net', plan: 5 }
    expect((await t.unchanged(() => t.post(path, wrong, 422))).errors).toMatchObject([
      { path: 'plan', code: 'wrong_type' },
    ])
    const stranger = { eventName: 'a', userId: 'unknown' }
    expect((await t.unchanged(() => t.post(path, stranger, 422))).code).toBe('missing_required_field')
  })

  test('the userId of another workspace names nobody there', async () => {
    await using t = await testApp()
    await t.post(path, { ...signup, userId: 'u-1', firstName: 'Ada' }, 200)
    const before = await contactsOf(t)
    const { apiKey, workspace } = await t.stranger()
    await t.post(path, { eventName: 'a', email: 'eve@example.net', userId: 'u-1', firstName: 'Eve' }, 200, {
      as: { apiKey },
    })
    const after = await contactsOf(t)
    expect(after.filter(({ workspaceId }) => workspaceId !== workspace.id)).toEqual(before)
    expect(after).toHaveLength(2)
  })

  const broken = [
    'contacts',
    'contact_values',
    'events',
    'rule_runs',
    'outbox_jobs',
    'subscriptions',
    'consent_records',
    'idempotency_keys',
  ]
  test.each(broken)('a throw at %s writes nothing, and the same request works afterwards', async (table) => {
    await using t = await testApp()
    await delayedRule(t)
    const { id } = await t.mailingList({ name: 'L' })
    const trigger = `CREATE TRIGGER broken BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'broken'); END`
    await write(t.app, (tx) => tx.db.run(sql.raw(trigger)))
    const body = { ...signup, plan: 'pro', subscribed: true, mailingLists: { [id]: true } }
    const options = { headers: { 'idempotency-key': 'k' } }
    const failed = await t.unchanged(() => t.request('POST', path, body, options))
    expect([failed.status, failed.body.code]).toEqual([500, 'internal_error'])
    await write(t.app, (tx) => tx.db.run(sql`DROP TRIGGER broken`))
    const done = await t.request('POST', path, body, options)
    expect(done.status).toBe(200)
    expect(done.body.jobs).toHaveLength(1)
    expect(await t.app.db.select().from(contactProperties).all()).toHaveLength(1)
  })
})
