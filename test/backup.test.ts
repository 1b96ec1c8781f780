// Backups, taken from installations that are served, and restored by an operator who has only the file.

import { Database as SQLite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { outboxAttempts } from '../db/tables/outbox.ts'
import { write } from '../src/core/app.ts'
import { enqueue } from '../src/core/outbox/enqueue.ts'
import { attentionOfInstallation } from '../src/operator/attention/attention.ts'
import { lastBackup, takeScheduledBackup } from '../src/operator/backup/last.ts'
import { pack, unpack } from '../src/operator/backup/pack.ts'
import { inTemporary } from '../src/operator/backup/plain-copy.ts'
import { listSchedules } from '../src/operator/jobs.ts'
import { testApp } from './support/app.ts'
import { type Cli, cli } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'
import { freshDirectory } from './support/place.ts'
import { s3Server } from './support/s3-server.ts'

/** A passphrase costs a second of work each time, so most tests seal with a key. */
const passphrase = { BACKUP_PASSPHRASE: 'correct horse battery staple' }
const identity = await generateX25519Identity()
const sealed = { BACKUP_RECIPIENT: await identityToRecipient(identity) }

function keyFile(text = identity): string[] {
  const path = join(freshDirectory(), 'key')
  writeFileSync(path, `# kept elsewhere\n${text}\n`)
  return ['--identity', path]
}
const initArgs = ['init', '--workspace', 'acme', '--email', 'ada@example.net', '--json']

async function backUp(paquebot: Cli, environment: Record<string, string>, ...flags: string[]) {
  const folder = join(freshDirectory(), 'backups')
  const run = await paquebot.run(['backup', folder, ...flags, '--json'], environment)
  expect(run.code, run.err).toBe(0)
  return { folder, ...run.json }
}

/** Of the restored installation, which has a folder and no settings but these. */
function restored(folder: string, paquebot: Cli, environment: Record<string, string> = {}) {
  const own = { DATA_DIR: folder, DATABASE_URL: `file:${join(folder, 'paquebot.db')}`, ...environment }
  return {
    run: (args: string[]) => paquebot.run(args, own),
    serve: () => paquebot.serve(own),
  }
}

describe.skipIf(remoteDatabase)('a backup', () => {
  test('of a server that goes on accepting: everything acknowledged before it is in it, and it works elsewhere', async () => {
    using paquebot = await cli()
    const { apiKey } = (await paquebot.run(initArgs)).json
    const served = await paquebot.serve()
    const post = async (url: string, path: string, body: object) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
      return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status
    }
    const create = (url: string, name: string) => post(url, '/v1/contacts/create', { email: `${name}@example.net` })
    for (let n = 0; n < 20; n++) expect(await create(served.url, `before${n}`)).toBe(200)
    let isTaking = true
    const meanwhile = (async () => {
      let n = 0
      for (; isTaking; n++) expect(await create(served.url, `meanwhile${n}`)).toBe(200)
      return n
    })()
    const taken = await backUp(paquebot, sealed)
    isTaking = false
    expect(await meanwhile).toBeGreaterThan(0)
    expect(readdirSync(taken.folder)).toEqual([taken.path.split('/').at(-1)])
    expect(statSync(taken.path).mode & 0o077).toBe(0)
    expect((await paquebot.run(['verify', taken.path, ...keyFile()])).out).toContain('All checks passed.')

    const folder = join(freshDirectory(), 'restored')
    const back = await paquebot.run(['restore', taken.path, '--to', folder, ...keyFile()])
    expect(back.out).toContain('with the secret of the installation')
    const copy = restored(folder, paquebot)
    expect((await copy.run(['verify'])).code).toBe(0)
    const again = await copy.serve()
    expect(again.said()).toContain('HELD')
    // The same keys open it, and nobody who was acknowledged is missing.
    expect(await create(again.url, 'before0')).toBe(409)
    expect(await create(again.url, 'before19')).toBe(409)
    expect((await copy.run(['resume', '--as-is'])).code).toBe(0)
  })

  test('sealed for a public key is opened by the secret one alone', async () => {
    using paquebot = await cli()
    await paquebot.run(initArgs)
    const [mine, other] = [
      await paquebot.run(['backup', 'key', '--json']),
      await paquebot.run(['backup', 'key', '--json']),
    ]
    const taken = await backUp(paquebot, { BACKUP_RECIPIENT: mine.json.recipient })
    const open = (...flags: string[]) => paquebot.run(['verify', taken.path, ...flags])
    expect((await open(...keyFile(mine.json.identity))).code).toBe(0)
    expect(await open(...keyFile(other.json.identity))).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be opened'),
    })
    expect((await open()).err).toContain('the backup is sealed')
    expect((await open(...keyFile('hello'))).code).toBe(2)
    expect(readFileSync(taken.path, 'latin1')).not.toContain('SQLite format')
  })

  test('sealed with a passphrase is opened by that alone', async () => {
    using paquebot = await cli()
    await paquebot.run(initArgs)
    const taken = await backUp(paquebot, passphrase)
    expect((await paquebot.run(['verify', taken.path], passphrase)).code).toBe(0)
    expect((await paquebot.run(['verify', taken.path, ...keyFile()])).err).toContain('cannot be opened')
  })

  test('with nothing to seal it is refused, or has no secret in it', async () => {
    using paquebot = await cli()
    await paquebot.run(initArgs)
    expect((await paquebot.run(['backup', freshDirectory()])).err).toContain('BACKUP_PASSPHRASE')
    const taken = await backUp(paquebot, {}, '--unsealed')
    // As a new file system is, when it is mounted.
    const folder = freshDirectory()
    mkdirSync(join(folder, 'lost+found'))
    expect((await paquebot.run(['restore', taken.path, '--to', folder])).out).toContain('The secret is not in it')
    expect(readdirSync(folder).toSorted()).toEqual(['lost+found', 'paquebot.db'])
  })

  test('that is damaged anywhere is refused, and nothing of it is put anywhere', async () => {
    using paquebot = await cli()
    await paquebot.run(initArgs)
    for (const [environment, flags, opening] of [
      [{}, ['--unsealed'], []],
      [sealed, [], keyFile()],
    ] as const) {
      const taken = await backUp(paquebot, environment, ...flags)
      const whole = readFileSync(taken.path)
      const places = [0.02, 0.3, 0.6, 0.98].map((part) => Math.floor(whole.length * part))
      for (const change of [...places.map(flipped), cut, () => Buffer.from('hello')]) {
        writeFileSync(taken.path, change(whole))
        const folder = join(freshDirectory(), 'restored')
        const run = await paquebot.run(['restore', taken.path, '--to', folder, ...opening])
        expect(run.code).toBe(1)
        expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
      }
    }
  })

  test('whose rows are not those that it names is refused', async () => {
    using paquebot = await cli()
    await paquebot.run(initArgs)
    const taken = await backUp(paquebot, {}, '--unsealed')
    const folder = freshDirectory()
    await unpack(taken.path, folder, {}, { known: taken.path })
    const database = join(folder, 'paquebot.db')
    {
      using file = new SQLite(database)
      file.run('PRAGMA foreign_keys = OFF')
      file.run('DELETE FROM api_keys')
    }
    const files = ['backup.json', 'paquebot.db'].map((name) => join(folder, name))
    await pack(
      files.map((source) => ({ type: 'file', source, target: source.slice(folder.length + 1) })),
      taken.path,
      null,
    )
    const run = await paquebot.run(['verify', taken.path])
    expect(run.err).toContain('api_keys has 0 rows, not 1')
  })

  test('that is killed leaves nothing readable among the backups, and the next one removes what it left', async () => {
    using paquebot = await cli()
    await paquebot.run(initArgs)
    const folder = freshDirectory()
    const left = () => readdirSync(paquebot.directory).filter((name) => name.startsWith('.paquebot-'))
    const isCopying = () => left().some((name) => existsSync(join(paquebot.directory, name, 'paquebot.db')))
    const modes = new Set<number>()
    for (let kills = 0; kills < 3; kills++) {
      const running = paquebot.begin(['backup', folder], sealed)
      let hasEnded = false
      void running.ended.then(() => {
        hasEnded = true
      })
      while (!isCopying() && !hasEnded) await pause(1)
      running.kill('SIGKILL')
      await running.ended
      expect(readdirSync(folder).filter((name) => !name.endsWith('.age'))).toEqual([])
      for (const copy of left().map((name) => join(paquebot.directory, name, 'paquebot.db')))
        if (existsSync(copy)) modes.add(statSync(copy).mode & 0o777)
    }
    expect([...modes]).toEqual([0o600])
    // An earlier version copied beside the backups; of what has no lock nobody knows whether it is in use.
    for (const name of ['.paquebot-killed', '.paquebot-busy']) mkdirSync(join(folder, name))
    utimesSync(join(folder, '.paquebot-killed'), 1, 1)
    expect(left().length).toBeGreaterThan(0)
    const during: number[] = []
    await inTemporary(paquebot.directory, async (own) => {
      expect((await paquebot.run(['backup', folder], sealed)).code).toBe(0)
      during.push(statSync(own).mode & 0o777)
    })
    expect(during).toEqual([0o700])
    expect(left()).toEqual([])
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual(['.paquebot-busy'])
  })

  test('never goes over what is there', async () => {
    using paquebot = await cli()
    await paquebot.run(initArgs)
    const taken = await backUp(paquebot, {}, '--unsealed')
    const run = await paquebot.run(['restore', taken.path, '--to', paquebot.directory])
    expect(run).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') })
    expect((await paquebot.run(['restore', 'nowhere', '--to', freshDirectory()])).err).toContain('there is no file')
  })

  test('in a store elsewhere is sealed, rotated, checked from there and restored from there', async () => {
    await using server = await s3Server()
    using paquebot = await cli()
    await paquebot.run(initArgs)
    const place = 's3://bucket/mail'
    for (const name of ['mail/paquebot-20200101T000000Z.tar.zst', 'mail/mine.txt', 'paquebot-20200101T000000Z.tar.zst'])
      server.objects.set(`bucket/${name}`, Buffer.from('old'))
    const here = { ...server.environment, ...sealed, BACKUP_KEEP: '1' }
    expect((await paquebot.run(['backup', place], sealed)).err).toContain('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY')
    const run = await paquebot.run(['backup', '--json'], { ...here, BACKUP_TO: place })
    expect(run.code, run.err).toBe(0)
    expect(run.json.path).toMatch(/^s3:\/\/bucket\/mail\/paquebot-.*\.tar\.zst\.age$/)
    expect(run.json.deleted).toEqual([`${place}/paquebot-20200101T000000Z.tar.zst`])
    expect(server.objects.size).toBe(3)
    for (const which of [[run.json.path], ['--from', place]]) {
      expect((await paquebot.run(['verify', ...which, ...keyFile()], here)).out).toContain('All checks passed.')
      const folder = join(freshDirectory(), 'restored')
      const back = await paquebot.run(['restore', ...which, '--to', folder, ...keyFile()], here)
      expect(back.err).toBe('')
      expect(readdirSync(folder).toSorted()).toEqual(['paquebot.db', 'secret.key'])
      expect((await restored(folder, paquebot).run(['verify'])).code).toBe(0)
    }
    expect(readdirSync(paquebot.directory).filter((name) => name.startsWith('.'))).toEqual([])
    const path = server.objects.keys().find((key) => key.endsWith('.age')) ?? ''
    server.objects.set(path, flipped(2_000)(server.objects.get(path) ?? Buffer.alloc(0)))
    expect((await paquebot.run(['verify', '--from', place, ...keyFile()], here)).err).toContain('or is damaged')
    expect((await paquebot.run(['verify', '--from', 's3://bucket/none'], here)).err).toContain('there is no backup')
  })

  test('that a store does not take is a job that failed and a line of the attention list', async () => {
    await using server = await s3Server()
    server.fault = () => 403
    const environment = { BACKUP_TO: 's3://bucket/mail', ...server.environment, ...sealed }
    await using t = await testApp({ environment })
    await write(t.app, (tx) => enqueue(tx, takeScheduledBackup, { workspaceId: '', payload: {} }))
    await t.settle()
    const items = await attentionOfInstallation(t.app)
    expect(items.find(({ code }) => code === 'backup_late')).toMatchObject({ detail: 'there was none yet' })
    const [attempt] = await t.app.db.select().from(outboxAttempts)
    expect(attempt).toMatchObject({ code: 'backup_failed', detail: expect.stringContaining('the server answered 403') })
  })

  test('is taken by itself, checked, and remembered; the oldest goes', async () => {
    const folder = join(freshDirectory(), 'backups')
    mkdirSync(folder)
    for (const name of ['paquebot-20200101T000000Z.tar.zst.age', 'paquebot-20200102T000000Z.tar.zst', 'mine.txt'])
      writeFileSync(join(folder, name), 'old')
    const environment = { BACKUP_TO: folder, BACKUP_KEEP: '2', ...sealed }
    await using t = await testApp({ environment })
    expect(listSchedules(t.app.config).map(({ kind }) => kind.kind)).toContain('backup')
    expect(await lastBackup(t.app)).toBeNull()
    await write(t.app, (tx) => enqueue(tx, takeScheduledBackup, { workspaceId: '', payload: {} }))
    await t.settle()
    const [mine, kept, taken] = readdirSync(folder).toSorted()
    expect([mine, kept]).toEqual(['mine.txt', 'paquebot-20200102T000000Z.tar.zst'])
    expect(await lastBackup(t.app)).toMatchObject({ path: join(folder, taken ?? '') })
  })
})

