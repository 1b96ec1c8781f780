// kill -9 of `serve` while it delivers webhooks, again and again, to a receiver that fsyncs before it answers. Every event that
// was committed must arrive at least once, under its own Webhook-Id every time.
// Run: bun test/crash/kill-webhooks.ts --mails 1000 --kills 20

import { Database as SQLite } from 'bun:sqlite'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { linesOf, until } from '../../tools/process.ts'
import { createTemplate, sendAll } from './kill-serve.ts'
import { command, freePort, killAtRandom, serve } from './server.ts'

export interface WebhookStormResult {
  kills: number
  events: number
  /** Webhook-Ids that never came. */
  lost: string[]
  /** Ids that came and belong to no event. */
  strange: string[]
  /** Arrivals beyond the first. */
  repeats: number
  broken: string[]
}

export const password = 'correct horse battery'

export async function killWebhookStorm({
  mails,
  kills,
}: {
  mails: number
  kills: number
}): Promise<WebhookStormResult> {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-storm-'))
  const received = join(directory, 'received.log')
  const sinkFile = join(import.meta.dir, '../support/webhook-sink-process.ts')
  const sink = Bun.spawn(['bun', sinkFile, '--file', received], { stdout: 'pipe', stderr: 'inherit' })
  const sinkPort = Number((await until(linesOf(sink.stdout), /listening on (\d+)/))[1])
  const environment = {
    ...process.env,
    DATA_DIR: directory,
    PORT: String(await freePort()),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'on',
    LOG_LEVEL: 'error',
  }
  const base = `http://127.0.0.1:${environment.PORT}`
  const account = ['--workspace', 'storm', '--email', 'a@example.com', '--password', password]
  const { apiKey } = await command(environment, 'init', ...account)
  let server = await serve(environment)
  await createTemplate(base, apiKey)
  await createEndpoint(base, `http://127.0.0.1:${sinkPort}/`)

  let killed = 0
  const killer = (async () => {
    while (killed < kills) {
      server = await killAtRandom(server, environment)
      killed++
    }
  })()
  await sendAll([base], apiKey, { mails, clients: 8, stillKilling: () => killed < kills })
  await killer
  await allDelivered(join(directory, 'paquebot.db'))
  server.kill('SIGTERM')
  await server.exited
  const { violations } = await command(environment, 'verify')
  sink.kill()
  await sink.exited
  const result = judgeWebhooks(directory, received)
  rmSync(directory, { recursive: true, force: true })
  return { ...result, kills: killed, broken: violations }
}

/** `eventFilters`: which types; all if there are none. */
export async function createEndpoint(base: string, url: string, eventFilters: string[] = []): Promise<void> {
  const headers = { 'content-type': 'application/json', origin: base }
  const body = JSON.stringify({ email: 'a@example.com', password })
  const login = await fetch(`${base}/v1/auth/login`, { method: 'POST', headers, body })
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const endpoint = JSON.stringify({ url, status: 'active', maxPerSecond: null, eventFilters })
  const options = { method: 'POST', headers: { ...headers, cookie }, body: endpoint }
  const response = await fetch(`${base}/v1/webhook-endpoints`, options)
  if (response.status !== 201) throw new Error(`the endpoint was refused: ${await response.text()}`)
}

export async function allDelivered(file: string): Promise<void> {
  const database = new SQLite(file, { readonly: true })
  const open = database.query<{ open: number }, []>(
    "SELECT count(*) AS open FROM outbox_jobs WHERE state IN ('pending', 'running')",
  )
  while ((open.get()?.open ?? 0) > 0) await Bun.sleep(50)
  database.close()
}

/** `eventFilters`: what the endpoint is told. */
export function judgeWebhooks(directory: string, received: string, eventFilters: string[] = []) {
  const database = new SQLite(join(directory, 'paquebot.db'), { readonly: true })
  const all = database.query<{ id: string; type: string }, []>('SELECT id, type FROM webhook_events').all()
  const events = all.filter(({ type }) => eventFilters.length === 0 || eventFilters.includes(type))
  database.close()
  const arrived = readFileSync(received, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ')[0] ?? '')
  const [known, seen] = [new Set(events.map(({ id }) => id)), new Set(arrived)]
  return {
    events: known.size,
    lost: [...known.difference(seen)],
    strange: [...seen.difference(known)],
    repeats: arrived.length - seen.size,
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { mails: { type: 'string' }, kills: { type: 'string' } } })
  const result = await killWebhookStorm({ mails: Number(values.mails ?? 1_000), kills: Number(values.kills ?? 20) })
  const { kills, events, lost, strange, repeats, broken } = result
  process.stdout.write(
    `webhook storm: ${kills} kills, ${events} events, ${lost.length} lost, ${repeats} repeats under the same id, ${strange.length} strange, ${broken.length} broken invariants\n`,
  )
  process.exit(lost.length + strange.length + broken.length === 0 ? 0 : 1)
}
