// An installation moves from its file to a libSQL server and back, again and again, while a campaign is sent and callers write: what was
// acknowledged is at the target, every mail has left once, and nobody waited long. In some rounds the command that moves is killed first,
// at each of its steps: then the servers go on by themselves, and the command is repeated.
// Run: bun test/crash/move-live.ts --rounds 20

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { program } from '../support/program.ts'
import { type Sink, startSink } from '../support/smtp-sink.ts'
import { type Sqld, startSqld } from '../support/sqld.ts'
import { Load, people, type Where, type Written } from './callers.ts'
import { command, freePort } from './server.ts'

/** When the command is killed before it is repeated: at the line that it says then. */
export const kills = {
  never: null,
  copying: /^contacts: /m,
  draining: /end the mail that they are at/,
  fenced: /nobody can write/,
} as const
export type Kill = keyof typeof kills

export interface MoveResult {
  rounds: number
  acknowledged: number
  mails: number
  letters: number
  /** The longest time without an acknowledged write, in ms, of each round whose command was not killed. */
  pauses: number[]
  /** The same of the others: when the command is gone, the servers wait for it. */
  killedPauses: number[]
  refused: Record<number, number>
  bad: string[]
  seconds: number
}

interface Process {
  url: string
  child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>
  said: string
}

interface Storm {
  directory: string
  environment: Record<string, string | undefined>
  processes: Process[]
  servers: Sqld[]
  files: number
}

/** Far more than one command takes, on a machine that others use. */
const withinMs = 90_000
/** Longer than servers wait for a command that is gone. */
const silentForMs = 7_000

export async function moveStorm({
  rounds,
  killOf = (round) => (Object.keys(kills) as Kill[])[round % 4] ?? 'never',
}: {
  rounds: number
  killOf?: (round: number) => Kill
}): Promise<MoveResult> {
  const began = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-move-'))
  const counts = new Map<string, number>()
  const sink = startCounting(counts)
  const storm: Storm = {
    directory,
    environment: {
      ...process.env,
      LOG_LEVEL: 'error',
      DATA_DIR: directory,
      SECRET_KEY: 'a storm of moves, and no more',
      MAIL_FROM: 'Storm <storm@paquebot.localhost>',
      SMTP_URL: `smtp://127.0.0.1:${sink.port}?maxConnections=4`,
      SHUTDOWN_GRACE_MS: '2000',
      DATABASE_URL: `file:${join(directory, 'paquebot.db')}`,
    },
    processes: [],
    servers: [],
    files: 0,
  }
  const result: MoveResult = {
    rounds: 0,
    acknowledged: 0,
    mails: 0,
    letters: 0,
    pauses: [],
    killedPauses: [],
    refused: {},
    bad: [],
    seconds: 0,
  }
  try {
    const { apiKey } = await command(storm.environment, 'init', '--workspace', 'storm', '--email', 'a@example.com')
    const trust = ['--workspace', 'storm', '--level', 'M1', '--cap', '9999999']
    await command(storm.environment, 'workspace', 'set-trust', ...trust)
    await begin(storm, String(storm.environment.DATABASE_URL))
    const where = whoServes(storm)
    const load = new Load(apiKey, 20_000)
    await load.prepare(where)
    let from = String(storm.environment.DATABASE_URL)
    for (let round = 0; round < rounds; round++)
      from = await moveOnce({ storm, load, where, round, kill: killOf(round), counts, result }, from)
    result.acknowledged = load.acknowledged
    result.refused = load.refused
    result.mails = [...counts.values()].reduce((sum, count) => sum + count, 0)
    result.letters = [...counts.keys()].filter((key) => key.startsWith('Letter')).length
  } finally {
    for (const { child } of storm.processes) {
      child.kill('SIGKILL')
      await child.exited
    }
    for (const server of storm.servers) server.stop()
    sink.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { ...result, seconds: (performance.now() - began) / 1_000 }
}

interface Round {
  storm: Storm
  load: Load
  where: Where
  round: number
  kill: Kill
  counts: Map<string, number>
  result: MoveResult
}

/** Returns the database that is served then. */
async function moveOnce({ storm, load, where, round, kill, counts, result }: Round, from: string): Promise<string> {
  const bad = (what: string) => result.bad.push(`round ${round}, ${kill}: ${what}`)
  const toServer = from.startsWith('file:')
  const to = toServer ? await freshServer(storm) : `file:${join(storm.directory, `paquebot-${++storm.files}.db`)}`
  // A file has one server; the rest of a database server end when it moves to a file.
  if (!toServer) await begin(storm, from)
  await load.gather(where, round)
  load.sent = []
  const running = load.run(where, round)
  await load.campaign(where, round)
  await Bun.sleep(500 + Math.random() * 500)
  const pattern = kills[kill]
  if (pattern !== null) {
    if (!(await killed(storm, [from, to], pattern))) bad(`it said no ${pattern}`)
    await goesOn(load, bad)
  }
  const refusal = await move(storm, from, to)
  if (refusal !== null) bad(`it was not moved: ${refusal}`)
  await Bun.sleep(1_000)
  const written = await running()
  await ended(storm, toServer ? storm.processes.length : 1, bad)
  const gap = longestGap([...written, ...load.sent])
  ;(kill === 'never' ? result.pauses : result.killedPauses).push(gap)
  const lost = await load.missing(where, written)
  if (lost.length > 0) bad(`${lost.length} of ${written.length} were lost: ${lost[0]?.email}`)
  await judgeMails({ load, round, counts }, bad)
  result.rounds++
  return to
}

/** Every mail that was to leave has left once. */
async function judgeMails(
  { load, round, counts }: Pick<Round, 'load' | 'round' | 'counts'>,
  bad: (what: string) => void,
): Promise<void> {
  const left = new Set(load.unsubscribed.map(({ email }) => email))
  const all = Array.from({ length: people }, (_, n) => `p${round}-${n}@example.net`)
  const wanted = [
    ...all.filter((email) => !left.has(email)).map((email) => `Letter ${round} ${email}`),
    ...load.sent.map(({ email }) => `Hi ${email}`),
  ]
  const lacking = () => wanted.filter((key) => !counts.has(key))
  if (!(await until(() => lacking().length === 0, withinMs)))
    bad(`${lacking().length} of ${wanted.length} mails never left: ${lacking()[0]}`)
  const twice = [...counts].filter(([, count]) => count > 1)
  if (twice.length > 0) bad(`${twice.length} mails went twice: ${twice[0]?.[0]}`)
}

/** So many processes go on. */
async function ended(storm: Storm, remain: number, bad: (what: string) => void): Promise<void> {
  const alive = () => storm.processes.filter(({ child }) => child.exitCode === null)
  if (!(await until(() => alive().length === remain, 20_000))) bad(`${alive().length} servers are there, not ${remain}`)
  for (const { child, said } of storm.processes)
    if (child.exitCode) bad(`a server ended with ${child.exitCode}: ${said}`)
  storm.processes = alive()
}

/** Null when servers have gone on with it. */
async function move({ environment: env }: Storm, from: string, to: string): Promise<string | null> {
  const whole = [...(await program()), 'copy', from, to, '--live', '--json']
  const child = Bun.spawn(whole, { env, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) return err
  return JSON.parse(out).servers > 0 ? null : out
}

/** Kills the command once it has said that; false when it never did. A target that stands still keeps it at its last step. */
async function killed(storm: Storm, [from, to]: [string, string], pattern: RegExp): Promise<boolean> {
  const command = [...(await program()), 'copy', from, to, '--live', '--json']
  const child = Bun.spawn(command, { env: storm.environment, stdout: 'ignore', stderr: 'pipe' })
  const decoder = new TextDecoder()
  let said = ''
  for await (const chunk of child.stderr) {
    said += decoder.decode(chunk, { stream: true })
    if (pattern.test(said)) child.kill('SIGKILL')
  }
  await child.exited
  return pattern.test(said)
}

/** Whatever became of the command, callers are answered again, and nobody repeats it for them. */
async function goesOn(load: Load, bad: (what: string) => void): Promise<void> {
  const before = load.sent.length
  await Bun.sleep(silentForMs)
  const since = load.sent.slice(before).filter(({ acknowledgedAt }) => Date.now() - acknowledgedAt < 1_000)
  if (since.length === 0) bad('the servers did not go on by themselves')
}

function longestGap(written: Written[]): number {
  const times = written.map(({ acknowledgedAt }) => acknowledgedAt).toSorted((one, other) => one - other)
  return times.slice(1).reduce((longest, at, index) => Math.max(longest, at - (times[index] ?? at)), 0)
}

/** As a proxy finds it: the first that is there. */
function whoServes(storm: Storm): Where {
  const gone = new Set<string>()
  return {
    get url() {
      return storm.processes.find((one) => !gone.has(one.url))?.url ?? ''
    },
    gone: (url) => void gone.add(url),
  }
}

async function begin(storm: Storm, databaseUrl: string): Promise<void> {
  const url = `http://127.0.0.1:${await freePort()}`
  const env = { ...storm.environment, DATABASE_URL: databaseUrl, PORT: new URL(url).port }
  const child = Bun.spawn([...(await program()), 'serve'], { env, stdout: 'ignore', stderr: 'pipe' })
  const one: Process = { url, child, said: '' }
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stderr) one.said += decoder.decode(chunk, { stream: true })
  })()
  const isThere = () => /^listening on /m.test(one.said)
  if (!(await until(() => isThere() || child.exitCode !== null, 30_000)) || !isThere())
    throw new Error(`serve did not start: ${one.said}`)
  storm.processes.push(one)
}

