// `paquebot workspace move` between two installations that run, each with processes that are killed: it goes on where it was cut off, ends
// with everything there, and the workspace is served by one of the two at most.

import { Database as SQLite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownedTables } from '../db/workspace-rows.ts'
import { hashFile } from '../src/operator/tenants/archive-file.ts'
import { freePort } from './crash/server.ts'
import { type Cli, cli, type Server } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { freshDirectory } from './support/place.ts'

const rows = 4_000
const passphrase = { BACKUP_PASSPHRASE: 'what only the two of us know' }

interface Installation {
  paquebot: Cli
  environment: Record<string, string>
  url: string
  server: Server
}

async function installation(paquebot: Cli, workspace: string): Promise<Installation & { apiKey: string }> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const environment = { ...passphrase, PORT: port, BASE_URL: url }
  const init = ['init', '--workspace', workspace, '--email', `owner@${workspace}.test`, '--json']
  const { apiKey } = (await paquebot.run(init, environment)).json
  return { paquebot, environment, url, apiKey, server: await paquebot.serve(environment) }
}

async function ask(url: string, key: string, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${key}`, ...init.headers }
  const answer = await fetch(url + path, { ...init, headers })
  return { status: answer.status, body: JSON.parse((await answer.text()) || '{}') }
}

/** A workspace with many contacts, and its key. */
async function tenant({ url, apiKey }: Installation & { apiKey: string }) {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const { body } = await ask(url, apiKey, '/v1/workspaces', { ...json, body: JSON.stringify({ slug: 'globex' }) })
  const { id } = body
  const key = (await ask(url, apiKey, `/v1/workspaces/${id}/api-keys`, { ...json, body: '{}' })).body.apiKey
  const csv = ['email,subscribed', ...Array.from({ length: rows }, (_, n) => `r${n}@example.net,true`)].join('\n')
  const consent = encodeURIComponent('{"subscribed":true,"statement":"Signed up in our shop."}')
  const given = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: csv }
  const begun = await ask(url, key, `/v1/contacts/import?consent=${consent}`, given)
  const state = async () => (await ask(url, key, `/v1/contact-imports/${begun.body.id}`)).body.state
  await eventually(state).toBe('done')
  return { id, key }
}

/** What the database of an installation says right now. */
function look<T>({ paquebot }: Installation, statement: string, ...values: string[]): T | null {
  using file = new SQLite(join(paquebot.directory, 'paquebot.db'), { readonly: true })
  return file.query<T, string[]>(statement).get(...values)
}

/** Once it says something: what is waited for may take longer on a machine that has other work. */
async function seen(one: Installation, statement: string, ...values: string[]): Promise<void> {
  for (let patience = 4; ; patience--)
    try {
      return void (await eventually(() => look(one, statement, ...values)).not.toBeNull())
    } catch (error) {
      if (patience === 0) throw error
    }
}

async function restart(one: Installation): Promise<void> {
  one.server.kill('SIGKILL')
  await one.server.ended
  one.server = await one.paquebot.serve(one.environment)
}

/** Tables in which a row of it is. */
function tablesOf(one: Installation, id: string): string[] {
  return ownedTables().flatMap((owned) => {
    if (owned.of !== 'workspace' || /^(audit_|workspace_transfers)/.test(owned.table.name)) return []
    const found = look(one, `SELECT 1 FROM "${owned.table.name}" WHERE ${owned.by} = ? LIMIT 1`, id)
    return found === null ? [] : [owned.table.name]
  })
}

describe.skipIf(remoteDatabase)('kill -9', () => {
  test('a move in one command goes on, whatever is killed: the command, the source, the target', async () => {
    using one = await cli()
    using two = await cli()
    const source = await installation(one, 'first')
    const target = await installation(two, 'second')
    const { id, key } = await tenant(source)
    const tokenFile = join(freshDirectory(), 'manage-there')
    writeFileSync(tokenFile, `${target.apiKey}\n`)
    const move = ['workspace', 'move', 'globex', '--to', target.url, '--token-file', tokenFile]
    const begin = () => one.begin([...move, '--json'], source.environment)
    const statusAt = async ({ url }: Installation) => (await ask(url, key, '/v1/contacts')).status
    const kill = async (command: ReturnType<typeof begin>) => {
      command.kill('SIGKILL')
      await command.ended
    }
    expect([await statusAt(source), await statusAt(target)]).toEqual([200, 401])

    const first = begin()
    await seen(source, 'SELECT 1 FROM workspace_moves WHERE workspace_id = ? AND moved_to IS NOT NULL', id)
    await kill(first)
    await restart(source)
    expect([await statusAt(source), await statusAt(target)]).toEqual([403, 401])

    const second = begin()
    await seen(target, 'SELECT 1 FROM workspace_moves WHERE workspace_id = ? AND lines > 0', id)
    target.server.kill('SIGKILL')
    await Promise.all([kill(second), target.server.ended])
    const file = join(one.directory, `moving-${id}`)
    expect(existsSync(file)).toBe(true)
    expect(await statusAt(source)).toBe(403)
    target.server = await two.serve(target.environment)

    const third = begin()
    const { code, err, json } = await third.ended
    expect([code, err]).toEqual([0, ''])
    expect(json).toMatchObject({ ok: true, id, to: target.url })
    const { body } = await ask(target.url, key, '/v1/contacts?perPage=1')
    expect(body.pagination.totalResults).toBe(rows)
    expect([await statusAt(source), existsSync(file)]).toEqual([403, false])
    expect(look(target, "SELECT count(*) AS n FROM workspace_transfers WHERE way = 'import'")).toEqual({ n: 1 })
    const again = await one.spawn([...move.with(-1, '-'), '--json'], {
      environment: source.environment,
      stdin: target.apiKey,
    })
    expect([again.code, again.json.ok]).toEqual([0, true])
  })

  test('the key is in no list of processes: it is read from a file or stdin', async () => {
    using one = await cli()
    const to = ['workspace', 'move', 'globex', '--to', 'https://b.example']
    const empty = join(freshDirectory(), 'empty')
    writeFileSync(empty, '\n')
    for (const [flags, said] of [
      [['--token', 'pqk_x'], '--token'],
      [[], '--token-file'],
      [['--token-file', empty], 'is not an API key'],
      [['--token-file', join(freshDirectory(), 'none')], 'cannot be read'],
    ] as const) {
      const { code, err } = await one.run([...to, ...flags], passphrase)
      expect([code, err]).toEqual([2, expect.stringContaining(said)])
    }
  })

  test('an export and an erasure by API go on when the server is there again', async () => {
    using one = await cli()
    const source = await installation(one, 'first')
    const { id, key } = await tenant(source)
    const json = { headers: { 'content-type': 'application/json' } }
    const at = `/v1/workspaces/${id}`
    await ask(source.url, source.apiKey, `${at}/export`, { ...json, method: 'POST', body: '{}' })
    await seen(source, "SELECT 1 FROM outbox_jobs WHERE kind = 'export-workspace' AND state = 'running'")
    await restart(source)
    const state = async () => (await ask(source.url, source.apiKey, `${at}/export`)).body.state
    await eventually(state).toBe('done')
    const found = await fetch(`${source.url}${at}/export/file`, {
      headers: { authorization: `Bearer ${source.apiKey}` },
    })
    const path = join(freshDirectory(), 'file')
    await Bun.write(path, await found.bytes())
    expect(await hashFile(path)).toBe((await ask(source.url, source.apiKey, `${at}/export`)).body.sha256)

    await ask(source.url, source.apiKey, `${at}/suspend`, { ...json, method: 'POST', body: '{"reason":"Gone"}' })
    const erase = { ...json, method: 'DELETE', body: '{"confirm":"globex"}' }
    expect((await ask(source.url, source.apiKey, at, erase)).status).toBe(202)
    await seen(source, 'SELECT 1 FROM workspace_moves WHERE workspace_id = ? AND lines > 0', id)
    await restart(source)
    expect((await ask(source.url, key, '/v1/contacts')).status).toBe(401)
    await eventually(() => tablesOf(source, id)).toEqual([])
    expect((await one.run(['verify', '--json'], source.environment)).code).toBe(0)
  })
})
