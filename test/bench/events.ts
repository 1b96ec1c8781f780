// POST /v1/events/send: events accepted a second, durable, with one matching rule that schedules a mail for tomorrow, beside the floor of
// one request and one group-committed insert (floor.ts) in the same run, in turns. Events come from 5,000 contacts that are known, as
// they do once a product is in use; a second line has a contact made by each. Run: bun test/bench/events.ts

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
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-floor-'))
  await using product = await serving()
  await product.post('/v1/transactional/create', template)
  await product.post('/v1/event-rules', rule)
  using floor = await child('floor.ts', directory)
  const headers = { authorization: `Bearer ${product.apiKey}` }
  const body = (emailOf: (n: number) => string) => (n: number) =>
    JSON.stringify({ eventName: 'signup', email: emailOf(n), eventProperties: { plan: 'pro', seats: n } })
  const known = body((n) => `ada${n % knownContacts}@example.net`)
  let made = 0
  const fresh = body(() => `new${++made}@example.net`)
  const load = { headers, inFlight, seconds }
  const ours = (of: typeof known) => httpLoad({ ...load, url: product.url, path: '/v1/events/send', body: of })
  const theirs = () => httpLoad({ ...load, url: floor.url, path: '/', body: known })
  await httpLoad({
    ...load,
    seconds: 60,
    requests: knownContacts,
    url: product.url,
    path: '/v1/events/send',
    body: known,
  })
  await theirs()
  const results = { known: [] as LoadResult[], floor: [] as LoadResult[], fresh: [] as LoadResult[] }
  for (let round = 0; round < rounds; round++) {
    results.known.push(await ours(known))
    results.floor.push(await theirs())
    results.fresh.push(await ours(fresh))
  }
  const rate = (list: LoadResult[]) => median(list.map(({ perSecond }) => perSecond))
  const p99 = (list: LoadResult[]) => median(list.map(({ p99Ms }) => p99Ms))
  const line = (name: string, list: LoadResult[]) =>
    `${name} ${rate(list).toFixed(0)}/s (p99 ${p99(list).toFixed(1)} ms): ratio ${(rate(list) / rate(results.floor)).toFixed(2)}, p99 ${(p99(list) / p99(results.floor)).toFixed(1)}x`
  process.stdout.write(
    `events, ${inFlight} in flight: floor ${rate(results.floor).toFixed(0)}/s (p99 ${p99(results.floor).toFixed(1)} ms); ${line('known contacts', results.known)} (at least 0.5, at most 2x); ${line('new contacts', results.fresh)}; ${product.rssMiB().toFixed(0)} MiB\n`,
  )
  rmSync(directory, { recursive: true, force: true })
}

for (const inFlight of [64, 200]) await measure(inFlight)
