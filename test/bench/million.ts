// One company with 1,000,000 contacts, from its import until it is erased, in one run: what each step takes, and what it costs a neighbour
// on the same server who sends 100 mails a second. The server, the neighbour and the mail server are a process each.
// Run: bun test/bench/million.ts [--contacts 1000000]

import { Database as SQLite } from 'bun:sqlite'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { addressOf, createAsk, importFile, spread, timed } from './company.ts'
import { httpLoad } from './http-load.ts'
import { createNeighbour, paquebot, runPaquebot } from './neighbour.ts'
import { type Serving, serving } from './serve.ts'

const { values } = parseArgs({ options: { contacts: { type: 'string' } } })
const total = Number(values.contacts ?? 1_000_000)
/** One contact in so many causes the event that a segment asks for. */
const eventOneIn = 100
const pages = 20
const deepPage = 100
const erased = 20
const idleMs = 5_000
/** These are told of by name. */
const largest = [
  ...['contacts', 'contact_values', 'consent_records', 'subscriptions', 'messages', 'outbox_jobs'],
  ...['outbox_attempts', 'send_journal', 'campaign_mails', 'campaign_recipients'],
]
const quietMs = 5_000
/** The neighbour comes when so much of the work is done, */
const soonest = 0.05
/** and goes after so long. */
const besideMs = 10_000
const erasedRows = 'SELECT max(lines) AS n FROM workspace_moves'
const json = { 'content-type': 'application/json' }
const paragraph = 'The quick brown fox jumps over the lazy dog, and then it writes a letter home about it. '
const letter = [
  { type: 'heading', text: 'Hello {{contact.firstName}}' },
  ...Array.from({ length: 8 }, () => ({ type: 'text', text: paragraph.repeat(6) })),
]

const say = (line: string) => void process.stdout.write(`million, ${line}\n`)
const mib = (bytes: number) => (bytes / 1_048_576).toFixed(0)
const databaseOf = ({ directory }: Serving) => join(directory, 'paquebot.db')
const sizeOf = (product: Serving) => statSync(databaseOf(product)).size

/** Rows of what SQLite tells of the file. */
function read<Row>(product: Serving, query: string): Row[] {
  using database = new SQLite(databaseOf(product), { readonly: true })
  database.run('PRAGMA busy_timeout = 60000')
  return database.query<Row, []>(query).all()
}

interface Work<T> {
  name: string
  does: () => Promise<T>
  /**
   * How far it is: an SQL query of `n`. Then it is alone but for a while, because it gives way to a neighbour. Without it the neighbour is
   * there from its beginning to its end.
   */
  progress?: string
  /** How far it came, where nothing tells any more. */
  end?: (result: T) => number
}

interface Done<T> {
  result: T
  seconds: number
  /** How far it came in a second, alone and beside the neighbour. */
  alone: number
  besides: number
}

/** Says what the neighbour's mails took beside the work, and what the server did. */
async function beside<T>({ name, does, progress, end }: Work<T>): Promise<Done<T>> {
  let peakMiB = 0
  const watch = setInterval(() => {
    peakMiB = Math.max(peakMiB, product.rssMiB())
  }, 50)
  await product.longestBlockMs()
  const [busyBefore, began] = [product.mainSeconds(), performance.now()]
  const reached = () => (progress === undefined ? 0 : (read<{ n: number | null }>(product, progress)[0]?.n ?? 0))
  const first = reached()
  let endedAt = Number.POSITIVE_INFINITY
  const done = does().finally(() => {
    endedAt = performance.now()
  })
  while (progress !== undefined && endedAt > performance.now() && reached() < first + total * soonest)
    await Bun.sleep(50)
  const [from, fromAt] = [reached(), performance.now()]
  const measured = neighbour.measureUntilStopped()
  await Promise.race([done, ...(progress === undefined ? [] : [Bun.sleep(besideMs)])])
  const { accept, handOver } = await measured.stop()
  const [during, untilAt] = [reached(), Math.min(endedAt, performance.now())]
  const result = await done
  const seconds = (endedAt - began) / 1_000
  const busy = (product.mainSeconds() - busyBefore) / seconds
  const blockMs = await product.longestBlockMs()
  clearInterval(watch)
  say(
    `beside ${name}: accepted p50 ${accept.p50.toFixed(1)} p99 ${accept.p99.toFixed(1)} ms; handed over p50 ${handOver.p50.toFixed(1)} p99 ${handOver.p99.toFixed(1)} ms; longest block ${blockMs.toFixed(0)} ms; main thread ${Math.round(busy * 100)} %; ${peakMiB.toFixed(0)} MiB; ${seconds.toFixed(1)} s`,
  )
  const whileSeconds = (untilAt - fromAt) / 1_000
  const last = end?.(result) ?? reached()
  const inWhile = (untilAt === endedAt ? last : during) - from
  const alone = (last - first - inWhile) / Math.max(seconds - whileSeconds, 0.001)
  return { result, seconds, alone, besides: inWhile / whileSeconds }
}

