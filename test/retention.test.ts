// What the hourly retention removes, and what it must leave alone.

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { capturedMails, messageAttachments } from '../db/tables/messages.ts'
import { outboxJobs } from '../db/tables/outbox.ts'
import { idempotencyKeys, rateBuckets, sessions } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { setPassword } from '../src/people/access/users.ts'
import { testApp } from './support/app.ts'

test('finished jobs, kept replies, sessions and attachments go after their time; the log of messages stays', async () => {
  await using t = await testApp()
  await t.template({ id: 'a', name: 'A', subject: 'A', text: 'A' })
  const attachments = [{ filename: 'a.txt', contentType: 'text/plain', data: 'aGk=' }]
  const send = (email: string, more: object = {}) => t.mail({ email, templateId: 'a', attachments, ...more })
  const { messageId } = await t
    .request(
      'POST',
      '/v1/transactional/send',
      { email: 'a@b.co', templateId: 'a', attachments },
      { headers: { 'idempotency-key': 'k' } },
    )
    .then(({ body }) => body)
  const several = { to: ['c@b.co', 'd@b.co'], templateId: 'a', attachments }
  await t.post('/v1/transactional/send', several, 200)
  const inSixWeeks = new Date(t.clock.now().getTime() + 42 * 24 * 3_600_000).toISOString()
  const later = await send('b@b.co', { scheduledAt: inSixWeeks })
  await t.settle()
  await t.cleanUp()
  expect(await t.app.db.select().from(messageAttachments)).toHaveLength(3)
  expect(await t.app.db.select().from(idempotencyKeys)).toHaveLength(1)

  await t.advance('31d')
  await t.cleanUp()
  expect((await t.app.db.select().from(messageAttachments)).map((row) => row.messageId)).toEqual([later.messageId])
  expect(await t.app.db.select().from(idempotencyKeys)).toEqual([])
  expect(await t.app.db.select().from(sessions)).toEqual([])
  const kinds = (await t.app.db.select().from(outboxJobs)).map(({ kind, state }) => `${kind} ${state}`)
  expect(kinds.sort()).toEqual(['deliver-message pending', 'retention done'])
  expect((await t.get(`/v1/activity/${messageId}`, 200)).status).toBe('sent')

  await t.advance('12d')
  expect((await t.get(`/v1/activity/${later.messageId}`, 200)).status).toBe('sent')
})

test('messages go after MESSAGE_RETENTION_DAYS, what is open and what they are counted in stays', async () => {
  await using t = await testApp({ environment: { MESSAGE_RETENTION_DAYS: '60' } })
  const content = [{ type: 'text', text: 'A' }]
  await t.template({ id: 'a', name: 'A', subject: 'A', content })
  const send = async (more: object = {}) => (await t.mail({ email: 'a@b.co', templateId: 'a', ...more })).messageId
  const old = await send()
  const inSeventyDays = new Date(t.clock.now().getTime() + 70 * 24 * 3_600_000).toISOString()
  const waiting = await send({ scheduledAt: inSeventyDays })
  const list = await t.mailingList({ optIn: 'single' })
  await t.contact({ email: 'c@b.co', mailingLists: { [list.id]: true } })
  const draft = { name: 'July', subject: 'July', mailingListId: list.id, content }
  const campaign = await t.post('/v1/campaigns', draft, 201)
  await write(t.app, (tx) => tx.db.run(sql`UPDATE workspaces SET trust_level = 'M1'`))
  await t.post(`/v1/campaigns/${campaign.id}/send`, {}, 200)
  await t.settle()
  await t.advance('40d')
  await t.cleanUp()
  const kept = await send()
  await t.settle()
  expect((await t.get(`/v1/activity/${old}`, 200)).status).toBe('sent')
  await t.advance('25d')
  await t.cleanUp()
  await t.get(`/v1/activity/${old}`, 404)
  expect((await t.get(`/v1/activity/${waiting}`, 200)).status).toBe('queued')
  expect((await t.get(`/v1/activity/${kept}`, 200)).status).toBe('sent')
  expect(await t.app.db.select().from(capturedMails)).toHaveLength(1)
  expect((await t.get(`/v1/campaigns/${campaign.id}`, 200)).stats.sent).toBe(1)
  const { data } = await t.get(`/v1/campaigns/${campaign.id}/recipients`, 200)
  expect(data).toMatchObject([{ state: 'sent' }])
  await t.get(`/v1/campaigns/${campaign.id}/recipients/${data[0].contactId}`, 200)
  await t.advance('6d')
  expect((await t.get(`/v1/activity/${waiting}`, 200)).status).toBe('sent')
})

test('limits that strangers filled are forgotten when they are full again; where somebody signed in, for longer', async () => {
  await using t = await testApp({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  const bucketsAfter = async (duration: string) => {
    await t.advance(duration)
    await t.cleanUp()
    return (await t.app.db.select().from(rateBuckets)).map(({ bucket }) => bucket.split(' ')[0])
  }
  const passwordHash = await t.app.passwords.hash('correct horse')
  await write(t.app, (tx) => setPassword(tx, t.user.id, passwordHash))
  const signIn = (ip: string, email: string, status: number) =>
    t.post('/v1/auth/login', { email, password: 'correct horse' }, status, {
      as: 'nobody',
      headers: { 'x-forwarded-for': ip },
    })
  // More than one step looks at.
  for (let n = 0; n < 130; n++) await signIn(`198.51.${n}.1`, `a${n}@example.net`, 401)
  await signIn('192.0.2.9', t.user.email, 200)
  expect(await bucketsAfter('23h')).toHaveLength(263)
  expect(await bucketsAfter('2h')).toEqual(['known'])
  expect(await bucketsAfter('88d')).toHaveLength(1)
  expect(await bucketsAfter('2d')).toEqual([])
})
