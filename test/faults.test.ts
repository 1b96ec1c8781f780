// A database that cannot serve, seen from outside: 503 with Retry-After, nothing half-done, and healthy again without a restart.

import { Database as SQLite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { write } from '../src/app.ts'
import { testApp } from './support/app.ts'
import { freshDatabaseUrl, remoteDatabase } from './support/database.ts'
import { databaseLink } from './support/database-link.ts'

const template = { id: 'a', name: 'A', subject: 'A', content: [{ type: 'text', text: 'A' }] }

describe.skipIf(!remoteDatabase)('a libSQL server that hangs', () => {
  test('K10: reads and writes are 503 within five seconds, also those that wait behind others, and go on afterwards', async () => {
    await using server = databaseLink(await freshDatabaseUrl(''))
    await using t = await testApp({ environment: { DATABASE_URL: server.url } })
    await t.post('/v1/transactional/create', template, 201)
    const timed = async (work: () => Promise<unknown>) => {
      const began = performance.now()
      const result = await work().then(
        (value) => value,
        (error: { code?: string }) => error.code,
      )
      return { result, ms: performance.now() - began }
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

describe.skipIf(remoteDatabase)('from outside', () => {
  test('a file locked by another process: reads go on, a write is 503 after five seconds, the same request works later', async () => {
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
    await t.post('/v1/transactional/create', template, 201)
  }, 20_000)

  test('a full disk: 503, nothing of the request is stored, and it works once there is room', async () => {
    await using t = await testApp()
    await t.post('/v1/transactional/create', template, 201)
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
    await write(t.app, (tx) => tx.db.values(sql`PRAGMA max_page_count = 1000000`))
    const again = await send()
    expect(again.status).toBe(200)
    expect(again.headers.has('idempotency-replayed')).toBe(false)
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
  })

  test('L17: what a burst left of the log is given back to the disk', async () => {
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
