// Sequences at work, as a process of their own. Steps a second, beside the same rows written bare by prepared statements in the same run, in
// turns, medians; mails of a step a second. 100,000 people put in by a segment: how long that takes, and how long a transactional mail takes
// meanwhile, beside none. Then a million people who wait: what the idle server costs, and how soon an event wakes its person, to the
// arrival of the mail that follows. Run: bun test/bench/sequences.ts [--people 50000] [--enrolled 100000] [--million 1000000] [--rounds 3]

import { Database as SQLite } from 'bun:sqlite'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createApp, write } from '../../src/core/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { setTrustLevel } from '../../src/features/campaigns/reputation/trust-level.ts'
import { changeSettings } from '../../src/people/campaign-settings.ts'
import { getWorkspaceBySlug } from '../../src/people/workspaces.ts'
import { startSink } from '../support/smtp-sink.ts'
import { seedAudience } from './audience.ts'
import { median, percentile } from './figures.ts'
import { type Serving, serving } from './serve.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string' },
    enrolled: { type: 'string' },
    million: { type: 'string' },
    rounds: { type: 'string' },
  },
})
const people = Number(values.people ?? 50_000)
const enrolled = Number(values.enrolled ?? 100_000)
const million = Number(values.million ?? 1_000_000)
const rounds = Number(values.rounds ?? 3)

const dayMs = 86_400_000
const day = { amount: 1, unit: 'd' }
const text = [{ type: 'text', text: 'Hello {{contact.firstName|there}}' }]
const idleSeconds = 10
const mailsMeanwhile = 200

const arrived = new Map<string, number>()
const sink = startSink({
  keep: false,
  onMessage: ({ to: [address = ''] }) => {
    if (!address.startsWith('lst_') || address.startsWith('lst_waiting')) arrived.set(address, performance.now())
  },
})

async function start(lists: Record<string, number>): Promise<Serving> {
  const environment = { SMTP_URL: sink.url, MAIL_FROM: 'bench@paquebot.localhost' }
  const prepare = (directory: string) => {
    for (const [name, size] of Object.entries(lists)) seedAudience(directory, size, `lst_${name}`)
  }
  const product = await serving(environment, prepare, { countStatements: true })
  const app = await createApp(readConfig({ DATA_DIR: product.directory, LOG_LEVEL: 'error' }, product.directory))
  const workspace = await getWorkspaceBySlug(app, 'bench')
  await write(app, async (tx) => {
    await setTrustLevel(tx, workspace, 'M1')
    await changeSettings(tx, workspace.id, { dailyCap: 999_999_999, hoursBetween: 0, mailsPerWeek: 0 })
  })
  await app.close()
  await product.post('/v1/transactional/create', { id: 'letter', name: 'L', subject: 'L', content: text })
  return product
}

/** Published, and paused if it is to begin with people who are in it already. */
async function publish(product: Serving, definition: object, { paused = false } = {}): Promise<string> {
  const made = (await product.post('/v1/sequences', { name: 'Bench', definition })) as {
    id: string
    contentHash: string
  }
  await product.post(`/v1/sequences/${made.id}/publish`, { contentHash: made.contentHash })
  if (paused) await product.post(`/v1/sequences/${made.id}/pause`, {})
  return made.id
}

/** The database beside its server, which writes nothing meanwhile but its own upkeep. */
function fileOf({ directory }: Serving): SQLite {
  const database = new SQLite(join(directory, 'paquebot.db'))
  database.run('PRAGMA busy_timeout = 10000')
  return database
}

/** Everybody of a list waits at a step; written straight into the file of a server that is idle. */
function putIn(product: Serving, place: { sequenceId: string; stepId: string; dueAt: number; list: string }): void {
  const { sequenceId, stepId, dueAt, list } = place
  using database = fileOf(product)
  const now = Date.now()
  const { changes } = database.run(
    `INSERT INTO sequence_runs (id, workspace_id, sequence_id, version, contact_id, key, state, step_id, entered, entered_at, due_at, started_at)
     SELECT 'run_' || printf('%012x', ?) || lower(hex(randomblob(10))), workspace_id, ?, 1, contact_id, '', 'waiting', ?, 1, ?, ?, ?
     FROM subscriptions WHERE mailing_list_id = ?`,
    [now, sequenceId, stepId, now, dueAt, now, `lst_${list}`],
  )
  database.run(`INSERT INTO sequence_people (sequence_id, state, people) VALUES (?, 'waiting', ?)`, [
    sequenceId,
    changes,
  ])
  database.run(
    `INSERT INTO sequence_step_counts (sequence_id, version, step_id, entered, here, sent, skipped) VALUES (?, 1, ?, ?, ?, 0, 0)`,
    [sequenceId, stepId, changes, changes],
  )
}

