// For monitoring: is the process alive, can it serve, and its metrics (metrics.ts). Frequent or simultaneous requests share one check.

import { Elysia } from 'elysia'
import { putInstallationValue } from '../../../db/installation-value.ts'
import { type App, write } from '../../core/app.ts'
import { heartbeat } from '../../core/http/surface.ts'
import { freeBytes } from '../../core/installation.ts'
import { listGeneralFaults } from '../../core/outbox/sending-faults.ts'
import { withDeadline } from '../../kit/deadline.ts'
import { second } from '../../kit/duration.ts'
import { version } from '../../kit/version.ts'
import { parseScope } from '../../mail/sending-hold.ts'
import { metricsText } from './metrics.ts'
import { createMetricsGate } from './metrics-gate.ts'
import type { Vitals } from './vitals.ts'

/** A dispatcher that has not polled the outbox for this long is stuck. */
const tickWithinMs = 10 * second
const writeWithinMs = 3 * second
const enoughBytes = 16_000_000
/** Far less than the time between two looks of a monitor. */
const metricsForMs = second

/** `attention`: the codes of what is wrong with the installation (src/operator/attention/). */
export function healthRoutes(app: App, vitals: Vitals, attention: () => Promise<string[]>) {
  const checked = oneLook(0, async () => {
    const [database, dispatcher] = [hasRoom(app) && (await isWritable(app)), isTicking(app, vitals)]
    // A mail server that refuses mail does not make this server unready: it still accepts requests.
    const codes = database ? await attention() : []
    const sending = database ? await sendingState(app, codes) : 'unknown'
    return { database, dispatcher, sending, attention: codes }
  })
  const text = oneLook(metricsForMs, () => metricsText(app, vitals))
  const admit = createMetricsGate(app.config)
  return new Elysia({ detail: { hide: true } })
    .get('/healthz', () => ({ status: 'ok', version }), { detail: heartbeat })
    .get('/readyz', async ({ set }) => {
      const checks = await checked()
      const ready = checks.database && checks.dispatcher
      if (!ready) set.status = 503
      return { status: ready ? 'ok' : 'not ready', checks }
    })
    .get('/metrics', async ({ request, server }) => {
      admit(request, server)
      const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
      return new Response(await text(), { headers })
    })
}

/** What `look` saw, for all who ask while it looks and for `keptMs` after that. */
function oneLook<T>(keptMs: number, look: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | null = null
  return () => {
    if (last) return last
    const current = look()
    const forget = () => {
      last = null
    }
    current.then(() => (keptMs === 0 ? forget() : setTimeout(forget, keptMs).unref()), forget)
    last = current
    return current
  }
}

/** A real write, because with a full disk a transaction can still begin. */
export async function isWritable(app: App): Promise<boolean> {
  const written = write(app, async (tx) => {
    await putInstallationValue(tx, 'readyz', 'ok')
    return true
  }).catch(() => false)
  return await withDeadline(written, writeWithinMs, false)
}

/** On a full disk a small write may still fit into the log, but the next mail does not. */
export function hasRoom(app: App): boolean {
  return (freeBytes(app.config) ?? enoughBytes) >= enoughBytes
}

export function isTicking(app: App, vitals: Pick<Vitals, 'lastTickAt'>): boolean {
  const at = vitals.lastTickAt()
  return at !== null && app.clock.now().getTime() - at.getTime() < tickWithinMs
}

/** Mail of a relay whose mail others carry is not held. */
async function sendingState(app: App, attention: string[]): Promise<'ok' | 'faulty' | 'held'> {
  const faults = await listGeneralFaults(app, app.clock.now())
  if (faults.length === 0) return 'ok'
  const holds = faults.filter(({ heldUntil }) => heldUntil !== null)
  const isOfWorkspace = holds.some(({ scope }) => parseScope(scope).workspaceId !== null)
  return isOfWorkspace || (holds.length > 0 && !attention.includes('relay_fails')) || attention.includes('mail_held')
    ? 'held'
    : 'faulty'
}
