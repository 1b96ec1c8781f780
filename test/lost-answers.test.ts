// A libSQL server whose answers get lost on the way: what was acknowledged is there once, nothing is cancelled, stuck or answered 500.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { isUnavailable } from '../db/faults.ts'
import { write } from '../src/core/app.ts'
import { minute, second } from '../src/kit/duration.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { type TestApp, testApp } from './support/app.ts'
import { drafted, statsOf } from './support/campaign.ts'
import { freshDatabaseUrl, remoteDatabase } from './support/database.ts'
import { type DatabaseLink, databaseLink } from './support/database-link.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

/** Of the answers to commits, every so many one is lost. */
function everyNthCommit(n: number): (body: string) => boolean {
  let commits = 0
  return (body) => body.includes('COMMIT') && ++commits % n === 0
}

/** One of several processes on the server at the end of the link. */
function appBehind(link: DatabaseLink, sink: Sink): Promise<TestApp> {
  const mailer = smtpTransport({ url: sink.url })
  return testApp({ environment: { DATABASE_URL: link.url }, mailer, alone: false })
}

/** Runs what is due again and again, with the database as it is, until nothing waits. */
async function untilDone(t: TestApp): Promise<void> {
  for (let open = -1; open !== 0; ) {
    await unlessUnavailable(() => t.dispatcher.rescue())
    await unlessUnavailable(() => t.settle())
    t.clock.advance(minute)
    const rows = await unlessUnavailable(async () =>
      t.app.db.all<{ open: number }>(
        sql`SELECT count(*) AS open FROM outbox_jobs WHERE state IN ('pending', 'running') AND lane <> 'maintenance'`,
      ),
    )
    open = rows?.[0]?.open ?? -1
  }
}

async function unlessUnavailable<T>(work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (isUnavailable(error)) return null
    throw error
  }
}

