// What becomes of a message when the mail server agrees, refuses, or cuts the line, through the whole product (R10): the state
// of its job, its status and history, when it is tried again, and whom we stop mailing.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { suppressions } from '../db/tables/contacts.ts'
import { messages } from '../db/tables/messages.ts'
import { outboxJobs, sendJournal } from '../db/tables/outbox.ts'
import { write } from '../src/core/app.ts'
import { Dispatcher } from '../src/core/outbox/dispatcher.ts'
import { cancelJobs } from '../src/core/outbox/waiting.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { deliverMessage } from '../src/features/sending/deliver-message.ts'
import { mailRetryDelaysMs } from '../src/features/sending/outcome.ts'
import { hour, minute } from '../src/kit/duration.ts'
import { jobKinds } from '../src/operator/jobs.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { ranOnFile } from './support/database.ts'
import { type Answer, type Sink, type SinkStage, startSink } from './support/smtp-sink.ts'

/** What a reply means is read before anything is stored: on both databases those of one kind. */
const once = test.skipIf(ranOnFile)

const mail = { email: 'ada@example.net', templateId: 'hello' }
const password = 'the password of the mail server'

interface Product extends AsyncDisposable {
  t: TestApp
  sink: Sink
  /** Accepts a message and returns its id. */
  send(more?: object): Promise<string>
}

/** The app with its SMTP_URL at a sink that answers so. */
async function product(
  answer?: (stage: SinkStage) => Answer | Promise<Answer> | undefined,
  more = {},
): Promise<Product> {
  const sink = startSink({ ...(answer ? { answer } : {}), auth: true, ...more })
  const url = `smtp://user:${encodeURIComponent(password)}@127.0.0.1:${sink.port}`
  const t = await testApp({ environment: { SMTP_URL: url } })
  await t.template()
  return {
    t,
    sink,
    send: async (body = {}) => (await t.mail({ ...mail, ...body })).messageId,
    async [Symbol.asyncDispose]() {
      expect(t.logged.join(), 'the password is in the log').not.toContain(password)
      sink.stop()
      await t[Symbol.asyncDispose]()
    },
  }
}

const neverHandedOver = { phase: 'none', ambiguousRetries: 0, smtpReply: null }

async function stateOf({ t }: Product, messageId: string) {
  const record: Json = await t.get(`/v1/activity/${messageId}`, 200)
  const [journal = neverHandedOver] = await t.app.db
    .select()
    .from(sendJournal)
    .where(eq(sendJournal.messageId, messageId))
  const [message] = await t.app.db.select().from(messages).where(eq(messages.id, messageId))
  const [job] = await t.app.db
    .select()
    .from(outboxJobs)
    .where(eq(outboxJobs.id, message?.jobId ?? ''))
  if (!job) throw new Error('there is no such job')
  return { record, job, journal }
}

const historyOf = (record: Json): string[] =>
  record.events.map(({ status, code }: Json) => (code === undefined ? status : `${status} ${code}`))

const suppressedNow = async ({ t }: Product) =>
  (await t.app.db.select().from(suppressions).all()).map(({ email, reason, messageId }) => ({
    email,
    reason,
    messageId,
  }))

const messageIdsOf = ({ sink }: Product) =>
  sink.received.map(({ raw }) => /^Message-ID: <([^>]*)>/m.exec(raw.toString('latin1'))?.[1])

