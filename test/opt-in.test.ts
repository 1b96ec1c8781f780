// Lists, sources and opt-in as a caller and a person meet them: what becomes active, what waits, what is mailed, what may not happen,
// and what the ledger says afterwards.

import { describe, expect, test } from 'bun:test'
import { simpleParser } from 'mailparser'
import { confirmations, consentRecords, subscriptions } from '../db/tables/lists.ts'
import { write } from '../src/core/app.ts'
import { moveSubscription } from '../src/features/contacts/consent/subscriptions.ts'
import { sealUnsubscribe } from '../src/features/contacts/consent/unsubscribe-link.ts'
import { contactOfRecipient } from '../src/features/contacts/contacts.ts'
import { expireConfirmations } from '../src/features/lists/confirm.ts'
import { sha256Hex } from '../src/kit/digest.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { form, linkOf, press } from './support/opt-in.ts'
import { contactOf, statesOf } from './support/people.ts'

const optInPath = '/v1/contact-subscriptions/opt-in'
const resendPath = '/v1/contact-subscriptions/resend-confirmation'

const ledger = async (t: TestApp) =>
  (await t.app.db.select().from(consentRecords)).map(({ action, method }) => `${action} by ${method}`)
const look = (t: TestApp, path: string) => t.request('GET', path, undefined, { as: 'nobody' })

describe('mailing lists', () => {
  test('created, listed, changed, archived; the family’s alias is a bare array', async () => {
    await using t = await testApp()
    const { warnings: _, ...made } = await t.mailingList()
    expect(made).toEqual({
      id: expect.stringMatching(/^lst_[0-9a-f]{32}$/),
      name: 'News',
      description: null,
      isPublic: false,
      hasPublicArchive: false,
      status: 'active',
      optIn: 'single',
      contactCount: 0,
      createdAt: expect.stringMatching(/Z$/),
    })
    await t.patch(`/v1/mailing-lists/${made.id}`, { name: 'Letters', optIn: 'double', id: 'lst_other' }, 200)
    const changed = await t.get(`/v1/mailing-lists/${made.id}`, 200)
    expect(changed).toEqual({ ...made, name: 'Letters', optIn: 'double' })
    const { warnings: __, ...other } = await t.mailingList({ name: 'Zines', isPublic: true })
    const first = await t.get('/v1/mailing-lists?perPage=1', 200)
    expect(first).toMatchObject({ data: [changed], pagination: { totalResults: 2, returnedResults: 1 } })
    const second = await t.get(`/v1/mailing-lists?perPage=1&cursor=${first.pagination.nextCursor}`, 200)
    expect(second.data).toEqual([other])
    expect(second.pagination.nextCursor).toBeNull()
    const fields = { description: null }
    expect(await t.get('/api/v1/lists', 200)).toEqual([
      { id: made.id, name: 'Letters', isPublic: false, ...fields },
      { id: other.id, name: 'Zines', isPublic: true, ...fields },
    ])
    await t.delete(`/v1/mailing-lists/${made.id}`, undefined, 200)
    expect((await t.get('/v1/mailing-lists', 200)).data).toEqual([other])
    expect((await t.get(`/v1/mailing-lists/${made.id}`, 200)).status).toBe('archived')
    await t.unchanged(() => t.patch(`/v1/mailing-lists/${made.id}`, { name: 'x' }, 409))
  })
})

describe('subscription sources', () => {
  test('both styles of path do the same; a deleted source is archived, not gone', async () => {
    await using t = await testApp()
    const { id: listId } = await t.mailingList()
    const fields = { name: 'Footer', type: 'form', mailingListIds: [listId], consentText: 'Yes.' }
    const house = await t.post('/v1/subscription-sources/create', fields, 201)
    const rest = await t.post('/v1/subscription-sources', fields, 201)
    const { id: _, ...same } = house
    expect(rest).toMatchObject(same)
    expect(house).toMatchObject({ ...fields, optIn: 'list', consentTextVersion: 1, active: true, allowedOrigins: [] })
    for (const [method, path] of [
      ['PUT', '/v1/subscription-sources/update'],
      ['PUT', `/v1/subscription-sources/${house.id}`],
      ['PATCH', `/v1/subscription-sources/${house.id}`],
    ] as const) {
      const reply = await t.request(method, path, { id: house.id, name: `${method} ${path}` })
      expect([reply.status, reply.body.name]).toEqual([200, `${method} ${path}`])
    }
    const reworded = await t.put('/v1/subscription-sources/update', { id: house.id, consentText: 'Yes, please.' }, 200)
    expect(reworded).toMatchObject({ consentText: 'Yes, please.', consentTextVersion: 2 })
    expect((await t.get('/v1/subscription-sources', 200)).data).toHaveLength(2)
    await t.post('/v1/subscription-sources/delete', { id: house.id }, 200)
    await t.delete(`/v1/subscription-sources/${rest.id}`, undefined, 200)
    expect((await t.get('/v1/subscription-sources', 200)).data).toEqual([])
    await t.unchanged(() => t.post(optInPath, { email: 'ada@example.net', sourceId: house.id }, 404))
  })
})

