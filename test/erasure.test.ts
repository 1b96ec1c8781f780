// What is left of a person who was erased while everything went on: in no table and in no line of the log stands the address.

import { expect, test } from 'bun:test'
import { testApp } from './support/app.ts'
import { draft, listOf } from './support/campaign.ts'
import { startSink } from './support/smtp-sink.ts'
import { sinkEnvironment, webhookSink } from './support/webhook-sink.ts'
import { whereIs } from './support/where-is.ts'

const domain = 'gone.example'

test('of those who are erased during a campaign no address is left, in jobs, webhooks, histories or the log', async () => {
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  let atDot = 0
  const sink = startSink({
    async answer(stage, _, { to }) {
      if (stage === 'rcpt' && /^r\d*3@/i.test(to)) return `450 4.2.1 <${to}> come back later`
      if (stage === 'rcpt' && /^r\d*7@/i.test(to)) return `550 5.1.1 <${to}> no such user`
      if (stage !== 'dot') return undefined
      // One of the campaign and one of the others: more a domain has only when it has answered.
      if (++atDot === 2) held.resolve()
      await released.promise
      return undefined
    },
  })
  await using receiver = webhookSink((webhook) => new Response(webhook.body, { status: 500 }))
  await using answering = webhookSink()
  await using t = await testApp({ environment: { SMTP_URL: sink.url, ...sinkEnvironment } })
  await t.template({ id: 'hi', subject: 'Hi {{name}}', text: 'Hi {{name}}' })
  for (const { url } of [receiver, answering]) await t.endpoint({ url, status: 'active' })
  const people = 40
  const { list, contacts } = await listOf(t, people, { domain })
  for (const { email } of contacts.slice(0, 10)) {
    const dataVariables = { name: email }
    const headers = { 'idempotency-key': `hi ${email.replace('@', ' at ')}` }
    const mail = { email: email.toUpperCase(), templateId: 'hi', dataVariables }
    expect((await t.request('POST', '/v1/transactional/send', mail, { headers })).status).toBe(200)
    await t.post('/v1/events/send', { email, eventName: 'bought', eventProperties: { by: email } }, 200)
  }
  const campaign = await draft(t, list)
  await t.dispatcher.start()
  await t.post(`/v1/campaigns/${campaign}/send`, {}, 200)
  await held.promise
  const erased = contacts.slice(0, 30)
  for (const { id } of erased) await t.delete(`/v1/contacts/${id}/data`, undefined, 200)
  released.resolve()
  await t.settle()
  // What was given back while it was asked to end does so when it is due again.
  await t.advance('2h')
  await t.cleanUp()
  await t.dispatcher.stop(30_000)
  sink.stop()

  const left: string[] = []
  for (const { email } of erased) left.push(...(await whereIs(t, email)))
  expect(left).toEqual([])
  expect(t.logged.filter((line) => erased.some(({ email }) => line.toLowerCase().includes(email)))).toEqual([])
  expect((await whereIs(t, contacts[35]?.email ?? '')).length).toBeGreaterThan(2)
})
