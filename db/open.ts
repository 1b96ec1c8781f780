// Opens the database and hides which kind it is: a file (bun:sqlite) or a libSQL server. Above this file nobody can tell.

import type { Clock } from '../src/lib/clock.ts'
import type { ReadDb } from './handle.ts'
import { openLocal } from './local.ts'
import { migrate } from './migrate.ts'
import { Writer } from './writer.ts'

export interface Database {
  kind: 'local' | 'remote'
  /** Sees the last commit; cannot change anything. */
  reader: ReadDb
  writer: Writer
  /** Waits for the writes already given. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** `file:PATH`, or `libsql:`, `http(s):`, `ws(s):` for a libSQL server. */
  url: string
  authToken?: string | undefined
  clock: Clock
  /** Called before an empty database gets its tables; a throw leaves it empty. */
  whenEmpty?: () => void
  /** Called after a failed write to the disk: the process should end. */
  onFatal?: (error: unknown) => void
}

/** Its client is loaded only where there is a server. */
async function openRemote(...args: Parameters<typeof import('./remote.ts').openRemote>) {
  return (await import('./remote.ts')).openRemote(...args)
}

/** Opens and migrates. Refuses a database that a newer version has migrated. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, authToken, clock, whenEmpty = () => {}, onFatal = () => {} } = options
  const kind = url.startsWith('file:') ? 'local' : 'remote'
  const { reader, transactor, close } =
    kind === 'local' ? openLocal(url.slice('file:'.length), clock) : await openRemote(url, authToken, clock)
  const writer = new Writer(transactor, onFatal)
  try {
    await migrate(transactor, whenEmpty)
  } catch (error) {
    close()
    throw error
  }
  return {
    kind,
    reader,
    writer,
    async close() {
      await writer.close()
      close()
    },
  }
}
