// What the process costs: from its start to the first answer of /readyz, and its memory idle and after 20,000 accepted mails that
// are delivered into the capture meanwhile. Run: bun test/bench/process.ts

import { median } from './figures.ts'
import { httpLoad } from './http-load.ts'
import { serving } from './serve.ts'

const starts = 5
const mails = 20_000

const readyTimes: number[] = []
const idle: number[] = []
for (let start = 0; start < starts; start++) {
  await using product = await serving()
  readyTimes.push(product.readyMs)
  idle.push(product.rssMiB())
}
await using product = await serving()
const content = [{ type: 'text', text: 'Hello {{name}}' }]
await product.post('/v1/transactional/create', { id: 'hello', name: 'Hello', subject: 'Hello', content })
let most = 0
for (let part = 0; part < 10; part++) {
  await httpLoad({
    url: product.url,
    path: '/v1/transactional/send',
    headers: { authorization: `Bearer ${product.apiKey}` },
    body: (n) => JSON.stringify({ email: `r${n}@example.net`, templateId: 'hello', dataVariables: { name: 'Ada' } }),
    inFlight: 64,
    requests: mails / 10,
  })
  most = Math.max(most, product.rssMiB())
}
process.stdout.write(
  `process: ready in ${median(readyTimes).toFixed(0)} ms (at most 300), ${median(idle).toFixed(0)} MiB idle (at most 90), ${most.toFixed(0)} MiB while accepting and delivering ${mails} mails (at most 200)\n`,
)
