// Where the time of the statements goes: a campaign, sends and webhooks of 5,000 each, every statement of them recorded with its values,
// and run again, bare and in the same order, on a copy of the same database by a process that does nothing else (replay-bare.ts).
// Run: bun test/bench/replay.ts [campaign] [sends] [webhooks] [--of 5000] [--rounds 3]

import { deserialize } from 'bun:jsc'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { workspaces } from '../../db/tables/workspaces.ts'
import { createApp, write } from '../../src/core/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { createEndpoint } from '../../src/features/webhooks/endpoints.ts'
import { rotateSecret } from '../../src/features/webhooks/secrets.ts'
import { startSink } from '../support/smtp-sink.ts'
import { seedAudience } from './audience.ts'
import { median } from './figures.ts'
import type { Replayed } from './replay-bare.ts'
import { type Serving, serving } from './serve.ts'
import type { Call } from './statement-recorder.ts'

const { values, positionals } = parseArgs({
  options: { of: { type: 'string' }, rounds: { type: 'string' } },
  allowPositionals: true,
})
const of = Number(values.of ?? 5_000)
const rounds = Number(values.rounds ?? 3)
const main = join(import.meta.dir, '../../src/main.ts')
const shown = 24
/** Of a statement. */
const width = 160

const sink = startSink({ keep: false })
const hooked = { count: 0 }
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch() {
    hooked.count++
    return new Response('ok')
  },
})

const environment = {
  SMTP_URL: sink.url,
  MAIL_FROM: 'bench@paquebot.localhost',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  WEBHOOK_ALLOW_HTTP: 'on',
}
const endpoints = 50

interface Work {
  /** While no server has the file open. */
  seed?(directory: string): void | Promise<void>
  prepare?(product: Serving): Promise<void>
  run(product: Serving): Promise<void>
}

const works: Record<string, Work> = {
  campaign: {
    seed(directory) {
      const cap = ['workspace', 'set-trust', '--workspace', 'bench', '--level', 'M1', '--cap', '999999999']
      Bun.spawnSync(['bun', main, ...cap], { env: { ...process.env, DATA_DIR: directory } })
      seedAudience(directory, of, 'warm')
      seedAudience(directory, of, 'measured')
    },
    prepare: async (product) => await campaignTo(product, 'warm'),
    run: async (product) => await campaignTo(product, 'measured'),
  },
  sends: {
    async prepare(product) {
      const content = [{ type: 'text', text: 'Hello {{name}}' }]
      await product.post('/v1/transactional/create', { id: 'receipt', name: 'R', subject: 'R', content })
      await sends(product, 'warm')
    },
    run: async (product) => await sends(product, 'measured'),
  },
  webhooks: {
    seed: addEndpoints,
    prepare: async (product) => await contacts(product, 'warm'),
    run: async (product) => await contacts(product, 'measured'),
  },
}

async function campaignTo(product: Serving, list: string): Promise<void> {
  const paragraph = 'The quick brown fox jumps over the lazy dog, and then it writes a letter home about it. '
  const content = [
    { type: 'heading', text: 'Hello {{contact.firstName}}' },
    ...Array.from({ length: 8 }, () => ({ type: 'text', text: paragraph.repeat(6) })),
  ]
  const body = { name: list, subject: 'For {{contact.firstName}}', mailingListId: list, content }
  const { id } = (await product.post('/v1/campaigns', body)) as { id: string }
  await product.post(`/v1/campaigns/${id}/send`, {})
  for (;;) {
    const { status } = (await product.get(`/v1/campaigns/${id}`)) as { status: string }
    if (status === 'sent') return
    await Bun.sleep(50)
  }
}

async function sends(product: Serving, name: string): Promise<void> {
  const before = sink.count()
  await inFlight(64, of, (n) =>
    product.post('/v1/transactional/send', {
      email: `${name}${n}@example.org`,
      templateId: 'receipt',
      dataVariables: { name },
    }),
  )
  await sink.whenReceived(before + of)
}

async function addEndpoints(directory: string): Promise<void> {
  const app = await createApp(readConfig({ ...environment, DATA_DIR: directory, LOG_LEVEL: 'error' }, directory))
  const [workspace] = await app.db.select().from(workspaces)
  for (let n = 0; n < endpoints; n++) {
    const input = { url: `${receiver.url}${n}`, status: 'active' as const, maxPerSecond: null }
    const { id } = await write(app, (tx) => createEndpoint(tx, workspace?.id ?? '', input))
    await rotateSecret(app, workspace?.id ?? '', id, 0)
  }
  await app.close()
}

