// How often a libSQL server is asked: what comes together travels together, so a group costs what one costs.

import { expect, test } from 'bun:test'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { startSink } from './support/smtp-sink.ts'

const content = [{ type: 'text', text: 'Hello {{contact.email}}' }]

async function trips(t: TestApp, work: () => Promise<unknown>): Promise<number> {
  const before = t.app.database.requests()
  await work()
  return t.app.database.requests() - before
}

/** Alone, and 64 at once, once everything is warm. */
async function aloneAndTogether(t: TestApp, one: (n: number) => Promise<unknown>): Promise<[number, number]> {
  await one(0)
  const alone = await trips(t, () => one(1))
  const together = await trips(t, () => Promise.all(Array.from({ length: 64 }, (_, n) => one(2 + n))))
  return [alone, together]
}

test.skipIf(!remoteDatabase)(
  'round trips of a send, an event, and a mail on its way, alone and 64 at once',
  async () => {
    await using sink = startSink({ keep: false })
    await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=64` }) })
    await t.post('/v1/transactional/create', { id: 'hello', name: 'Hello', subject: 'Hello', content }, 201)
    const scheduledAt = new Date(t.clock.now().getTime() + 86_400_000).toISOString()
    const send = (n: number) =>
      t.post('/v1/transactional/send', { email: `a${n}@d${n}.example`, templateId: 'hello', scheduledAt }, 200)
    const [sendAlone, sendTogether] = await aloneAndTogether(t, send)
    const contact = await t.post('/v1/contacts/create', { email: 'ada@example.net' }, 200)
    expect(contact.success).toBe(true)
    const event = () => t.post('/v1/events/send', { email: 'ada@example.net', eventName: 'seen' }, 200)
    const [eventAlone, eventTogether] = await aloneAndTogether(t, event)
    const mail = (n: number) =>
      t.post('/v1/transactional/send', { email: `b${n}@d${n}.example`, templateId: 'hello' }, 200)
    await mail(0)
    await t.settle()
    await mail(1)
    const mailAlone = await trips(t, () => t.settle())
    for (let n = 2; n < 34; n++) await mail(n)
    const mailsTogether = await trips(t, () => t.settle())
    process.stdout.write(
      `round trips: a send ${sendAlone}, 64 at once ${sendTogether}; an event ${eventAlone}, 64 at once ${eventTogether}; a mail on its way ${mailAlone}, 32 at once ${mailsTogether}\n`,
    )
    expect(sink.count()).toBe(34)
    expect(sendAlone).toBeLessThanOrEqual(5)
    expect(sendTogether).toBeLessThanOrEqual(12)
    expect(eventAlone).toBeLessThanOrEqual(8)
    expect(eventTogether).toBeLessThanOrEqual(20)
    expect(mailAlone).toBeLessThanOrEqual(20)
    expect(mailsTogether).toBeLessThanOrEqual(40)
  },
  60_000,
)