interface Shown {
  people: Record<string, number>
  steps: { stepId: string; here: number }[]
}

const shown = async (product: Serving, id: string) => (await product.get(`/v1/sequences/${id}`)) as Shown

async function until(product: Serving, id: string, isSo: (shown: Shown) => boolean): Promise<void> {
  while (!isSo(await shown(product, id))) await Bun.sleep(20)
}

/** One step of everybody, in a transaction of its own for each page, as a server takes them in the course of days. */
async function steps(product: Serving, list: string): Promise<{ rate: number; mainUs: number }> {
  const waits = ['one', 'two'].map((id) => ({ id, type: 'wait', for: day }))
  const sequenceId = await publish(product, { steps: waits }, { paused: true })
  putIn(product, { sequenceId, stepId: 'one', dueAt: Date.now(), list })
  const [began, main] = [performance.now(), product.mainSeconds()]
  await product.post(`/v1/sequences/${sequenceId}/resume`, {})
  await until(product, sequenceId, (now) => now.steps.some(({ stepId, here }) => stepId === 'two' && here === people))
  const seconds = (performance.now() - began) / 1_000
  return { rate: people / seconds, mainUs: ((product.mainSeconds() - main) / people) * 1e6 }
}

/** The rows of such a step: the line of the path and the run, 250 in a transaction; and the counts. */
function bare(product: Serving, list: string): number {
  const sequenceId = `seq_bare_${list}_${Bun.randomUUIDv7('hex')}`
  putIn(product, { sequenceId, stepId: 'one', dueAt: Date.now(), list })
  using database = fileOf(product)
  const due = database.prepare<{ id: string }, [string, number]>(
    `SELECT * FROM sequence_runs WHERE sequence_id = ? AND state = 'waiting' AND due_at <= ? ORDER BY due_at LIMIT 250`,
  )
  const line = database.prepare(
    `INSERT INTO sequence_path (run_id, number, step_id, at, outcome, detail, message_id) VALUES (?, 1, 'one', ?, 'waited', NULL, NULL)`,
  )
  const run = database.prepare(
    `UPDATE sequence_runs SET step_id = 'two', entered = 2, entered_at = ?, due_at = ? WHERE id = ?`,
  )
  const counts = database.prepare(
    `UPDATE sequence_step_counts SET here = here - ? WHERE sequence_id = ? AND version = 1 AND step_id = 'one'`,
  )
  const began = performance.now()
  const page = database.transaction((now: number) => {
    const rows = due.all(sequenceId, now)
    for (const { id } of rows) {
      line.run(id, now)
      run.run(now, now + dayMs, id)
    }
    counts.run(rows.length, sequenceId)
    return rows.length
  })
  while (page.immediate(Date.now()) > 0);
  return people / ((performance.now() - began) / 1_000)
}

interface MailFigures {
  rate: number
  mainUs: number
  statements: number
}

/** Everybody's mail, from the preparation to the end. */
async function mails(product: Serving, list: string): Promise<MailFigures> {
  const steps = [{ id: 'mail', type: 'send', templateId: 'letter' }]
  const sequenceId = await publish(product, { steps }, { paused: true })
  putIn(product, { sequenceId, stepId: 'mail', dueAt: Date.now(), list })
  const [began, main, before] = [performance.now(), product.mainSeconds(), await product.counted()]
  await product.post(`/v1/sequences/${sequenceId}/resume`, {})
  await until(product, sequenceId, (now) => now.people['completed'] === people)
  const after = await product.counted()
  return {
    rate: people / ((performance.now() - began) / 1_000),
    mainUs: ((product.mainSeconds() - main) / people) * 1e6,
    statements: (after.statements - before.statements) / people,
  }
}

async function throughput(): Promise<void> {
  const names = Array.from({ length: rounds + 1 }, (_, round) => `round${round}`)
  await using product = await start(Object.fromEntries(names.map((name) => [name, people])))
  const figures = { ours: [] as number[], mainUs: [] as number[], floor: [] as number[], mails: [] as MailFigures[] }
  for (const [round, name] of names.entries()) {
    const { rate, mainUs } = await steps(product, name)
    const floor = bare(product, name)
    const mail = await mails(product, name)
    // The first round warms up.
    if (round === 0) continue
    figures.ours.push(rate)
    figures.mainUs.push(mainUs)
    figures.floor.push(floor)
    figures.mails.push(mail)
  }
  const [ours, floor] = [median(figures.ours), median(figures.floor)]
  const ofMails = (name: keyof MailFigures) => median(figures.mails.map((one) => one[name]))
  process.stdout.write(
    `sequences (${people} people): ${ours.toFixed(0)} steps/s (at least 3,000), ${median(figures.mainUs).toFixed(0)} us of the main thread a step; the same rows bare ${floor.toFixed(0)}/s: ratio ${(ours / floor).toFixed(2)}; ${ofMails('rate').toFixed(0)} mails/s from their step to its end, ${ofMails('mainUs').toFixed(0)} us of the main thread and ${ofMails('statements').toFixed(1)} statements a mail; ${product.rssMiB().toFixed(0)} MiB\n`,
  )
}

