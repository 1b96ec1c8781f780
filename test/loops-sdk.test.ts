// The npm SDK of the family, with only its base address changed: the calls that sending answers.

import { expect, test } from 'bun:test'
import { APIError, LoopsClient } from 'loops'
import { testApp } from './support/app.ts'

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
