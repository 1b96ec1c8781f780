// Opting in somebody who is known already, by an API key: found by the address alone, unchanged until they confirm, back after they
// had left, and never past a suppression that is not theirs to lift.

import { describe, expect, test } from 'bun:test'
import { subscriptions } from '../db/tables/lists.ts'
import { sealUnsubscribe } from '../src/features/contacts/consent/unsubscribe-link.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { contactOf, statesOf } from './support/people.ts'

const path = '/v1/contact-subscriptions/opt-in'
const ada = 'ada@example.net'

const reasonOf = async (t: TestApp, email: string): Promise<string | null> =>
  (await t.get(`/v1/contacts/suppression-status?email=${email}`, 200)).reason
const ledgerOf = async (t: TestApp, id: string): Promise<string[]> =>
  (await t.get(`/v1/contacts/${id}/consent`, 200)).data.map(({ action, method }: Json) => `${action} ${method}`)

async function linkOf(t: TestApp): Promise<string> {
  await t.settle()
  const found = /\/confirm\/[\w-]{43}/.exec((await t.sent()).at(-1)?.raw.replaceAll('=\r\n', '') ?? '')?.[0]
  if (!found) throw new Error('no link was mailed')
  return found
}

const press = (t: TestApp, link: string, body = 'answer=confirm') =>
  t.request('POST', link, body, {
    as: 'nobody',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('P1 and X6: the address finds', () => {
  test('a userId of somebody else is 409 and changes nothing, single or double', async () => {
    await using t = await testApp()
    for (const optIn of ['single', 'double'] as const) {
      const { sourceId } = await t.form(optIn)
      await t.contact({ email: `${optIn}@example.net`, userId: `u-${optIn}` })
      const refused: Json[] = [
        { email: 'mallory@example.net', userId: `u-${optIn}` },
        { email: `${optIn}@example.net`, userId: 'u-other' },
      ]
      for (const wish of refused) {
        const { code, errors } = await t.unchanged(() => t.post(path, { ...wish, sourceId }, 409))
        expect([code, errors[0].path]).toEqual(['contact_exists', 'userId'])
      }
    }
  })

  test('what waits changes nothing; what came with it fills at the confirmation what is empty', async () => {
    await using t = await testApp()
    const { sourceId } = await t.form('double')
    await t.contact({ email: ada, firstName: 'Ada', plan: 'pro' })
    const before = await contactOf(t, ada)
    const given = { userId: 'u-1', firstName: 'Eve', lastName: 'L', locale: 'fr', plan: 'free', seats: 3, sourceId }
    await t.post(path, { email: ada, ...given }, 202)
    expect(await contactOf(t, ada)).toEqual(before)
    const link = await linkOf(t)
    // Another word while it waits: the newest counts.
    await t.post(path, { email: ada, lastName: 'Lovelace', sourceId }, 202)
    await press(t, link)
    expect(await contactOf(t, ada)).toMatchObject({
      userId: 'u-1',
      firstName: 'Ada',
      lastName: 'Lovelace',
      locale: 'fr',
      properties: { plan: 'pro', seats: 3 },
    })
    expect((await t.app.db.select().from(subscriptions))[0]?.details).toBeNull()
  })

  test('a userId that somebody else took meanwhile is left out, and the rest applied', async () => {
    await using t = await testApp()
    const { sourceId } = await t.form('double')
    await t.contact({ email: ada })
    await t.post(path, { email: ada, userId: 'u-1', lastName: 'L', sourceId }, 202)
    await t.contact({ email: 'bob@example.net', userId: 'u-1' })
    await press(t, await linkOf(t))
    expect(await contactOf(t, ada)).toMatchObject({ userId: null, lastName: 'L', subscribed: true })
  })

  test('with single opt-in what an API key says is said', async () => {
    await using t = await testApp()
    const { sourceId } = await t.form('single')
    await t.contact({ email: ada, firstName: 'Ada' })
    await t.post(path, { email: ada, firstName: 'Augusta', userId: 'u-1', sourceId }, 201)
    expect(await contactOf(t, ada)).toMatchObject({ firstName: 'Augusta', userId: 'u-1' })
  })
})

describe('after a global unsubscribe', () => {
  test('a single opt-in counts at once, with its ledger row', async () => {
    await using t = await testApp()
    const { sourceId } = await t.form('single')
    const { contactId } = await t.post(path, { email: ada, sourceId }, 201)
    await t.put('/v1/contacts/update', { email: ada, subscribed: false }, 200)
    expect(await t.post(path, { email: ada, sourceId }, 201)).toMatchObject({ status: 'active' })
    expect(await contactOf(t, ada)).toMatchObject({ subscribed: true })
    expect((await ledgerOf(t, contactId)).slice(-2)).toEqual(['withdrawn api', 'granted opt_in'])
    await t.post(path, { email: ada, sourceId }, 200)
  })

  test('a double one is pending, mailed, and counts when it is confirmed', async () => {
    await using t = await testApp()
    const { sourceId } = await t.form('double')
    const { contactId } = await t.post(path, { email: ada, sourceId }, 202)
    await press(t, await linkOf(t))
    await t.put('/v1/contacts/update', { email: ada, subscribed: false }, 200)
    t.clock.advance(3_600_000)
    const answer = await t.post(path, { email: ada, sourceId }, 202)
    expect(answer).toMatchObject({ status: 'pending', confirmationSentAt: t.clock.now().toISOString() })
    expect(await contactOf(t, ada)).toMatchObject({ subscribed: false })
    const first = await linkOf(t)
    t.clock.advance(60_000)
    await t.post('/v1/contact-subscriptions/resend-confirmation', { email: ada }, 202)
    const second = await linkOf(t)
    expect(second).not.toBe(first)
    await press(t, second)
    expect(await contactOf(t, ada)).toMatchObject({ subscribed: true })
    expect((await ledgerOf(t, contactId)).at(-1)).toBe('confirmed confirm_page')
    await t.post(path, { email: ada, sourceId }, 200)
  })
})

describe('an address that is suppressed for another reason', () => {
  test('single: 201, the consent is recorded, the suppression named and kept; nothing is mailed', async () => {
    await using t = await testApp()
    const { sourceId } = await t.form('single')
    for (const reason of ['hardBounce', 'complaint', 'manual']) {
      const email = `${reason}@example.net`
      await t.contact({ email })
      await t.post('/v1/suppressions', { email, reason }, 201)
      const answer = await t.post(path, { email, sourceId }, 201)
      expect(answer).toMatchObject({ status: 'active', suppression: reason })
      expect(answer).not.toHaveProperty('confirmationSentAt')
      expect(await ledgerOf(t, answer.contactId)).toContain('granted opt_in')
      expect(await reasonOf(t, email)).toBe(reason)
    }
    await t.settle()
    expect(await t.sent()).toEqual([])
  })

  test('double: it waits, and the answer does not claim a mail that did not go out', async () => {
    await using t = await testApp()
    const { sourceId } = await t.form('double')
    await t.post('/v1/suppressions', { email: ada, reason: 'complaint' }, 201)
    const answer = await t.post(path, { email: ada, sourceId }, 202)
    expect(answer).toMatchObject({ status: 'pending', suppression: 'complaint' })
    expect(answer).not.toHaveProperty('confirmationSentAt')
    await t.settle()
    expect(await t.sent()).toEqual([])
  })
})

describe('who is suppressed because they unsubscribed', () => {
  test('comes back by a new single opt-in at once', async () => {
    await using t = await testApp()
    const { sourceId } = await t.form('single')
    await t.contact({ email: ada })
    await t.post('/v1/suppressions', { email: ada, reason: 'unsubscribe' }, 201)
    const answer = await t.post(path, { email: ada, sourceId }, 201)
    expect(answer).not.toHaveProperty('suppression')
    expect(await reasonOf(t, ada)).toBeNull()
    expect(await ledgerOf(t, answer.contactId)).toEqual(['granted api', 'granted opt_in', 'granted opt_in'])
  })

  test('comes back by a double one when it is confirmed: the question is mailed, and nothing else', async () => {
    await using t = await testApp()
    const { sourceId } = await t.form('double')
    await t.post('/v1/suppressions', { email: ada, reason: 'unsubscribe' }, 201)
    await t.post(path, { email: ada, sourceId }, 202)
    await t.template()
    await t.post('/v1/transactional/send', { email: ada, templateId: 'hello' }, 422)
    const link = await linkOf(t)
    expect(await reasonOf(t, ada)).toBe('unsubscribe')
    await press(t, link)
    expect(await reasonOf(t, ada)).toBeNull()
    expect(await statesOf(t)).toEqual(['active'])
  })
})

describe('an old link', () => {
  test('brings nobody back who left, complained or bounced after it was mailed', async () => {
    await using t = await testApp()
    const { sourceId, listId } = await t.form('double')
    const leave = async (email: string, contactId: string) => {
      if (email.startsWith('left')) {
        const claim = { workspaceId: t.workspace.id, contactId, mailingListId: listId, messageId: null }
        await press(t, `/u/${await sealUnsubscribe(t.app, claim)}`, 'from=all')
      } else await t.post('/v1/suppressions', { email, reason: 'complaint' }, 201)
    }
    for (const email of ['left@example.net', 'spam@example.net']) {
      const { contactId } = await t.post(path, { email, sourceId }, 202)
      const link = await linkOf(t)
      await leave(email, contactId)
      const before = await statesOf(t)
      expect((await press(t, link)).text).toContain('Nothing will be sent')
      expect(await statesOf(t)).toEqual(before)
      expect(await contactOf(t, email)).toMatchObject({ subscribed: false })
    }
  })

  test('is nothing after an erasure, and an answer counts once however often it comes', async () => {
    await using t = await testApp()
    const { sourceId, listId } = await t.form('double')
    const { contactId } = await t.post(path, { email: ada, sourceId }, 202)
    const link = await linkOf(t)
    await Promise.all(Array.from({ length: 8 }, () => press(t, link)))
    expect((await t.get(`/v1/mailing-lists/${listId}`, 200)).contactCount).toBe(1)
    expect(await ledgerOf(t, contactId)).toEqual([
      'created opt_in',
      'requested opt_in',
      'confirmed confirm_page',
      'confirmed confirm_page',
    ])
    await t.delete(`/v1/contacts/${contactId}/data`, undefined, 200)
    expect((await t.unchanged(() => press(t, link))).status).toBe(404)
  })
})

test('resend-confirmation tells nobody which sources and lists there are', async () => {
  await using t = await testApp()
  const { sourceId, listId } = await t.form('double')
  await t.post(path, { email: ada, sourceId }, 202)
  await t.settle()
  t.clock.advance(60_000)
  const resend = '/v1/contact-subscriptions/resend-confirmation'
  for (const unknown of [{ sourceId: `src_${'0'.repeat(32)}` }, { mailingListId: 'lst_x' }])
    expect(await t.unchanged(() => t.post(resend, { email: ada, ...unknown }, 202))).toMatchObject({ success: true })
  await t.post(resend, { email: ada, sourceId, mailingListId: listId }, 202)
  await t.settle()
  expect(await t.sent()).toHaveLength(2)
})
