// Event rules through the whole product: how they are made and refused, which events they match, and what they do now.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contacts } from '../db/tables/contacts.ts'
import { eventRules, ruleRuns } from '../db/tables/events.ts'
import { consentRecords, subscriptions } from '../db/tables/lists.ts'
import { outboxJobs } from '../db/tables/outbox.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { mailing, makeRule, path, tell, welcome } from './support/event-rules.ts'

const day = 24 * 3_600_000

const runsOf = (t: TestApp) => t.app.db.select().from(ruleRuns).all()
const jobOf = async (t: TestApp, jobId: string) =>
  (await t.app.db.select().from(outboxJobs).where(eq(outboxJobs.id, jobId)).all())[0]

describe('a rule', () => {
  test('is made, fetched, listed, changed and deleted', async () => {
    await using t = await testApp()
    await t.template(welcome)
    const made = await t.post(path, mailing, 201)
    expect(made).toMatchObject({
      ...mailing,
      name: 'signup',
      filter: [],
      cancelOn: [],
      reEligible: false,
      enabled: true,
    })
    const { warnings, ...rule } = made
    expect(warnings).toEqual([])
    expect(await t.get(`${path}/${made.id}`, 200)).toEqual(rule)
    expect((await t.get(path, 200)).data).toEqual([rule])
    t.clock.advance(1_000)
    const change = {
      name: 'Welcome',
      delay: { amount: 0, unit: 'm' },
      cancelOn: ['left'],
      filter: [{ property: 'a', operator: 'exists' }],
    }
    const changed = await t.patch(`${path}/${made.id}`, change, 200)
    expect(changed).toEqual({ ...made, ...change, updatedAt: '2026-01-15T12:00:01.000Z' })
    await t.delete(`${path}/${made.id}`, undefined, 200)
    await t.get(`${path}/${made.id}`, 404)
    expect(await t.app.db.select().from(eventRules).all()).toEqual([])
  })

  test('is told of unknown fields', async () => {
    await using t = await testApp()
    await t.template(welcome)
    const { warnings } = await t.post(path, { ...mailing, colour: 'red' }, 201)
    expect(warnings).toMatchObject([{ path: 'colour', code: 'unknown_field' }])
  })

  const refusals: [what: string, change: Json, at: string, code: string][] = [
    ['no action', { action: undefined }, 'action', 'required'],
    ['an unknown action', { action: 'explode' }, 'action', 'not_allowed'],
    ['no event', { eventName: undefined }, 'eventName', 'required'],
    ['an event name that begins with a space', { eventName: ' a' }, 'eventName', 'pattern'],
    ['no template', { templateId: undefined }, 'templateId', 'required'],
    ['an unknown template', { templateId: 'nothing' }, 'templateId', 'unknown_template'],
    ['a draft', { templateId: 'draft' }, 'templateId', 'unknown_template'],
    [
      'a variable that the template lacks',
      { variables: { name: 'x', colour: 'x' } },
      'variables.colour',
      'unknown_variable',
    ],
    ['a variable that is missing', { variables: {} }, 'variables.name', 'missing_variable'],
    [
      'a variable of the platform',
      { variables: { name: 'x', company_name: 'x' } },
      'variables.company_name',
      'auto_variable_not_allowed',
    ],
    [
      'a contact’s field as a variable',
      { variables: { name: 'x', 'contact.email': 'x' } },
      'variables.contact.email',
      'auto_variable_not_allowed',
    ],
    ['an object as a value', { variables: { name: {} } }, 'variables.name', 'type'],
    [
      'a placeholder of something else',
      { variables: { name: '{{workspace.name}}' } },
      'variables.name',
      'unknown_placeholder',
    ],
    ['a placeholder that is none', { variables: { name: '{{ 1+1 }}' } }, 'variables.name', 'unknown_placeholder'],
    ['variables of another kind', { variables: 'x' }, 'variables', 'type'],
    ['an operator without a value', { filter: [{ property: 'a', operator: 'equals' }] }, 'filter[0].value', 'required'],
    [
      'an unknown operator',
      { filter: [{ property: 'a', operator: 'like', value: 1 }] },
      'filter[0].operator',
      'pattern',
    ],
    ['a filter of another kind', { filter: 'x' }, 'filter', 'type'],
    ['a negative delay', { delay: { amount: -1, unit: 'd' } }, 'delay.amount', 'too_small'],
    ['a broken delay', { delay: { amount: 1.5, unit: 'd' } }, 'delay.amount', 'type'],
    ['a delay in text', { delay: { amount: '5', unit: 'd' } }, 'delay.amount', 'type'],
    ['a delay of a year and a day', { delay: { amount: 366, unit: 'd' } }, 'delay', 'too_large'],
    ['a delay in weeks', { delay: { amount: 1, unit: 'w' } }, 'delay.unit', 'not_allowed'],
    ['a cancelling event that ends in a space', { cancelOn: ['a '] }, 'cancelOn[0]', 'pattern'],
    ['no list', { action: 'subscribe' }, 'mailingListId', 'required'],
    ['an unknown list', { action: 'subscribe', mailingListId: 'lst_x' }, 'mailingListId', 'unknown_list'],
    ['nothing to set', { action: 'update_contact' }, 'contactProperties', 'required'],
    [
      'a new address',
      { action: 'update_contact', contactProperties: { email: 'a@b.co' } },
      'contactProperties.email',
      'not_allowed',
    ],
    [
      'consent',
      { action: 'update_contact', contactProperties: { subscribed: true } },
      'contactProperties.subscribed',
      'not_allowed',
    ],
    [
      'a name that is none',
      { action: 'update_contact', contactProperties: { 'a b': 1 } },
      'contactProperties.a b',
      'invalid',
    ],
    [
      'a locale that is none',
      { action: 'update_contact', contactProperties: { locale: '!' } },
      'contactProperties.locale',
      'invalid',
    ],
  ]
  for (const [what, change, at, code] of refusals) {
    test(`with ${what} is refused at ${at}`, async () => {
      await using t = await testApp()
      await t.template(welcome)
      await t.post('/v1/transactional/create', { id: 'draft', name: 'D', subject: 'D' }, 201)
      const body = { ...mailing, ...change }
      const { code: known, errors } = await t.unchanged(() => t.post(path, body, 422))
      const isOwn = code === 'missing_variable'
      expect(isOwn ? [code] : ['validation_failed', 'missing_required_field']).toContain(known)
      expect(errors.map((issue: Json) => [issue.path, issue.code])).toContainEqual([at, code])
      if (['action', 'eventName'].some((name) => name in change && change[name] === undefined)) return
      const id = await makeRule(t)
      const cleared = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value ?? null]))
      await t.unchanged(() => t.patch(`${path}/${id}`, cleared, 422))
    })
  }

  test('cannot use the template or the list of another workspace', async () => {
    await using t = await testApp()
    await t.template(welcome)
    const list = await t.mailingList({ name: 'L' })
    const { apiKey } = await t.stranger()
    const options = { as: { apiKey } }
    const foreign = await t.unchanged(() => t.post(path, mailing, 422, options))
    expect(foreign.errors).toMatchObject([{ path: 'templateId' }])
    const subscribe = { eventName: 'a', action: 'subscribe', mailingListId: list.id }
    expect((await t.unchanged(() => t.post(path, subscribe, 422, options))).errors).toMatchObject([
      { path: 'mailingListId' },
    ])
    const own = { eventName: 'a', action: 'update_contact', contactProperties: { plan: 'x' } }
    const { id } = await t.post(path, own, 201, options)
    await t.unchanged(() => t.patch(`${path}/${id}`, { action: 'send_template', templateId: 'welcome' }, 422, options))
    await tell(t)
    expect(await runsOf(t)).toEqual([])
  })

  test('of a list with double opt-in is refused: only the person joins it', async () => {
    await using t = await testApp()
    const { id } = await t.mailingList({ name: 'L', optIn: 'double' })
    const { errors } = await t.unchanged(() =>
      t.post(path, { eventName: 'a', action: 'subscribe', mailingListId: id }, 422),
    )
    expect(errors).toMatchObject([{ path: 'mailingListId', code: 'double_opt_in' }])
  })

  test('can be switched off when its template is gone', async () => {
    await using t = await testApp()
    await t.template(welcome)
    const id = await makeRule(t)
    await t.post('/v1/transactional/delete', { id: 'welcome' }, 200)
    await t.unchanged(() => t.patch(`${path}/${id}`, { name: 'x' }, 422))
    expect(await t.patch(`${path}/${id}`, { enabled: false }, 200)).toMatchObject({ enabled: false })
  })
})

