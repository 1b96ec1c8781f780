// kill -9 of three relays and of `serve`, one after the other, when a connection of theirs comes to a step of SMTP, at every step, while
// transactional mails and campaigns leave through them (R19). Two relays share the mail, the third is a spare, and has some when both are dead. No
// campaign mail may come twice; a transactional one only where the journal says so, with the same Message-ID and through the same relay.
// Run: bun test/crash/kill-relays.ts --kills 200

import { Database as SQLite } from 'bun:sqlite'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { linesOf } from '../../tools/process.ts'
import { seedAudience } from '../bench/audience.ts'
import { miscounted } from '../support/figures.ts'
import type { SinkStep } from '../support/smtp-sink.ts'
import { reading, sendAll, sendUntilAcknowledged } from './kill-serve.ts'
import { command, freePort, type Server, serve } from './server.ts'

const steps: SinkStep[] = ['connect', 'banner', 'ehlo', 'mail', 'rcpt', 'data', 'body', 'whole', 'dot', 'quit']
/** They come with a connection only, and one that begins is there only while nobody waits. */
const ofConnections: SinkStep[] = ['connect', 'banner', 'ehlo', 'quit']
/** So many connections of a relay come to a step at most before somebody dies there. */
const mostConnections = 2
/** Deaths, as a result names them. */
export const everyStep = steps.flatMap((step) => [`${step} of the relay`, `${step} of the server`])

export interface RelayStorm {
  kills: number
  /** Recipients of one campaign; when it is through, the next one follows. */
  people: number
  /** Mails come to a step so many times at most before somebody dies there: were it the first, each trial of a relay would be cut. */
  between: number
}

export interface RelayStormResult {
  /** At which step who died: `dot of the server`. */
  deaths: string[]
  acknowledged: number
  recipients: number
  uncertain: number
  /** Acknowledged, or sent according to the ledger, and at no relay. */
  lost: string[]
  duplicates: number
  /** Repeats beyond what the journal accounts for; of a campaign: any. */
  twice: string[]
  /** Recipients of a campaign that are neither sent nor uncertain. */
  unexplained: string[]
  /** Taken by two relays, or by another than the journal names. */
  elsewhere: string[]
  /** Invariants, and figures over time that are not the count of their mails. */
  broken: string[]
  seconds: number
}

const spareLists = 60
const clients = 4
/** Between two mails of a client: the campaign shall have its part of the relays. */
const pauseMs = 100
/** Mail that waits for a relay is tried again so often; by itself it would be after half a minute. */
const pressEveryMs = 1_000
/** Hand-overs whose answer is lost, until a transactional mail is left to an operator. */
const mostLost = 3
/** Of a mail, so that it comes in pieces. */
const content = Array.from({ length: 16 }, () => ({ type: 'text', text: 'It blows a gale tonight. '.repeat(160) }))

/** A relay that is started, killed and started again at the same port. */
class Relay {
  readonly name: string
  readonly #port: number
  readonly #file: string
  #child: ReturnType<typeof spawnRelay> | null = null
  #lines: AsyncGenerator<string> | null = null

  constructor(name: string, port: number, file: string) {
    this.name = name
    this.#port = port
    this.#file = file
  }

  url(connections: number): string {
    return `smtp://127.0.0.1:${this.#port}?maxConnections=${connections}`
  }

