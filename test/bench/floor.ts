// The floor for everything that accepts over HTTP: one request, one group-committed insert on raw bun:sqlite, nothing else; with `events`
// the rows of one event instead: its contact looked up or made, the event, a rule's run and its job, with the indexes they need; with
// `events 1` also those of a webhook. A process of its own: bun test/bench/floor.ts DIRECTORY [events [1]]

import { Database } from 'bun:sqlite'
import { join } from 'node:path'

const database = new Database(join(process.argv[2] ?? '.', 'floor.db'), { create: true })
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'temp_store = MEMORY'])
  database.run(`PRAGMA ${pragma}`)
const accept = process.argv[3] === 'events' ? eventRows(process.argv[4] === '1') : oneRow()
const begin = database.query('BEGIN IMMEDIATE')
const commit = database.query('COMMIT')

/** Each writes what one request asks for, and returns its id. */
type Accept = (body: string) => string

function oneRow(): Accept {
  database.run('CREATE TABLE accepted (id TEXT PRIMARY KEY, body TEXT NOT NULL)')
  const insert = database.query('INSERT INTO accepted VALUES (?, ?)')
  return (body) => {
    const id = `msg_${Bun.randomUUIDv7()}`
    insert.run(id, body)
    return id
  }
}

function eventRows(withWebhook: boolean): Accept {
  for (const statement of [
    'CREATE TABLE contacts (id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, properties TEXT NOT NULL)',
    'CREATE TABLE events (id TEXT PRIMARY KEY, contact_id TEXT NOT NULL, name TEXT NOT NULL, properties TEXT NOT NULL) WITHOUT ROWID',
    'CREATE INDEX events_contact ON events (contact_id, id)',
    'CREATE TABLE runs (contact_id TEXT, rule_id TEXT, event_id TEXT, job_id TEXT, PRIMARY KEY (contact_id, rule_id, event_id)) WITHOUT ROWID',
    'CREATE TABLE jobs (id TEXT PRIMARY KEY, lane TEXT NOT NULL, due_at INTEGER NOT NULL, payload TEXT NOT NULL) WITHOUT ROWID',
    'CREATE INDEX jobs_due ON jobs (lane, due_at)',
    'CREATE TABLE told (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, payload TEXT NOT NULL)',
    'CREATE TABLE deliveries (id TEXT PRIMARY KEY, sequence INTEGER NOT NULL, job_id TEXT NOT NULL) WITHOUT ROWID',
  ])
    database.run(statement)
  const find = database.query<{ id: string }, [string]>('SELECT id FROM contacts WHERE email = ?')
  const contact = database.query('INSERT INTO contacts VALUES (?, ?, ?)')
  const event = database.query('INSERT INTO events VALUES (?, ?, ?, ?)')
  const run = database.query('INSERT INTO runs VALUES (?, ?, ?, ?)')
  const job = database.query('INSERT INTO jobs VALUES (?, ?, ?, ?)')
  const told = database.query<{ sequence: number }, string[]>(
    'INSERT INTO told (id, payload) VALUES (?, ?) RETURNING sequence',
  )
  const delivery = database.query('INSERT INTO deliveries VALUES (?, ?, ?)')
  const tell = (eventId: string, data: object) => {
    const { sequence } = told.get(`wh_${Bun.randomUUIDv7()}`, JSON.stringify({ type: 'event.received', data })) ?? {
      sequence: 0,
    }
    const [deliveryId, jobId] = [`whd_${Bun.randomUUIDv7()}`, `job_${Bun.randomUUIDv7()}`]
    delivery.run(deliveryId, sequence, jobId)
    job.run(jobId, 'webhook', Date.now(), JSON.stringify({ deliveryId, eventId }))
  }
  return (body) => {
    const { email, eventName, eventProperties } = JSON.parse(body)
    const known = find.get(email)
    const contactId = known?.id ?? `con_${Bun.randomUUIDv7()}`
    if (!known) contact.run(contactId, email, '{}')
    const [id, jobId] = [`evt_${Bun.randomUUIDv7()}`, `job_${Bun.randomUUIDv7()}`]
    event.run(id, contactId, eventName, JSON.stringify(eventProperties))
    run.run(contactId, 'rule', id, jobId)
    job.run(jobId, 'template_job', Date.now() + 86_400_000, JSON.stringify({ contactId, eventId: id }))
    if (withWebhook) tell(id, { contactIdentity: { id: contactId, email }, event: { id, eventName, eventProperties } })
    return id
  }
}

interface Waiting {
  body: string
  answer(response: Response): void
}

const unitsPerGroup = 64
const queue: Waiting[] = []
let scheduled = false

function drain(): void {
  scheduled = false
  while (queue.length > 0) {
    const group = queue.splice(0, unitsPerGroup)
    begin.run()
    const ids = group.map(({ body }) => accept(body))
    commit.run()
    group.forEach(({ answer }, index) => {
      answer(Response.json({ success: true, messageId: ids[index] }))
    })
  }
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const body = JSON.stringify(await request.json())
    const { promise, resolve } = Promise.withResolvers<Response>()
    queue.push({ body, answer: resolve })
    if (!scheduled) setImmediate(drain)
    scheduled = true
    return promise
  },
})
process.stdout.write(`listening on http://127.0.0.1:${server.port}\n`)
