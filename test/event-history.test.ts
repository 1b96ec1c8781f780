// Events as they came, what each set off and what is scheduled; and a rule that is tried with a past event answers as the rule itself
// would, without doing anything.

import { describe, expect, test } from 'bun:test'
import { type Json, type TestApp, testApp } from './support/app.ts'

const rules = '/v1/event-rules'

const ends = { id: 'ends', subject: 'It ends, {{name}}', text: 'Hi {{name}}' }

const mailing = {
  eventName: 'trialStarted',
  action: 'send_template',
  templateId: 'ends',
  delay: { amount: 10, unit: 'd' },
  filter: [{ property: 'plan', operator: 'equals', value: 'pro' }],
  cancelOn: ['subscribed'],
  variables: { name: '{{event.name|you}}' },
}

const tell = async (t: TestApp, eventName: string, eventProperties: object = {}, name = 'ada'): Promise<string> =>
  (await t.post('/v1/events/send', { eventName, eventProperties, email: `${name}@example.net` }, 200)).eventId

/** Nothing is written by it. */
const tried = (t: TestApp, ruleId: string, eventId: string): Promise<Json> =>
  t.unchanged(() => t.post(`${rules}/${ruleId}/try`, { eventId }, 200))

const failing = ({ checks }: Json) => checks.filter(({ ok }: Json) => !ok).map((one: Json) => [one.check, one.value])

describe('events', () => {
  test('are listed newest first, by name, contact and time, and page by page', async () => {
    await using t = await testApp()
    const ids: string[] = []
    for (const [name, who] of [
      ['signup', 'ada'],
      ['login', 'ada'],
      ['login', 'ben'],
    ] as const) {
      ids.push(await tell(t, name, { plan: 'pro' }, who))
      t.clock.advance(60_000)
    }
    const [signup, login, other] = ids
    const found = async (query: string) => (await t.get(`/v1/events${query}`, 200)).data.map(({ id }: Json) => id)
    expect(await found('')).toEqual([other, login, signup])
    expect(await found('?name=login')).toEqual([other, login])
    expect(await found('?email=ADA@example.net')).toEqual([login, signup])
    expect(await found('?email=ada@example.net&name=login')).toEqual([login])
    expect(await found('?email=nobody@example.net')).toEqual([])
    expect(await found('?from=2026-01-15T12:01:00Z&until=2026-01-15T12:02:00Z')).toEqual([login])
    const first = await t.get('/v1/events?perPage=2', 200)
    expect(first.pagination).toMatchObject({ totalResults: 3, returnedResults: 2 })
    expect(await found(`?perPage=2&cursor=${first.pagination.nextCursor}`)).toEqual([signup])
    expect(first.data[0]).toMatchObject({ name: 'login', email: 'ben@example.net', origin: 'api' })
    const names = await t.get('/v1/event-names?perPage=1', 200)
    expect(names).toMatchObject({ data: [{ name: 'login', lastEventId: other }], pagination: { totalResults: 2 } })
    const rest = await t.get(`/v1/event-names?perPage=1&cursor=${names.pagination.nextCursor}`, 200)
    expect(rest).toMatchObject({ data: [{ name: 'signup' }], pagination: { nextCursor: null } })
  })

  test('tell what rules did for them, from the schedule to the mail, also when the rule is gone', async () => {
    await using t = await testApp()
    await t.template(ends)
    const { id: ruleId } = await t.post(rules, mailing, 201)
    const eventId = await tell(t, 'trialStarted', { plan: 'pro', deep: { list: [1] } })
    expect(await t.get(`/v1/events/${eventId}`, 200)).toMatchObject({
      properties: { plan: 'pro', deep: { list: [1] } },
      runs: [{ ruleId, ruleName: 'trialStarted', status: 'scheduled', runAt: '2026-01-25T12:00:00.000Z' }],
    })
    expect(await t.get(`${rules}/${ruleId}/scheduled`, 200)).toMatchObject({
      data: [{ eventId, email: 'ada@example.net', runAt: '2026-01-25T12:00:00.000Z' }],
      pagination: { totalResults: 1 },
    })
    expect(await t.get(`${rules}/${ruleId}/calendar`, 200)).toEqual({
      total: 1,
      isComplete: true,
      days: [{ day: '2026-01-25', count: 1 }],
    })
    await t.advance('10d')
    const [{ messageId, status }] = (await t.get(`/v1/events/${eventId}`, 200)).runs
    expect([status, (await t.get(`/v1/activity/${messageId}`, 200)).ruleId]).toEqual(['done', ruleId])
    expect((await t.get(`${rules}/${ruleId}/scheduled`, 200)).data).toEqual([])
    await t.delete(`${rules}/${ruleId}`, undefined, 200)
    expect((await t.get(`/v1/events/${eventId}`, 200)).runs).toMatchObject([{ ruleId, ruleName: null, action: null }])
  })

  test('of another workspace are not there, neither to look at nor to try', async () => {
    await using t = await testApp()
    const { id } = await t.post(rules, { ...mailing, action: 'update_contact', contactProperties: { plan: 'x' } }, 201)
    await t.get('/v1/events/evt_none', 404)
    await t.post(`${rules}/${id}/try`, { eventId: 'evt_none' }, 404)
    await t.get(`${rules}/rule_none/scheduled`, 404)
  })
})

