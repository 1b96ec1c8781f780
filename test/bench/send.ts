// POST /v1/transactional/send: mails accepted a second, durable, beside the floor of one request and one group-committed insert
// (floor.ts) in the same run, in turns. The mails are due tomorrow, so accepting is what is measured; a second line has them
// delivered (into the capture) meanwhile. Run: bun test/bench/send.ts

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './figures.ts'
import { httpLoad, type LoadResult } from './http-load.ts'
import { child, serving } from './serve.ts'

const rounds = 5
const seconds = 2

const content = [
  { type: 'heading', text: 'Your code' },
  { type: 'text', text: 'Hello {{name}}, your code is {{token}}. You asked for {{n}} of them.' },
  { type: 'button', text: 'Sign in', href: 'https://app.example.com/in?token={{token}}' },
]

async function measure(inFlight: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-floor-'))
  await using product = await serving()
  await product.post('/v1/transactional/create', { id: 'code', name: 'Code', subject: 'Your code {{n}}', content })
  using floor = await child('floor.ts', directory)
  const later = new Date(Date.now() + 86_400_000).toISOString()
  const body = (scheduledAt?: string) => (n: number) =>
    JSON.stringify({
      email: `ada${n}@example.net`,
      templateId: 'code',
      dataVariables: { name: 'Ada', token: `t${n}`, n },
      scheduledAt,
    })
  const headers = { authorization: `Bearer ${product.apiKey}` }
  const ours = (scheduledAt?: string) =>
    httpLoad({
      url: product.url,
      path: '/v1/transactional/send',
      headers,
      body: body(scheduledAt),
      inFlight,
      seconds,
    })
  const theirs = () => httpLoad({ url: floor.url, path: '/', headers, body: body(later), inFlight, seconds })
  await ours(later)
  await theirs()
  const results = { accepting: [] as LoadResult[], floor: [] as LoadResult[], delivering: [] as LoadResult[] }
  for (let round = 0; round < rounds; round++) {
    results.accepting.push(await ours(later))
    results.floor.push(await theirs())
  }
  const rate = (list: LoadResult[]) => median(list.map(({ perSecond }) => perSecond))
  const p99 = (list: LoadResult[]) => median(list.map(({ p99Ms }) => p99Ms))
  results.delivering.push(await ours())
  const { accepting, floor: bottom, delivering } = results
  process.stdout.write(
    `send, ${inFlight} in flight: ${rate(accepting).toFixed(0)}/s accepted (p99 ${p99(accepting).toFixed(1)} ms), floor ${rate(bottom).toFixed(0)}/s (p99 ${p99(bottom).toFixed(1)} ms): ratio ${(rate(accepting) / rate(bottom)).toFixed(2)} (at least ${inFlight === 64 ? 0.35 : 0.32}), p99 ${(p99(accepting) / p99(bottom)).toFixed(1)}x; while delivering ${rate(delivering).toFixed(0)}/s; ${product.rssMiB().toFixed(0)} MiB\n`,
  )
  rmSync(directory, { recursive: true, force: true })
}

for (const inFlight of [64, 200]) await measure(inFlight)
