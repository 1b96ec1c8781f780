// A standby takes over from a server, again and again, under load: the server is killed, frozen and let go, cut off from the store, or
// stopped in order. Each machine mails to a mail server of its own, so it is seen who mailed what, and when. Then whoever took over gets a
// standby. What was acknowledged two seconds before must be there; nobody may get a mail twice whose first one left before that; a machine that
// lost its lease may not mail one more.
// Run: bun test/crash/take-over.ts --rounds 100 [--s3] [--lease 3]

import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { program } from '../support/program.ts'
import { s3Server } from '../support/s3-server.ts'
import { type Sink, startSink } from '../support/smtp-sink.ts'
import { Load } from './callers.ts'
import { command, freePort } from './server.ts'

export const ways = ['killed', 'frozen', 'cut off', 'stopped'] as const
type Way = (typeof ways)[number]

/** What may be lost with a machine. */
export const rpoMs = 2_000

export interface TakeOverResult {
  rounds: number
  acknowledged: number
  mails: number
  /** Of campaigns. */
  letters: number
  /** Mails of the last two seconds that went twice: nobody could know. */
  uncertain: number
  /** In ms, of each round. */
  rpo: number[]
  rto: number[]
  bad: string[]
  seconds: number
}

interface Mail {
  key: string
  to: string
  at: number
}

interface Machine {
  directory: string
  url: string
  sink: Sink
  mails: Mail[]
  /** Between it and the store; null for a folder. */
  proxy: Proxy | null
  child: Bun.Subprocess<'ignore', 'ignore', 'pipe'> | null
  said: string
}

interface Storm {
  directory: string
  environment: Record<string, string | undefined>
  s3Port: number | null
  /** A server that cannot renew may mail until its lease is over. */
  leaseMs: number
}

const connections = 4

export async function takeOverStorm({
  rounds,
  isS3,
  leaseS,
  wayOf = (round) => ways[round % ways.length] ?? 'killed',
}: {
  rounds: number
  isS3: boolean
  leaseS: number
  wayOf?: (round: number) => Way
}): Promise<TakeOverResult> {
  const began = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-take-over-'))
  await using store = isS3 ? await s3Server({ namesPerPage: 1_000 }) : null
  const storm: Storm = {
    directory,
    leaseMs: leaseS * 1_000,
    s3Port: store === null ? null : Number(new URL(store.environment.S3_ENDPOINT ?? '').port),
    environment: {
      ...process.env,
      ...store?.environment,
      LOG_LEVEL: 'error',
      MAIL_FROM: 'Storm <storm@paquebot.localhost>',
      ARCHIVE_URL: isS3 ? 's3://storm/archive' : join(directory, 'archive'),
      ARCHIVE_INTERVAL_MS: '500',
      BACKUP_PASSPHRASE: 'a storm of take-overs',
      STANDBY_LEASE_S: String(leaseS),
    },
  }
  const result: TakeOverResult = {
    rounds: 0,
    acknowledged: 0,
    mails: 0,
    letters: 0,
    uncertain: 0,
    rpo: [],
    rto: [],
    bad: [],
    seconds: 0,
  }
  const machines: Machine[] = []
  try {
    let server = await makeMachine(storm, machines)
    const environment = environmentOf(storm, server)
    const { apiKey } = await command(environment, 'init', '--workspace', 'storm', '--email', 'a@example.com')
    await command(environment, 'workspace', 'set-trust', '--workspace', 'storm', '--level', 'M1', '--cap', '9999999')
    await begin(storm, server, 'serve')
    const load = new Load(apiKey)
    await load.prepare(server)
    for (let round = 0; round < rounds; round++) {
      const way = wayOf(round)
      const next = await makeMachine(storm, machines)
      await begin(storm, next, 'standby')
      await ready(next)
      server = await takeOver({ storm, load, round, way, server, next, result })
    }
    result.mails = machines.reduce((sum, { mails }) => sum + mails.length, 0)
    result.letters = machines.flatMap(({ mails }) => mails).filter(({ key }) => key.startsWith('Letter')).length
    result.acknowledged = load.acknowledged
  } finally {
    for (const machine of machines) await end(machine)
    rmSync(directory, { recursive: true, force: true })
  }
  return { ...result, seconds: (performance.now() - began) / 1_000 }
}

interface Round {
  storm: Storm
  load: Load
  round: number
  way: Way
  server: Machine
  next: Machine
  result: TakeOverResult
}

