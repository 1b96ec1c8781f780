// The outbox as a job queue: no-op jobs run a second and single durable enqueues a second, beside graphile-worker (graphile.mjs, under
// Node) on a PostgreSQL of Debian in its default configuration. In turns, medians. Run: bun test/bench/queue.ts

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, write } from '../../src/core/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { Dispatcher } from '../../src/core/outbox/dispatcher.ts'
import { enqueue } from '../../src/core/outbox/enqueue.ts'
import type { JobKind } from '../../src/core/outbox/job.ts'
import { median } from './figures.ts'
import { nothing } from './nothing.ts'

const jobs = 10_000
const enqueues = 2_000
const clients = 16
const rounds = 3

interface Figures {
  ran: number
  enqueued: number
}

async function ours(): Promise<Figures> {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-queue-'))
  const app = await createApp(readConfig({ DATA_DIR: directory, LOG_LEVEL: 'error' }, directory))
  let done = 0
  const all = Promise.withResolvers<void>()
  const counted: typeof nothing = {
    ...nothing,
    async run() {
      if (++done === jobs) all.resolve()
      return { outcome: 'done' }
    },
  }
  const add = (n: number) => write(app, (tx) => enqueue(tx, nothing, { workspaceId: 'ws_bench', payload: { n } }))
  let next = 0
  const client = async () => {
    while (next < enqueues) await add(next++)
  }
  const enqueueBegan = performance.now()
  await Promise.all(Array.from({ length: clients }, client))
  const enqueued = (enqueues / (performance.now() - enqueueBegan)) * 1_000
  await Promise.all(Array.from({ length: jobs - enqueues }, (_, n) => add(n)))
  const dispatcher = new Dispatcher(app, { kinds: [counted] as JobKind<never>[], alone: true, version: 'bench' })
  const runBegan = performance.now()
  await dispatcher.start()
  await all.promise
  const ran = (jobs / (performance.now() - runBegan)) * 1_000
  await dispatcher.stop(1_000)
  await app.close()
  rmSync(directory, { recursive: true, force: true })
  return { ran, enqueued }
}

/** A cluster of its own in a new directory, as Debian sets one up; PostgreSQL refuses to run as root, hence the other user. */
async function postgres(): Promise<({ connection: string } & AsyncDisposable) | null> {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort() : []
  const latest = versions.at(-1)
  if (latest === undefined) return null
  const bin = `/usr/lib/postgresql/${latest}/bin`
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-postgres-'))
  const asPostgres = (command: string) =>
    Bun.spawnSync(process.getuid?.() === 0 ? ['su', 'postgres', '-c', command] : ['sh', '-c', command], { cwd: '/' })
  if (process.getuid?.() === 0) Bun.spawnSync(['chown', 'postgres', directory])
  const data = join(directory, 'data')
  asPostgres(`${bin}/initdb -D ${data} -A trust -U postgres`)
  const server = `-c listen_addresses= -c unix_socket_directories=${directory}`
  asPostgres(`${bin}/pg_ctl -D ${data} -w -l ${directory}/log -o "${server}" start`)
  return {
    connection: `postgres://postgres@/postgres?host=${directory}`,
    async [Symbol.asyncDispose]() {
      asPostgres(`${bin}/pg_ctl -D ${data} -m immediate stop`)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function theirs(connection: string, concurrency: number): Promise<Figures> {
  const file = join(import.meta.dir, 'graphile.mjs')
  const command = ['node', file, connection, String(jobs), String(enqueues), String(concurrency)]
  const peer = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' })
  return await new Response(peer.stdout).json()
}

await using database = await postgres()
const figures = { ours: [] as Figures[], usual: [] as Figures[], ten: [] as Figures[] }
for (let round = 0; round < rounds; round++) {
  figures.ours.push(await ours())
  if (database) {
    figures.usual.push(await theirs(database.connection, 1))
    figures.ten.push(await theirs(database.connection, 10))
  }
}
const of = (list: Figures[], name: keyof Figures) => median(list.map((figure) => figure[name]))
const ran = of(figures.ours, 'ran')
const enqueued = of(figures.ours, 'enqueued')
const rates = `queue: ${ran.toFixed(0)} no-op jobs/s, ${enqueued.toFixed(0)} single durable enqueues/s (${clients} clients)`
if (database) {
  const [usual, ten] = [of(figures.usual, 'ran'), of(figures.ten, 'ran')]
  const peerEnqueued = of([...figures.usual, ...figures.ten], 'enqueued')
  process.stdout.write(
    `${rates}; graphile-worker ${usual.toFixed(0)} jobs/s as it comes, ${ten.toFixed(0)} with concurrency 10, ${peerEnqueued.toFixed(0)} enqueues/s: ratio ${(ran / usual).toFixed(2)} (at least 2), ${(ran / ten).toFixed(2)}, enqueue ${(enqueued / peerEnqueued).toFixed(2)} (at least 3)\n`,
  )
} else process.stdout.write(`${rates}; no peer: PostgreSQL is not installed (apt install postgresql)\n`)
