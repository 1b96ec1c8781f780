// Idle MCP streams on a real server: what they cost, and whether any is lost.
// bun test/bench/streams.ts [--streams 1000] [--seconds 120]

import { connect } from 'node:net'
import { parseArgs } from 'node:util'
import { cli } from '../support/cli.ts'

const { values } = parseArgs({ options: { streams: { type: 'string' }, seconds: { type: 'string' } } })
const wanted = Number(values.streams ?? 1_000)
const seconds = Number(values.seconds ?? 120)

using c = await cli()
const init = await c.run(['init', '--workspace', 'bench', '--email', 'bench@bench.test', '--json'])
const server = await c.serve()
async function residentMb(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]) / 1024 / 1024
}

let lost = 0
let keepAlives = 0
let stopping = false

/** A bare socket: fetch() has at most 256 at once. */
function open(): Promise<void> {
  const { port, hostname, host } = new URL(server.url)
  const socket = connect({ port: Number(port), host: hostname })
  const opened = Promise.withResolvers<void>()
  socket.write(`GET /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${init.json.apiKey}\r\n\r\n`)
  socket.on('data', (data: Buffer) => {
    const text = data.toString()
    if (text.includes('event: endpoint')) opened.resolve()
    if (text.includes(': keep-alive')) keepAlives++
  })
  socket.on('error', opened.reject)
  socket.on('close', () => {
    if (!stopping) lost++
  })
  return opened.promise
}

const before = await residentMb()
for (let at = 0; at < wanted; at++) await open()
const opened = await residentMb()
await Bun.sleep(seconds * 1_000)
const after = await residentMb()
process.stdout.write(
  `${wanted} idle streams for ${seconds} s: ${lost} lost, ${keepAlives} keep-alives, memory ${before.toFixed(0)} -> ${opened.toFixed(0)} -> ${after.toFixed(0)} MB (+${(after - before).toFixed(0)})\n`,
)
stopping = true
server.kill('SIGTERM')
const { code } = await server.ended
process.exit(lost === 0 && code === 0 ? 0 : 1)
