// Simulated addresses: a mail to one never meets a mail server, and goes through the states, webhooks and rules of a real one.

import { describe, expect, test } from 'bun:test'
import { sendingCounts } from '../db/tables/campaigns.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, join, listOf, statsOf } from './support/campaign.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'
import { sinkEnvironment, webhookSink } from './support/webhook-sink.ts'

const domain = 'simulator.paquebot.test'

async function withServer() {
  const server = await startSink()
  const t = await testApp({ environment: { ...sinkEnvironment, SMTP_URL: server.url } })
  await t.template()
  return { t, server }
}

const send = (t: TestApp, email: string, status = 200) =>
  t.post('/v1/transactional/send', { email, templateId: 'hello' }, status)

async function statesOf(t: TestApp, messageId: string): Promise<string[]> {
  const { events } = await t.get(`/v1/activity/${messageId}`, 200)
  return events.map(({ status }: Json) => status).filter((status: string) => status !== 'sending')
}

const sent = 'transactional.email.sent'

/** Name, the states that follow, the webhooks that follow. */
const outcomes: [string, string[], string[]][] = [
  ['delivered', ['sent', 'delivered'], [sent, 'email.delivered']],
  ['out-of-office', ['sent', 'delivered'], [sent, 'email.delivered']],
  ['bounce', ['sent', 'bounced'], [sent, 'email.hardBounced']],
  ['soft-bounce', ['sent', 'bounced'], [sent, 'email.softBounced']],
  ['complaint', ['sent', 'delivered', 'complained'], [sent, 'email.delivered', 'email.spamReported']],
  ['delay', ['delayed', 'sent', 'delivered'], ['email.delayed', sent, 'email.delivered']],
  ['reject', ['bounced'], ['email.hardBounced']],
  ['mailbox-full', ['failed'], ['email.failed']],
  ['content-rejected', ['failed'], ['email.failed']],
  ['anything-else', ['bounced'], ['email.hardBounced']],
]

async function expectNothingLeft(server: Sink) {
  expect(server.connections()).toBe(0)
  await server[Symbol.asyncDispose]()
}

describe('simulated addresses', () => {
  test('walk the states and webhooks of a real mail, again and again, and no server is asked', async () => {
    const { t, server } = await withServer()
    await using app = t
    await using receiver = webhookSink()
    await app.post('/v1/webhook-endpoints', { url: receiver.url, status: 'active', eventFilters: ['*'] }, 201, {
      as: 'session',
    })
    for (const [name, states, webhooks] of [...outcomes, ...outcomes.slice(0, 5)]) {
      receiver.received.length = 0
      const { messageId } = await send(app, `${name}@${domain}`)
      await app.settle()
      await app.advance('2m')
      expect(await statesOf(app, messageId), name).toEqual(['queued', ...states])
      expect(receiver.types(), name).toEqual(['email.queued', ...webhooks])
    }
    const kept = (await app.get(`/v1/activity/captured?to=bounce@${domain}`, 200)).data
    expect(kept).toHaveLength(2)
    expect((await app.get('/v1/suppressions', 200)).data).toEqual([])
    await expectNothingLeft(server)
  })

  test('with a label are suppressed as a real one is; one is from the beginning', async () => {
    const { t, server } = await withServer()
    await using app = t
    for (const [email, reason] of [
      [`bounce+ada@${domain}`, 'hardBounce'],
      [`COMPLAINT+ben@${domain}`, 'complaint'],
    ] as const) {
      await send(app, email)
      await app.settle()
      expect((await send(app, email, 422)).errors[0].code).toBe('recipient_suppressed')
      expect((await app.get(`/v1/suppressions?email=${encodeURIComponent(email)}`, 200)).data[0]?.reason).toBe(reason)
    }
    expect((await send(app, `suppressed@${domain}`, 422)).errors[0].code).toBe('recipient_suppressed')
    await expectNothingLeft(server)
  })

  test('a campaign to them has every outcome in its ledger, and costs the sender no reputation', async () => {
    const { t, server } = await withServer()
    await using app = t
    await app.patch('/v1/campaign-settings', { trackOpens: true, trackClicks: true }, 200, { as: 'session' })
    const { list } = await listOf(app, 0)
    for (const name of ['delivered', 'bounce', 'complaint', 'reject', 'suppressed', 'click', 'unsubscribe'])
      await app.contact({ email: `${name}@${domain}`, subscribed: true, mailingLists: { [list.id]: true } })
    await join(app, list, 1, { domain })
    const content = [{ type: 'button', text: 'Offer', href: 'https://shop.example/offer' }]
    const id = await draft(app, list, { content })
    await app.post(`/v1/campaigns/${id}/send`, {}, 200)
    await app.settle()
    await app.advance('1m')
    const { data } = await app.get(`/v1/campaigns/${id}/recipients`, 200)
    const outcomesOf = Object.fromEntries(data.map(({ email, state }: Json) => [email.split('@')[0], state]))
    expect(outcomesOf).toMatchObject({
      delivered: 'sent',
      bounce: 'bounced',
      complaint: 'sent',
      reject: 'bounced',
      suppressed: 'suppressed',
      r0: 'bounced',
    })
    expect(await statsOf(app, id)).toMatchObject({ status: 'sent', complained: 1, opened: 1, clicked: 1 })
    const [left] = await app.get(`/v1/contacts/find?email=unsubscribe@${domain}`, 200)
    expect(left.mailingLists[list.id] ?? false).toBe(false)
    const counted = await app.app.db.select().from(sendingCounts)
    expect(counted.map(({ sent, bounced, complained }) => [sent, bounced, complained])).toEqual(
      counted.map(() => [0, 0, 0]),
    )
    await expectNothingLeft(server)
  })
})
