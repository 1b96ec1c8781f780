// The local driver: one file, opened by bun:sqlite. The writer has a connection of its own; reads use another, so they see
// the last commit and never half a group.

import { Database as SQLite, type Statement } from 'bun:sqlite'
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { BunSQLiteDatabase, SQLiteBunSession } from 'drizzle-orm/bun-sqlite'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import type { Clock } from '../src/lib/clock.ts'
import { databaseUnavailable, sqliteCode } from './faults.ts'
import { type Db, files, type ReadDb } from './handle.ts'
import { fileIdentity, isSameFile, makePrivateFile, makePrivateFolder } from './private-file.ts'
import type { Durability, SharedTransactor } from './writer.ts'

/** How long a write waits for another process to let go of the file, and how often it looks. */
const lockWaitMs = 5_000
const lockPollMs = 20
const lookBesideMs = 1_000

const maxLogBytes = 16_000_000

/** The text of the statements that stay compiled, per connection; compiled they take some times as much. */
const maxKeptChars = 500_000

const pragmas: [name: string, value: string | number, answer: string | number][] = [
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['busy_timeout', lockWaitMs, lockWaitMs],
  ['foreign_keys', 'ON', 1],
  ['temp_store', 'MEMORY', 2],
  ['cache_size', -16_000, -16_000],
  ['wal_autocheckpoint', 1_000, 1_000],
  // What a burst left of the log is given back to the disk when the log begins anew.
  ['journal_size_limit', maxLogBytes, maxLogBytes],
]

export interface LocalParts {
  reader: ReadDb
  transactor: SharedTransactor
  close(): void
}

export function openLocal(name: string, clock: Clock): LocalParts {
  makePrivateFolder(dirname(name))
  makePrivateFile(name)
  const path = realpathSync(name)
  const writing = connect(path)
  const reading = connect(path)
  reading.run('PRAGMA query_only = ON')
  // The writer waits for a lock by polling, so that a locked file stalls one write and not the whole process.
  writing.run('PRAGMA busy_timeout = 0')
  const db: Db = bind(writing)
  const ends = [reading, writing].map(keepCompiled)
  return {
    reader: bind(reading),
    transactor: localTransactor(writing, db, clock, watch(path)),
    close() {
      for (const end of ends) end()
      reading.close()
      writing.close()
    },
  }
}

/**
 * A bare `?` that is compared to a column is one that SQLite plans by, and a statement is planned anew for each value of it: that costs
 * more than most of them. `+?` is the same value, and no hint.
 */
class PlanOnce extends SQLiteSyncDialect {
  override escapeParam(): string {
    return '+?'
  }
}

function bind(client: SQLite): Db {
  const dialect = new PlanOnce()
  const db: Db = new BunSQLiteDatabase('sync', dialect, new SQLiteBunSession(client, dialect, undefined), undefined)
  files.set(db, client)
  return Object.assign(db, { $client: client })
}

function connect(path: string): SQLite {
  try {
    return configured(path)
  } catch (error) {
    throw new Error(`cannot open the database ${path}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}

/** Every PRAGMA is set and read back: one that did not take is an error, not a surprise later. */
function configured(path: string): SQLite {
  const connection = new SQLite(path, { strict: true })
  connection.run(`PRAGMA busy_timeout = ${lockWaitMs}`)
  for (const [name, value, answer] of pragmas) {
    connection.run(`PRAGMA ${name} = ${value}`)
    const row = connection.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get()
    const got = row ? Object.values(row)[0] : undefined
    if (got !== answer) throw new Error(`PRAGMA ${name} is ${got}, not ${answer}`)
  }
  return connection
}

/**
 * To compile a statement costs more than to run most of them, so those used last stay compiled. Returns what ends them: one that lives on
 * keeps the file open, and its pages in memory.
 */
function keepCompiled(connection: SQLite): () => void {
  const kept = new Map<string, Statement>()
  let chars = 0
  const compile = (text: string): Statement => SQLite.prototype.prepare.call(connection, text)
  connection.prepare = ((text: string) => {
    const statement = kept.get(text) ?? compile(text)
    if (!kept.delete(text)) chars += text.length
    kept.set(text, statement)
    for (const [oldest] of kept) {
      if (chars <= maxKeptChars) break
      kept.delete(oldest)
      chars -= oldest.length
    }
    return statement
  }) as SQLite['prepare']
  return () => {
    for (const statement of kept.values()) statement.finalize()
  }
}

function localTransactor(connection: SQLite, db: Db, clock: Clock, refuseIfGone: () => void): SharedTransactor {
  const run = (command: string) => connection.query(command).run()
  const changes = connection.query<{ n: number }, []>('SELECT total_changes() AS n')
  let level: Durability = 'durable'
  return {
    db,
    changes: () => changes.get()?.n ?? 0,
    async begin(durability = 'durable') {
      refuseIfGone()
      // In WAL mode NORMAL leaves out the fsync of a commit; the next one under FULL covers its pages too.
      if (durability !== level) run(`PRAGMA synchronous = ${durability === 'durable' ? 'FULL' : 'NORMAL'}`)
      level = durability
      await whenUnlocked(() => run('BEGIN IMMEDIATE'))
      return clock.now()
    },
    async commit() {
      run('COMMIT')
    },
    async rollback() {
      if (connection.inTransaction) run('ROLLBACK')
    },
    async savepoint(command) {
      run(command)
    },
  }
}

/**
 * A file that is removed, moved or replaced stays open and takes writes that nobody will find again. So the database must be the file
 * that was opened before each transaction, and once a second also its log and the lock of the server. Put back, it is written again.
 */
function watch(path: string): () => void {
  const refuseIfGone = watchFile(path)
  const beside = [`${path}-wal`, `${path}.lock`].map(watchFile)
  let lookedAt = 0
  return () => {
    refuseIfGone()
    const now = performance.now()
    if (now - lookedAt < lookBesideMs) return
    for (const refuse of beside) refuse()
    lookedAt = now
  }
}

function watchFile(path: string): () => void {
  let opened = fileIdentity(path)
  return () => {
    const now = fileIdentity(path)
    // The log comes with the first write.
    opened ??= now
    if (isSameFile(now, opened)) return
    throw databaseUnavailable(new Error(`${path} was removed, moved or replaced: put it back, or restart`))
  }
}

async function whenUnlocked(open: () => void): Promise<void> {
  const deadline = performance.now() + lockWaitMs
  for (;;) {
    try {
      open()
      return
    } catch (error) {
      if (!sqliteCode(error)?.startsWith('SQLITE_BUSY') || performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, lockPollMs))
    }
  }
}
