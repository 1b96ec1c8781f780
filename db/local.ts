// The local driver: one file, opened by bun:sqlite. The writer and the readers have separate connections, so readers see the last commit
// and never half of a group.

import { Database as SQLite, type Statement } from 'bun:sqlite'
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import type { Clock } from '../src/kit/clock.ts'
import { fileIdentity, isSameFile, makePrivateFile, makePrivateFolder } from '../src/kit/private-file.ts'
import { CommitCount } from './commit-count.ts'
import { databaseUnavailable, sqliteCode } from './faults.ts'
import { FileSession } from './file-session.ts'
import { type Db, files, type ReadDb } from './handle.ts'
import { LogKeeper } from './log-keeper.ts'
import { LogSync } from './log-sync.ts'
import type { Durability, SharedTransactor } from './writer.ts'

/** How long a write waits for another process to release the file, and how often it retries. */
const lockWaitMs = 5_000
const lockPollMs = 20
const lookBesideMs = 1_000

const maxLogBytes = 16_000_000

/** The SQL of the statements that stay compiled, per connection. The compiled form takes several times as much memory. */
const maxKeptChars = 500_000

const pragmas: [name: string, value: string | number, answer: string | number][] = [
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['busy_timeout', lockWaitMs, lockWaitMs],
  ['foreign_keys', 'ON', 1],
  ['temp_store', 'MEMORY', 2],
  ['cache_size', -16_000, -16_000],
  ['wal_autocheckpoint', 1_000, 1_000],
  // Space that a burst added to the write-ahead log is freed when the log starts over.
  ['journal_size_limit', maxLogBytes, maxLogBytes],
]

export interface LocalParts {
  reader: ReadDb
  transactor: SharedTransactor
  log: LogKeeper
  commits: CommitCount
  close(): void
}

export function openLocal(name: string, clock: Clock): LocalParts {
  makePrivateFolder(dirname(name))
  makePrivateFile(name)
  const path = realpathSync(name)
  const writing = connect(path)
  const reading = connect(path)
  reading.run('PRAGMA query_only = ON')
  // The writer polls for the lock, so that a locked file delays one write and not the whole process.
  writing.run('PRAGMA busy_timeout = 0')
  const db: Db = bind(writing)
  const log = new LogKeeper(path, { writing, reading, open: () => connect(path) })
  const ends = [reading, writing].map(keepCompiled)
  const commits = new CommitCount(writing)
  const sync = new LogSync(log.path)
  return {
    reader: bind(reading),
    transactor: localTransactor(writing, { db, clock, log, sync, commits, refuseIfGone: watch(path) }),
    log,
    commits,
    close() {
      log.close()
      sync.close()
      commits.close()
      for (const end of ends) end()
      reading.close()
      writing.close()
    },
  }
}

/**
 * SQLite plans by the value of a bare `?` that is compared to a column, and plans the statement anew for each value, which costs more than
 * most statements do. `+?` is the same value without that effect.
 */
class PlanOnce extends SQLiteSyncDialect {
  override escapeParam(): string {
    return '+?'
  }
}

function bind(client: SQLite): Db {
  const dialect = new PlanOnce()
  const db: Db = new BunSQLiteDatabase('sync', dialect, new FileSession(client, dialect, undefined), undefined)
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

/** Every PRAGMA is set and read back, so one that had no effect is an error now and not a surprise later. */
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
 * Compiling a statement costs more than running most of them, so the most recently used ones stay compiled. Returns a function that
 * finalizes them: a statement that stays open keeps the file open and its pages in memory.
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

interface Around {
  db: Db
  clock: Clock
  log: LogKeeper
  sync: LogSync
  commits: CommitCount
  refuseIfGone: () => void
}

/**
 * A commit writes to the log, and `sync` forces that to the disk while the thread goes on. The first one is synced by SQLite itself, and with it
 * the folder that the log was made in.
 */
function localTransactor(
  connection: SQLite,
  { db, clock, log, sync, commits, refuseIfGone }: Around,
): SharedTransactor {
  const run = (command: string) => connection.query(command).run()
  const changes = connection.query<{ n: number }, []>('SELECT total_changes() AS n')
  const lock = () => whenUnlocked(() => run('BEGIN IMMEDIATE'))
  const changesSoFar = () => changes.get()?.n ?? 0
  let isFirst = true
  let level: Durability = 'durable'
  let changesBefore = 0
  const makeDurable = () => {
    const { counted } = commits
    if (isFirst) {
      run('PRAGMA synchronous = NORMAL')
      isFirst = false
      commits.acknowledge(counted)
      return
    }
    sync.want(() => commits.acknowledge(counted))
  }
  return {
    db,
    get unsynced() {
      return sync.pending
    },
    changes: changesSoFar,
    async begin(durability = 'durable') {
      refuseIfGone()
      level = durability
      await log.beforeBegin(lock, () => run('ROLLBACK'))
      await lock()
      log.afterBegin()
      changesBefore = changesSoFar()
      return clock.now()
    },
    async commit() {
      // One that changed nothing is no commit: nothing is synced, nor what was volatile before it.
      const isCommit = changesSoFar() !== changesBefore
      if (isCommit) commits.count()
      run('COMMIT')
      if (isCommit && level === 'durable') makeDurable()
      log.afterCommit()
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
 * A file that was removed, moved or replaced stays open and accepts writes that nobody will ever find. So before each transaction the
 * database file must still be the one that was opened, and once a second so must its log and the server's lock file. Once the file is put
 * back, writing continues.
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
    // The log is created by the first write.
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