async function takeOver({ storm, load, round, way, server, next, result }: Round): Promise<Machine> {
  const bad = (what: string) => result.bad.push(`round ${round}, ${way}: ${what}`)
  await load.gather(server, round)
  const running = load.run(server, round)
  await load.campaign(server, round)
  await Bun.sleep(1_500 + Math.random() * 500)
  const at = Date.now()
  if (way === 'killed') server.child?.kill('SIGKILL')
  else if (way === 'frozen') server.child?.kill('SIGSTOP')
  else if (way === 'stopped') server.child?.kill('SIGTERM')
  else await cutOff(storm, server)
  if (way === 'stopped') {
    await server.child?.exited
    await command(environmentOf(storm, next), 'standby', 'take-over')
  }
  const isServing = await until(() => next.said.includes('listening on '), 60_000)
  if (!isServing) bad(`nobody took over: ${next.said}`)
  result.rto.push(Date.now() - at)
  const written = await running()
  const thawedAt = Date.now()
  if (way === 'frozen') server.child?.kill('SIGCONT')
  if (!(await until(() => server.child?.exitCode !== null || server.child.signalCode !== null, 10_000)))
    bad('the former server did not end')
  const late = server.mails.filter((mail) => mail.at > (way === 'frozen' ? thawedAt : at + storm.leaseMs))
  if (late.length > 0) bad(`it mailed ${late.length} after it had lost its lease`)
  const tolerated = way === 'stopped' ? at : at - rpoMs
  const lost = await load.missing(next, written)
  const firstLost = Math.min(...lost.map(({ acknowledgedAt }) => acknowledgedAt))
  const cut = way === 'cut off' ? Math.max(...written.map(({ acknowledgedAt }) => acknowledgedAt)) : at
  result.rpo.push(lost.length === 0 ? 0 : Math.max(0, Math.min(cut, at) - firstLost))
  const early = lost.filter(({ acknowledgedAt }) => acknowledgedAt < tolerated)
  if (early.length > 0) bad(`${early.length} of ${written.length} were lost: ${early[0]?.email}`)
  await judgeMails({ server, next, tolerated, way }, result, bad)
  await judgeUnsubscribed(load, { round, next, tolerated }, bad)
  await fenced(storm, server, bad)
  result.rounds++
  return next
}

/** A restart of the former server: it must see that another has gone on. */
async function fenced(storm: Storm, server: Machine, bad: (what: string) => void): Promise<void> {
  await server.proxy?.[Symbol.asyncDispose]()
  server.proxy = storm.s3Port === null ? null : await proxyTo(storm.s3Port)
  const child = Bun.spawn([...(await program()), 'serve'], {
    env: environmentOf(storm, server),
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) === 0 || !said.includes('took over')) bad(`the former server started again: ${said}`)
  await end(server)
}

/** Twice: by the former server before the last two seconds, and by the next one; or twice by one of them. */
async function judgeMails(
  { server, next, tolerated, way }: { server: Machine; next: Machine; tolerated: number; way: Way },
  result: TakeOverResult,
  bad: (what: string) => void,
): Promise<void> {
  // What waited is mailed at once.
  await Bun.sleep(1_000)
  const former = new Map(server.mails.map((mail) => [mail.key, mail]))
  const twice = next.mails.flatMap(({ key }) => former.get(key) ?? [])
  const early = way === 'stopped' ? twice : twice.filter((mail) => mail.at < tolerated)
  if (early.length > 0) bad(`${early.length} mails went twice: ${early[0]?.key}`)
  result.uncertain += twice.length - early.length
  for (const { mails } of [server, next])
    if (new Set(mails.map(({ key }) => key)).size < mails.length) bad('a machine mailed the same twice')
}

async function judgeUnsubscribed(
  load: Load,
  { round, next, tolerated }: { round: number; next: Machine; tolerated: number },
  bad: (what: string) => void,
): Promise<void> {
  const left = load.unsubscribed.filter(({ acknowledgedAt }) => acknowledgedAt < tolerated).map(({ email }) => email)
  const mailed = next.mails.filter(({ to, key }) => left.includes(to) && key.startsWith(`Letter ${round} `))
  if (mailed.length > 0) bad(`${mailed[0]?.to} had unsubscribed, and was mailed`)
}

