// POST /v1/events/send: events accepted a second, durable, with one matching rule that schedules a mail for tomorrow, in turns with two
// floors in the same run (floor.ts): one request that writes the rows of such an event, group-committed, on raw bun:sqlite; and one that
// writes a single row. Events come from 5,000 contacts that are known, as they do once a product is in use; a further figure is for
// contacts made by their event. Each is measured without a webhook endpoint and with one that is told of every event.
// Run: bun test/bench/events.ts

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, write } from '../../src/core/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { createEndpoint } from '../../src/features/webhooks/endpoints.ts'
import { rotateSecret } from '../../src/features/webhooks/secrets.ts'
import { getWorkspaceBySlug } from '../../src/people/workspaces.ts'
import { linesOf, until } from '../../tools/process.ts'
import { median } from './figures.ts'
import { httpLoad, type LoadResult } from './http-load.ts'
import { child, serving } from './serve.ts'

const rounds = 3
const seconds = 2
const knownContacts = 5_000

const template = {
  id: 'welcome',
  name: 'Welcome',
  subject: 'Welcome to {{plan}}',
  content: [{ type: 'text', text: 'Hello {{contact.firstName|there}}, your plan is {{plan}}.' }],
}
const rule = {
  eventName: 'signup',
  action: 'send_template',
  templateId: 'welcome',
  delay: { amount: 1, unit: 'd' },
  filter: [{ property: 'plan', operator: 'equals', value: 'pro' }],
  variables: { plan: '{{event.plan}}' },
  reEligible: true,
}

async function measure(inFlight: number, endpoints: 0 | 1): Promise<void> {
  const directories = ['events', 'one'].map((name) => mkdtempSync(join(tmpdir(), `paquebot-floor-${name}-`)))
  const [sameRows = '', oneRow = ''] = directories
  const sink = Bun.spawn(['bun', join(import.meta.dir, '../support/webhook-sink-process.ts')], { stdout: 'pipe' })
  const sinkPort = (await until(linesOf(sink.stdout), /listening on (\d+)/))[1]
  await using product = await serving({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'on' })
  if (endpoints > 0) await addEndpoint(product.directory, `http://127.0.0.1:${sinkPort}/`)
  await product.post('/v1/transactional/create', template)
  await product.post('/v1/event-rules', rule)
  using floor = await child('floor.ts', sameRows, 'events', String(endpoints))
  using insert = await child('floor.ts', oneRow)
  const headers = { authorization: `Bearer ${product.apiKey}` }
  const body = (emailOf: (n: number) => string) => (n: number) =>
    JSON.stringify({ eventName: 'signup', email: emailOf(n), eventProperties: { plan: 'pro', seats: n } })
  const known = body((n) => `ada${n % knownContacts}@example.net`)
  let made = 0
  const fresh = body(() => `new${++made}@example.net`)
  const load = (url: string, of: typeof known, amount: { seconds?: number; requests?: number } = { seconds }) =>
    httpLoad({ url, path: '/v1/events/send', headers, body: of, inFlight, ...amount })
  const loads = {
    known: () => load(product.url, known),
    floor: () => load(floor.url, known),
    fresh: () => load(product.url, fresh),
    insert: () => load(insert.url, known),
  }
  for (const url of [product.url, floor.url, insert.url]) await load(url, known, { requests: 2 * knownContacts })
  const results: Record<keyof typeof loads, LoadResult[]> = { known: [], floor: [], fresh: [], insert: [] }
  for (let round = 0; round < rounds; round++) {
    for (const name of ['known', 'floor', 'fresh', 'insert'] as const) results[name].push(await loads[name]())
  }
  const rate = (name: keyof typeof loads) => median(results[name].map(({ perSecond }) => perSecond))
  const p99 = (name: keyof typeof loads) => median(results[name].map(({ p99Ms }) => p99Ms))
  const line = (name: keyof typeof loads) => `${rate(name).toFixed(0)}/s (p99 ${p99(name).toFixed(1)} ms)`
  const ratio = (name: keyof typeof loads) => (rate('known') / rate(name)).toFixed(2)
  process.stdout.write(
    `events, ${inFlight} in flight, ${endpoints} endpoints: ${line('known')}, floor of the same rows ${line('floor')}: ratio ${ratio('floor')} (at least 0.52), p99 ${(p99('known') / p99('floor')).toFixed(1)}x (at most 2); new contacts ${line('fresh')}; floor of one insert ${line('insert')}: ratio ${ratio('insert')}; ${product.rssMiB().toFixed(0)} MiB\n`,
  )
  sink.kill()
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
}

/** As `paquebot` commands do: beside the server, on the same database. */
async function addEndpoint(directory: string, url: string): Promise<void> {
  const app = await createApp(readConfig({ DATA_DIR: directory, LOG_LEVEL: 'error' }, directory))
  const { id } = await getWorkspaceBySlug(app, 'bench')
  const endpoint = await write(app, (tx) =>
    createEndpoint(tx, id, { url, status: 'active', eventFilters: ['event.received'] }),
  )
  await rotateSecret(app, id, endpoint.id, 0)
  await app.close()
}

for (const inFlight of [64, 200]) for (const endpoints of [0, 1] as const) await measure(inFlight, endpoints)