let sends = 0

/** How long a transactional mail takes from the request to its arrival, one after the other. */
async function latencies(product: Serving, isOver: () => boolean): Promise<number[]> {
  const waits: number[] = []
  while (!isOver() || waits.length < mailsMeanwhile / 4) {
    const email = `tx${sends++}@example.org`
    const at = performance.now()
    await product.post('/v1/transactional/send', { email, templateId: 'letter' })
    while (!arrived.has(email)) await Bun.sleep(1)
    waits.push((arrived.get(email) ?? 0) - at)
    if (waits.length >= mailsMeanwhile * 10) break
    await Bun.sleep(10)
  }
  return waits
}

async function enrolment(): Promise<void> {
  await using product = await start({ everybody: enrolled })
  let alone = 0
  await latencies(product, () => alone++ >= mailsMeanwhile)
  alone = 0
  const before = await latencies(product, () => alone++ >= mailsMeanwhile)
  const sequenceId = await publish(product, { steps: [{ id: 'rest', type: 'wait', for: day }] })
  const segment = { name: 'All', filter: { list: 'lst_everybody' } }
  const { id: segmentId } = (await product.post('/v1/segments', segment)) as { id: string }
  const began = performance.now()
  await product.post(`/v1/sequences/${sequenceId}/enrol`, { segmentId })
  let isOver = false
  const meanwhile = latencies(product, () => isOver)
  await until(product, sequenceId, (now) => now.people['waiting'] === enrolled)
  const seconds = (performance.now() - began) / 1_000
  isOver = true
  const beside = await meanwhile
  const [p99, p99Meanwhile] = [percentile(before, 0.99), percentile(beside, 0.99)]
  process.stdout.write(
    `sequences: ${enrolled} put in by a segment in ${seconds.toFixed(1)} s (at most 30 for 100,000); p99 of a transactional mail meanwhile ${p99Meanwhile.toFixed(1)} ms (p50 ${median(beside).toFixed(1)}), without ${p99.toFixed(1)} ms (p50 ${median(before).toFixed(1)}): ${(p99Meanwhile / p99).toFixed(2)}x (at most 1.3); ${product.rssMiB().toFixed(0)} MiB\n`,
  )
}

async function waiting(): Promise<void> {
  await using product = await start({ waiting: million })
  const steps = [
    { id: 'order', type: 'event', event: 'ordered', atMost: { amount: 300, unit: 'd' } },
    { id: 'thanks', type: 'send', templateId: 'letter' },
  ]
  const sequenceId = await publish(product, { start: { event: 'signup' }, steps }, { paused: true })
  putIn(product, { sequenceId, stepId: 'order', dueAt: Date.now() + 300 * dayMs, list: 'waiting' })
  await product.post(`/v1/sequences/${sequenceId}/resume`, {})
  await Bun.sleep(2_000)
  const cpu = product.cpuSeconds()
  await Bun.sleep(idleSeconds * 1_000)
  const idle = (product.cpuSeconds() - cpu) / idleSeconds
  const wakes: number[] = []
  for (let n = 0; n < mailsMeanwhile + 50; n++) {
    const email = `lst_waiting.${n}@d${n % 97}.example.net`
    await product.post('/v1/events/send', { eventName: 'ordered', email })
    const at = performance.now()
    while (!arrived.has(email)) await Bun.sleep(1)
    // The first ones warm up.
    if (n >= 50) wakes.push((arrived.get(email) ?? 0) - at)
  }
  process.stdout.write(
    `sequences: ${million} waiting: idle server ${(idle * 100).toFixed(1)} % of a core (at most 1), from the answer of an event to the arrival of the mail it was waited for with p50 ${percentile(wakes, 0.5).toFixed(1)} ms, p99 ${percentile(wakes, 0.99).toFixed(1)} ms (at most 50); ${product.rssMiB().toFixed(0)} MiB\n`,
  )
}

if (rounds > 0) await throughput()
if (enrolled > 0) await enrolment()
if (million > 0) await waiting()
sink.stop()
process.exit(0)