describe('single opt-in', () => {
  test('is active at once, counted, and in the ledger with the words that were agreed to', async () => {
    await using t = await testApp()
    const { listId, sourceId } = await form(t, 'single')
    const consent = {
      ip: '203.0.113.9',
      userAgent: 'Browser',
      url: 'https://shop.example/',
      timestamp: '2026-01-01T00:00:00Z',
    }
    const wish = { email: 'Ada@Example.net', sourceId, firstName: 'Ada', plan: 'pro', consent }
    const answer = await t.post(optInPath, wish, 201)
    expect(answer).toMatchObject({ success: true, status: 'active', subscriptions: [{ mailingListId: listId }] })
    expect(answer.confirmationSentAt).toBeUndefined()
    expect(await contactOf(t, 'Ada@example.net')).toMatchObject({
      id: answer.contactId,
      firstName: 'Ada',
      subscribed: true,
      optInStatus: 'accepted',
      properties: { plan: 'pro' },
    })
    const again = await t.post(optInPath, { email: 'ada@example.net', source: sourceId }, 200)
    expect(again.subscriptionId).toBe(answer.subscriptionId)
    expect((await t.get(`/v1/mailing-lists/${listId}`, 200)).contactCount).toBe(1)
    const [record] = await t.app.db.select().from(consentRecords)
    expect(record).toMatchObject({
      action: 'granted',
      method: 'opt_in',
      sourceId,
      consentText: 'Send me news.',
      consentTextVersion: 1,
      ip: consent.ip,
      userAgent: 'Browser',
      url: consent.url,
      givenAt: new Date(consent.timestamp),
    })
    // One for mail of this workspace as such, one for the list.
    expect(await ledger(t)).toEqual(['granted by opt_in', 'granted by opt_in'])
    expect(await t.sent()).toEqual([])
  })

  test('the ledger cannot be rewritten', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t, 'single')
    await t.post(optInPath, { email: 'ada@example.net', sourceId }, 201)
    const change = write(t.app, async (tx) => {
      await tx.db.update(consentRecords).set({ ip: '192.0.2.1' })
    })
    await expect(change).rejects.toThrow()
    await change.catch(() => {})
  })
})

