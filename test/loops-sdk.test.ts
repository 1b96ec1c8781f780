// The npm SDK of the family, with only its base address changed: the calls that sending answers.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { APIError, LoopsClient } from 'loops'
import { testApp } from './support/app.ts'
import { makeList } from './support/lists.ts'

test('the loops SDK tests its key and sends a transactional mail', async () => {
  await using t = await testApp()
  const content = [{ type: 'text', text: 'Hello {{name}}' }]
  await t.post('/v1/transactional/create', { id: 'hello', name: 'Hello', subject: 'Hi {{name}}', content }, 201)
  const loops = new LoopsClient(t.apiKey)
  loops.apiRoot = `${t.url}/api/`
  expect(await loops.testApiKey()).toEqual({ success: true, teamName: 'Acme' })

  const mail = {
    transactionalId: 'hello',
    email: 'ada@example.net',
    dataVariables: { name: 'Ada' },
    addToAudience: true,
  }
  const attachments = [{ filename: 'a.txt', contentType: 'text/plain', data: 'aGk=' }]
  const headers = { 'Idempotency-Key': 'k-1' }
  for (let i = 0; i < 2; i++) {
    expect(await loops.sendTransactionalEmail({ ...mail, attachments, headers })).toMatchObject({ success: true })
  }
  await t.settle()
  expect(await t.sent()).toHaveLength(1)

  const refused = loops.sendTransactionalEmail({ ...mail, transactionalId: 'unknown' })
  const error = await refused.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(APIError)
  expect(error).toMatchObject({ statusCode: 404, json: { success: false } })

  const wrong = new LoopsClient('pqk_wrong')
  wrong.apiRoot = loops.apiRoot
  expect(wrong.testApiKey()).rejects.toMatchObject({ statusCode: 401 })
})

test('the loops SDK makes, finds, changes and deletes contacts, declares properties, and asks about suppression', async () => {
  await using t = await testApp()
  const listId = await makeList(t)
  const loops = new LoopsClient(t.apiKey)
  loops.apiRoot = `${t.url}/api/`
  const email = 'ada@example.net'
  expect(await loops.createContactProperty('renewsAt', 'date')).toMatchObject({ success: true })
  const properties = { firstName: 'Ada', userId: 'u-1', plan: 'pro', renewsAt: Date.parse('2026-03-01') }
  const made = await loops.createContact({ email, properties, mailingLists: { [listId]: true } })
  expect(made).toMatchObject({ success: true, id: expect.stringMatching(/^con_/) })
  expect(await loops.findContact({ userId: 'u-1' })).toMatchObject([
    { id: made.id, email, plan: 'pro', renewsAt: '2026-03-01T00:00:00.000Z', mailingLists: { [listId]: true } },
  ])
  const changed = await loops.updateContact({
    email,
    properties: { plan: null, seats: 3 },
    mailingLists: { [listId]: false },
  })
  expect(changed).toEqual(made)
  expect(await loops.findContact({ email })).toMatchObject([{ seats: 3, mailingLists: {} }])
  expect(await loops.listContactProperties('custom')).toContainEqual({ key: 'seats', label: 'Seats', type: 'number' })
  expect(await loops.listContactProperties()).toContainEqual({ key: 'firstName', label: 'First name', type: 'string' })

  const again = await loops.createContact({ email }).catch((thrown: unknown) => thrown)
  expect(again).toMatchObject({ statusCode: 409, json: { success: false, message: expect.any(String) } })

  await t.post('/v1/suppressions', { email }, 201)
  const contact = { id: made.id, email, userId: 'u-1' }
  expect(await loops.checkContactSuppression({ userId: 'u-1' })).toMatchObject({ contact, isSuppressed: true })
  expect(await loops.removeContactSuppression({ email })).toMatchObject({ success: true, removalQuota: {} })
  expect(await loops.checkContactSuppression({ email })).toMatchObject({ contact, isSuppressed: false })

  expect(await loops.deleteContact({ email })).toMatchObject({ success: true, message: 'Contact deleted.' })
  expect(await loops.findContact({ email })).toEqual([])
})