async function freshServer(storm: Storm): Promise<string> {
  for (const former of storm.servers.splice(0)) former.stop()
  const server = await startSqld()
  storm.servers.push(server)
  return await server.freshUrl()
}

/** A mail server so slow that a campaign is under way for seconds. */
function startCounting(counts: Map<string, number>): Sink {
  return startSink({
    keep: false,
    onMessage({ to, raw }) {
      const subject = /^Subject: (.*)$/m.exec(raw.toString('latin1'))?.[1]?.trim()
      const key = `${subject} ${to[0]}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    async answer(stage) {
      if (stage === 'data') await Bun.sleep(60)
      return undefined
    },
  })
}

async function until(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > end) return false
    await Bun.sleep(20)
  }
  return true
}

const worst = (all: number[]) => `${(Math.max(0, ...all) / 1_000).toFixed(2)} s`

/** The line that a run prints. */
export function lineOf(result: MoveResult): string {
  const { rounds, acknowledged, mails, letters, pauses, killedPauses, refused, bad, seconds } = result
  const told = Object.entries(refused).map(([status, count]) => `${count} answered ${status}`)
  return `moves: ${rounds} under load, ${acknowledged} acknowledged, ${mails} mails (${letters} of campaigns), no write for at most ${worst(pauses)}, with a killed command ${worst(killedPauses)}; ${told.join(', ') || 'none refused'}; ${bad.length} bad; ${seconds.toFixed(0)} s`
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { rounds: { type: 'string' } } })
  const result = await moveStorm({ rounds: Number(values.rounds ?? 8) })
  process.stdout.write(`${lineOf(result)}\n`)
  for (const one of result.bad.slice(0, 20)) process.stderr.write(`${one}\n`)
  process.exit(result.bad.length === 0 ? 0 : 1)
}
