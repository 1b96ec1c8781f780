// Segments: what they cost those who change something: events and an import beside 20 segments and beside none, and how far behind the segment
// is. How long one is built and read among a million contacts: million.ts. Run: bun test/bench/segments.ts

import { median, percentile } from './figures.ts'
import { httpLoad } from './http-load.ts'
import { type Serving, serving } from './serve.ts'

const rounds = 3
const eventRounds = 7
const many = 20
const imported = 50_000

interface Segment {
  id: string
  state: string
  contacts: number | null
}

const say = (line: string) => void process.stdout.write(`segments: ${line}\n`)

async function ready(product: Serving, id: string): Promise<Segment> {
  for (;;) {
    const segment = (await product.get(`/v1/segments/${id}`)) as Segment
    if (segment.state === 'ready') return segment
    await Bun.sleep(20)
  }
}

async function make(product: Serving, about: object, name = 'Bench'): Promise<Segment> {
  const { id } = (await product.post('/v1/segments', { name, filter: about })) as Segment
  return await ready(product, id)
}

const asksOf = {
  none: [],
  other: Array.from({ length: many }, (_, n) => ({ event: `other${n}`, withinDays: 30 })),
  same: Array.from({ length: many }, (_, n) => ({ event: 'signup', withinDays: 30, atLeast: n + 1 })),
  fields: Array.from({ length: many }, (_, n) => ({ field: 'plan', op: 'eq', value: `plan${n}` })),
} as const

async function withSegments(about: readonly object[]): Promise<Serving> {
  const product = await serving({ API_RATE_LIMIT: '0' })
  for (const [n, one] of about.entries()) await make(product, one, `Bench ${n}`)
  return product
}

/** What those who send events see of 20 segments that ask about another event, and of 20 that ask about theirs. */
async function measureEvents(): Promise<void> {
  await using none = await withSegments(asksOf.none)
  await using other = await withSegments(asksOf.other)
  await using same = await withSegments(asksOf.same)
  const load = async (product: Serving) => {
    const before = product.mainSeconds()
    await httpLoad({
      url: product.url,
      path: '/v1/events/send',
      headers: { authorization: `Bearer ${product.apiKey}` },
      body: (n) => JSON.stringify({ eventName: 'signup', email: `ada${n % 5_000}@example.net` }),
      inFlight: 32,
      requests: 5_000,
    })
    return ((product.mainSeconds() - before) * 1_000_000) / 5_000
  }
  const servers = { none, other, same }
  for (const one of Object.values(servers)) await load(one)
  const costs: Record<keyof typeof servers, number[]> = { none: [], other: [], same: [] }
  for (let round = 0; round < eventRounds; round++)
    for (const name of ['none', 'other', 'same'] as const) costs[name].push(await load(servers[name]))
  const cost = (name: keyof typeof servers) => median(costs[name])
  const ratio = (name: keyof typeof servers) => (cost(name) / cost('none')).toFixed(2)
  say(
    `an event costs ${cost('none').toFixed(0)} us of the thread beside no segment; beside ${many} that ask about others ${cost('other').toFixed(0)} us: ratio ${ratio('other')} (at most 1.05); beside ${many} that ask about this one, with their work ${cost('same').toFixed(0)} us: ratio ${ratio('same')}`,
  )
  say(`a segment follows an event after ${await lag(same)}`)
}

/** From the answer to the event until the person is in the segment. */
async function lag(product: Serving): Promise<string> {
  const { id } = await make(product, { event: 'late' })
  const took: number[] = []
  for (let n = 1; n <= 20; n++) {
    await product.post('/v1/events/send', { eventName: 'late', email: `late${n}@example.net` })
    const began = performance.now()
    while (((await product.get(`/v1/segments/${id}`)) as Segment).contacts !== n) await Bun.sleep(5)
    took.push(performance.now() - began)
  }
  return `p50 ${median(took).toFixed(0)} ms, p95 ${percentile(took, 0.95).toFixed(0)} ms`
}

/** The seconds until all rows are stored, and those of the thread that runs the program. */
async function importFile(product: Serving): Promise<{ seconds: number; mainSeconds: number }> {
  const rows = Array.from(
    { length: imported },
    (_, n) => `person${n}@example.net,First ${n},true,plan${n % 100},${n % 90}`,
  )
  const body = `email,firstName,subscribed,plan,age:number\r\n${rows.join('\r\n')}\r\n`
  const headers = { authorization: `Bearer ${product.apiKey}`, 'content-type': 'text/csv' }
  const [began, before] = [performance.now(), product.mainSeconds()]
  const answer = await fetch(`${product.url}/v1/contacts/import`, { method: 'POST', headers, body })
  let end = (await answer.json()) as { id: string; state: string; created: number }
  if (!answer.ok) throw new Error(JSON.stringify(end))
  while (end.state !== 'done') {
    await Bun.sleep(20)
    end = (await product.get(`/v1/contact-imports/${end.id}`)) as typeof end
  }
  if (end.created !== imported) throw new Error(JSON.stringify(end))
  return { seconds: (performance.now() - began) / 1_000, mainSeconds: product.mainSeconds() - before }
}

async function measureImport(): Promise<void> {
  const took: Record<'none' | 'fields', Awaited<ReturnType<typeof importFile>>[]> = { none: [], fields: [] }
  const behind: number[] = []
  for (let round = 0; round < rounds; round++)
    for (const name of ['none', 'fields'] as const) {
      await using product = await withSegments(asksOf[name])
      took[name].push(await importFile(product))
      if (name === 'none') continue
      const began = performance.now()
      while (await isBehind(product)) await Bun.sleep(20)
      behind.push((performance.now() - began) / 1_000)
    }
  const of = (name: keyof typeof took, what: 'seconds' | 'mainSeconds') => median(took[name].map((one) => one[what]))
  const both = (name: keyof typeof took) =>
    `${of(name, 'seconds').toFixed(1)} s, ${of(name, 'mainSeconds').toFixed(1)} of them of the thread`
  const ratio = of('fields', 'mainSeconds') / of('none', 'mainSeconds')
  say(
    `import of ${imported} beside no segment ${both('none')}; beside ${many}, with their work ${both('fields')}: ratio ${ratio.toFixed(2)} (at most 1.3); the segments followed ${median(behind).toFixed(1)} s later`,
  )
}

async function isBehind(product: Serving): Promise<boolean> {
  const { data } = (await product.get('/v1/segments?perPage=50')) as { data: Segment[] }
  return data.some(({ contacts }) => contacts !== imported / 100)
}

await measureEvents()
await measureImport()
