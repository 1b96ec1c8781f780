// Databases that earlier versions left half way (keep.ts made them, by the versions' own code) are carried along: every row is there, what
// waited leaves once, and nobody who has a mail gets it again.

import { Database as SQLite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { write } from '../../src/core/app.ts'
import { createApiKey } from '../../src/people/access/api-keys.ts'
import { findFirstWorkspace } from '../../src/people/workspaces.ts'
import { testApp } from '../support/app.ts'
import { remoteDatabase } from '../support/database.ts'
import { freshDirectory } from '../support/place.ts'
import { startSink } from '../support/smtp-sink.ts'
import { keptSettings } from './keep.ts'

const kept = [...new Bun.Glob('*.db.gz').scanSync(import.meta.dir)].sort()

for (const file of kept)
  test.skipIf(remoteDatabase)(`${file.split('.')[0]} goes on with this version where it stopped`, async () => {
    const path = join(freshDirectory(), 'paquebot.db')
    writeFileSync(path, Bun.gunzipSync(await Bun.file(join(import.meta.dir, file)).bytes()))
    const before = rowsIn(path)
    const { waiting, lastUsed } = stateOf(path)
    expect(waiting.length).toBeGreaterThan(0)

    await using sink = startSink()
    await using t = await testApp({
      environment: { DATABASE_URL: `file:${path}`, SMTP_URL: sink.url, ...keptSettings },
    })
    // What domains had asked for is known of receivers since.
    // What agents wrote and waits is a draft since.
    const { domain_throttles: waits, held_replies: drafts, ...others } = before
    expect(rowsIn(path)).toMatchObject({ ...others, receiver_limits: waits, mailbox_drafts: drafts ?? 0 })
    t.clock.set(new Date(lastUsed))
    const workspace = await findFirstWorkspace(t.app)
    const { apiKey } = await write(t.app, (tx) => createApiKey(tx, workspace?.id ?? '', {}))
    const as = { as: { apiKey } }
    const [{ id }] = (await t.get('/v1/campaigns', 200, as)).data
    expect(await t.get(`/v1/campaigns/${id}`, 200, as)).toMatchObject({ status: 'sending', stats: { sent: 3 } })

    for (let hour = 0; hour < 6; hour++) await t.advance('1h')
    expect(sink.received.flatMap(({ to }) => to).sort()).toEqual(waiting)
    expect(await t.get(`/v1/campaigns/${id}`, 200, as)).toMatchObject({
      status: 'sent',
      stats: { audience: 7, sent: 6, unsubscribed: 1 },
    })
  })

/** How many rows each table has, but for those that say of which version the database is. */
function rowsIn(path: string): Record<string, number> {
  using database = new SQLite(path, { readonly: true })
  const tables = database
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT IN ('sqlite_schema', 'migrations', 'installation')",
    )
    .all()
  const countOf = (name: string) =>
    database.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${name}"`).get()?.n ?? 0
  return Object.fromEntries(tables.map(({ name }) => [name, countOf(name)]))
}

/** Who has a mail to come, and when the version last did something. */
function stateOf(path: string): { waiting: string[]; lastUsed: number } {
  using database = new SQLite(path, { readonly: true })
  const waiting = database
    .query<{ email: string }, []>("SELECT email FROM contacts WHERE email LIKE '%@later.example' ORDER BY email")
    .all()
    .map(({ email }) => email)
  const found = database.query<{ at: number }, []>('SELECT max(finished_at) AS at FROM outbox_jobs').get()
  return { waiting, lastUsed: found?.at ?? 0 }
}