const rates = ({ alone, besides }: Done<unknown>) => `${alone.toFixed(0)} alone and ${besides.toFixed(0)} beside`

interface Page {
  pagination: { nextCursor: string | null }
  data: { id: string }[]
}

/** The first page many times, and one after the other from there on. */
async function pagesOf(path: string): Promise<string> {
  const first = await timed(pages, () => ask<Page>('GET', `${path}?perPage=100`))
  let cursor: string | null = null
  const next = async () => {
    const page: Page = await ask<Page>('GET', `${path}?perPage=100${cursor === null ? '' : `&cursor=${cursor}`}`)
    cursor = page.pagination.nextCursor
  }
  const following = await timed(deepPage, next)
  return `first ${spread(first)}, page ${deepPage} ${spread(following.slice(-pages))}`
}

interface Segment {
  id: string
  state: string
  contacts: number | null
}

async function segment(name: string, filter: object): Promise<void> {
  const wanted = JSON.stringify({ filter })
  const previewed = await timed(3, () => ask('POST', '/v1/segments/preview', wanted, json))
  const began = performance.now()
  let made = await ask<Segment>('POST', '/v1/segments', JSON.stringify({ name, filter }), json)
  while (made.state !== 'ready') {
    await Bun.sleep(20)
    made = await ask<Segment>('GET', `/v1/segments/${made.id}`)
  }
  const builtSeconds = (performance.now() - began) / 1_000
  const page = await timed(pages, () => ask('GET', `/v1/segments/${made.id}/contacts?perPage=100`))
  say(
    `segment, ${name}: ${made.contacts} people; preview ${spread(previewed)}; built in ${builtSeconds.toFixed(1)} s; a page ${spread(page)}`,
  )
}

async function threeSegments(): Promise<void> {
  await segment('common', { field: 'age', op: 'lt', value: 45 })
  await segment('rare', { field: 'plan', op: 'eq', value: 'rare' })
  await segment('event', { event: 'signup', withinDays: 30 })
}

/** Of one contact in a hundred. */
async function sendEvents(): Promise<void> {
  const count = total / eventOneIn
  const { perSecond } = await httpLoad({
    url: product.url,
    path: '/v1/events/send',
    headers: { authorization: `Bearer ${companyKey}` },
    body: (n) => JSON.stringify({ eventName: 'signup', email: addressOf(n * eventOneIn) }),
    inFlight: 16,
    requests: count,
  })
  say(`events: ${count} of as many people, ${perSecond.toFixed(0)}/s`)
}

interface Campaign {
  id: string
  status: string
  stats: { audience: number; queued: number; sending: number; delayed: number; sent: number }
}

interface Sent extends Campaign {
  snapshotSeconds: number
  /** Mails a second of the second quarter, and of the last. */
  quarters: [number, number]
}

async function sendCampaign(listId: string): Promise<Sent> {
  const body = { name: 'To all', subject: 'For {{contact.firstName}}', mailingListId: listId, content: letter }
  const { id } = await ask<Campaign>('POST', '/v1/campaigns', JSON.stringify(body), json)
  const began = performance.now()
  await ask('POST', `/v1/campaigns/${id}/send`, '{}', json)
  let snapshotSeconds = 0
  const reached: { seconds: number; sent: number }[] = []
  for (;;) {
    const campaign = await ask<Campaign>('GET', `/v1/campaigns/${id}`)
    const seconds = (performance.now() - began) / 1_000
    const { audience, queued, sending, sent } = campaign.stats
    if (snapshotSeconds === 0 && audience >= total) snapshotSeconds = seconds
    if (sent >= (total * reached.length) / 4) reached.push({ seconds, sent })
    if (audience >= total && queued + sending === 0)
      return { ...campaign, snapshotSeconds, quarters: [rateOf(reached, 2), rateOf(reached, 4)] }
    await Bun.sleep(200)
  }
}

