// The peer of queue.ts, under Node: graphile-worker on a PostgreSQL given by its socket directory. Prints jobs run and enqueued a
// second as JSON. node graphile.mjs CONNECTION JOBS ENQUEUES CONCURRENCY

import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import pg from 'pg'

const [connectionString, jobs, enqueues, concurrency] = process.argv.slice(2)
const logger = new Logger(() => () => {})
const pgPool = new pg.Pool({ connectionString, max: 20 })
pgPool.on('error', () => {})
pgPool.on('connect', (connected) => connected.on('error', () => {}))
const utils = await makeWorkerUtils({ pgPool, logger })
await utils.migrate()

const perSecond = (count, began) => (count / (performance.now() - began)) * 1_000

let next = 0
const enqueueBegan = performance.now()
const client = async () => {
  while (next++ < Number(enqueues)) await utils.addJob('nothing', { n: next })
}
await Promise.all(Array.from({ length: 16 }, client))
const enqueued = perSecond(Number(enqueues), enqueueBegan)

const missing = Number(jobs) - Number(enqueues)
await utils.addJobs(Array.from({ length: missing }, (_, n) => ({ identifier: 'nothing', payload: { n } })))
let done = 0
let allDone
const promise = new Promise((resolve) => {
  allDone = resolve
})
const nothing = async () => {
  if (++done === Number(jobs)) allDone()
}
const runBegan = performance.now()
const runner = await run({ pgPool, logger, concurrency: Number(concurrency), taskList: { nothing } })
await promise
const ran = perSecond(Number(jobs), runBegan)
await runner.stop()
process.stdout.write(JSON.stringify({ ran, enqueued }))
process.exit(0)