test('K14: names as callers have them: properties in snake_case, events with spaces', async () => {
  await using t = await testApp()
  const loops = new LoopsClient(t.apiKey)
  loops.apiRoot = `${t.url}/api/`
  const email = 'ada@example.net'
  await loops.createContactProperty('renews_at', 'date')
  await loops.createContact({ email, properties: { plan_name: 'pro', renews_at: Date.parse('2026-03-01') } })
  expect(await loops.findContact({ email })).toMatchObject([
    { plan_name: 'pro', renews_at: '2026-03-01T00:00:00.000Z' },
  ])
  expect(await loops.listContactProperties('custom')).toContainEqual({
    key: 'plan_name',
    label: 'Plan name',
    type: 'string',
  })
  expect((await t.get('/v1/contacts?property=plan_name&value=pro', 200)).data).toHaveLength(1)
  const content = [{ type: 'text', text: 'Your plan: {{contact.plan_name}}.' }]
  await t.post('/v1/transactional/create', { id: 'plan', name: 'Plan', subject: 'Plan', content }, 201)
  const rule = { eventName: 'Trial Started', action: 'send_template', templateId: 'plan' }
  await t.post('/v1/event-rules', rule, 201)
  expect(await loops.sendEvent({ email, eventName: 'Trial Started' })).toMatchObject({ success: true })
  await t.settle()
  expect((await t.sent()).map(({ raw }) => raw.replaceAll('=\r\n', '').includes('Your plan: pro.'))).toEqual([true])
  for (const eventName of [' Trial', 'Trial ', ' ', 'Trial\tstarted'])
    await t.unchanged(() => t.post('/v1/events/send', { email, eventName }, 422))
  for (const name of ['first_name', 'created_at', 'user_id'])
    await t.unchanged(() => t.post('/api/v1/contacts/properties', { name, type: 'string' }, 422))
})

test('P24: the loops SDK lists and fetches transactional mails', async () => {
  await using t = await testApp()
  const loops = new LoopsClient(t.apiKey)
  loops.apiRoot = `${t.url}/api/`
  const content = [{ type: 'text', text: 'Hello {{name}}' }]
  for (const id of ['hello', 'bye'])
    await t.post('/v1/transactional/create', { id, name: id, subject: 'Hi', content }, 201)
  const listed = await loops.listTransactionalEmails({ perPage: 10 })
  expect(listed).toMatchObject({ pagination: { totalResults: 2 }, data: [{ id: 'bye' }, { id: 'hello' }] })
  const { revisionId } = await t.get('/v1/transactional/hello', 200)
  const one = await loops.getTransactionalEmail('hello')
  expect(one).toEqual({
    id: 'hello',
    name: 'hello',
    url: `${t.url}/v1/transactional/hello`,
    draftEmailMessageId: null,
    publishedEmailMessageId: revisionId,
    transactionalGroupId: null,
    createdAt: '2026-01-15T12:00:00.000Z',
    updatedAt: '2026-01-15T12:00:00.000Z',
    dataVariables: ['name'],
  })
  expect(listed.data[1]).toEqual(one)
  expect(loops.getTransactionalEmail('nothing')).rejects.toMatchObject({ statusCode: 404 })
})

test('K15: docs/api.md names exactly the methods of the loops SDK that have a route here', async () => {
  await using t = await testApp()
  const source = await Bun.file(join(import.meta.dir, '../node_modules/loops/dist/index.esm.js')).text()
  const calls = source.matchAll(
    /async (\w+)\((?:(?!\n {2}async )[\s\S])*?_makeQuery\(\{\s*path: ["`]([^"`]+)["`](?:,\s*method: "(\w+)")?/g,
  )
  const asked = [...calls].map(([, name = '', path = '', method = 'GET']) => ({ name, path, method }))
  expect(asked.length).toBeGreaterThan(60)
  // Routes of the same name, of another shape.
  const other = ['createCampaign', 'getCampaign', 'listCampaigns']
  const served: string[] = []
  for (const { name, path, method } of asked) {
    const reply = await t.request(
      method,
      `/api/${path.replaceAll(/\$\{[^}]*\}/g, 'x')}`,
      method === 'GET' ? undefined : {},
    )
    const isMissing = reply.status === 405 || reply.body.detail === 'There is nothing at this address.'
    if (!isMissing && !other.includes(name)) served.push(name)
  }
  const text = await Bun.file(join(import.meta.dir, '../docs/api.md')).text()
  const paragraph = /Of its methods these work: ([\s\S]*?)\n\n/.exec(text)?.[1] ?? ''
  const named = [...paragraph.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(named.sort()).toEqual(served.sort())
})
