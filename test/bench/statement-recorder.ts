// Loaded into a server that is measured (serve.ts): keeps each statement that it runs on its file, with its values and what it took, from
// the first message to the second, which is answered with the file that they are in (replay.ts).

import { serialize } from 'bun:jsc'
import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const methods = ['run', 'all', 'get', 'values'] as const

/** One call of one statement. */
export interface Call {
  /** Index of the connection, in the order in which they first ran a statement. */
  connection: number
  text: string
  method: (typeof methods)[number]
  values: SQLQueryBindings[]
  nanoseconds: number
}

let calls: Call[] | null = null
const known = new WeakSet<object>()
const connections = new Map<Database, number>()

function record<S extends Statement>(statement: S, database: Database, text: string): S {
  if (known.has(statement)) return statement
  known.add(statement)
  for (const method of methods) {
    const original = statement[method].bind(statement)
    const recording = (...values: SQLQueryBindings[]) => {
      if (calls === null) return original(...values)
      const began = Bun.nanoseconds()
      const answer = original(...values)
      const nanoseconds = Bun.nanoseconds() - began
      calls.push({ connection: connectionOf(database), text, method, values, nanoseconds })
      return answer
    }
    Object.defineProperty(statement, method, { value: recording })
  }
  return statement
}

function connectionOf(database: Database): number {
  const index = connections.get(database) ?? connections.size
  connections.set(database, index)
  return index
}

for (const name of ['prepare', 'query'] as const) {
  const original = Database.prototype[name]
  Object.defineProperty(Database.prototype, name, {
    value(this: Database, text: string, ...more: []) {
      return record(original.call(this, text, ...more), this, text)
    },
  })
}

process.on('message', () => {
  if (calls === null) {
    calls = []
    process.send?.('recording')
    return
  }
  const file = join(tmpdir(), `paquebot-calls-${process.pid}`)
  writeFileSync(file, new Uint8Array(serialize(calls)))
  calls = null
  process.send?.(file)
})
