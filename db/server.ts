// Talks to a libSQL server: lists of statements over HTTP (Hrana), one request per list, each with a time limit.

import { setTimeout as sleep } from 'node:timers/promises'
import * as hrana from '@libsql/hrana-client'
import type { Random } from '../src/kit/random.ts'
import { isBusy, refused, unreachable, unresponsive } from './faults.ts'

/** A server that takes longer than this counts as down: callers are told before they give up themselves. */
const answerWithinMs = 4_000
/** The time limit of a query that is asked again. */
const brieflyMs = 400
/** When somebody else is writing, the lock is requested again for up to this long. */
const busyForMs = 4_500
const busyPauseMs = 4

export interface Statement {
  sql: string
  args: hrana.InValue[]
}

export interface Result {
  rows: ArrayLike<hrana.Value>[]
}

export type Answer = { ok: true; result: Result } | { ok: false; error: unknown }

/** One connection of the server. */
export type Connection = hrana.HttpStream

/** The server drops a connection that was not used for ten seconds. */
const keptMs = 5_000
const keptMost = 16

export class Server {
  /** HTTP requests made so far: round trips. */
  requests = 0
  /** When the server answered last, whatever it was asked; performance.now(). */
  answeredAt = Number.NEGATIVE_INFINITY
  readonly #client: hrana.HttpClient
  readonly #brief: hrana.HttpClient
  readonly #random: Random
  readonly #reading = new KeptConnections()
  /** Those that write are used for nothing else (see `whileBusy`). */
  readonly #writing = new KeptConnections()

  /** `withinMs`: how long an answer may take. */
  constructor(url: string, authToken: string | undefined, random: Random, withinMs = answerWithinMs) {
    this.#random = random
    // A server that speaks WebSocket speaks HTTP at the same address.
    const parsed = hrana.parseLibsqlUrl(url.replace(/^ws/, 'http'))
    const open = (withinMs: number) => {
      const answer = async (request: Request) => {
        this.requests++
        const response = await fetchAnswer(request, withinMs)
        // A gateway answers for a server that does not.
        if (response.status < 500) this.answeredAt = performance.now()
        return response
      }
      const client = hrana.openHttp(parsed.hranaHttpUrl ?? url, authToken ?? parsed.authToken, answer)
      client.intMode = 'number'
      return client
    }
    this.#client = open(withinMs)
    this.#brief = open(brieflyMs)
  }

  /** Runs independent statements; each has its own result. */
  askEach(statements: Statement[]): Promise<Answer[]> {
    return this.#onKept(this.#reading, async (connection) => {
      const batch = connection.batch(false)
      const answers = statements.map((statement) => answered(batch.step().query(toHrana(statement))))
      await executed(batch)
      return await Promise.all(answers)
    })
  }

  /** Runs all statements in one transaction and one request; asks again when somebody else is writing, unless it is to be brief. */
  async transact(statements: Statement[], patience: 'usual' | 'brief' = 'usual'): Promise<Result[]> {
    const transaction = (connection: Connection) => ask(connection, statements, { begins: true, commits: true })
    if (patience === 'usual')
      return await this.#onKept(this.#writing, (connection) =>
        this.whileBusy(connection, () => transaction(connection)),
      )
    const connection = this.#brief.openStream()
    const results = transaction(connection)
    connection.closeGracefully()
    return await results
  }

  /** Runs the first step of a transaction on a connection, which is given back when that is over. */
  async begin<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return await this.#onKeptOrNew(this.#writing, work)
  }

  /** On a connection of its own, which is closed afterwards, with whatever transaction is open on it. */
  async alone<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = this.#client.openStream()
    try {
      return await work(connection)
    } finally {
      connection.close()
    }
  }

  /** No transaction is open on it. */
  giveBack(connection: Connection): void {
    this.#writing.giveBack(connection)
  }

  /**
   * Sends again what could not begin because somebody else is writing. sqld may have reserved the lock for the very connection that it
   * refused (when a checkpoint overtook it while it waited): until that asks again, or is closed, nobody can write. So it asks again, and is
   * closed when it gives up.
   */
  async whileBusy<T>(connection: Connection, send: () => Promise<T>): Promise<T> {
    const until = performance.now() + busyForMs
    for (;;) {
      try {
        return await send()
      } catch (error) {
        if (!isBusy(error)) throw error
        if (performance.now() > until) {
          connection.close()
          throw error
        }
        await sleep(busyPauseMs * (1 + 3 * this.#random.fraction()))
      }
    }
  }

  close(): void {
    this.#client.close()
    this.#brief.close()
  }

  async #onKept<T>(kept: KeptConnections, work: (connection: Connection) => Promise<T>): Promise<T> {
    return await this.#onKeptOrNew(kept, async (connection) => {
      try {
        return await work(connection)
      } finally {
        kept.giveBack(connection)
      }
    })
  }

  /** On another one if the server has dropped it. */
  async #onKeptOrNew<T>(kept: KeptConnections, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = kept.take()
    try {
      if (connection) return await work(connection)
    } catch (error) {
      if (!isForgotten(error)) throw error
      kept.forget()
    }
    return await work(this.#client.openStream())
  }
}

