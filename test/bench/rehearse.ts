// A rehearsal of 30 days for many people who wait in a sequence with a campaign beside it, in a process of its own as the command is one:
// seconds and peak memory, beside the plain reading of the same rows in the same order. Two kinds of people: spread over 30 days in seven zones;
// and a mail to each this week, at a time of their own. Run: bun test/bench/rehearse.ts [PEOPLE]

import { Database as SQLite } from 'bun:sqlite'
import { join } from 'node:path'
import { createApp, write } from '../../src/core/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { setTrustLevel } from '../../src/features/campaigns/reputation/trust-level.ts'
import { changeSettings } from '../../src/people/campaign-settings.ts'
import { getWorkspaceBySlug } from '../../src/people/workspaces.ts'
import { seedAudience } from './audience.ts'
import { type Serving, serving } from './serve.ts'

const people = Number(process.argv[2] ?? 1_000_000)
const inCampaign = Math.ceil(people / 10)
const days = 30
const dayMs = 86_400_000
const secondsAtMost = 120
const main = join(import.meta.dir, '../../src/main.ts')
const zones = [
  'UTC',
  'Europe/Berlin',
  'Asia/Tokyo',
  'America/New_York',
  'Asia/Kolkata',
  'Europe/London',
  'America/Chicago',
]

/** The steps, the people at the first of them, and what they had this week. */
async function arrange(product: Serving): Promise<void> {
  const app = await createApp(readConfig({ DATA_DIR: product.directory, LOG_LEVEL: 'error' }, product.directory))
  const workspace = await getWorkspaceBySlug(app, 'bench')
  await write(app, async (tx) => {
    await setTrustLevel(tx, workspace, 'M1')
    const quietHours = { from: '21:00', to: '07:00' }
    await changeSettings(tx, workspace.id, { dailyCap: Math.ceil(people / 8), quietHours })
  })
  await app.close()
  const text = [{ type: 'text', text: 'Hello {{contact.firstName|there}}' }]
  await product.post('/v1/transactional/create', { id: 'letter', name: 'L', subject: 'L', content: text })
  const wait = { type: 'wait', for: { amount: 3, unit: 'd' }, at: '09:00' }
  const send = { type: 'send', templateId: 'letter' }
  const steps = [
    { id: 'one', ...wait },
    { id: 'a', ...send },
    { id: 'two', ...wait },
    { id: 'b', ...send },
    { id: 'c', type: 'wait', for: { amount: 6, unit: 'd' } },
    { id: 'd', ...send },
  ]
  const made = (await product.post('/v1/sequences', { name: 'Bench', definition: { steps } })) as Made
  await product.post(`/v1/sequences/${made.id}/publish`, { contentHash: made.contentHash })
  const body = { name: 'News', subject: 'N', mailingListId: 'lst_some', content: text }
  const { id } = (await product.post('/v1/campaigns', body)) as Made
  await product.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: new Date(Date.now() + 2 * dayMs).toISOString() })
  putIn(product, made.id)
}

interface Made {
  id: string
  contentHash: string
}

function putIn({ directory }: Serving, sequenceId: string): void {
  using database = new SQLite(join(directory, 'paquebot.db'))
  database.run('PRAGMA busy_timeout = 10000')
  database.run('PRAGMA synchronous = OFF')
  const now = Date.now()
  database.run(
    `UPDATE contacts SET timezone = CASE abs(random()) % ${zones.length} ${zones.map((zone, n) => `WHEN ${n} THEN '${zone}'`).join(' ')} END`,
  )
  database.run(
    `INSERT INTO sequence_runs (id, workspace_id, sequence_id, version, contact_id, key, state, step_id, entered, entered_at, due_at, started_at)
     SELECT 'run_' || printf('%012x', ?) || lower(hex(randomblob(10))), workspace_id, ?, 1, contact_id, '', 'waiting', 'one', 1, ?, ? + abs(random()) % ?, ?
     FROM subscriptions WHERE mailing_list_id = 'lst_all'`,
    [now, sequenceId, now, now, days * dayMs, now],
  )
  database.run(`INSERT INTO sequence_people (sequence_id, state, people) VALUES (?, 'waiting', ?)`, [
    sequenceId,
    people,
  ])
  database.run(
    `INSERT INTO sequence_step_counts (sequence_id, version, step_id, entered, here, sent, skipped) VALUES (?, 1, 'one', ?, ?, 0, 0)`,
    [sequenceId, people, people],
  )
}

