// Several relays: what three of limited speed carry of a campaign beside the sum of what each carries alone, by connections that are slow and by
// a limit of theirs; what it costs that one dies in the middle; and how evenly 20 workspaces share one. In turns, medians.
// Run: bun test/bench/relays.ts [--rounds 3]

import { parseArgs } from 'node:util'
import { systemClock } from '../../src/kit/clock.ts'
import { testApp } from '../support/app.ts'
import { type Sink, startSink } from '../support/smtp-sink.ts'
import { seedAudience } from './audience.ts'
import { median } from './figures.ts'
import { type Serving, serving } from './serve.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string' } } })
const rounds = Number(values.rounds ?? 3)
const main = new URL('../../src/main.ts', import.meta.url).pathname
const content = [{ type: 'text', text: 'Hello {{contact.firstName}}' }]
const letter = [{ type: 'text', text: 'Hello' }]

/** How long each takes to answer to a mail; each has the default of 20 connections. */
const answersAfterMs = [100, 200, 200]
const perSecond = [100, 50, 50]
/** What a relay carries in about this time alone is sent through it. */
const seconds = 8
const leastShare = 0.9

interface Slow extends Sink {
  id: string
  arrivals: { to: string; at: number }[]
}

function slowSink(afterMs: number): Slow {
  const arrivals: { to: string; at: number }[] = []
  const sink = startSink({
    keep: false,
    onStep: async (step) => {
      // It has the mail, and takes its time to say so.
      if (step === 'dot') await Bun.sleep(afterMs)
    },
    onMessage: ({ to: [to = ''] }) => arrivals.push({ to, at: performance.now() }),
  })
  return Object.assign(sink, { id: '', arrivals })
}

/** Mails a second, but for how it begins and ends. */
function rateOf(arrivals: { at: number }[]): number {
  const times = arrivals.map(({ at }) => at).sort((one, other) => one - other)
  const [from, to] = [Math.floor(times.length * 0.1), Math.floor(times.length * 0.9)]
  return ((to - from) / ((times[to] ?? 0) - (times[from] ?? 0))) * 1_000
}

type Limits = { mostPerSecond: number | null }[]

interface Progress {
  status: string
  stats: { uncertain: number }
}

/** Lists of as many people, each for one campaign. */
class Campaigns {
  readonly #product: Serving
  readonly #lists: Map<number, string[]>

  constructor(product: Serving, lists: Map<number, string[]>) {
    this.#product = product
    this.#lists = lists
  }

