// A handle to a libSQL server whose statements wait. A write whose answer nobody can use is answered at once, without having been
// sent; a question waits until the unit that asks it can do nothing else. Then everything that waits is sent together.

import type { Client } from '@libsql/client/web'
import { drizzle } from 'drizzle-orm/libsql/web'
import type { Db } from './handle.ts'
import type { Result, Statement } from './server.ts'

/** Without RETURNING a write has nothing to tell but that it failed, and that ends its transaction. */
const isWrite =
  /^\s*(?:insert|update|delete|create|drop|alter|with\b[^;]*\b(?:insert|update|delete)\b|savepoint|release)/i
const hasAnswer = /\breturning\b/i

/** Drizzle over whoever runs a statement: the only thing that it asks of its client here. */
export function handleOver(execute: (statement: Statement) => Promise<Result>): Db {
  return drizzle({ client: Object.assign(Object.create(null) as Client, { execute }) })
}

const noAnswer = { rows: [], columns: [], columnTypes: [], rowsAffected: 0, lastInsertRowid: undefined }

interface Waiting extends Statement {
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Statements taken to be sent; what came of them is told to those who wait. */
export interface Taken {
  statements: Statement[]
  answer(results: Result[]): void
  fail(error: unknown): void
}

export class Recorder {
  readonly db: Db
  /** Called when something waits for an answer and nothing else goes on. */
  onWaiting: () => void = () => {}
  #waiting: Waiting[] = []
  #isChecking = false

  constructor() {
    const execute = (statement: Statement) => this.#execute(statement)
    this.db = handleOver(execute)
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  take(): Taken {
    const taken = this.#waiting
    this.#waiting = []
    return {
      statements: taken,
      answer: (results) => {
        for (const [index, result] of results.entries()) taken[index]?.resolve(result)
      },
      fail: (error) => {
        for (const { reject } of taken) reject(error)
      },
    }
  }

  #execute({ sql, args }: Statement): Promise<Result> {
    if (isWrite.test(sql) && !hasAnswer.test(sql)) {
      this.#waiting.push({ sql, args, resolve: () => {}, reject: () => {} })
      return Promise.resolve(noAnswer)
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    // Nobody may be waiting any more when it fails: then it is told to whoever asked for the transaction.
    promise.catch(() => undefined)
    this.#waiting.push({ sql, args, resolve, reject })
    this.#checkSoon()
    return promise
  }

  #checkSoon(): void {
    if (this.#isChecking) return
    this.#isChecking = true
    setImmediate(() => {
      this.#isChecking = false
      if (!this.isEmpty) this.onWaiting()
    })
  }
}
