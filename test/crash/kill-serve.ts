// kill -9 of `serve` while it sends, again and again, against a sink that fsyncs before it answers. Nothing acknowledged may be
// lost; a mail may arrive twice only where the journal says that a hand-over was cut off, and then with the same Message-ID. On a file,
// or on a libSQL server with several processes, which are killed in turn, and one of which is frozen for longer than its lease.
// Run: bun test/crash/kill-serve.ts --mails 2000 --kills 20 [--soft | --smtp] [--processes 2] [--freeze 40]

import { Database as SQLite } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@libsql/client/web'
import { type Ask, miscounted } from '../support/figures.ts'
import { smtpClient } from '../support/smtp-client.ts'
import { startSqld } from '../support/sqld.ts'
import { command, freePort, killAtRandom, type Server, serve, startSink } from './server.ts'

export interface Storm {
  mails: number
  kills: number
  clients: number
  /** SIGTERM is a soft stop: then there may be no duplicate either. */
  signal: 'SIGKILL' | 'SIGTERM'
  /** So many on a libSQL server; default: one on a file. */
  processes?: number
  /** The last one is frozen for so long, with the mails that it has under way. */
  freezeSeconds?: number
  /** Mails are handed over by SMTP, and not by HTTP. */
  smtp?: boolean
}

export interface StormResult {
  acknowledged: number
  lost: string[]
  duplicates: number
  /** Repeats beyond what the journal recorded as cut-off hand-overs. */
  unexplained: string[]
  kills: number
  /** Invariants, and figures over time that are not the count of their mails. */
  broken: string[]
  seconds: number
}