describe('what matches', () => {
  const properties = {
    plan: 'pro',
    seats: 3,
    trial: false,
    tags: ['a', 'b'],
    address: { city: 'Paris' },
    since: '2026-01-10',
    none: null,
  }
  type Case = [property: string, operator: string, value: unknown, matches: boolean]
  const cases: Case[] = [
    ['plan', 'equals', 'pro', true],
    ['plan', 'equals', 'Pro', false],
    ['seats', 'equals', '3', false],
    ['trial', 'equals', false, true],
    ['missing', 'equals', 'x', false],
    ['plan', 'notEquals', 'free', true],
    ['missing', 'notEquals', 'free', true],
    ['seats', 'notEquals', 3, false],
    ['seats', 'greaterThan', 2, true],
    ['seats', 'greaterThan', 3, false],
    ['seats', 'greaterThan', '2', false],
    ['seats', 'lessThan', 4, true],
    ['seats', 'lessThan', 3, false],
    ['since', 'lessThan', '2026-01-11', true],
    ['missing', 'lessThan', 4, false],
    ['plan', 'exists', undefined, true],
    ['none', 'exists', undefined, false],
    ['missing', 'exists', undefined, false],
    ['missing', 'notExists', undefined, true],
    ['none', 'notExists', undefined, true],
    ['plan', 'contains', 'r', true],
    ['plan', 'contains', 'x', false],
    ['tags', 'contains', 'b', true],
    ['tags', 'contains', 'c', false],
    ['seats', 'contains', 3, false],
    ['address.city', 'equals', 'Paris', true],
    ['constructor', 'exists', undefined, false],
    ['__proto__.x', 'exists', undefined, false],
  ]
  test('each operator, on values of each kind', async () => {
    await using t = await testApp()
    for (const [property, operator, value, matches] of cases) {
      const filter = [{ property, operator, ...(value === undefined ? {} : { value }) }]
      const rule = { eventName: 'e', action: 'update_contact', contactProperties: { hit: true }, filter }
      const { id } = await t.post(path, rule, 201)
      const { eventId } = await tell(t, { eventName: 'e', eventProperties: properties })
      const ran = (await runsOf(t)).filter((run) => run.eventId === eventId)
      expect(ran.length === 1, `${property} ${operator} ${value}`).toBe(matches)
      await t.delete(`${path}/${id}`, undefined, 200)
    }
  })

  test('all conditions must hold, of the event that is named, while the rule is enabled', async () => {
    await using t = await testApp()
    const filter = [
      { property: 'plan', operator: 'equals', value: 'pro' },
      { property: 'seats', operator: 'greaterThan', value: 2 },
    ]
    const { id } = await t.post(
      path,
      { eventName: 'e', action: 'update_contact', contactProperties: { hit: true }, filter, reEligible: true },
      201,
    )
    const ran = async (more: object) => {
      const before = (await runsOf(t)).length
      await tell(t, { eventName: 'e', ...more })
      return (await runsOf(t)).length - before
    }
    expect(await ran({ eventProperties: { plan: 'pro', seats: 3 } })).toBe(1)
    expect(await ran({ eventProperties: { plan: 'pro', seats: 2 } })).toBe(0)
    expect(await ran({ eventName: 'E', eventProperties: { plan: 'pro', seats: 3 } })).toBe(0)
    await t.patch(`${path}/${id}`, { enabled: false }, 200)
    expect(await ran({ eventProperties: { plan: 'pro', seats: 3 } })).toBe(0)
    await t.patch(`${path}/${id}`, { enabled: true }, 200)
    expect(await ran({ eventProperties: { plan: 'pro', seats: 3 } })).toBe(1)
  })

  test('a contact goes through a rule once, unless it is re-eligible; another contact is another', async () => {
    await using t = await testApp()
    await t.template(welcome)
    const id = await makeRule(t)
    expect((await tell(t)).jobs).toHaveLength(1)
    expect((await tell(t)).jobs).toEqual([])
    expect((await tell(t, { email: 'bob@example.net' })).jobs).toHaveLength(1)
    await t.advance('1d')
    expect((await tell(t)).jobs).toEqual([])
    await t.patch(`${path}/${id}`, { reEligible: true }, 200)
    expect((await tell(t)).jobs).toHaveLength(1)
    expect((await tell(t)).jobs).toHaveLength(1)
  })
})

