// What one workspace can do to another: how long this thread works between a neighbour's mail and its acceptance, and from there to the
// mail server, alone and beside eight kinds of load. Counted is the time that the thread ran, so that a busy machine does not count.
// On a file: with a server the rows come over the network. In figures, on a machine of its own: `bun run bench neighbours`.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { write } from '../src/core/app.ts'
import { setTrustLevel } from '../src/features/campaigns/reputation/trust-level.ts'
import { systemClock } from '../src/kit/clock.ts'
import { createSession } from '../src/people/access/sessions.ts'
import { linesOf } from '../tools/process.ts'
import { percentile } from './bench/figures.ts'
import { sendSteadily } from './bench/neighbour-client.ts'
import { createLoads, databaseOf, type Load, loadNames, type Sizes, seed } from './bench/neighbour-loads.ts'
import { type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { maxBlockMs, monitorLoop, Slowness } from './support/loop-monitor.ts'
import { sinkEnvironment } from './support/webhook-sink.ts'

const schedule = '/proc/self/schedstat'
const measured = test.skipIf(remoteDatabase || !existsSync(schedule))

/** What the thread that serves has run, in milliseconds. */
const ranMs = () => Number(readFileSync(schedule, 'latin1').split(' ')[0]) / 1e6

const mails = 50
/** What comes back each time is ours; the rest is the machine's. */
const tries = 3
const sizes: Sizes = {
  rounds: tries,
  contacts: 30_000,
  campaign: 5_000,
  replay: 1_000,
  persons: 2,
  importRows: 2_000,
  endpoints: 40,
}
/** Beside twice what it takes alone: a slice or two of long work, with room for a processor that others make slow. */
const roomMs = 60

let t: TestApp
/** A process of its own: what it does with a mail is not ours. */
let sink: Bun.Subprocess<'ignore', 'pipe', 'inherit'>
let neighbourKey: string
let loads: Load[]
let alone: Figures
const arrivals = new Map<string, number>()
let onArrival: () => void = () => {}

interface Figures {
  accept: number
  handOver: number
}

/** Of 9 in 10 mails. */
async function neighbour(): Promise<Figures> {
  const sent = await sendSteadily({ url: t.url, keys: [neighbourKey], count: mails, from: 0, now: ranMs })
  while (sent.some(({ to }) => !arrivals.has(to ?? ''))) {
    const next = Promise.withResolvers<void>()
    onArrival = next.resolve
    await next.promise
  }
  const accepted = sent.map(({ sentAt, acceptedAt }) => acceptedAt - sentAt)
  const handedOver = sent.map(({ to, acceptedAt }) => (arrivals.get(to ?? '') ?? 0) - acceptedAt)
  return { accept: percentile(accepted, 0.9), handOver: percentile(handedOver, 0.9) }
}

async function readArrivals(lines: AsyncGenerator<string>): Promise<void> {
  for await (const line of lines) {
    arrivals.set(line.split(' ')[0] ?? '', ranMs())
    onArrival()
  }
}

async function beside(load: Load): Promise<Figures & { blockMs: number }> {
  const stop = new AbortController()
  await load.prepare?.()
  const running = load.run(stop.signal)
  using monitor = monitorLoop()
  const figures = await neighbour()
  const blockMs = monitor.longestMs()
  stop.abort()
  await running
  return { ...figures, blockMs }
}

beforeAll(async () => {
  if (remoteDatabase) return
  sink = Bun.spawn(['bun', join(import.meta.dir, 'bench/neighbour-sink.ts')], { stdout: 'pipe', stderr: 'inherit' })
  const lines = linesOf(sink.stdout)
  const mailServer = /listening on (\S+)/.exec((await lines.next()).value ?? '')?.[1] ?? ''
  void readArrivals(lines)
  t = await testApp({ clock: systemClock, environment: { SMTP_URL: mailServer, ...sinkEnvironment } })
  const directory = dirname(t.app.config.databaseUrl.slice('file:'.length))
  await write(t.app, (tx) => setTrustLevel(tx, t.workspace, 'M1'))
  seed(directory, { slug: t.workspace.slug, sizes })
  const other = await t.stranger('neighbour')
  neighbourKey = other.apiKey
  for (const as of ['key', other] as const) await t.template({}, { as })
  const cookie = `session=${await write(t.app, (tx) => createSession(tx, t.user.id))}`
  loads = createLoads({
    ...{ url: t.url, slug: t.workspace.slug, apiKey: t.apiKey, cookie },
    ...{ database: databaseOf(directory), sizes },
  })
  await t.dispatcher.start()
  await neighbour()
  alone = await neighbour()
})

afterAll(async () => {
  if (remoteDatabase) return
  sink.kill('SIGKILL')
  await t.dispatcher.stop(20_000)
  await t[Symbol.asyncDispose]()
})

describe('a neighbour is served beside', () => {
  for (const name of loadNames)
    measured(name, async () => {
      const load = loads.find((one) => one.name === name)
      if (!load) throw new Error(`there is no load ${name}`)
      const misses: string[] = []
      const slowness = new Slowness({ ofMemory: name === 'attachments' })
      for (let round = 0; round < tries && misses.length === round; round++) {
        const { accept, handOver, blockMs } = await beside(load)
        const figures = `accept ${alone.accept.toFixed(1)} -> ${accept.toFixed(1)}, hand-over ${alone.handOver.toFixed(1)} -> ${handOver.toFixed(1)}, longest block ${blockMs.toFixed(1)} ms`
        process.stdout.write(`  ${figures.padEnd(80)} ${name}\n`)
        if (blockMs > maxBlockMs) slowness.look()
        const isShort = blockMs <= maxBlockMs * slowness.factor
        const isGood = accept <= 2 * alone.accept + roomMs && handOver <= 2 * alone.handOver + roomMs && isShort
        if (!isGood) misses.push(figures)
      }
      expect(misses.length, misses.join('; ')).toBeLessThan(tries)
    })
})
