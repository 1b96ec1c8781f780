// How often a libSQL server is asked: what comes together travels together, so a group costs what one costs.

import { expect, test } from 'bun:test'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { type TestApp, testApp } from './support/app.ts'
import { freshDatabaseUrl, remoteDatabase } from './support/database.ts'
import { databaseLink } from './support/database-link.ts'
import { startSink } from './support/smtp-sink.ts'

async function trips(t: TestApp, work: () => Promise<unknown>): Promise<number> {
  const before = t.app.database.requests()
  await work()
  return t.app.database.requests() - before
}

/** The least of three: on a busy machine what is shared for a moment is asked for anew, and what would have come together comes in two parts. */
async function leastTrips(
  t: TestApp,
  work: (run: number) => Promise<unknown>,
  before?: (run: number) => Promise<unknown>,
) {
  const counts: number[] = []
  for (let run = 0; run < 3; run++) {
    await before?.(run)
    counts.push(await trips(t, () => work(run)))
  }
  return Math.min(...counts)
}

/** Alone, and 64 at once, once everything is warm. */
async function aloneAndTogether(t: TestApp, one: (n: number) => Promise<unknown>): Promise<[number, number]> {
  await one(0)
  const alone = await leastTrips(t, (run) => one(run + 1))
  const together = await leastTrips(t, (run) =>
    Promise.all(Array.from({ length: 64 }, (_, n) => one(100 * (run + 1) + n))),
  )
  return [alone, together]
}

test.skipIf(!remoteDatabase)(
  'round trips of a send, an event, and a mail on its way, alone and 64 at once',
  async () => {
    await using sink = startSink({ keep: false })
    await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=64` }) })
    await t.template({ text: 'Hello {{contact.email}}' })
    const scheduledAt = new Date(t.clock.now().getTime() + 86_400_000).toISOString()
    const send = (n: number) => t.mail({ email: `a${n}@d${n}.example`, scheduledAt })
    const [sendAlone, sendTogether] = await aloneAndTogether(t, send)
    const contact = await t.contact()
    expect(contact.success).toBe(true)
    const event = () => t.post('/v1/events/send', { email: 'ada@example.net', eventName: 'seen' }, 200)
    const [eventAlone, eventTogether] = await aloneAndTogether(t, event)
    const mail = (n: number) => t.mail({ email: `b${n}@d${n}.example` })
    const mails = async (first: number, many: number) => {
      for (let n = first; n < first + many; n++) await mail(n)
    }
    const settled = () => t.settle()
    await mail(0)
    await t.settle()
    const mailAlone = await leastTrips(t, settled, (run) => mail(run + 1))
    const mailsTogether = await leastTrips(t, settled, (run) => mails(100 * (run + 1), 32))
    process.stdout.write(
      `round trips: a send ${sendAlone}, 64 at once ${sendTogether}; an event ${eventAlone}, 64 at once ${eventTogether}; a mail on its way ${mailAlone}, 32 at once ${mailsTogether}\n`,
    )
    expect(sink.count()).toBe(1 + 3 + 3 * 32)
    expect(sendAlone).toBeLessThanOrEqual(4)
    expect(sendTogether).toBeLessThanOrEqual(6)
    expect(eventAlone).toBeLessThanOrEqual(4)
    expect(eventTogether).toBeLessThanOrEqual(6)
    expect(mailAlone).toBeLessThanOrEqual(9)
    expect(mailsTogether).toBeLessThanOrEqual(16)
  },
)

/** What a request to the server is about. */
const about = {
  claim: /insert into \\"outbox_attempts/,
  handOver: /insert into \\"send_journal/,
  end: /update \\"outbox_attempts/,
}

test.skipIf(!remoteDatabase)(
  'a claim, a hand-over and an end are one round trip each, alone and for 64, and none asks while it holds the lock',
  async () => {
    await using link = databaseLink(await freshDatabaseUrl('', { withTables: true }))
    await using sink = startSink({ keep: false })
    const mailer = smtpTransport({ url: `${sink.url}?maxConnections=64` })
    await using t = await testApp({ environment: { DATABASE_URL: link.url }, mailer })
    await t.template({ text: 'Hello {{contact.email}}' })
    let bodies: string[] = []
    link.lose((body) => {
      bodies.push(body)
      return false
    })
    const mails = async (many: number) => {
      for (let n = 0; n < many; n++) await t.mail({ email: `${many}-${n}@d${n}.example` })
      bodies = []
      await t.settle()
      const transactions = bodies.filter((body) => body.includes('BEGIN IMMEDIATE'))
      expect(transactions.filter((body) => !body.includes('COMMIT'))).toEqual([])
      const those = (pattern: RegExp) => transactions.filter((body) => pattern.test(body)).length
      return { claim: those(about.claim), handOver: those(about.handOver), end: those(about.end) }
    }
    await mails(1)
    expect(await mails(1)).toEqual({ claim: 1, handOver: 1, end: 1 })
    const together = await mails(64)
    expect(together.claim).toBe(1)
    expect(together.handOver).toBeLessThanOrEqual(5)
    expect(together.end).toBeLessThanOrEqual(5)
    expect(sink.count()).toBe(66)
  },
)