describe('double opt-in', () => {
  test('waits for a click; the click is on a page, and only the button of it counts', async () => {
    await using t = await testApp()
    const { listId, sourceId } = await form(t)
    const answer = await t.post(optInPath, { email: 'ada@example.net', sourceId, firstName: 'Ada', locale: 'fr' }, 202)
    expect(answer).toMatchObject({ status: 'pending', confirmationSentAt: t.clock.now().toISOString() })
    expect(await contactOf(t, 'ada@example.net')).toMatchObject({ subscribed: false, optInStatus: 'pending' })
    const link = await linkOf(t)
    const [mail] = await t.sent()
    expect(mail?.raw).not.toContain('Ada')
    const page = await t.unchanged(() => look(t, link))
    expect(page.status).toBe(200)
    expect(page.text).toContain('Confirmer l’inscription')
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    await t.unchanged(() => t.request('HEAD', link, undefined, { as: 'nobody' }))
    await t.unchanged(() => press(t, link, { answer: 'perhaps' }))
    expect((await press(t, link, { answer: 'confirm' })).text).toContain('Vous êtes inscrit')
    expect(await statesOf(t)).toEqual(['active'])
    expect(await contactOf(t, 'ada@example.net')).toMatchObject({ subscribed: true, optInStatus: 'accepted' })
    expect((await t.get(`/v1/mailing-lists/${listId}`, 200)).contactCount).toBe(1)
    expect(await ledger(t)).toEqual([
      'created by opt_in',
      'requested by opt_in',
      'confirmed by confirm_page',
      'confirmed by confirm_page',
    ])
    // Again: a friendly page, and nothing happens.
    expect((await t.unchanged(() => press(t, link, { answer: 'confirm' }))).text).toContain('Vous êtes inscrit')
    expect((await t.unchanged(() => press(t, link, { answer: 'reject' }))).text).toContain('Vous êtes inscrit')
    await t.post(optInPath, { email: 'ada@example.net', sourceId }, 200)
  })

  test('who has confirmed is led on, in each language: to what they receive, and to the site of the sender', async () => {
    await using t = await testApp()
    await t.patch('/v1/workspace', { brand: { website: 'https://acme.example' } }, 200)
    const { sourceId } = await form(t)
    const seen = new Set<string>()
    for (const locale of ['en', 'de', 'fr', 'es', 'it', 'pt']) {
      await t.post(optInPath, { email: `${locale}@example.net`, sourceId, locale }, 202)
      const { text } = await press(t, await linkOf(t), { answer: 'confirm' })
      const words = /<a href="https:\/\/acme\.example">([^<]* Acme)<\/a>/.exec(text)?.[1] ?? ''
      expect(words, text).not.toBe('')
      seen.add(words)
      const preferences = /href="(\/preferences\/[\w.-]+)"/.exec(text)?.[1] ?? ''
      expect((await look(t, preferences)).text).toContain(`${locale}@example.net`)
    }
    expect(seen.size).toBe(6)
  })

  test('"No thanks" ends it; a later opt-in asks again', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t)
    await t.post(optInPath, { email: 'ada@example.net', sourceId }, 202)
    await press(t, await linkOf(t), { answer: 'reject' })
    expect(await statesOf(t)).toEqual(['rejected'])
    expect(await contactOf(t, 'ada@example.net')).toMatchObject({ subscribed: false, optInStatus: 'rejected' })
    t.clock.advance(3_600_000)
    await t.post(optInPath, { email: 'ada@example.net', sourceId }, 202)
    expect(await statesOf(t)).toEqual(['pending'])
    await press(t, await linkOf(t), { answer: 'confirm' })
    expect(await statesOf(t)).toEqual(['active'])
  })

  test('after 7 days the link is 410 and the subscription expired; its page sends a new one', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t)
    await t.post(optInPath, { email: 'ada@example.net', sourceId }, 202)
    const link = await linkOf(t)
    t.clock.advance(7 * 86_400_000)
    expect((await t.unchanged(() => look(t, link))).status).toBe(410)
    expect((await t.unchanged(() => press(t, link, { answer: 'confirm' }))).status).toBe(410)
    expect(await write(t.app, expireConfirmations)).toBe(1)
    expect(await write(t.app, expireConfirmations)).toBe(0)
    expect(await statesOf(t)).toEqual(['expired'])
    expect((await press(t, `${link}/resend`, {})).status).toBe(200)
    const fresh = await linkOf(t)
    expect(fresh).not.toBe(link)
    await press(t, fresh, { answer: 'confirm' })
    expect(await statesOf(t)).toEqual(['active'])
  })

  test('a source may say otherwise than the list, and lead on to a page of its own', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t, 'single', { optIn: 'double', redirectUrl: 'https://shop.example/thanks' })
    await t.post(optInPath, { email: 'ada@example.net', sourceId }, 202)
    const done = await press(t, await linkOf(t), { answer: 'confirm' })
    expect([done.status, done.headers.get('location')]).toEqual([303, 'https://shop.example/thanks'])
    const { sourceId: quick } = await form(t, 'double', { optIn: 'single' })
    await t.post(optInPath, { email: 'bob@example.net', sourceId: quick }, 201)
  })

  test('a workspace may write the mail itself', async () => {
    await using t = await testApp()
    const content = [{ type: 'button', text: 'Oui, {{contact.firstName|}}!', href: '{{confirm_url}}' }]
    await t.template({ id: 'own', subject: 'Ours', content })
    const { sourceId } = await form(t, 'double', { confirmationTemplateId: 'own' })
    await t.post(optInPath, { email: 'ada@example.net', sourceId, firstName: 'BUY NOW' }, 202)
    const link = await linkOf(t)
    const [mail] = await t.sent()
    expect(mail?.raw).toContain('Subject: Ours')
    expect(mail?.raw).not.toContain('BUY')
    await press(t, link, { answer: 'confirm' })
    expect(await statesOf(t)).toEqual(['active'])
  })

  test('the mail holds no word of what was typed in, and its link is kept as a hash', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t)
    const typed = { firstName: 'BUY', lastName: 'NOW', userId: 'AT-EVIL.EXAMPLE', company: 'CHEAP' }
    const consent = { url: 'https://evil.example/PILLS', text: 'SALE' }
    await t.post(optInPath, { email: 'ada@example.net', sourceId, ...typed, consent }, 202)
    const token = (await linkOf(t)).slice('/confirm/'.length)
    const [mail] = await t.sent()
    const read = await simpleParser(mail?.raw ?? '')
    const shown = [...read.headerLines.map(({ line }) => line), read.subject, read.text, read.html].join('\n')
    expect(shown).toContain('ada@example.net')
    expect(shown).not.toMatch(/BUY|NOW|EVIL|CHEAP|PILLS|SALE/i)
    const kept = await t.app.db.select().from(confirmations)
    expect(kept.map(({ tokenHash }) => tokenHash)).toEqual([sha256Hex(token)])
    expect(JSON.stringify(kept)).not.toContain(token)
  })

  test('who has not confirmed yet changes nothing about a contact that exists', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t)
    await write(t.app, (tx) => contactOfRecipient(tx, t.workspace.id, { email: 'ada@example.net', locale: 'de' }))
    await t.post(optInPath, { email: 'ada@example.net', sourceId, firstName: 'Mallory', locale: 'fr' }, 202)
    expect(await contactOf(t, 'ada@example.net')).toMatchObject({ firstName: null, locale: 'de', subscribed: false })
  })
})

