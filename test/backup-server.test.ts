// Backups of a libSQL server, taken while processes go on writing to it; restored into a file, and from there into an empty server.

import { Database as SQLite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client/web'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { write } from '../src/core/app.ts'
import { enqueue } from '../src/core/outbox/enqueue.ts'
import { attentionOfInstallation } from '../src/operator/attention/attention.ts'
import { lastBackup, takeScheduledBackup } from '../src/operator/backup/last.ts'
import { testApp } from './support/app.ts'
import { type Cli, cli } from './support/cli.ts'
import { freshDatabaseUrl, remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { freshDirectory } from './support/place.ts'

const identity = await generateX25519Identity()
const settings = { SECRET_KEY: 'of a test, and not more', BACKUP_RECIPIENT: await identityToRecipient(identity) }
const keyPath = join(freshDirectory(), 'key')
writeFileSync(keyPath, `${identity}\n`)
const opened = ['--identity', keyPath]

/** A served installation on the server with a template, and someone who mails, creates and deletes without end. */
async function busy(paquebot: Cli) {
  const { json } = await paquebot.run(['init', '--workspace', 'acme', '--email', 'ada@example.net', '--json'], settings)
  const served = await paquebot.serve(settings)
  const headers = { authorization: `Bearer ${json.apiKey}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object, url = served.url) =>
    (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status
  const content = [{ type: 'text', text: 'Hi' }]
  expect(await post('/v1/transactional/create', { id: 'hi', name: 'Hi', subject: 'Hi', content })).toBe(201)
  const acknowledged = new Set<string>()
  let isOver = false
  const one = async (name: number) => {
    for (let n = 0; !isOver; n++) {
      const email = `c${name}-${n}@example.org`
      expect(await post('/v1/contacts/create', { email })).toBe(200)
      acknowledged.add(email)
      expect(await post('/v1/transactional/send', { email, templateId: 'hi' })).toBe(200)
    }
  }
  const running = Promise.all(Array.from({ length: 4 }, (_, name) => one(name)))
  return {
    served,
    post,
    acknowledged,
    async stop() {
      isOver = true
      await running
    },
  }
}

async function leftAt(url: string): Promise<unknown[]> {
  const client = createClient({ url })
  const { rows } = await client.execute(
    "SELECT name FROM sqlite_master WHERE name LIKE 'cop%' UNION ALL SELECT name FROM installation WHERE name IN ('copy', 'tracking')",
  )
  client.close()
  return rows.map(({ name }) => name)
}

describe.skipIf(!remoteDatabase)('a backup of a libSQL server', () => {
  test('that is written to has all that was acknowledged, nothing half, and works elsewhere: in a file, and in a server', async () => {
    using paquebot = await cli()
    const server = await freshDatabaseUrl('')
    const writing = await busy(paquebot)
    await eventually(() => writing.acknowledged.size).toBeGreaterThan(40)
    const before = [...writing.acknowledged]
    const folder = join(freshDirectory(), 'backups')
    const taken = await paquebot.run(['backup', folder, '--json'], settings)
    expect(taken.code, taken.err).toBe(0)
    const after = writing.acknowledged.size
    await writing.stop()
    expect(after).toBeGreaterThan(before.length)
    expect(await leftAt(server)).toEqual([])
    expect(readdirSync(folder)).toEqual([taken.json.path.split('/').at(-1)])
    expect((await paquebot.run(['verify', taken.json.path, ...opened], settings)).out).toContain('All checks passed.')

    const restored = join(freshDirectory(), 'restored')
    const back = await paquebot.run(['restore', taken.json.path, '--to', restored, ...opened], settings)
    expect(back.code, back.err).toBe(0)
    const path = join(restored, 'paquebot.db')
    {
      using file = new SQLite(path, { readonly: true })
      const column = (sql: string) => file.query(sql).values().flat()
      const emails = new Set(column('SELECT email FROM contacts'))
      expect(before.filter((email) => !emails.has(email))).toEqual([])
      expect(emails.size).toBeGreaterThanOrEqual(before.length)
      // Of one commit.
      expect(column('SELECT email FROM contacts WHERE id NOT IN (SELECT contact_id FROM consent_records)')).toEqual([])
      expect(column('SELECT id FROM messages WHERE job_id NOT IN (SELECT id FROM outbox_jobs)')).toEqual([])
      expect(column("SELECT name FROM sqlite_schema WHERE name LIKE 'cop%'")).toEqual([])
    }
    const inFile = { ...settings, DATA_DIR: restored, DATABASE_URL: `file:${path}` }
    expect((await paquebot.run(['verify'], inFile)).code).toBe(0)
    const again = await paquebot.serve(inFile)
    expect(again.said()).toContain('HELD')
    expect(await writing.post('/v1/contacts/create', { email: before[0] }, again.url)).toBe(409)
    again.kill('SIGTERM')
    await again.ended

    writing.served.kill('SIGTERM')
    await writing.served.ended
    const emptied = await freshDatabaseUrl('')
    const copied = await paquebot.run(['copy', `file:${path}`, emptied], inFile)
    expect(copied.code, copied.err).toBe(0)
    const onServer = { ...settings, DATA_DIR: join(freshDirectory(), 'new') }
    const last = await paquebot.serve(onServer)
    // What waited in the backup may have left since: it is held there, too.
    expect(last.said()).toContain('HELD')
    expect(await writing.post('/v1/contacts/create', { email: before[0] }, last.url)).toBe(409)
    last.kill('SIGTERM')
    await last.ended
  }, 120_000)

  test('that is killed leaves nothing: the next one clears it away, and so does a start', async () => {
    using paquebot = await cli()
    const server = await freshDatabaseUrl('')
    const writing = await busy(paquebot)
    const folder = freshDirectory()
    const killed = async () => {
      const running = paquebot.begin(['backup', folder], settings)
      await eventually(() => leftAt(server)).not.toEqual([])
      running.kill('SIGKILL')
      await running.ended
      expect(await leftAt(server)).toContain('copied_changes')
      expect(readdirSync(folder)).toEqual([])
    }
    await killed()
    const run = await paquebot.run(['backup', folder], settings)
    expect(run.code, run.err).toBe(0)
    expect(await leftAt(server)).toEqual([])
    expect(readdirSync(folder).length).toBe(1)
    await writing.stop()
    for (const file of readdirSync(folder)) await Bun.file(join(folder, file)).delete()
    await killed()
    writing.served.kill('SIGTERM')
    await writing.served.ended
    const again = await paquebot.serve(settings)
    expect(await leftAt(server)).toEqual([])
    again.kill('SIGTERM')
    await again.ended
  }, 120_000)

  test('is taken by itself, and attention tells of one that is missing', async () => {
    const folder = join(freshDirectory(), 'backups')
    await using t = await testApp({
      environment: { ...settings, SECRET_KEY: 'test-secret-key-of-paquebot', BACKUP_TO: folder },
    })
    const late = async () => (await attentionOfInstallation(t.app)).map(({ code }) => code)
    expect(await late()).toContain('backup_late')
    await write(t.app, (tx) => enqueue(tx, takeScheduledBackup, { workspaceId: '', payload: {} }))
    await t.settle()
    const [taken] = readdirSync(folder)
    expect(await lastBackup(t.app)).toMatchObject({ path: join(folder, taken ?? '') })
    expect(await late()).not.toContain('backup_late')
  })
})
