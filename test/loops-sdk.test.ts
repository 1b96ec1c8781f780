// The npm SDK of the family, with only its base address changed: the calls that sending answers.

import { expect, test } from 'bun:test'
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
