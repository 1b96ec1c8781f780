// What one workspace can do to another: a neighbour sends mail at a steady rate, alone and beside each kind of load of another workspace
// of the same server, in turns. Measured: how long its mail takes to be accepted, and from there to the mail server. The server, the
// neighbour, the mail server and the load are a process each. Run: bun test/bench/neighbours.ts [--seconds 5] [--rounds 3] [LOAD …]

import { parseArgs } from 'node:util'
import { median } from './figures.ts'
import { type Figures, figuresOf, hello, lineOf, paquebot, readArrivals, startProcess } from './neighbour.ts'
import { perSecond, type Sent } from './neighbour-client.ts'
import { createLoads, databaseOf, type Load, type Sizes, seed } from './neighbour-loads.ts'
import { cpuSecondsOf, type Serving, serving } from './serve.ts'

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string' }, rounds: { type: 'string' } },
  allowPositionals: true,
})
const seconds = Number(values.seconds ?? 5)
const rounds = Number(values.rounds ?? 3)
const mostRatio = 2
const sizes: Sizes = {
  rounds,
  contacts: 300_000,
  campaign: 30_000,
  replay: 10_000,
  persons: 6,
  importRows: 50_000,
  endpoints: 95,
}

interface Neighbour {
  measure(): Promise<Figures>
  pids: number[]
}

interface Beside {
  alone: Figures
  beside: Figures
  blockMs: number
  did: string
  /** Processors kept busy: by the server, by the load, by the neighbour and the mail server. */
  cpu: [server: number, load: number, others: number]
}

async function oneRound(product: Serving, neighbour: Neighbour, load: Load): Promise<Beside> {
  await load.prepare?.()
  const alone = await neighbour.measure()
  const stop = new AbortController()
  await product.longestBlockMs()
  const cpu = () => [
    product.cpuSeconds(),
    cpuSecondsOf('self'),
    neighbour.pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
  ]
  const [before, began] = [cpu(), performance.now()]
  const running = load.run(stop.signal)
  const beside = await Promise.race([neighbour.measure(), running.then(() => neighbour.measure())])
  const took = (performance.now() - began) / 1_000
  const used = cpu().map((after, index) => (after - (before[index] ?? 0)) / took)
  const blockMs = await product.longestBlockMs()
  stop.abort()
  return { alone, beside, blockMs, did: await running, cpu: [used[0] ?? 0, used[1] ?? 0, used[2] ?? 0] }
}

function describe(name: string, all: Beside[]): { line: string; worst: number } {
  const of = (pick: (one: Beside) => number) => median(all.map(pick))
  const compare = (pick: (figures: Figures) => number) => {
    const [alone, beside] = [of((one) => pick(one.alone)), of((one) => pick(one.beside))]
    const text = `${alone.toFixed(1)} -> ${beside.toFixed(1)} (${(beside / alone).toFixed(2)})`
    return { text, ratio: beside / alone }
  }
  const accept = compare(({ accept }) => accept.p99)
  const handOver = compare(({ handOver }) => handOver.p99)
  const halves = [compare(({ accept }) => accept.p50), compare(({ handOver }) => handOver.p50)].map(({ text }) => text)
  const cpu = [0, 1, 2].map((index) => of((one) => one.cpu[index] ?? 0).toFixed(2))
  const block = Math.max(...all.map(({ blockMs }) => blockMs))
  const line = `neighbours, ${name}: accept p99 ${accept.text} p50 ${halves[0]}; hand-over p99 ${handOver.text} p50 ${halves[1]} ms; longest block ${block.toFixed(0)} ms (at most 50); processors: server ${cpu[0]}, load ${cpu[1]}, neighbour and mail server ${cpu[2]}; ${all.map(({ did }) => did).join(', ')}\n`
  return { line, worst: Math.max(accept.ratio, handOver.ratio) }
}

async function signIn(product: Serving, link: string): Promise<string> {
  const path = new URL(link).pathname
  const headers = { origin: product.url }
  const answer = await fetch(product.url + path, { method: 'POST', headers, redirect: 'manual' })
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

const sinkProcess = startProcess('neighbour-sink.ts')
const mailServer = /listening on (\S+)/.exec(await lineOf(sinkProcess.lines))?.[1] ?? ''
const arrivals = readArrivals(sinkProcess.lines)
let neighbourKey = ''
let link = ''
await using product = await serving(
  {
    SMTP_URL: mailServer,
    MAIL_FROM: 'bench@paquebot.localhost',
    API_RATE_LIMIT: '0',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'on',
  },
  (directory) => {
    paquebot(directory, 'workspace', 'set-trust', '--workspace', 'bench', '--level', 'M1', '--cap', '999999999')
    seed(directory, sizes)
    paquebot(directory, 'workspace', 'create', '--slug', 'neighbour')
    neighbourKey = paquebot(directory, 'key', 'create', '--workspace', 'neighbour')
    link = paquebot(directory, 'user', 'login-link', '--email', 'a@example.com')
  },
  { watchLoop: true },
)
for (const key of [product.apiKey, neighbourKey]) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify(hello)
  const made = await fetch(`${product.url}/v1/transactional/create`, { method: 'POST', headers, body })
  if (!made.ok) throw new Error(await made.text())
}
const client = startProcess('neighbour-client.ts', product.url, neighbourKey)
const neighbour: Neighbour = {
  pids: [client.pid, sinkProcess.pid],
  async measure() {
    client.stdin.write(`${seconds * perSecond}\n`)
    client.stdin.flush()
    return figuresOf(JSON.parse(await lineOf(client.lines)) as Sent[], arrivals)
  },
}
const loads = createLoads({
  ...product,
  cookie: await signIn(product, link),
  database: databaseOf(product.directory),
  sizes,
})
const wanted = loads.filter(({ name }) => positionals.length === 0 || positionals.some((one) => name.includes(one)))
// The first one warms up.
await neighbour.measure()
process.stdout.write(
  `neighbours: ${perSecond} mails a second, ${seconds} s, medians of ${rounds}; alone -> beside (ratio, at most ${mostRatio})\n`,
)
let failed = false
for (const load of wanted) {
  const all: Beside[] = []
  for (let round = 0; round < rounds; round++) all.push(await oneRound(product, neighbour, load))
  const { line, worst } = describe(load.name, all)
  process.stdout.write(line)
  if (worst > mostRatio) failed = true
}
for (const { end } of [client, sinkProcess]) end()
process.exit(failed ? 1 : 0)
