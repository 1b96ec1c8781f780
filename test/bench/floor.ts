// The floor for everything that accepts over HTTP: one request, one group-committed insert on raw bun:sqlite, nothing else.
// A process of its own: bun test/bench/floor.ts DIRECTORY

import { Database } from 'bun:sqlite'
import { join } from 'node:path'

const database = new Database(join(process.argv[2] ?? '.', 'floor.db'), { create: true })
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'temp_store = MEMORY'])
  database.run(`PRAGMA ${pragma}`)
database.run('CREATE TABLE accepted (id TEXT PRIMARY KEY, body TEXT NOT NULL)')
const insert = database.query('INSERT INTO accepted VALUES (?, ?)')
const begin = database.query('BEGIN IMMEDIATE')
const commit = database.query('COMMIT')

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
    const ids = group.map(({ body }) => {
      const id = `msg_${Bun.randomUUIDv7()}`
      insert.run(id, body)
      return id
    })
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
