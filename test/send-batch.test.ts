// Many sends in one request: each has its own result, all that are acceptable are one transaction, and one key is for all of them.

import { expect, test } from 'bun:test'
import { messageAttachments, messages } from '../db/tables/messages.ts'
import { idempotencyKeys } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { greeting } from './support/arrange.ts'

const path = '/v1/transactional/send-batch'
const hello = (email: string, more: object = {}) => ({
  email,
  templateId: 'hello',
  dataVariables: { name: 'Ada' },
  ...more,
})

const rows = (t: TestApp) => t.app.db.select().from(messages)

test('a bad one costs its neighbours nothing, and says where it is wrong', async () => {
  await using t = await testApp()
  await t.template(greeting)
  await write(t.app, (tx) => suppress(tx, t.workspace.id, { email: 'gone@example.net', reason: 'manual' }))
  const list = [
    hello('a@example.net'),
    hello('not an address'),
    'no message at all',
    hello('b@example.net', { templateId: 'unknown' }),
    hello('c@example.net', { dataVariables: {} }),
    hello('gone@example.net'),
    { templateId: 'hello', to: ['d@example.net', 'e@example.net'], dataVariables: { name: 'Both' } },
    hello('f@example.net', { tags: [''], fromName: 7 }),
    hello('g@example.net', { attachments: [{ filename: 'a.exe', contentType: 'application/exe', data: '' }] }),
    { templateId: 'hello' },
    null,
  ]
  const { accepted, results } = await t.post(path, { messages: list }, 200)
  expect(accepted).toBe(2)
  expect(results.map(({ success, code, errors }: Json) => [success, code, errors?.[0]?.path])).toEqual([
    [true, undefined, undefined],
    [false, 'validation_failed', 'messages[1].email'],
    [false, 'validation_failed', 'messages[2]'],
    [false, 'not_found', undefined],
    [false, 'missing_variable', 'messages[4].dataVariables.name'],
    [false, 'recipient_suppressed', 'messages[5].email'],
    [true, undefined, undefined],
    [false, 'validation_failed', 'messages[7].fromName'],
    [false, 'attachment_type_not_allowed', 'messages[8].attachments[0].contentType'],
    [false, 'missing_required_field', 'messages[9].email'],
    [false, 'validation_failed', 'messages[10]'],
  ])
  expect(await t.get(`/v1/activity/${results[5].messageId}`, 200)).toMatchObject({ status: 'suppressed' })
  expect(results[6].messages).toHaveLength(2)
  await t.settle()
  const sent = (await t.sent()).map(({ to }) => to).sort()
  expect(sent).toEqual(['a@example.net', 'd@example.net', 'e@example.net'])
})

test('one key is for all: a repeat gets the first answer and sends nothing, another body is refused', async () => {
  await using t = await testApp()
  await t.template(greeting)
  const headers = { 'idempotency-key': 'batch-1' }
  const list = [hello('a@example.net'), hello('nobody'), hello('b@example.net', { addToContact: true })]
  const first = await t.post(path, list, 200, { headers })
  expect(first.results[1].errors[0].path).toBe('[1].email')
  const repeat = await t.request('POST', path, list, { headers })
  expect(repeat.headers.get('idempotency-replayed')).toBe('true')
  expect(repeat.body).toEqual(first)
  await t.post(path, list.slice(1), 422, { headers })
  expect(await rows(t)).toHaveLength(2)
  const found = await t.get('/v1/activity?idempotencyKey=batch-1', 200)
  expect(found.data.map(({ messageId }: Json) => messageId).sort()).toEqual(
    [first.results[0].messageId, first.results[2].messageId].sort(),
  )
  await t.get('/v1/contacts/find?email=b@example.net', 200).then((contacts) => expect(contacts).toHaveLength(1))
})

test('500 are one request and one transaction; 501, none, and more than 1,000 recipients are refused as a whole', async () => {
  await using t = await testApp()
  await t.template(greeting)
  const list = Array.from({ length: 500 }, (_, n) => hello(`a${n}@example.net`))
  const { accepted, results } = await t.post(path, { messages: list }, 200)
  expect(accepted).toBe(500)
  expect(new Set(results.map(({ messageId }: Json) => messageId)).size).toBe(500)
  const stored = await rows(t)
  expect(new Set(stored.map(({ createdAt }) => createdAt.getTime())).size).toBe(1)
  const many = Array.from({ length: 21 }, (_, n) => ({
    ...hello(''),
    email: undefined,
    to: Array.from({ length: 50 }, (_, m) => `m${n}-${m}@example.net`),
  }))
  const refused: [body: unknown, path: string][] = [
    [{ messages: [...list, hello('one@example.net')] }, 'messages'],
    [{ messages: [] }, 'messages'],
    [[], 'body'],
    [{ messages: many }, 'messages'],
    [{}, 'messages'],
  ]
  for (const [body, at] of refused) {
    const { errors } = await t.post(path, body, 422, { headers: { 'idempotency-key': 'k' } })
    expect(errors[0].path).toBe(at)
  }
  expect(await rows(t)).toHaveLength(500)
  expect(await t.app.db.select().from(idempotencyKeys)).toEqual([])
})

test('attachments of those that are accepted are kept, and of no other', async () => {
  await using t = await testApp()
  await t.template(greeting)
  await write(t.app, (tx) => suppress(tx, t.workspace.id, { email: 'gone@example.net', reason: 'manual' }))
  const attachments = [{ filename: 'a.txt', contentType: 'text/plain', data: 'aGk=' }]
  const list = [
    hello('a@example.net', { attachments }),
    hello('gone@example.net', { attachments }),
    hello('b@example.net', { attachments, dataVariables: {} }),
  ]
  const { results } = await t.post(path, { messages: list }, 200)
  const kept = await t.app.db.select({ id: messageAttachments.messageId }).from(messageAttachments)
  expect(kept).toEqual([{ id: results[0].messageId }])
})