/** Everybody has had a mail this week, each at a time of their own. */
function mailThisWeek({ directory }: Serving): void {
  using database = new SQLite(join(directory, 'paquebot.db'))
  database.run('PRAGMA busy_timeout = 10000')
  database.run('PRAGMA synchronous = OFF')
  database.run(
    `INSERT INTO campaign_mails (workspace_id, contact_id, message_id, sent_at)
     SELECT workspace_id, contact_id, 'msg_' || contact_id, ? - abs(random()) % ? FROM subscriptions WHERE mailing_list_id = 'lst_all'`,
    [Date.now(), 7 * dayMs],
  )
}

/** The rows that a rehearsal reads, by contact, with prepared statements; nothing is made of them. */
function floor({ directory }: Serving): number {
  using database = new SQLite(join(directory, 'paquebot.db'), { readonly: true })
  const page = database.prepare<{ id: string }, [string]>('SELECT * FROM contacts WHERE id > ? ORDER BY id LIMIT 500')
  const among = (table: string) =>
    database.prepare(`SELECT * FROM ${table} WHERE contact_id IN (SELECT value FROM json_each(?))`)
  const tables = ['sequence_runs', 'subscriptions', 'campaign_mails'].map(among)
  const began = performance.now()
  for (let rows = page.all(''); rows.length > 0; rows = page.all(rows.at(-1)?.id ?? '')) {
    const ids = JSON.stringify(rows.map(({ id }) => id))
    for (const table of tables) table.all(ids)
  }
  return (performance.now() - began) / 1_000
}

interface Figures {
  seconds: number
  /** Of all its threads. */
  cpuSeconds: number
  peakMiB: number
  leaves: number
}

async function rehearse({ directory }: Serving): Promise<Figures> {
  const command = ['bun', main, 'rehearse', '--workspace', 'bench', '--days', String(days), '--json']
  const began = performance.now()
  const child = Bun.spawn(command, {
    env: { ...process.env, DATA_DIR: directory, LOG_LEVEL: 'error' },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const told = (await new Response(child.stdout).json()) as { sources: { leaves: number }[] }
  await child.exited
  const used = child.resourceUsage()
  const peakMiB = (used?.maxRSS ?? 0) / 1_048_576
  const cpuSeconds = Number(used?.cpuTime.total ?? 0) / 1e6
  const leaves = told.sources.reduce((sum, source) => sum + source.leaves, 0)
  return { seconds: (performance.now() - began) / 1_000, cpuSeconds, peakMiB, leaves }
}

await using product = await serving({}, (directory) => {
  seedAudience(directory, people, 'lst_all')
  seedAudience(directory, inCampaign, 'lst_some')
})
await arrange(product)
for (const kind of ['alike', 'each with a mail this week']) {
  if (kind !== 'alike') mailThisWeek(product)
  const read = floor(product)
  const { seconds, cpuSeconds, peakMiB, leaves } = await rehearse(product)
  process.stdout.write(
    `rehearse (${people} people, ${kind}): ${seconds.toFixed(1)} s (at most ${secondsAtMost} for 1,000,000), ${cpuSeconds.toFixed(1)} s of processors, ${leaves} mails in ${days} days, peak ${peakMiB.toFixed(0)} MiB; plain reading of the same rows ${read.toFixed(1)} s: ratio ${(seconds / read).toFixed(2)}\n`,
  )
}
