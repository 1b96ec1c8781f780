// An installation of an older version, brought to this one: its rows are there, and what is new about them is true.

import { Database as SQLite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/list.ts'
import { openDatabase } from '../db/open.ts'
import { systemClock } from '../src/kit/clock.ts'

/** A database as the version of before `name` left it. */
function databaseBefore(name: string, file: string): SQLite {
  const database = new SQLite(file)
  database.run('CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)')
  for (const earlier of migrations.slice(
    0,
    migrations.findIndex((one) => one.name === name),
  )) {
    for (const statement of earlier.statements.split('--> statement-breakpoint')) database.run(statement)
    database.run('INSERT INTO migrations VALUES (?, 1)', [earlier.name])
  }
  return database
}

test('contacts of an older version that may be mailed get a ledger row, at the time they were made; no others do', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-migration-'))
  const file = join(directory, 'old.db')
  try {
    const old = databaseBefore('0001_consent', file)
    const add = old.prepare(
      `INSERT INTO contacts (id, workspace_id, email, email_key, subscribed, properties, created_at, updated_at)
       VALUES (?, 'ws_1', ?, ?, ?, '{}', ?, 9)`,
    )
    for (const [name, subscribed, at] of [
      ['silent', 1, 7],
      ['known', 1, 8],
      ['off', 0, 9],
    ] as const)
      add.run(`con_${name}`, `${name}@example.net`, `${name}@example.net`, subscribed, at)
    old.run(
      `INSERT INTO consent_records (id, workspace_id, contact_id, email_hash, action, method, given_at, created_at)
       VALUES ('cns_x', 'ws_1', 'con_known', 'h', 'granted', 'api', 8, 8)`,
    )
    old.close()
    await (await openDatabase({ url: `file:${file}`, clock: systemClock })).close()
    const migrated = new SQLite(file)
    const rows = migrated.query('SELECT id, contact_id, action, method, given_at, created_at FROM consent_records')
    expect(rows.all()).toEqual([
      { id: 'cns_x', contact_id: 'con_known', action: 'granted', method: 'api', given_at: 8, created_at: 8 },
      { id: 'cns_silent', contact_id: 'con_silent', action: 'granted', method: 'unknown', given_at: 7, created_at: 7 },
    ])
    migrated.close()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('a domain in use before domains had owners has one afterwards: by its key, else the first that took it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-migration-'))
  const file = join(directory, 'old.db')
  try {
    const old = databaseBefore('0002_domain_owners', file)
    const domain = old.prepare(
      "INSERT INTO sending_domains VALUES (?, ?, ?, 'pq202611', 'sealed', 'key', 'sealed', 'key', 1, 1)",
    )
    domain.run('dom_1', 'thief', 'owned.example')
    domain.run('dom_2', 'owner', 'owned.example')
    domain.run('dom_3', 'first', 'shared.example')
    domain.run('dom_4', 'second', 'shared.example')
    const check = old.prepare(
      "INSERT INTO domain_checks VALUES (?, ?, ?, 'missing', 'missing', NULL, NULL, 9, NULL, NULL)",
    )
    check.run('dom_1', 'thief', 'wrong')
    check.run('dom_2', 'owner', 'ok')
    const mailbox = old.prepare("INSERT INTO mailboxes VALUES (?, ?, ?, lower(?3), '', 'active', NULL, 5, 5, ?)")
    mailbox.run('mbx_1', 'first', 'Desk@Owned.example', null)
    mailbox.run('mbx_2', 'desk', 'Desk@received.example', null)
    mailbox.run('mbx_3', 'gone', 'desk@left.example', 7)
    old.close()
    await (await openDatabase({ url: `file:${file}`, clock: systemClock })).close()
    const migrated = new SQLite(file)
    const owners = migrated.query('SELECT domain, workspace_id, proof, updated_at FROM domain_owners ORDER BY domain')
    expect(owners.values()).toEqual([
      ['owned.example', 'owner', 'dns', 9],
      ['received.example', 'desk', 'kept', 5],
      ['shared.example', 'first', 'kept', 1],
    ])
    migrated.close()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('captured mail of an older version belongs to the workspace of its message or notice; what nothing is known of, to nobody', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-migration-'))
  const file = join(directory, 'old.db')
  try {
    const old = databaseBefore('0005_captured_by_workspace', file)
    const [message, job, lost] = ['a', 'b', 'c'].map((letter) => letter.repeat(32))
    old.run(
      `INSERT INTO messages (id, workspace_id, kind, status, email, subject, locale, from_email, variables, message_id_header, created_at, updated_at)
       VALUES (?, 'ws_1', 'transactional', 'sent', 'a@example.net', 'A', 'en', 'b@example.net', '{}', 'm', 1, 1)`,
      [`msg_${message}`],
    )
    old.run(
      `INSERT INTO outbox_jobs (id, workspace_id, lane, kind, state, due_at, attempts_max, payload, created_at)
       VALUES (?, 'ws_2', 'mail.tx', 'send-notice', 'done', 1, 1, '{}', 1)`,
      [`job_${job}`],
    )
    for (const id of [`msg_${message}`, `job_${job}`, `msg_${lost}`])
      old.run(
        `INSERT INTO captured_mails (message_id_header, envelope_from, envelope_to, raw, created_at) VALUES (?, '', '', x'', 1)`,
        [`${id}@example.net`],
      )
    old.close()
    await (await openDatabase({ url: `file:${file}`, clock: systemClock })).close()
    const migrated = new SQLite(file)
    const rows = migrated.query<{ workspace_id: string }, []>('SELECT workspace_id FROM captured_mails ORDER BY id')
    expect(rows.all().map(({ workspace_id }) => workspace_id)).toEqual(['ws_1', 'ws_2', ''])
    migrated.close()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('mails of a halted campaign, which an older version had put 300 years off, are held and due when they were', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-migration-'))
  const file = join(directory, 'old.db')
  try {
    const old = databaseBefore('0012_held_jobs', file)
    const add = old.prepare(
      `INSERT INTO outbox_jobs (id, workspace_id, lane, kind, partition_key, state, due_at, attempts_max, payload, created_at)
       VALUES (?, 'ws_1', ?, 'k', 'cmp_1', 'pending', ?, 1, '{}', 1)`,
    )
    add.run('job_halted', 'mail.campaign', 1_768_478_400_000 + 1e13)
    add.run('job_due', 'mail.campaign', 1_768_478_400_000)
    add.run('job_other', 'mail.tx', 1_768_478_400_000)
    old.close()
    await (await openDatabase({ url: `file:${file}`, clock: systemClock })).close()
    const migrated = new SQLite(file)
    expect(migrated.query('SELECT id, state, due_at FROM outbox_jobs ORDER BY id').values()).toEqual([
      ['job_due', 'pending', 1_768_478_400_000],
      ['job_halted', 'held', 1_768_478_400_000],
      ['job_other', 'pending', 1_768_478_400_000],
    ])
    migrated.close()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('every revision says whose it is: of a template, a campaign, a mailbox, or, of a notice, the workspace', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-migration-'))
  const file = join(directory, 'old.db')
  try {
    const old = databaseBefore('0013_content_revisions', file)
    const add = old.prepare("INSERT INTO template_revisions VALUES (?, 'ws_1', ?, 'de', 'Hallo', 'p', '[]', 7)")
    for (const [id, owner] of Object.entries({ a: 'tpl_1', b: 'cmp_1', c: 'mbx_1', d: 'campaign-notice' }))
      add.run(`rev_${id}`, owner)
    // What a test mail said is no revision of its template.
    old.run("UPDATE template_revisions SET subject = '[Test] Hallo' WHERE id = 'rev_a'")
    old.close()
    await (await openDatabase({ url: `file:${file}`, clock: systemClock })).close()
    const migrated = new SQLite(file)
    const rest = ['p', '[]', 7, null, null]
    expect(migrated.query('SELECT * FROM content_revisions ORDER BY id').values()).toEqual([
      ['rev_a', 'ws_1', 'test', 'tpl_1', 'de', '[Test] Hallo', ...rest],
      ['rev_b', 'ws_1', 'campaign', 'cmp_1', 'de', 'Hallo', ...rest],
      ['rev_c', 'ws_1', 'mailbox', 'mbx_1', 'de', 'Hallo', ...rest],
      ['rev_d', 'ws_1', 'workspace', 'ws_1', 'de', 'Hallo', ...rest],
    ])
    expect(migrated.query("SELECT 1 FROM sqlite_master WHERE name = 'template_revisions'").all()).toEqual([])
    migrated.close()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('R15: killed at any statement of any migration, the next start completes it', async () => {
  const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'paquebot-migration-'))
  const schema = (file: string) => {
    const database = new SQLite(file, { readonly: true })
    const rows = database.query("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name").values()
    database.close()
    return rows
  }
  /** A process that is gone before it runs the statement. */
  const dieBefore = async (file: string, fatal: string | undefined) => {
    const connection = new SQLite(file)
    connection.run('PRAGMA synchronous = OFF')
    const logger = {
      logQuery(query: string) {
        if (query === fatal) throw new Error('killed')
      },
    }
    const transactor = {
      db: drizzle(connection, { logger }),
      begin: async () => {
        connection.run('BEGIN IMMEDIATE')
        return systemClock.now()
      },
      commit: async () => void connection.run('COMMIT'),
      unsynced: null,
      rollback: async () => void connection.run('ROLLBACK'),
    }
    const result = await migrate(transactor, () => {}).catch(() => 'killed')
    connection.close()
    return result
  }
  try {
    const whole = join(directory, 'whole.db')
    const file = join(directory, 'killed.db')
    await (await openDatabase({ url: `file:${whole}`, clock: systemClock })).close()
    const statementsOf = migrations.map(({ statements }) => statements.split('--> statement-breakpoint'))
    let points = 0
    await dieBefore(file, statementsOf[0]?.[0])
    for (const [index, statements] of statementsOf.entries()) {
      const before = schema(file)
      for (const statement of statements) {
        expect(await dieBefore(file, statement), statement).toBe('killed')
        expect(schema(file)).toEqual(before)
        points++
      }
      await dieBefore(file, statementsOf[index + 1]?.[0])
    }
    expect(schema(file)).toEqual(schema(whole))
    expect(points).toBeGreaterThan(100)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}, 120_000)

test('segments of an older version are built after the start, and follow what they ask about', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-migration-'))
  const file = join(directory, 'old.db')
  try {
    const old = databaseBefore('0047_segment_members', file)
    const filter = {
      all: [
        { field: 'plan', op: 'eq', value: 'pro' },
        {
          not: {
            any: [
              { event: 'log in', atLeast: 2 },
              { list: 'lst_a', status: 'active' },
            ],
          },
        },
        { campaign: 'sent' },
        { campaign: 'opened', campaignId: 'cmp_x' },
      ],
    }
    old.run("INSERT INTO segments VALUES ('seg_1', 'ws_1', 'Pro', ?, 1, 7)", [JSON.stringify(filter)])
    old.close()
    await (await openDatabase({ url: `file:${file}`, clock: systemClock })).close()
    const migrated = new SQLite(file)
    const topics = migrated.query('SELECT topic FROM segment_topics ORDER BY topic').values().flat()
    expect(topics).toEqual(['campaign', 'campaign cmp_x', 'event log in', 'field plan', 'list lst_a'])
    const building = { after: '', done: 0, of: 0 }
    expect(migrated.query('SELECT members, building, built_at FROM segments').values()).toEqual([
      [0, JSON.stringify(building), null],
    ])
    const jobs = migrated.query('SELECT workspace_id, kind, state, due_at FROM outbox_jobs')
    expect(jobs.values()).toEqual([['ws_1', 'keep-segments', 'pending', 7]])
    migrated.close()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
