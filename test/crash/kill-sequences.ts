// kill -9 of `serve` while people go through a sequence of eight steps, again and again, against a sink that fsyncs before it answers (R1).
// Half of them are put in as a segment, half begin by an event during the storm; each is then told an event that a step waits for, leaves by
// an exit, or reaches the goal. Nobody gets the mail of a step twice, nobody is forgotten, nobody is mailed after an exit that was
// answered; whose mail was at its final dot when the process died is listed as uncertain, and an operator has those sent again.
// Run: bun test/crash/kill-sequences.ts --people 20000 --kills 100

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createApp, write } from '../../src/core/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { changeSettings } from '../../src/people/campaign-settings.ts'
import { getWorkspaceBySlug } from '../../src/people/workspaces.ts'
import { seedAudience } from '../bench/audience.ts'
import { type Ask, miscounted } from '../support/figures.ts'
import { reading } from './kill-serve.ts'
import { command, freePort, killAtRandom, serve, startSink } from './server.ts'

export interface SequenceStorm {
  people: number
  kills: number
  clients: number
  /** True: one of the waits takes a minute, else none takes time. */
  waits: boolean
}

export interface SequenceStormResult {
  people: number
  kills: number
  /** Kills with somebody still on the way. */
  killsUnderWay: number
  mails: number
  completed: number
  exited: number
  uncertain: number
  /** Mails of one step, by person, that the sink has twice and that nobody listed as uncertain. */
  twice: string[]
  /** Sent according to the path of a person, and not in the sink. */
  lost: string[]
  /** Told of in neither way: no run, or one that is not over. */
  forgotten: string[]
  /** Handed over after an exit was answered. */
  afterExit: string[]
  /** Of `paquebot verify`, among them the counts; and figures over time that are not the count of their mails. */
  broken: string[]
  seconds: number
}

const now = { date: 'createdAt' }
const mail = (id: string, more: object = {}) => ({ id, type: 'send', templateId: id, ...more })

/** Whoever is told nothing goes on after a minute. */
const definition = (waits: boolean) => ({
  start: { event: 'begin' },
  exits: [{ event: 'left' }],
  goals: [{ event: 'bought' }],
  steps: [
    mail('first'),
    { id: 'breath', type: 'wait', ...now },
    { id: 'split', type: 'branch', branches: [{ if: { share: 50 }, next: 'one' }], next: 'other' },
    mail('one', { next: 'go' }),
    mail('other'),
    { id: 'go', type: 'event', event: 'go', atMost: { amount: 1, unit: 'm' }, lookBack: { amount: 1, unit: 'h' } },
    { id: 'pause', type: 'wait', ...(waits ? { for: { amount: 1, unit: 'm' } } : now) },
    mail('last'),
  ],
})