describe('effects of now', () => {
  test('subscribe puts the contact on the list, with the ledger’s entry, and never brings back who left', async () => {
    await using t = await testApp()
    const list = await t.mailingList({ name: 'L' })
    await t.post(path, { eventName: 'signup', action: 'subscribe', mailingListId: list.id, reEligible: true }, 201)
    const state = async () => (await t.app.db.select().from(subscriptions).all()).map(({ status }) => status)
    await tell(t)
    expect(await state()).toEqual(['active'])
    expect(await t.app.db.select().from(consentRecords).all()).toMatchObject([
      { action: 'granted', method: 'api', route: 'POST /v1/events/send', mailingListId: null },
      { action: 'granted', method: 'event_rule', mailingListId: list.id },
    ])
    await tell(t, { eventName: 'leave', mailingLists: { [list.id]: false } })
    await tell(t)
    expect(await state()).toEqual(['unsubscribed'])
    await tell(t, { email: 'bob@example.net', subscribed: false })
    expect(await state()).toEqual(['unsubscribed'])
    expect((await runsOf(t)).map(({ status, reason }) => `${status} ${reason}`).sort()).toEqual([
      'done null',
      'skipped unsubscribed',
      'skipped unsubscribed',
    ])
  })

  test('update_contact sets constants and what the event says', async () => {
    await using t = await testApp()
    const contactProperties = {
      plan: '{{event.plan}}',
      seats: '{{event.seats}}',
      firstName: 'Dear {{event.name|friend}}',
      old: null,
      stage: 'customer',
    }
    await t.post(path, { eventName: 'signup', action: 'update_contact', contactProperties }, 201)
    await tell(t, { old: 'x', eventProperties: { plan: 'pro', seats: 3 } })
    const [contact] = await t.app.db.select().from(contacts).all()
    expect(contact).toMatchObject({
      firstName: 'Dear friend',
      properties: { plan: 'pro', seats: 3, stage: 'customer' },
    })
    expect(contact?.properties).not.toHaveProperty('old')
  })

  test('what cannot be set fails the run, and not the event', async () => {
    await using t = await testApp()
    await t.post(
      path,
      { eventName: 'signup', action: 'update_contact', contactProperties: { seats: '{{event.seats}}' } },
      201,
    )
    await tell(t, { seats: 1, eventProperties: { seats: 'many' } })
    expect(await runsOf(t)).toMatchObject([{ status: 'failed', reason: expect.stringContaining('seats') }])
    expect((await t.app.db.select().from(contacts).all())[0]?.properties).toEqual({ seats: 1 })
  })
})

