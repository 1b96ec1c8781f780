// For monitoring: is the process alive, can it serve, and its metrics (Prometheus text format 0.0.4).

import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Elysia } from 'elysia'
import { installation } from '../../db/tables/workspaces.ts'
import { type App, write } from '../app.ts'
import { databasePath } from '../installation.ts'
import { within } from '../lib/deadline.ts'
import { second } from '../lib/duration.ts'
import { version } from '../lib/version.ts'
import type { Fault } from '../mail/watched-mailer.ts'
import { listSendingFaults } from '../outbox/sending-faults.ts'

/** A dispatcher that has not polled the outbox for this long is stuck. */
const tickWithinMs = 10 * second
const writeWithinMs = 3 * second
const enoughBytes = 16_000_000

/** State of the parts that run next to the server. */
export interface Vitals {
  /** When the dispatcher last polled the outbox. */
  lastTickAt(): Date | null
  /** The number of jobs by lane and state. */
  outboxDepth(): Promise<{ lane: string; state: string; count: number }[]>
}

/** `attention`: the codes of what is wrong with the installation (src/attention/). */
export function healthRoutes(app: App, vitals: Vitals, attention: () => Promise<string[]>) {
  return new Elysia({ detail: { hide: true } })
    .get('/healthz', () => ({ status: 'ok', version }))
    .get('/readyz', async ({ set }) => {
      const [database, dispatcher] = [hasRoom(app) && (await isWritable(app)), isTicking(app, vitals)]
      const ready = database && dispatcher
      if (!ready) set.status = 503
      // A mail server that refuses mail does not make this server unready: it still accepts requests.
      const sending = database ? await sendingState(app) : 'unknown'
      const checks = { database, dispatcher, sending, attention: database ? await attention() : [] }
      return { status: ready ? 'ok' : 'not ready', checks }
    })
    .get('/metrics', async () => {
      const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
      const faults = await listSendingFaults(app, app.clock.now())
      return new Response(metricsText(await vitals.outboxDepth(), faults), { headers })
    })
}

/** A real write, because with a full disk a transaction can still begin. */
export async function isWritable(app: App): Promise<boolean> {
  const written = write(app, async (tx) => {
    const row = { name: 'readyz', value: 'ok', updatedAt: tx.now }
    await tx.db
      .insert(installation)
      .values(row)
      .onConflictDoUpdate({ target: installation.name, set: { updatedAt: tx.now } })
    return true
  }).catch(() => false)
  return await within(written, writeWithinMs, false)
}

/** The free space of the database's disk; null on a libSQL server, and where it cannot be determined. */
export function freeBytes({ config }: App): number | null {
  const path = databasePath(config)
  if (path === null) return null
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return null
  }
}

/** On a full disk a small write may still fit into the log, but the next mail does not. */
export function hasRoom(app: App): boolean {
  return (freeBytes(app) ?? enoughBytes) >= enoughBytes
}

export function isTicking(app: App, vitals: Pick<Vitals, 'lastTickAt'>): boolean {
  const at = vitals.lastTickAt()
  return at !== null && app.clock.now().getTime() - at.getTime() < tickWithinMs
}

async function sendingState(app: App): Promise<'ok' | 'faulty' | 'held'> {
  const faults = await listSendingFaults(app, app.clock.now())
  if (faults.length === 0) return 'ok'
  return faults.some(({ heldUntil }) => heldUntil !== null) ? 'held' : 'faulty'
}

function metricsText(depth: { lane: string; state: string; count: number }[], faults: Fault[]): string {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const jobs = depth.map(({ lane, state, count }) => `paquebot_outbox_jobs{lane="${lane}",state="${state}"} ${count}`)
  const count = (held: boolean) => faults.filter(({ heldUntil }) => (heldUntil !== null) === held).length
  const sending = [true, false].map((held) => `paquebot_sending_faults{held="${held}"} ${count(held)}`)
  return [
    ...metric('paquebot_info', 'gauge', 'Version of this process.', [`paquebot_info{version="${version}"} 1`]),
    ...metric('paquebot_outbox_jobs', 'gauge', 'Jobs of the outbox by lane and state.', jobs),
    ...metric('paquebot_sending_faults', 'gauge', 'The mail server refuses a workspace, or all mail.', sending),
    ...one('process_resident_memory_bytes', 'gauge', 'Resident memory.', rss),
    ...one('process_heap_used_bytes', 'gauge', 'Heap in use.', heapUsed),
    ...one('process_cpu_seconds_total', 'counter', 'CPU time.', (user + system) / 1e6),
    ...one('process_uptime_seconds', 'gauge', 'Time since the start.', process.uptime()),
    '',
  ].join('\n')
}

function one(name: string, type: 'gauge' | 'counter', help: string, value: number): string[] {
  return metric(name, type, help, [`${name} ${value}`])
}

function metric(name: string, type: 'gauge' | 'counter', help: string, lines: string[]): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines]
}