function rateOf(reached: { seconds: number; sent: number }[], quarter: number): number {
  const [from, until] = [reached[quarter - 1], reached[quarter]]
  return from && until ? (until.sent - from.sent) / (until.seconds - from.seconds) : Number.NaN
}

/** Streamed to its end. */
async function exportAll(): Promise<number> {
  let bytes = 0
  const headers = { authorization: `Bearer ${companyKey}` }
  const exported = await fetch(`${product.url}/v1/contacts/export`, { headers })
  for await (const chunk of exported.body ?? []) bytes += chunk.length
  return bytes
}

/** Of each table with its indexes. */
function saySizes(): void {
  const tables = read<{ name: string; bytes: number; indexes: number }>(
    product,
    `SELECT tbl_name AS name, sum(pgsize) AS bytes, sum(CASE WHEN s.type = 'index' THEN pgsize ELSE 0 END) AS indexes
      FROM dbstat AS d JOIN sqlite_schema AS s ON s.name = d.name WHERE d.aggregate = TRUE GROUP BY tbl_name`,
  )
  const sum = (some: typeof tables) => some.reduce((bytes, table) => bytes + table.bytes, 0)
  say(`size: ${mib(sum(tables))} MiB, ${(sum(tables) / total).toFixed(0)} bytes a contact with its mail`)
  const others = tables.filter(({ name }) => !largest.includes(name))
  for (const { name, bytes, indexes } of [
    ...tables.filter((one) => !others.includes(one)),
    { name: 'others', bytes: sum(others), indexes: 0 },
  ])
    say(
      `size of ${name}: ${mib(bytes)} MiB, ${mib(indexes)} of them indexes, ${(bytes / total).toFixed(0)} bytes a contact`,
    )
}

/** A command in a process of its own: what it took, and what a neighbour felt. */
async function besideCommand(name: string, ...args: string[]): Promise<void> {
  const { result } = await beside({ name, does: () => runPaquebot(product.directory, sealing, ...args) })
  say(`${name}: ${result.seconds.toFixed(1)} s, ${result.cpuSeconds.toFixed(1)} s of processor, ${result.mib} MiB`)
}

/** What it takes to be there, and what it holds then. */
async function startAgain(name: string, environment = {}, restsMs = idleMs): Promise<void> {
  product = await serving({ ...settings, ...environment }, () => {}, { again: product, watchLoop: true })
  await Bun.sleep(restsMs)
  say(`start ${name}: ready in ${product.readyMs.toFixed(0)} ms, ${product.rssMiB().toFixed(0)} MiB idle`)
  neighbour.goesTo(product.url)
  ask = createAsk(product, companyKey)
}

/** Its bytes. */
async function firstBase(): Promise<number> {
  for (;;) {
    const base = existsSync(archive) && readdirSync(archive).find((name) => name.startsWith('base-'))
    if (base) return statSync(join(archive, base)).size
    await Bun.sleep(100)
  }
}

async function erasePeople(): Promise<void> {
  const { data } = await ask<Page>('GET', `/v1/contacts?perPage=${erased}`)
  const took = await timed(erased, (n) => ask('DELETE', `/v1/contacts/${data[n]?.id}/data`))
  say(`erase of one person: ${spread(took)}`)
}

/** How many rows. */
async function eraseCompany(): Promise<number> {
  const operator = createAsk(product, product.apiKey)
  await operator('POST', `/v1/workspaces/${companyId}/suspend`, JSON.stringify({ reason: 'It left.' }), json)
  const [answeredMs = 0] = await timed(1, () =>
    operator('DELETE', `/v1/workspaces/${companyId}`, JSON.stringify({ confirm: 'company' }), json),
  )
  say(`erasure: answered after ${answeredMs.toFixed(0)} ms`)
  for (let rows = 0; ; await Bun.sleep(200)) {
    const [left] = read<{ n: number | null }>(product, erasedRows)
    if (left?.n == null) return rows
    rows = left.n
  }
}

const identity = await generateX25519Identity()
const sealing = { BACKUP_RECIPIENT: await identityToRecipient(identity) }
await using neighbour = await createNeighbour()
const settings = {
  SMTP_URL: neighbour.mailServer,
  MAIL_FROM: 'bench@paquebot.localhost',
  API_RATE_LIMIT: '0',
}
let companyId = ''
let companyKey = ''
let product = await serving(
  settings,
  (directory) => {
    companyId = JSON.parse(paquebot(directory, 'workspace', 'create', '--slug', 'company', '--json')).id
    paquebot(directory, 'workspace', 'set-trust', '--workspace', 'company', '--level', 'M1', '--cap', '999999999')
    companyKey = paquebot(directory, 'key', 'create', '--workspace', 'company')
  },
  { watchLoop: true },
)
// Whatever ends it, its directory goes.
await using _ = { [Symbol.asyncDispose]: async () => await product[Symbol.asyncDispose]() }
let ask = createAsk(product, companyKey)
await neighbour.begin(product)
await beside({ name: 'nothing', does: () => Bun.sleep(quietMs) })

