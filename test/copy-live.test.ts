// A copy of a database that others write to: it is that of one commit, or after a fence exactly the same; and nothing stays behind.

import { Database as SQLite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { copyRows, silence, unsilence } from '../db/copy.ts'
import { compareRows } from '../db/copy-compare.ts'
import { type End, openEnd } from '../db/copy-ends.ts'
import { fence, unfence } from '../db/copy-fence.ts'
import { beating, catchUp, clearAbandoned, close, type LiveCopy, track, untrack } from '../db/copy-live.ts'
import { removeMark } from '../db/copy-mark.ts'
import { isMoved } from '../db/faults.ts'
import { putInstallationValue } from '../db/installation-value.ts'
import { modelTables } from '../db/model.ts'
import { openDatabase } from '../db/open.ts'
import { write } from '../src/core/app.ts'
import { checkInvariants } from '../src/core/outbox/invariants.ts'
import { type TestApp, testApp } from './support/app.ts'
import { eventually } from './support/eventually.ts'
import { freshDirectory } from './support/place.ts'

/** The app's database and a new file beside it, whose triggers are silent. */
async function ends(t: TestApp) {
  const path = join(freshDirectory(), 'copy.db')
  const made = await openDatabase({ url: `file:${path}`, clock: t.clock })
  await made.close()
  const from = await openEnd(t.app.config.databaseUrl)
  const to = await openEnd(`file:${path}`)
  await silence(to)
  return {
    path,
    copy: (id: string): LiveCopy => ({ from, to, id }),
    from,
    to,
    [Symbol.dispose]() {
      from.close()
      to.close()
    },
  }
}

/** Callers of every kind until they are stopped: each writes, changes and deletes. Resolves with what was acknowledged by then. */
function callers(t: TestApp, many: number) {
  const contacts = new Set<string>()
  let isOver = false
  let writes = 0
  const one = async (name: number) => {
    for (let n = 0; !isOver; n++) {
      const email = `c${name}-${n}@example.org`
      await t.post('/v1/contacts/create', { email }, 200)
      await t.mail({ email })
      await t.put('/v1/contacts/update', { email, plan: `p${n}`, subscribed: n % 3 > 0 }, 200)
      writes += 3
      if (n % 4 === 3) await t.post('/v1/contacts/delete', { email }, 200)
      else contacts.add(email)
    }
  }
  const running = Array.from({ length: many }, (_, name) => one(name))
  return {
    acknowledged: () => [...contacts],
    writes: () => writes,
    async stop() {
      isOver = true
      await Promise.all(running)
    },
  }
}

const leftBehind = async (end: End) =>
  await end.rows(
    "SELECT name FROM sqlite_master WHERE name LIKE 'cop%' UNION ALL SELECT name FROM installation WHERE name IN ('copy', 'tracking')",
  )

const triggersOf = async (end: End) =>
  (await end.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")).map((row) =>
    row.map(String),
  )

test('a copy is as of one commit while others write, and the source is as it was before', async () => {
  await using t = await testApp({ isNew: true })
  await t.template()
  using both = await ends(t)
  const { from, to, path } = both
  const before = await triggersOf(from)
  const copy = both.copy('one')
  const writing = callers(t, 4)
  expect(await track(copy)).toBe('begun')
  expect(await track(copy)).toBe('resumed')
  await expect(track(both.copy('another'))).rejects.toThrow(/copies this database/)
  await copyRows(from, to, beating(copy))
  await catchUp(copy)
  await eventually(() => writing.writes()).toBeGreaterThan(100)
  const known = writing.acknowledged()
  const counts = await close(copy)
  await untrack(copy)
  await writing.stop()
  expect(await leftBehind(from)).toEqual([])
  expect(await triggersOf(from)).toEqual(before)

  await unsilence(to)
  expect(await triggersOf(to)).toEqual(before)
  for (const [table, rows] of Object.entries(counts))
    expect([table, (await to.rows(`SELECT count(*) FROM "${table}"`))[0]?.[0]]).toEqual([table, rows])
  using file = new SQLite(path)
  const column = (sql: string) => file.query(sql).values().flat()
  expect(column('PRAGMA integrity_check')).toEqual(['ok'])
  const emails = new Set(column('SELECT email FROM contacts'))
  expect(known.filter((email) => !emails.has(email))).toEqual([])
  // Of one commit: a contact has its consent, and a mail its job.
  expect(
    column(
      'SELECT email FROM contacts WHERE id NOT IN (SELECT contact_id FROM consent_records WHERE contact_id IS NOT NULL)',
    ),
  ).toEqual([])
  const copied = await openDatabase({ url: `file:${path}`, clock: t.clock })
  expect(await checkInvariants({ db: copied.reader })).toEqual([])
  await copied.close()
})

test('behind a fence nobody writes, by an error that says so, and the copy is the same row by row', async () => {
  await using t = await testApp({ isNew: true })
  await t.template()
  using both = await ends(t)
  const { from, to } = both
  const copy = both.copy('move')
  const writing = callers(t, 2)
  await track(copy)
  await copyRows(from, to, beating(copy))
  await catchUp(copy)
  await writing.stop()
  const mark = { id: 'move', role: 'source', other: 'elsewhere' } as const
  await fence(from, mark)
  // Given up and gone on with, as by serve --go-on.
  await removeMark(t.app.database)
  await t.post('/v1/contacts/create', { email: 'between@example.org' }, 200)
  await fence(from, mark)
  await fence(from, mark)
  const refused = await write(t.app, (tx) => putInstallationValue(tx, 'name', 'value')).catch((error) => error)
  expect(isMoved(refused)).toBeTrue()
  const answer = await t.post('/v1/contacts/create', { email: 'late@example.org' }, 503)
  expect(JSON.stringify(answer)).toContain('moved to another database')
  for (const { name, columns } of modelTables().filter((one) => one.name !== 'migrations')) {
    const [changed] = columns.filter((column) => column !== 'rowid')
    const isWrite = ['write_tokens', 'touched_partitions'].includes(name)
    const isSilent = isWrite || (await from.rows(`SELECT 1 FROM "${name}" LIMIT 1`)).length === 0
    const update = { sql: `UPDATE "${name}" SET "${changed}" = "${changed}"`, args: [] }
    const refusal = await from.write([update]).catch((error) => error)
    expect([name, isMoved(refusal), refusal]).toEqual([name, !isSilent, isSilent ? undefined : refusal])
  }
  await catchUp(copy, 0)
  const compared = await compareRows(from, to)
  expect(compared.filter(({ isEqual }) => !isEqual)).toEqual([])
  expect(compared.find(({ table }) => table === 'contacts')?.from).toBeGreaterThan(2)
  const [found] = await from.rows("SELECT value FROM installation WHERE name = 'copy'")
  expect(JSON.parse(String(found?.[0]))).toEqual(mark)
  await unfence(from)
  await untrack(copy)
  expect(await leftBehind(from)).toEqual([])
  await t.post('/v1/contacts/create', { email: 'late@example.org' }, 200)
  expect((await compareRows(from, to)).filter(({ isEqual }) => !isEqual).map(({ table }) => table)).toContain(
    'contacts',
  )
})

test('what changes between the slices of a copy is the same in the end: keys that move, values that change owners', async () => {
  await using t = await testApp({ isNew: true })
  using both = await ends(t)
  const { from, to } = both
  const copy = both.copy('two')
  const put = (id: string, email: string) => ({
    sql: 'INSERT INTO users (id, email, created_at, updated_at) VALUES (?, ?, 1, 1)',
    args: [id, email],
  })
  const run = (sql: string, ...args: string[]) => ({ sql, args })
  await from.write([
    put('usr_1', 'one@example.org'),
    put('usr_2', 'two@example.org'),
    put('usr_3', 'three@example.org'),
  ])
  await track(copy)
  await copyRows(from, to)
  await from.write([
    run("UPDATE users SET email = 'free@example.org' WHERE id = 'usr_1'"),
    run("UPDATE users SET email = 'one@example.org' WHERE id = 'usr_2'"),
    run("DELETE FROM users WHERE id = 'usr_3'"),
    put('usr_4', 'three@example.org'),
  ])
  await catchUp(copy, 0)
  await from.write([
    run("UPDATE users SET id = 'usr_5' WHERE id = 'usr_4'"),
    run("UPDATE users SET email = 'two@example.org' WHERE id = 'usr_1'"),
    run("UPDATE users SET rowid = rowid + 100 WHERE id = 'usr_2'"),
  ])
  // A copy that ended is gone on with by one of the same id.
  expect(await track(copy)).toBe('resumed')
  await copyRows(from, to)
  await catchUp(copy, 0)
  expect((await compareRows(from, to)).filter(({ isEqual }) => !isEqual)).toEqual([])
  await untrack(copy)
})

test('a copy that nobody goes on with is cleared away, and learns that', async () => {
  await using t = await testApp({ isNew: true })
  using both = await ends(t)
  const { from } = both
  const copy = both.copy('lost')
  await track(copy)
  await clearAbandoned(from)
  expect(await leftBehind(from)).not.toEqual([])
  await from.write([
    { sql: "UPDATE installation SET updated_at = updated_at - 61000 WHERE name = 'tracking'", args: [] },
  ])
  const next = both.copy('next')
  expect(await track(next)).toBe('begun')
  await expect(catchUp(copy)).rejects.toThrow(/given up/)
  await untrack(copy)
  expect(await track(next)).toBe('resumed')
  // One of a process of this machine that has ended is not waited for.
  const ended = Bun.spawnSync(['true']).pid
  await from.write([
    { sql: "UPDATE installation SET value = json_set(value, '$.pid', ?) WHERE name = 'tracking'", args: [ended] },
  ])
  await clearAbandoned(from)
  expect(await leftBehind(from)).toEqual([])
})
