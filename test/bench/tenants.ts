// What a few workspaces can do to many: 495 workspaces that send a little each, together 100 requests a second (mails, and some events),
// alone and beside five that do all at once what costs most: import, export eight files, campaign and replay, mail 15 MB, and tell 95
// endpoints of every event. Then what limits by plan cost a send. Run: bun test/bench/tenants.ts [--seconds 10] [--rounds 3]

import { parseArgs } from 'node:util'
import {
  addTemplate,
  type Beside,
  besideLoad,
  describeBeside,
  servingBeside,
  signIn,
  startMailServer,
  startSenders,
} from './beside.ts'
import { median } from './figures.ts'
import { httpLoad } from './http-load.ts'
import { paquebot } from './neighbour.ts'
import { perSecond } from './neighbour-client.ts'
import { createLoads, databaseOf, type Load, type Sizes, seedCampaigns, seedExported } from './neighbour-loads.ts'
import { type Serving, serving } from './serve.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string' }, rounds: { type: 'string' } } })
const seconds = Number(values.seconds ?? 10)
const rounds = Number(values.rounds ?? 3)
const mostRatio = 1.3
const quiet = 495
/** Workspaces that are made at once. */
const madeAtOnce = 8
const sizes: Sizes = {
  rounds,
  contacts: 100_000,
  campaign: 30_000,
  replay: 10_000,
  persons: 0,
  importRows: 50_000,
  endpoints: 95,
}

/** What each of the abusive ones does. */
const abuses: Load['name'][][] = [
  ['import'],
  ['eight exports'],
  ['campaign', 'replay'],
  ['attachments'],
  ['partitions'],
]

interface Loud {
  slug: string
  apiKey: string
  link: string
  does: Load['name'][]
}

function makeLoud(directory: string): Loud[] {
  return abuses.map((does, n) => {
    const slug = `loud-${n}`
    const email = `${slug}@example.com`
    paquebot(directory, 'workspace', 'create', '--slug', slug)
    paquebot(directory, 'workspace', 'set-trust', '--workspace', slug, '--level', 'M1', '--cap', '999999999')
    paquebot(directory, 'user', 'create', '--workspace', slug, '--email', email)
    if (does.includes('eight exports')) seedExported(directory, { slug, sizes })
    if (does.includes('campaign')) seedCampaigns(directory, { slug, sizes })
    const apiKey = paquebot(directory, 'key', 'create', '--workspace', slug)
    return { slug, apiKey, link: paquebot(directory, 'user', 'login-link', '--email', email), does }
  })
}

/** Made over REST, as whoever sells them does. Returns the key of each. */
async function makeQuiet(product: Serving, count: number, limits: object = {}): Promise<string[]> {
  const keys: string[] = []
  let made = 0
  const maker = async () => {
    for (let n = made++; n < count; n = made++) {
      const slug = `quiet-${crypto.randomUUID()}`
      const { id } = (await product.post('/v1/workspaces', { slug, limits })) as { id: string }
      const { apiKey } = (await product.post(`/v1/workspaces/${id}/api-keys`, { name: 'First' })) as { apiKey: string }
      await addTemplate(product.url, apiKey)
      keys.push(apiKey)
    }
  }
  await Promise.all(Array.from({ length: madeAtOnce }, maker))
  return keys
}

async function loadsOf(product: Serving, { slug, apiKey, link, does }: Loud): Promise<Load[]> {
  await addTemplate(product.url, apiKey)
  const cookie = await signIn(product, link)
  const all = createLoads({
    ...{ url: product.url, slug, apiKey, cookie },
    ...{ database: databaseOf(product.directory), sizes },
  })
  return all.filter(({ name }) => does.includes(name))
}

const limits = {
  mailsPerDay: 100_000_000,
  mailsPerMonth: 1_000_000_000,

  contacts: 1_000_000,
}

/** Sends a second, due tomorrow, of a workspace without limits and of one with all of them, in turns. */
async function measureLimits(): Promise<void> {
  await using product = await serving()
  const [[without = ''], [limited = '']] = [await makeQuiet(product, 1), await makeQuiet(product, 1, limits)]
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  const body = (n: number) => JSON.stringify({ email: `ada${n}@example.net`, templateId: 'hello', scheduledAt })
  const send = async (key: string) => {
    const { perSecond } = await httpLoad({
      ...{ url: product.url, path: '/v1/transactional/send', body, inFlight: 64, seconds: 2 },
      headers: { authorization: `Bearer ${key}` },
    })
    return perSecond
  }
  for (const key of [without, limited]) await send(key)
  const rates: [without: number, limited: number][] = []
  for (let round = 0; round < rounds; round++) rates.push([await send(without), await send(limited)])
  const free = median(rates.map(([rate]) => rate))
  const bound = median(rates.map(([, rate]) => rate))
  process.stdout.write(
    `tenants, limits: ${free.toFixed(0)}/s accepted without limits, ${bound.toFixed(0)}/s with limits of mails a day, mails a month and contacts: ratio ${(bound / free).toFixed(2)}\n`,
  )
}

async function measureBeside(): Promise<void> {
  let louds: Loud[] = []
  using mailServer = await startMailServer()
  await using product = await servingBeside(mailServer, (directory) => {
    louds = makeLoud(directory)
  })
  const keys = await makeQuiet(product, quiet)
  const loads = (await Promise.all(louds.map((loud) => loadsOf(product, loud)))).flat()
  const everything: Pick<Load, 'prepare' | 'run'> = {
    async prepare() {
      for (const load of loads) await load.prepare?.()
    },
    run: async (signal) => (await Promise.all(loads.map((load) => load.run(signal)))).join(' + '),
  }
  using senders = startSenders(product, mailServer, keys, seconds * perSecond)
  await senders.measure()
  const idleMiB = product.rssMiB()
  const all: Beside[] = []
  for (let round = 0; round < rounds; round++) all.push(await besideLoad(product, senders, everything))
  const { line, worst } = describeBeside(all, 'senders')
  process.stdout.write(
    `tenants, ${quiet} beside ${louds.length} (${perSecond} requests a second, ${seconds} s, medians of ${rounds}; ratio at most ${mostRatio}): ${line}; ${idleMiB.toFixed(0)} -> ${product.rssMiB().toFixed(0)} MiB\n`,
  )
  if (worst > mostRatio) process.exitCode = 1
}

await measureBeside()
await measureLimits()
