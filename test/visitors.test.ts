// The public key of a subscription source in the hands of anybody: what a visitor can change, and what they can learn.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contacts } from '../db/tables/contacts.ts'
import { consentRecords, subscriptions } from '../db/tables/lists.ts'
import { outboxAttempts, outboxJobs } from '../db/tables/outbox.ts'
import { type Json, type Reply, type TestApp, testApp } from './support/app.ts'
import { contactOf } from './support/people.ts'

const path = '/v1/contact-subscriptions/opt-in'
const origin = 'https://shop.example'

const form = (t: TestApp, optIn: 'single' | 'double') => t.form(optIn, { type: 'form', allowedOrigins: [origin] })

const visit = (t: TestApp, sourceId: string, body: object, headers: Record<string, string> = {}): Promise<Reply> =>
  t.request('POST', path, { sourceId, ...body }, { as: { apiKey: sourceId }, headers: { origin, ...headers } })

async function linkOf(t: TestApp): Promise<string> {
  await t.settle()
  const found = /\/confirm\/[\w-]{43}/.exec((await t.sent()).at(-1)?.raw.replaceAll('=\r\n', '') ?? '')?.[0]
  if (!found) throw new Error('no link was mailed')
  return found
}

const confirm = (t: TestApp, link: string) =>
  t.request('POST', link, 'answer=confirm', {
    as: 'nobody',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const evil = {
  userId: 'evil',
  firstName: 'Mallory',
  lastName: 'Evil',
  userGroup: 'evil',
  locale: 'fr',
  timezone: 'Asia/Tokyo',
  plan: 'evil',
}

describe('a source key', () => {
  test('changes nothing about a contact it did not make, single or double, confirmed or not', async () => {
    for (const optIn of ['single', 'double'] as const) {
      await using t = await testApp()
      const { sourceId } = await form(t, optIn)
      const other = await form(t, optIn)
      // By the API, and by a visitor of another source.
      await t.contact({ userId: 'u-1', userGroup: 'vip', plan: 'pro' })
      await visit(t, other.sourceId, { email: 'bob@example.net' })
      await t.settle()
      if (optIn === 'double') await confirm(t, await linkOf(t))
      t.clock.advance(3_600_000)
      for (const email of ['ada@example.net', 'bob@example.net']) {
        const before = await contactOf(t, email)
        const reply = await visit(t, sourceId, { email, ...evil })
        expect(reply.status, reply.text).toBe(optIn === 'single' ? 201 : 202)
        await t.settle()
        if (optIn === 'double') await confirm(t, await linkOf(t))
        const after = await contactOf(t, email)
        const { optInStatus: _, updatedAt: __, ...same } = before ?? {}
        expect(after, `${optIn} ${email}`).toMatchObject(same)
        expect(after?.optInStatus).toBe('accepted')
        const own = await t.app.db
          .select()
          .from(subscriptions)
          .where(eq(subscriptions.contactId, after?.id ?? ''))
        expect(own.filter(({ status }) => status === 'active').length).toBeGreaterThan(0)
      }
    }
  })

  test('may say who the visitor is on a contact that it made, where nothing is said yet', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t, 'double')
    await visit(t, sourceId, { email: 'ada@example.net', firstName: 'Ada', ...{ plan: 'evil', userId: 'evil' } })
    await confirm(t, await linkOf(t))
    expect(await contactOf(t, 'ada@example.net')).toMatchObject({ firstName: 'Ada', userId: null, properties: {} })
    // On a second list, with more to say: it waits for the confirmation, and then fills what is empty.
    const { id: second } = await t.mailingList({ name: 'Tips', optIn: 'double' })
    const source = await t.get(`/v1/subscription-sources/${sourceId}`, 200)
    await t.patch(`/v1/subscription-sources/${sourceId}`, { mailingListIds: [...source.mailingListIds, second] }, 200)
    t.clock.advance(3_600_000)
    await visit(t, sourceId, { email: 'ada@example.net', firstName: 'Eve', lastName: 'Lovelace' })
    const link = await linkOf(t)
    expect(await contactOf(t, 'ada@example.net')).toMatchObject({ firstName: 'Ada', lastName: null })
    await confirm(t, link)
    expect(await contactOf(t, 'ada@example.net')).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' })
  })

  test('speaks for its own source only, and its network address is what we see', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t, 'single')
    const other = await form(t, 'single')
    const foreign = await t.unchanged(() => visit(t, sourceId, { email: 'a@example.net', sourceId: other.sourceId }))
    expect([foreign.status, foreign.body.errors[0].path]).toEqual([422, 'sourceId'])
    const wish = { email: 'a@example.net', consent: { ip: '203.0.113.9', url: 'https://shop.example/x' } }
    await visit(t, sourceId, wish, { 'user-agent': 'Firefox' })
    await t.settle()
    const [record] = await t.app.db.select().from(consentRecords)
    const seen = { ip: '127.0.0.1', userAgent: 'Firefox', url: 'https://shop.example/x', actorId: sourceId }
    expect(record).toMatchObject({ action: 'granted', method: 'opt_in', ...seen, givenAt: t.clock.now() })
  })
})

