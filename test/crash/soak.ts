// `serve` at steady work for half an hour: mails and webhooks at a given rate, a backup each minute that is restored and checked. Nothing
// is lost, memory and open files stay flat, and the log of the database stays small.
// Run: bun test/crash/soak.ts --minutes 30 --rate 200

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { linesOf, until } from '../../tools/process.ts'
import { memoryMiB } from '../support/process-memory.ts'
import { createTemplate, journalOf, judgeMails, reading } from './kill-serve.ts'
import { allDelivered, createEndpoint, judgeWebhooks, password } from './kill-webhooks.ts'
import { command, freePort, serve, startSink } from './server.ts'

const sampleEveryMs = 5_000
const maxSlopeMiB = 1
const maxLogMiB = 64
const mebibyte = 1024 * 1024
const told = ['transactional.email.sent']

export interface Soak {
  minutes: number
  /** Mails a second; each is told to a webhook when it is sent. */
  rate: number
  backupEverySeconds: number
}

interface Sample {
  minute: number
  rssMiB: number
  files: number
  logMiB: number
}

export interface SoakResult {
  acknowledged: number
  refused: number
  webhooks: number
  lost: number
  repeats: number
  broken: string[]
  backups: number
  /** MiB a minute, by least squares, after the first third, in which caches fill. */
  slopeMiB: number
  rssMiB: number
  files: { first: number; last: number }
  logMiB: number
}

export async function soak({ minutes, rate, backupEverySeconds }: Soak): Promise<SoakResult> {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-soak-'))
  const [mails, hooks, backups] = ['mails.log', 'hooks.log', 'backups'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ]
  const sink = await startSink(mails)
  const sinkFile = join(import.meta.dir, '../support/webhook-sink-process.ts')
  const receiver = Bun.spawn(['bun', sinkFile, '--file', hooks], { stdout: 'pipe', stderr: 'inherit' })
  const [, port] = await until(linesOf(receiver.stdout), /listening on (\d+)/)
  const environment = {
    ...process.env,
    DATA_DIR: directory,
    PORT: String(await freePort()),
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    MAIL_FROM: 'soak@paquebot.localhost',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'on',
    API_RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
  }
  const base = `http://127.0.0.1:${environment.PORT}`
  const account = ['--workspace', 'soak', '--email', 'a@example.com', '--password', password]
  const { apiKey } = await command(environment, 'init', ...account)
  const server = await serve(environment)
  await createTemplate(base, apiKey)
  await createEndpoint(base, `http://127.0.0.1:${port}/`, told)

  const over = new AbortController()
  const samples = sampling(server.pid, directory, over.signal)
  const copies = backingUp(environment, backups, { everyMs: backupEverySeconds * 1_000, signal: over.signal })
  const { acknowledged, refused } = await sendSteadily(base, apiKey, { rate, count: minutes * 60 * rate })
  over.abort()
  const [seen, taken] = await Promise.all([samples, copies])
  await allDelivered(join(directory, 'paquebot.db'))
  server.kill('SIGTERM')
  await server.exited
  const { violations } = await command(environment, 'verify')
  sink.kill()
  receiver.kill()
  await receiver.exited
  const journal = await reading(`file:${join(directory, 'paquebot.db')}`, journalOf)
  const sent = judgeMails(journal, mails, acknowledged)
  const arrived = judgeWebhooks(directory, hooks, told)
  rmSync(directory, { recursive: true, force: true })
  const settled = seen.slice(Math.floor(seen.length / 3))
  return {
    acknowledged: acknowledged.length,
    refused,
    webhooks: arrived.events,
    lost: sent.lost.length + arrived.lost.length,
    repeats: sent.duplicates + arrived.repeats,
    broken: violations,
    backups: taken,
    slopeMiB: slopeOf(settled.map(({ minute, rssMiB }) => [minute, rssMiB])),
    rssMiB: Math.max(...seen.map(({ rssMiB }) => rssMiB)),
    files: { first: settled[0]?.files ?? 0, last: settled.at(-1)?.files ?? 0 },
    logMiB: Math.max(...seen.map(({ logMiB }) => logMiB)),
  }
}

/** Whatever comes back: a request is sent when it is due, and again with its key when its connection was closed. */
async function sendSteadily(base: string, apiKey: string, { rate, count }: { rate: number; count: number }) {
  const acknowledged: string[] = []
  let refused = 0
  const send = async (n: number) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': `soak-${n}`,
    }
    const body = JSON.stringify({ email: `r${n}@example.net`, templateId: 'storm', dataVariables: { n } })
    const ask = () => fetch(`${base}/v1/transactional/send`, { method: 'POST', headers, body })
    const response = await ask().catch(ask)
    const { messageId } = (await response.json()) as { messageId?: string }
    if (messageId) acknowledged.push(messageId)
    else refused++
  }
  const sending: Promise<void>[] = []
  const began = performance.now()
  for (let n = 0; n < count; n++) {
    const early = began + (n * 1_000) / rate - performance.now()
    if (early > 1) await Bun.sleep(early)
    sending.push(send(n))
  }
  await Promise.all(sending)
  return { acknowledged, refused }
}

async function sampling(pid: number, directory: string, signal: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = []
  const began = performance.now()
  while (!signal.aborted) {
    await Bun.sleep(sampleEveryMs)
    samples.push({
      minute: (performance.now() - began) / 60_000,
      rssMiB: memoryMiB(pid),
      files: readdirSync(`/proc/${pid}/fd`).length,
      logMiB: statSync(join(directory, 'paquebot.db-wal')).size / mebibyte,
    })
  }
  return samples
}

/** Each is restored and checked by the command that takes it; it fails when something is wrong. Returns how many. */
async function backingUp(
  environment: Record<string, string | undefined>,
  folder: string,
  { everyMs, signal }: { everyMs: number; signal: AbortSignal },
): Promise<number> {
  let taken = 0
  for (let dueAt = performance.now() + everyMs; ; dueAt += everyMs) {
    while (performance.now() < dueAt && !signal.aborted) await Bun.sleep(Math.min(200, everyMs))
    if (signal.aborted) return taken
    await command(environment, 'backup', folder, '--unsealed')
    taken++
  }
}

/** By least squares. */
function slopeOf(points: [x: number, y: number][]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const up = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  return up / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, rate: { type: 'string' } } })
  const [minutes, rate] = [Number(values.minutes ?? 30), Number(values.rate ?? 200)]
  const result = await soak({ minutes, rate, backupEverySeconds: 60 })
  const { files, slopeMiB, logMiB } = result
  process.stdout.write(
    `soak: ${minutes} minutes, ${rate} mails a second: ${result.acknowledged} acknowledged, ${result.refused} refused, ${result.webhooks} webhooks, ${result.lost} lost, ${result.repeats} repeats, ${result.broken.length} broken invariants, ${result.backups} backups restored and checked; memory ${result.rssMiB.toFixed(0)} MiB at most, ${slopeMiB.toFixed(2)} MiB a minute (at most ${maxSlopeMiB}), open files ${files.first} -> ${files.last}, log of the database ${logMiB.toFixed(1)} MiB at most (${maxLogMiB})\n`,
  )
  const isWhole = result.lost + result.repeats + result.refused + result.broken.length === 0
  process.exit(isWhole && slopeMiB <= maxSlopeMiB && logMiB <= maxLogMiB ? 0 : 1)
}
