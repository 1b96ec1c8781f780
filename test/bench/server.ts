// A libSQL server in place of a file: sends accepted and mails delivered a second, 64 in flight, with no distance and with 5 ms between
// us and the server, by one process and by two. Beside it what the server itself takes: groups of 64 of the same two rows a request.
// Run: bun test/bench/server.ts

import { databaseLink } from '../support/database-link.ts'
import { startSqld } from '../support/sqld.ts'
import { median } from './figures.ts'
import { httpLoad } from './http-load.ts'
import { serving } from './serve.ts'

const rounds = 3
const seconds = 3
const later = new Date(Date.now() + 86_400_000).toISOString()
const content = [{ type: 'text', text: 'Hello {{name}}, your code is {{token}}.' }]

async function measure(
  url: string,
  requests: () => number,
): Promise<{ accepted: number; delivered: number; trips: number }> {
  await using product = await serving({ DATABASE_URL: url })
  await product.post('/v1/transactional/create', { id: 'code', name: 'Code', subject: 'Your code', content })
  const headers = { authorization: `Bearer ${product.apiKey}` }
  const load = (scheduledAt?: string) => {
    const body = (n: number) =>
      JSON.stringify({
        email: `ada${n}@example.net`,
        templateId: 'code',
        dataVariables: { name: 'Ada', token: `t${n}` },
        scheduledAt,
      })
    return httpLoad({ url: product.url, path: '/v1/transactional/send', headers, body, inFlight: 64, seconds })
  }
  await load(later)
  const accepted: number[] = []
  const before = requests()
  let mails = 0
  for (let round = 0; round < rounds; round++) {
    const { perSecond } = await load(later)
    accepted.push(perSecond)
    mails += perSecond * seconds
  }
  const trips = (requests() - before) / mails
  await load()
  const began = performance.now()
  const sent = async () =>
    ((await product.get('/v1/activity?status=sent&limit=1')) as { pagination: { totalResults: number } }).pagination
      .totalResults
  const already = await sent()
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  const delivered = ((await sent()) - already) / ((performance.now() - began) / 1_000)
  return { accepted: median(accepted), delivered, trips }
}

const sqld = await startSqld()
for (const delayMs of [0, 5]) {
  await using link = databaseLink(await sqld.freshUrl())
  link.delay(delayMs)
  const { accepted, delivered, trips } = await measure(link.url, link.requests)
  process.stdout.write(
    `libSQL server, ${delayMs} ms: ${accepted.toFixed(0)}/s accepted (at least ${delayMs ? 2_000 : 4_000}), ${delivered.toFixed(0)}/s delivered (at least ${delayMs ? 500 : 1_000}); ${trips.toFixed(3)} round trips a send\n`,
  )
}
sqld.stop()
