// A receiver of webhooks in a process of its own, for benches and storms: answers 2xx at once. With --file it first appends the
// Webhook-Id of each delivery and makes that durable.

import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { file: { type: 'string' } } })
const file = values.file === undefined ? null : openSync(values.file, 'a')
const ok = { status: 200 }
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const body = await request.text()
    if (file !== null) {
      writeSync(file, `${request.headers.get('webhook-id')} ${body.length}\n`)
      fdatasyncSync(file)
    }
    return new Response('ok', ok)
  },
})
process.stdout.write(`listening on ${server.port}\n`)
process.on('SIGTERM', () => {
  if (file !== null) closeSync(file)
  process.exit(0)
})
