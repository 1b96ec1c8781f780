// What an opt-in refuses, and that nobody is mailed too often by it.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contacts } from '../db/tables/contacts.ts'
import { confirmationMails } from '../db/tables/lists.ts'
import { webhookEvents } from '../db/tables/webhooks.ts'
import { write } from '../src/core/app.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { deleteOldConfirmationMails } from '../src/features/lists/confirmation-limits.ts'
import { type Json, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { form, linkOf, press } from './support/opt-in.ts'
import { statesOf } from './support/people.ts'

const optInPath = '/v1/contact-subscriptions/opt-in'
const resendPath = '/v1/contact-subscriptions/resend-confirmation'

describe('nobody is mailed too often', () => {
  test('50 equal opt-ins at once are one mail, one contact, one subscription', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t)
    const wish = { email: 'ada@example.net', sourceId }
    const answers = await Promise.all(Array.from({ length: 50 }, () => t.post(optInPath, wish, 202)))
    expect(new Set(answers.map(({ subscriptionId }) => subscriptionId)).size).toBe(1)
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
    expect(await statesOf(t)).toEqual(['pending'])
  })

  test('asked every few minutes for two days: one mail in 10 minutes, three a day', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t)
    const times: number[] = []
    // Over a network a request costs ten times as much.
    const every = remoteDatabase ? 9 : 3
    for (let minutes = 0; minutes < 2 * 24 * 60; minutes += every) {
      await t.post(optInPath, { email: 'ada@example.net', sourceId }, 202)
      await t.settle()
      const count = (await t.sent()).length
      while (times.length < count) times.push(minutes)
      t.clock.advance(every * 60_000)
    }
    expect(times.length).toBeGreaterThanOrEqual(6)
    for (const [index, time] of times.entries()) {
      const within = (span: number) => times.filter((other) => other >= time && other < time + span).length
      expect(within(10), `from ${index}`).toBe(1)
      expect(within(24 * 60), `from ${index}`).toBeLessThanOrEqual(3)
    }
  })

  test('a resend goes out after a minute, at most five mails a day over all workspaces, and always says 202', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t)
    await t.post(optInPath, { email: 'ada@example.net', sourceId }, 202)
    const resend = async () => {
      expect(await t.post(resendPath, { email: 'ada@example.net' }, 202)).toEqual({
        success: true,
        warnings: [],
      })
      await t.settle()
      return (await t.sent()).length
    }
    expect(await resend()).toBe(1)
    t.clock.advance(59_000)
    expect(await resend()).toBe(1)
    t.clock.advance(1_000)
    expect(await resend()).toBe(2)
    for (let sent = 3; sent <= 5; sent++) {
      t.clock.advance(60_000)
      expect(await resend()).toBe(sent)
    }
    t.clock.advance(3_600_000)
    expect(await resend()).toBe(5)
    const other = await t.stranger()
    const list = await t.mailingList({ name: 'L', optIn: 'double' }, { as: other })
    const theirs = await t.post('/v1/subscription-sources', { name: 'S', mailingListIds: [list.id] }, 201, {
      as: other,
    })
    await t.post(optInPath, { email: 'ada@example.net', sourceId: theirs.id }, 202, { as: other })
    await t.settle()
    expect(await t.sent()).toHaveLength(5)
    // What the other workspace asked for was held, not lost.
    t.clock.advance(86_400_000)
    expect(await resend()).toBe(7)
  })

  test('a network signs up many: 60 an hour go out, the rest is held, told once, and goes out later', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t)
    await t.endpoint({ url: 'https://example.com/h', eventFilters: ['subscription.held'] })
    const signUp = (email: string, ip: string) => t.post(optInPath, { email, sourceId, consent: { ip } }, 202)
    const answers: Json[] = []
    for (let n = 0; n < 62; n++) answers.push(await signUp(`p${n}@example.net`, `203.0.113.${n}`))
    const later = (hours: number) => new Date(t.clock.now().getTime() + hours * 3_600_000).toISOString()
    expect(answers[59]).toMatchObject({ status: 'pending', confirmationSentAt: later(0) })
    expect(answers[60]).toMatchObject({ status: 'pending', confirmationHeldUntil: later(1) })
    // Who asks again is held already; a neighbour and IPv6 have limits of their own.
    expect(await signUp('p61@example.net', '203.0.113.200')).not.toHaveProperty('confirmationHeldUntil')
    expect(await signUp('neighbour@example.net', '203.0.114.1')).toHaveProperty('confirmationSentAt')
    expect(await signUp('six@example.net', '2001:db8:7:1::1')).toHaveProperty('confirmationSentAt')
    await t.settle()
    expect(await t.sent()).toHaveLength(62)
    const [item] = (await t.get('/v1/attention', 200)).data.filter(({ code }: Json) => code === 'sign_ups_held')
    const detail = `2 from 203.0.113.0/24; the last goes out at ${later(1)}`
    expect(item).toMatchObject({ since: later(0), detail, thing: null })
    const events = await t.app.db.select().from(webhookEvents).where(eq(webhookEvents.type, 'subscription.held'))
    expect(events.map(({ payload }) => JSON.parse(payload).data)).toEqual([
      { by: 'network', network: '203.0.113.0/24', until: later(1) },
    ])
    t.clock.advance(3_600_000)
    const link = await linkOf(t)
    expect(await t.sent()).toHaveLength(64)
    t.clock.advance(6 * 86_400_000)
    await press(t, link, { answer: 'confirm' })
    expect((await statesOf(t)).filter((state) => state === 'active')).toHaveLength(1)
    expect((await t.get('/v1/attention', 200)).data.map(({ code }: Json) => code)).not.toContain('sign_ups_held')
  })

  test('one visitor with the id of a source closes no form for others, and floods no mailbox', async () => {
    await using t = await testApp({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
    const { sourceId } = await form(t, 'double', { allowedOrigins: ['https://shop.example'] })
    const visit = async (email: string, ip: string) => {
      const headers = { origin: 'https://shop.example', 'x-forwarded-for': ip }
      const { status, body } = await t.request(
        'POST',
        optInPath,
        { email, sourceId },
        { as: { apiKey: sourceId }, headers },
      )
      expect([status, body]).toEqual([202, { success: true }])
    }
    const mailed = async () => (await t.sent()).map(({ to }) => to)
    // As fast as a network may ask: 50 a second, and every spelling of one mailbox.
    const spelling = (n: number) => (n % 2 ? `vic.tim+${n}@gmail.com` : `victim+${n}@googlemail.com`)
    for (let n = 0; n < (remoteDatabase ? 350 : 3_500); n++) {
      await visit(spelling(n), '203.0.113.7')
      t.clock.advance(20)
      if (n % 250 === 249) await t.settle()
    }
    // The same with as many mailboxes.
    for (let n = 0; n < 500; n++) {
      await visit(`lure${n}@example.net`, '203.0.113.8')
      t.clock.advance(20)
    }
    await t.settle()
    expect((await mailed()).filter((to) => to.includes('victim') || to.includes('vic.tim'))).toHaveLength(1)
    expect((await mailed()).length).toBeLessThanOrEqual(60)
    // What could not be confirmed is not stored either.
    expect((await t.app.db.select().from(contacts)).length).toBeLessThanOrEqual(120)
    for (let n = 0; n < 100; n++) await visit(`honest${n}@example.org`, `198.51.${n}.20`)
    await t.settle()
    expect((await mailed()).filter((to) => to.startsWith('honest'))).toHaveLength(100)
    for (let days = 0; days < 8; days++) await t.advance('1d')
    expect((await mailed()).filter((to) => to.includes('vic')).length).toBeLessThanOrEqual(4)
    expect((await mailed()).filter((to) => to.startsWith('lure')).length).toBeLessThanOrEqual(120)
  }, 120_000)

  test('an attack goes on for a day: the form stays open, the mailbox gets three', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t)
    const signUp = (email: string, ip: string) => t.post(optInPath, { email, sourceId, consent: { ip } }, 202)
    for (let hour = 0; hour < 23; hour++) {
      for (let n = 0; n < 20; n++) await signUp(`victim+${hour}-${n}@gmail.com`, `203.0.${hour}.7`)
      expect(await signUp(`honest${hour}@example.org`, '198.51.100.20')).toHaveProperty('confirmationSentAt')
      await t.advance('1h')
    }
    const sent = await t.sent()
    expect(sent.filter(({ to }) => to.includes('victim')).length).toBeLessThanOrEqual(3)
    expect(sent.filter(({ to }) => to.startsWith('honest'))).toHaveLength(23)
  })

  test('what waits for one network is cancelled alone, and gives its room back; so does what never left', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t)
    const signUp = (email: string, ip: string) => t.post(optInPath, { email, sourceId, consent: { ip } }, 202)
    for (let n = 0; n < 130; n++) await signUp(`bot${n}@example.net`, '203.0.113.7')
    for (let n = 0; n < 61; n++) await signUp(`honest${n}@example.org`, '198.51.100.20')
    const cancel = (network: string, status: number) =>
      t.post('/v1/contact-subscriptions/cancel-held', { network }, status)
    for (const network of ['203.0.113.7', '203.0.113.0/25', 'everybody', ''])
      await t.unchanged(() => cancel(network, 422))
    const other = await t.stranger()
    const theirs = { network: '203.0.113.0/24' }
    expect(await t.post('/v1/contact-subscriptions/cancel-held', theirs, 200, { as: other })).toMatchObject({
      cancelled: 0,
    })
    expect(await cancel('203.0.113.0/24', 200)).toMatchObject({ success: true, cancelled: 60 })
    const held = (await t.get('/v1/attention', 200)).data.filter(({ code }: Json) => code === 'sign_ups_held')
    expect(held.map(({ detail }: Json) => detail.split(';')[0])).toEqual(['1 from 198.51.100.0/24'])
    // A person of that network whose mail was cancelled has no link, so another one may wait.
    expect(await signUp('bot61@example.net', '203.0.113.9')).toHaveProperty('confirmationHeldUntil')
    await t.post('/v1/jobs/cancel', { kind: 'deliver-confirmation' }, 200)
    expect(await t.app.db.select().from(confirmationMails)).toEqual([])
    expect(await signUp('late@example.net', '203.0.113.7')).toHaveProperty('confirmationSentAt')
  })

  test('another list within the ten minutes of an address is held, not lost; what limits remember goes after two days', async () => {
    await using t = await testApp()
    const [{ sourceId }, { sourceId: other, listId }] = [await form(t), await form(t)]
    await t.post(optInPath, { email: 'ada@example.net', sourceId }, 202)
    const held = await t.post(optInPath, { email: 'ada@example.net', sourceId: other }, 202)
    expect(held.confirmationHeldUntil).toBe(new Date(t.clock.now().getTime() + 600_000).toISOString())
    await linkOf(t)
    expect((await t.get('/v1/attention', 200)).data.map(({ code }: Json) => code)).not.toContain('sign_ups_held')
    t.clock.advance(600_000)
    await press(t, await linkOf(t), { answer: 'confirm' })
    expect((await t.get(`/v1/mailing-lists/${listId}`, 200)).contactCount).toBe(1)
    expect(await write(t.app, deleteOldConfirmationMails)).toBe(0)
    t.clock.advance(2 * 86_400_000)
    expect(await write(t.app, deleteOldConfirmationMails)).toBe(2)
  })

  test('resend-confirmation answers alike for known, unknown, suppressed and confirmed', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t)
    for (const email of ['waiting@example.net', 'done@example.net']) await t.post(optInPath, { email, sourceId }, 202)
    await press(t, await linkOf(t), { answer: 'confirm' })
    await write(t.app, (tx) => suppress(tx, t.workspace.id, { email: 'bad@example.net', reason: 'complaint' }))
    const seen = new Set<string>()
    for (const email of ['waiting@example.net', 'done@example.net', 'bad@example.net', 'nobody@example.net']) {
      const reply = await t.request('POST', resendPath, { email })
      const headers = [...reply.headers].filter(([name]) => !['date', 'x-request-id'].includes(name)).sort()
      seen.add(JSON.stringify([reply.status, reply.text, headers]))
    }
    expect(seen.size).toBe(1)
  })

  test('an Idempotency-Key replays the answer', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t, 'single')
    const headers = { 'idempotency-key': 'k1' }
    const wish = { email: 'ada@example.net', sourceId }
    const first = await t.post(optInPath, wish, 201, { headers })
    const again = await t.request('POST', optInPath, wish, { headers })
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([201, first, 'true'])
    await t.unchanged(() => t.post(optInPath, { ...wish, email: 'eve@example.net' }, 422, { headers }))
  })
})

