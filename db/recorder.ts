// A database handle for a libSQL server that queues its statements. A write whose result nobody uses returns at once, unsent. What a unit
// reads before its first write is read outside of any transaction, together with the reads of others, and the transaction asserts that it
// is unchanged. Any other query waits until its unit can do nothing else.

import type { Client } from '@libsql/client/web'
import { drizzle } from 'drizzle-orm/libsql/web'
import { onAudited } from './audit.ts'
import { mayBeAudited } from './audited.ts'
import { type Expected, onExpecting } from './expecting.ts'
import type { Db } from './handle.ts'
import type { Result, Statement } from './server.ts'

/** Without RETURNING a write can only report a failure, and a failure ends its transaction. */
const isWrite =
  /^\s*(?:insert|update|delete|create|drop|alter|with\b[^;]*\b(?:insert|update|delete)\b|savepoint|release)/i
const hasAnswer = /\breturning\b/i
const isRead = /^\s*(?:select|with)\b/i
const written = /\b(?:into|update|delete\s+from)\s+["`]?(\w+)/gi
/** A result with more values than this is not asserted: the unit reads it in its transaction. */
const assertedValues = 4_000

/** Drizzle over any function that runs a statement: `execute` is all it uses of its client here. */
export function handleOver(execute: (statement: Statement) => Promise<Result>): Db {
  return drizzle({ client: Object.assign(Object.create(null) as Client, { execute }) })
}

/** How many results are remembered for `as before`. */
const remembered = 500

const noAnswer = { rows: [], columns: [], columnTypes: [], rowsAffected: 0, lastInsertRowid: undefined }

interface Waiting extends Statement {
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Statements taken to be sent; their results go back to whoever waits for them. */
export interface StatementBatch {
  statements: Statement[]
  /** For each statement, whether it only asserts what the unit has read. */
  asserts: boolean[]
  answer(results: Result[]): void
  fail(error: unknown): void
}

/** Executes reads outside of any transaction. */
export class Ahead {
  readonly ask: (statement: Statement) => Promise<Result>
  readonly #before = new Map<string, Result>()

  constructor(ask: (statement: Statement) => Promise<Result>) {
    this.ask = ask
  }

  /** The expected rows; null when they cannot be predicted. */
  answerTo(statement: Statement, expected: Expected): Result | null {
    return expected === 'as before' ? (this.#before.get(toKey(statement)) ?? null) : { rows: expected }
  }

  remember(statement: Statement, result: Result): void {
    const [oldest] = this.#before.size < remembered ? [] : this.#before.keys()
    if (oldest !== undefined) this.#before.delete(oldest)
    this.#before.set(toKey(statement), result)
  }
}

const toKey = ({ sql, args }: Statement) => JSON.stringify([sql, args])

export class Recorder {
  readonly db: Db
  /** Called when a result is waited for and nothing else can proceed. */
  onWaiting: () => void = () => {}
  /** Executes what may be read outside of the transaction, if given. */
  ahead: Ahead | null = null
  /** False once an expectation of the unit has turned out to be wrong. */
  believes = true
  #expected: Expected | null = null
  #waiting: (Waiting | Assertion)[] = []
  /** Queries that only the transaction can answer. */
  #asked = 0
  #reading = 0
  #isChecking = false
  /** Something was written that the audit log records. */
  #isAudited = false

  constructor() {
    const execute = (statement: Statement) => this.#execute(statement)
    this.db = handleOver(execute)
    onExpecting(this.db, (expected) => {
      this.#expected = expected
    })
    onAudited(this.db, () => {
      const isAudited = this.#isAudited
      this.#isAudited = false
      return isAudited
    })
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** True when nobody waits for what is being read. */
  get isIdle(): boolean {
    return this.#reading === 0
  }

  /** With `assertionsOnly` the unit's writes are dropped. */
  take({ assertionsOnly = false } = {}): StatementBatch {
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
    if (writes && mayBeAudited(sql)) this.#isAudited = true
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
    // If it fails while nobody waits for it, the caller of the transaction gets the error.
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

/** Asserts that a query still returns what was read ahead: a statement that fails when it does not. */
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

  /** False when the result is too large to compare. */
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

/** Quoted as SQLite's quote() does. */
function quoted(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (value instanceof ArrayBuffer) return `X'${Buffer.from(value).toString('hex').toUpperCase()}'`
  return String(value)
}