  async start(): Promise<void> {
    if (this.#child !== null && this.#child.signalCode === null) return
    this.#child = spawnRelay(this.name, this.#port, this.#file)
    this.#lines = linesOf(this.#child.stdout)
    await this.#heard(/^listening/)
  }

  /** What it does when connections have come to the step so many times. */
  async tell(act: 'die' | 'stop', step: SinkStep, times: number): Promise<void> {
    this.#child?.stdin.write(`${act} ${step} ${times}\n`)
    await this.#heard(/^told/)
  }

  async died(): Promise<void> {
    await this.#child?.exited
  }

  async stopped(): Promise<void> {
    await this.#heard(/^stopped/)
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await this.#child?.exited
  }

  async #heard(pattern: RegExp): Promise<void> {
    for (;;) {
      const { value, done } = (await this.#lines?.next()) ?? { done: true }
      if (done) throw new Error(`${this.name} ended before ${pattern}`)
      if (pattern.test(value)) return
    }
  }
}

function spawnRelay(name: string, port: number, file: string) {
  return Bun.spawn(['bun', join(import.meta.dir, 'relay.ts'), name, String(port), file], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
}

interface Round {
  step: SinkStep
  /** Whose connection comes to the step, and whether it dies then, or the server does. */
  relay: number
  dies: 'relay' | 'server'
}

/**
 * Three times each step, at another relay each time; first the relay dies and then the server. So whoever comes to a step of a connection's
 * beginning has none that is open: either it or the server has just begun. What says QUIT to a relay is a change of its address, which that of
 * SMTP_URL has not.
 */
function roundsOf(): Round[] {
  return [0, 1, 2].flatMap((lap) =>
    steps.flatMap((step, index) => {
      const at = { step, relay: step === 'quit' ? 1 : (index + lap) % 3 }
      return [
        { ...at, dies: 'relay' as const },
        { ...at, dies: 'server' as const },
      ]
    }),
  )
}

const spare = 2

export async function relayStorm({ kills, people, between }: RelayStorm): Promise<RelayStormResult> {
  const began = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-storm-'))
  const received = join(directory, 'received.log')
  const ports = [await freePort(), await freePort(), await freePort()]
  const relays = ports.map((port, index) => new Relay(`relay${index}`, port, received))
  const environment = {
    ...process.env,
    DATA_DIR: directory,
    PORT: String(await freePort()),
    SMTP_URL: relays[0]?.url(4),
    MAIL_FROM: 'storm@paquebot.localhost',
    LOG_LEVEL: 'error',
  }
  const base = `http://127.0.0.1:${environment.PORT}`
  const { apiKey } = await command(environment, 'init', '--workspace', 'storm', '--email', 'a@example.com')
  await command(environment, 'workspace', 'set-trust', '--workspace', 'storm', '--level', 'M1', '--cap', '9999999')
  for (let list = 0; list < spareLists; list++) seedAudience(directory, people, `lst_${list}`)
  const call = caller(base, apiKey)
  await Promise.all(relays.map((relay) => relay.start()))
  const scene: Scene = { relays, ids: [null], call, environment, directory, between, server: await serve(environment) }
  for (const [name, weight] of [['Second', 2] as const, ['Spare', 0] as const])
    scene.ids.push((await call('POST', '/v1/relays', { name, weight, url: relays[scene.ids.length]?.url(4) })).id)
  await call('POST', '/v1/transactional/create', { id: 'storm', name: 'Storm', subject: 'Number {{n}}', content })

  const deaths: string[] = []
  const isStorming = () => deaths.length < kills
  const sending = sendAll([base], apiKey, { mails: 0, clients, stillKilling: isStorming, send: pausing(base, apiKey) })
  const campaigning = (async () => {
    for (let list = 0; isStorming() && list < spareLists; list++) await sendCampaign(call, list)
  })()
  const over = new AbortController()
  const pressing = press(call, over.signal)
  const rounds = roundsOf()
  for (let nth = 0; isStorming(); nth++) deaths.push(...(await blow(scene, rounds[nth % rounds.length] as Round)))
  await Promise.all(relays.map((relay) => relay.start()))
  scene.server ??= await serve(environment)
  const acknowledged = await sending
  await campaigning
  await untilNone(directory, open)
  over.abort()
  await pressing
  scene.server.kill('SIGTERM')
  await scene.server.exited
  const { violations } = await command(environment, 'verify')
  await Promise.all(relays.map((relay) => relay.kill()))
  const wrong = await reading(`file:${join(directory, 'paquebot.db')}`, miscounted)
  const names = new Map(scene.ids.map((id, index) => [id, relays[index]?.name]))
  const result = judge({ directory, received, acknowledged, names })
  rmSync(directory, { recursive: true, force: true })
  return { ...result, deaths, broken: [...violations, ...wrong], seconds: (performance.now() - began) / 1_000 }
}

interface Scene {
  relays: Relay[]
  /** By relay; null for that of SMTP_URL. */
  ids: (string | null)[]
  call: Call
  environment: Record<string, string | undefined>
  directory: string
  between: number
  server: Server | null
}

/** All live; then somebody dies at the step. Returns who. */
async function blow(scene: Scene, { step, relay: index, dies }: Round): Promise<string[]> {
  const { relays, directory } = scene
  const deaths: string[] = []
  const relay = relays[index] as Relay
  await Promise.all(relays.map((one) => one.start()))
  if (scene.server && !ofConnections.includes(step)) await untilNone(directory, often)
  const most = step === 'quit' ? 1 : ofConnections.includes(step) ? mostConnections : scene.between
  await relay.tell(dies === 'relay' ? 'die' : 'stop', step, 1 + Math.floor(Math.random() * most))
  scene.server ??= await serve(scene.environment)
  for (const other of index === spare ? relays.filter((one) => one !== relay) : []) {
    await other.kill()
    deaths.push('any step of a relay that shares')
  }
  const there = dies === 'relay' ? relay.died() : relay.stopped()
  if (step === 'quit') await readdress(scene, index, there)
  await there
  if (dies === 'server') {
    scene.server.kill('SIGKILL')
    await scene.server.exited
    scene.server = null
  }
  return [...deaths, `${step} of the ${dies}`]
}

/** Its connections are closed, and others opened. */
async function readdress({ relays, ids, call }: Scene, index: number, there: Promise<void>): Promise<void> {
  let isThere = false
  void there.then(() => {
    isThere = true
  })
  for (let connections = 5; !isThere; connections = 9 - connections) {
    await call('PATCH', `/v1/relays/${ids[index]}`, { url: relays[index]?.url(connections) }).catch(() => {})
    await Bun.sleep(200)
  }
}

/** As an operator who sees that a relay is there again. */
async function press(call: Call, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await call('POST', '/v1/sending-faults/try-again').catch(() => {})
    await Bun.sleep(pressEveryMs)
  }
}

function pausing(base: string, apiKey: string) {
  return async (n: number) => {
    await Bun.sleep(pauseMs)
    return await sendUntilAcknowledged([base], apiKey, n)
  }
}

interface Answer {
  id: string
  status: string
}

type Call = (method: string, path: string, body?: unknown, key?: string) => Promise<Answer>

function caller(base: string, apiKey: string): Call {
  return async (method, path, body = {}, key) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    }
    const response = await fetch(base + path, {
      method,
      headers,
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return await response.json()
  }
}

/** Until it is answered; the key makes it one. */
async function insist(call: Call, path: string, body: object, key: string): Promise<Answer> {
  for (;;) {
    try {
      return await call('POST', path, body, key)
    } catch {
      await Bun.sleep(50)
    }
  }
}

/** Ends when everybody of the list has an outcome. */
async function sendCampaign(call: Call, list: number): Promise<void> {
  const body = { name: 'Storm', subject: 'Storm', mailingListId: `lst_${list}`, content }
  const { id } = await insist(call, '/v1/campaigns', body, `campaign-${list}`)
  await insist(call, `/v1/campaigns/${id}/send`, {}, `send-${list}`)
  while ((await call('GET', `/v1/campaigns/${id}`).catch(() => null))?.status !== 'sent') await Bun.sleep(50)
}

const open = "FROM messages WHERE status IN ('queued', 'sending', 'delayed')"
/** Each death is an attempt of what was under way, and mail ends after nine: so much mail is waited for before the next death. */
const often = "FROM outbox_jobs WHERE state IN ('pending', 'running') AND lane LIKE 'mail.%' AND attempt >= 3"

async function untilNone(directory: string, what: string): Promise<void> {
  using database = new SQLite(join(directory, 'paquebot.db'), { readonly: true })
  const ask = database.query<{ count: number }, []>(`SELECT count(*) AS count ${what}`)
  while ((ask.get()?.count ?? 0) > 0) await Bun.sleep(20)
}

interface Mail {
  id: string
  email: string
  header: string
  kind: string
  status: string
  /** Repeats that the journal accounts for. */
  retries: number
  relayId: string | null
}

interface Evidence {
  directory: string
  received: string
  acknowledged: string[]
  /** Of relays, by id. */
  names: Map<string | null, string | undefined>
}

function judge({ directory, received, acknowledged, names }: Evidence) {
  using database = new SQLite(join(directory, 'paquebot.db'), { readonly: true })
  const mails = database
    .query<Mail, []>(
      `SELECT m.id, m.email, m.message_id_header AS header, m.kind, m.status, coalesce(g.ambiguous_retries, 0) AS retries,
        g.relay_id AS relayId FROM messages m LEFT JOIN send_journal g ON g.message_id = m.id`,
    )
    .all()
  const ledger = database.query<{ state: string }, []>('SELECT state FROM campaign_recipients').all()
  const lines = readFileSync(received, 'utf8').split('\n').filter(Boolean)
  const taken = Map.groupBy(
    lines.map((line) => line.split(' ')),
    ([header]) => header,
  )
  const arrivals = mails.map((mail) => {
    const by = (taken.get(mail.header) ?? []).map(([, , name]) => name)
    return { ...mail, count: by.length, by: new Set(by) }
  })
  const ids = new Set(mails.map(({ id }) => id))
  const told = (test: (mail: (typeof arrivals)[number]) => boolean) =>
    arrivals
      .filter(test)
      .map(
        ({ id, email, kind, status, count, retries, by }) =>
          `${kind} ${id} to ${email} is ${status}, ${count} at ${[...by]}, ${retries} retries`,
      )
  const isListed = ({ kind, status, retries }: Mail) =>
    status === 'uncertain' && (kind === 'campaign' || retries + 1 >= mostLost)
  const most = ({ kind, retries }: Mail) => (kind === 'campaign' ? 1 : 1 + retries)
  return {
    acknowledged: acknowledged.length,
    recipients: ledger.length,
    uncertain: mails.filter(isListed).length,
    duplicates: arrivals.reduce((sum, { count }) => sum + Math.max(0, count - 1), 0),
    lost: [
      ...acknowledged.filter((id) => !ids.has(id)),
      ...told(({ count, status }) => count === 0 && status !== 'uncertain'),
    ],
    twice: told((mail) => mail.count > most(mail)),
    unexplained: [
      ...told((mail) => mail.status !== 'sent' && !isListed(mail)),
      ...ledger
        .filter(({ state }) => state !== 'sent' && state !== 'uncertain')
        .map(({ state }) => `a recipient is ${state}`),
    ],
    elsewhere: told(({ by, relayId }) => by.size > 1 || (by.size === 1 && !by.has(names.get(relayId)))),
  }
}

/** The line that a run prints. */
export function lineOf(result: RelayStormResult): string {
  const { deaths, acknowledged, recipients, uncertain, duplicates, lost, twice, unexplained, elsewhere, broken } =
    result
  const each = Math.min(...everyStep.map((who) => deaths.filter((one) => one === who).length))
  return `relay storm: ${deaths.length} kills, a relay and the server at each of ${steps.length} steps at least ${each} times, ${acknowledged} mails acknowledged, ${recipients} recipients of campaigns, ${uncertain} uncertain and listed, ${lost.length} lost, ${twice.length} twice, ${duplicates} repeats of uncertain mails, ${elsewhere.length} of them elsewhere, ${unexplained.length} unexplained, ${broken.length} invariants broken; ${result.seconds.toFixed(1)} s`
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { kills: { type: 'string' } } })
  const result = await relayStorm({ kills: Number(values.kills ?? 60), people: 1_000, between: 40 })
  process.stdout.write(`${lineOf(result)}\n`)
  const { lost, twice, unexplained, elsewhere, broken } = result
  const faults = [...lost, ...twice, ...unexplained, ...elsewhere, ...broken]
  for (const fault of faults.slice(0, 20)) process.stderr.write(`${fault}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
