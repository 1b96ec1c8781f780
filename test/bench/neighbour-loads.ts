// What one workspace can do to another, for neighbours.ts: eight kinds of load, each kept up until it is told to stop, and gone when it
// has ended. What they need in the database is written straight into the file.

import { Database as SQLite } from 'bun:sqlite'
import { join } from 'node:path'
import { webhookSink } from '../support/webhook-sink.ts'
import { seedAudience } from './audience.ts'

export const loadNames = [
  'import',
  'eight exports',
  'campaign',
  'replay',
  'erasure',
  'attachments',
  'tarpit',
  'partitions',
] as const

export interface Load {
  name: (typeof loadNames)[number]
  /** What it needs and is not measured, e.g. rows that are written beside the server, which waits for the lock meanwhile. */
  prepare?(): Promise<void>
  /** Goes on until `signal` says so, and ends when nothing of it is left. Returns what it did, in a few words. */
  run(signal: AbortSignal): Promise<string>
}

export interface LoadParts {
  url: string
  /** Of the loud workspace; and of a member of it. */
  slug: string
  apiKey: string
  cookie: string
  /** The file. */
  database: string
  sizes: Sizes
}

export interface Sizes {
  /** How often each load is run. */
  rounds: number
  /** That are exported. */
  contacts: number
  /** Recipients of one campaign. */
  campaign: number
  /** Webhooks of one replay. */
  replay: number
  /** Persons erased in a round, each with 2,000 mails and 10,000 events. */
  persons: number
  /** Of one file. */
  importRows: number
  /** Webhook endpoints that are told of every event. */
  endpoints: number
}

const endpointsPerReplay = 3
const csv = { 'content-type': 'text/csv' }

const campaignList = (round: number) => `lst_campaign${round}`

export function databaseOf(directory: string): string {
  return join(directory, 'paquebot.db')
}

/** What the loads of the first workspace need, while nothing writes to the file. */
export function seed(directory: string, { slug, sizes }: Pick<LoadParts, 'slug' | 'sizes'>): void {
  seedExported(directory, { slug, sizes })
  seedCampaigns(directory, { slug, sizes })
  using database = new SQLite(databaseOf(directory))
  for (let person = 0; person < sizes.rounds * sizes.persons; person++) insertPerson(database, slug, person)
  insertPartitions(database, slug, 1_000)
}

/** The contacts of eight exports. */
export function seedExported(directory: string, { slug, sizes }: Pick<LoadParts, 'slug' | 'sizes'>): void {
  seedAudience(directory, sizes.contacts, undefined, { slug })
}

/** The lists of the campaigns. */
export function seedCampaigns(directory: string, { slug, sizes }: Pick<LoadParts, 'slug' | 'sizes'>): void {
  for (let round = 0; round < sizes.rounds; round++)
    seedAudience(directory, sizes.campaign, campaignList(round), { slug })
}

const numbered = (slug: string, count: number) =>
  `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}),
   numbered AS (SELECT n, printf('%026x', n) AS hex, (SELECT id FROM workspaces WHERE slug = '${slug}') AS workspace FROM numbers)`

const personOf = (number: number) => `con_much${String(number).padStart(6, '0')}`

/** With 2,000 mails and 10,000 events. */
function insertPerson(database: SQLite, slug: string, number: number): void {
  const [id, email] = [personOf(number), `much${number}@example.net`]
  database.run(
    `${numbered(slug, 1)} INSERT INTO contacts (id, workspace_id, email, email_key, subscribed, properties, created_at, updated_at)
     SELECT '${id}', workspace, '${email}', '${email}', 1, '{}', 1, 1 FROM numbered`,
  )
  database.run(
    `${numbered(slug, 2_000)} INSERT INTO messages (id, workspace_id, kind, status, email, contact_id, subject, locale, from_email, variables, message_id_header, attempts, created_at, updated_at)
     SELECT 'msg_' || '${String(number).padStart(6, '0')}' || hex, workspace, 'transactional', 'sent', '${email}', '${id}', 'Hi', 'en', 'a@example.net', '{}', hex || '.${number}@example.net', 1, 1, 1 FROM numbered`,
  )
  database.run(
    `${numbered(slug, 10_000)} INSERT INTO events (id, workspace_id, contact_id, name, properties, origin, occurred_at, created_at)
     SELECT 'evt_' || '${String(number).padStart(6, '0')}' || hex, workspace, '${id}', 'bought', '{}', 'api', 1, 1 FROM numbered`,
  )
}

