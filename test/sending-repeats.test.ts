// A send that comes again under its Idempotency-Key is one mail and one answer.

import { describe, expect, test } from 'bun:test'
import { outboxJobs } from '../db/tables/outbox.ts'
import { type TestApp, testApp } from './support/app.ts'
import { greeting } from './support/arrange.ts'
import { ranOnFile } from './support/database.ts'

/** What a mail looks like, and what is refused, is the same on any database. */
const once = test.skipIf(ranOnFile)

const path = '/v1/transactional/send'
const hello = { email: 'ada@example.net', templateId: 'hello', dataVariables: { name: 'Ada' } }
const jobsOf = (t: TestApp) => t.app.db.select().from(outboxJobs).all()

describe('Idempotency-Key', () => {
  const keyed = (key = 'order-1') => ({ headers: { 'idempotency-key': key } })

  test('a repeat gets the first answer and sends nothing, also after the template is gone', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const body = { ...hello, dataVariables: { name: 'Ada', extra: 1 }, addToContact: true }
    const first = await t.request('POST', path, body, keyed())
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null])
    await t.settle()
    await t.post('/v1/transactional/delete', { id: 'hello' }, 200)
    const { dataVariables, ...others } = body
    for (const same of [body, { dataVariables, ...others }]) {
      for (const address of [path, '/api/v1/transactional']) {
        const again = await t.unchanged(() => t.request('POST', address, same, keyed()))
        expect([again.status, again.text]).toEqual([200, first.text])
        expect(again.headers.get('idempotency-replayed')).toBe('true')
      }
    }
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
  })

  test('another body with it is 422, another key or workspace is another send', async () => {
    await using t = await testApp()
    const other = { as: await t.stranger(), ...keyed() }
    await t.template(greeting)
    await t.template({ name: 'x', subject: 'x', text: 'x' }, other)
    const mine = await t.post(path, hello, 200, keyed())
    const refused = await t.unchanged(() => t.post(path, { ...hello, email: 'eve@example.net' }, 422, keyed()))
    expect(refused.code).toBe('idempotency_key_mismatch')
    const second = await t.post(path, hello, 200, keyed('order-2'))
    const theirs = await t.post(path, hello, 200, other)
    expect(new Set([mine, second, theirs].map(({ messageId }) => messageId)).size).toBe(3)
  })

  test('R14: 50 equal requests at once are one mail and 50 equal answers', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const body = { ...hello, addToContact: true }
    const replies = await Promise.all(Array.from({ length: 50 }, () => t.request('POST', path, body, keyed())))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(200)
    expect(replies.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1)
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
    expect(await jobsOf(t)).toHaveLength(1)
    expect((await t.get('/v1/activity?idempotencyKey=order-1', 200)).data).toHaveLength(1)
  })

  test('50 different requests at once with one key are one mail and 49 refusals', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const bodies = Array.from({ length: 50 }, (_, i) => ({ ...hello, email: `a${i}@example.net` }))
    const replies = await Promise.all(bodies.map((body) => t.request('POST', path, body, keyed())))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of replies)
      if (status !== 200) expect(['idempotency_key_mismatch', 'idempotency_key_in_use']).toContain(body.code)
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
  })

  test('what is refused frees the key', async () => {
    await using t = await testApp()
    await t.unchanged(() => t.post(path, hello, 404, keyed()))
    await t.template(greeting)
    for (const body of [{ ...hello, dataVariables: {} }, { ...hello, email: 'nobody' }, { email: 5 }]) {
      await t.unchanged(() => t.post(path, body, 422, keyed()))
    }
    await t.post(path, hello, 200, keyed())
    await t.unchanged(() => t.post(path, { ...hello, dataVariables: {} }, 422, keyed()))
  })

  once('has 1 to 256 printable ASCII characters', async () => {
    await using t = await testApp()
    await t.template(greeting)
    for (const key of ['', 'a'.repeat(257), 'clé']) {
      const refused = await t.unchanged(() => t.post(path, hello, 422, keyed(key)))
      expect([refused.code, refused.errors[0].path], key).toEqual(['validation_failed', 'Idempotency-Key'])
    }
    await t.post(path, hello, 200, keyed('a'.repeat(256)))
  })
})
