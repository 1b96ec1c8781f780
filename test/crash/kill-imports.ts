// kill -9 of `serve` in the middle of importing the export of another service, again and again (R2): every person is there once, with what
// the file says of them, and their consent is in the ledger once. Then the same import without kills, to see how long it holds the loop. A job is
// given up when it was there at five crashes, so there are four kills.
// Run: bun test/crash/kill-imports.ts --rows 100000 --kills 4

import { Database as SQLite } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { testApp } from '../support/app.ts'
import { longestBlock, maxBlockMs } from '../support/loop-monitor.ts'
import { command, freePort, serve } from './server.ts'

export const forms = ['csv', 'json'] as const
export type Form = (typeof forms)[number]

export interface ImportStormResult {
  kills: number
  /** What the import says in the end. */
  told: { state: string; created: number; bad: number }
  /** What is missing, or there twice. */
  faults: string[]
  /** Of `paquebot verify`. */
  broken: string[]
  seconds: number
}

const consent = JSON.stringify({ subscribed: true, statement: 'Signed up in our shop.' })

/** People as listmonk exports them; the JSON also says who is on which list. */
export function exportOf(form: Form, rows: number): string {
  const numbers = Array.from({ length: rows }, (_, n) => n)
  if (form === 'csv') {
    const lines = numbers.map(
      (n) => `id-${n},r${n}@example.net,Ada ${n},"{""seen"": ${n}}",enabled,2024-02-01,2024-02-01`,
    )
    return ['uuid,email,name,attributes,status,created_at,updated_at', ...lines, ''].join('\n')
  }
  const lists = [{ name: 'Storm', optin: 'double', subscription_status: 'confirmed' }]
  const results = numbers.map((n) => {
    const person = { id: n, email: `r${n}@example.net`, name: `Ada ${n}`, status: 'enabled', attribs: { seen: n } }
    return { ...person, created_at: '2024-02-01T10:00:00Z', lists }
  })
  return JSON.stringify({ data: { results } })
}

export const importPath = (form: Form) =>
  `/v1/imports?${new URLSearchParams({ format: 'listmonk', name: `people.${form}`, consent })}`
export const octets = { 'content-type': 'application/octet-stream' }

export async function importStorm(
  form: Form,
  { rows, kills }: { rows: number; kills: number },
): Promise<ImportStormResult> {
  const began = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-imports-'))
  const environment = { ...process.env, DATA_DIR: directory, PORT: String(await freePort()), LOG_LEVEL: 'error' }
  const { apiKey } = await command(environment, 'init', '--workspace', 'storm', '--email', 'a@example.com')
  const base = `http://127.0.0.1:${environment.PORT}`
  const headers = { ...octets, authorization: `Bearer ${apiKey}` }
  let server = await serve(environment)
  const body = exportOf(form, rows)
  const accepted = await fetch(base + importPath(form), { method: 'POST', headers, body })
  const { id } = (await accepted.json()) as { id: string }
  if (accepted.status !== 202) throw new Error(`the import was refused with ${accepted.status}`)

  interface Progress {
    state: string
    created: number
    bad: number
  }
  let killed = 0
  let told: Progress
  for (;;) {
    told = (await (await fetch(`${base}/v1/contact-imports/${id}`, { headers })).json()) as Progress
    if (told.state === 'done' || told.state === 'failed') break
    if (killed < kills && told.created > (rows * killed) / (kills + 1)) {
      server.kill('SIGKILL')
      await server.exited
      killed++
      server = await serve(environment)
    } else await Bun.sleep(2)
  }
  server.kill('SIGTERM')
  await server.exited
  const { violations } = await command(environment, 'verify')
  const faults = judge(directory, form, rows)
  rmSync(directory, { recursive: true, force: true })
  const { state, created, bad } = told
  const seconds = (performance.now() - began) / 1_000
  return { kills: killed, told: { state, created, bad }, faults, broken: violations, seconds }
}

function judge(directory: string, form: Form, rows: number): string[] {
  using database = new SQLite(join(directory, 'paquebot.db'), { readonly: true })
  const onList = form === 'json' ? rows : 0
  const wanted: [what: string, query: string, count: number][] = [
    ['contacts', 'SELECT count(*) AS n FROM contacts', rows],
    ['addresses', 'SELECT count(DISTINCT email_key) AS n FROM contacts', rows],
    [
      'whole people',
      `SELECT count(*) AS n FROM contacts WHERE email = 'r' || (properties ->> 'seen') || '@example.net' AND subscribed`,
      rows,
    ],
    ['counted contacts', `SELECT value AS n FROM counters WHERE name = 'contacts'`, rows],
    ['records of consent', 'SELECT count(*) AS n FROM consent_records', rows + onList],
    ['people on the list', `SELECT count(*) AS n FROM subscriptions WHERE status = 'active'`, onList],
  ]
  return wanted.flatMap(([what, query, count]) => {
    const n = database.query<{ n: number }, []>(query).get()?.n ?? 0
    return n === count ? [] : [`${n} ${what} of ${count}`]
  })
}

/** How long the import holds the loop, in milliseconds of the machine where the limit was set. Each run has a workspace of its own. */
export async function importBlock(form: Form, rows: number): Promise<{ blockMs: number; created: number }> {
  await using t = await testApp()
  let round = 0
  const prepare = async () => ({ ...(await t.stranger(`moving${round++}`)), file: exportOf(form, rows) })
  const { blockMs, result } = await longestBlock(
    `an import of ${rows} rows (${form})`,
    async ({ apiKey, file }) => {
      const { body } = await t.request('POST', importPath(form), Buffer.from(file), { as: { apiKey }, headers: octets })
      await t.settle()
      return await t.get(`/v1/contact-imports/${body.id}`, 200, { as: { apiKey } })
    },
    prepare,
  )
  return { blockMs, created: result.created }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { rows: { type: 'string' }, kills: { type: 'string' } } })
  const [rows, kills] = [Number(values.rows ?? 100_000), Number(values.kills ?? 4)]
  let held = true
  for (const form of forms) {
    const storm = await importStorm(form, { rows, kills })
    const { blockMs } = await importBlock(form, rows)
    const { told, faults, broken, seconds } = storm
    for (const fault of [...faults, ...broken]) process.stdout.write(`${fault}\n`)
    process.stdout.write(
      `import of ${rows} rows (${form}): ${storm.kills} kills, ${told.created} made, ${told.bad} bad, ${faults.length} lost or twice, ${seconds.toFixed(1)} s; holds the loop for ${blockMs.toFixed(1)} ms at most\n`,
    )
    held &&= told.state === 'done' && faults.length + broken.length === 0 && blockMs <= maxBlockMs
  }
  process.exit(held ? 0 : 1)
}
