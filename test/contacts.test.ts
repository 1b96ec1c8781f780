// Contacts through the whole product: the four routes of the specification, consent and its ledger, and what is refused.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { write } from '../src/core/app.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { countOn, makeList } from './support/lists.ts'
import { contactAt } from './support/people.ts'

const path = '/v1/contacts'
const ada = 'ada@example.net'

const create = (t: TestApp, body: object): Promise<Json> => t.post(`${path}/create`, body, 200)
const update = (t: TestApp, body: object): Promise<Json> => t.put(`${path}/update`, body, 200)
const emailsOf = ({ data }: Json) => data.map(({ email }: Json) => email)
const consentOf = async (t: TestApp, id: string) =>
  (await t.get(`${path}/${id}/consent`, 200)).data.map(
    ({ action, mailingListId, method }: Json) => `${action} ${mailingListId ?? 'all'} ${method}`,
  )

describe('the life of a contact', () => {
  test('created with everything, it is found by e-mail, by userId and by both', async () => {
    await using t = await testApp()
    const given = {
      userId: 'u-1',
      firstName: 'Ada',
      lastName: 'Lovelace',
      source: 'Website',
      userGroup: 'founders',
      locale: 'EN-gb',
      timezone: 'Europe/London',
      plan: 'pro',
      seats: 3,
      trial: false,
    }
    const made = await create(t, { email: 'Ada@Example.net', ...given })
    expect(made).toEqual({ success: true, id: expect.stringMatching(/^con_/), warnings: [] })
    const shown = {
      ...given,
      id: made.id,
      email: 'Ada@example.net',
      locale: 'en-GB',
      subscribed: true,
      mailingLists: {},
      optInStatus: null,
      createdAt: '2026-01-15T12:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
    }
    for (const query of ['email=ada@example.NET', 'userId=u-1', 'email=ADA@example.net&userId=u-1']) {
      expect(await t.get(`${path}/find?${query}`, 200), query).toEqual([shown])
    }
    expect(await t.get(`${path}/${made.id}`, 200)).toEqual(shown)
    for (const query of [
      'email=bob@example.net',
      'userId=U-1',
      'email=bob@example.net&userId=u-1',
      "email=' OR 1=1 --",
    ]) {
      expect(await t.get(`${path}/find?${query}`, 200), query).toEqual([])
    }
  })

  test('an update changes what is given: null clears, absent and empty leave', async () => {
    await using t = await testApp()
    await create(t, { email: ada, firstName: 'Ada', lastName: 'L', plan: 'pro', seats: 3 })
    await update(t, { email: ada, firstName: null, lastName: '', seats: null, plan: '', note: 'x' })
    const found = await contactAt(t, ada)
    expect(found).toMatchObject({ firstName: null, lastName: 'L', plan: 'pro', note: 'x' })
    expect(found.seats).toBeUndefined()
  })

  test('an update that changes nothing leaves the contact as it was', async () => {
    await using t = await testApp()
    await create(t, { email: ada, plan: 'pro', seats: 3 })
    t.clock.advance(60_000)
    await t.unchanged(() => update(t, { email: ada, plan: 'pro', seats: 3, subscribed: true }))
  })

  test('an update of somebody unknown makes them; with both ids userId finds and the e-mail changes', async () => {
    await using t = await testApp()
    const made = await update(t, { email: ada, userId: 'u-1' })
    expect(await update(t, { userId: 'u-1', email: 'ada@new.example' })).toEqual(made)
    expect(await contactAt(t, ada)).toBeUndefined()
    expect(await contactAt(t, 'ada@new.example')).toMatchObject({ id: made.id, userId: 'u-1' })
    expect(await create(t, { email: ada })).toMatchObject({ success: true })
    const refused = await t.unchanged(() => t.put(`${path}/update`, { userId: 'u-1', email: ada }, 409))
    expect([refused.code, refused.errors[0].path]).toEqual(['contact_exists', 'email'])
    await update(t, { email: ada, userId: 'u-2' })
    expect(await contactAt(t, ada)).toMatchObject({ userId: 'u-2' })
    await t.unchanged(() => t.put(`${path}/update`, { userId: 'u-3', email: ada }, 409))
  })

  test('changed by its id, its address and userId may change; those of another are refused', async () => {
    await using t = await testApp()
    const { id } = await create(t, { email: ada, userId: 'u-1', plan: 'pro' })
    await create(t, { email: 'ben@example.net', userId: 'u-2' })
    await t.patch(`${path}/${id}`, { email: 'ada@new.example', userId: 'u-3', plan: null }, 200)
    expect(await t.get(`${path}/${id}`, 200)).toMatchObject({
      email: 'ada@new.example',
      userId: 'u-3',
      subscribed: true,
    })
    await t.unchanged(() => t.patch(`${path}/${id}`, { userId: 'u-3', email: 'ada@new.example' }, 200))
    for (const taken of [{ email: 'BEN@example.net' }, { userId: 'u-2' }]) {
      const { code, errors } = await t.unchanged(() => t.patch(`${path}/${id}`, { firstName: 'x', ...taken }, 409))
      expect([code, errors[0].path]).toEqual(['contact_exists', Object.keys(taken)[0]])
    }
    await t.unchanged(() => t.patch(`${path}/con_unknown`, { firstName: 'x' }, 404))
    const { apiKey } = await t.stranger()
    await t.unchanged(() => t.patch(`${path}/${id}`, { firstName: 'x' }, 404, { as: { apiKey } }))
  })

  test('deleted by e-mail or userId it is gone; suppression and its address are another matter', async () => {
    await using t = await testApp()
    await create(t, { email: ada, userId: 'u-1', plan: 'pro' })
    await t.post('/v1/suppressions', { email: ada }, 201)
    expect(await t.post(`${path}/delete`, { userId: 'u-1' }, 200)).toEqual({
      success: true,
      message: 'Contact deleted.',
      warnings: [],
    })
    await t.unchanged(() => t.post(`${path}/delete`, { userId: 'u-1' }, 404))
    expect((await t.get(`${path}?property=plan&value=pro`, 200)).data).toEqual([])
    expect((await t.get(path, 200)).pagination.totalResults).toBe(0)
    expect((await t.get(`${path}/suppression-status?email=${ada}`, 200)).isSuppressed).toBe(true)
  })

  test('50 equal requests at once make one contact', async () => {
    await using t = await testApp()
    const all = await Promise.all(
      Array.from({ length: 50 }, () => t.request('POST', `${path}/create`, { email: ada, userId: 'u-1', plan: 'x' })),
    )
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(all.filter(({ status, body }) => status === 409 && body.code === 'contact_exists')).toHaveLength(49)
    const ids = await Promise.all(
      Array.from({ length: 50 }, (_, n) => update(t, { email: 'bob@example.net', seats: n })),
    )
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1)
    expect((await t.get(path, 200)).pagination.totalResults).toBe(2)
    expect(
      (await t.get(`${path}?property=seats&value=${(await contactAt(t, 'bob@example.net')).seats}`, 200)).data,
    ).toHaveLength(1)
  })

  test('the same address in two workspaces is two people', async () => {
    await using t = await testApp()
    const { apiKey } = await t.stranger()
    const as = { as: { apiKey } }
    const mine = await create(t, { email: ada, userId: 'u-1', firstName: 'Ada' })
    expect(await t.get(`${path}/find?email=${ada}`, 200, as)).toEqual([])
    expect(await t.get(`${path}/find?userId=u-1`, 200, as)).toEqual([])
    const theirs = await t.put(`${path}/update`, { email: ada, userId: 'u-1', firstName: 'Eve' }, 200, as)
    expect(theirs.id).not.toBe(mine.id)
    expect(await contactAt(t, ada)).toMatchObject({ firstName: 'Ada' })
    await t.post(`${path}/delete`, { email: ada }, 200, as)
    expect(await contactAt(t, ada)).toMatchObject({ id: mine.id })
    const listId = await makeList(t)
    await t.unchanged(() => t.put(`${path}/update`, { email: ada, mailingLists: { [listId]: true } }, 422, as))
    await t.unchanged(() => t.get(`${path}?listId=${listId}`, 422, as))
    await t.unchanged(() =>
      t.request('POST', `${path}/import?mailingListId=${listId}`, 'email\na@b.c', {
        ...as,
        headers: { 'content-type': 'text/csv' },
      }),
    )
  })
})

