// kill -9 of `serve` while it sends a campaign, again and again, against a sink that fsyncs before it answers (R1). Nobody may get it
// twice, and whoever did not get it must be listed as uncertain: the mail that was at its final dot when the process died. Then an operator
// has the uncertain ones sent again: everybody has it, and only those of the list may have it twice.
// Run: bun test/crash/kill-campaign.ts --people 10000 --kills 200

import { Database as SQLite } from 'bun:sqlite'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seedAudience } from '../bench/audience.ts'
import { miscounted } from '../support/figures.ts'
import { reading } from './kill-serve.ts'
import { command, freePort, killAtRandom, type Server, serve, startSink } from './server.ts'

export interface CampaignStorm {
  /** Recipients of one campaign; when it is through before the last kill, the next one follows. */
  people: number
  kills: number
}

export interface CampaignStormResult {
  kills: number
  campaigns: number
  recipients: number
  sent: number
  uncertain: number
  /** Sent according to the ledger, and not in the sink. */
  lost: string[]
  /** In the sink more than once. */
  twice: string[]
  /** Neither sent nor uncertain. */
  unexplained: string[]
  /** After the uncertain ones were sent again: who still has nothing, and who has it twice without having been uncertain. */
  missing: string[]
  repeated: string[]
  /** Invariants, and figures over time that are not the count of their mails. */
  broken: string[]
  seconds: number
}

const spareLists = 8

export async function campaignStorm({ people, kills }: CampaignStorm): Promise<CampaignStormResult> {
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
  for (let list = 0; list < spareLists; list++) seedAudience(directory, people, `lst_${list}`)
  const call = caller(`http://127.0.0.1:${environment.PORT}`, apiKey)

  let server = await serve(environment)
  let campaigns = 0
  let current = await start(call, campaigns++)
  for (let killed = 0; killed < kills; killed++) {
    server = await killAtRandom(server, environment)
    if ((await statusOf(call, current)) === 'sent' && campaigns < spareLists) current = await start(call, campaigns++)
  }
  server = await pausedAndKilled(server, call, current, () => serve(environment))
  await untilSent(call, current)
  const result = judge(directory, received)
  const afterwards = await resend(call, { directory, received, campaigns: result.ids })
  server.kill('SIGTERM')
  await server.exited
  const { violations } = await command(environment, 'verify')
  const wrong = await reading(`file:${join(directory, 'paquebot.db')}`, miscounted)
  sink.kill()
  rmSync(directory, { recursive: true, force: true })
  return {
    ...result,
    ...afterwards,
    kills,
    campaigns,
    broken: [...violations, ...wrong],
    seconds: (performance.now() - began) / 1_000,
  }
}

async function untilSent(call: Call, id: string): Promise<void> {
  while ((await statusOf(call, id)) !== 'sent') await Bun.sleep(50)
}

/** A pause outlives the process; resumed, the campaign goes on where it stopped. */
async function pausedAndKilled(server: Server, call: Call, id: string, again: () => Promise<Server>): Promise<Server> {
  if ((await statusOf(call, id)) !== 'sending') return server
  await call('POST', `/v1/campaigns/${id}/pause`).catch(() => undefined)
  server.kill('SIGKILL')
  await server.exited
  const next = await again()
  if ((await statusOf(call, id)) === 'paused') await call('POST', `/v1/campaigns/${id}/resume`)
  return next
}

/** What an operator may do about the uncertain ones. */
async function resend(call: Call, place: { directory: string; received: string; campaigns: string[] }) {
  const before = ledgerOf(place)
  const uncertain = new Set(before.filter(({ state }) => state === 'uncertain').map(({ email }) => email))
  // At most 1,000 of them are taken at once.
  while ((await call('POST', '/v1/jobs/resolve', { verdict: 'resend', lane: 'mail.campaign' })).results.length > 0);
  for (const id of place.campaigns) await untilSent(call, id)
  const after = ledgerOf(place)
  return {
    missing: after.filter(({ count }) => count === 0).map(({ email, state }) => `${email} ${state}`),
    repeated: after.filter(({ count, email }) => count > (uncertain.has(email) ? 2 : 1)).map(({ email }) => email),
  }
}

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

