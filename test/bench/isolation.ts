// What bad webhook endpoints cost the good ones of the same workspace (R6): the same events with and without endpoints that
// never answer, that drip, and that send 1 GB. Latency is from the commit of the event to the arrival of its delivery.
// Run: bun test/bench/isolation.ts [events]   (35 good ones, 15 bad ones, time-outs of 20 s)

import { sql } from 'drizzle-orm'
import { write } from '../../src/core/app.ts'
import { createEndpoint } from '../../src/features/webhooks/endpoints.ts'
import { publish } from '../../src/features/webhooks/publish.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { flood, hostileSink } from '../support/hostile-sink.ts'
import { sinkEnvironment, webhookSink } from '../support/webhook-sink.ts'
import { percentile } from './figures.ts'

export interface Isolation {
  good: number
  /** Of each of the three kinds. */
  badOfEach: number
  events: number
  /** Of an exchange. */
  totalMs: number
  /** What the machine's own noise may add to what the bad ones do. */
  noiseMs: number
}

export interface IsolationFigures extends Isolation {
  /** p99 of the good ones. */
  aloneMs: number
  besideMs: number
  /** What besideMs may be. */
  mostMs: number
  /** Growth with the bad ones. */
  rssMb: number
}

export async function measureIsolation(isolation: Isolation): Promise<IsolationFigures> {
  const alone = await run({ ...isolation, badOfEach: 0 })
  const beside = await run(isolation)
  const p99 = ({ latencies }: { latencies: number[] }) => percentile(latencies, 0.99)
  const aloneMs = p99(alone)
  const mostMs = 1.5 * aloneMs + isolation.noiseMs
  return { ...isolation, aloneMs, besideMs: p99(beside), mostMs, rssMb: beside.rssMb }
}

export function describeIsolation(figures: IsolationFigures): string {
  const { good, badOfEach, events, aloneMs, besideMs, mostMs, rssMb } = figures
  return `R6: ${events} events, p99 of ${good} good endpoints ${aloneMs.toFixed(1)} ms alone, ${besideMs.toFixed(1)} ms beside ${3 * badOfEach} bad ones (at most ${mostMs.toFixed(1)}); RSS +${rssMb.toFixed(1)} MB (at most 50)`
}

async function run({ good, badOfEach, events, totalMs }: Isolation): Promise<{ latencies: number[]; rssMb: number }> {
  await using t = await testApp({ environment: sinkEnvironment, dialing: { totalMs } })
  const arrived: [id: string, at: number][] = []
  await using sink = webhookSink(({ headers }) => {
    arrived.push([headers['webhook-id'] ?? '', performance.now()])
    return new Response()
  })
  await using tarpit = hostileSink()
  await using drip = hostileSink((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
    flood(socket, '.', 200)
  })
  await using huge = hostileSink((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n')
    flood(socket, new Uint8Array(65_536))
  })
  for (let n = 0; n < good; n++) await create(t, `${sink.url}${n}`)
  for (let n = 0; n < badOfEach; n++) for (const { url } of [tarpit, drip, huge]) await create(t, `${url}${n}`)
  Bun.gc(true)
  const rss = process.memoryUsage.rss()
  await t.dispatcher.start()
  const sent = new Map<string, number>()
  for (let event = 1; event <= events; event++) {
    const began = performance.now()
    sent.set(await say(t), began)
    await sink.whenReceived(good * event)
  }
  Bun.gc(true)
  const latencies = arrived.map(([id, at]) => at - (sent.get(id) ?? Number.NaN))
  return { latencies, rssMb: (process.memoryUsage.rss() - rss) / 1e6 }
}

async function create(t: TestApp, url: string): Promise<void> {
  const input = { url, status: 'active' as const, maxPerSecond: null }
  await write(t.app, (tx) => createEndpoint(tx, t.workspace.id, input))
}

/** Returns the id of the event. */
async function say(t: TestApp): Promise<string> {
  const contactIdentity = { id: 'con_1', email: 'ada@example.com', userId: null }
  await write(t.app, (tx) => publish(tx, t.workspace.id, 'contact.created', { contactIdentity }))
  const [event] = await t.app.db.all<{ id: string }>(sql`SELECT id FROM webhook_events ORDER BY sequence DESC LIMIT 1`)
  return event?.id ?? ''
}

if (import.meta.main) {
  const events = Number(process.argv[2] ?? 280)
  const figures = await measureIsolation({ good: 35, badOfEach: 5, events, totalMs: 20_000, noiseMs: 0 })
  process.stdout.write(`${describeIsolation(figures)}\n`)
}
