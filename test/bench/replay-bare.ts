// Runs recorded calls again on a copy of the database as it was before them, one after the other, and prints what each statement took.
// Run by replay.ts:
// bun test/bench/replay-bare.ts DATABASE FOLDER CALLS bare|withoutTriggers

import { deserialize } from 'bun:jsc'
import { Database, type Statement } from 'bun:sqlite'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from './statement-recorder.ts'

export interface Replayed {
  /** Nanoseconds in all, by text. */
  statements: Record<string, number>
  /** Tables that a statement reads from end to end, by text. */
  scans: Record<string, string[]>
}

const [, , from = '', folder = '', file = '', how = ''] = process.argv
const path = join(folder, 'replay.db')
copyFileSync(from, path)
if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${path}-wal`)
const calls = deserialize(readFileSync(file)) as Call[]
const connections = new Map<number, Database>()

function connection(index: number): Database {
  const known = connections.get(index)
  if (known) return known
  const opened = new Database(path, { strict: true })
  const pragmas = ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'temp_store = MEMORY']
  for (const pragma of [...pragmas, 'cache_size = -16000', 'busy_timeout = 0']) opened.run(`PRAGMA ${pragma}`)
  connections.set(index, opened)
  return opened
}

if (how === 'withoutTriggers') {
  const triggers = connection(0).query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
  for (const { name } of triggers.all()) connection(0).run(`DROP TRIGGER "${name}"`)
}

/** What a list is read from is small. */
function scansOf(text: string, index: number): string[] {
  if (!/^\s*(select|insert|update|delete|with)/i.test(text)) return []
  const plan = connection(index).query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all()
  const named = plan.flatMap(({ detail }) => /^SCAN (\w+)$/.exec(detail)?.[1] ?? [])
  return named.filter((name) => tables.has(name))
}

const names = connection(0).query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
const tables = new Set(names.map(({ name }) => name))
const scans: Record<string, string[]> = {}
const prepared = new Map<string, Statement>()
const nanoseconds: Record<string, number> = {}
for (const { connection: index, text, method, values } of calls) {
  const key = `${index} ${text}`
  const statement = prepared.get(key) ?? connection(index).prepare(text)
  prepared.set(key, statement)
  const began = Bun.nanoseconds()
  statement[method](...values)
  nanoseconds[text] = (nanoseconds[text] ?? 0) + Bun.nanoseconds() - began
}
for (const { text, connection: index } of calls) scans[text] ??= scansOf(text, index)
process.stdout.write(JSON.stringify({ statements: nanoseconds, scans } satisfies Replayed))
process.exit(0)
