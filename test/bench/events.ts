// POST /v1/events/send: events accepted a second, durable, with one matching rule that schedules a mail for tomorrow, in turns with two
// floors in the same run (floor.ts): one request that writes the rows of such an event, group-committed, on raw bun:sqlite; and one that
// writes a single row. Events come from 5,000 contacts that are known, as they do once a product is in use; a further figure is for
// contacts made by their event. Run: bun test/bench/events.ts

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './figures.ts'
import { httpLoad, type LoadResult } from './http-load.ts'
import { child, serving } from './serve.ts'

const rounds = 5
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

async function measure(inFlight: number): Promise<void> {
  const directories = ['events', 'one'].map((name) => mkdtempSync(join(tmpdir(), `paquebot-floor-${name}-`)))
  const [sameRows = '', oneRow = ''] = directories
  await using product = await serving()
  await product.post('/v1/transactional/create', template)
  await product.post('/v1/event-rules', rule)
  using floor = await child('floor.ts', sameRows, 'events')
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
    `events, ${inFlight} in flight: ${line('known')}, floor of the same rows ${line('floor')}: ratio ${ratio('floor')} (at least 0.5), p99 ${(p99('known') / p99('floor')).toFixed(1)}x (at most 2); new contacts ${line('fresh')}; floor of one insert ${line('insert')}: ratio ${ratio('insert')}; ${product.rssMiB().toFixed(0)} MiB\n`,
  )
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
}

for (const inFlight of [64, 200]) await measure(inFlight)