  /** Ends when everybody has an outcome. Returns of how many that is not known. */
  async send(people: number): Promise<number> {
    const list = this.#lists.get(people)?.shift()
    if (list === undefined) throw new Error(`no list of ${people} is left`)
    const body = { name: list, subject: 'News', mailingListId: list, content }
    const { id } = (await this.#product.post('/v1/campaigns', body)) as { id: string }
    await this.#product.post(`/v1/campaigns/${id}/send`, {})
    for (;;) {
      const { status, stats } = (await this.#product.get(`/v1/campaigns/${id}`)) as Progress
      if (status === 'sent') return stats.uncertain
      await Bun.sleep(10)
    }
  }
}

async function patch(product: Serving, { id }: Slow, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${product.apiKey}`, 'content-type': 'application/json' }
  const answer = await fetch(`${product.url}/v1/relays/${id}`, { method: 'PATCH', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(await answer.text())
}

/** A product with three relays, none of them of SMTP_URL, and lists. */
async function start(sinks: Slow[], sizes: Map<number, number>) {
  const lists = new Map<number, string[]>()
  const product = await serving({ MAIL_FROM: 'bench@paquebot.localhost' }, (directory) => {
    const cap = ['workspace', 'set-trust', '--workspace', 'bench', '--level', 'M1', '--cap', '999999999']
    Bun.spawnSync(['bun', main, ...cap], { env: { ...process.env, DATA_DIR: directory } })
    for (const [people, count] of sizes)
      lists.set(
        people,
        Array.from({ length: count }, (_, n) => seedAudience(directory, people, `lst_${people}_${n}`)),
      )
  })
  for (const [index, sink] of sinks.entries())
    sink.id = ((await product.post('/v1/relays', { name: `R${index}`, url: sink.url })) as { id: string }).id
  return { product, campaigns: new Campaigns(product, lists) }
}

/** Of each alone, and of all together, in mails a second. */
async function share(how: string, sinks: Slow[], rates: number[], limits: Limits): Promise<void> {
  const alone = rates.map((rate) => rate * seconds)
  const together = alone.reduce((sum, people) => sum + people, 0)
  const sizes = new Map([...new Set([...alone, together])].map((people) => [people, 3 * (rounds + 1)]))
  const { product, campaigns } = await start(sinks, sizes)
  await using _ = product
  for (const [index, sink] of sinks.entries()) await patch(product, sink, limits[index] ?? {})
  const figures = { alone: sinks.map(() => [] as number[]), together: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    for (const [index, sink] of sinks.entries()) {
      for (const one of sinks) await patch(product, one, { state: one === sink ? 'active' : 'off' })
      const people = alone[index] ?? 0
      sink.arrivals.length = 0
      await campaigns.send(people)
      if (round > 0) figures.alone[index]?.push(rateOf(sink.arrivals))
    }
    for (const one of sinks) {
      await patch(product, one, { state: 'active' })
      one.arrivals.length = 0
    }
    await campaigns.send(together)
    // The first round warms up.
    if (round > 0) figures.together.push(rateOf(sinks.flatMap(({ arrivals }) => arrivals)))
  }
  const each = figures.alone.map(median)
  const sum = each.reduce((total, rate) => total + rate, 0)
  const [all, ratio] = [median(figures.together), median(figures.together) / sum]
  process.stdout.write(
    `relays (three, ${how}): ${each.map((rate) => rate.toFixed(0)).join(', ')}/s each alone, ${all.toFixed(0)}/s together: ratio ${ratio.toFixed(2)} to their sum (at least ${leastShare})\n`,
  )
  if (ratio < leastShare) process.exitCode = 1
}

/** One of three equal ones dies after a third of the campaign: what that takes beyond what two can carry. */
async function death(): Promise<void> {
  const [afterMs, people] = [100, 3_000]
  const costs: number[] = []
  let [repeats, lost] = [0, 0]
  for (let round = 0; round <= rounds; round++) {
    const sinks = [afterMs, afterMs, afterMs].map(slowSink)
    const { product, campaigns } = await start(sinks, new Map([[people, 1]]))
    await using _ = product
    const sending = campaigns.send(people)
    const arrivals = () => sinks.flatMap((sink) => sink.arrivals)
    while (arrivals().length < people / 3) await Bun.sleep(5)
    const [diedAt, ofThree] = [performance.now(), arrivals()]
    sinks[0]?.stop()
    const uncertain = await sending
    // As fast as the three went, by two.
    const rate = rateOf(ofThree)
    const tookSeconds = (Math.max(...arrivals().map((one) => one.at)) - diedAt) / 1_000
    const cost = tookSeconds - (arrivals().length - ofThree.length) / (rate * (2 / 3))
    const came = new Set(arrivals().map(({ to }) => to)).size
    if (round > 0) costs.push(cost)
    repeats += arrivals().length - came
    // One whose dot was sent may have come, or not.
    lost += Math.max(0, people - came - uncertain)
    for (const sink of sinks) sink.stop()
  }
  const worst = Math.max(...costs)
  process.stdout.write(
    `relays, one of three dies in a campaign of ${people}: costs ${costs.map((cost) => cost.toFixed(2)).join(', ')} s beyond what two carry (at most 2), ${lost} lost, ${repeats} repeats\n`,
  )
  if (worst > 2 || repeats + lost > 0) process.exitCode = 1
}

/** Tenants with much mail each, the first with ten times as much: what each had through when half of what the others have had gone. */
async function tenants(): Promise<void> {
  const [count, mails, first] = [20, 800, 8_000]
  const spreads: number[] = []
  for (let round = 0; round < rounds; round++) {
    const sent = new Map<string, number>()
    let total = 0
    const isHalf = Promise.withResolvers<void>()
    await using sink = startSink({
      keep: false,
      onStep: async (step) => {
        if (step === 'dot') await Bun.sleep(40)
      },
      onMessage({ to: [to = ''] }) {
        if (total >= (count * mails) / 2) return isHalf.resolve()
        total++
        const [, tenant = ''] = /@(t\d+)\./.exec(to) ?? []
        sent.set(tenant, (sent.get(tenant) ?? 0) + 1)
      },
    })
    await using t = await testApp({ environment: { SMTP_URL: sink.url }, clock: systemClock })
    for (let index = 0; index < count; index++) {
      const { apiKey } = await t.stranger(`tenant-${index}`)
      const as = { as: { apiKey } }
      await t.post(
        '/v1/transactional/create',
        { id: 'hello', name: 'Hello', subject: 'Hello', content: letter },
        201,
        as,
      )
      const emails = Array.from({ length: index === 0 ? first : mails }, (_, n) => `a${n}@t${index}.example`)
      for (let at = 0; at < emails.length; at += 500) {
        const messages = emails.slice(at, at + 500).map((email) => ({ email, templateId: 'hello' }))
        await t.post('/v1/transactional/send-batch', { messages }, 200, as)
      }
    }
    await t.dispatcher.start()
    await isHalf.promise
    await t.dispatcher.stop(0)
    const counts = Array.from({ length: count }, (_, index) => sent.get(`t${index}`) ?? 0)
    spreads.push((Math.max(...counts) - Math.min(...counts)) / (total / count))
  }
  const worst = Math.max(...spreads)
  process.stdout.write(
    `relays, 20 workspaces on one, the first with ten times as much mail: they get within ${spreads.map((one) => `${(one * 100).toFixed(1)} %`).join(', ')} of each other (at most 10 %)\n`,
  )
  if (worst > 0.1) process.exitCode = 1
}

const sinks = answersAfterMs.map(slowSink)
await share(
  'answering slowly',
  sinks,
  answersAfterMs.map((ms) => 20_000 / ms),
  [],
)
for (const sink of sinks) sink.stop()
const quick = perSecond.map(() => slowSink(0))
await share(
  'of a limited rate',
  quick,
  perSecond,
  perSecond.map((mostPerSecond) => ({ mostPerSecond })),
)
for (const sink of quick) sink.stop()
await death()
await tenants()
process.exit()
