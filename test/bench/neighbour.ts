// What stands beside a server that is measured: a neighbour who sends (neighbour-client.ts) and its mail server (neighbour-sink.ts), each a
// process of its own, and how long the neighbour's mails took.

import { join } from 'node:path'
import { linesOf } from '../../tools/process.ts'
import { percentile } from './figures.ts'
import { perSecond, type Sent } from './neighbour-client.ts'
import type { Serving } from './serve.ts'

export const hello = { id: 'hello', name: 'Hello', subject: 'Hello', content: [{ type: 'text', text: 'Hello' }] }
const main = join(import.meta.dir, '../../src/main.ts')

/** Milliseconds. */
export interface Figures {
  accept: { p50: number; p99: number }
  handOver: { p50: number; p99: number }
}

/** What it printed. */
export function paquebot(directory: string, ...args: string[]): string {
  const { stdout, success } = Bun.spawnSync(['bun', main, ...args], {
    env: { ...process.env, DATA_DIR: directory },
    stderr: 'inherit',
  })
  if (!success) throw new Error(`paquebot ${args.join(' ')} failed`)
  return stdout.toString().trim()
}

/** Another file of test/bench. */
export function startProcess(file: string, ...args: string[]) {
  const process = Bun.spawn(['bun', join(import.meta.dir, file), ...args], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return { pid: process.pid, stdin: process.stdin, lines: linesOf(process.stdout), end: () => process.kill('SIGKILL') }
}

export async function lineOf(lines: AsyncGenerator<string>): Promise<string> {
  const { value, done } = await lines.next()
  if (done) throw new Error('a process of the bench ended')
  return value
}

/** Arrivals at the mail server, by recipient. */
export function readArrivals(lines: AsyncGenerator<string>): Map<string, number> {
  const arrivals = new Map<string, number>()
  void (async () => {
    for await (const line of lines) {
      const [to = '', at] = line.split(' ')
      arrivals.set(to, Number(at))
    }
  })()
  return arrivals
}

const spread = (times: number[]) => ({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) })

export async function figuresOf(sent: Sent[], arrivals: Map<string, number>): Promise<Figures> {
  const mails = sent.flatMap(({ to, acceptedAt }) => (to === null ? [] : [{ to, acceptedAt }]))
  const deadline = Date.now() + 30_000
  while (mails.some(({ to }) => !arrivals.has(to)) && Date.now() < deadline) await Bun.sleep(20)
  const waits = mails.map(({ to, acceptedAt }) => (arrivals.get(to) ?? Number.POSITIVE_INFINITY) - acceptedAt)
  return { accept: spread(sent.map(({ sentAt, acceptedAt }) => acceptedAt - sentAt)), handOver: spread(waits) }
}

interface Measuring {
  /** Of all mails since it began. */
  stop(): Promise<Figures>
}

export interface SteadyNeighbour extends AsyncDisposable {
  /** SMTP_URL of whoever shall deliver to it. */
  mailServer: string
  /** Makes its workspace's template, and sends for a second so that nothing is new. */
  begin(product: Serving): Promise<void>
  /** The server is elsewhere from now on. */
  goesTo(url: string): void
  measureUntilStopped(): Measuring
}

/** Sends from the first workspace of a server, in rounds of a second each. */
export async function createNeighbour(): Promise<SteadyNeighbour> {
  const sink = startProcess('neighbour-sink.ts')
  const mailServer = /listening on (\S+)/.exec(await lineOf(sink.lines))?.[1] ?? ''
  const arrivals = readArrivals(sink.lines)
  let key = ''
  let client: ReturnType<typeof startProcess> | null = null
  const goesTo = (url: string) => {
    client?.end()
    client = startProcess('neighbour-client.ts', url, key)
  }
  const oneRound = async () => {
    if (client === null) throw new Error('it does not know where to send')
    client.stdin.write(`${perSecond}\n`)
    client.stdin.flush()
    return JSON.parse(await lineOf(client.lines)) as Sent[]
  }
  return {
    mailServer,
    goesTo,
    async begin(product) {
      key = product.apiKey
      await product.post('/v1/transactional/create', hello)
      goesTo(product.url)
      await oneRound()
    },
    measureUntilStopped() {
      const sent: Sent[] = []
      let isStopped = false
      const running = (async () => {
        do sent.push(...(await oneRound()))
        while (!isStopped)
      })()
      return {
        async stop() {
          isStopped = true
          await running
          return await figuresOf(sent, arrivals)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      client?.end()
      sink.end()
    },
  }
}

/** Runs a command to its end, in a process of its own; `mib`: the most memory that it had. */
export async function runPaquebot(directory: string, environment: Record<string, string>, ...args: string[]) {
  const began = performance.now()
  const child = Bun.spawn(['bun', main, ...args], {
    env: { ...process.env, DATA_DIR: directory, ...environment },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) throw new Error(`paquebot ${args.join(' ')} failed`)
  const used = child.resourceUsage()
  return {
    seconds: (performance.now() - began) / 1_000,
    cpuSeconds: Number(used?.cpuTime.total ?? 0) / 1_000_000,
    mib: Math.round((used?.maxRSS ?? 0) / 1_048_576),
  }
}
