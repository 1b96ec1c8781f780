// kill -9 of `serve` while it sends, again and again, against a sink that fsyncs before it answers. Nothing acknowledged may be
// lost; a mail may arrive twice only where the journal says that a hand-over was cut off, and then with the same Message-ID.
// Run: bun test/crash/kill-serve.ts --mails 2000 --kills 20

import { Database as SQLite } from 'bun:sqlite'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { command, freePort, killAtRandom, serve, startSink } from './server.ts'

export interface Storm {
  mails: number
  kills: number
  clients: number
  /** SIGTERM is a soft stop: then there may be no duplicate either. */
  signal: 'SIGKILL' | 'SIGTERM'
}

export interface StormResult {
  acknowledged: number
  lost: string[]
  duplicates: number
  /** Repeats beyond what the journal recorded as cut-off hand-overs. */
  unexplained: string[]
  kills: number
  broken: string[]
  seconds: number
}

export async function killStorm({ mails, kills, clients, signal }: Storm): Promise<StormResult> {
  const began = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-storm-'))
  const received = join(directory, 'received.log')
  const sink = await startSink(received)
  const environment = {
    ...process.env,
    DATA_DIR: directory,
    PORT: String(await freePort()),
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    MAIL_FROM: 'storm@paquebot.localhost',
    LOG_LEVEL: 'error',
  }
  const base = `http://127.0.0.1:${environment.PORT}`
  const { apiKey } = await command(environment, 'init', '--workspace', 'storm', '--email', 'a@example.com')
  let server = await serve(environment)
  await createTemplate(base, apiKey)

  let killing = true
  let killed = 0
  const killer = (async () => {
    while (killing && killed < kills) {
      server = await killAtRandom(server, environment, signal)
      killed++
    }
  })()
  const acknowledged = await sendAll(base, apiKey, { mails, clients, stillKilling: () => killed < kills })
  await killer
  killing = false
  await allEnded(base, apiKey, acknowledged)
  server.kill('SIGTERM')
  await server.exited
  const { violations } = await command(environment, 'verify')
  sink.kill()
  const result = judge(directory, received, acknowledged)
  rmSync(directory, { recursive: true, force: true })
  return { ...result, kills: killed, broken: violations, seconds: (performance.now() - began) / 1_000 }
}

export async function createTemplate(base: string, apiKey: string): Promise<void> {
  const response = await fetch(`${base}/v1/transactional/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      id: 'storm',
      name: 'Storm',
      subject: 'Number {{n}}',
      content: [{ type: 'text', text: 'Mail {{n}}' }],
    }),
  })
  if (!response.ok) throw new Error(`the template was refused: ${await response.text()}`)
}

/** Every client sends its share in order, repeating each with its key until it is acknowledged. Returns the message ids. */
export async function sendAll(
  base: string,
  apiKey: string,
  { mails, clients, stillKilling }: { mails: number; clients: number; stillKilling: () => boolean },
): Promise<string[]> {
  const ids: string[] = []
  let next = 0
  const client = async () => {
    // Beyond the planned mails the load goes on until the last kill, so that every kill hits a server at work.
    while (next < mails || stillKilling()) {
      const n = next++
      const sent = await sendUntilAcknowledged(base, apiKey, n)
      ids.push(sent)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return ids
}

async function sendUntilAcknowledged(base: string, apiKey: string, n: number): Promise<string> {
  for (;;) {
    try {
      const response = await fetch(`${base}/v1/transactional/send`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': `storm-${n}`,
        },
        body: JSON.stringify({ email: `r${n}@example.net`, templateId: 'storm', dataVariables: { n } }),
      })
      const answer = (await response.json()) as { messageId?: string; code?: string }
      if (response.status === 200 && answer.messageId) return answer.messageId
      if (response.status !== 503 && response.status !== 409) throw new Unexpected(JSON.stringify(answer))
    } catch (error) {
      if (error instanceof Unexpected) throw error
      await Bun.sleep(5)
    }
  }
}

class Unexpected extends Error {}

async function allEnded(base: string, apiKey: string, ids: string[]): Promise<void> {
  for (const id of ids) {
    for (;;) {
      const response = await fetch(`${base}/v1/activity/${id}`, { headers: { authorization: `Bearer ${apiKey}` } })
      const { status } = (await response.json()) as { status: string }
      if (!['queued', 'sending', 'delayed'].includes(status)) break
      await Bun.sleep(20)
    }
  }
}

function judge(directory: string, received: string, acknowledged: string[]) {
  const database = new SQLite(join(directory, 'paquebot.db'), { readonly: true })
  const journal = database
    .query<{ header: string; id: string; retries: number }, []>(
      `SELECT m.id, m.message_id_header AS header, coalesce(g.ambiguous_retries, 0) AS retries FROM messages m
       LEFT JOIN send_journal g ON g.message_id = m.id`,
    )
    .all()
  database.close()
  const counts = new Map<string, number>()
  for (const line of readFileSync(received, 'utf8').split('\n').filter(Boolean)) {
    const header = (line.split(/\s/)[0] ?? '').replace(/^<|>$/g, '')
    counts.set(header, (counts.get(header) ?? 0) + 1)
  }
  const known = new Set(acknowledged)
  const arrivals = journal.map((row) => ({ ...row, count: counts.get(row.header) ?? 0 }))
  return {
    acknowledged: known.size,
    lost: [
      ...acknowledged.filter((id) => !journal.some((row) => row.id === id)),
      ...arrivals.filter(({ count }) => count === 0).map(({ id }) => id),
    ],
    duplicates: arrivals.reduce((sum, { count }) => sum + Math.max(0, count - 1), 0),
    unexplained: arrivals.filter(({ count, retries }) => count > 1 + retries).map(({ id }) => id),
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { mails: { type: 'string' }, kills: { type: 'string' }, soft: { type: 'boolean' } },
  })
  const signal = values.soft ? 'SIGTERM' : 'SIGKILL'
  const mails = Number(values.mails ?? 2_000)
  const result = await killStorm({ mails, kills: Number(values.kills ?? 20), clients: 8, signal })
  const { acknowledged, kills, lost, duplicates, unexplained, seconds } = result
  process.stdout.write(
    `${signal} storm: ${kills} kills, ${acknowledged} acknowledged, ${lost.length} lost, ${duplicates} duplicates (${unexplained.length} unexplained), ${seconds.toFixed(1)} s\n`,
  )
  process.exit(lost.length === 0 && unexplained.length === 0 ? 0 : 1)
}
