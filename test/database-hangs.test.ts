// Our own database stops answering, as a server does that swaps, is snapshotted or moved: stopped by a signal, for longer than we wait, and
// continued. No job spends an attempt, nothing is lost, and nothing leaves twice.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { isUnavailable } from '../db/faults.ts'
import { createApp } from '../src/core/app.ts'
import { Dispatcher } from '../src/core/outbox/dispatcher.ts'
import { minute, second } from '../src/kit/duration.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { jobKinds } from '../src/operator/jobs.ts'
import { type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { type Answer, type Sink, startSink } from './support/smtp-sink.ts'
import { startSqld } from './support/sqld.ts'

/** db/server.ts: an answer is waited for four seconds. */
const answeredWithinMs = 5_000

interface Stage extends AsyncDisposable {
  t: TestApp
  sink: Sink
  hang(): void
  goOn(): void
}

/** An installation with a database server of its own. */
async function stage(options: Parameters<typeof startSink>[0] = {}): Promise<Stage> {
  const server = await startSqld()
  const sink = startSink(options)
  const mailer = smtpTransport({ url: sink.url })
  const t = await testApp({ environment: { DATABASE_URL: await server.freshUrl() }, mailer, alone: false })
  await t.template()
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => void process.kill(server.pid, name)
  return {
    t,
    sink,
    hang: () => signal('SIGSTOP'),
    goOn: () => signal('SIGCONT'),
    async [Symbol.asyncDispose]() {
      signal('SIGCONT')
      await t[Symbol.asyncDispose]()
      sink.stop()
      server.stop()
    },
  }
}

async function accepted(t: TestApp, many: number): Promise<string[]> {
  const emails = Array.from({ length: many }, (_, n) => `a${n}@domain${n}.example`)
  for (const email of emails) await t.mail({ email })
  return emails.sort()
}

const mailJobs = (t: TestApp) =>
  t.app.db.all<{ state: string; attempt: number }>(
    sql`SELECT state, attempt FROM outbox_jobs WHERE lane <> 'maintenance' ORDER BY id`,
  )

/** Runs what is due until no mail waits, however late its turn is. */
async function untilDone(t: TestApp): Promise<void> {
  while ((await mailJobs(t)).some(({ state }) => state === 'pending' || state === 'running')) {
    await t.dispatcher.renew()
    await t.settle()
    t.clock.advance(minute)
  }
}

const recipientsOf = (...sinks: Sink[]) => sinks.flatMap(({ received }) => received.flatMap(({ to }) => to)).sort()

describe.skipIf(!remoteDatabase)('the database server hangs', () => {
  test('in the middle of mails: each leaves once, at its first attempt, and whoever asks is told soon', async () => {
    const reached = Promise.withResolvers<void>()
    let taken = 0
    let hang = () => {}
    const onMessage = () => {
      if (++taken !== 5) return
      hang()
      reached.resolve()
    }
    await using s = await stage({ onMessage })
    ;({ hang } = s)
    const emails = await accepted(s.t, 40)
    const settling = s.t.settle().catch((error) => {
      if (!isUnavailable(error)) throw error
    })
    await reached.promise
    for (let n = 0; n < 3; n++) {
      const began = performance.now()
      const refused = await s.t.request('POST', '/v1/transactional/send', { email: 'b@x.example', templateId: 'hello' })
      expect([refused.status, refused.body.code]).toEqual([503, 'database_unavailable'])
      expect(performance.now() - began).toBeLessThan(answeredWithinMs)
      expect((await s.t.request('GET', '/healthz')).status).toBe(200)
    }
    s.goOn()
    await settling
    await untilDone(s.t)
    expect(recipientsOf(s.sink)).toEqual(emails)
    // Nor is a receiving domain slow because our database was.
    expect(await s.t.app.db.all(sql`SELECT code, detail FROM outbox_attempts WHERE code = 'put_off'`)).toEqual([])
    expect(new Set((await mailJobs(s.t)).map(({ state, attempt }) => `${state} ${attempt}`))).toEqual(
      new Set(['done 1']),
    )
  }, 120_000)

  test('for longer than leases last: no process takes the jobs of another that lives', async () => {
    const { promise: frozen, resolve: melt } = Promise.withResolvers<Answer | undefined>()
    const reached = Promise.withResolvers<void>()
    const answer = (stage: string) => {
      if (stage !== 'dot') return undefined
      reached.resolve()
      return frozen
    }
    await using s = await stage({ answer })
    await using there = startSink()
    const app = await createApp(s.t.app.config, {
      clock: s.t.clock,
      log: s.t.app.log,
      mailer: smtpTransport({ url: there.url }),
    })
    const other = new Dispatcher(app, { kinds: jobKinds, alone: false, version: 'test' })
    const emails = await accepted(s.t, 1)
    const settling = s.t.settle()
    await reached.promise
    s.hang()
    s.t.clock.advance(10 * second)
    await other.renew()
    s.t.clock.advance(25 * second)
    s.goOn()
    // The other one is first to be heard again.
    await other.renew()
    await other.runDue()
    expect(there.count()).toBe(0)
    await s.t.dispatcher.renew()
    s.t.clock.advance(21 * second)
    await other.renew()
    melt(undefined)
    await settling
    await untilDone(s.t)
    expect(recipientsOf(s.sink, there)).toEqual(emails)
    expect(await mailJobs(s.t)).toEqual([{ state: 'done', attempt: 1 }])
    await other.stop(0)
    await app.close()
  }, 120_000)
})