async function makeMachine(storm: Storm, machines: Machine[]): Promise<Machine> {
  const mails: Mail[] = []
  const onMessage = ({ to, raw }: { to: string[]; raw: Buffer }) => {
    const subject = /^Subject: (.*)$/m.exec(raw.toString('latin1'))?.[1]?.trim()
    mails.push({ key: `${subject} ${to[0]}`, to: to[0] ?? '', at: Date.now() })
  }
  // So slow that a campaign is under way when its server goes.
  const answer = async (stage: string) => {
    if (stage === 'data') await Bun.sleep(50)
    return undefined
  }
  const machine: Machine = {
    directory: join(storm.directory, `machine-${machines.length}`),
    url: `http://127.0.0.1:${await freePort()}`,
    sink: startSink({ keep: false, onMessage, answer }),
    mails,
    proxy: storm.s3Port === null ? null : await proxyTo(storm.s3Port),
    child: null,
    said: '',
  }
  machines.push(machine)
  return machine
}

function environmentOf({ environment }: Storm, { directory, url, sink, proxy }: Machine) {
  return {
    ...environment,
    DATA_DIR: directory,
    DATABASE_URL: `file:${join(directory, 'paquebot.db')}`,
    PORT: new URL(url).port,
    SMTP_URL: `smtp://127.0.0.1:${sink.port}?maxConnections=${connections}`,
    ...(proxy && { S3_ENDPOINT: `http://127.0.0.1:${proxy.port}` }),
  }
}

async function begin(storm: Storm, machine: Machine, what: 'serve' | 'standby'): Promise<void> {
  const env = environmentOf(storm, machine)
  const child = Bun.spawn([...(await program()), what], { env, stdout: 'ignore', stderr: 'pipe' })
  machine.child = child
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stderr) machine.said += decoder.decode(chunk, { stream: true })
  })()
  const isThere = () => /^(listening|standing by) on /m.test(machine.said)
  if (!(await until(() => isThere() || child.exitCode !== null, 30_000)) || !isThere())
    throw new Error(`${what} did not start: ${machine.said}`)
}

/** It has all that the archive has. */
async function ready({ url, said }: Machine): Promise<void> {
  const isReady = async () => {
    const answer = await fetch(`${url}/readyz`)
    const { isReady, lagSeconds } = (await answer.json()) as { isReady: boolean; lagSeconds: number }
    return isReady && lagSeconds < 1
  }
  if (!(await until(isReady, 60_000))) throw new Error(`the standby was never ready: ${said}`)
}

async function end(machine: Machine): Promise<void> {
  machine.child?.kill('SIGKILL')
  await machine.child?.exited
  machine.sink.stop()
  await machine.proxy?.[Symbol.asyncDispose]()
  rmSync(machine.directory, { recursive: true, force: true })
}

/** A folder cannot be cut off from one machine alone: there the process is killed. */
async function cutOff({ s3Port }: Storm, { proxy, child }: Machine): Promise<void> {
  if (s3Port === null) child?.kill('SIGKILL')
  else await proxy?.[Symbol.asyncDispose]()
}

interface Proxy extends AsyncDisposable {
  port: number
}

/** Passes connections on, and refuses them once it is disposed of. */
async function proxyTo(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const server = createServer((one) => {
    const other = connect(port, '127.0.0.1')
    for (const socket of [one, other]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => socket.destroy())
    }
    one.pipe(other).pipe(one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function until(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > end) return false
    await Bun.sleep(20)
  }
  return true
}

const median = (all: number[]) => all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0
const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

/** The line that a run prints. */
export function lineOf({
  rounds,
  acknowledged,
  mails,
  letters,
  uncertain,
  rpo,
  rto,
  bad,
  seconds,
}: TakeOverResult): string {
  const both = (all: number[]) => `${inSeconds(median(all))}, at worst ${inSeconds(Math.max(0, ...all))}`
  return `take-overs: ${rounds} under load, ${acknowledged} acknowledged, ${mails} mails (${letters} of campaigns), ${uncertain} of the last moments twice, lost ${both(rpo)}, away ${both(rto)}; ${bad.length} bad; ${seconds.toFixed(0)} s`
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { rounds: { type: 'string' }, s3: { type: 'boolean' }, lease: { type: 'string' } },
  })
  const leaseS = Number(values.lease ?? 3)
  const result = await takeOverStorm({ rounds: Number(values.rounds ?? 8), isS3: values.s3 ?? false, leaseS })
  process.stdout.write(`${lineOf(result)}\n`)
  for (const one of result.bad.slice(0, 20)) process.stderr.write(`${one}\n`)
  process.exit(result.bad.length === 0 ? 0 : 1)
}