describe.skipIf(!remoteDatabase)('answers of the database are lost', () => {
  test('sends and their mails: each that was acknowledged leaves once, what was refused is not there', async () => {
    await using link = databaseLink(await freshDatabaseUrl('', { withTables: true }))
    await using sink = startSink()
    await using t = await appBehind(link, sink)
    await t.template()
    link.lose(everyNthCommit(3))
    const outcomes: { email: string; status: number; code: string | undefined }[] = []
    for (let round = 0; round < 10; round++) {
      const emails = Array.from({ length: 8 }, (_, n) => `a${round}.${n}@domain${n}.example`)
      const answers = emails.map(async (email) => {
        const { status, body } = await t.request('POST', '/v1/transactional/send', { email, templateId: 'hello' })
        outcomes.push({ email, status, code: body.code })
      })
      await Promise.all(answers)
    }
    expect([...new Set(outcomes.map(({ status }) => status))].filter((status) => status !== 503)).toEqual([200])
    link.lose(everyNthCommit(4))
    await untilDone(t)
    link.lose(() => false)
    const sent = sink.received.flatMap(({ to }) => to).sort()
    expect(sent).toEqual([...new Set(sent)])
    const of = (wanted: (code: string | undefined) => boolean) =>
      outcomes.filter(({ code }) => wanted(code)).map(({ email }) => email)
    expect(of((code) => code === undefined).filter((email) => !sent.includes(email))).toEqual([])
    expect(of((code) => code === 'database_unavailable').filter((email) => sent.includes(email))).toEqual([])
    expect((await t.get('/v1/activity?status=sent&limit=1', 200)).pagination.totalResults).toBe(sent.length)
  }, 240_000)

  test('a campaign reaches everybody once, and cancels nobody', async () => {
    await using link = databaseLink(await freshDatabaseUrl('', { withTables: true }))
    await using sink = startSink()
    await using t = await appBehind(link, sink)
    const { id, contacts } = await drafted(t, 60)
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    link.lose(everyNthCommit(4))
    await untilDone(t)
    link.lose(() => false)
    expect(sink.received.flatMap(({ to }) => to).sort()).toEqual(contacts.map(({ email }) => email).sort())
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 60, sent: 60 })
  }, 240_000)

  test('jobs whose claim is never answered are given back with their attempt', async () => {
    await using link = databaseLink(await freshDatabaseUrl('', { withTables: true }))
    await using sink = startSink()
    await using t = await appBehind(link, sink)
    await t.template()
    await t.mail({ email: 'a@example.net' })
    let claims = 0
    link.swallow((body) => {
      if (body.includes('outbox_attempts') && body.includes('COMMIT')) claims++
      return claims > 0
    })
    await unlessUnavailable(() => t.settle())
    link.swallow(() => false)
    expect(claims).toBeGreaterThan(0)
    const job = () => t.app.db.all(sql`SELECT state, attempt, fence FROM outbox_jobs WHERE kind = 'deliver-message'`)
    expect(await job()).toEqual([{ state: 'running', attempt: 1, fence: 1 }])
    t.clock.advance(31 * second)
    await t.dispatcher.renew()
    expect(await job()).toEqual([{ state: 'pending', attempt: 0, fence: 1 }])
    await untilDone(t)
    expect(sink.count()).toBe(1)
    expect(await job()).toEqual([{ state: 'done', attempt: 1, fence: 2 }])
  })

  test('whatever gets lost, a request is answered within ten seconds', async () => {
    await using link = databaseLink(await freshDatabaseUrl('', { withTables: true }))
    await using t = await testApp({ environment: { DATABASE_URL: link.url } })
    await t.template()
    // It answers whoever reads, and nobody who writes.
    link.swallow((body) => body.includes('BEGIN') || body.includes('write_tokens'))
    const send = async (n: number) => {
      const began = performance.now()
      const { status } = await t.request('POST', '/v1/transactional/send', {
        email: `a${n}@example.net`,
        templateId: 'hello',
      })
      return { status, ms: performance.now() - began }
    }
    let isOver = false
    const reading = (async () => {
      while (!isOver) expect((await t.request('GET', '/v1/transactional')).status).toBe(200)
    })()
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => send(n)))
    isOver = true
    await reading
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([503]))
    expect(Math.max(...all.map(({ ms }) => ms))).toBeLessThan(10_000)
  })

  test('an answer that never comes holds nothing for longer than five seconds, and is asked about', async () => {
    await using link = databaseLink(await freshDatabaseUrl('', { withTables: true }))
    await using t = await testApp({ environment: { DATABASE_URL: link.url } })
    await t.template()
    // The commit of a send is carried out, and its answer swallowed for good.
    let swallowed = 0
    link.swallow((body) => body.includes('write_tokens') && swallowed++ === 0)
    const began = performance.now()
    const { status } = await t.request('POST', '/v1/transactional/send', {
      email: 'a@example.net',
      templateId: 'hello',
    })
    expect(status).toBe(200)
    expect(performance.now() - began).toBeLessThan(5_000)
    expect((await t.get('/v1/activity?limit=5', 200)).pagination.totalResults).toBe(1)
    // What comes next is served as ever.
    await write(t.app, (tx) => tx.db.run(sql`UPDATE installation SET value = value WHERE name = 'x'`))
  })

  test('a lost answer is asked about as long as the server answers others, and costs them nothing', async () => {
    await using link = databaseLink(await freshDatabaseUrl('', { withTables: true }))
    await using t = await testApp({ environment: { DATABASE_URL: link.url } })
    await t.template()
    // Of the commits one never answers, nor do the first two questions what became of it.
    const lost = { commits: 0, questions: 0 }
    link.swallow((body) => {
      if (!body.includes('write_tokens')) return false
      const isQuestion = body.includes('ON CONFLICT DO NOTHING') && body.includes('SELECT committed')
      return isQuestion ? lost.questions++ < 2 : lost.commits++ === 3
    })
    let isOver = false
    const send = (n: number) =>
      t.request('POST', '/v1/transactional/send', { email: `a${n}@example.net`, templateId: 'hello' })
    const others = async () => {
      const statuses: number[] = []
      for (let n = 100; !isOver; n++) statuses.push((await send(n)).status)
      return statuses
    }
    const beside = others()
    const statuses = (await Promise.all(Array.from({ length: 30 }, (_, n) => send(n)))).map(({ status }) => status)
    while (lost.questions < 3) statuses.push((await send(50 + statuses.length)).status)
    isOver = true
    expect(new Set([...statuses, ...(await beside)])).toEqual(new Set([200]))
  })

  test('an answer that is lost while a transaction is open: the server undoes it after five seconds, and all goes on', async () => {
    await using link = databaseLink(await freshDatabaseUrl('', { withTables: true }))
    await using sink = startSink()
    await using t = await appBehind(link, sink)
    await t.template()
    const body = { email: 'a@example.net', templateId: 'hello' }
    await t.mail(body)
    let lost = 0
    link.lose((sent) => sent.includes('BEGIN') && !sent.includes('COMMIT') && lost++ === 0)
    // Nothing that is done for each mail asks in its transaction; a unit that waits for a RETURNING does.
    const asks = sql`UPDATE installation SET value = value RETURNING name`
    await unlessUnavailable(() => write(t.app, async (tx) => void (await tx.db.all(asks))))
    expect(lost).toBeGreaterThan(0)
    const options = { headers: { 'idempotency-key': 'second' } }
    const began = performance.now()
    let status = 503
    while (status === 503) ({ status } = await t.request('POST', '/v1/transactional/send', body, options))
    expect(status).toBe(200)
    expect(performance.now() - began).toBeLessThan(10_000)
    await untilDone(t)
    expect(sink.count()).toBe(2)
  })
})
