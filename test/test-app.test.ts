// What all tests lean on: an app that served one test is as new for the next, and one that cannot be is not lent again.

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { write } from '../src/app.ts'
import { type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { snapshot } from './support/snapshot.ts'

/** A test of that app. Returns where it was. */
async function visit(work: (t: TestApp) => Promise<unknown> = async () => {}): Promise<string> {
  await using t = await testApp()
  await work(t)
  return t.url
}

async function useIt(t: TestApp): Promise<void> {
  const content = [{ type: 'text', text: 'Hi' }]
  await t.post('/v1/transactional/create', { id: 'hello', name: 'H', subject: 'H', content }, 201)
  await t.post('/v1/transactional/send', { email: 'ada@example.net', templateId: 'hello' }, 200)
  await t.advance('1h')
  await t.request('GET', '/v1/contacts', undefined, { as: { apiKey: 'wrong' } })
  t.app.config.webhookAllowCidrs = []
  expect(await t.sent()).toHaveLength(1)
}

test.skipIf(remoteDatabase)('an app that served a test is as new for the next', async () => {
  await using whole = await testApp({ environment: {} })
  const rows = await snapshot(whole.app)
  const first = await visit(useIt)
  const next = await visit(async (t) => {
    expect((await snapshot(t.app)).differencesFrom(rows)).toEqual([])
    expect([t.clock.now(), t.logged, await t.sent()]).toEqual([whole.clock.now(), [], []])
    expect(t.app.config.webhookAllowCidrs).toEqual(whole.app.config.webhookAllowCidrs)
    expect((await t.get('/v1/contacts', 200)).data).toEqual([])
  })
  expect(next).toBe(first)
})

test.skipIf(remoteDatabase)(
  'an app is not lent again with other tables, other files, or a reader that holds what it read',
  async () => {
    const spoilt = [
      (t: TestApp) => write(t.app, (tx) => tx.db.run(sql`CREATE TABLE left_behind (id)`)),
      async (t: TestApp) => writeFileSync(join(t.app.config.dataDir, 'left-behind'), ''),
      async (t: TestApp) => t.app.db.all(sql`EXPLAIN QUERY PLAN SELECT * FROM contacts`),
    ]
    for (const spoil of spoilt) {
      const url = await visit(spoil)
      expect(await visit()).not.toBe(url)
    }
  },
)