describe('a template in use', () => {
  test('is not deleted while a delayed mail will be sent with it, unless forced, which cancels them', async () => {
    await using t = await testApp()
    await t.template(welcome)
    await makeRule(t, { reEligible: true })
    const { jobs } = await tell(t)
    const refused = await t.unchanged(() => t.post('/v1/transactional/delete', { id: 'welcome' }, 409))
    expect(refused).toMatchObject({ code: 'template_in_use', errors: [{ path: 'force' }] })
    expect(refused.detail).toContain(jobs[0].jobId)
    for (let n = 0; n < 250; n++) await tell(t, { email: `r${n}@example.net` })
    await t.post('/v1/transactional/delete', { id: 'welcome', force: true }, 200)
    const runs = await runsOf(t)
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['cancelled']))
    expect(runs).toHaveLength(251)
    await t.advance('2d')
    expect(await t.sent()).toEqual([])
  })

  test('is deleted once they have left, and what then comes is a dead job', async () => {
    await using t = await testApp()
    await t.template(welcome)
    await makeRule(t, { reEligible: true })
    await tell(t)
    t.clock.advance(day)
    await t.settle()
    await t.post('/v1/transactional/delete', { id: 'welcome' }, 200)
    const { jobs } = await tell(t)
    await t.advance('1d')
    expect(await jobOf(t, jobs[0].jobId)).toMatchObject({ state: 'dead', lastCode: 'not_found' })
  })
})
