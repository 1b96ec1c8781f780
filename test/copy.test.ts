// paquebot copy: everything moves from a file to a libSQL server and back, also when it is cut off in the middle; what is half there
// is never served, and neither is what was moved.

import { Database as SQLite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockProcess } from '../db/lock.ts'
import { runCommandLine } from '../src/doors/cli/run.ts'
import { type Cli, cli, type Run } from './support/cli.ts'
import { freshDatabaseUrl, remoteDatabase } from './support/database.ts'

const secret = { SECRET_KEY: 'of a test, and not more' }
const people = 20_000

/** The rows of every table, but for what each database has for itself. */
function contents(path: string): Record<string, unknown[][]> {
  const file = new SQLite(path, { readonly: true })
  const names = file
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT IN ('sqlite_schema', 'migrations', 'processes', 'write_tokens')",
    )
    .all()
    .map(({ name }) => name)
  const where = (name: string) => (name === 'installation' ? "WHERE name NOT IN ('copy', 'epoch')" : '')
  const rows = Object.fromEntries(
    names.map((name) => [name, file.query(`SELECT * FROM "${name}" ${where(name)}`).values()]),
  )
  file.close()
  return rows
}

/** An installation on a file, with something in many tables, mail that waits and thousands of people. */
async function installation(
  paquebot: Cli,
  environment: Record<string, string>,
): Promise<{ apiKey: string; scheduled: string }> {
  const { json } = await paquebot.run(
    ['init', '--workspace', 'acme', '--email', 'ada@example.net', '--json'],
    environment,
  )
  const server = await paquebot.serve(environment)
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${json.apiKey}`, 'content-type': 'application/json' }
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = await response.json()
    expect(response.ok, JSON.stringify(answer)).toBeTrue()
    return answer
  }
  await post('/v1/transactional/create', {
    id: 'hi',
    name: 'Hi',
    subject: 'Hi',
    content: [{ type: 'text', text: 'Hi' }],
  })
  const data = Buffer.alloc(3_000_000, 'x').toString('base64')
  const attachments = [{ filename: 'a.txt', contentType: 'text/plain', data }]
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  const { messageId } = await post('/v1/transactional/send', {
    email: 'b@example.net',
    templateId: 'hi',
    scheduledAt,
    attachments,
  })
  await post('/v1/transactional/send', { email: 'a@example.net', templateId: 'hi' })
  await post('/v1/events/send', {
    email: 'a@example.net',
    eventName: 'seen',
    contactProperties: { plan: 'pro', score: 1.5 },
  })
  server.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  const file = new SQLite(join(paquebot.directory, 'paquebot.db'))
  file.run(
    `INSERT INTO contacts (id, workspace_id, email, email_key, subscribed, properties, created_at, updated_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${people})
     SELECT 'con_' || i, (SELECT id FROM workspaces), i || '@example.org', i || '@example.org', 1, '{}', i, i FROM n`,
  )
  file.close()
  return { apiKey: json.apiKey, scheduled: messageId }
}

const refused = (run: Run, words: RegExp) => {
  expect([run.code, run.err.trim().split('\n').at(-1)]).toEqual([1, expect.stringMatching(words)])
}

test.skipIf(!remoteDatabase)(
  'everything is copied to a server and back, and what was killed in the middle is gone on with',
  async () => {
    using paquebot = await cli()
    const server = await freshDatabaseUrl('')
    const path = join(paquebot.directory, 'paquebot.db')
    const onFile = { ...secret, DATABASE_URL: `file:${path}` }
    const onServer = { ...secret, DATABASE_URL: server }
    const { apiKey, scheduled } = await installation(paquebot, onFile)
    const before = contents(path)

    const begun = paquebot.begin(['copy', `file:${path}`, server], secret)
    await begun.whenSaid(/ of \d+/)
    begun.kill('SIGKILL')
    await begun.ended
    const run = (args: string[], environment: Record<string, string> = secret) => paquebot.run(args, environment)
    // Neither half is served, or worked on by any command.
    refused(await run(['serve'], { ...onServer, PORT: '0' }), /an unfinished copy of file:.*; finish it/)
    refused(await run(['verify'], onServer), /unfinished copy/)
    refused(await run(['serve'], { ...onFile, PORT: '0' }), /was copied to http.*serve --go-on/)
    const whole = await run(['copy', `file:${path}`, server, '--json'])
    expect(whole.code, whole.err).toBe(0)
    expect(whole.json).toMatchObject({ ok: true, to: server })
    expect(whole.json.tables).toContainEqual({ table: 'contacts', from: people + 1, to: people + 1 })

    expect((await run(['verify'], onServer)).code).toBe(0)
    const served = await paquebot.serve(onServer)
    const headers = { authorization: `Bearer ${apiKey}` }
    const told = await fetch(`${served.url}/v1/activity/${scheduled}`, { headers })
    expect((await told.json()).status).toBe('queued')
    refused(await run(['copy', server, `file:${path}.back`]), /process \d+ on .* serves http.*; stop it first/)
    served.kill('SIGTERM')
    expect((await served.ended).code).toBe(0)

    refused(
      await run(['copy', server, `file:${path}`]),
      /holds data of its own; TO must be empty|an unfinished copy of/,
    )
    const back = await run(['copy', '--from', server, '--to', `file:${path}.back`])
    expect(back.code, back.err).toBe(0)
    expect(back.out).toContain('the counts agree and all invariants hold')
    // The server made a link to sign in when it started, which is a line of the audit log.
    const after = contents(`${path}.back`)
    const written = { login_links: [], audit_log: [], audit_changes: [] }
    expect({ ...after, ...written }).toEqual({ ...before, ...written })
    expect(after['audit_log']).toEqual(expect.arrayContaining(before['audit_log'] ?? []))
    refused(await run(['verify'], onServer), /was copied to file:/)
    // Who gives the copy up goes on with the first.
    const again = await paquebot.serve(onFile, ['--go-on'])
    again.kill('SIGTERM')
    expect((await again.ended).code).toBe(0)
    expect((await run(['verify'], onFile)).code).toBe(0)
  },
  240_000,
)

/** In this process, where nothing is served. */
async function command(directory: string, ...args: string[]): Promise<Run> {
  let [out, err] = ['', '']
  const code = await runCommandLine(args, {
    out: (text) => {
      out += `${text}\n`
    },
    err: (text) => {
      err += `${text}\n`
    },
    isTerminal: { out: false, err: false },
    environment: { ...secret, DATA_DIR: directory },
  })
  return { code, out, err, json: undefined }
}

test.skipIf(remoteDatabase)('a copy that may not be made is refused, and changes nothing', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-copy-'))
  const run = (...args: string[]) => command(directory, ...args)
  try {
    await run('init', '--workspace', 'acme', '--email', 'ada@example.net')
    const path = join(directory, 'paquebot.db')
    const [from, to] = [`file:${path}`, `file:${path}.copy`]
    refused(await run('copy', from, from), /the same database/)
    refused(await run('copy', `file:${path}.gone`, to), /there is no database at/)
    const lock = lockProcess(path)
    refused(await run('copy', from, to), /another paquebot serves .*; stop it first/)
    lock?.release()
    for (const [args, words] of [
      [[], 'needs FROM'],
      [[from], 'needs TO'],
      [[from, to, 'more'], 'takes no "more"'],
      [[path, to], 'FROM must start with one of'],
    ] as const) {
      const { code, err } = await run('copy', ...args)
      expect([code, err.trim()]).toEqual([2, expect.stringContaining(words)])
    }
    await command(`${directory}/other`, 'init', '--workspace', 'acme', '--email', 'ada@example.net')
    refused(await run('copy', from, `file:${directory}/other/paquebot.db`), /holds data of its own; TO must be empty/)
    expect((await run('verify')).code).toBe(0)
    const before = contents(path)
    expect((await run('copy', from, to)).code).toBe(0)
    expect(contents(`${path}.copy`)).toEqual(before)
    refused(await run('copy', from, to), /holds data of its own/)
    refused(await run('verify'), /was copied to/)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