describe('from the page of a shop (row 85)', () => {
  const origin = 'https://shop.example'
  const visitor = (sourceId: string, headers: Record<string, string> = {}) => ({
    as: { apiKey: sourceId },
    headers: { origin, 'user-agent': 'Firefox', ...headers },
  })

  test('the id of the source is the key, from the origins it names, for this one call', async () => {
    await using t = await testApp()
    const { sourceId } = await form(t, 'double', { allowedOrigins: [origin] })
    const { sourceId: other } = await form(t)
    const wish = {
      email: 'ada@example.net',
      sourceId,
      firstName: 'Ada',
      plan: 'pro',
      consent: { ip: '203.0.113.9', url: 'https://shop.example/x' },
    }
    const asked = await t.request('OPTIONS', optInPath, undefined, { as: 'nobody', headers: { origin } })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull()
    const taken = await t.request('POST', optInPath, wish, visitor(sourceId))
    expect([taken.status, taken.headers.get('access-control-allow-origin')]).toEqual([202, origin])
    await t.settle()
    const [record] = await t.app.db.select().from(consentRecords)
    expect(record).toMatchObject({ ip: '127.0.0.1', userAgent: 'Firefox', url: 'https://shop.example/x' })
    expect(await contactOf(t, 'ada@example.net')).toMatchObject({ firstName: 'Ada', properties: {} })
    const refused = await t.unchanged(() => t.request('POST', optInPath, { sourceId }, visitor(sourceId)))
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([422, origin])
    const foreign = { ...wish, sourceId: other }
    expect((await t.unchanged(() => t.request('POST', optInPath, foreign, visitor(sourceId)))).status).toBe(422)
    const evil = visitor(sourceId, { origin: 'https://evil.example' })
    const kept = await t.unchanged(() => t.request('POST', optInPath, wish, evil))
    expect([kept.status, kept.headers.get('access-control-allow-origin')]).toEqual([403, null])
    expect((await t.unchanged(() => t.request('POST', optInPath, wish, visitor(`src_${'0'.repeat(32)}`)))).status).toBe(
      401,
    )
    for (const [method, path] of [
      ['GET', '/v1/mailing-lists'],
      ['GET', '/v1/api-key'],
      ['POST', resendPath],
      ['GET', '/v1/subscription-sources'],
    ] as const) {
      const reply = await t.unchanged(() =>
        t.request(method, path, method === 'POST' ? wish : undefined, visitor(sourceId)),
      )
      expect(reply.status, path).toBe(401)
    }
    await t.post('/v1/subscription-sources/delete', { id: sourceId }, 200)
    expect((await t.unchanged(() => t.request('POST', optInPath, wish, visitor(sourceId)))).status).toBe(401)
  })

  test('no other route answers another origin', async () => {
    await using t = await testApp()
    const reply = await t.request('GET', '/v1/api-key', undefined, { headers: { origin } })
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    expect((await t.request('OPTIONS', '/v1/api-key', undefined, { headers: { origin } })).status).toBe(405)
  })
})

