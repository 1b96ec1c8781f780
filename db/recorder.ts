// A handle to a libSQL server whose statements wait. A write whose answer nobody can use is answered at once, without having been
// sent. What a unit reads before it has written it is read outside of any transaction, together with what others read; that it is still
// so is asserted in the transaction. Any other question waits until its unit can do nothing else.

import type { Client } from '@libsql/client/web'
import { drizzle } from 'drizzle-orm/libsql/web'
import { type Expected, onExpecting } from './expecting.ts'
import type { Db } from './handle.ts'
import type { Result, Statement } from './server.ts'

/** Without RETURNING a write has nothing to tell but that it failed, and that ends its transaction. */
const isWrite =
  /^\s*(?:insert|update|delete|create|drop|alter|with\b[^;]*\b(?:insert|update|delete)\b|savepoint|release)/i
const hasAnswer = /\breturning\b/i
const isRead = /^\s*(?:select|with)\b/i
const written = /\b(?:into|update|delete\s+from)\s+["`]?(\w+)/gi
/** More than so many values are not asserted: the unit reads them in its transaction. */
const assertedValues = 4_000

/** Drizzle over whoever runs a statement: the only thing that it asks of its client here. */
export function handleOver(execute: (statement: Statement) => Promise<Result>): Db {
  return drizzle({ client: Object.assign(Object.create(null) as Client, { execute }) })
}

/** So many answers that may be asked for `as before`. */
const remembered = 500

const noAnswer = { rows: [], columns: [], columnTypes: [], rowsAffected: 0, lastInsertRowid: undefined }

interface Waiting extends Statement {
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Statements taken to be sent; what came of them is told to those who wait. */
export interface Taken {
  statements: Statement[]
  /** Of each statement, whether it only asserts what the unit has read. */
  asserts: boolean[]
  answer(results: Result[]): void
  fail(error: unknown): void
}

/** Who answers outside of any transaction. */
export class Ahead {
  readonly ask: (statement: Statement) => Promise<Result>
  readonly #before = new Map<string, Result>()

  constructor(ask: (statement: Statement) => Promise<Result>) {
    this.ask = ask
  }

  /** What is expected; null when nobody can say. */
  answerTo(statement: Statement, expected: Expected): Result | null {
    return expected === 'as before' ? (this.#before.get(keyOf(statement)) ?? null) : { rows: expected }
  }

  remember(statement: Statement, result: Result): void {
    const [oldest] = this.#before.size < remembered ? [] : this.#before.keys()
    if (oldest !== undefined) this.#before.delete(oldest)
    this.#before.set(keyOf(statement), result)
  }
}

const keyOf = ({ sql, args }: Statement) => JSON.stringify([sql, args])

export class Recorder {
  readonly db: Db
  /** Called when something waits for an answer and nothing else goes on. */
  onWaiting: () => void = () => {}
  /** Where there is one, what may be read outside of the transaction is asked of it. */
  ahead: Ahead | null = null
  /** False: what the unit expects has turned out to be wrong. */
  believes = true
  #expected: Expected | null = null
  #waiting: (Waiting | Assertion)[] = []
  /** Questions that only the transaction can answer. */
  #asked = 0
  #reading = 0
  #isChecking = false

  constructor() {
    const execute = (statement: Statement) => this.#execute(statement)
    this.db = handleOver(execute)
    onExpecting(this.db, (expected) => {
      this.#expected = expected
    })
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Nobody is waiting for what is being read. */
  get isIdle(): boolean {
    return this.#reading === 0
  }

  /** With `assertionsOnly` what the unit wrote is forgotten. */
  take({ assertionsOnly = false } = {}): Taken {
    const taken = this.#waiting.filter((one) => (one instanceof Assertion ? one.isKnown : !assertionsOnly))
    this.#waiting = []
    this.#asked = 0
    return {
      statements: taken.map((one) => (one instanceof Assertion ? one.statement() : one)),
      asserts: taken.map((one) => one instanceof Assertion),
      answer: (results) => {
        for (const [index, result] of results.entries()) taken[index]?.resolve(result)
      },
      fail: (error) => {
        for (const { reject } of taken) reject(error)
      },
    }
  }

  #execute({ sql, args }: Statement): Promise<Result> {
    const expected = this.#expected
    this.#expected = null
    const writes = isWrite.test(sql)
    if (writes && !hasAnswer.test(sql)) {
      this.#waiting.push({ sql, args, resolve: () => {}, reject: () => {} })
      return Promise.resolve(noAnswer)
    }
    if (this.ahead !== null && !writes && isRead.test(sql) && !this.#hasWritten(sql))
      return this.#read({ sql, args }, this.ahead, expected)
    return this.#ask({ sql, args })
  }

  #ask(statement: Statement): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    // Nobody may be waiting any more when it fails: then it is told to whoever asked for the transaction.
    promise.catch(() => undefined)
    this.#waiting.push({ ...statement, resolve, reject })
    this.#asked++
    this.#checkSoon()
    return promise
  }

  async #read(statement: Statement, ahead: Ahead, expected: Expected | null): Promise<Result> {
    const assertion = new Assertion(statement)
    this.#waiting.push(assertion)
    const believed = expected && this.believes ? ahead.answerTo(statement, expected) : null
    if (believed !== null && assertion.expect(believed)) return believed
    const result = await this.#readNow(statement, ahead)
    if (expected === 'as before') ahead.remember(statement, result)
    return assertion.expect(result) ? result : await this.#ask(statement)
  }

  async #readNow(statement: Statement, ahead: Ahead): Promise<Result> {
    this.#reading++
    try {
      return await ahead.ask(statement)
    } finally {
      this.#reading--
      this.#checkSoon()
    }
  }

  /** Whether a statement reads a table that this unit has written to. */
  #hasWritten(sql: string): boolean {
    return this.#waiting.some((one) => !(one instanceof Assertion) && tablesWritten(one.sql).some((is) => is.test(sql)))
  }

  #checkSoon(): void {
    if (this.#isChecking) return
    this.#isChecking = true
    setImmediate(() => {
      this.#isChecking = false
      if (this.#reading === 0 && this.#asked > 0) this.onWaiting()
    })
  }
}

const tables = new Map<string, RegExp>()

function tablesWritten(sql: string): RegExp[] {
  return [...sql.matchAll(written)].map(([, name = '']) =>
    tables.getOrInsertComputed(name, () => new RegExp(`\\b${name}\\b`)),
  )
}

/** That a question is still answered as it was when it was read ahead. A statement that fails when it is not. */
class Assertion {
  readonly #statement: Statement
  #expected: string | null | undefined
  #width = 0

  constructor(statement: Statement) {
    this.#statement = statement
  }

  get isKnown(): boolean {
    return this.#expected !== undefined
  }

  /** False when it is too much to compare. */
  expect({ rows }: Result): boolean {
    const width = rows[0]?.length ?? 0
    if (rows.length * width > assertedValues) return false
    this.#width = width
    this.#expected = rows.length === 0 ? null : rows.map((row) => Array.from(row, quoted).join()).join(';')
    return true
  }

  statement(): Statement {
    const { sql, args } = this.#statement
    const expected = this.#expected ?? null
    if (this.#width === 0) return { sql: `SELECT CASE WHEN EXISTS (${sql}) THEN json('changed') END`, args }
    const names = Array.from({ length: this.#width }, (_, index) => `c${index}`)
    const row = names.map((name) => `quote(${name})`).join(" || ',' || ")
    const now = `(WITH was_read(${names.join()}) AS (${sql}) SELECT group_concat(${row}, ';') FROM was_read)`
    return { sql: `SELECT CASE WHEN ${now} IS NOT ? THEN json('changed') END`, args: [...args, expected] }
  }

  resolve(): void {}
  reject(): void {}
}

/** As SQLite's quote() says it. */
function quoted(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (value instanceof ArrayBuffer) return `X'${Buffer.from(value).toString('hex').toUpperCase()}'`
  return String(value)
}