describe('a rule that is tried', () => {
  test('shows the mail that it would send, and when, for an event from before it was made', async () => {
    await using t = await testApp()
    await t.template(ends)
    const eventId = await tell(t, 'trialStarted', { plan: 'pro', name: 'Ada' })
    t.clock.advance(60_000)
    const { id } = await t.post(rules, mailing, 201)
    expect(await tried(t, id, eventId)).toMatchObject({
      wouldRun: true,
      runAt: '2026-01-25T12:00:00.000Z',
      mail: { to: 'ada@example.net', subject: 'It ends, Ada', variables: { name: 'Ada' } },
      conditions: [{ property: 'plan', found: 'pro', isMet: true }],
      ran: null,
    })
  })

  test('says why not: another event, switched off, a condition, an earlier run, and what cancelled it', async () => {
    await using t = await testApp()
    await t.template(ends)
    const { id } = await t.post(rules, mailing, 201)
    const basic = await tell(t, 'trialStarted', { plan: 'basic' })
    const first = await tell(t, 'trialStarted', { plan: 'pro' })
    t.clock.advance(60_000)
    const second = await tell(t, 'trialStarted', { plan: 'pro' })
    const unmet = await tried(t, id, basic)
    expect(failing(unmet)).toEqual([['conditions', 'not met: plan']])
    expect(unmet.conditions).toMatchObject([{ found: 'basic', isMet: false }])
    expect(await tried(t, id, first)).toMatchObject({ wouldRun: true, ran: { status: 'scheduled' } })
    expect(failing(await tried(t, id, second))).toEqual([['once', 'it ran for this contact before']])
    const other = await tell(t, 'subscribed')
    expect(failing(await tried(t, id, other))[0]).toEqual(['event', 'subscribed is not trialStarted'])
    expect(failing(await tried(t, id, first))).toEqual([['cancelled', 'subscribed came at 2026-01-15T12:01:00.000Z']])
    await t.patch(`${rules}/${id}`, { enabled: false, cancelOn: [] }, 200)
    expect(failing(await tried(t, id, first))).toEqual([['enabled', 'the rule is disabled']])
  })

  test('says of the contact and the template what the worker would find', async () => {
    await using t = await testApp()
    await t.template(ends)
    const { id } = await t.post(rules, { ...mailing, variables: { name: '{{event.name}}' } }, 201)
    const eventId = await tell(t, 'trialStarted', { plan: 'pro' })
    expect(failing(await tried(t, id, eventId))).toEqual([['action', expect.stringContaining('name')]])
    await t.patch(`${rules}/${id}`, { variables: { name: 'you' } }, 200)
    await t.post('/v1/suppressions', { email: 'ada@example.net' }, 201)
    expect(failing(await tried(t, id, eventId))).toEqual([['contact', 'suppressed']])
    await t.put('/v1/contacts/update', { email: 'ada@example.net', subscribed: false }, 200)
    expect(failing(await tried(t, id, eventId))).toEqual([['contact', 'unsubscribed']])
    await t.post('/v1/contacts/delete', { email: 'ada@example.net' }, 200)
    expect(failing(await tried(t, id, eventId))).toEqual([['contact', 'contact_deleted']])
  })

  test('that changes or subscribes a contact is asked what it would do, and does not', async () => {
    await using t = await testApp()
    const list = await t.mailingList({ optIn: 'single' })
    await t.put('/v1/contacts/update', { email: 'ada@example.net', seats: 3 }, 200)
    const eventId = await tell(t, 'upgraded', { plan: 'pro' })
    t.clock.advance(60_000)
    const of = async (rule: object) =>
      tried(t, (await t.post(rules, { eventName: 'upgraded', ...rule }, 201)).id, eventId)
    const update = { action: 'update_contact' }
    expect(await of({ ...update, contactProperties: { plan: '{{event.plan}}' } })).toMatchObject({
      wouldRun: true,
      runAt: null,
      contactProperties: { plan: 'pro' },
    })
    const wrong = await of({ ...update, contactProperties: { seats: '{{event.plan}}' } })
    expect(failing(wrong)).toEqual([['action', expect.stringContaining('seats must be a number')]])
    const empty = await of({ ...update, contactProperties: { plan: '{{event.none}}' } })
    expect(failing(empty)).toEqual([['action', 'nothing_to_set']])
    const joining = { action: 'subscribe', mailingListId: list.id }
    expect(await of(joining)).toMatchObject({ wouldRun: true })
    await t.put('/v1/contacts/update', { email: 'ada@example.net', mailingLists: { [list.id]: true } }, 200)
    await t.put('/v1/contacts/update', { email: 'ada@example.net', mailingLists: { [list.id]: false } }, 200)
    expect(failing(await of(joining))).toEqual([['action', 'unsubscribed']])
  })
})