describe('R10: each answer of the mail server', () => {
  type Row = [stage: SinkStage, said: Answer, code: string]
  const triedAgain: Row[] = [
    ['banner', '421 4.3.2 busy', '421 4.3.2'],
    ['banner', '554 no service', '554'],
    ['banner', 'HTTP/1.1 400 Bad Request', 'protocol'],
    ['banner', 'cut', 'cut'],
    ['ehlo', '451 later', '451'],
    ['ehlo', '554 5.7.1 not you', '554 5.7.1'],
    ['ehlo', 'cut', 'cut'],
    ['auth', '454 4.7.0 later', '454 4.7.0'],
    ['auth', '535 5.7.8 wrong password', '535 5.7.8'],
    ['auth', 'cut', 'cut'],
    ['mail', '421 4.7.0 too much', '421 4.7.0'],
    ['mail', '451 4.7.1 later', '451 4.7.1'],
    ['mail', '530 5.7.0 authentication required', '530 5.7.0'],
    ['mail', '550 5.7.1 no', '550 5.7.1'],
    ['mail', '553 5.1.8 bad sender', '553 5.1.8'],
    ['mail', 'cut', 'cut'],
    ['rcpt', '554 5.7.1 <ada@example.net>: Relay access denied', '554 5.7.1'],
    ['rcpt', '550 relay not permitted', '550'],
    ['rcpt', '450 4.2.1 greylisted', '450 4.2.1'],
    ['rcpt', '452 4.2.2 mailbox full', '452 4.2.2'],
    ['rcpt', 'cut', 'cut'],
    ['data', '451 later', '451'],
    ['data', 'cut', 'cut'],
    ['dot', '550 5.7.26 this mail is unauthenticated', '550 5.7.26'],
    ['dot', '421 4.3.0 going down', '421 4.3.0'],
    ['dot', '452 4.3.1 full', '452 4.3.1'],
    ['dot', 'cut', 'no_final_reply'],
  ]
  for (const [stage, said, code] of triedAgain) {
    const run = said === 'cut' ? test : once
    run(`${said} at ${stage}: tried again in a minute, and sent when the server is well`, async () => {
      let ill = true
      await using p = await product((asked) => (ill && asked === stage ? said : undefined))
      const messageId = await p.send()
      await p.t.settle()
      const mayHaveArrived = code === 'no_final_reply'
      const { record, job, journal } = await stateOf(p, messageId)
      expect(record).toMatchObject({ status: 'delayed', attempts: 1 })
      expect(historyOf(record)).toEqual(['queued', 'sending', `delayed ${code}`])
      expect(record.events[2].detail).toBeTruthy()
      expect(job).toMatchObject({ state: 'pending', attempt: 1, lastCode: code })
      const phase = stage === 'dot' ? 'prepared' : 'none'
      expect(journal).toMatchObject({ phase, ambiguousRetries: mayHaveArrived ? 1 : 0 })
      const waits = job.dueAt.getTime() - p.t.clock.now().getTime()
      expect(waits).toBeGreaterThanOrEqual(0.8 * minute)
      expect(waits).toBeLessThanOrEqual(1.2 * minute)
      expect(await suppressedNow(p)).toEqual([])

      ill = false
      p.t.clock.advance(waits - 1)
      await p.t.settle()
      expect((await stateOf(p, messageId)).record.attempts).toBe(1)
      await p.t.advance('1ms')
      const after = await stateOf(p, messageId)
      expect(after.record).toMatchObject({ status: 'sent', attempts: 2 })
      expect(historyOf(after.record)).toEqual(['queued', 'sending', `delayed ${code}`, 'sending', 'sent 250'])
      expect(after.job.state).toBe('done')
      expect(after.journal).toMatchObject({ phase: 'accepted', smtpReply: '250 2.0.0 queued' })
      const copies = mayHaveArrived ? 2 : 1
      expect(messageIdsOf(p)).toEqual(Array.from({ length: copies }, () => `${messageId}@paquebot.localhost`))
    })
  }

  const refused: [stage: SinkStage, said: string, bounces: boolean][] = [
    ['mail', '552 5.3.4 too big', false],
    ['rcpt', '550 5.1.1 no such user', true],
    ['rcpt', '550 5.1.10 null MX', true],
    ['rcpt', '550 no such user', true],
    ['rcpt', '551 not here', true],
    ['rcpt', '553 no such name', true],
    ['rcpt', '550 5.7.1 policy', false],
    ['rcpt', '552 5.2.2 mailbox full', false],
    ['rcpt', '554 no', false],
    ['data', '554 no', false],
    ['dot', '550 5.1.1 no such user', true],
    ['dot', '550 spam', false],
    ['dot', '552 5.3.4 too big', false],
    ['dot', '552 too big', false],
    ['dot', '554 5.6.0 content', false],
    ['dot', '554 5.7.1 spam', false],
  ]
  for (const [stage, said, bounces] of refused) {
    const run = said.startsWith('55') && stage === 'dot' ? test : once
    run(`${said} at ${stage}: over, and the address is ${bounces ? '' : 'not '}suppressed`, async () => {
      await using p = await product((asked) => (asked === stage ? said : undefined))
      const messageId = await p.send()
      await p.t.settle()
      const { record, job, journal } = await stateOf(p, messageId)
      const code = bounces ? 'hard_bounce' : / 5\.2\./.test(said) ? 'soft_bounce' : 'refused'
      expect(record).toMatchObject({ status: bounces ? 'bounced' : 'failed', attempts: 1 })
      expect(historyOf(record)).toEqual(['queued', 'sending', `${bounces ? 'bounced' : 'failed'} ${code}`])
      expect(record.events[2].detail).toBe(said)
      expect(job).toMatchObject({ state: 'dead', attempt: 1, lastCode: code })
      expect(journal.phase).toBe(stage === 'dot' ? 'refused' : 'none')
      expect(await suppressedNow(p)).toEqual(bounces ? [{ email: mail.email, reason: 'hardBounce', messageId }] : [])
      await p.t.advance('7d')
      expect((await stateOf(p, messageId)).record.attempts).toBe(1)
      const next = await p.t.request('POST', '/v1/transactional/send', { ...mail, email: 'ADA@example.net' })
      expect([next.status, next.body.code]).toEqual(bounces ? [422, 'recipient_suppressed'] : [200, undefined])
      expect(p.sink.received).toEqual([])
    })
  }

  test('a mail larger than the server takes is over without being sent, and suppresses nobody', async () => {
    await using p = await product((stage) =>
      stage === 'ehlo' ? '250-sink\r\n250-AUTH PLAIN\r\n250 SIZE 10' : undefined,
    )
    const messageId = await p.send()
    await p.t.settle()
    expect(historyOf((await stateOf(p, messageId)).record)).toEqual(['queued', 'sending', 'failed refused'])
    expect(await suppressedNow(p)).toEqual([])
  })

  test('a refused connection is tried again', async () => {
    await using p = await product()
    p.sink.stop()
    const messageId = await p.send()
    await p.t.settle()
    const { record, job } = await stateOf(p, messageId)
    expect(historyOf(record)).toEqual(['queued', 'sending', 'delayed refused_connection'])
    expect(job.state).toBe('pending')
  })

  test('a cut within the body is tried again; whether it may have arrived is what the history says', async () => {
    await using p = await product(undefined, { cutInBody: true })
    const messageId = await p.send()
    await p.t.settle()
    const { record, job, journal } = await stateOf(p, messageId)
    // The cut races with our dot: before it nothing was sent, after it nobody knows.
    expect(['cut', 'no_final_reply']).toContain(job.lastCode ?? '')
    expect(record.status).toBe('delayed')
    expect(journal).toMatchObject({ phase: 'prepared', ambiguousRetries: job.lastCode === 'no_final_reply' ? 1 : 0 })
  })

  test('one refusal of many spoils no other', async () => {
    const sink = startSink({
      answer: (stage, _, { to }) => (stage === 'rcpt' && /^bad/.test(to) ? '550 5.1.1 no' : undefined),
    })
    await using t = await testApp({ environment: { SMTP_URL: `${sink.url}?maxConnections=2` } })
    await t.template()
    for (let i = 0; i < 20; i++) {
      await t.mail({ ...mail, email: `${i % 2 ? 'good' : 'bad'}@domain${i}.example` })
    }
    await t.settle()
    expect(sink.received.map(({ to }) => to.join()).sort()).toEqual(
      Array.from({ length: 10 }, (_, i) => `good@domain${2 * i + 1}.example`).sort(),
    )
    for (const status of ['sent', 'bounced']) {
      expect((await t.get(`/v1/activity?status=${status}`, 200)).pagination.totalResults, status).toBe(10)
    }
    sink.stop()
  })
})

