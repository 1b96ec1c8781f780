// Contacts at a million: the import of a file over HTTP with the memory of the server meanwhile, the same file again, every kind of
// page, first and deep, beside the same pages of ten thousand, and single calls. Run: bun test/bench/contacts.ts [CONTACTS]

import { Database as SQLite } from 'bun:sqlite'
import { join } from 'node:path'
import { median, percentile } from './figures.ts'
import { type Serving, serving } from './serve.ts'

const total = Number(process.argv[2] ?? 1_000_000)
/** What the pages of the many stand beside. */
const few = 10_000
const growthLimit = 1.2
const pageLimitMs = 50
const memoryLimitMiB = 300
const rounds = 20
const csv = { 'content-type': 'text/csv' }

interface Progress {
  id: string
  state: string
  created: number
  updated: number
  unchanged: number
  bad: number
}

/** 1 in 10 does not want mail; 100 plans, so that a property finds 1 in 100. */
async function* file(rows: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode('email,userId,firstName,lastName,subscribed,plan,age:number\r\n')
  let text = ''
  for (let n = 0; n < rows; n++) {
    text += `person${n}@example${n % 1_000}.net,user-${n},First ${n % 500},"Last, ${n % 900}",${n % 10 === 0 ? 'false' : 'true'},plan${n % 100},${n % 90}\r\n`
    if (text.length > 65_536) {
      yield encoder.encode(text)
      text = ''
    }
  }
  yield encoder.encode(text)
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

/** The routes of mailing lists are another feature's: this one needs only a row. */
function makeList(product: Serving): string {
  const id = `lst_${crypto.randomUUID().replaceAll('-', '')}`
  const database = new SQLite(join(product.directory, 'paquebot.db'))
  database.run(
    `INSERT INTO mailing_lists (id, workspace_id, name, is_public, opt_in, status, contact_count, created_at, updated_at)
     SELECT ?, id, 'News', 1, 'single', 'active', 0, 1, 1 FROM workspaces LIMIT 1`,
    [id],
  )
  database.close()
  return id
}

function createAsk(product: Serving) {
  return async <T>(method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}): Promise<T> => {
    const authorization = `Bearer ${product.apiKey}`
    const response = await fetch(product.url + path, {
      method,
      headers: { authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
}

type Ask = ReturnType<typeof createAsk>

/** The most memory of the server from the first byte until the last row, and the seconds. */
async function importFile(
  product: Serving,
  ask: Ask,
  { query = '', rows = total } = {},
): Promise<{ seconds: number; peakMiB: number; end: Progress; finds: number[] }> {
  let peakMiB = 0
  const watch = setInterval(() => {
    peakMiB = Math.max(peakMiB, product.rssMiB())
  }, 50)
  const began = performance.now()
  let end = await ask<Progress>('POST', `/v1/contacts/import${query}`, streamOf(file(rows)), csv)
  const received = performance.now()
  const finds: number[] = []
  while (end.state !== 'done') {
    if (end.state === 'failed') throw new Error(JSON.stringify(end))
    await Bun.sleep(100)
    finds.push(...(await timed(1, () => ask('GET', '/v1/contacts/find?email=person1@example1.net'))))
    end = await ask<Progress>('GET', `/v1/contact-imports/${end.id}`)
  }
  clearInterval(watch)
  process.stderr.write(
    `  received in ${((received - began) / 1_000).toFixed(1)} s, ${JSON.stringify(end).slice(0, 300)}\n`,
  )
  return { seconds: (performance.now() - began) / 1_000, peakMiB, end, finds }
}

async function timed(times: number, call: (n: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    const began = performance.now()
    await call(n)
    took.push(performance.now() - began)
  }
  return took
}

interface Page {
  pagination: { nextCursor: string | null; totalResults: number }
  data: { email: string }[]
}

/** Cursor after cursor, so that a later page is timed too. */
async function pagesOf(ask: Ask, query: string): Promise<{ first: number[]; deep: number[]; found: number }> {
  const path = `/v1/contacts?perPage=100${query}`
  const first = await timed(rounds, () => ask<Page>('GET', path))
  let page = await ask<Page>('GET', path)
  const found = page.pagination.totalResults
  const deep = await timed(rounds, async () => {
    const { nextCursor } = page.pagination
    page = await ask<Page>('GET', nextCursor === null ? path : `${path}&cursor=${nextCursor}`)
  })
  return { first, deep, found }
}

/** Near the far end of the list: a cursor made by going there, in steps of 100 pages at a time of the whole. */
async function deepest(ask: Ask, pages: number): Promise<number[]> {
  let path = '/v1/contacts?perPage=100'
  let cursor: string | null = null
  for (let n = 0; n < pages; n++) {
    const page: Page = await ask<Page>('GET', cursor === null ? path : `${path}&cursor=${cursor}`)
    cursor = page.pagination.nextCursor
    if (cursor === null) break
  }
  path = cursor === null ? path : `${path}&cursor=${cursor}`
  return await timed(rounds, () => ask<Page>('GET', path))
}

/** Every kind of page, by what it lists. */
function listingsOf(listId: string): [what: string, query: string][] {
  return [
    ['everybody', ''],
    ['by e-mail prefix, 1 in 9', '&email=person1'],
    ['by one address', '&email=person1234@'],
    ['by property, 1 in 100', '&property=plan&value=plan7'],
    ['by number property', '&property=age&value=42'],
    ['subscribed, 9 in 10', '&state=subscribed'],
    ['unsubscribed, 1 in 10', '&state=unsubscribed'],
    ['pending, nobody', '&state=pending'],
    ['on a list, all of them', `&listId=${listId}`],
    ['unsubscribed from a list, nobody', `&listId=${listId}&state=unsubscribed`],
  ]
}

const round = (value: number) => value.toFixed(1)

function say(line: string): void {
  process.stdout.write(`contacts: ${line}\n`)
}

const some = (n: number) => (n * 1_999) % total

await using product = await serving()
const ask = createAsk(product)
const first = await importFile(product, ask)
say(
  `import of ${first.end.created} rows: ${(total / first.seconds).toFixed(0)} rows/s, ${first.seconds.toFixed(0)} s, peak ${first.peakMiB.toFixed(0)} MiB (at most ${memoryLimitMiB}), ${first.end.bad} bad`,
)
say(
  `a find beside the import: p50 ${round(median(first.finds))} p95 ${round(percentile(first.finds, 0.95))} ms (at most 250)`,
)
const again = await importFile(product, ask)
say(
  `the same file again: ${(total / again.seconds).toFixed(0)} rows/s, peak ${again.peakMiB.toFixed(0)} MiB (at most ${memoryLimitMiB}), ${again.end.created} created, ${again.end.updated} updated, ${again.end.unchanged} unchanged`,
)
const listId = makeList(product)
const joined = await importFile(product, ask, { query: `?mailingListId=${listId}` })
say(
  `the same file onto a list: ${(total / joined.seconds).toFixed(0)} rows/s, peak ${joined.peakMiB.toFixed(0)} MiB (at most ${memoryLimitMiB}), ${joined.end.updated} updated`,
)
await using productOfFew = await serving()
const askFew = createAsk(productOfFew)
const listIdOfFew = makeList(productOfFew)
await importFile(productOfFew, askFew, { query: `?mailingListId=${listIdOfFew}`, rows: few })
let slowest = 0
let growth = 0
for (const [index, [what, query]] of listingsOf(listId).entries()) {
  const ofFew = await pagesOf(askFew, listingsOf(listIdOfFew)[index]?.[1] ?? '')
  const { first, deep, found } = await pagesOf(ask, query)
  slowest = Math.max(slowest, percentile(first, 0.95), percentile(deep, 0.95))
  const grown = median([...first, ...deep]) / median([...ofFew.first, ...ofFew.deep])
  growth = Math.max(growth, grown)
  say(
    `page ${what}: first p50 ${round(median(first))} p95 ${round(percentile(first, 0.95))} ms, following p50 ${round(median(deep))} p95 ${round(percentile(deep, 0.95))} ms (at most ${pageLimitMs}), total ${found}, ratio ${grown.toFixed(2)} to ${few}`,
  )
}
say(`pages of ${total}: at most ${growth.toFixed(2)} times those of ${few} (at most ${growthLimit})`)
const far = await deepest(ask, 1_000)
slowest = Math.max(slowest, percentile(far, 0.95))
say(`page 1,000 of 100: p50 ${round(median(far))} p95 ${round(percentile(far, 0.95))} ms (at most ${pageLimitMs})`)
const json = { 'content-type': 'application/json' }
const create = await timed(500, (n) =>
  ask(
    'POST',
    '/v1/contacts/create',
    JSON.stringify({ email: `new${n}@example.net`, firstName: 'New', plan: 'plan7' }),
    json,
  ),
)
const find = await timed(500, (n) =>
  ask('GET', `/v1/contacts/find?email=person${n * 1_999}@example${(n * 1_999) % 1_000}.net`),
)
const update = await timed(500, (n) =>
  ask('PUT', '/v1/contacts/update', JSON.stringify({ userId: `user-${some(n)}`, plan: `plan${n % 50}` }), json),
)
say(
  `single calls, one after the other: create p50 ${median(create).toFixed(2)} ms, find p50 ${median(find).toFixed(2)} ms, update p50 ${median(update).toFixed(2)} ms (at most 5 each)`,
)
const exportBegan = performance.now()
let bytes = 0
let exportPeak = 0
const exported = await fetch(`${product.url}/v1/contacts/export`, {
  headers: { authorization: `Bearer ${product.apiKey}` },
})
for await (const chunk of exported.body ?? []) {
  bytes += chunk.length
  exportPeak = Math.max(exportPeak, product.rssMiB())
}
const exportSeconds = (performance.now() - exportBegan) / 1_000
say(
  `export: ${(total / exportSeconds).toFixed(0)} rows/s, ${(bytes / 1_048_576).toFixed(0)} MiB, peak ${exportPeak.toFixed(0)} MiB (at most ${memoryLimitMiB})`,
)
const failed =
  slowest > pageLimitMs || Math.max(first.peakMiB, again.peakMiB, joined.peakMiB, exportPeak) > memoryLimitMiB
process.exit(failed ? 1 : 0)
