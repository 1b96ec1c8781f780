// A libSQL server in place of a file: sends accepted (64 in flight for each process) and mails delivered a second, each by itself and both
// at once, with 0, 2 and 5 ms between us and the server, by one process, by two and by four; and how often the server is asked for each.
// Run: bun test/bench/server.ts [--processes 1,2] [--ms 0,5]

import { parseArgs } from 'node:util'
import { startSink } from '../support/smtp-sink.ts'
import { startSqld } from '../support/sqld.ts'
import { distance } from './distance.ts'
import { median } from './figures.ts'
import { httpLoad } from './http-load.ts'
import { cpuSecondsOf, type Serving, serving } from './serve.ts'

const rounds = 3
const seconds = 2
const mails = 3_000
const content = [{ type: 'text', text: 'Hello {{name}}, your code is {{token}}.' }]
const goals: Record<number, { accepted: number; delivered: number }> = {
  0: { accepted: 4_000, delivered: 1_000 },
  5: { accepted: 2_000, delivered: 500 },
}

const { values } = parseArgs({ options: { processes: { type: 'string' }, ms: { type: 'string' } } })
const listOf = (text: string) => text.split(',').map(Number)

interface Figures {
  accepted: number
  delivered: number
  /** While mails are accepted that are due. */
  atOnce: { accepted: number; delivered: number }
  tripsPerSend: number
  tripsPerMail: number
  /** Microseconds of processor time: all threads of our processes, and of the server. */
  cpuPerSend: number
  cpuPerMail: number
  serverPerSend: number
  serverPerMail: number
}

async function measure(url: string, processes: number, requests: () => number): Promise<Figures> {
  await using sink = startSink({ keep: false })
  await using started = new AsyncDisposableStack()
  const environment = {
    DATABASE_URL: url,
    SECRET_KEY: 'a secret of a bench, and of nobody',
    SMTP_URL: `${sink.url}?maxConnections=50`,
    MAIL_FROM: 'bench@paquebot.localhost',
  }
  const first = started.use(await serving(environment))
  const all = [first]
  while (all.length < processes) all.push(started.use(await serving(environment, undefined, { joining: first })))
  await first.post('/v1/transactional/create', { id: 'code', name: 'Code', subject: 'Your code', content })
  const load = async (scheduledAt: Date, limit: { seconds: number } | { requests: number }) => {
    const loads = all.map(({ url, apiKey }) => {
      const body = (n: number) =>
        JSON.stringify({
          email: `ada${n}@example.net`,
          templateId: 'code',
          dataVariables: { name: 'Ada', token: `t${n}` },
          scheduledAt: scheduledAt.toISOString(),
        })
      const headers = { authorization: `Bearer ${apiKey}` }
      return httpLoad({ url, path: '/v1/transactional/send', headers, body, inFlight: 64, ...limit })
    })
    return (await Promise.all(loads)).reduce((sum, { perSecond }) => sum + perSecond, 0)
  }
  const tomorrow = new Date(Date.now() + 86_400_000)
  await load(tomorrow, { seconds: 1 })
  const accepted: number[] = []
  const sending = spent(all, requests)
  for (let round = 0; round < rounds; round++) accepted.push(await load(tomorrow, { seconds }))
  const sends = accepted.reduce((sum, perSecond) => sum + perSecond * seconds, 0)
  const ofSends = sending()
  const delivered: number[] = []
  let ofMails = ofSends
  for (let round = 0; round < rounds; round++) {
    const before = sink.count()
    const expected = mails / processes
    const at = new Date(Date.now() + 500 + (1_500 * mails) / (median(accepted) || 1))
    await load(at, { requests: Math.ceil(expected) })
    while (Date.now() < at.getTime()) await Bun.sleep(5)
    const delivering = spent(all, requests)
    const began = performance.now()
    await sink.whenReceived(before + Math.ceil(expected) * processes)
    delivered.push((sink.count() - before) / ((performance.now() - began) / 1_000))
    await Bun.sleep(100)
    ofMails = delivering()
  }
  const atOnce: { accepted: number; delivered: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const before = sink.count()
    const perSecond = await load(new Date(), { seconds })
    const arrived = sink.count() - before
    atOnce.push({ accepted: perSecond, delivered: arrived / seconds })
    await sink.whenReceived(before + Math.round(perSecond * seconds))
  }
  return {
    accepted: median(accepted),
    delivered: median(delivered),
    atOnce: {
      accepted: median(atOnce.map((one) => one.accepted)),
      delivered: median(atOnce.map((one) => one.delivered)),
    },
    tripsPerSend: ofSends.trips / sends,
    tripsPerMail: ofMails.trips / mails,
    cpuPerSend: (ofSends.cpu * 1e6) / sends,
    cpuPerMail: (ofMails.cpu * 1e6) / mails,
    serverPerSend: (ofSends.server * 1e6) / sends,
    serverPerMail: (ofMails.server * 1e6) / mails,
  }
}

/** What it took from now until the returned function is called. */
function spent(all: Serving[], requests: () => number) {
  const now = () => ({
    trips: requests(),
    cpu: all.reduce((sum, one) => sum + one.cpuSeconds(), 0),
    server: cpuSecondsOf(sqld.pid),
  })
  const before = now()
  return () => {
    const { trips, cpu, server } = now()
    return { trips: trips - before.trips, cpu: cpu - before.cpu, server: server - before.server }
  }
}

// As several processes need it (docs/decisions/0031-turns-of-sqld.md).
const sqld = await startSqld(['--checkpoint-interval-s', '5'])
for (const delayMs of listOf(values.ms ?? '0,2,5')) {
  let alone: Figures | null = null
  for (const processes of listOf(values.processes ?? '1,2,4')) {
    const target = await sqld.freshUrl()
    await using way = delayMs === 0 ? null : await distance(target, delayMs)
    const figures = await measure(way?.url ?? target, processes, way?.requests ?? (() => Number.NaN))
    const { accepted, delivered, atOnce, tripsPerSend, tripsPerMail } = figures
    const us = (ours: number, servers: number) => `${ours.toFixed(0)} + ${servers.toFixed(0)} us`
    alone ??= figures
    const goal = processes === 1 ? goals[delayMs] : undefined
    const ofGoal = (reached: number, wanted?: number) =>
      wanted ? ` (${(reached / wanted).toFixed(2)} of ${wanted})` : ''
    const ofOne = (reached: number, one: number) => (processes > 1 ? ` (${(reached / one).toFixed(2)} of one)` : '')
    process.stdout.write(
      `libSQL server, ${delayMs} ms, ${processes} process${processes > 1 ? 'es' : ''}: ${accepted.toFixed(0)}/s accepted${ofGoal(accepted, goal?.accepted)}${ofOne(accepted, alone.accepted)}, ${delivered.toFixed(0)}/s delivered${ofGoal(delivered, goal?.delivered)}${ofOne(delivered, alone.delivered)}; ` +
        `at once ${atOnce.accepted.toFixed(0)}/s accepted${ofOne(atOnce.accepted, alone.atOnce.accepted)} and ${atOnce.delivered.toFixed(0)}/s delivered${ofOne(atOnce.delivered, alone.atOnce.delivered)}; ` +
        `${delayMs === 0 ? '' : `${tripsPerSend.toFixed(3)} round trips a send, ${tripsPerMail.toFixed(3)} a mail; `}processor (ours + the server's) ${us(figures.cpuPerSend, figures.serverPerSend)} a send, ${us(figures.cpuPerMail, figures.serverPerMail)} a mail\n`,
    )
  }
}
sqld.stop()
