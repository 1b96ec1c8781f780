// A mail server that takes 300 ms for a mail, as many do: all the connections that one receiving domain may have are used all the time,
// and nobody reads that a mail was delayed. Domains that take far longer are in test/slow-domain.test.ts.

import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { count, eq } from 'drizzle-orm'
import { messageEvents } from '../db/tables/messages.ts'
import { outboxAttempts } from '../db/tables/outbox.ts'
import { systemClock } from '../src/kit/clock.ts'
import { testApp } from './support/app.ts'
import { drafted, sendCampaign, statsOf } from './support/campaign.ts'
import { remoteDatabase } from './support/database.ts'
import { startSink } from './support/smtp-sink.ts'

const tookMs = 300
const mails = 200

function slowSink(tookMs: number) {
  let busy = 0
  let most = 0
  const sink = startSink({
    async answer(stage) {
      if (stage !== 'dot') return undefined
      most = Math.max(most, ++busy)
      const { promise, resolve } = Promise.withResolvers<void>()
      setTimeout(() => resolve(), tookMs)
      await promise
      busy--
      return undefined
    },
  })
  return { sink, most: () => most }
}

test('a campaign to one domain, at a server that takes 300 ms a mail, is neither delayed nor slowed', async () => {
  const { sink, most } = slowSink(tookMs)
  await using t = await testApp({ environment: { SMTP_URL: `${sink.url}?maxConnections=10` }, clock: systemClock })
  const { id } = await drafted(t, mails)
  await t.dispatcher.start()
  const began = performance.now()
  await t.post(`/v1/campaigns/${id}/send`, {}, 200)
  await sink.whenReceived(mails)
  const seconds = (performance.now() - began) / 1_000
  await t.dispatcher.stop(20_000)
  const best = (mails / most()) * (tookMs / 1_000)
  const [delayed] = await t.app.db.select({ n: count() }).from(messageEvents).where(eq(messageEvents.status, 'delayed'))
  const [attempts] = await t.app.db.select({ n: count() }).from(outboxAttempts)
  process.stdout.write(
    `  ${mails} mails to one domain: ${(mails / seconds).toFixed(1)}/s over ${most()} connections, at best ${(mails / best).toFixed(1)}/s; ${delayed?.n} told as delayed, ${(attempts?.n ?? 0) - mails - 1} claimed in vain\n`,
  )
  expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: mails })
  sink.stop()
  expect(delayed?.n).toBe(0)
  expect(most()).toBe(8)
}, 120_000)

test('mail that lets others of its domain go first is queued, and nobody is told that it is delayed', async () => {
  const { sink } = slowSink(700)
  await using t = await testApp({ environment: { SMTP_URL: `${sink.url}?maxConnections=2` }, clock: systemClock })
  await t.template()
  for (let n = 0; n < 12; n++) await t.mail({ email: `a${n}@example.net` })
  await t.dispatcher.start()
  await sink.whenReceived(12)
  await t.dispatcher.stop(20_000)
  const outcomes = await t.app.db.select({ code: outboxAttempts.code }).from(outboxAttempts)
  expect(outcomes.map(({ code }) => code)).toContain('put_off')
  for (const { status, attempts, events } of (await t.get('/v1/activity', 200)).data) {
    expect([status, attempts]).toEqual(['sent', 1])
    expect(events.map((one: { status: string }) => one.status)).not.toContain('delayed')
  }
  sink.stop()
}, 120_000)

// On a libSQL server the lock would be one more request; what waits for it is the same.
test.skipIf(remoteDatabase)(
  'while our own database keeps mail waiting, no domain is taken to be slow',
  async () => {
    const path = () => t.app.config.databaseUrl.slice('file:'.length)
    let isLocked = false
    const sink = startSink({
      onMessage() {
        if (isLocked || sink.count() < 30) return
        isLocked = true
        const other = new Database(path())
        other.run('BEGIN IMMEDIATE')
        setTimeout(() => {
          other.run('COMMIT')
          other.close()
        }, 2_500)
      },
    })
    await using t = await testApp({ environment: { SMTP_URL: sink.url } })
    const { id } = await drafted(t, mails)
    await sendCampaign(t, id)
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: mails, sent: mails })
    expect(isLocked).toBe(true)
    sink.stop()
  },
  120_000,
)