describe('custom properties', () => {
  test('the first value decides the type, and another type is refused with its path', async () => {
    await using t = await testApp()
    await create(t, { email: ada, seats: 3, trial: true, plan: 'pro' })
    const wrong = await t.unchanged(() =>
      t.put(`${path}/update`, { email: ada, seats: '3', trial: 1, plan: 7, vip: true }, 422),
    )
    expect(wrong.errors.map(({ path, code }: Json) => `${path} ${code}`)).toEqual([
      'seats wrong_type',
      'trial wrong_type',
      'plan wrong_type',
    ])
  })

  test('a declared date takes ISO times, days and milliseconds, and is found by its day', async () => {
    await using t = await testApp()
    const properties = '/api/v1/contacts/properties'
    await t.post(properties, { name: 'renewsAt', type: 'date' }, 200)
    await t.post(properties, { name: 'renewsAt', type: 'date' }, 200)
    await t.unchanged(() => t.post(properties, { name: 'renewsAt', type: 'number' }, 409))
    for (const name of ['Renews', 'email', 'a b', '__proto__', 'x'.repeat(51)])
      await t.unchanged(() => t.post(properties, { name, type: 'date' }, 422))
    for (const [renewsAt, stored] of [
      ['2026-03-01', '2026-03-01T00:00:00.000Z'],
      ['2026-03-01T01:00:00+01:00', '2026-03-01T00:00:00.000Z'],
      [1_772_323_200_000, '2026-03-01T00:00:00.000Z'],
    ]) {
      await update(t, { email: ada, renewsAt: '2020-01-01' })
      await update(t, { email: ada, renewsAt })
      expect((await contactAt(t, ada)).renewsAt).toBe(stored)
    }
    await t.unchanged(() => t.put(`${path}/update`, { email: ada, renewsAt: 'tomorrow' }, 422))
    expect(emailsOf(await t.get(`${path}?property=renewsAt&value=2026-03-01`, 200))).toEqual([ada])
    const keys = async (query: string) => (await t.get(`${properties}${query}`, 200)).map(({ key }: Json) => key)
    expect(await keys('?list=custom')).toEqual(['renewsAt'])
    expect(await keys('')).toContain('firstName')
  })

  test('a workspace may have 500, by requests and by files', async () => {
    await using t = await testApp()
    for (let n = 0; n < 5; n++) {
      const some = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${n * 100 + i}`, i]))
      await create(t, { email: `p${n}@example.net`, ...some })
    }
    const one = await t.unchanged(() => t.put(`${path}/update`, { email: 'p0@example.net', p0: 7, more: 1 }, 422))
    expect(one.errors).toMatchObject([{ path: 'more', code: 'too_many' }])
    const csv = { headers: { 'content-type': 'text/csv' } }
    await t.unchanged(() => t.post(`${path}/import`, 'email,subscribed,p0,more\n', 422, csv))
    await t.post(`${path}/import`, 'email,subscribed,p0\n', 202, csv)
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`p${i}`, i]))
    await t.unchanged(() => t.post(`${path}/create`, { email: ada, ...many }, 422))
    await t.settle()
  })

  test('names that mean something in JavaScript are only names', async () => {
    await using t = await testApp()
    const odd = {
      toString: 'a',
      valueOf: 'b',
      hasOwnProperty: 'c',
      toJSON: 'd',
      constructor: 'f',
      length: 7,
    }
    await create(t, { email: ada, ...odd })
    expect(await contactAt(t, ada)).toMatchObject(odd)
    await update(t, { email: ada, constructor: null, toString: null })
    expect(Object.keys(await contactAt(t, ada))).not.toContain('constructor')
    expect(emailsOf(await t.get(`${path}?property=valueOf&value=b`, 200))).toEqual([ada])
  })
})

describe('consent', () => {
  test('changes only where it is said, and every change is in the ledger', async () => {
    await using t = await testApp()
    const { id } = await create(t, { email: ada })
    expect(await consentOf(t, id)).toEqual(['granted all api'])
    await update(t, { email: ada, subscribed: false })
    for (const body of [{ firstName: 'Ada' }, { userId: 'u-1', plan: 'pro' }]) await update(t, { email: ada, ...body })
    expect(await contactAt(t, ada)).toMatchObject({ subscribed: false })
    await update(t, { email: ada, subscribed: true })
    expect(await contactAt(t, ada)).toMatchObject({ subscribed: true })
    expect(await consentOf(t, id)).toEqual(['granted all api', 'withdrawn all api', 'granted all api'])
  })

  test('who unsubscribed, was deleted and comes again is not subscribed, unless that is said', async () => {
    await using t = await testApp()
    await create(t, { email: ada })
    await update(t, { email: ada, subscribed: false })
    await t.post(`${path}/delete`, { email: ada }, 200)
    await create(t, { email: 'ADA@example.net' })
    expect(await contactAt(t, ada)).toMatchObject({ subscribed: false })
    await t.post(`${path}/delete`, { email: ada }, 200)
    await create(t, { email: ada, subscribed: true })
    await t.post(`${path}/delete`, { email: ada }, 200)
    const { apiKey } = await t.stranger()
    await t.post(`${path}/create`, { email: ada }, 200, { as: { apiKey } })
    expect((await t.get(`${path}/find?email=${ada}`, 200, { as: { apiKey } }))[0]).toMatchObject({ subscribed: true })
  })

  test('on a list with single opt-in true is active; with double opt-in it waits; false takes off; the count is kept', async () => {
    await using t = await testApp()
    const single = await makeList(t)
    const double = await makeList(t, { optIn: 'double' })
    const { id } = await create(t, { email: ada, mailingLists: { [single]: true, [double]: true } })
    expect(await contactAt(t, ada)).toMatchObject({ mailingLists: { [single]: true } })
    expect([await countOn(t, single), await countOn(t, double)]).toEqual([1, 0])
    await t.unchanged(() => update(t, { email: ada, mailingLists: { [single]: true, [double]: true } }))
    await update(t, { email: ada, mailingLists: { [single]: false, [double]: false } })
    expect(await contactAt(t, ada)).toMatchObject({ mailingLists: {}, subscribed: true })
    expect(await countOn(t, single)).toBe(0)
    await t.unchanged(() => update(t, { email: ada, mailingLists: { [single]: false, [double]: false } }))
    await update(t, { email: ada, mailingLists: { [single]: true, [double]: true } })
    expect(await countOn(t, single)).toBe(1)
    expect((await consentOf(t, id)).sort()).toEqual(
      [
        'granted all api',
        `granted ${single} api`,
        `requested ${double} api`,
        `withdrawn ${single} api`,
        `rejected ${double} api`,
        `granted ${single} api`,
        `requested ${double} api`,
      ].sort(),
    )
    expect(emailsOf(await t.get(`${path}?listId=${single}`, 200))).toEqual([ada])
    expect(emailsOf(await t.get(`${path}?listId=${double}&state=pending`, 200))).toEqual([ada])
    expect(emailsOf(await t.get(`${path}?listId=${double}`, 200))).toEqual([])
    await t.post(`${path}/delete`, { email: ada }, 200)
    expect(await countOn(t, single)).toBe(0)
  })

  test('what was said outside of a form is in the ledger with how it was said', async () => {
    await using t = await testApp()
    const list = await makeList(t)
    const { id } = await create(t, { email: ada, subscribed: false })
    const say = (body: Json, status: number) => t.post(`${path}/${id}/consent`, body, status)
    for (const [body, at] of [
      [{ statement: 'By letter.' }, 'subscribed'],
      [{ subscribed: true }, 'statement'],
      [{ subscribed: true, statement: '' }, 'statement'],
      [{ subscribed: true, statement: 'two\nlines' }, 'statement'],
      [{ subscribed: true, statement: 'x'.repeat(2_001) }, 'statement'],
      [{ mailingLists: { lst_unknown: true }, statement: 'By letter.' }, 'mailingLists.lst_unknown'],
      [{ subscribed: true, statement: 'By letter.', plan: 'pro' }, 'plan'],
    ]) {
      const { errors } = await t.unchanged(() => say(body, 422))
      expect(errors[0].path, JSON.stringify(body)).toBe(at)
    }
    const { data } = await say({ subscribed: true, mailingLists: { [list]: true }, statement: 'By letter.' }, 200)
    const given = { method: 'api', consentText: 'By letter.', action: 'granted' }
    expect(data.slice(1)).toMatchObject([
      { ...given, mailingListId: null },
      { ...given, mailingListId: list },
    ])
    expect(await contactAt(t, ada)).toMatchObject({ subscribed: true, mailingLists: { [list]: true } })
    await t.unchanged(() => say({ subscribed: true, mailingLists: { [list]: true }, statement: 'Again.' }, 200))
  })

  test('a record of consent cannot be changed', async () => {
    await using t = await testApp()
    await create(t, { email: ada, subscribed: true })
    const change = write(t.app, (tx) => tx.db.run(sql`UPDATE consent_records SET action = 'withdrawn'`))
    expect(
      await change.then(
        () => 'changed',
        () => 'refused',
      ),
    ).toBe('refused')
  })
})

describe('what is refused', () => {
  const local300 = `${'a'.repeat(300)}@example.net`
  const emails: [what: string, email: unknown][] = [
    ['two addresses', 'a@example.net, b@example.net'],
    ['a line break', 'a@example.net\r\nBcc: b@example.net'],
    ['a NUL', 'a\0@example.net'],
    ['300 characters', local300],
    ['SMTPUTF8', 'ü@example.net'],
    ['a name', 'Ada <a@example.net>'],
    ['no domain', 'ada'],
    ['a number', 5],
    ['an object', {}],
    ['a list', [ada]],
    ['null', null],
    ['empty', ''],
  ]
  for (const [what, email] of emails) {
    test(`an e-mail that is ${what}: 422 naming it, on create, update and delete`, async () => {
      await using t = await testApp()
      await create(t, { email: ada, userId: 'u-1' })
      for (const [method, at, more] of [
        ['POST', 'create', {}],
        ['PUT', 'update', { userId: 'u-1' }],
      ] as const) {
        const { status, body } = await t.unchanged(() => t.request(method, `${path}/${at}`, { email, ...more }))
        expect([status, body.code, body.errors[0].path], at).toEqual([422, 'validation_failed', 'email'])
      }
      const { status } = await t.unchanged(() => t.request('POST', `${path}/delete`, { email }))
      expect([404, 422]).toContain(status)
    })
  }

  const fields: [field: string, value: unknown][] = [
    ['firstName', 'a\nb'],
    ['firstName', 'x'.repeat(201)],
    ['firstName', 5],
    ['userId', 'x'.repeat(256)],
    ['userId', 'a\u0007'],
    ['subscribed', 'true'],
    ['subscribed', null],
    ['subscribed', 1],
    ['locale', 'english please'],
    ['timezone', 'Mars/Olympus'],
    ['mailingLists', []],
    ['mailingLists', { lst_x: 'yes' }],
    ['plan', { nested: true }],
    ['plan', ['a']],
    ['plan', 'x'.repeat(2_001)],
    ['plan', 'a\u0000b'],
    ['Plan', 'x'],
    ['plan-name', 'x'],
    ['p'.repeat(51), 'x'],
    ['_x', 'x'],
    ['first_name', 'x'],
    ['ünï', 'x'],
  ]
  for (const [field, value] of fields) {
    test(`${field.slice(0, 20)}: ${JSON.stringify(value).slice(0, 40)} is 422 naming it`, async () => {
      await using t = await testApp()
      const { status, body } = await t.unchanged(() =>
        t.request('POST', `${path}/create`, { email: ada, [field]: value }),
      )
      expect([status, body.code, body.errors[0].path]).toEqual([422, 'validation_failed', field])
    })
  }

  test('every fault of a request is listed', async () => {
    await using t = await testApp()
    const body = { email: 'x', firstName: 5, Plan: 1, locale: '!', subscribed: 'no' }
    const { errors } = await t.unchanged(() => t.post(`${path}/create`, body, 422))
    expect(errors.map(({ path }: Json) => path)).toEqual(Object.keys(body))
  })

  test('nobody named, unknown and archived lists, somebody who complained', async () => {
    await using t = await testApp()
    const archived = await makeList(t, { status: 'archived' })
    const single = await makeList(t)
    for (const [method, at] of [
      ['POST', 'create'],
      ['PUT', 'update'],
      ['POST', 'delete'],
    ]) {
      const { status, body } = await t.unchanged(() => t.request(method ?? '', `${path}/${at}`, { firstName: 'x' }))
      expect([status, body.code, body.errors[0].path], at).toEqual([422, 'missing_required_field', 'email'])
    }
    for (const query of ['', '?email=', '?email=&userId=']) await t.unchanged(() => t.get(`${path}/find${query}`, 422))
    for (const [listId, code] of [
      [archived, 'archived_list'],
      ['lst_unknown', 'unknown_list'],
    ]) {
      for (const on of [true, false]) {
        const body = { email: ada, newProperty: 1, mailingLists: { [single]: true, [listId ?? '']: on } }
        const { errors } = await t.unchanged(() => t.post(`${path}/create`, body, 422))
        expect(errors).toMatchObject([{ path: `mailingLists.${listId}`, code }])
      }
    }
    await create(t, { email: ada, mailingLists: { [single]: true } })
    await t.post('/v1/suppressions', { email: ada, reason: 'complaint' }, 201)
    const again = { email: ada, mailingLists: { [single]: true } }
    expect((await t.unchanged(() => t.put(`${path}/update`, again, 409))).code).toBe('invalid_state_transition')
  })

  test('JSON that means harm is 400, and nothing is polluted', async () => {
    await using t = await testApp()
    const deep = `{"email":"a@b.example","x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
    for (const body of [
      '{"email":"a@b.example","__proto__":{"isAdmin":true}}',
      '{"email":"a@b.example","email":"c@d.example"}',
      deep,
      '{',
      '{"email":"\\ud800@b.example"}',
    ]) {
      await t.unchanged(() => t.post(`${path}/create`, body, 400))
    }
    expect(({} as Json).isAdmin).toBeUndefined()
    await t.unchanged(() => t.post(`${path}/create`, 'null', 422))
    await t.unchanged(() => t.post(`${path}/create`, '[]', 422))
  })

  test('what is ours to set is ignored with a warning', async () => {
    await using t = await testApp()
    const evil = { id: 'con_evil', createdAt: '1999-01-01', workspaceId: 'ws_x', optInStatus: 'accepted' }
    const { id, warnings } = await create(t, { email: ada, ...evil })
    expect(warnings.map(({ path }: Json) => path)).toEqual(Object.keys(evil))
    expect(id).not.toBe('con_evil')
    expect(await contactAt(t, ada)).toMatchObject({ id, optInStatus: null, createdAt: '2026-01-15T12:00:00.000Z' })
  })

  test('an IDN domain is its ASCII form, in every route', async () => {
    await using t = await testApp()
    const { id } = await create(t, { email: 'ada@bücher.example' })
    expect(await contactAt(t, 'ada@BÜCHER.example')).toMatchObject({ id, email: 'ada@xn--bcher-kva.example' })
    await t.unchanged(() => t.post(`${path}/create`, { email: 'ada@xn--bcher-kva.example' }, 409))
    await t.post(`${path}/delete`, { email: 'ada@bücher.example' }, 200)
  })
})

describe('R13: any sequence of calls', () => {
  const emails = ['a@x.example', 'b@x.example', 'c@x.example']
  const userIds = ['u1', 'u2']
  interface Person {
    email: string
    userId: string | null
    firstName: string | null
  }
  interface Call {
    verb: 'create' | 'update' | 'delete'
    email?: string
    userId?: string
    firstName?: string | null
    subscribed?: boolean
  }
  const call: fc.Arbitrary<Call> = fc.record(
    {
      verb: fc.constantFrom('create', 'update', 'update', 'delete'),
      email: fc.constantFrom(...emails),
      userId: fc.constantFrom(...userIds),
      firstName: fc.constantFrom('Ada', 'Bob', null),
      subscribed: fc.boolean(),
    },
    { requiredKeys: ['verb'] },
  ) as fc.Arbitrary<Call>

  /** What should happen: the status, with `people` changed. Consent has its tests above. */
  function expected(people: Person[], { verb, email, userId, firstName }: Call): number {
    const byMail = people.find((one) => one.email === email)
    const byUser = userId === undefined ? undefined : people.find((one) => one.userId === userId)
    if (verb === 'delete') {
      if (email === undefined && userId === undefined) return 422
      const found = email === undefined ? byUser : userId === undefined || byMail === byUser ? byMail : undefined
      if (!found) return 404
      people.splice(people.indexOf(found), 1)
      return 200
    }
    if (verb === 'create' && email === undefined) return 422
    if (email === undefined && userId === undefined) return 422
    if (verb === 'create' && (byMail || byUser)) return 409
    if (byUser && byMail && byUser !== byMail) return 409
    if (!byUser && byMail && userId !== undefined && byMail.userId !== null) return 409
    const found = byUser ?? byMail
    if (!found && email === undefined) return 422
    const person = found ?? { email: email ?? '', userId: null, firstName: null }
    if (!found) people.push(person)
    const given = { email, userId, firstName }
    Object.assign(person, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)))
    return 200
  }

  test('create, update, find and delete are what a plain list would be', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
        await using t = await testApp()
        const people: Person[] = []
        const methods = { create: 'POST', update: 'PUT', delete: 'POST' }
        for (const { verb, ...body } of calls) {
          t.clock.advance(1)
          const wanted = expected(people, { verb, ...body })
          const reply = await t.request(methods[verb], `${path}/${verb}`, body)
          expect(reply.status, JSON.stringify([verb, body])).toBe(wanted)
        }
        const { data, pagination } = await t.get(`${path}?perPage=100`, 200)
        const shown = data.map(({ email, userId, firstName }: Json) => ({ email, userId, firstName }))
        const known = people.map(({ email, userId, firstName }) => ({ email, userId, firstName }))
        const byEmail = (one: Json, other: Json) => (one.email < other.email ? -1 : 1)
        expect(shown.sort(byEmail)).toEqual(known.sort(byEmail))
        expect(pagination.totalResults).toBe(people.length)
      }),
      { numRuns: remoteDatabase ? 5 : 40 },
    )
  })
})
