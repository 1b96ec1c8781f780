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
