// Webhooks delivered a second, with everything that makes them durable (job, attempts, log), to 50 endpoints of a receiver in
// another process; beside a bare loop of fetch + HMAC of the same payloads, as many in flight. Interleaved, medians.
// Run: bun test/bench/webhooks.ts [deliveries] [rounds]

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type App, createApp, write } from '../../src/core/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { Dispatcher } from '../../src/core/outbox/dispatcher.ts'
import { lanes } from '../../src/core/outbox/lanes.ts'
import { createEndpoint } from '../../src/features/webhooks/endpoints.ts'
import { eventTypes } from '../../src/features/webhooks/event-types.ts'
import { publish, toPayload } from '../../src/features/webhooks/publish.ts'
import { rotateSecret } from '../../src/features/webhooks/secrets.ts'
import { newSigningSecret, signingKey, signWebhook } from '../../src/kit/signature.ts'
import { jobKinds } from '../../src/operator/jobs.ts'
import { createWorkspace } from '../../src/people/workspaces.ts'
import { linesOf, until } from '../../tools/process.ts'
import { median } from './figures.ts'

/** Enough to fill the lane. */
const workspaces = 4
const endpoints = 50
const inFlight = lanes.webhook.concurrency
const pollMs = 10
const type = 'email.hardBounced'
const { example } = eventTypes[type]

export interface WebhookFigures {
  /** Medians, deliveries a second. */
  durable: number
  bare: number
  ratio: number
}

export async function measureWebhooks({
  deliveries,
  rounds,
}: {
  deliveries: number
  rounds: number
}): Promise<WebhookFigures> {
  const sink = Bun.spawn(['bun', join(import.meta.dir, '../support/webhook-sink-process.ts')], { stdout: 'pipe' })
  const port = Number((await until(linesOf(sink.stdout), /listening on (\d+)/))[1])
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-bench-'))
  const environment = { DATA_DIR: directory, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'on' }
  const app = await createApp(readConfig({ ...environment, LOG_LEVEL: 'error' }, directory))
  const ids = await arrange(app, port)
  const durable: number[] = []
  const bare: number[] = []
  // The first round warms both up.
  for (let round = 0; round <= rounds; round++) {
    const figures = [await durableRate(app, ids, deliveries), await bareRate(app, port, deliveries)]
    if (round === 0) continue
    durable.push(figures[0] ?? 0)
    bare.push(figures[1] ?? 0)
  }
  await app.close()
  sink.kill()
  rmSync(directory, { recursive: true, force: true })
  return { durable: median(durable), bare: median(bare), ratio: median(durable) / median(bare) }
}

async function arrange(app: App, port: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < workspaces; n++) {
    const { id } = await write(app, (tx) => createWorkspace(tx, { slug: `bench-${n}`, trustLevel: 'M2' }))
    ids.push(id)
  }
  for (let n = 0; n < endpoints; n++) {
    const workspaceId = ids[n % workspaces] ?? ''
    const input = { url: `http://127.0.0.1:${port}/${n}`, status: 'active' as const, maxPerSecond: null }
    const endpoint = await write(app, (tx) => createEndpoint(tx, workspaceId, input))
    await rotateSecret(app, workspaceId, endpoint.id, 0)
  }
  return ids
}

/** From the start of a dispatcher over a full outbox until it is empty. */
async function durableRate(app: App, workspaceIds: string[], deliveries: number): Promise<number> {
  const dispatcher = new Dispatcher(app, { kinds: jobKinds, alone: true, version: 'bench' })
  const events = Math.ceil(deliveries / endpoints)
  for (let n = 0; n < events; n++)
    await write(app, async (tx) => {
      for (const workspaceId of workspaceIds) await publish(tx, workspaceId, type, example)
    })
  const began = performance.now()
  await dispatcher.start()
  while (await hasOpenJobs(app)) await Bun.sleep(pollMs)
  const seconds = (performance.now() - began) / 1_000
  await dispatcher.stop(1_000)
  return (events * endpoints) / seconds
}

async function hasOpenJobs(app: App): Promise<boolean> {
  const rows = await app.db.all<{ open: number }>(
    sql`SELECT 1 AS open WHERE EXISTS (SELECT 1 FROM outbox_jobs WHERE state = 'pending') OR EXISTS (SELECT 1 FROM outbox_jobs WHERE state = 'running')`,
  )
  return rows.length > 0
}

/** What no delivery can do without: the HMAC and the request. */
async function bareRate(app: App, port: number, deliveries: number): Promise<number> {
  const keys = [signingKey(newSigningSecret(app))]
  let next = 0
  const worker = async () => {
    for (let n = next++; n < deliveries; n = next++) {
      const now = new Date()
      const id = `wh_${n}`
      const body = toPayload(type, example, now)
      const timestamp = Math.floor(now.getTime() / 1_000)
      const headers = {
        'Content-Type': 'application/json',
        'Webhook-Id': id,
        'Webhook-Timestamp': String(timestamp),
        'Webhook-Signature': signWebhook(keys, { id, timestamp, body }),
      }
      const response = await fetch(`http://127.0.0.1:${port}/${n % endpoints}`, { method: 'POST', headers, body })
      await response.text()
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: inFlight }, worker))
  return deliveries / ((performance.now() - began) / 1_000)
}

if (import.meta.main) {
  const [deliveries = 10_000, rounds = 5] = process.argv.slice(2).map(Number)
  const { durable, bare, ratio } = await measureWebhooks({ deliveries, rounds })
  process.stdout.write(
    `webhooks: ${durable.toFixed(0)} delivered/s with durable records, ${bare.toFixed(0)}/s of bare fetch + HMAC: ratio ${ratio.toFixed(2)} (at least 0.25), ${endpoints} endpoints, ${inFlight} in flight\n`,
  )
}
