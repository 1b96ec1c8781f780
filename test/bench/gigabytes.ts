// A file of many gigabytes: 1,000,000 contacts, and mails with attachments until it is as large as wanted. What changes by that: starts, sends,
// a campaign, and the check of a copy that a standby makes; with --backup and --take-over these, too, which need three times its room.
// It ends before less than 12 GB are free. Run: bun test/bench/gigabytes.ts [--gigabytes 20] [--contacts 1000000] [--backup] [--take-over]

import { Database as SQLite } from 'bun:sqlite'
import { mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { linesOf } from '../../tools/process.ts'
import { seedAudience } from './audience.ts'
import { httpLoad } from './http-load.ts'
import { paquebot, runPaquebot } from './neighbour.ts'
import { child, type Serving, serving } from './serve.ts'

const { values } = parseArgs({
  options: {
    gigabytes: { type: 'string' },
    contacts: { type: 'string' },
    backup: { type: 'boolean' },
    'take-over': { type: 'boolean' },
  },
})
const wantedBytes = Number(values.gigabytes ?? 20) * 1e9
const contacts = Number(values.contacts ?? 1_000_000)
const leastFree = 12e9
const attachmentBytes = 200_000
const perTransaction = 500
const readers = 10_000
const sendSeconds = 5
const idleMs = 5_000
const leaseSeconds = 15
const main = join(import.meta.dir, '../../src/main.ts')

const say = (line: string) => void process.stdout.write(`gigabytes, ${line}\n`)
const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1)
const databaseOf = (directory: string) => join(directory, 'paquebot.db')

function mustHaveRoom(directory: string): void {
  const { bavail, bsize } = statfsSync(directory)
  if (bavail * bsize < leastFree) throw new Error(`less than ${gigabytes(leastFree)} GB are free`)
}

/** Mails of the last months, each with an attachment of which a third does not compress. Call it while no server has the file open. */
function grow(directory: string): void {
  using database = new SQLite(databaseOf(directory))
  for (const setting of ['journal_mode = OFF', 'synchronous = OFF']) database.run(`PRAGMA ${setting}`)
  const { id: workspaceId = '' } = database.query<{ id: string }, []>('SELECT id FROM workspaces').get() ?? {}
  const message = database.prepare(
    `INSERT INTO messages (id, workspace_id, kind, status, email, template_id, subject, locale, from_email, variables, message_id_header,
       created_at, updated_at) VALUES (?1, ?2, 'transactional', 'sent', ?3, 'hello', 'Your order', 'en', 'shop@example.com', '{}', ?4, ?5, ?5)`,
  )
  const event = database.prepare(`INSERT INTO message_events (message_id, number, status, at) VALUES (?, 1, 'sent', ?)`)
  const attachment = database.prepare(
    `INSERT INTO message_attachments (message_id, number, filename, content_type, size_bytes, data) VALUES (?, 1, 'order.pdf', 'application/pdf', ?, ?)`,
  )
  const data = Buffer.alloc(attachmentBytes, 'The quick brown fox jumps over the lazy dog. ')
  let at = Date.now() - 100 * 86_400_000
  for (let n = 0; statSync(databaseOf(directory)).size < wantedBytes; ) {
    mustHaveRoom(directory)
    database.transaction(() => {
      for (const end = n + perTransaction; n < end; n++) {
        at += 1_000
        crypto.getRandomValues(data.subarray(0, 65_536))
        const id = `msg_${Bun.randomUUIDv7('buffer', at).toHex()}`
        message.run(id, workspaceId, `person${n}@example.net`, `${n}@example.com`, at)
        event.run(id, at)
        attachment.run(id, attachmentBytes, data)
      }
    })()
  }
  database.run('PRAGMA journal_mode = WAL')
}

async function sendTo(product: Serving, list: string): Promise<number> {
  const content = [{ type: 'text', text: 'Hello {{contact.firstName}}' }]
  const body = { name: list, subject: 'News', mailingListId: list, content }
  const { id } = (await product.post('/v1/campaigns', body)) as { id: string }
  const began = performance.now()
  await product.post(`/v1/campaigns/${id}/send`, {})
  for (;;) {
    const { stats } = (await product.get(`/v1/campaigns/${id}`)) as { stats: Record<string, number> }
    if (stats.audience === readers && stats.queued === 0 && stats.sending === 0)
      return (readers * 1_000) / (performance.now() - began)
    await Bun.sleep(20)
  }
}

/** Until the searches of its mails are up to date, which is work of its own. */
async function indexed(product: Serving): Promise<void> {
  using database = new SQLite(databaseOf(product.directory), { readonly: true })
  database.run('PRAGMA busy_timeout = 60000')
  const wanted = database.query<{ n: number }, []>('SELECT max(rowid) / 128 AS n FROM messages').get()?.n ?? 0
  const blocks = database.query<{ n: number }, []>('SELECT count(*) AS n FROM activity_terms WHERE term = 0')
  while ((blocks.get()?.n ?? 0) < wanted) await Bun.sleep(200)
}

