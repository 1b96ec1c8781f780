// A database that cannot serve, seen from outside: 503 with Retry-After, nothing half-done, and healthy again without a restart.

import { Database as SQLite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { databaseUnavailable } from '../db/faults.ts'
import { openDatabase } from '../db/open.ts'
import { write } from '../src/core/app.ts'
import { checkInvariants } from '../src/core/outbox/invariants.ts'
import { systemClock } from '../src/kit/clock.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { testApp } from './support/app.ts'
import { draft, listOf } from './support/campaign.ts'
import { type Cli, cli, type Server } from './support/cli.ts'
import { freshDatabaseUrl, remoteDatabase } from './support/database.ts'
import { type DatabaseLink, databaseLink } from './support/database-link.ts'
import { loopMs } from './support/loop-monitor.ts'
import { operationsOf, pathWith } from './support/openapi.ts'
import { type Answer, type SinkStage, startSink } from './support/smtp-sink.ts'

const canInjectFaults = Bun.which('strace') !== null

const template = { id: 'a', name: 'A', subject: 'A', content: [{ type: 'text', text: 'A' }] }

describe.skipIf(!remoteDatabase)('a libSQL server that hangs', () => {
  test('reads and writes are 503 within five seconds, also those that wait behind others, and go on afterwards', async () => {
    await using server = databaseLink(await freshDatabaseUrl(''))
    await using t = await testApp({ environment: { DATABASE_URL: server.url } })
    await t.template(template)
    const timed = async (work: () => Promise<unknown>) => {
      const began = loopMs()
      const result = await work().then(
        (value) => value,
        (error: { code?: string }) => error.code,
      )
      return { result, ms: loopMs() - began }
    }
    const note = () =>
      timed(() => write(t.app, (tx) => tx.db.run(sql`UPDATE installation SET value = value WHERE name = 'x'`)))
    server.shut()
    const read = timed(async () => (await t.request('GET', '/v1/transactional')).status)
    const first = note()
    await new Promise(setImmediate)
    const behind = Array.from({ length: 200 }, note)
    const answers = await Promise.all([read, first, ...behind])
    expect(answers[0]?.result).toBe(503)
    // Of what was sent nobody knows whether it was carried out; what waited behind it was not.
    const [, sent, ...waited] = answers.map(({ result }) => result)
    expect(sent).toBe('outcome_unknown')
    for (const result of waited) expect(['outcome_unknown', 'database_unavailable']).toContain(String(result))
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(5_000)
    server.open()
    // What was on its way when the door was shut arrives now, and its transaction is undone by the server after a while.
    let code: string | undefined = 'database_unavailable'
    while (code === 'database_unavailable')
      ({ code } = (await t.request('POST', '/v1/transactional/create', { ...template, id: 'b' })).body)
    expect(code).toBeUndefined()
  }, 120_000)
})

describe.skipIf(!remoteDatabase)('a libSQL server that is gone when the process is asked to stop', () => {
  const mails = 8

  /** A server that has mails at the `stage` of their hand-over, all of them. */
  async function sending(paquebot: Cli, link: DatabaseLink, stage: SinkStage, said: () => Promise<Answer | undefined>) {
    const there = Promise.withResolvers<void>()
    let count = 0
    const sink = startSink({
      answer: async (at) => {
        if (at !== stage) return
        if (++count === mails) there.resolve()
        return said()
      },
    })
    const environment = {
      DATABASE_URL: link.url,
      SMTP_URL: sink.url,
      SHUTDOWN_GRACE_MS: '500',
      SECRET_KEY: 'of a test, not more',
    }
    const { json } = await paquebot.run(
      ['init', '--workspace', 'acme', '--email', 'ada@example.net', '--json'],
      environment,
    )
    const server = await paquebot.serve(environment)
    const post = (path: string, body: object) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${json.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await post('/v1/transactional/create', template)
    const answers = Array.from({ length: mails }, (_, n) =>
      post('/v1/transactional/send', { email: `p${n}@example${n}.net`, templateId: 'a' }),
    )
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
    await there.promise
    return { sink, server }
  }

  const states = async (url: string) => {
    const database = await openDatabase({ url, clock: systemClock })
    const rows = await database.reader.all<{ state: string; count: number }>(
      sql`SELECT state, count(*) AS count FROM outbox_jobs WHERE lane = 'mail.tx' GROUP BY state`,
    )
    await database.close()
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  }

  test('it waits, within its time, to say which mails were accepted, so that none goes twice', async () => {
    const url = await freshDatabaseUrl('')
    await using link = databaseLink(url)
    using paquebot = await cli()
    const accepted = Promise.withResolvers<undefined>()
    const { sink, server } = await sending(paquebot, link, 'dot', () => accepted.promise)
    await using _ = sink
    link.shut()
    server.kill('SIGTERM')
    await server.whenSaid(/stopping/)
    accepted.resolve(undefined)
    await server.whenSaid(/could not be written; trying again/)
    link.open()
    expect((await server.ended).code).toBe(0)
    expect(sink.count()).toBe(mails)
    expect(await states(url)).toEqual({ done: mails })
  }, 120_000)

  test('where it hangs for good, the process ends in its time and says so, and all is kept', async () => {
    const url = await freshDatabaseUrl('')
    await using link = databaseLink(url)
    using paquebot = await cli()
    const { sink, server } = await sending(paquebot, link, 'mail', async () => 'silent')
    await using _ = sink
    link.shut()
    const began = performance.now()
    server.kill('SIGTERM')
    const { code, err } = await server.ended
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(code).toBe(0)
    expect(err).toContain('stopped before the ends of all jobs were stored')
    // The next start takes them up.
    expect(sink.count()).toBe(0)
    expect(await states(url)).toEqual({ running: mails })
  }, 120_000)
})

test('a query that failed is logged without what it asked for, also as the cause of what it led to', async () => {
  await using t = await testApp()
  const error: unknown = await Promise.resolve()
    .then(() => t.app.db.all(sql`SELECT ${'ada@example.net'} FROM nowhere`))
    .catch((error) => error)
  t.app.log.error('the end of a job could not be written', { error: databaseUnavailable(error) })
  const line = t.logged.at(-1) ?? ''
  expect(line).toContain('nowhere')
  expect(line).not.toContain('ada@example.net')
  expect(line).not.toContain('SELECT')
})

describe.skipIf(remoteDatabase)('from outside', () => {
  test('R9: a file locked by another process: reads go on, a write is 503 after five seconds, the same request works later', async () => {
    await using t = await testApp()
    const { databaseUrl } = t.app.config
    const other = new SQLite(databaseUrl.slice('file:'.length))
    other.run('BEGIN IMMEDIATE')
    const refused = t.request('POST', '/v1/transactional/create', template)
    // While that one waits for the lock, the process answers others.
    expect((await t.request('GET', '/v1/transactional')).status).toBe(200)
    expect((await t.request('GET', '/healthz')).status).toBe(200)
    const reply = await refused
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).toBe('1')
    expect(reply.body.code).toBe('database_unavailable')
    other.run('COMMIT')
    other.close()
    await t.template(template)
  })

  test('R9: a full disk: 503, nothing of the request is stored, and it works once there is room', async () => {
    // One that no other test had: pages that are free in its file would be room.
    await using t = await testApp({ isNew: true })
    await t.template(template)
    const pages = (await write(t.app, (tx) => tx.db.values<[number]>(sql`PRAGMA page_count`)))[0]?.[0] ?? 0
    await write(t.app, (tx) => tx.db.values(sql.raw(`PRAGMA max_page_count = ${pages}`)))
    const data = Buffer.alloc(300_000, 'x').toString('base64')
    const attachments = [{ filename: 'a.txt', contentType: 'text/plain', data }]
    const send = () =>
      t.request(
        'POST',
        '/v1/transactional/send',
        { email: 'a@b.co', templateId: 'a', attachments },
        { headers: { 'idempotency-key': 'full' } },
      )
    const reply = await t.unchanged(send)
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).toBe('1')
    expect(reply.body.message).toStartWith('The disk of the server is full: nothing was changed')
    await write(t.app, (tx) => tx.db.values(sql`PRAGMA max_page_count = 1000000`))
    const again = await send()
    expect(again.status).toBe(200)
    expect(again.headers.has('idempotency-replayed')).toBe(false)
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
  })

  test('a full disk: whatever is read is read on, pages included', async () => {
    await using t = await testApp({ isNew: true })
    const { id: contactId } = await t.contact()
    await t.template(template)
    const { messageId } = await t.mail({ templateId: 'a' })
    await t.settle()
    const ids: Record<string, string> = { contactId, messageId, templateId: 'a', transactionalId: 'a' }
    const operations = (await operationsOf(t)).filter(({ method }) => method === 'GET')
    const pages = [
      '/',
      '/login',
      '/dashboard/',
      '/dashboard/people',
      '/docs/',
      '/captured/',
      '/healthz',
      '/openapi.json',
    ]
    const read = async () => {
      const statuses: Record<string, number> = {}
      for (const { path, security } of operations) {
        const as = security.some((one) => 'apiKey' in one) ? 'key' : 'session'
        const { status } = await t.request('GET', pathWith(path, ids), undefined, { as })
        statuses[path] = status
      }
      for (const page of pages) statuses[page] = (await t.request('GET', page, undefined, { as: 'session' })).status
      return statuses
    }
    const before = await read()
    expect(Object.values(before).filter((status) => status === 200).length).toBeGreaterThan(50)
    // Not the smallest of writes fits.
    await write(t.app, (tx) => tx.db.run(sql`PRAGMA query_only = 1`))
    const create = { email: 'b@example.net' }
    expect((await t.request('POST', '/v1/contacts/create', create)).body.code).toBe('database_unavailable')
    expect(await read()).toEqual(before)
    expect((await t.request('GET', '/readyz')).body.checks.database).toBe(false)
  })

  // The disk refuses in the middle of the work: what was synced is not known any more, so the process ends and the next one reads it anew.
  test.skipIf(!canInjectFaults).each([
    ['to sync', 'fsync,fdatasync', 30],
    ['to write', 'pwrite64', 300],
  ])(
    'R9: a disk that fails %s: the process ends, and what it acknowledged is there (needs strace)',
    async (_, calls, nth) => {
      using paquebot = await cli()
      const init = ['init', '--workspace', 'acme', '--email', 'ada@example.net', '--json']
      const { apiKey } = (await paquebot.run(init)).json
      const request = (server: Server, path: string, body?: object) =>
        fetch(server.url + path, {
          method: body ? 'POST' : 'GET',
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: body ? JSON.stringify(body) : null,
        }).catch(() => null)
      const inject = [`trace=${calls}`, `inject=${calls}:error=EIO:when=${nth}`].flatMap((one) => ['-e', one])
      const failing = await paquebot.serve({}, [], ['strace', '-f', '-qq', '-o', '/dev/null', ...inject])
      const acknowledged: string[] = []
      let last: Response | null = null
      for (let n = 0; n < 500; n++) {
        const email = `c${n}@example.net`
        last = await request(failing, '/v1/contacts/create', { email })
        if (last?.status !== 200) break
        acknowledged.push(email)
      }
      expect(last?.status ?? 503).toBe(503)
      const { code, err } = await failing.ended
      expect([code, err]).toEqual([1, expect.stringContaining('the disk failed')])
      const sound = await paquebot.serve()
      for (const email of acknowledged)
        expect(await (await request(sound, `/v1/contacts/find?email=${email}`))?.json(), email).toHaveLength(1)
      expect(acknowledged.length).toBeGreaterThan(5)
      sound.kill('SIGTERM')
      await sound.ended
      expect((await paquebot.run(['verify'])).code).toBe(0)
    },
  )

  test.skipIf(!canInjectFaults)(
    'a start without room says which file could not be written, and what to do (needs strace)',
    async () => {
      using paquebot = await cli()
      const full = 'strace -f -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:error=ENOSPC'.split(' ')
      await expect(paquebot.serve({}, [], full)).rejects.toThrow(
        /no space left on the disk: \S+paquebot\.db could not be written, .+ free\. .+ free at least/,
      )
    },
  )

  test('R16: a copy that is made at any moment, of a server at work, is whole and consistent', async () => {
    let taken = 0
    const copies: string[] = []
    await using sink = startSink({
      onMessage: () => {
        if (++taken % 20 !== 0) return
        const copy = `${path}.${taken}`
        const connection = new SQLite(path, { readonly: true })
        connection.run('VACUUM INTO ?', [copy])
        connection.close()
        copies.push(copy)
      },
    })
    await using t = await testApp({ mailer: smtpTransport({ url: sink.url }) })
    const path = t.app.config.databaseUrl.slice('file:'.length)
    await t.template(template)
    const { list } = await listOf(t, 100)
    await t.post(`/v1/campaigns/${await draft(t, list)}/send`, {}, 200)
    for (let n = 0; n < 50; n++) await t.mail({ email: `p${n}@example.net`, templateId: 'a' })
    await t.settle()
    expect(copies.length).toBeGreaterThanOrEqual(7)
    for (const copy of copies) {
      const restored = await openDatabase({ url: `file:${copy}`, clock: t.clock })
      expect(await restored.reader.all(sql`PRAGMA integrity_check`)).toEqual([{ integrity_check: 'ok' }])
      expect(await checkInvariants({ db: restored.reader })).toEqual([])
      await restored.close()
    }
  })

  test('what a burst left of the log is given back to the disk', async () => {
    await using t = await testApp()
    const log = `${t.app.config.databaseUrl.slice('file:'.length)}-wal`
    const put = (size: number) =>
      write(t.app, (tx) =>
        tx.db.run(
          sql`INSERT INTO installation VALUES ('x', ${'x'.repeat(size)}, 0) ON CONFLICT DO UPDATE SET value = excluded.value`,
        ),
      )
    await put(40_000_000)
    expect(statSync(log).size).toBeGreaterThan(40_000_000)
    for (let n = 0; n < 3; n++) await put(n)
    expect(statSync(log).size).toBeLessThan(17_000_000)
  })
})