/** Each with a webhook that is tried again in a day. */
function insertPartitions(database: SQLite, slug: string, count: number): void {
  const dueAt = Date.now() + 86_400_000
  database.run(
    `${numbered(slug, count)} INSERT INTO outbox_jobs (id, workspace_id, lane, kind, partition_key, priority, state, due_at, attempt, attempts_max, fence, payload, created_at)
     SELECT 'job_' || hex, workspace, 'webhook', 'deliver-webhook', 'whe_' || hex, 0, 'pending', ${dueAt}, 1, 9, 1, json_object('endpointId', 'whe_' || hex, 'deliveryId', 'whd_' || hex), 1 FROM numbered`,
  )
  database.run(
    `${numbered(slug, count)} INSERT INTO webhook_deliveries (id, endpoint_id, workspace_id, event_sequence, type, state, attempts, job_id, next_attempt_at, created_at, updated_at)
     SELECT 'whd_' || hex, 'whe_' || hex, workspace, 0, 'contact.deleted', 'pending', 1, 'job_' || hex, ${dueAt}, 1, 1 FROM numbered`,
  )
}

export function createLoads({ url, slug, apiKey, cookie, database, sizes }: LoadParts): Load[] {
  const { rounds, importRows } = sizes
  const asKey = { authorization: `Bearer ${apiKey}` }
  const ask = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = asKey,
  ): Promise<T> => {
    const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(isJson ? { 'content-type': 'application/json' } : {}) },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const asMember = { cookie, origin: url }

  const importing = async (signal: AbortSignal) => {
    let rows = 0
    while (!signal.aborted) {
      const name = crypto.randomUUID().slice(0, 8)
      const line = (n: number) => `new${n}@${name}.example.net,First ${n},plan${n % 10},false\r\n`
      const file = `email,firstName,plan,subscribed\r\n${Array.from({ length: importRows }, (_, n) => line(n)).join('')}`
      let made = await ask<{ id: string; state: string }>('POST', '/v1/contacts/import', file, { ...asKey, ...csv })
      while (made.state !== 'done') {
        if (made.state === 'failed') throw new Error('an import failed')
        await Bun.sleep(100)
        made = await ask('GET', `/v1/contact-imports/${made.id}`)
      }
      rows += importRows
    }
    return `${rows} rows`
  }

  const exporting = async (signal: AbortSignal) => {
    let bytes = 0
    const one = async () => {
      while (!signal.aborted) {
        const response = await fetch(`${url}/v1/contacts/export`, { headers: asKey, signal })
        for await (const chunk of response.body ?? []) bytes += chunk.byteLength
      }
    }
    await Promise.all(Array.from({ length: 8 }, () => one().catch(unlessAborted(signal))))
    return `${(bytes / 1e6).toFixed(0)} MB`
  }

  let campaigns = 0
  const campaigning = async (signal: AbortSignal) => {
    const content = [{ type: 'text', text: 'Hello {{contact.firstName}}. '.repeat(50) }]
    const mailingListId = campaignList(campaigns++ % rounds)
    const draft = { name: 'All', subject: 'All', mailingListId, content }
    const { id } = await ask<{ id: string }>('POST', '/v1/campaigns', draft)
    await ask('POST', `/v1/campaigns/${id}/send`, {})
    await aborted(signal)
    await ask('POST', `/v1/campaigns/${id}/cancel`, {})
    for (;;) {
      const { stats } = await ask<{ stats: Record<string, number> }>('GET', `/v1/campaigns/${id}`)
      const open = ['queued', 'sending', 'delayed'].reduce((sum, name) => sum + (stats[name] ?? 0), 0)
      if (open === 0) return `${stats.sent} mails`
      await Bun.sleep(50)
    }
  }

  let replays = 0
  let failing: { sink: ReturnType<typeof webhookSink>; ids: string[] } | null = null
  const prepareReplay = async () => {
    const sink = webhookSink()
    const ids: string[] = []
    const endpoint = { url: sink.url, status: 'active', maxPerSecond: null, eventFilters: ['contact.deleted'] }
    for (let n = 0; n < endpointsPerReplay; n++)
      ids.push((await ask<{ id: string }>('POST', '/v1/webhook-endpoints', endpoint, asMember)).id)
    for (const id of ids) insertFailed(database, { slug, endpointId: id, count: sizes.replay, round: ++replays })
    failing = { sink, ids }
  }
  const replaying = async (signal: AbortSignal) => {
    if (failing === null) throw new Error('nothing was prepared')
    const { ids } = failing
    await using sink = failing.sink
    let replayed = 0
    for (const id of ids) {
      if (signal.aborted) break
      const all = { from: new Date(0).toISOString(), states: ['failed'] }
      const answer = await ask<{ replayed: number }>('POST', `/v1/webhook-endpoints/${id}/replay`, all, asMember)
      replayed += answer.replayed
      await sink.whenReceived(replayed)
    }
    await aborted(signal)
    for (const id of ids) await ask('DELETE', `/v1/webhook-endpoints/${id}`, undefined, asMember)
    return `${replayed} webhooks`
  }

  let erased = 0
  const erasing = async (signal: AbortSignal) => {
    const before = erased
    while (!signal.aborted && erased < rounds * sizes.persons)
      await ask('DELETE', `/v1/contacts/${personOf(erased++)}/data`, undefined, asMember)
    return `${erased - before} persons`
  }

  const attaching = async (signal: AbortSignal) => {
    const data = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(7_500_000, 65)]).toString('base64')
    const attachments = ['one.pdf', 'two.pdf'].map((filename) => ({ filename, contentType: 'application/pdf', data }))
    // Made once: in a test the load runs in the process that is measured.
    const body = Buffer.from(JSON.stringify({ email: 'large@example.net', templateId: 'hello', attachments }))
    const headers = { ...asKey, 'content-type': 'application/json' }
    let count = 0
    for (; !signal.aborted; count++) await ask('POST', '/v1/transactional/send', body, headers)
    return `${count} mails`
  }

  const tarpit = async (signal: AbortSignal) => {
    let count = 0
    for (; !signal.aborted; count++) {
      await ask('POST', '/v1/transactional/send', { email: `t${count}@tar.example`, templateId: 'hello' })
      await Bun.sleep(20)
    }
    return `${count} mails`
  }

  const partitions = async (signal: AbortSignal) => {
    await using sink = webhookSink()
    const ids: string[] = []
    const endpoint = { url: sink.url, status: 'active', maxPerSecond: null, eventFilters: ['contact.created'] }
    for (let n = 0; n < sizes.endpoints; n++)
      ids.push((await ask<{ id: string }>('POST', '/v1/webhook-endpoints', endpoint, asMember)).id)
    let count = 0
    for (; !signal.aborted; count++) {
      await ask('POST', '/v1/contacts/create', { email: `${crypto.randomUUID()}@example.net` })
      await Bun.sleep(50)
    }
    await sink.whenReceived(count * ids.length)
    for (const id of ids) await ask('DELETE', `/v1/webhook-endpoints/${id}`, undefined, asMember)
    return `${count * ids.length} webhooks to ${ids.length} endpoints`
  }

  return [
    { name: 'import', run: importing },
    { name: 'eight exports', run: exporting },
    { name: 'campaign', run: campaigning },
    { name: 'replay', prepare: prepareReplay, run: replaying },
    { name: 'erasure', run: erasing },
    { name: 'attachments', run: attaching },
    { name: 'tarpit', run: tarpit },
    { name: 'partitions', run: partitions },
  ]
}

/** Failed deliveries of one event, beside the server. */
function insertFailed(
  file: string,
  { slug, endpointId, count, round }: { slug: string; endpointId: string; count: number; round: number },
): void {
  using database = new SQLite(file)
  database.run('PRAGMA busy_timeout = 5000')
  const number = String(round).padStart(4, '0')
  database.run(
    `${numbered(slug, 1)} INSERT INTO webhook_events (id, workspace_id, type, payload, hops, created_at)
     SELECT 'wh_${number}' || hex, workspace, 'contact.deleted', '{"type":"contact.deleted"}', 0, 1 FROM numbered`,
  )
  database.run(
    `${numbered(slug, count)} INSERT INTO webhook_deliveries (id, endpoint_id, workspace_id, event_sequence, type, state, attempts, created_at, updated_at)
     SELECT 'whd_02' || '${number}' || hex, '${endpointId}', workspace, (SELECT max(sequence) FROM webhook_events), 'contact.deleted', 'failed', 1, 1, 1 FROM numbered`,
  )
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  signal.addEventListener('abort', () => resolve())
  return promise
}

function unlessAborted(signal: AbortSignal) {
  return (error: unknown) => {
    if (!signal.aborted) throw error
  }
}