/** What a visitor can see of a reply, without what differs in every one. */
function seenOf({ status, text, headers }: Reply): string {
  const told = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)).sort()
  return JSON.stringify([status, text, told])
}

describe('X5 and A08: a source key', () => {
  for (const optIn of ['single', 'double'] as const) {
    test(`answers alike whoever it is about, and writes alike before it does (${optIn})`, async () => {
      await using t = await testApp()
      const { sourceId } = await form(t, optIn)
      await t.post(path, { email: 'member@example.net', sourceId }, optIn === 'single' ? 201 : 202)
      if (optIn === 'double') await confirm(t, await linkOf(t))
      await t.contact({ email: 'known@example.net' })
      await t.contact({ email: 'gone@example.net', subscribed: false })
      for (const reason of ['hardBounce', 'complaint', 'manual', 'unsubscribe'])
        await t.post('/v1/suppressions', { email: `${reason}@example.net`, reason }, 201)
      await t.settle()
      const names = ['unknown', 'member', 'known', 'gone', 'hardBounce', 'complaint', 'manual', 'unsubscribe']
      const replies = new Set<string>()
      const rows = new Set<string>()
      for (const name of names) {
        const countRows = async () => [
          (await t.app.db.select().from(outboxJobs)).length,
          (await t.app.db.select().from(contacts)).length,
          (await t.app.db.select().from(subscriptions)).length,
          (await t.app.db.select().from(consentRecords)).length,
        ]
        const before = await countRows()
        const reply = await visit(t, sourceId, { email: `${name}@example.net` })
        const after = await countRows()
        expect([reply.status, reply.text]).toEqual([optIn === 'single' ? 201 : 202, '{"success":true}'])
        replies.add(seenOf(reply))
        rows.add(JSON.stringify(after.map((count, index) => count - (before[index] ?? 0))))
        // Again, and before the first was written.
        replies.add(seenOf(await visit(t, sourceId, { email: `${name}@example.net` })))
        await t.settle()
      }
      expect([...replies]).toHaveLength(1)
      expect([...rows]).toEqual(['[1,0,0,0]'])
    })
  }

  test('repeats an Idempotency-Key, and keeps nothing of the visit beside what came of it', async () => {
    await using t = await testApp()
    const { sourceId, listId } = await form(t, 'single')
    const headers = { 'idempotency-key': 'k-1' }
    await visit(t, sourceId, { email: 'ada@example.net' }, headers)
    const again = await visit(t, sourceId, { email: 'ada@example.net' }, headers)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    await t.settle()
    expect((await t.get(`/v1/mailing-lists/${listId}`, 200)).contactCount).toBe(1)
    expect(await t.app.db.select().from(outboxJobs)).toEqual([])
    expect(await t.app.db.select().from(outboxAttempts)).toEqual([])
  })

  test('is not written after the person was erased', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t, 'single')
    const { id } = await t.contact()
    await visit(t, sourceId, { email: 'ADA@example.net' })
    await t.delete(`/v1/contacts/${id}/data`, undefined, 200)
    await t.settle()
    expect(await contactOf(t, 'ada@example.net')).toBeUndefined()
    expect(await t.app.db.select().from(outboxJobs)).toEqual([])
  })

  test('a source that is gone before the visit is written changes nothing', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t, 'single')
    await visit(t, sourceId, { email: 'ada@example.net' })
    await t.post('/v1/subscription-sources/delete', { id: sourceId }, 200)
    await t.settle()
    expect(await contactOf(t, 'ada@example.net')).toBeUndefined()
    const jobs: Json[] = await t.app.db.select().from(outboxJobs)
    expect(jobs.map(({ kind, state }) => [kind, state])).toEqual([['visitor-opt-in', 'dead']])
  })
})
