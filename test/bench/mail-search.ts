// Searching a mailbox of 100,000 mails beside another of as many: a word of every mail, of one in a thousand, of none, a phrase, a filter that
// nothing passes, and its threads, by the tools of an agent. Run: bun test/bench/mail-search.ts [MAILS]

import { Database as SQLite } from 'bun:sqlite'
import { join } from 'node:path'
import { firstNumber } from '../../src/features/mailboxes/search-index.ts'
import { sha256Hex } from '../../src/kit/digest.ts'
import { median } from './figures.ts'
import { serving } from './serve.ts'

const total = Number(process.argv[2] ?? 100_000)
const rounds = 8
const limitMs = 100
const token = `mbtok_${'a'.repeat(43)}`
const start = Date.UTC(2026, 0, 1)

const words = Array.from({ length: 20_000 }, (_, n) => `word${n.toString(36)}`)
/** A few words often, most of them seldom. */
const wordAt = (n: number) => words[Math.floor(words.length * ((n * 0.618_034) % 1) ** 3)]

function fill(directory: string): void {
  const database = new SQLite(join(directory, 'paquebot.db'))
  const began = performance.now()
  database.transaction(() => {
    for (const [index, mailbox] of ['mbx_one', 'mbx_two'].entries()) {
      database.run(
        `INSERT INTO mailboxes (id, workspace_id, address, address_key, name, status, hold_replies, created_at, updated_at)
         SELECT ?1, id, ?1 || '@example.net', ?1 || '@example.net', '', 'active', 0, 1, 1 FROM workspaces LIMIT 1`,
        [mailbox],
      )
      for (let n = 0; n < total; n++) insert(database, { mailbox, n, at: start + n * 2_000 + index })
    }
    database.run(
      `INSERT INTO mailbox_tokens (id, workspace_id, mailbox_id, name, prefix, token_hash, scopes, made_by, created_at)
       SELECT 'mbt_one', w.id, 'mbx_one', '', '', ?, '["read"]', m.user_id, 1
       FROM workspaces AS w JOIN members AS m ON m.workspace_id = w.id LIMIT 1`,
      [sha256Hex(token)],
    )
  })()
  const ms = (performance.now() - began) / total / 2
  process.stdout.write(`${total * 2} mails of 200 words written and indexed, ${ms.toFixed(2)} ms each\n`)
  database.close()
}

function insert(database: SQLite, { mailbox, n, at }: { mailbox: string; n: number; at: number }): void {
  const id = `rcv_${at.toString(16).padStart(12, '0')}7000800000000000`
  const text = Array.from({ length: 200 }, (_, one) => wordAt(n * 200 + one)).join(' ')
  const body = `hello everybody rare${n % 1_000} ${text}`
  database
    .prepare(
      `INSERT INTO received_messages (id, workspace_id, mailbox_id, thread_id, via, envelope_from, from_name, from_address, subject, snippet,
         attachment_count, size_bytes, auth, created_at)
       SELECT ?1, id, ?2, 'thr_' || ?3, 'smtp', 'a@example.net', 'Ada', 'a@example.net', 'Mail', 'hello', 0, 1000, '{"spf":"none","dkim":"none","dmarc":"none"}', ?4
       FROM workspaces LIMIT 1`,
    )
    .run(id, mailbox, Math.floor(n / 3), at)
  database
    .prepare(
      'INSERT INTO received_texts (number, received_id, mailbox_id, subject, sender, body) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(firstNumber(new Date(at)), id, mailbox, 'mail', 'ada a@example.net', body)
}

await using product = await serving({}, fill, { watchLoop: true })

async function call(name: string, args: object): Promise<number> {
  const response = await fetch(`${product.url}/mailbox/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const text = await response.text()
  const message = JSON.parse(text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '{}'))
  const content = message.result?.structuredContent
  if (!content) throw new Error(text.slice(0, 500))
  return (content.messages ?? content.threads).length
}

let isSlow = false
for (const [what, name, args] of [
  ['a word of every mail', 'search_mail', { query: 'hello' }],
  ['a word of one in 1,000', 'search_mail', { query: 'rare7' }],
  ['two words and a phrase', 'search_mail', { query: 'rare7 "hello everybody"' }],
  ['a word of none', 'search_mail', { query: 'zanzibar' }],
  ['of every mail, none has attachments', 'search_mail', { query: 'hello', hasAttachments: true }],
  ['threads', 'list_threads', {}],
] as const) {
  await product.longestBlockMs()
  const took: number[] = []
  let found = 0
  for (let round = 0; round < rounds; round++) {
    const from = performance.now()
    found = await call(name, args)
    took.push(performance.now() - from)
  }
  const ms = median(took)
  const block = await product.longestBlockMs()
  isSlow ||= !('hasAttachments' in args) && ms > limitMs
  process.stdout.write(
    `${what.padEnd(38)} ${ms.toFixed(1).padStart(7)} ms, ${found} shown, longest block ${block.toFixed(1)} ms\n`,
  )
}
process.exit(isSlow ? 1 : 0)