describe('what is refused changes nothing', () => {
  const long = 'x'.repeat(10_001)
  const refusals: [
    what: string,
    method: string,
    path: string,
    body: (ids: Json) => object,
    status: number,
    at: string,
  ][] = [
    ['a list without a name', 'POST', '/v1/mailing-lists', () => ({}), 422, 'name'],
    ['a name of two lines', 'POST', '/v1/mailing-lists', () => ({ name: 'a\r\nBcc: x' }), 422, 'name'],
    ['an unknown kind of opt-in', 'POST', '/v1/mailing-lists', () => ({ name: 'L', optIn: 'triple' }), 422, 'optIn'],
    ['a flag that is none', 'POST', '/v1/mailing-lists', () => ({ name: 'L', isPublic: 'yes' }), 422, 'isPublic'],
    ['a source without a name', 'POST', '/v1/subscription-sources/create', () => ({ type: 'form' }), 422, 'name'],
    ['an unknown type', 'POST', '/v1/subscription-sources/create', () => ({ name: 'S', type: 'x' }), 422, 'type'],
    [
      'an unknown list',
      'POST',
      '/v1/subscription-sources/create',
      () => ({ name: 'S', mailingListIds: ['lst_x'] }),
      422,
      'mailingListIds.lst_x',
    ],
    [
      'an unknown template',
      'POST',
      '/v1/subscription-sources',
      () => ({ name: 'S', confirmationTemplateId: 'none' }),
      422,
      'confirmationTemplateId',
    ],
    [
      'a redirect to a script',
      'POST',
      '/v1/subscription-sources',
      () => ({ name: 'S', redirectUrl: 'javascript:alert(1)' }),
      422,
      'redirectUrl',
    ],
    [
      'an origin with a path',
      'POST',
      '/v1/subscription-sources',
      () => ({ name: 'S', allowedOrigins: ['https://a.example/x'] }),
      422,
      'allowedOrigins[0]',
    ],
    [
      'too long a text',
      'POST',
      '/v1/subscription-sources',
      () => ({ name: 'S', consentText: long }),
      422,
      'consentText',
    ],
    ['an update without id', 'PUT', '/v1/subscription-sources/update', () => ({ name: 'S' }), 422, 'id'],
    ['an opt-in without address', 'POST', optInPath, ({ sourceId }) => ({ sourceId }), 422, 'email'],
    ['two addresses', 'POST', optInPath, ({ sourceId }) => ({ sourceId, email: 'a@x.test, b@x.test' }), 422, 'email'],
    [
      'a line break',
      'POST',
      optInPath,
      ({ sourceId }) => ({ sourceId, email: 'a@x.test\r\nBcc: b@x.test' }),
      422,
      'email',
    ],
    [
      'a local part of 300',
      'POST',
      optInPath,
      ({ sourceId }) => ({ sourceId, email: `${'a'.repeat(290)}@x.test` }),
      422,
      'email',
    ],
    ['no source', 'POST', optInPath, () => ({ email: 'a@x.test' }), 422, 'sourceId'],
    [
      'a list of another source',
      'POST',
      optInPath,
      ({ sourceId, otherList }) => ({ sourceId, email: 'a@x.test', mailingListIds: [otherList] }),
      422,
      'mailingListIds.',
    ],
    [
      'to be taken off',
      'POST',
      optInPath,
      ({ sourceId, listId }) => ({ sourceId, email: 'a@x.test', mailingLists: { [listId]: false } }),
      422,
      'mailingLists.',
    ],
    [
      'a moment to come',
      'POST',
      optInPath,
      ({ sourceId }) => ({ sourceId, email: 'a@x.test', consent: { timestamp: '2999-01-01T00:00:00Z' } }),
      422,
      'consent.timestamp',
    ],
    [
      'a moment that is none',
      'POST',
      optInPath,
      ({ sourceId }) => ({ sourceId, email: 'a@x.test', consent: { timestamp: 'yesterday' } }),
      422,
      'consent.timestamp',
    ],
    [
      'a control character',
      'POST',
      optInPath,
      ({ sourceId }) => ({ sourceId, email: 'a@x.test', firstName: 'A\u0000' }),
      422,
      'firstName',
    ],
    [
      'a bad locale',
      'POST',
      optInPath,
      ({ sourceId }) => ({ sourceId, email: 'a@x.test', locale: '??' }),
      422,
      'locale',
    ],
    [
      'an object as a property',
      'POST',
      optInPath,
      ({ sourceId }) => ({ sourceId, email: 'a@x.test', plan: { a: 1 } }),
      422,
      'plan',
    ],
    ['a resend without address', 'POST', resendPath, () => ({}), 422, 'email'],
    ['a resend to no address', 'POST', resendPath, () => ({ email: 'nobody' }), 422, 'email'],
  ]
  test(`all ${refusals.length} of them, by status and path`, async () => {
    await using t = await testApp()
    const ids = await form(t)
    const { listId: otherList } = await form(t)
    for (const [what, method, path, body, status, at] of refusals) {
      const reply = await t.unchanged(() => t.request(method, path, body({ ...ids, otherList })))
      expect(reply.status, `${what}: ${reply.text}`).toBe(status)
      const paths: string[] = reply.body.errors.map((error: { path: string }) => error.path)
      expect(
        paths.some((one) => one === at || (at.endsWith('.') && one.startsWith(at))),
        `${what}: ${paths}`,
      ).toBeTrue()
    }
  })
})
