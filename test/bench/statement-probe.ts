// Loaded into a server that is measured (serve.ts): counts the statements that it runs on its file, and its commits.

import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'

const counted = { statements: 0, commits: 0 }
const known = new WeakSet<object>()

function count<S extends Statement>(statement: S, text: string): S {
  if (known.has(statement)) return statement
  known.add(statement)
  for (const name of ['run', 'all', 'get', 'values'] as const) {
    const original = statement[name].bind(statement)
    const counting = (...given: SQLQueryBindings[]) => {
      counted.statements++
      if (text === 'COMMIT') counted.commits++
      return original(...given)
    }
    Object.defineProperty(statement, name, { value: counting })
  }
  return statement
}

for (const name of ['prepare', 'query'] as const) {
  const original = Database.prototype[name]
  Object.defineProperty(Database.prototype, name, {
    value(this: Database, text: string, ...more: []) {
      return count(original.call(this, text, ...more), text)
    },
  })
}

process.on('message', () => process.send?.(counted))
