// What receiving domains in trouble cost the mail to others: 1, 5 and 20 of them of each kind, beside the same run without them. The others
// are one domain that is known to answer, or a domain of its own for each mail, as the first mail to a person often goes to.
// Latency is from the request to the server's taking the mail, by a clock that runs; each bad domain gets a burst and then a mail a second.
// Run: bun test/bench/receivers.ts

import { sql } from 'drizzle-orm'
import { suppressions } from '../../db/tables/contacts.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { testApp } from '../support/app.ts'
import { type Answer, type SinkStage, startSink } from '../support/smtp-sink.ts'
import { percentile } from './figures.ts'

const silenceMs = 10_000

type Does = string | number | 'drip'

/** What a bad domain does at a stage; a number keeps silent for as long before it agrees, a drip agrees by a byte in that time. */
const kinds = {
  full: { rcpt: '552 5.2.2 mailbox full' },
  unknown: { rcpt: '550 5.1.1 no such user' },
  refused: { dot: '554 5.7.1 message refused' },
  greylisted: { rcpt: '451 4.7.1 greylisted, try again later' },
  dropped: { rcpt: 'cut' },
  'silent at MAIL': { mail: silenceMs },
  'silent at RCPT': { rcpt: silenceMs },
  'silent at DATA': { data: silenceMs },
  'silent at the dot': { dot: silenceMs },
  'dripping at RCPT': { rcpt: 'drip' },
  'dripping at the dot': { dot: 'drip' },
} satisfies Record<string, Partial<Record<SinkStage, Does>>>

export type Kind = keyof typeof kinds
export const allKinds = Object.keys(kinds) as Kind[]

export interface Trouble {
  /** Bad domains: of one kind, or as many of each in turn. */
  domains: number
  kinds: Kind[]
  /** Whether the mail of the others goes to one domain, or each to a domain that had none before. */
  others: 'known' | 'fresh'
  seconds: number
  /** To the others. */
  perSecond: number
  /** To each bad domain at once, before one a second. */
  burst: number
}

export interface TroubleFigures {
  p50Ms: number
  p99Ms: number
  /** The longest that the event loop of this process itself was late. */
  noiseMs: number
  sent: number
  /** Mails to the others that never came or came twice, and mails to bad ones of which nobody knows any more. */
  wrong: number
  suppressed: number
  /** Recipients whose address does not exist, and who may be suppressed. */
  unknown: number
}

export async function measureTrouble({
  domains,
  kinds: of,
  others,
  seconds,
  perSecond,
  burst,
}: Trouble): Promise<TroubleFigures> {
  const began = new Map<string, number>()
  const arrived = new Map<string, number[]>()
  const over = Promise.withResolvers<void>()
  const kindOf = (to: string): Kind | undefined => {
    const number = /@bad(\d+)\.example$/.exec(to)?.[1]
    return number === undefined ? undefined : of[Number(number) % of.length]
  }
  await using sink = startSink({
    keep: false,
    answer(stage, _, { to }): Answer | undefined | Promise<undefined> {
      const kind = kindOf(to)
      const does = kind === undefined ? undefined : (kinds[kind] as Partial<Record<SinkStage, Does>>)[stage]
      if (does === 'drip') return { everyMs: silenceMs, over: over.promise }
      if (typeof does !== 'number') return does
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const timer = setTimeout(() => resolve(undefined), does)
      void over.promise.then(() => {
        clearTimeout(timer)
        resolve(undefined)
      })
      return promise
    },
    onMessage({ to: [to = ''] }) {
      arrived.set(to, [...(arrived.get(to) ?? []), performance.now()])
    },
  })
  await using t = await testApp({ environment: { SMTP_URL: sink.url }, clock: systemClock })
  await t.template()
  await t.dispatcher.start()
  const bad: string[] = []
  const send = async (emails: string[]) => {
    const messages = emails.map((email) => ({ email, templateId: 'hello' }))
    for (let at = 0; at < messages.length; at += 500)
      await t.post('/v1/transactional/send-batch', { messages: messages.slice(at, at + 500) }, 200)
  }
  const toEach = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      Array.from({ length: domains }, (_, domain) => `a${bad.length + n}@bad${domain}.example`),
    ).flat()
  const start = performance.now()
  let noiseMs = 0
  let expected = start + 20
  const noise = setInterval(() => {
    noiseMs = Math.max(noiseMs, performance.now() - expected)
    expected = performance.now() + 20
  }, 20)
  // In the first second all is well; it is not counted.
  for (let nth = 0; nth < seconds * perSecond; nth++) {
    const dueMs = (nth * 1_000) / perSecond - (performance.now() - start)
    if (dueMs > 0) await Bun.sleep(dueMs)
    if (nth % perSecond === 0 && nth > 0 && domains > 0) {
      const more = toEach(nth === perSecond ? burst : 1)
      bad.push(...more)
      void send(more)
    }
    const email = `g${nth}@good${others === 'fresh' ? nth : ''}.example`
    began.set(email, performance.now())
    await send([email])
  }
  const deadline = performance.now() + 20_000
  while (arrivedOf(began, arrived).length < began.size && performance.now() < deadline) await Bun.sleep(50)
  const latencies = arrivedOf(began, arrived)
  const beside = latencies.slice(perSecond)
  clearInterval(noise)
  over.resolve()
  await t.dispatcher.stop(20_000)
  const twice = [...arrived].filter(([to, times]) => began.has(to) && times.length > 1).length
  const known = await t.app.db.all<{ email: string }>(sql`SELECT email FROM messages WHERE status IN
    ('queued', 'sending', 'delayed', 'sent', 'failed', 'bounced', 'uncertain')`)
  const kept = new Set(known.map(({ email }) => email))
  return {
    p50Ms: percentile(beside, 0.5),
    p99Ms: percentile(beside, 0.99),
    noiseMs,
    sent: began.size,
    wrong: began.size - latencies.length + twice + bad.filter((email) => !kept.has(email)).length,
    suppressed: (await t.app.db.select().from(suppressions)).length,
    unknown: bad.filter((email) => kindOf(email) === 'unknown').length,
  }
}

function arrivedOf(began: Map<string, number>, arrived: Map<string, number[]>): number[] {
  return [...began].flatMap(([email, at]) => {
    const [first] = arrived.get(email) ?? []
    return first === undefined ? [] : [first - at]
  })
}

if (import.meta.main) {
  const run = { seconds: 12, perSecond: 5, burst: 30 }
  const of = { known: 'a domain that answers', fresh: 'new domains' }
  let worst = 0
  for (const others of ['known', 'fresh'] as const) {
    const floor = await measureTrouble({ ...run, others, domains: 0, kinds: ['full'] })
    process.stdout.write(`${of[others]}, alone: p50 ${floor.p50Ms.toFixed(0)} ms, p99 ${floor.p99Ms.toFixed(0)} ms\n`)
    for (const kind of allKinds)
      for (const domains of [1, 5, 20]) {
        const figures = await measureTrouble({ ...run, others, domains, kinds: [kind] })
        const { p50Ms, p99Ms, sent, wrong, suppressed } = figures
        worst = Math.max(worst, p99Ms)
        process.stdout.write(
          `${of[others]} beside ${String(domains).padStart(2)} ${kind}: p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms (${(p99Ms / floor.p99Ms).toFixed(1)} x), ${sent} sent, ${wrong} lost or twice, ${suppressed} suppressed\n`,
        )
      }
  }
  process.stdout.write(`the worst p99 is ${worst.toFixed(0)} ms; at most 2000\n`)
  if (worst > 2_000) process.exit(1)
}
