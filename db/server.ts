// How a libSQL server is asked: lists of statements over HTTP (Hrana), one request for a list, each with a time limit.

import * as hrana from '@libsql/hrana-client'
import { refused, unreachable, unresponsive } from './faults.ts'

/** A server that has not answered for so long does not serve: who asked is told before they give up themselves. */
const answerWithinMs = 4_000
/** For a question that is asked again. */
const brieflyMs = 400

export interface Statement {
  sql: string
  args: hrana.InValue[]
}

export interface Result {
  rows: hrana.Row[]
}

export type Answer = { ok: true; result: Result } | { ok: false; error: unknown }

/** One connection of the server, for as long as a transaction takes. */
export type Connection = hrana.HttpStream

export class Server {
  /** HTTP requests made so far: round trips. */
  requests = 0
  readonly #client: hrana.HttpClient
  readonly #brief: hrana.HttpClient

  constructor(url: string, authToken: string | undefined) {
    // A server that speaks WebSocket speaks HTTP at the same place.
    const parsed = hrana.parseLibsqlUrl(url.replace(/^ws/, 'http'))
    const open = (withinMs: number) => {
      const answer = (request: Request) => {
        this.requests++
        return answerOf(request, withinMs)
      }
      const client = hrana.openHttp(parsed.hranaHttpUrl ?? url, authToken ?? parsed.authToken, answer)
      client.intMode = 'number'
      return client
    }
    this.#client = open(answerWithinMs)
    this.#brief = open(brieflyMs)
  }

  /** Statements that have nothing to do with each other: each has an answer of its own. */
  async askEach(statements: Statement[]): Promise<Answer[]> {
    const connection = this.connect()
    const batch = connection.batch(false)
    const answers = statements.map((statement) => answered(batch.step().query(toHrana(statement))))
    try {
      const executed = batch.execute()
      connection.closeGracefully()
      await executed
      return await Promise.all(answers)
    } catch (error) {
      throw withCode(error)
    }
  }

  /** All of them in one transaction and one request, or none. */
  async transact(statements: Statement[], patience: 'usual' | 'brief' = 'usual'): Promise<Result[]> {
    const connection = (patience === 'brief' ? this.#brief : this.#client).openStream()
    const results = ask(connection, statements, { begins: true, commits: true })
    connection.closeGracefully()
    return results
  }

  connect(): Connection {
    return this.#client.openStream()
  }

  close(): void {
    this.#client.close()
    this.#brief.close()
  }
}

/** Statements on one connection, in one request: each only if those before it succeeded. Throws the error of the first that failed. */
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
  try {
    await batch.execute()
  } catch (error) {
    throw withCode(error)
  }
  for (const answer of await Promise.all([...began, ...answers, ...ended])) if (!answer.ok) throw answer.error
  return (await Promise.all(answers)).flatMap((answer) => (answer.ok ? [answer.result] : []))
}

const skipped = Object.assign(new Error('the statement was left out: one before it failed'), {
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

/** The whole answer counts: its end may keep us waiting as its beginning may. */
async function answerOf(request: Request, withinMs: number): Promise<Response> {
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

/** An error of the client with a code that db/faults.ts knows: the server's own, or that it could not be asked. */
function withCode(error: unknown): unknown {
  if (error instanceof hrana.ClosedError && error.cause) return withCode(error.cause)
  if (!(error instanceof hrana.ClientError) || error instanceof hrana.ResponseError) return error
  return Object.assign(new Error(error.message, { cause: error }), { code: unreachable })
}