test('webhooks are told of each step, in order', async () => {
  await using t = await testApp()
  await t.endpoint({ url: 'https://hooks.example.com/' })
  const { sourceId, listId } = await form(t)
  const { contactId } = await t.post(optInPath, { email: 'ada@example.net', sourceId }, 202)
  await press(t, await linkOf(t), { answer: 'confirm' })
  const claim = { workspaceId: t.workspace.id, contactId, mailingListId: listId, messageId: null }
  await press(t, `/u/${await sealUnsubscribe(t.app, claim)}`, { from: 'all' })
  await t.post('/v1/contacts/delete', { email: 'ada@example.net' }, 200)
  const { data } = await t.get('/v1/event-feed', 200)
  const told = data.filter(({ type }: Json) => !type.startsWith('email.') && !type.startsWith('transactional.'))
  expect(told.map(({ type }: Json) => type)).toEqual([
    'contact.created',
    'subscription.pending',
    'subscription.confirmed',
    'contact.mailingList.subscribed',
    'contact.updated',
    'contact.mailingList.unsubscribed',
    'contact.updated',
    'contact.unsubscribed',
    'contact.deleted',
  ])
  expect(told[3].payload?.data ?? told[3]).toMatchObject({
    contactIdentity: { id: contactId },
    mailingList: { id: listId, name: 'News' },
  })
})

