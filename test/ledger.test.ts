// The ledger of consent says of every contact how it came to be there: by which request, whose, and when.

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type Json, type TestApp, testApp } from './support/app.ts'

const path = '/v1/contacts'

async function ledgerOf(t: TestApp, email: string): Promise<Json[]> {
  const [{ id }] = await t.get(`${path}/find?email=${email}`, 200)
  return (await t.get(`${path}/${id}/consent`, 200)).data
}

test('every way in leaves a row with its route, its key and its time', async () => {
  await using t = await testApp()
  const [key] = await t.app.db.all<{ id: string }>(sql`SELECT id FROM api_keys`)
  await t.template()
  const { sourceId } = await t.form('single')
  const ways: [route: string, action: string, ask: (email: string) => Promise<unknown>][] = [
    ['POST /v1/contacts/create', 'granted', (email) => t.post(`${path}/create`, { email }, 200)],
    ['POST /v1/contacts/create', 'created', (email) => t.post(`${path}/create`, { email, subscribed: false }, 200)],
    ['PUT /v1/contacts/update', 'granted', (email) => t.put(`${path}/update`, { email }, 200)],
    ['POST /v1/events/send', 'granted', (email) => t.post('/v1/events/send', { email, eventName: 'seen' }, 200)],
    ['POST /v1/transactional/send', 'created', (email) => t.mail({ email, addToContact: true })],
    [
      'POST /v1/contact-subscriptions/opt-in',
      'granted',
      (email) => t.post('/v1/contact-subscriptions/opt-in', { email, sourceId }, 201),
    ],
    [
      'POST /v1/contacts/import',
      'granted',
      (email) =>
        t.post(`${path}/import`, `email,subscribed\n${email},yes\n`, 202, { headers: { 'content-type': 'text/csv' } }),
    ],
  ]
  for (const [number, [route, action, ask]] of ways.entries()) {
    const email = `p${number}@example.net`
    t.clock.advance(60_000)
    await ask(email)
    const at = t.clock.now().toISOString()
    await t.settle()
    const [first] = await ledgerOf(t, email)
    expect(first, route).toMatchObject({ action, route, actorId: key?.id, mailingListId: null, givenAt: at })
  }
  // Nobody who may be mailed is without one.
  const silent = sql`SELECT email FROM contacts c WHERE subscribed = 1 AND NOT EXISTS (
    SELECT 1 FROM consent_records r WHERE r.contact_id = c.id AND mailing_list_id IS NULL AND action IN ('granted', 'confirmed'))`
  expect(await t.app.db.all(silent)).toEqual([])
})