export async function killStorm(storm: Storm): Promise<StormResult> {
  const { mails, kills, clients, signal, processes = 0, freezeSeconds = 0, smtp = false } = storm
  const began = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-storm-'))
  const sqld = processes > 0 ? await startSqld() : null
  const database = sqld ? await sqld.freshUrl() : `file:${join(directory, 'paquebot.db')}`
  const received = join(directory, 'received.log')
  const sink = await startSink(received)
  const environments = await Promise.all(
    Array.from({ length: Math.max(1, processes) }, async (_, number) => {
      const own = join(directory, String(number))
      mkdirSync(own)
      return {
        ...process.env,
        DATA_DIR: own,
        DATABASE_URL: database,
        SECRET_KEY: 'a secret of the storms, and of no installation',
        PORT: String(await freePort()),
        ...(smtp && { SUBMISSION_PORT: String(await freePort()) }),
        SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
        MAIL_FROM: 'storm@paquebot.localhost',
        LOG_LEVEL: 'error',
      }
    }),
  )
  const [environment = {}] = environments
  const bases = environments.map(({ PORT }) => `http://127.0.0.1:${PORT}`)
  const submissionPort = Number(environments[0]?.SUBMISSION_PORT ?? 0)
  const { apiKey } = await command(environment, 'init', '--workspace', 'storm', '--email', 'a@example.com')
  const servers: Server[] = []
  for (const env of environments) servers.push(await serve(env))
  await createTemplate(bases[0] ?? '', apiKey)

  let killed = 0
  const killer = (async () => {
    for (; killed < kills; killed++) {
      const turn = killed % environments.length
      const [server, env] = [servers[turn], environments[turn]]
      if (server && env) servers[turn] = await killAtRandom(server, env, signal)
    }
  })()
  const send = smtp ? (n: number) => submitUntilAcknowledged(submissionPort, apiKey, n) : undefined
  const sending = { mails, clients, stillKilling: () => killed < kills, ...(send && { send }) }
  const acknowledged = await sendAll(bases, apiKey, sending)
  await killer
  const last = servers.at(-1)
  if (last && freezeSeconds > 0) {
    // A moment at random: with what it has claimed, is handing over or is writing.
    const more = sendAll(bases.slice(0, -1), apiKey, { ...sending, first: acknowledged.length })
    last.kill('SIGSTOP')
    acknowledged.push(...(await more))
    await Bun.sleep(freezeSeconds * 1_000)
    last.kill('SIGCONT')
  }
  await allEnded(bases[0] ?? '', apiKey, acknowledged)
  for (const server of servers) {
    server.kill('SIGTERM')
    await server.exited
  }
  const { violations } = await command(environment, 'verify')
  sink.kill()
  const [journal, wrong] = await reading(
    database,
    async (ask) => [await journalOf(ask), await miscounted(ask)] as const,
  )
  const result = judgeMails(journal, received, acknowledged)
  sqld?.stop()
  rmSync(directory, { recursive: true, force: true })
  return { ...result, kills: killed, broken: [...violations, ...wrong], seconds: (performance.now() - began) / 1_000 }
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
  bases: string[],
  apiKey: string,
  {
    mails,
    clients,
    stillKilling,
    first = 0,
    send = (n) => sendUntilAcknowledged(bases, apiKey, n),
  }: {
    mails: number
    clients: number
    stillKilling: () => boolean
    first?: number
    send?: (n: number) => Promise<string>
  },
): Promise<string[]> {
  const ids: string[] = []
  let next = first
  const client = async () => {
    // Beyond the planned mails the load goes on until the last kill, so that every kill hits a server at work.
    while (next < first + mails || stillKilling()) {
      const n = next++
      ids.push(await send(n))
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return ids
}

/** By one process and, where that fails, by the next. */
export async function sendUntilAcknowledged(bases: string[], apiKey: string, n: number): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      const base = bases[(n + tries) % bases.length]
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

/** Each on a connection of its own. The server knows it again by its Message-ID. */
async function submitUntilAcknowledged(port: number, apiKey: string, n: number): Promise<string> {
  const mail = `From: storm@paquebot.localhost\r\nMessage-ID: <storm-${n}@storm>\r\nSubject: ${n}\r\n\r\nMail ${n}\r\n`
  for (;;) {
    try {
      using client = await smtpClient(port)
      await client.reply()
      await client.say('EHLO storm')
      await client.say(`AUTH PLAIN ${Buffer.from(`\0storm\0${apiKey}`).toString('base64')}`)
      await client.say('MAIL FROM:<storm@paquebot.localhost>')
      await client.say(`RCPT TO:<r${n}@example.net>`)
      const go = await client.say('DATA')
      const answer = go.startsWith('354') ? await client.say(`${mail}.`) : go
      const [id] = answer.match(/msg_[0-9a-f]{32}/) ?? []
      if (answer.startsWith('250') && id) return id
      if (!/^4/.test(answer)) throw new Unexpected(answer)
    } catch (error) {
      if (error instanceof Unexpected) throw error
    }
    await Bun.sleep(5)
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

export async function reading<T>(url: string, read: (ask: Ask) => Promise<T>): Promise<T> {
  if (url.startsWith('file:')) {
    using database = new SQLite(url.slice('file:'.length), { readonly: true })
    return await read(async (query) => database.query<Record<string, unknown>, []>(query).all())
  }
  const client = createClient({ url })
  try {
    return await read(async (query) => (await client.execute(query)).rows.map((row) => ({ ...row })))
  } finally {
    client.close()
  }
}

interface Journalled {
  id: string
  header: string
  /** Repeats that the journal accounts for. */
  retries: number
}

export async function journalOf(ask: Ask): Promise<Journalled[]> {
  const rows =
    await ask(`SELECT m.id, CASE WHEN m.revision_id IS NULL THEN m.idempotency_key ELSE m.message_id_header END AS header, coalesce(g.ambiguous_retries, 0) AS retries FROM messages m
    LEFT JOIN send_journal g ON g.message_id = m.id`)
  return rows.map(({ id, header, retries }) => ({ id: String(id), header: String(header), retries: Number(retries) }))
}

export function judgeMails(journal: Journalled[], received: string, acknowledged: string[]) {
  const counts = new Map<string, number>()
  for (const line of readFileSync(received, 'utf8').split('\n').filter(Boolean)) {
    const header = (line.split(/\s/)[0] ?? '').replace(/^<|>$/g, '')
    counts.set(header, (counts.get(header) ?? 0) + 1)
  }
  const known = new Set(acknowledged)
  const kept = new Set(journal.map(({ id }) => id))
  const arrivals = journal.map((row) => ({ ...row, count: counts.get(row.header) ?? 0 }))
  return {
    acknowledged: known.size,
    lost: [...known.difference(kept), ...arrivals.filter(({ count }) => count === 0).map(({ id }) => id)],
    duplicates: arrivals.reduce((sum, { count }) => sum + Math.max(0, count - 1), 0),
    unexplained: arrivals.filter(({ count, retries }) => count > 1 + retries).map(({ id }) => id),
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      mails: { type: 'string' },
      kills: { type: 'string' },
      soft: { type: 'boolean' },
      processes: { type: 'string' },
      freeze: { type: 'string' },
      smtp: { type: 'boolean' },
    },
  })
  const signal = values.soft ? 'SIGTERM' : 'SIGKILL'
  const mails = Number(values.mails ?? 2_000)
  const processes = Number(values.processes ?? 0)
  const freezeSeconds = Number(values.freeze ?? 0)
  const kills = Number(values.kills ?? 20)
  const result = await killStorm({
    mails,
    kills,
    clients: 8,
    signal,
    processes,
    freezeSeconds,
    smtp: values.smtp ?? false,
  })
  const { acknowledged, lost, duplicates, unexplained, broken, seconds } = result
  process.stdout.write(
    `${signal} storm${values.smtp ? ' of mails by SMTP' : ''}${processes > 0 ? ` of ${processes} processes on a libSQL server` : ''}: ${result.kills} kills${freezeSeconds > 0 ? `, one frozen for ${freezeSeconds} s` : ''}, ${acknowledged} acknowledged, ${lost.length} lost, ${duplicates} duplicates (${unexplained.length} unexplained), ${broken.length} invariants broken, ${seconds.toFixed(1)} s\n`,
  )
  process.exit(lost.length + unexplained.length + broken.length === 0 ? 0 : 1)
}
