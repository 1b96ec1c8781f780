// The activity at a million mails: how fast its index is made, and every kind of search, first page and following.
// Run: bun test/bench/activity.ts [MAILS]

import { Database as SQLite } from 'bun:sqlite'
import { join } from 'node:path'
import { median, percentile } from './figures.ts'
import { serving } from './serve.ts'

const total = Number(process.argv[2] ?? 1_000_000)
const pageLimitMs = 50
const rounds = 20

/** 300,000 people of 3,000 domains, 40 templates, a tag on 1 in 1,000; 1 in 500 bounced. */
const mails = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
  INSERT INTO messages (id, workspace_id, kind, status, email, contact_id, template_id, subject, locale, from_email, variables, tags,
    message_id_header, created_at, updated_at)
  SELECT printf('msg_%012x7%019x', t, i), w, 'transactional', CASE WHEN i % 500 = 7 THEN 'bounced' ELSE 'sent' END,
    printf('person%d@%s', p, CASE WHEN p % 3 > 0 THEN 'mail.test' ELSE printf('d%d.test', p % 3000) END), printf('con_%d', p),
    printf('t%d', i * 40 / ?), printf('Your order %d', i), 'en', 'shop@example.com', '{"name":"Ada","order":"4711"}',
    CASE WHEN i % 1000 = 5 THEN '["vip"]' END, printf('%d@example.com', i), t, t
  FROM (SELECT i, i * 7919 % 300000 AS p, 1700000000000 + i * 1000 AS t, (SELECT id FROM workspaces LIMIT 1) AS w FROM n)`

await using product = await serving()
const database = new SQLite(join(product.directory, 'paquebot.db'))
database.run('PRAGMA busy_timeout = 60000')
database.run(mails, [total, total])
const began = performance.now()
const blocks = database.query<{ n: number }, []>('SELECT count(*) AS n FROM activity_terms WHERE term = 0')
while ((blocks.get()?.n ?? 0) < Math.floor((total + 1) / 128)) await Bun.sleep(100)
const seconds = (performance.now() - began) / 1_000
const pages = (sql: string) => database.query<{ n: number }, []>(sql).get()?.n ?? 0
const bytes = pages("SELECT sum(pgsize) AS n FROM dbstat WHERE name = 'activity_terms'")
say(
  `index of ${total} mails: ${(total / seconds).toFixed(0)} mails/s with the wait for its job, ${(bytes / total).toFixed(0)} bytes a mail`,
)

interface Page {
  pagination: { nextCursor: string | null }
  data: unknown[]
}

async function ask(query: string): Promise<Page> {
  const response = await fetch(`${product.url}/v1/activity?${query}`, {
    headers: { authorization: `Bearer ${product.apiKey}` },
  })
  if (!response.ok) throw new Error(`${query}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Page
}

function say(line: string): void {
  process.stdout.write(`activity: ${line}\n`)
}

let slowest = 0
for (const q of [
  '',
  'to:person123456@d456.test',
  'to:nobody@example.net',
  'domain:mail.test',
  'domain:d456.test',
  'template:t3',
  'template:t3 domain:d456.test',
  'tag:vip',
  'tag:vip -domain:mail.test',
  'status:bounced',
  'status:bounced template:t3',
  'status:failed',
  'status:queued',
  'key:none',
  'order 4711',
  'after:2023-11-16 before:2023-11-18',
]) {
  const took: number[] = []
  const base = q === '' ? 'perPage=50' : `perPage=50&q=${encodeURIComponent(q)}`
  const first = await ask(base)
  for (let n = 0, page = first; n < rounds; n++) {
    const at = performance.now()
    page = await ask(page.pagination.nextCursor === null ? base : `${base}&cursor=${page.pagination.nextCursor}`)
    took.push(performance.now() - at)
  }
  const p95 = percentile(took, 0.95)
  slowest = Math.max(slowest, p95)
  say(
    `${q || 'everything'}: ${first.data.length} on the first page, p50 ${median(took).toFixed(1)} p95 ${p95.toFixed(1)} ms`,
  )
}
say(`slowest p95 ${slowest.toFixed(1)} ms (at most ${pageLimitMs})`)
database.close()
