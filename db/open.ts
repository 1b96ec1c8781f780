// Opens the database and hides which kind it is, a file (bun:sqlite) or a libSQL server, from everything above.

import type { Clock } from '../src/kit/clock.ts'
import { type Random, systemRandom } from '../src/kit/random.ts'
import type { CommitCount } from './commit-count.ts'
import type { ReadDb } from './handle.ts'
import { openLocal } from './local.ts'
import type { LogKeeper } from './log-keeper.ts'
import { migrate, readSchema, type Schema } from './migrate.ts'
import type { RemoteOptions } from './remote.ts'
import { beginUpgrade, endUpgrade } from './snapshot.ts'
import { type Transactor, type UnitWriter, Writer } from './writer.ts'

export interface Database {
  kind: 'local' | 'remote'
  /** Sees the last commit; cannot write. */
  reader: ReadDb
  writer: UnitWriter
  /** The current time for due dates: the server's time on a libSQL server. */
  clock: Clock
  /** Of a file; null on a libSQL server. */
  log: LogKeeper | null
  /** Of a file; null on a libSQL server. */
  commits: CommitCount | null
  /** Round trips to the server so far; 0 for a file. */
  requests(): number
  /** Waits for the writes already submitted. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** `file:PATH`, or `libsql:`, `http(s):`, `ws(s):` for a libSQL server. */
  url: string
  authToken?: string | undefined
  clock: Clock
  random?: Random
  /** Called before an empty database gets its tables. If it throws, the database stays empty. */
  whenEmpty?: () => void
  /** Called before a database of an earlier version is changed, with how many migrations it lacks. If it throws, the database stays as it is. */
  beforeUpgrade?: (missing: number) => void
  /** False: a database of an earlier version is migrated without a copy of it (snapshot.ts). A server is never copied. */
  snapshot?: boolean
  /** Called after a failed write to the disk: the process should end. */
  onFatal?: (error: unknown) => void
}

/** Opens and migrates. Refuses a database that a newer version has migrated. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const {
    url,
    authToken,
    clock,
    random = systemRandom,
    whenEmpty = () => {},
    beforeUpgrade,
    onFatal = () => {},
  } = options
  const isFile = url.startsWith('file:')
  const parts = isFile
    ? openFile(url.slice('file:'.length), clock, onFatal)
    : await openServer(url, { authToken, clock, random, onFatal })
  const { transactor, close, ...database } = parts
  try {
    const path = isFile && options.snapshot !== false ? url.slice('file:'.length) : null
    await migrate(transactor, whenEmpty, (missing) => {
      beforeUpgrade?.(missing)
      if (path !== null) beginUpgrade(path)
    })
    if (path !== null) endUpgrade(path)
  } catch (error) {
    close()
    throw error
  }
  return {
    ...database,
    async close() {
      await database.writer.close()
      close()
    },
  }
}

/** What a database has of our migrations; it is not migrated. */
export async function findSchemaGaps(options: Pick<DatabaseOptions, 'url' | 'authToken' | 'clock'>): Promise<Schema> {
  const { url, authToken, clock } = options
  const ports = { clock, random: systemRandom, onFatal: () => {} }
  const parts = url.startsWith('file:')
    ? openFile(url.slice('file:'.length), clock, ports.onFatal)
    : await openServer(url, { authToken, ...ports })
  try {
    return await readSchema(parts.transactor)
  } finally {
    parts.close()
  }
}

type DatabaseParts = Omit<Database, 'close'> & { transactor: Transactor; close(): void }

function openFile(path: string, clock: Clock, onFatal: (error: unknown) => void): DatabaseParts {
  const { reader, transactor, log, commits, close } = openLocal(path, clock)
  const writer = new Writer(transactor, onFatal)
  return { kind: 'local', reader, transactor, writer, log, commits, clock, requests: () => 0, close }
}

async function openServer(url: string, options: RemoteOptions): Promise<DatabaseParts> {
  // The client is loaded only when a libSQL server is used.
  const { openRemote } = await import('./remote.ts')
  const { server, ...parts } = await openRemote(url, options)
  return { kind: 'remote', ...parts, log: null, commits: null, requests: () => server.requests }
}