const people = { rows: total, unsubscribedOneIn: 0 }
const made = await beside({
  name: 'an import',
  does: () => importFile(ask, people),
  progress: `SELECT value AS n FROM counters WHERE workspace_id = '${companyId}' AND name = 'contacts'`,
})
say(
  `import: ${made.result.created} contacts, ${made.result.bad} bad, ${rates(made)} rows/s, ${made.seconds.toFixed(0)} s`,
)
const { id: listId } = await ask<{ id: string }>('POST', '/v1/mailing-lists', JSON.stringify({ name: 'News' }), json)
const joined = await beside({
  name: 'the same file onto a list',
  does: () => importFile(ask, { ...people, listId }),
  progress: `SELECT contact_count AS n FROM mailing_lists WHERE id = '${listId}'`,
})
say(`onto a list: ${joined.result.updated} contacts, ${rates(joined)} rows/s, ${joined.seconds.toFixed(0)} s`)
await sendEvents()
await beside({ name: 'three segments', does: threeSegments })

const sent = await beside({
  name: 'a campaign to all',
  does: () => sendCampaign(listId),
  progress: "SELECT sum(count) AS n FROM campaign_counts WHERE name = 'sent'",
})
say(
  `campaign: ${sent.result.stats.sent} of ${sent.result.stats.audience} sent, ${sent.result.stats.delayed} to be tried again, ${rates(sent)}/s, ${sent.seconds.toFixed(0)} s; snapshot ${sent.result.snapshotSeconds.toFixed(1)} s; the second quarter ${sent.result.quarters.map((one) => one.toFixed(0)).join('/s, the last ')}/s: ratio ${(sent.result.quarters[0] / sent.result.quarters[1]).toFixed(2)}`,
)
const campaignPath = `/v1/campaigns/${sent.result.id}`
say(`recipients: ${await pagesOf(`${campaignPath}/recipients`)}`)
say(`figures of the campaign: ${spread(await timed(pages, () => ask('GET', campaignPath)))}`)
say(`contacts: ${await pagesOf('/v1/contacts')}`)
const exported = await beside({ name: 'an export', does: exportAll })
say(`export: ${(total / exported.seconds).toFixed(0)} rows/s, ${mib(exported.result)} MiB`)
saySizes()

const archive = join(product.directory, 'archive')
const backups = join(product.directory, 'backups')
const keyFile = join(product.directory, 'key')
writeFileSync(keyFile, identity)
await besideCommand('a backup', 'backup', backups)
const file = join(backups, readdirSync(backups)[0] ?? '')
say(`backup: sealed, ${mib(statSync(file).size)} MiB of ${mib(sizeOf(product))} MiB`)
await besideCommand('a check of the backup', 'verify', file, '--identity', keyFile)
const restored = join(product.directory, 'restored')
await besideCommand('a restore', 'restore', file, '--to', restored, '--identity', keyFile)
for (const path of [restored, backups]) rmSync(path, { recursive: true })

await product.stop()
await startAgain('as it was left')
await product.stop()
await startAgain('with an archive', { ...sealing, ARCHIVE_URL: archive }, 0)
const based = await beside({ name: 'the first base of an archive', does: firstBase })
say(`archive: its base after ${based.seconds.toFixed(1)} s, ${mib(based.result)} MiB`)
await erasePeople()
await product.stop()
rmSync(archive, { recursive: true })
await startAgain('without it')
const gone = await beside({
  name: 'the erasure of the workspace',
  does: eraseCompany,
  progress: erasedRows,
  end: (rows) => rows,
})
say(`erasure: ${gone.result} rows, ${rates(gone)} rows/s, ${gone.seconds.toFixed(0)} s`)
await product.stop()

const before = sizeOf(product)
const vacuumBegan = performance.now()
{
  using database = new SQLite(databaseOf(product))
  database.run('VACUUM')
}
say(
  `vacuum after the erasure: ${((performance.now() - vacuumBegan) / 1_000).toFixed(1)} s, ${mib(before)} MiB to ${mib(sizeOf(product))} MiB`,
)