describe('over time', () => {
  /** Runs attempt after attempt, each exactly when it is due and not a millisecond before. Returns the waits in between. */
  async function untilItEnds(p: Product, messageId: string): Promise<number[]> {
    const waits: number[] = []
    await p.t.settle()
    for (;;) {
      const { job } = await stateOf(p, messageId)
      if (job.state !== 'pending') return waits
      const wait = job.dueAt.getTime() - p.t.clock.now().getTime()
      waits.push(wait)
      p.t.clock.advance(wait - 1)
      await p.t.settle()
      expect((await stateOf(p, messageId)).job.attempt).toBe(job.attempt)
      await p.t.advance('1ms')
    }
  }

  function expectSchedule(waits: number[]): void {
    expect(waits).toHaveLength(mailRetryDelaysMs.length)
    for (const [index, wait] of waits.entries()) {
      const planned = mailRetryDelaysMs[index] ?? 0
      expect(wait / planned, `wait ${index + 1}`).toBeGreaterThanOrEqual(0.8)
      expect(wait / planned, `wait ${index + 1}`).toBeLessThanOrEqual(1.2)
    }
  }

  test('the schedule is 1 m, 5 m, 15 m, 1 h, 3 h, 6 h, 12 h, 24 h', () => {
    expect(mailRetryDelaysMs).toEqual([1, 5, 15, 60, 180, 360, 720, 1440].map((minutes) => minutes * minute))
  })

  test('a server that never takes it: nine attempts, then failed, and nobody is suppressed', async () => {
    await using p = await product((stage) => (stage === 'rcpt' ? '450 4.2.1 greylisted' : undefined))
    const messageId = await p.send()
    const waits = await untilItEnds(p, messageId)
    expectSchedule(waits)
    const { record, job } = await stateOf(p, messageId)
    expect(job).toMatchObject({ state: 'dead', attempt: 9, lastCode: '450 4.2.1' })
    expect(record).toMatchObject({ status: 'failed', attempts: 9 })
    const again = Array.from({ length: 8 }, () => ['sending', 'delayed 450 4.2.1']).flat()
    expect(historyOf(record)).toEqual(['queued', ...again, 'sending', 'failed 450 4.2.1'])
    expect(await suppressedNow(p)).toEqual([])
  })

  test('a reply that is always lost: two repeats with the same Message-ID, then uncertain, for a person', async () => {
    await using p = await product((stage) => (stage === 'dot' ? 'cut' : undefined))
    const messageId = await p.send()
    expect(await untilItEnds(p, messageId)).toHaveLength(2)
    const { record, job, journal } = await stateOf(p, messageId)
    expect(job).toMatchObject({ state: 'ambiguous', attempt: 3, lastCode: 'no_final_reply' })
    expect(record).toMatchObject({ status: 'uncertain', attempts: 3 })
    expect(historyOf(record).at(-1)).toBe('uncertain no_final_reply')
    expect(journal).toMatchObject({ phase: 'handing_over', ambiguousRetries: 2 })
    expect(messageIdsOf(p)).toEqual(Array.from({ length: 3 }, () => `${messageId}@paquebot.localhost`))
    await p.t.advance('30d')
    expect(p.sink.count()).toBe(3)
    await p.t.post('/v1/jobs/resolve', { verdict: 'done', jobIds: [job.id] }, 200)
    expect((await stateOf(p, messageId)).record).toMatchObject({ status: 'sent' })
  })

  test('a reply that is lost once, then refusals until no attempt is left: uncertain, because it may have arrived', async () => {
    let mails = 0
    await using p = await product((stage) => {
      if (stage === 'mail') mails++
      return stage !== 'dot' ? undefined : mails === 1 ? 'cut' : '451 4.3.0 try later'
    })
    const messageId = await p.send()
    await untilItEnds(p, messageId)
    const { record, job } = await stateOf(p, messageId)
    expect(job).toMatchObject({ state: 'ambiguous', attempt: 9, lastCode: '451 4.3.0' })
    expect(record).toMatchObject({ status: 'uncertain', attempts: 9 })
    const last = 'an earlier attempt may have arrived; the last one: 451 4.3.0 try later'
    expect(record.events.at(-1)).toMatchObject({ status: 'uncertain', detail: last })
    await p.t.post('/v1/jobs/resolve', { verdict: 'done', jobIds: [job.id] }, 200)
    expect((await stateOf(p, messageId)).record).toMatchObject({ status: 'sent' })
  })

  test('different faults one after the other, then sent, in one history', async () => {
    const said: (Answer | undefined)[] = ['450 4.2.1 greylisted', 'cut', '451 later', undefined]
    let attempt = -1
    await using p = await product((stage) => {
      if (stage === 'mail') attempt++
      return stage === 'rcpt' ? said[attempt] : undefined
    })
    const messageId = await p.send()
    expect(await untilItEnds(p, messageId)).toHaveLength(3)
    const { record } = await stateOf(p, messageId)
    expect(historyOf(record)).toEqual([
      'queued',
      'sending',
      'delayed 450 4.2.1',
      'sending',
      'delayed cut',
      'sending',
      'delayed 451',
      'sending',
      'sent 250',
    ])
    const log = record.attemptLog.map(({ outcome, code }: Json) => `${outcome} ${code}`)
    expect(log).toEqual(['retry 450 4.2.1', 'retry cut', 'retry 451', 'done 250'])
    expect(record.attemptLog[0]).toMatchObject({ durationMs: 0, detail: expect.stringContaining('greylisted') })
    expect(p.sink.received).toHaveLength(1)
  })
})

