// POST /v1/transactional/send-batch: mails accepted a second in requests of 100 and of 500, beside single sends and the floor of one
// request and one group-committed insert (floor.ts), in turns; what each costs of the main thread, and the longest time for which the
// event loop stood still. The mails are due tomorrow. Run: bun test/bench/batch.ts

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './figures.ts'
import { httpLoad } from './http-load.ts'
import { child, serving } from './serve.ts'

const rounds = 3
const seconds = 2

const directory = mkdtempSync(join(tmpdir(), 'paquebot-floor-'))
await using product = await serving({}, () => {}, { watchLoop: true })
await product.post('/v1/transactional/create', {
  id: 'code',
  name: 'Code',
  subject: 'Your code {{n}}',
  content: [{ type: 'text', text: 'Hello {{name}}, your code is {{token}}. You asked for {{n}} of them.' }],
})
using floor = await child('floor.ts', directory)
const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
const headers = { authorization: `Bearer ${product.apiKey}` }
const mail = (n: number) => ({
  email: `ada${n}@example.net`,
  templateId: 'code',
  dataVariables: { name: 'Ada', token: `t${n}`, n },
  scheduledAt,
})
const batch = (size: number) => (n: number) =>
  JSON.stringify({ messages: Array.from({ length: size }, (_, index) => mail(n * size + index)) })

const ways = {
  single: {
    url: product.url,
    path: '/v1/transactional/send',
    size: 1,
    inFlight: 64,
    body: (n: number) => JSON.stringify(mail(n)),
  },
  'batch of 100': { url: product.url, path: '/v1/transactional/send-batch', size: 100, inFlight: 2, body: batch(100) },
  'batch of 500': { url: product.url, path: '/v1/transactional/send-batch', size: 500, inFlight: 2, body: batch(500) },
  floor: { url: floor.url, path: '/', size: 1, inFlight: 64, body: (n: number) => JSON.stringify(mail(n)) },
}
const figures = new Map<string, { perSecond: number; microseconds: number; blockMs: number }[]>()
for (let round = 0; round <= rounds; round++) {
  for (const [name, { size, ...load }] of Object.entries(ways)) {
    await product.longestBlockMs()
    const before = product.mainSeconds()
    const { perSecond } = await httpLoad({ ...load, headers, seconds })
    const mails = perSecond * size
    const one = {
      perSecond: mails,
      microseconds: ((product.mainSeconds() - before) / (mails * seconds)) * 1e6,
      blockMs: await product.longestBlockMs(),
    }
    if (round > 0) figures.set(name, [...(figures.get(name) ?? []), one])
  }
}
const of = (name: string, what: 'perSecond' | 'microseconds' | 'blockMs') =>
  median((figures.get(name) ?? []).map((one) => one[what]))
const bottom = of('floor', 'perSecond')
for (const name of Object.keys(ways).filter((one) => one !== 'floor'))
  process.stdout.write(
    `batch, ${name}: ${of(name, 'perSecond').toFixed(0)} mails/s accepted, ${of(name, 'microseconds').toFixed(0)} µs of the main thread a mail, longest block ${of(name, 'blockMs').toFixed(1)} ms, ${(of(name, 'perSecond') / of('single', 'perSecond')).toFixed(2)} of single sends, ${(of(name, 'perSecond') / bottom).toFixed(2)} of the floor (${bottom.toFixed(0)}/s)\n`,
  )
rmSync(directory, { recursive: true, force: true })
