// What a campaign gets of a receiver that takes 20 mails a second and answers 421 to what is more, and how much of it is answered so; then what
// it costs the main thread to know the pace of a receiver: the same calls as for each mail, alone, beside all that a mail of a campaign costs
// in the same run. Run: bun test/bench/shaping.ts [--seconds 300] [--people 20000]

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/kit/clock.ts'
import type { MailOutcome } from '../../src/mail/mailer.ts'
import { ReplyCounts } from '../../src/mail/reply-counts.ts'
import { Shaping } from '../../src/mail/shaping.ts'
import { startSink } from '../support/smtp-sink.ts'
import { seedAudience } from './audience.ts'
import { median } from './figures.ts'
import { type Serving, serving } from './serve.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string' }, people: { type: 'string' } } })
const seconds = Number(values.seconds ?? 300)
const people = Number(values.people ?? 20_000)
const perSecond = 20
const main = join(import.meta.dir, '../../src/main.ts')

function prepare(size: number, domains: number) {
  return (directory: string) => {
    const cap = ['workspace', 'set-trust', '--workspace', 'bench', '--level', 'M1', '--cap', '999999999']
    Bun.spawnSync(['bun', main, ...cap], { env: { ...process.env, DATA_DIR: directory } })
    seedAudience(directory, size, 'lst_0', { domains })
  }
}

async function start(product: Serving): Promise<void> {
  const content = [{ type: 'text', text: 'Hello {{contact.firstName}}' }]
  const body = { name: 'c', subject: 'c', mailingListId: 'lst_0', content }
  const { id } = (await product.post('/v1/campaigns', body)) as { id: string }
  await product.post(`/v1/campaigns/${id}/send`, {})
}

/** It counts by seconds of its own; all mail is for one domain. */
async function limited(): Promise<void> {
  let [second, taken, refused] = [0, 0, 0]
  let inSecond = 0
  const began = performance.now()
  await using sink = startSink({
    keep: false,
    answer(stage) {
      if (stage !== 'rcpt') return undefined
      const now = Math.floor((performance.now() - began) / 1_000)
      if (now !== second) [second, inSecond] = [now, 0]
      if (inSecond >= perSecond) {
        refused++
        return '421 4.7.0 Too many messages, slow down'
      }
      inSecond++
      taken++
      return undefined
    },
  })
  const environment = { SMTP_URL: sink.url, MAIL_FROM: 'bench@paquebot.localhost' }
  await using product = await serving(environment, prepare(perSecond * seconds, 1))
  await start(product)
  while (taken === 0) await Bun.sleep(5)
  const from = performance.now()
  await Bun.sleep(seconds * 1_000)
  const share = taken / (perSecond * ((performance.now() - from) / 1_000))
  process.stdout.write(
    `a receiver that takes ${perSecond} a second: it gets ${(share * 100).toFixed(1)} % of that in ${seconds} s (at least 95), ${((refused / taken) * 100).toFixed(2)} % of the mail is answered 421 (below 1)\n`,
  )
}

async function cost(): Promise<void> {
  await using sink = startSink({ keep: false })
  const environment = { SMTP_URL: sink.url, MAIL_FROM: 'bench@paquebot.localhost' }
  await using product = await serving(environment, prepare(people, 97))
  const before = product.mainSeconds()
  await start(product)
  await sink.whenReceived(people)
  const mailUs = ((product.mainSeconds() - before) / people) * 1e6
  const ownUs = median(await thrice(alone))
  process.stdout.write(
    `pace of a receiver: ${ownUs.toFixed(2)} us of the main thread a mail, of ${mailUs.toFixed(0)} us in all: ${((ownUs / mailUs) * 100).toFixed(2)} % (at most 5)\n`,
  )
}

async function thrice(measure: () => Promise<number>): Promise<number[]> {
  return [await measure(), await measure(), await measure()]
}

/** What each mail of a campaign asks and tells, for 97 receivers of which every third is slowed down. */
async function alone(): Promise<number> {
  const [shaping, replies] = [new Shaping(systemClock), new ReplyCounts(systemClock)]
  const accepted: MailOutcome = { outcome: 'accepted', reply: '250 2.0.0 taken' }
  const pairs = Array.from({ length: 97 }, (_, n) => ({ relayId: null, receiver: `d${n}.example.net` }))
  const limits = { perSecond: 900, ceiling: 900, connections: null, suspendedUntil: null, step: 0, lastReply: '421' }
  shaping.follow(
    pairs.filter((_, n) => n % 3 === 0).map((pair) => ({ ...pair, limits: { ...limits, changedAt: new Date() } })),
  )
  const many = 200_000
  const from = performance.now()
  for (let n = 0; n < many; n++) {
    const pair = pairs[n % pairs.length] ?? { relayId: null, receiver: '' }
    shaping.turnedAway(pair)
    shaping.take(pair)
    replies.note(pair, await shaping.watch(pair, async () => accepted))
  }
  return ((performance.now() - from) / many) * 1_000
}

await limited()
await cost()
