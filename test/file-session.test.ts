// Rows of a file are read by our own session; each must be what Drizzle's makes of it.

import { Database as SQLite } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { BunSQLiteDatabase, SQLiteBunSession } from 'drizzle-orm/bun-sqlite'
import { blob, integer, SQLiteSyncDialect, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { FileSession } from '../db/file-session.ts'
import { at, flag, json } from '../db/tables/columns.ts'

const owners = sqliteTable('owners', { id: text('id').primaryKey(), nick: text('nick'), seenAt: at('seen_at') })
const things = sqliteTable('things', {
  id: integer('id').primaryKey(),
  owner: text('owner'),
  isKnown: flag('is_known'),
  data: json<{ a: number }>('data'),
  bytes: blob('bytes', { mode: 'buffer' }),
})

const directory = mkdtempSync(join(tmpdir(), 'paquebot-rows-'))
const client = new SQLite(join(directory, 'rows.db'), { strict: true })
client.run('CREATE TABLE owners (id TEXT PRIMARY KEY, nick TEXT, seen_at INTEGER)')
client.run('CREATE TABLE things (id INTEGER PRIMARY KEY, owner TEXT, is_known INTEGER, data TEXT, bytes BLOB)')
client.run(`INSERT INTO owners VALUES ('ada', NULL, 1700000000000), ('bob', 'B', NULL)`)
client.run(
  `INSERT INTO things VALUES (1, 'ada', 1, '{"a":1}', x'00ff'), (2, 'bob', 0, NULL, NULL), (3, 'nobody', NULL, 'null', x'')`,
)

afterAll(() => {
  client.close()
  rmSync(directory, { recursive: true })
})

type Session = SQLiteBunSession<Record<string, never>, Record<string, never>>

function open(make: (dialect: SQLiteSyncDialect) => Session) {
  const dialect = new SQLiteSyncDialect()
  return new BunSQLiteDatabase('sync', dialect, make(dialect), undefined)
}

const ours = open((dialect) => new FileSession(client, dialect, undefined))
const theirs = open((dialect) => new SQLiteBunSession(client, dialect, undefined))

type Db = typeof ours
const someone = (db: Db) => db.select({ id: owners.id, nick: owners.nick }).from(owners).as('someone')

const queries: Record<string, (db: Db) => { all(): unknown[]; get(): unknown }> = {
  'all columns': (db) => db.select().from(things),
  'two tables, one of them without a row': (db) =>
    db.select().from(things).leftJoin(owners, eq(owners.id, things.owner)).orderBy(things.id),
  'one whose first column is null in a row that is there': (db) =>
    db
      .select({ thing: { id: things.id }, of: { nick: owners.nick, id: owners.id } })
      .from(things)
      .leftJoin(owners, eq(owners.id, things.owner))
      .orderBy(things.id),
  'columns of two tables side by side': (db) =>
    db
      .select({ both: { nick: owners.nick, data: things.data }, n: things.id })
      .from(things)
      .leftJoin(owners, eq(owners.id, things.owner)),
  'expressions, named or read as a column is': (db) =>
    db
      .select({
        plain: sql<number>`id + 1`,
        inside: { known: sql`is_known`.mapWith(things.isKnown), named: sql<number>`id * 2`.as('named') },
      })
      .from(things),
  'a query within': (db) => {
    const inner = someone(db)
    return db.select({ id: things.id, nick: inner.nick }).from(things).leftJoin(inner, eq(inner.id, things.owner))
  },
  'what an UPDATE returns': (db) => db.update(things).set({ isKnown: true }).where(eq(things.id, 2)).returning(),
  'no row': (db) => db.select().from(things).where(eq(things.id, 9)),
}

test.each(Object.entries(queries))('%s', (_, query) => {
  expect(query(ours).all()).toStrictEqual(query(theirs).all())
  expect(JSON.stringify(query(ours).all())).toBe(JSON.stringify(query(theirs).all()))
  expect(query(ours).get()).toStrictEqual(query(theirs).get())
})