/** With none of the file in memory, as after a start of the machine. */
async function forgetPages(path: string): Promise<void> {
  await Bun.spawn(['dd', `if=${path}`, 'iflag=nocache', 'count=0'], { stderr: 'ignore' }).exited
}

async function measure(list: string): Promise<void> {
  await forgetPages(databaseOf(product.directory))
  product = await serving(settings, () => {}, { again: product })
  await Bun.sleep(idleMs)
  const idleMiB = product.rssMiB()
  await indexed(product)
  const sends = await httpLoad({
    url: product.url,
    path: '/v1/transactional/send',
    headers: { authorization: `Bearer ${product.apiKey}` },
    body: (n) => JSON.stringify({ email: `r${n}@example.net`, templateId: 'hello' }),
    inFlight: 64,
    seconds: sendSeconds,
  })
  const rate = await sendTo(product, list)
  await product.stop()
  const path = databaseOf(product.directory)
  await forgetPages(path)
  const check = await runPaquebot(product.directory, {}, 'standby', 'check', path)
  say(
    `file of ${gigabytes(statSync(path).size)} GB: ready in ${product.readyMs.toFixed(0)} ms, ${idleMiB.toFixed(0)} MiB idle; ${sends.perSecond.toFixed(0)} sends/s, p50 ${sends.p50Ms.toFixed(1)} p99 ${sends.p99Ms.toFixed(1)} ms; a campaign ${rate.toFixed(0)}/s; quick_check ${check.seconds.toFixed(1)} s, ${check.mib} MiB`,
  )
}

async function backUp(): Promise<void> {
  const backups = join(product.directory, 'backups')
  const taken = await runPaquebot(product.directory, sealing, 'backup', backups)
  const bytes = statSync(join(backups, readdirSync(backups)[0] ?? '')).size
  rmSync(backups, { recursive: true })
  say(`backup: ${taken.seconds.toFixed(0)} s, ${gigabytes(bytes)} GB, ${taken.mib} MiB`)
}

/** From the end of the server to the first answer of the standby. */
async function takeOver(): Promise<void> {
  const archive = join(product.directory, 'archive')
  const environment = { ...settings, ...sealing, ARCHIVE_URL: archive, STANDBY_LEASE_S: String(leaseSeconds) }
  const began = performance.now()
  const server = await serving(environment, () => {}, { again: product })
  while (!readdirSync(archive).some((name) => name.startsWith('base-'))) await Bun.sleep(200)
  say(`archive: its base after ${((performance.now() - began) / 1_000).toFixed(0)} s`)
  const directory = join(product.directory, 'standby')
  mkdirSync(directory)
  const beganAt = performance.now()
  const standby = Bun.spawn(['bun', main, 'standby'], {
    env: { ...process.env, ...environment, DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'error' },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const said: string[] = []
  void (async () => {
    for await (const line of linesOf(standby.stderr)) said.push(line)
  })()
  const heard = async (pattern: RegExp) => {
    for (;;) {
      const [found] = said.flatMap((line) => pattern.exec(line)?.[1] ?? [])
      if (found !== undefined) return found
      if (standby.exitCode !== null) throw new Error(said.join('\n'))
      await Bun.sleep(50)
    }
  }
  const url = await heard(/standing by on (\S+)/)
  const state = async () => (await (await fetch(`${url}/readyz`)).json()) as { isReady: boolean }
  while (!(await state()).isReady) await Bun.sleep(200)
  say(`standby: its copy after ${((performance.now() - beganAt) / 1_000).toFixed(0)} s`)
  await server.stop('SIGKILL')
  const lostAt = performance.now()
  await fetch(`${await heard(/listening on (\S+)/)}/readyz`)
  const checked = said.some((line) => line.includes('not checked again')) ? 'not checked again' : 'checked again'
  say(
    `take-over: away for ${((performance.now() - lostAt) / 1_000).toFixed(1)} s (at most 30), with a lease of ${leaseSeconds} s; the copy was ${checked}`,
  )
  standby.kill('SIGKILL')
  await standby.exited
}

using sink = await child('neighbour-sink.ts')
const sealing = { BACKUP_PASSPHRASE: 'the passphrase of a bench' }
const settings = { SMTP_URL: sink.url, MAIL_FROM: 'bench@paquebot.localhost', API_RATE_LIMIT: '0' }
let product = await serving(settings, (directory) => {
  paquebot(directory, 'workspace', 'set-trust', '--workspace', 'bench', '--level', 'M1', '--cap', '999999999')
  seedAudience(directory, contacts)
  for (const list of ['lst_small', 'lst_large']) seedAudience(directory, readers, list)
})
await using _ = { [Symbol.asyncDispose]: async () => await product[Symbol.asyncDispose]() }
const hello = [{ type: 'text', text: 'Hello' }]
await product.post('/v1/transactional/create', { id: 'hello', name: 'Hello', subject: 'Hello', content: hello })
await product.stop()
await measure('lst_small')
grow(product.directory)
await measure('lst_large')
if (values.backup) await backUp()
if (values['take-over']) await takeOver()