describe('a change of mind', () => {
  test('a cancelled job is not sent', async () => {
    await using p = await product()
    const messageId = await p.send({ scheduledAt: '2026-01-15T13:00:00Z' })
    const jobs = await p.t.app.db.select().from(outboxJobs).all()
    const jobIds = jobs.map(({ id }) => id)
    const cancelled = await write(p.t.app, (tx) => cancelJobs(tx, [deliverMessage], { jobIds }))
    expect([...cancelled.values()]).toEqual(['cancelled'])
    await p.t.advance('2h')
    expect(p.sink.connections()).toBe(0)
    const record: Json = await p.t.get(`/v1/activity/${messageId}`, 200)
    expect([record.status, historyOf(record)]).toEqual(['cancelled', ['queued', 'cancelled cancelled']])
  })

  /** A server that waits in the middle of the envelope until it is released. */
  async function atRcpt() {
    const reached = Promise.withResolvers<void>()
    const release = Promise.withResolvers<Answer>()
    const p = await product((stage) => {
      if (stage !== 'rcpt') return undefined
      reached.resolve()
      return release.promise
    })
    const messageId = await p.send()
    const running = p.t.settle()
    await reached.promise
    return {
      p,
      messageId,
      async release() {
        release.resolve('250 2.1.5 ok')
        await running
      },
    }
  }

  test('a job that is cancelled while it runs stops before the final dot', async () => {
    const { p, messageId, release } = await atRcpt()
    await using _ = p
    const { job } = await stateOf(p, messageId)
    expect(job.state).toBe('running')
    const cancelled = await write(p.t.app, (tx) => cancelJobs(tx, [deliverMessage], { jobIds: [job.id] }))
    expect(cancelled.get(job.id)).toBe('requested')
    await release()
    const after = await stateOf(p, messageId)
    expect([after.job.state, after.record.status, after.journal.phase]).toEqual(['cancelled', 'cancelled', 'none'])
    await p.t.advance('2d')
    expect(p.sink.count()).toBe(0)
  })

  const moments: ['before its time' | 'while it is handed over', boolean][] = [
    ['before its time', false],
    ['while it is handed over', true],
  ]
  for (const [when, inFlight] of moments) {
    test(`an address that is suppressed ${when} is not mailed`, async () => {
      const early = inFlight ? null : await product()
      const { p, messageId, release } = early
        ? {
            p: early,
            messageId: await early.send({ scheduledAt: '2026-01-15T13:00:00Z' }),
            release: () => early.t.advance('1h'),
          }
        : await atRcpt()
      await using _ = p
      await write(p.t.app, (tx) => suppress(tx, p.t.workspace.id, { email: 'Ada@example.net', reason: 'complaint' }))
      await release()
      const { record, job, journal } = await stateOf(p, messageId)
      expect(record.status).toBe('suppressed')
      expect(historyOf(record)).toEqual(['queued', 'sending', 'suppressed suppressed'])
      expect([job.state, job.lastCode, journal.phase]).toEqual(['dead', 'suppressed', 'none'])
      await p.t.advance('2d')
      expect(p.sink.count()).toBe(0)
    })
  }

  test('a suppression of another workspace stops nothing', async () => {
    await using p = await product()
    const { workspace } = await p.t.stranger()
    await p.send()
    await write(p.t.app, (tx) => suppress(tx, workspace.id, { email: mail.email, reason: 'complaint' }))
    await p.t.settle()
    expect(p.sink.count()).toBe(1)
  })

  test('a soft stop before the hand-over gives the attempt back, and the next start sends the mail', async () => {
    const { p, messageId, release } = await atRcpt()
    await using _ = p
    await p.t.dispatcher.stop(0)
    const { record, job, journal } = await stateOf(p, messageId)
    expect([job.state, job.attempt, journal.ambiguousRetries]).toEqual(['pending', 0, 0])
    expect(record).toMatchObject({ status: 'queued', attempts: 0 })
    expect(job.dueAt.getTime()).toBeLessThan(p.t.clock.now().getTime() + hour)
    await release()
    expect(p.sink.count()).toBe(0)
    await new Dispatcher(p.t.app, { kinds: jobKinds, alone: true, version: 'test' }).runDue()
    expect((await stateOf(p, messageId)).record.status).toBe('sent')
    expect(p.sink.count()).toBe(1)
  })
})
