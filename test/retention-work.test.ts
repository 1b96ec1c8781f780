// What the hourly retention deletes, on 50,000 rows of each kind, and what a campaign of 20,000 takes into its ledger: it holds nobody
// up. On a file: with a server the rows are the server's work.

import { Database as SQLite } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { write } from '../src/core/app.ts'
import { firstId } from '../src/kit/id.ts'
import { type TestApp, testApp } from './support/app.ts'
import { draft, listOf, sendCampaign } from './support/campaign.ts'
import { remoteDatabase } from './support/database.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'

const onFile = test.skipIf(remoteDatabase)
const count = 50_000
const audience = 20_000
/** Of 1 MB each. */
const pieces = 60

let t: TestApp
beforeAll(async () => {
  t = await testApp({ environment: { MESSAGE_RETENTION_DAYS: '30' } })
})
afterAll(() => t[Symbol.asyncDispose]())

/** `total` rows, by SQL: `n` counts them, `hex` is n in 24 digits, `old` a time of last year. */
async function rows(total: number, insert: string): Promise<void> {
  await write(t.app, (tx) =>
    tx.db.run(
      sql.raw(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${total}),
        numbered AS (SELECT n, printf('%020x', n) AS hex FROM numbers) ${insert}`),
    ),
  )
}

const old = Date.parse('2025-01-01T00:00:00Z')
const idOf = (prefix: 'msg' | 'job' | 'rcv' | 'whd' | 'imp') => `'${firstId(prefix, new Date(old))}' || hex`
const workspace = () => `'${t.workspace.id}'`

async function messages(total: number): Promise<void> {
  await rows(
    total,
    `INSERT OR IGNORE INTO messages (id, workspace_id, kind, status, email, subject, locale, from_email, variables, message_id_header, job_id, attempts, created_at, updated_at)
     SELECT ${idOf('msg')}, ${workspace()}, 'transactional', 'sent', 'a@example.net', 'Hi', 'en', 'a@example.net', '{}', hex || '@example.net', ${idOf('job')}, 1, ${old}, ${old} FROM numbered`,
  )
}

const cases: [what: string, prepare: () => Promise<unknown>][] = [
  [
    'finished jobs, their attempts and their journal',
    async () => {
      await rows(
        count,
        `INSERT INTO outbox_jobs (id, workspace_id, lane, kind, state, due_at, attempts_max, payload, created_at, finished_at)
         SELECT ${idOf('job')}, ${workspace()}, 'mail.tx', 'deliver-message', 'done', ${old}, 9, json_object('messageId', ${idOf('msg')}), ${old}, ${old} FROM numbered`,
      )
      await rows(
        count,
        `INSERT INTO outbox_attempts (job_id, fence, started_at, ended_at, outcome) SELECT ${idOf('job')}, 1, ${old}, ${old}, 'done' FROM numbered`,
      )
      await rows(
        count,
        `INSERT INTO send_journal (message_id, job_id, phase, fence) SELECT ${idOf('msg')}, ${idOf('job')}, 'accepted', 1 FROM numbered`,
      )
    },
  ],
  [
    'messages with their history and what was captured of them',
    async () => {
      await messages(count / 5)
      await rows(
        (count / 5) * 3,
        `INSERT INTO message_events (message_id, number, status, at) SELECT '${firstId('msg', new Date(old))}' || printf('%020x', (n + 2) / 3), n % 3, 'sent', ${old} FROM numbered`,
      )
      await rows(
        count / 20,
        `INSERT INTO captured_mails (workspace_id, message_id_header, envelope_from, envelope_to, raw, created_at)
         SELECT ${workspace()}, hex || '@example.net', 'a@example.net', 'a@example.net', zeroblob(13000), ${old} FROM numbered`,
      )
    },
  ],
  [
    'attachments of 60 MB, of a message each',
    async () => {
      await messages(pieces)
      await rows(
        pieces,
        `INSERT INTO message_attachments (message_id, number, filename, content_type, size_bytes, data)
         SELECT ${idOf('msg')}, 1, 'a', 'text/plain', 1048576, zeroblob(1048576) FROM numbered`,
      )
    },
  ],
  [
    'messages with 60 MB captured, of one and of many',
    async () => {
      await messages(pieces)
      await rows(
        pieces,
        `INSERT INTO captured_mails (workspace_id, message_id_header, envelope_from, envelope_to, raw, source_id, created_at)
         SELECT ${workspace()}, hex || '@example.net', 'a@example.net', 'a@example.net', x'', 'cap_' || ((n + 19) / 20), ${old} FROM numbered`,
      )
      await rows(
        pieces,
        `INSERT INTO captured_sources (source_id, number, data) SELECT 'cap_' || ((n + 19) / 20), n, zeroblob(1048576) FROM numbered`,
      )
    },
  ],
  [
    'received mail, 60 MB of it',
    async () => {
      await rows(
        count / 10,
        `INSERT INTO received_messages (id, workspace_id, mailbox_id, thread_id, via, envelope_from, from_name, from_address, subject, snippet, attachment_count, size_bytes, auth, created_at)
         SELECT ${idOf('rcv')}, ${workspace()}, 'mbx', 'thr', 'smtp', '', '', '', '', '', 0, 1, '{}', ${old} FROM numbered`,
      )
      await rows(
        pieces,
        `INSERT INTO received_sources (received_id, number, data) SELECT '${firstId('rcv', new Date(old))}' || printf('%020x', (n + 19) / 20), n, zeroblob(1048576) FROM numbered`,
      )
    },
  ],
  [
    'what agents called, and replies',
    async () => {
      await rows(
        count,
        `INSERT INTO mailbox_replies (message_id, workspace_id, mailbox_id, received_id, thread_id, author_id, message_id_header, created_at)
         SELECT ${idOf('msg')}, ${workspace()}, 'mbx', 'rcv', 'thr', 'mtk', hex, ${old} FROM numbered`,
      )
    },
  ],
  [
    'deliveries of webhooks with their attempts',
    async () => {
      await rows(
        count,
        `INSERT INTO webhook_deliveries (id, endpoint_id, workspace_id, event_sequence, type, state, attempts, created_at, updated_at)
         SELECT ${idOf('whd')}, 'whe', ${workspace()}, n, 'contact.created', 'delivered', 1, ${old}, ${old} FROM numbered`,
      )
      await rows(
        count * 2,
        `INSERT INTO webhook_attempts (delivery_id, number, at, duration_ms, response) SELECT '${firstId('whd', new Date(old))}' || printf('%020x', (n + 1) / 2), n % 2, ${old}, 1, printf('%0100d', n) FROM numbered`,
      )
    },
  ],
  [
    'events of webhooks',
    () =>
      rows(
        count,
        `INSERT INTO webhook_events (id, workspace_id, type, payload, hops, created_at) SELECT 'wh_' || hex, ${workspace()}, 'contact.created', printf('%01000d', n), 0, ${old} FROM numbered`,
      ),
  ],
  [
    'idempotency keys',
    () =>
      rows(
        count,
        `INSERT INTO idempotency_keys (workspace_id, route, key, request_hash, status, response, created_at, expires_at)
         SELECT ${workspace()}, 'POST /v1/transactional/send', hex, hex || hex || hex, 200, '{"success":true,"messageId":"msg"}', ${old}, ${old} FROM numbered`,
      ),
  ],
  [
    'sessions and login links',
    async () => {
      await rows(
        count,
        `INSERT INTO sessions (token_hash, user_id, created_at, last_seen_at, expires_at) SELECT hex, 'usr', ${old}, ${old}, ${old} FROM numbered`,
      )
      await rows(
        count,
        `INSERT INTO login_links (token_hash, user_id, created_at, expires_at) SELECT hex, 'usr', ${old}, ${old} FROM numbered`,
      )
    },
  ],
  [
    'confirmations that nobody answered',
    async () => {
      const { list } = await listOf(t, 0)
      await rows(
        count / 100,
        `INSERT OR IGNORE INTO contacts (id, workspace_id, email, email_key, source, subscribed, properties, created_at, updated_at)
         SELECT 'con_' || hex, ${workspace()}, 'p' || n || '@example.net', 'p' || n || '@example.net', 'API', 1, '{}', ${old}, ${old} FROM numbered`,
      )
      await rows(
        count / 100,
        `INSERT OR REPLACE INTO subscriptions (id, workspace_id, contact_id, mailing_list_id, status, created_at, updated_at)
         SELECT 'sub_' || hex, ${workspace()}, 'con_' || hex, '${list.id}', 'pending', ${old}, ${old} FROM numbered`,
      )
      await rows(
        count / 100,
        `INSERT OR REPLACE INTO confirmations (token_hash, workspace_id, contact_id, email_hash, mailing_list_ids, created_at, expires_at)
         SELECT hex, ${workspace()}, 'con_' || hex, hex, '["${list.id}"]', ${old}, ${old} FROM numbered`,
      )
    },
  ],
  [
    'faults of imports',
    async () => {
      await rows(
        5,
        `INSERT INTO contact_imports (id, workspace_id, state, dry_run, header, size_bytes, created_at, updated_at) SELECT ${idOf('imp')}, ${workspace()}, 'done', 0, '', 1, ${old}, ${old} FROM numbered`,
      )
      await rows(
        count,
        `INSERT INTO import_faults (import_id, line, reason, "row") SELECT '${firstId('imp', new Date(old))}' || printf('%020x', n % 5 + 1), n, 'invalid_email', 'x,y' FROM numbered`,
      )
    },
  ],
  [
    'places of campaign mails',
    () =>
      rows(
        count,
        `INSERT INTO campaign_mails (workspace_id, contact_id, message_id, sent_at) SELECT ${workspace()}, hex, hex, ${old} FROM numbered`,
      ),
  ],
  [
    'limits that are full again',
    () =>
      rows(
        count,
        `INSERT INTO rate_buckets (bucket, tokens, updated_at) SELECT 'login ' || hex, 4, ${old} FROM numbered`,
      ),
  ],
  [
    'tokens of transactions',
    () => rows(count, `INSERT INTO write_tokens (token, at, committed) SELECT hex, ${old}, 1 FROM numbered`),
  ],
]

describe('retention holds nobody up', () => {
  for (const [what, prepare] of cases)
    onFile(what, async () => {
      const { blockMs } = await longestBlock(what, t.cleanUp, async () => {
        await prepare()
        // The log of so many rows at once is not what retention leaves.
        const { databaseUrl } = t.app.config
        const file = new SQLite(databaseUrl.slice('file:'.length))
        file.run('PRAGMA wal_checkpoint(TRUNCATE)')
        file.close()
      })
      expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
    })
})

onFile('a campaign to 20,000 holds nobody up while it takes them into its ledger', async () => {
  const { list } = await listOf(t, 0)
  await rows(
    audience,
    `INSERT INTO contacts (id, workspace_id, email, email_key, source, subscribed, properties, created_at, updated_at)
     SELECT 'con_1' || hex, ${workspace()}, 'r' || n || '@example.net', 'r' || n || '@example.net', 'API', 1, '{"plan":"plan' || (n % 10) || '"}', ${old}, ${old} FROM numbered`,
  )
  await rows(
    audience,
    `INSERT INTO subscriptions (id, workspace_id, contact_id, mailing_list_id, status, created_at, updated_at)
     SELECT 'sub_1' || hex, ${workspace()}, 'con_1' || hex, '${list.id}', 'active', ${old}, ${old} FROM numbered`,
  )
  for (const fields of [{}, { audienceFilter: [{ field: 'plan', op: 'ne', value: 'plan3' }] }]) {
    const what = 'audienceFilter' in fields ? 'with a filter' : 'to everybody'
    const { blockMs } = await longestBlock(
      `a campaign ${what} begins`,
      async (id: string) => {
        await sendCampaign(t, id)
        expect((await t.get(`/v1/campaigns/${id}`, 200)).stats.audience).toBeGreaterThan(audience / 2)
      },
      () => draft(t, list, fields),
    )
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  }
})
