// The database at one end of a copy: a file, or a libSQL server.

import { Database as SQLite, type SQLQueryBindings } from 'bun:sqlite'
import { setTimeout as passing } from 'node:timers/promises'
import { systemRandom } from '../src/kit/random.ts'
import { isMoved, isUnavailable } from './faults.ts'

export type Value = string | number | bigint | null | Uint8Array
export type RowValues = Value[]

export interface EndQuery {
  sql: string
  args: RowValues
}

/** Runs each and answers with its rows. */
export type Read = (statements: EndQuery[]) => Promise<RowValues[][]>

export interface End {
  rows(sql: string, args?: RowValues): Promise<RowValues[]>
  /** Lends a read that sees one commit for as long as `work` lasts: it should be short, for a server's checkpoint waits for it. */
  moment<T>(work: (read: Read) => Promise<T>): Promise<T>
  /** Runs all statements in one transaction. */
  write(statements: EndQuery[]): Promise<void>
  close(): void
}

export interface EndOptions {
  authToken?: string | undefined
  /** False: nothing is forced to the disk, for a file that is checked and forced later. */
  syncs?: boolean
}

/** How long a server may take for one request: a copy has nobody who waits for it. */
const answerWithinMs = 60_000
const lockWaitMs = 5_000
const tries = 60
const pauseMs = 1_000

/** `url`: as DATABASE_URL. A file must exist. */
export async function openEnd(url: string, { authToken, syncs = true }: EndOptions = {}): Promise<End> {
  return url.startsWith('file:') ? fileEnd(url.slice('file:'.length), syncs) : await serverEnd(url, authToken)
}

function fileEnd(path: string, syncs: boolean): End {
  const file = new SQLite(path, { readwrite: true, create: false })
  file.run(`PRAGMA busy_timeout = ${lockWaitMs}`)
  file.run(`PRAGMA synchronous = ${syncs ? 'FULL' : 'OFF'}`)
  const all = (sql: string, args: RowValues = []) => {
    // Not kept: the lists of keys that a copy asks for are of many lengths.
    using statement = file.prepare<unknown, SQLQueryBindings[]>(sql)
    return statement.values(...args) as RowValues[]
  }
  return {
    async rows(sql, args) {
      await turn()
      return all(sql, args)
    },
    async moment(work) {
      file.run('BEGIN')
      try {
        return await work(async (statements) => statements.map(({ sql, args }) => all(sql, args)))
      } finally {
        file.run('ROLLBACK')
      }
    },
    async write(statements) {
      await turn()
      file.transaction(() => statements.map(({ sql, args }) => all(sql, args))).immediate()
    },
    close: () => file.close(),
  }
}

/** Lets others of this process have their turn: a file answers at once. */
const turn = () => new Promise(setImmediate)

async function serverEnd(url: string, authToken: string | undefined): Promise<End> {
  const { Server, ask } = await import('./server.ts')
  const server = new Server(url, authToken, systemRandom, answerWithinMs)
  // Integers are sent as bigint: a number would be sent as floating point.
  const toSent = ({ sql, args }: EndQuery) => ({
    sql,
    args: args.map((value) => (Number.isSafeInteger(value) ? BigInt(Number(value)) : value)),
  })
  const toRows = ({ rows }: { rows: ArrayLike<unknown>[] }) =>
    rows.map((row) =>
      Array.from(row, (value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value) as Value),
    )
  return {
    async rows(sql, args = []) {
      const [answer] = await server.askEach([toSent({ sql, args })])
      if (!answer?.ok) throw answer?.error
      return toRows(answer.result)
    },
    async moment(work) {
      return await server.alone(async (connection) => {
        await ask(connection, [{ sql: 'BEGIN', args: [] }])
        const result = await work(async (statements) => (await ask(connection, statements.map(toSent))).map(toRows))
        await ask(connection, [{ sql: 'ROLLBACK', args: [] }])
        return result
      })
    },
    write: async (statements) => void (await server.transact(statements.map(toSent))),
    close: () => server.close(),
  }
}

/** Repeats what may be repeated while a database is away: for about a minute. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || isMoved(error) || failures > tries) throw error
      await passing(pauseMs)
    }
  }
}