/** One webhook goes to each endpoint. */
async function contacts(product: Serving, name: string): Promise<void> {
  const before = hooked.count
  await inFlight(8, of / endpoints, (n) => product.post('/v1/contacts/create', { email: `${name}${n}@example.org` }))
  while (hooked.count < before + of) await Bun.sleep(20)
}

async function inFlight(many: number, times: number, call: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const one = async () => {
    while (next < times) await call(next++)
  }
  await Promise.all(Array.from({ length: many }, one))
}

interface Figure {
  text: string
  calls: number
  product: number
  bare: number
  withoutTriggers: number
  /** Tables that its plan reads from end to end. */
  scans: string[]
}

/** Microseconds each. */
function medianOf(runs: Replayed[], text: string): number {
  return median(runs.map(({ statements }) => (statements[text] ?? 0) / 1_000 / of))
}

async function measure(name: string, work: Work): Promise<void> {
  await using product = await serving(environment, work.seed, { recordStatements: true })
  await work.prepare?.(product)
  const folder = mkdtempSync(join(tmpdir(), 'paquebot-replay-'))
  const copy = join(folder, 'before.db')
  // In a process of its own: to close the file drops SQLite's locks in the whole process.
  child('replay-copy.ts', join(product.directory, 'paquebot.db'), copy)
  await product.recorded()
  const [cpuBefore, mainBefore] = [product.cpuSeconds(), product.mainSeconds()]
  await work.run(product)
  const [cpu, mainThread] = [product.cpuSeconds() - cpuBefore, product.mainSeconds() - mainBefore]
  const file = await product.recorded()
  const calls = deserialize(readFileSync(file)) as Call[]
  const runs = { bare: [] as Replayed[], withoutTriggers: [] as Replayed[] }
  for (let round = 0; round < rounds; round++)
    for (const how of ['bare', 'withoutTriggers'] as const) {
      const again = mkdtempSync(join(folder, how))
      runs[how].push(JSON.parse(child('replay-bare.ts', copy, again, file, how)) as Replayed)
      rmSync(again, { recursive: true })
    }
  rmSync(file)
  rmSync(folder, { recursive: true })
  const figures = [...Map.groupBy(calls, ({ text }) => text)]
    .map(
      ([text, same]): Figure => ({
        text,
        calls: same.length,
        product: same.reduce((sum, { nanoseconds }) => sum + nanoseconds, 0) / 1_000 / of,
        bare: medianOf(runs.bare, text),
        withoutTriggers: medianOf(runs.withoutTriggers, text),
        scans: runs.bare[0]?.scans[text] ?? [],
      }),
    )
    .sort((one, other) => other.product - one.product)
  const sum = (of: 'product' | 'bare' | 'withoutTriggers') =>
    figures.reduce((total, figure) => total + figure[of], 0).toFixed(1)
  process.stdout.write(
    `replay, ${name} of ${of}: main thread ${((mainThread / of) * 1e6).toFixed(0)} us each, all threads ${((cpu / of) * 1e6).toFixed(0)}; ${(calls.length / of).toFixed(2)} statements, ${sum('product')} us in the product, ${sum('bare')} us bare, ${sum('withoutTriggers')} us without triggers\n`,
  )
  for (const { text, calls, scans, ...us } of figures.slice(0, shown)) {
    const columns = [us.product, us.bare, us.withoutTriggers].map((one) => one.toFixed(2).padStart(8)).join('')
    const plan = scans.length === 0 ? '' : `  READS ALL OF ${scans.join(', ')}`
    process.stdout.write(
      `${String(calls).padStart(7)}${columns}  ${text.replaceAll(/\s+/g, ' ').slice(0, width)}${plan}\n`,
    )
  }
}

function child(file: string, ...args: string[]): string {
  const { stdout, success } = Bun.spawnSync(['bun', join(import.meta.dir, file), ...args], { stderr: 'inherit' })
  if (!success) throw new Error(`${file} failed`)
  return stdout.toString()
}

for (const [name, work] of Object.entries(works))
  if (positionals.length === 0 || positionals.includes(name)) await measure(name, work)
sink.stop()
receiver.stop(true)
process.exit(0)