interface Answer {
  id: string
  status: string
  results: unknown[]
}

/** Repeats what a kill has cut off; each of these may be repeated. */
function caller(base: string, apiKey: string): Call {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const response = await fetch(base + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return await response.json()
  }
}

const variants = [{ name: 'A' }, { name: 'B', subject: 'Gale' }]
const ofEverybody = { variants, share: 100, holdOut: 0, winner: null }

/** Every other campaign is a test. */
async function start(call: Call, list: number): Promise<string> {
  const content = [{ type: 'text', text: 'Hello {{contact.firstName}}' }]
  const test = list % 2 === 0 ? ofEverybody : null
  const body = { name: 'Storm', subject: 'Storm', mailingListId: `lst_${list}`, content, test }
  const { id } = await call('POST', '/v1/campaigns', body)
  await call('POST', `/v1/campaigns/${id}/send`, {})
  return id
}

async function statusOf(call: Call, id: string): Promise<string> {
  return (await call('GET', `/v1/campaigns/${id}`)).status
}

interface Line {
  campaignId: string
  email: string
  state: string
  /** Mails in the sink. */
  count: number
}

/** The ledger beside the sink. */
function ledgerOf({ directory, received }: { directory: string; received: string }): Line[] {
  const database = new SQLite(join(directory, 'paquebot.db'), { readonly: true })
  const ledger = database
    .query<Omit<Line, 'count'>, []>(
      `SELECT r.campaign_id AS campaignId, c.email, r.state FROM campaign_recipients r JOIN contacts c ON c.id = r.contact_id`,
    )
    .all()
  database.close()
  const counts = new Map<string, number>()
  for (const line of readFileSync(received, 'utf8').split('\n').filter(Boolean)) {
    const to = line.split(' ')[1] ?? ''
    counts.set(to, (counts.get(to) ?? 0) + 1)
  }
  return ledger.map((line) => ({ ...line, count: counts.get(line.email) ?? 0 }))
}

function judge(directory: string, received: string) {
  const ledger = ledgerOf({ directory, received })
  const names = (test: (line: Line) => boolean) => ledger.filter(test).map(({ email, state }) => `${email} ${state}`)
  return {
    ids: [...new Set(ledger.map(({ campaignId }) => campaignId))],
    recipients: ledger.length,
    sent: ledger.filter(({ state }) => state === 'sent').length,
    uncertain: ledger.filter(({ state }) => state === 'uncertain').length,
    lost: names(({ state, count }) => state === 'sent' && count === 0),
    twice: names(({ count }) => count > 1),
    unexplained: names(({ state }) => state !== 'sent' && state !== 'uncertain'),
  }
}

/** The line that a run prints. */
export function lineOf(result: CampaignStormResult): string {
  const { kills, recipients, sent, uncertain, lost, twice, unexplained, missing, repeated, seconds } = result
  return `campaign storm: ${kills} kills, ${recipients} recipients, ${sent} sent once, ${uncertain} uncertain and listed, ${twice.length} twice, ${lost.length} lost, ${unexplained.length} unexplained; the uncertain ones sent again: ${missing.length} without it, ${repeated.length} twice without having been uncertain; ${seconds.toFixed(1)} s`
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { people: { type: 'string' }, kills: { type: 'string' } } })
  const result = await campaignStorm({ people: Number(values.people ?? 2_000), kills: Number(values.kills ?? 40) })
  process.stdout.write(`${lineOf(result)}\n`)
  const { lost, twice, unexplained, missing, repeated, broken } = result
  const faults = [...lost, ...twice, ...unexplained, ...missing, ...repeated, ...broken]
  for (const fault of faults.slice(0, 20)) process.stderr.write(`${fault}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
