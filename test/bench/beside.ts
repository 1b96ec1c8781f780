// What neighbours.ts and tenants.ts share: workspaces that send steadily to a mail server, alone and beside a load of others on the same
// server, in turns, and what that did to how long their mail takes to be accepted, and from there to the mail server. The server, the
// senders and the mail server are a process each; the load runs in this one.

import { median } from './figures.ts'
import { type Figures, figuresOf, hello, lineOf, readArrivals, startProcess } from './neighbour.ts'
import type { Sent } from './neighbour-client.ts'
import type { Load } from './neighbour-loads.ts'
import { cpuSecondsOf, type Serving, serving } from './serve.ts'

/** The cookie of whoever opens this sign-in link. */
export async function signIn(product: Serving, link: string): Promise<string> {
  const path = new URL(link).pathname
  const headers = { origin: product.url }
  const answer = await fetch(product.url + path, { method: 'POST', headers, redirect: 'manual' })
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

export async function addTemplate(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify(hello)
  const made = await fetch(`${url}/v1/transactional/create`, { method: 'POST', headers, body })
  if (!made.ok) throw new Error(await made.text())
}

/** The mail server, with the arrivals of what the senders sent, by recipient. */
export interface MailServer extends Disposable {
  url: string
  pid: number
  arrivals: Map<string, number>
}

export async function startMailServer(): Promise<MailServer> {
  const { pid, lines, end } = startProcess('neighbour-sink.ts')
  const url = /listening on (\S+)/.exec(await lineOf(lines))?.[1] ?? ''
  return { url, pid, arrivals: readArrivals(lines), [Symbol.dispose]: end }
}

/** A server that mails to it, with a probe in its event loop. */
export function servingBeside({ url }: MailServer, prepare: (directory: string) => void): Promise<Serving> {
  const environment = {
    SMTP_URL: url,
    MAIL_FROM: 'bench@paquebot.localhost',
    API_RATE_LIMIT: '0',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'on',
  }
  return serving(environment, prepare, { watchLoop: true })
}

export interface Senders extends Disposable {
  /** Sends so many steadily, and waits for the last. */
  measure(): Promise<Figures>
  pids: number[]
}

/** A key for each of the workspaces, which take turns. */
export function startSenders(product: Serving, mailServer: MailServer, keys: string[], count: number): Senders {
  const client = startProcess('neighbour-client.ts', product.url, ...keys)
  return {
    pids: [client.pid, mailServer.pid],
    async measure() {
      client.stdin.write(`${count}\n`)
      client.stdin.flush()
      return figuresOf(JSON.parse(await lineOf(client.lines)) as Sent[], mailServer.arrivals)
    },
    [Symbol.dispose]: client.end,
  }
}

export interface Beside {
  alone: Figures
  beside: Figures
  blockMs: number
  did: string
  /** Processors kept busy: by the server, by the load, by the senders and the mail server. */
  cpu: [server: number, load: number, others: number]
}

/** One round: the senders alone, then beside the load. */
export async function besideLoad(
  product: Serving,
  senders: Senders,
  load: Pick<Load, 'prepare' | 'run'>,
): Promise<Beside> {
  await load.prepare?.()
  const alone = await senders.measure()
  const stop = new AbortController()
  await product.longestBlockMs()
  const cpu = () => [
    product.cpuSeconds(),
    cpuSecondsOf('self'),
    senders.pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
  ]
  const [before, began] = [cpu(), performance.now()]
  const running = load.run(stop.signal)
  const beside = await Promise.race([senders.measure(), running.then(() => senders.measure())])
  const took = (performance.now() - began) / 1_000
  const used = cpu().map((after, index) => (after - (before[index] ?? 0)) / took)
  const blockMs = await product.longestBlockMs()
  stop.abort()
  return { alone, beside, blockMs, did: await running, cpu: [used[0] ?? 0, used[1] ?? 0, used[2] ?? 0] }
}

/** `line`: alone -> beside, medians of the rounds. `worst`: the largest ratio of a p99. */
export function describeBeside(all: Beside[], who: string): { line: string; worst: number } {
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
  const line = `accept p99 ${accept.text} p50 ${halves[0]}; hand-over p99 ${handOver.text} p50 ${halves[1]} ms; longest block ${block.toFixed(0)} ms (at most 50); processors: server ${cpu[0]}, load ${cpu[1]}, ${who} and mail server ${cpu[2]}; ${all.map(({ did }) => did).join(', ')}`
  return { line, worst: Math.max(accept.ratio, handOver.ratio) }
}