/** A whole byte: a single bit may be one that zstd does not read, and nothing is damaged. */
const flipped = (at: number) => (whole: Buffer) => {
  const bytes = Buffer.from(whole)
  bytes.writeUInt8((bytes[at] ?? 0) ^ 0xff, at)
  return bytes
}

const cut = (whole: Buffer) => whole.subarray(0, whole.length - 100)

test.each([
  [{ BACKUP_TO: 'somewhere' }, 'BACKUP_PASSPHRASE or BACKUP_RECIPIENT must be set too'],
  [{ BACKUP_TO: 's3://bucket', ...sealed }, 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set for BACKUP_TO'],
  [
    { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b', BACKUP_TO: 's3://A B', ...sealed },
    'BACKUP_TO must be a folder',
  ],
  [{ S3_ACCESS_KEY_ID: 'a' }, 'must be set together'],
  [{ S3_ENDPOINT: 'minio:9000' }, 'S3_ENDPOINT must be an http or https address'],
  [{ BACKUP_PASSPHRASE: 'short' }, 'BACKUP_PASSPHRASE must have at least 16 characters'],
  [{ BACKUP_RECIPIENT: 'ssh-rsa AAAA' }, 'BACKUP_RECIPIENT must be a public key of age'],
  [{ ...passphrase, ...sealed }, 'cannot be combined'],
  [{ BACKUP_SCHEDULE: 'nightly' }, 'BACKUP_SCHEDULE must be like'],
  [{ BACKUP_KEEP: '0' }, 'BACKUP_KEEP must be a whole number from 1'],
])('%o is refused at the start', async (environment, said) => {
  using paquebot = await cli()
  expect(await paquebot.run(['doctor', '--local'], environment)).toMatchObject({
    code: 2,
    err: expect.stringContaining(said),
  })
})