export async function sequenceStorm({ people, kills, clients, waits }: SequenceStorm): Promise<SequenceStormResult> {
  const began = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-storm-'))
  const received = join(directory, 'received.log')
  const sink = await startSink(received)
  const environment = {
    ...process.env,
    DATA_DIR: directory,
    PORT: String(await freePort()),
    SMTP_URL: `smtp://127.0.0.1:${sink.port}?maxConnections=20`,
    MAIL_FROM: 'storm@paquebot.localhost',
    LOG_LEVEL: 'error',
  }
  const { apiKey } = await command(environment, 'init', '--workspace', 'storm', '--email', 'a@example.com')
  await command(environment, 'workspace', 'set-trust', '--workspace', 'storm', '--level', 'M1', '--cap', '9999999')
  await withoutLimits(directory)
  seedAudience(directory, people / 2, 'lst_storm')
  const call = caller(`http://127.0.0.1:${environment.PORT}`, apiKey)
  let server = await serve(environment)
  const sequenceId = await arrange(call, waits)

  let killed = 0
  let killsUnderWay = 0
  const told: Told[] = []
  const killer = (async () => {
    while (killed < kills) {
      server = await killAtRandom(server, environment)
      killed++
      if (await isUnderWay(call, sequenceId)) killsUnderWay++
    }
  })()
  let next = 0
  const client = async () => {
    while (next < people) {
      // They are spread over the storm.
      if (next > (people * (killed + 1)) / kills) await Bun.sleep(5)
      else told.push(await tell(call, next++, waits))
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  await killer
  await untilQuiet(call, sequenceId)
  const database = `file:${join(directory, 'paquebot.db')}`
  const uncertain = await reading(database, uncertainMails)
  // At most 1,000 of them are taken at once.
  while ((await call('POST', '/v1/jobs/resolve', { verdict: 'resend', lane: 'mail.campaign' })).results.length > 0);
  await untilQuiet(call, sequenceId)
  const { people: states } = await call('GET', `/v1/sequences/${sequenceId}`)
  server.kill('SIGTERM')
  await server.exited
  const { violations } = await command(environment, 'verify')
  const judged = await reading(database, (ask) => judge(ask, { received, told, uncertain, people }))
  const wrong = await reading(database, miscounted)
  sink.kill()
  rmSync(directory, { recursive: true, force: true })
  const { completed = 0, exited = 0 } = states
  const counts = { people, kills: killed, killsUnderWay, completed, exited, uncertain: uncertain.size }
  return { ...counts, ...judged, broken: [...violations, ...wrong], seconds: (performance.now() - began) / 1_000 }
}

/** Whoever goes through a sequence in seconds gets more than one mail in 16 hours. */
async function withoutLimits(directory: string): Promise<void> {
  const app = await createApp(readConfig({ DATA_DIR: directory, LOG_LEVEL: 'error' }, directory))
  const { id } = await getWorkspaceBySlug(app, 'storm')
  await write(app, (tx) => changeSettings(tx, id, { hoursBetween: 0, mailsPerWeek: 0 }))
  await app.close()
}

type Call = (method: string, path: string, body?: unknown, key?: string) => Promise<Answer>

interface Answer {
  id: string
  contentHash: string
  people: Record<string, number>
  results: unknown[]
}

/** Repeats what a kill has cut off, until it is answered. */
function caller(base: string, apiKey: string): Call {
  return async (method, path, body, key) => {
    const headers: Record<string, string> = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    if (key !== undefined) headers['idempotency-key'] = key
    for (;;) {
      const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const response = await fetch(base + path, request).catch(() => null)
      const answer = await response?.json().catch(() => null)
      if (response?.ok && answer) return answer
      if (answer && response && response.status !== 503 && response.status !== 409)
        throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
      await Bun.sleep(5)
    }
  }
}

async function arrange(call: Call, waits: boolean): Promise<string> {
  for (const id of ['first', 'one', 'other', 'last']) {
    const content = [{ type: 'text', text: `Hello {{contact.firstName|there}}, ${id}` }]
    await call('POST', '/v1/transactional/create', { id, name: id, subject: id, content })
  }
  const { id, contentHash } = await call('POST', '/v1/sequences', { name: 'Storm', definition: definition(waits) })
  await call('POST', `/v1/sequences/${id}/publish`, { contentHash })
  const segment = await call('POST', '/v1/segments', { name: 'Everybody', filter: { list: 'lst_storm' } })
  await call('POST', `/v1/sequences/${id}/enrol`, { segmentId: segment.id })
  return id
}

interface Told {
  email: string
  event: 'left' | 'bought' | null
  /** When it was sent, and when it was answered. */
  from: number
  at: number
}

/** With `waits`, some are not told what they wait for. */
async function tell(call: Call, n: number, waits: boolean): Promise<Told> {
  const isSeeded = n % 2 === 0
  const seeded = n / 2
  const email = isSeeded ? `lst_storm.${seeded}@d${seeded % 97}.example.net` : `new.${n}@d${n % 97}.example.net`
  const send = (eventName: string) => call('POST', '/v1/events/send', { eventName, email }, `${eventName}-${n}`)
  if (!isSeeded) await send('begin')
  if (!waits || n % 7 > 2) await send('go')
  const event = n % 7 === 0 ? 'left' : n % 7 === 1 ? 'bought' : null
  const from = Date.now()
  if (event !== null) await send(event)
  return { email, event, from, at: Date.now() }
}

async function isUnderWay(call: Call, id: string): Promise<boolean> {
  const { waiting = 0, sending = 0 } = (await call('GET', `/v1/sequences/${id}`)).people
  return waiting + sending > 0
}

/** Until nobody is on the way, and nobody is to be put in. */
async function untilQuiet(call: Call, id: string): Promise<void> {
  while (await isUnderWay(call, id)) await Bun.sleep(100)
}

/** The messages whose end nobody knows. */
async function uncertainMails(ask: Ask): Promise<Set<string>> {
  const rows = await ask(`SELECT message_id AS id FROM sequence_runs WHERE state = 'uncertain'`)
  return new Set(rows.map(({ id }) => String(id)))
}

interface Seen {
  received: string
  told: Told[]
  uncertain: Set<string>
  people: number
}

async function judge(ask: Ask, { received, told, uncertain, people }: Seen) {
  const counts = new Map<string, number>()
  for (const line of readFileSync(received, 'utf8').split('\n').filter(Boolean)) {
    const id = line.split('@')[0] ?? ''
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const mails =
    await ask(`SELECT m.id, m.email, m.template_id AS step, g.handed_over_at AS at, r.started_at AS began, r.state
    FROM messages m JOIN contacts c ON c.id = m.contact_id JOIN sequence_runs r ON r.contact_id = c.id
    LEFT JOIN send_journal g ON g.message_id = m.id`)
  const steps = Map.groupBy(mails, ({ email, step }) => `${email} ${step}`)
  const arrivals = (list: typeof mails) => list.reduce((sum, { id }) => sum + (counts.get(String(id)) ?? 0), 0)
  const mayBeTwice = (list: typeof mails) => list.some(({ id }) => uncertain.has(String(id)))
  const exits = new Map(told.flatMap((one) => (one.event === null ? [] : [[one.email, one]])))
  const sent = await ask(`SELECT message_id AS id, step_id AS step FROM sequence_path WHERE outcome = 'sent'`)
  const runs = await ask('SELECT c.email, r.state FROM contacts c LEFT JOIN sequence_runs r ON r.contact_id = c.id')
  const over = runs.filter(({ state }) => state === 'completed' || state === 'exited')
  return {
    mails: counts.values().reduce((sum, count) => sum + count, 0),
    twice: [...steps].filter(([, list]) => arrivals(list) > (mayBeTwice(list) ? 2 : 1)).map(([name]) => name),
    lost: sent.filter(({ id }) => !counts.has(String(id))).map(({ id, step }) => `${id} ${step}`),
    forgotten: [
      ...runs.filter((one) => !over.includes(one)).map(({ email, state }) => `${email} ${state}`),
      ...(over.length === people ? [] : [`${over.length} of ${people} are over`]),
    ],
    afterExit: mails
      .filter(({ email, at, began }) => {
        const exit = exits.get(String(email))
        return exit !== undefined && Number(began) < exit.from && Number(at) > exit.at
      })
      .map(({ email, step, at }) => `${email} ${step} ${at}`),
  }
}

/** The line that a run prints. */
export function lineOf(result: SequenceStormResult): string {
  const { people, kills, killsUnderWay, mails, completed, exited, uncertain, seconds } = result
  const { twice, lost, forgotten, afterExit } = result
  return `sequence storm: ${kills} kills, ${killsUnderWay} of them with people on the way, ${people} people, ${mails} mails, ${completed} completed, ${exited} exited, ${uncertain} uncertain and listed, then sent again; ${twice.length} twice, ${lost.length} lost, ${forgotten.length} forgotten, ${afterExit.length} after an exit; ${seconds.toFixed(1)} s`
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { people: { type: 'string' }, kills: { type: 'string' } } })
  const sizes = { people: Number(values.people ?? 2_000), kills: Number(values.kills ?? 40) }
  const result = await sequenceStorm({ ...sizes, clients: 8, waits: true })
  process.stdout.write(`${lineOf(result)}\n`)
  const { twice, lost, forgotten, afterExit, broken } = result
  const faults = [...twice, ...lost, ...forgotten, ...afterExit, ...broken]
  for (const fault of faults.slice(0, 20)) process.stderr.write(`${fault}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