/** Idle connections. Opening one costs the server more than most queries, because it has to read the schema. */
class KeptConnections {
  #kept: { connection: Connection; since: number }[] = []

  /** The most recently used one, so that surplus ones age and expire. */
  take(): Connection | null {
    const oldest = performance.now() - keptMs
    const last = this.#kept.pop()
    if (last && last.since > oldest) return last.connection
    this.#kept = []
    return null
  }

  giveBack(connection: Connection): void {
    if (connection.closed) return
    if (this.#kept.length < keptMost) this.#kept.push({ connection, since: performance.now() })
    else connection.closeGracefully()
  }

  forget(): void {
    this.#kept = []
  }
}

/** True when the server has dropped the connection (a restart, or a time-out) and has run none of the statements. */
function isForgotten(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && error.code === 'STREAM_EXPIRED') return true
  return error.cause instanceof Error && 'status' in error.cause && error.cause.status === 400
}

/** The index of the statement that failed. */
export class StatementFailed extends Error {
  readonly index: number

  constructor(index: number, cause: unknown) {
    super('a statement of a transaction failed', { cause })
    this.index = index
  }
}

/**
 * Runs statements on one connection in one request, each only if those before it succeeded. Throws StatementFailed for the first that
 * failed.
 */
export async function ask(
  connection: Connection,
  statements: Statement[],
  { begins = false, commits = false } = {},
): Promise<Result[]> {
  const batch = connection.batch(false)
  let last: hrana.BatchStep | undefined
  const add = (statement: hrana.InStmt) => {
    const step = batch.step()
    if (last) step.condition(hrana.BatchCond.ok(last))
    last = step
    return answered(step.query(statement))
  }
  const began = begins ? [add('BEGIN IMMEDIATE')] : []
  const answers = statements.map((statement) => add(toHrana(statement)))
  const ended = commits ? [add('COMMIT')] : []
  if (commits && last)
    void answered(
      batch
        .step()
        .condition(hrana.BatchCond.not(hrana.BatchCond.ok(last)))
        .query('ROLLBACK'),
    )
  await executed(batch)
  for (const answer of await Promise.all(began)) if (!answer.ok) throw answer.error
  for (const [index, answer] of (await Promise.all(answers)).entries())
    if (!answer.ok) throw new StatementFailed(index, answer.error)
  for (const answer of await Promise.all(ended)) if (!answer.ok) throw answer.error
  return (await Promise.all(answers)).flatMap((answer) => (answer.ok ? [answer.result] : []))
}

async function executed(batch: hrana.Batch): Promise<void> {
  try {
    await batch.execute()
  } catch (error) {
    throw withCode(error)
  }
}

const skipped = Object.assign(new Error('the statement was skipped, because one before it failed'), {
  code: 'TRANSACTION_CLOSED',
})

async function answered(rows: Promise<hrana.RowsResult | undefined>): Promise<Answer> {
  try {
    const result = await rows
    return result ? { ok: true, result } : { ok: false, error: skipped }
  } catch (error) {
    return { ok: false, error: withCode(error) }
  }
}

function toHrana({ sql, args }: Statement): hrana.Stmt {
  return new hrana.Stmt(sql).bindIndexes(args)
}

/** The limit covers the whole answer, because its end may be delayed as much as its beginning. */
async function fetchAnswer(request: Request, withinMs: number): Promise<Response> {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(withinMs) })
    const { status, headers } = response
    return new Response(await response.arrayBuffer(), { status, headers })
  } catch (error) {
    throw notAnswered(error, withinMs)
  }
}

function notAnswered(error: unknown, withinMs: number): Error {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return Object.assign(new Error(`the database server did not answer within ${withinMs} ms`), { code: unresponsive })
  const message = `the database server cannot be reached: ${error instanceof Error ? error.message : String(error)}`
  const isRefused = error instanceof Error && 'code' in error && error.code === 'ConnectionRefused'
  return Object.assign(new Error(message), { code: isRefused ? refused : unreachable })
}

/** An error with a code that db/faults.ts knows: the server's own, or one for a server that could not be reached. */
function withCode(error: unknown): unknown {
  if (error instanceof hrana.ClosedError && error.cause) return withCode(error.cause)
  if (!(error instanceof hrana.ClientError) || error instanceof hrana.ResponseError) return error
  return Object.assign(new Error(error.message, { cause: error }), { code: unreachable })
}
