// Contacts at a million: every kind of page, first and deep, beside the same pages of ten thousand, and single calls. Their import and their
// export are measured by million.ts. Run: bun test/bench/contacts.ts [CONTACTS]

import { Database as SQLite } from 'bun:sqlite'
import { join } from 'node:path'
import { type Ask, createAsk, importFile, timed } from './company.ts'
import { median, percentile } from './figures.ts'
import { type Serving, serving } from './serve.ts'

const total = Number(process.argv[2] ?? 1_000_000)
/** What the pages of the many stand beside. */
const few = 10_000
const growthLimit = 1.2
const pageLimitMs = 50
const rounds = 20
/** So many do not want mail. */
const unsubscribedOneIn = 10

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

interface Page {
  pagination: { nextCursor: string | null; totalResults: number }
  data: { email: string }[]
}

/** One listing of one server: its first page, or the one that follows what was read last. */
function listing(ask: Ask, query: string) {
  const path = `/v1/contacts?perPage=100${query}`
  let page: Page | undefined
  return {
    async first() {
      page = await ask<Page>('GET', path)
      return page
    },
    async following() {
      const next = page?.pagination.nextCursor
      page = await ask<Page>('GET', next ? `${path}&cursor=${next}` : path)
    },
  }
}

/** How long each of the calls takes: in turns, so that what else the machine does meets all of them. */
async function inTurns(...calls: (() => Promise<unknown>)[]): Promise<number[][]> {
  const took: number[][] = calls.map(() => [])
  for (let n = 0; n < rounds; n++) {
    for (const [index, call] of calls.entries()) took[index]?.push(...(await timed(1, call)))
  }
  return took
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
const ask = createAsk(product, product.apiKey)
const listId = makeList(product)
await importFile(ask, { rows: total, unsubscribedOneIn, listId })
await using productOfFew = await serving()
const askFew = createAsk(productOfFew, productOfFew.apiKey)
const listIdOfFew = makeList(productOfFew)
await importFile(askFew, { rows: few, unsubscribedOneIn, listId: listIdOfFew })
let slowest = 0
let growth = 0
for (const [index, [what, query]] of listingsOf(listId).entries()) {
  const ofFew = listing(askFew, listingsOf(listIdOfFew)[index]?.[1] ?? '')
  const ofMany = listing(ask, query)
  const found = (await ofMany.first()).pagination.totalResults
  const [firstOfFew = [], first = []] = await inTurns(ofFew.first, ofMany.first)
  const [deepOfFew = [], deep = []] = await inTurns(ofFew.following, ofMany.following)
  slowest = Math.max(slowest, percentile(first, 0.95), percentile(deep, 0.95))
  const grown = median([...first, ...deep]) / median([...firstOfFew, ...deepOfFew])
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
process.exit(slowest > pageLimitMs ? 1 : 0)