describe('leaving', () => {
  /** A person on two lists, and the token of a mail to the first. */
  async function reader(t: TestApp) {
    const { listId, sourceId } = await form(t, 'single')
    const { listId: second, sourceId: other } = await form(t, 'single')
    const { contactId } = await t.post(optInPath, { email: 'ada@example.net', sourceId }, 201)
    await t.post(optInPath, { email: 'ada@example.net', sourceId: other }, 201)
    const workspaceId = t.workspace.id
    const claim = { workspaceId, contactId, mailingListId: listId as string | null, messageId: 'msg_old' }
    return { listId, second, contactId, claim, token: await sealUnsubscribe(t.app, claim) }
  }

  test('one click (RFC 8058): no cookie, no redirect, 200; a second one changes nothing', async () => {
    await using t = await testApp()
    const { token, listId } = await reader(t)
    const seen = await t.unchanged(() => look(t, `/u/${token}`))
    expect(seen.text).toContain('Do you want to leave the list “News”?')
    const gone = await press(t, `/u/${token}`, { 'List-Unsubscribe': 'One-Click' })
    expect([gone.status, gone.headers.get('set-cookie'), gone.headers.get('location')]).toEqual([200, null, null])
    expect(await statesOf(t)).toEqual(['unsubscribed', 'active'])
    expect((await t.get(`/v1/mailing-lists/${listId}`, 200)).contactCount).toBe(0)
    expect((await ledger(t)).at(-1)).toBe('withdrawn by one_click')
    await t.unchanged(() => press(t, `/u/${token}`, { 'List-Unsubscribe': 'One-Click' }))
    expect(await contactOf(t, 'ada@example.net')).toMatchObject({ subscribed: true })
  })

  test('works for a list that is archived, for who never confirmed, and for a person who is gone', async () => {
    await using t = await testApp()
    const { token, listId } = await reader(t)
    await t.delete(`/v1/mailing-lists/${listId}`, undefined, 200)
    await press(t, `/u/${token}`, { 'List-Unsubscribe': 'One-Click' })
    expect(await statesOf(t)).toEqual(['unsubscribed', 'active'])
    const { listId: waits, sourceId } = await form(t)
    const { contactId } = await t.post(optInPath, { email: 'bob@example.net', sourceId }, 202)
    const claim = { workspaceId: t.workspace.id, contactId, mailingListId: waits, messageId: null }
    await press(t, `/u/${await sealUnsubscribe(t.app, claim)}`, { 'List-Unsubscribe': 'One-Click' })
    expect((await statesOf(t)).at(-1)).toBe('rejected')
    const nobody = await sealUnsubscribe(t.app, { ...claim, contactId: 'con_gone' })
    expect((await t.unchanged(() => press(t, `/u/${nobody}`, { 'List-Unsubscribe': 'One-Click' }))).status).toBe(200)
  })

  test('from everything: no list, no marketing mail, and the ledger says so', async () => {
    await using t = await testApp()
    const { token } = await reader(t)
    await press(t, `/u/${token}`, { from: 'all' })
    expect(await statesOf(t)).toEqual(['unsubscribed', 'unsubscribed'])
    expect(await contactOf(t, 'ada@example.net')).toMatchObject({ subscribed: false })
    expect(await ledger(t)).toEqual([
      'granted by opt_in',
      'granted by opt_in',
      'granted by opt_in',
      'withdrawn by unsubscribe_page',
      'withdrawn by unsubscribe_page',
      'withdrawn by unsubscribe_page',
    ])
  })

  test('the preference centre: on and off, all off, and back', async () => {
    await using t = await testApp()
    const { token, listId, second } = await reader(t)
    await t.mailingList({ name: 'Secret' })
    const path = `/preferences/${token}`
    const page = await t.unchanged(() => look(t, path))
    expect(page.text).not.toContain('Secret')
    expect(page.text.match(/ checked/g)).toHaveLength(2)
    await press(t, path, { do: 'save', list: second })
    expect(await statesOf(t)).toEqual(['unsubscribed', 'active'])
    await press(t, path, { do: 'none' })
    expect(await statesOf(t)).toEqual(['unsubscribed', 'unsubscribed'])
    expect(await contactOf(t, 'ada@example.net')).toMatchObject({ subscribed: false })
    await press(t, path, { do: 'save', list: listId })
    expect(await statesOf(t)).toEqual(['active', 'unsubscribed'])
    expect(await contactOf(t, 'ada@example.net')).toMatchObject({ subscribed: true })
    // A list that the page did not show cannot be joined through it.
    const [secret] = (await t.get('/v1/mailing-lists', 200)).data.filter(({ name }: Json) => name === 'Secret')
    await press(t, path, { do: 'save', list: secret.id })
    expect((await t.app.db.select().from(subscriptions)).length).toBe(2)
  })

  test('a token that was made up, cut, edited, or sealed by another installation changes nothing', async () => {
    await using t = await testApp()
    const { token, claim } = await reader(t)
    const opening = { mayMake: true, newSecret: true }
    await using other = await testApp({ opening, environment: { SECRET_KEY: 'another secret of the tests' } })
    const flipped = (token.at(-2) === 'A' ? 'B' : 'A') + token.slice(-1)
    const foreign = await sealUnsubscribe(other.app, claim)
    for (const bad of [token.slice(0, -1), token.slice(0, -2) + flipped, foreign, 'x', `${token}x`, '%00', '../u']) {
      for (const path of ['/u/', '/preferences/']) {
        const reply = await t.unchanged(() => press(t, path + bad, { 'List-Unsubscribe': 'One-Click', do: 'none' }))
        expect(reply.status, path + bad).toBe(404)
      }
    }
    for (const bad of ['A'.repeat(43), 'x'])
      expect((await t.unchanged(() => press(t, `/confirm/${bad}`, { answer: 'confirm' }))).status).toBe(404)
  })

  test('guessing is limited per address', async () => {
    await using t = await testApp()
    const guess = () => look(t, `/confirm/${crypto.randomUUID().replaceAll('-', '').padEnd(43, 'A')}`)
    const statuses = await Promise.all(Array.from({ length: 400 }, async () => (await guess()).status))
    expect(statuses.filter((status) => status === 404).length).toBeLessThan(300)
    expect(statuses).toContain(429)
  })
})

test('a subscription moves only as the states allow', async () => {
  await using t = await testApp()
  const { listId, sourceId } = await form(t)
  const { contactId } = await t.post(optInPath, { email: 'ada@example.net', sourceId }, 202)
  const contact = { id: contactId, workspaceId: t.workspace.id, email: 'ada@example.net' }
  const move = (state: Parameters<typeof moveSubscription>[3]) =>
    write(t.app, (tx) => moveSubscription(tx, contact, listId, state, { method: 'api' }))
  await expect(t.unchanged(() => move('unsubscribed'))).rejects.toMatchObject({ code: 'invalid_state_transition' })
  await t.unchanged(() => move('unsubscribed').catch(() => {}))
  await move('active')
  for (const state of ['pending', 'rejected', 'expired'] as const)
    await t.unchanged(() =>
      move(state).then(
        () => Promise.reject(new Error(`active became ${state}`)),
        (error) => expect(error.code).toBe('invalid_state_transition'),
      ),
    )
  await move('unsubscribed')
  await move('active')
})
