// The archive of every commit, kept by a server while it runs, and what is restored from it.

import { Database as SQLite } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { putInstallationValue } from '../db/installation-value.ts'
import { installation as installationTable } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { databasePath } from '../src/core/installation.ts'
import { day } from '../src/kit/duration.ts'
import { systemRandom } from '../src/kit/random.ts'
import { FolderStore } from '../src/kit/store/folder.ts'
import { archiveState, startArchive } from '../src/operator/archive/archive.ts'
import { checkArchive, restoreAt as restorePoint } from '../src/operator/archive/restore.ts'
import { type Base, baseName, parseBase, segmentName } from '../src/operator/archive/segment.ts'
import { pack } from '../src/operator/backup/pack.ts'
import { testApp } from './support/app.ts'
import { type Cli, cli, type Server } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'
import { freshDirectory } from './support/place.ts'
import { s3Server } from './support/s3-server.ts'
import { smtpClient } from './support/smtp-client.ts'

const identity = await generateX25519Identity()
const sealed = { BACKUP_RECIPIENT: await identityToRecipient(identity), ARCHIVE_INTERVAL_MS: '50' }
const keyFile = join(freshDirectory(), 'key')
writeFileSync(keyFile, identity)
const keyed = ['--identity', keyFile]

interface Kept {
  paquebot: Cli
  apiKey: string
  archive: string
  environment: Record<string, string>
}

async function installation(): Promise<Kept> {
  const paquebot = await cli()
  const archive = join(freshDirectory(), 'archive')
  const { apiKey } = (await paquebot.run(['init', '--workspace', 'acme', '--email', 'ada@example.net', '--json'])).json
  return { paquebot, apiKey, archive, environment: { ...sealed, ARCHIVE_URL: archive } }
}

async function create({ apiKey }: Kept, server: Server, ...names: string[]): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  for (const name of names) {
    const body = JSON.stringify({ email: `${name}@example.net` })
    const response = await fetch(`${server.url}/v1/contacts/create`, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
  }
}

/** Asks until it is so. */
async function when(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(20)
}

/** A server that has just started has not made the folder yet. */
const names = (folder: string, start: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(start)) : []

async function end(server: Server): Promise<void> {
  server.kill('SIGTERM')
  await server.ended
}

function emailsIn(folder: string): string[] {
  using file = new SQLite(join(folder, 'paquebot.db'), { readonly: true })
  const rows = file.query<{ email: string }, []>('SELECT email FROM contacts ORDER BY email').all()
  return rows.map(({ email }) => email.replace('@example.net', ''))
}

async function restoreAt({ paquebot, archive }: Kept, at: string) {
  const folder = join(freshDirectory(), 'restored')
  const run = await paquebot.run(['restore', '--at', at, '--from', archive, '--to', folder, ...keyed, '--json'], sealed)
  return { run, folder }
}

describe.skipIf(remoteDatabase)('an archive', () => {
  let kept: Kept
  /** A time between what was before and after. */
  let between = ''
  beforeAll(async () => {
    kept = await installation()
    const server = await kept.paquebot.serve(kept.environment)
    await create(kept, server, 'a1', 'a2')
    await when(() => names(kept.archive, 'base-').length > 0)
    await create(kept, server, 'b1')
    const count = names(kept.archive, 'segment-').length
    await when(() => names(kept.archive, 'segment-').length > count)
    between = new Date(Date.now() + 1).toISOString()
    await when(() => Date.now() > Date.parse(between) + 200)
    await create(kept, server, 'c1')
    // A shell that comes by commits through the same log.
    {
      using shell = new SQLite(join(kept.paquebot.directory, 'paquebot.db'))
      shell.run("UPDATE contacts SET email = 'shell@example.net' WHERE email = 'c1@example.net'")
      shell.run('PRAGMA wal_checkpoint(TRUNCATE)')
    }
    await create(kept, server, 'd1')
    await end(server)
  })
  afterAll(() => kept.paquebot[Symbol.dispose]())

  test('has all that was acknowledged at a time, at a commit, and at last', async () => {
    const latest = await restoreAt(kept, 'latest')
    expect(latest.run.err).toBe('')
    expect(readdirSync(latest.folder).toSorted()).toEqual(['paquebot.db', 'secret.key'])
    expect(emailsIn(latest.folder)).toEqual(['a1', 'a2', 'b1', 'd1', 'shell'])
    const then = await restoreAt(kept, between)
    expect(emailsIn(then.folder)).toEqual(['a1', 'a2', 'b1'])
    const { generation, commit } = then.run.json
    expect(emailsIn((await restoreAt(kept, `${generation}.${commit}`)).folder)).toEqual(['a1', 'a2', 'b1'])
    const own = { DATA_DIR: latest.folder, DATABASE_URL: `file:${join(latest.folder, 'paquebot.db')}` }
    expect((await kept.paquebot.run(['verify'], own)).out).toContain('All invariants hold.')
    const server = await kept.paquebot.serve(own)
    expect(server.said()).toContain('HELD')
    await end(server)
  })

  test('says from where to where it goes, and refuses what it cannot show whole', async () => {
    const { paquebot, archive } = kept
    expect((await paquebot.run(['archive', 'status', '--from', archive])).out).toContain('1.')
    for (const [at, said] of [
      ['2020-01-01T00:00:00Z', 'it begins with 1.'],
      ['2100-01-01T00:00:00Z', 'it is complete until 1.'],
      ['1.999999', 'it is complete until 1.'],
      ['7.1', 'does not contain that'],
      ['yesterday', '--at is a time like'],
    ])
      expect((await restoreAt(kept, at ?? '')).run.err).toContain(said ?? '')
    const wrong = await paquebot.run(['restore', '--at', 'latest', '--from', archive, '--to', freshDirectory()], sealed)
    expect(wrong.err).toContain('sealed')
  })

  test('shows every change of a byte and every file that is missing', async () => {
    const store = (folder: string) => checkArchive(new FolderStore(folder), freshDirectory(), { identity })
    expect((await store(kept.archive)).latest.generation).toBe(1)
    const all = names(kept.archive, 'segment-').sort()
    // Of its segments some: each is checked by the same lines.
    const some = all.filter((_, index) => index % Math.ceil(all.length / 4) === 0 || index === all.length - 1)
    for (const name of [...some, ...names(kept.archive, 'base-')]) {
      const folder = join(freshDirectory(), 'damaged')
      cpSync(kept.archive, folder, { recursive: true })
      const bytes = readFileSync(join(kept.archive, name))
      for (const part of [0.01, 0.2, 0.5, 0.99]) {
        const at = Math.floor(bytes.length * part)
        const flipped = Buffer.from(bytes)
        flipped.writeUInt8((flipped[at] ?? 0) ^ 1, at)
        writeFileSync(join(folder, name), flipped)
        await expect(store(folder), `${name} at ${at}`).rejects.toThrow()
      }
      rmSync(join(folder, name))
      await expect(store(folder), name).rejects.toThrow()
      rmSync(folder, { recursive: true })
    }
  })
})

/** What whoever can write to the place of an archive makes of it, without a key: by what it is, the file that is named. */
const forgeries: Record<string, (place: Place) => string> = {
  'a changed byte in the head of a segment': ({ change, second }) => change(second, (bytes) => flip(bytes, 20)),
  'a changed byte in what was committed': ({ change, second }) =>
    change(second, (bytes) => flip(bytes, bytes.length >> 1)),
  'another number in a head': ({ change, second }) =>
    change(second, (bytes) => Buffer.from(bytes.toString('latin1').replace('"commits":', '"commits": '), 'latin1')),
  'a segment that is cut': ({ change, second }) => change(second, (bytes) => bytes.subarray(0, -1)),
  'a segment of which nothing is left': ({ change, last }) => change(last, () => Buffer.alloc(0)),
  'a segment with more behind it': ({ change, second }) => change(second, (bytes) => Buffer.concat([bytes, bytes])),
  'two segments in each other’s place': ({ change, bytesOf, second, third }) => {
    const [one, other] = [bytesOf(second), bytesOf(third)]
    change(third, () => one)
    return change(second, () => other)
  },
  'a segment twice': ({ change, bytesOf, second, third }) => change(third, () => bytesOf(second)),
  'a segment that is gone': ({ remove, second }) => remove(second),
  'the last segment gone': ({ remove, last }) => remove(last),
  'a segment of another archive': ({ change, foreign, second }) => change(second, () => foreign(second)),
  'a segment more, of another archive': ({ change, foreign, after, second }) => change(after, () => foreign(second)),
  'the base of another archive': ({ change, foreignBase, base }) => change(base, () => foreignBase),
  'a base that says to be of an earlier commit': ({ change, bytesOf, remove, base, claim }) => {
    const bytes = bytesOf(base)
    remove(base)
    return change(claim({ validFrom: 1, time: 1 }), () => bytes)
  },
  'an earlier base in the place of a later one': ({ change, bytesOf, base, claim }) =>
    change(claim({ firstSegment: 3, time: 9_000_000_000_000 }), () => bytesOf(base)),
  'a base that is cut': ({ change, base }) => change(base, (bytes) => bytes.subarray(0, bytes.length >> 1)),
  'a base that is not sealed': ({ change, base, unsealed }) => change(base, () => unsealed),
}

const flip = (bytes: Buffer, at: number) => {
  const changed = Buffer.from(bytes)
  changed.writeUInt8((changed[at] ?? 0) ^ 1, at)
  return changed
}

interface Place {
  base: string
  second: string
  third: string
  last: string
  /** The name of the segment that would follow. */
  after: string
  bytesOf(name: string): Buffer
  /** Of the archive of another installation, sealed for the same key. */
  foreign(name: string): Buffer
  foreignBase: Buffer
  /** The name of the base, changed so. */
  claim(change: Partial<Base>): string
  /** A database of the forger, packed as a base is. */
  unsealed: Buffer
  /** Returns the name. */
  change(name: string, forge: (bytes: Buffer) => Buffer): string
  remove(name: string): string
}

async function archived(): Promise<string> {
  const kept = await installation()
  using paquebot = kept.paquebot
  const server = await paquebot.serve(kept.environment)
  await when(() => names(kept.archive, 'base-').length > 0)
  // Without a pause: segments are brought there all the while.
  for (let n = 0; names(kept.archive, 'segment-').length < 5; n++) await create(kept, server, `a${n}`)
  await end(server)
  return kept.archive
}

async function unsealedBase(): Promise<Buffer> {
  const path = join(freshDirectory(), 'forged')
  const database = join(freshDirectory(), 'forged.db')
  new SQLite(database).run('CREATE TABLE forged (a)')
  const source = { type: 'file', source: database, target: 'paquebot.db' } as const
  await pack([{ type: 'content', target: 'archive.key', content: '00'.repeat(32) }, source], path, null)
  return readFileSync(path)
}

test.skipIf(remoteDatabase)(
  'what somebody without a key makes of an archive is refused by verify and by restore, with the file',
  async () => {
    const [own, other, unsealed] = [await archived(), await archived(), await unsealedBase()]
    const [base = ''] = names(own, 'base-')
    const [otherBase = ''] = names(other, 'base-')
    const segments = names(own, 'segment-').sort()
    const [, second = '', third = ''] = segments
    const last = segments.at(-1) ?? ''
    const after = segmentName(1, segments.length + 1)
    for (const [what, forge] of Object.entries(forgeries)) {
      const folder = join(freshDirectory(), 'forged')
      cpSync(own, folder, { recursive: true })
      const bytesOf = (name: string) =>
        existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : Buffer.alloc(0)
      const named = forge({
        ...{ base, second, third, last, after, bytesOf, unsealed },
        foreign: (name) => readFileSync(join(other, name)),
        claim: (change) => baseName({ ...(parseBase(base) as Base), ...change }),
        foreignBase: readFileSync(join(other, otherBase)),
        change(name, forged) {
          writeFileSync(join(folder, name), forged(bytesOf(name)))
          return name
        },
        remove(name) {
          rmSync(join(folder, name))
          return name
        },
      })
      const store = new FolderStore(folder)
      const restored = join(freshDirectory(), 'restored')
      await expect(checkArchive(store, freshDirectory(), { identity }), `${what}: verify`).rejects.toThrow(named)
      await expect(restorePoint(store, 'latest', restored, { identity }), `${what}: restore`).rejects.toThrow(named)
      expect(names(restored, ''), what).toEqual([])
    }
    // As a person sees it.
    const folder = join(freshDirectory(), 'forged')
    cpSync(own, folder, { recursive: true })
    writeFileSync(join(folder, second), flip(readFileSync(join(folder, second)), 50))
    using paquebot = await cli()
    for (const command of [
      ['archive', 'verify'],
      ['restore', '--at', 'latest', '--to', freshDirectory()],
    ]) {
      const run = await paquebot.run([...command, '--from', folder, ...keyed], sealed)
      expect([run.code, run.err], command.join(' ')).toEqual([1, expect.stringContaining(`${second} is damaged`)])
    }
  },
)

test.skipIf(remoteDatabase)(
  'neither the files of an archive nor a sealed backup hold a word of mail, a name, or a secret in the clear',
  async () => {
    const kept = await installation()
    using paquebot = kept.paquebot
    const { directory } = paquebot
    const server = await paquebot.serve({
      ...kept.environment,
      INBOUND_SMTP_PORT: '0',
      INBOUND_DOMAIN: 'in.example.net',
    })
    const canary = (what: string) => `canary${what}${Buffer.from(systemRandom.bytes(8)).toString('hex')}`
    const [person, text, property, arrived] = ['Person', 'Text', 'Property', 'Arrived'].map(canary) as [
      string,
      string,
      string,
      string,
    ]
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${kept.apiKey}`, 'content-type': 'application/json' }
      const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(response.status, path).toBeLessThan(300)
      return await response.json()
    }
    await when(() => names(kept.archive, 'base-').length > 0)
    await post('/v1/contacts/create', { email: `${person}@example.net`, plan: property })
    const content = [{ type: 'text', text }]
    await post('/v1/transactional/create', { id: 'hello', name: 'Hello', subject: text, content })
    await post('/v1/transactional/send', { email: `${person}@example.net`, templateId: 'hello' })
    const { apiKey } = await post('/v1/api-keys', { name: 'Shop' })
    const command = async (...args: string[]) => (await paquebot.run([...args, '--json'])).json
    const desk = ['--workspace', 'acme', '--address', 'desk@in.example.net']
    const { token } = await command('mailbox', 'token', '--mailbox', (await command('mailbox', 'create', ...desk)).id)
    const [, port] = /receiving mail on \S+:(\d+)/.exec(server.said()) ?? []
    using mail = await smtpClient(Number(port))
    await mail.toData('desk@in.example.net')
    mail.write(`From: a@example.net\r\nSubject: ${arrived}\r\n\r\n${arrived}\r\n.\r\n`)
    expect(await mail.reply()).toStartWith('250')
    const backups = join(freshDirectory(), 'backups')
    expect((await paquebot.run(['backup', backups], sealed)).code).toBe(0)
    await end(server)
    const secret = readFileSync(join(directory, 'secret.key'), 'utf8').trim()
    const words = [person, text, property, arrived]
    const secrets = [kept.apiKey, apiKey, token, secret]
    const bytesOf = (folder: string) =>
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const)
    const files = [...bytesOf(kept.archive), ...bytesOf(backups), ...bytesOf(join(directory, 'archive-spool'))]
    expect(files.length).toBeGreaterThan(3)
    for (const [name, bytes] of files)
      for (const one of [...words, ...secrets, 'SQLite format 3', 'acme'])
        expect([name, one, name.includes(one) || bytes.includes(one)]).toEqual([name, one, false])
    // They are in what is restored, but for the keys, of which only digests are kept; so they would have been seen.
    const { folder } = await restoreAt(kept, 'latest')
    const database = readFileSync(join(folder, 'paquebot.db'))
    for (const one of words) expect([one, database.includes(one)]).toEqual([one, true])
    for (const one of secrets) expect([one, database.includes(one)]).toEqual([one, false])
  },
)

test.skipIf(remoteDatabase)(
  'each start begins another generation, and the shell that came by while it was down is in it',
  async () => {
    const kept = await installation()
    using paquebot = kept.paquebot
    for (const [round, start] of ['first', 'second'].entries()) {
      const server = await paquebot.serve(kept.environment)
      await create(kept, server, start)
      await when(() => names(kept.archive, 'base-').length > round)
      server.kill('SIGKILL')
      await server.ended
      using shell = new SQLite(join(paquebot.directory, 'paquebot.db'))
      shell.run("UPDATE contacts SET email = 'shell@example.net' WHERE email = 'first@example.net'")
    }
    expect(names(kept.archive, 'start-').length).toBe(2)
    expect(emailsIn((await restoreAt(kept, 'latest')).folder)).toEqual(['second', 'shell'])

    // Without that of the first, the last is whole, but not all is.
    const lacking = join(freshDirectory(), 'archive')
    cpSync(kept.archive, lacking, { recursive: true })
    for (const name of names(lacking, 'base-000001')) rmSync(join(lacking, name))
    const verified = await paquebot.run(['archive', 'verify', '--from', lacking, ...keyed], sealed)
    expect(verified.out).toMatch(/^Generation 1 has no base: .*\n.*was restored\. All other checks passed\.\n$/)

    // Without the base of the second, what was committed since is not silently missing.
    for (const name of names(kept.archive, 'base-000002')) rmSync(join(kept.archive, name))
    const archive = (command: string) => paquebot.run(['archive', command, '--from', kept.archive, '--json'], sealed)
    const { baseless, generations } = (await archive('status')).json
    expect(baseless).toEqual([2])
    const said = 'the base of generation 2 is missing'
    expect((await restoreAt(kept, 'latest')).run.err).toContain(said)
    const store = () => checkArchive(new FolderStore(kept.archive), freshDirectory(), { identity })
    for (const gone of ['head-000002', 'segment-000002', 'start-000002']) {
      await expect(store()).rejects.toThrow(said)
      for (const name of names(kept.archive, gone)) rmSync(join(kept.archive, name))
    }
    // What the first can show, it still does, from the first moment that is shown to the last.
    for (const { at } of [generations[0].from, generations[0].until])
      expect((await restoreAt(kept, at)).run.err, at).toBe('')
  },
)

test.skipIf(remoteDatabase)(
  'goes on through many logs, begins with a new copy each day, and deletes what is too old',
  async () => {
    const archive = join(freshDirectory(), 'archive')
    await using t = await testApp({ environment: { ...sealed, ARCHIVE_URL: archive, ARCHIVE_DAYS: '1' } })
    const kept = startArchive(t.app)
    const state = t.app.own(archiveState)
    await when(() => state.coveredAt !== null)
    const fill = (round: number) =>
      write(t.app, async (tx) => {
        for (let n = 0; n < 30; n++)
          await putInstallationValue(tx, `round ${round % 50} ${n}`, `${round} `.repeat(2_000))
      })
    for (let round = 0; round < 20; round++) await fill(round)
    // The clock of this installation is in the past of that of the archive.
    await t.clock.advance(Date.now() - t.clock.now().getTime() + 2 * day)
    const [first] = names(archive, 'base-')
    kept?.renewIfOld()
    for (let round = 20; names(archive, 'base-')[0] === first; round++) {
      await fill(round)
      await pause(20)
    }
    await when(() => names(archive, 'segment-').every((name) => !name.endsWith('-0000000001')))
    await fill(7_000)
    await kept?.stop(10_000)
    expect(state.lastGap).toBeNull()
    const folder = join(freshDirectory(), 'restored')
    await restorePoint(new FolderStore(archive), 'latest', folder, { identity })
    using restored = new SQLite(join(folder, 'paquebot.db'), { readonly: true })
    const rows = await t.app.db.select().from(installationTable)
    const count = restored.query<{ n: number }, []>('SELECT count(*) AS n FROM installation').get()?.n
    expect(count).toBe(rows.length)
    expect(names(archive, 'base-').length).toBe(1)
  },
)

/** The process whose command line names that file; by what the kernel of Linux tells of all. */
const processFor = (path: string) => readdirSync('/proc').find((id) => /^\d+$/.test(id) && commandOf(id).includes(path))

function commandOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8')
  } catch {
    // It ended meanwhile.
    return ''
  }
}

test.skipIf(remoteDatabase || process.platform !== 'linux')(
  'the log starts over while a copy of the database is packed, however long that takes',
  async () => {
    const archive = join(freshDirectory(), 'archive')
    // A passphrase takes a second: time enough to stop who seals with it.
    const sealing = { ARCHIVE_INTERVAL_MS: '50', BACKUP_PASSPHRASE: 'correct horse battery staple' }
    await using t = await testApp({ environment: { ...sealing, ARCHIVE_URL: archive } })
    const kept = startArchive(t.app)
    const state = t.app.own(archiveState)
    const packed = join(t.app.config.dataDir, 'archive-spool', 'base-1.part')
    await when(() => existsSync(packed))
    const packing = Number(processFor(packed))
    process.kill(packing, 'SIGSTOP')
    const log = `${databasePath(t.app.config)}-wal`
    /** Another one with each log. */
    const salt = async () => Buffer.from(await Bun.file(log).slice(16, 24).bytes()).toString('hex')
    const before = await salt()
    // It starts over when it is long, and its reader is not far behind: soon, or never.
    const until = performance.now() + 20_000
    for (let n = 0; (await salt()) === before && performance.now() < until; n++)
      await write(t.app, (tx) => putInstallationValue(tx, `k${n % 10}`, 'x'.repeat(40_000)))
    const meanwhile = { bases: names(archive, 'base-'), isAnother: (await salt()) !== before }
    process.kill(packing, 'SIGCONT')
    await when(() => state.coveredAt !== null)
    await kept?.stop(10_000)
    expect([meanwhile, state.lastGap]).toEqual([{ bases: [], isAnother: true }, null])
    const folder = join(freshDirectory(), 'restored')
    await restorePoint(new FolderStore(archive), 'latest', folder, { passphrase: sealing.BACKUP_PASSPHRASE })
    using restored = new SQLite(join(folder, 'paquebot.db'), { readonly: true })
    const count = restored.query<{ n: number }, []>('SELECT count(*) AS n FROM installation').get()?.n
    expect(count).toBe((await t.app.db.select().from(installationTable)).length)
  },
  120_000,
)

test.skipIf(remoteDatabase)('what was read at once and came only in part is not taken for whole', async () => {
  const archive = join(freshDirectory(), 'archive')
  await using t = await testApp({ environment: { ...sealed, ARCHIVE_INTERVAL_MS: '10000', ARCHIVE_URL: archive } })
  const kept = startArchive(t.app)
  await when(() => t.app.own(archiveState).coveredAt !== null)
  const before = names(archive, 'segment-').length
  // More than a segment has.
  for (let n = 0; n < 20; n++) await write(t.app, (tx) => putInstallationValue(tx, `k${n}`, 'x'.repeat(1_000_000)))
  const at = new Date()
  await when(() => Date.now() > at.getTime())
  await kept?.stop(10_000)
  const segments = names(archive, 'segment-').sort()
  expect(segments.length - before).toBeGreaterThan(1)
  const restored = () => restorePoint(new FolderStore(archive), at, join(freshDirectory(), 'restored'), { identity })
  await restored()
  rmSync(join(archive, segments.at(-1) ?? ''))
  for (const head of names(archive, 'head-')) rmSync(join(archive, head))
  await expect(restored()).rejects.toThrow('the archive is not complete up to that time')
})

test.skipIf(remoteDatabase)(
  'a spool that is full declares a gap, holds no write up, and another generation follows when the store is back',
  async () => {
    await using store = await s3Server()
    const place = { ...sealed, ...store.environment, ARCHIVE_URL: 's3://bucket/archive', ARCHIVE_SPOOL_MB: '1' }
    await using t = await testApp({ environment: place })
    const kept = startArchive(t.app)
    const state = t.app.own(archiveState)
    await when(() => state.coveredAt !== null)
    store.fault = () => 403
    const noise = () => Buffer.from(systemRandom.bytes(1_000_000)).toString('base64')
    for (let n = 0; state.gaps === 0; n++) await write(t.app, (tx) => putInstallationValue(tx, `k${n % 10}`, noise()))
    expect(state.lastGap?.why).toContain('the spool is full')
    const asked = await t.get('/v1/attention', 200)
    expect(JSON.stringify(asked)).toContain('archive_gap')
    store.fault = () => undefined
    await when(() => state.generation === 2 && state.coveredAt !== null)
    expect(state.gaps).toBe(1)
    await kept?.stop(10_000)
  },
)

test.skipIf(remoteDatabase)(
  'a store that is away stops no mail, and gets all when it is back; a second writer is noticed',
  async () => {
    await using store = await s3Server()
    const kept = await installation()
    using paquebot = kept.paquebot
    const place = { ...kept.environment, ...store.environment, ARCHIVE_URL: 's3://bucket/archive' }
    const server = await paquebot.serve(place)
    const inStore = (start: string) =>
      [...store.objects.keys()].filter((key) => key.startsWith(`bucket/archive/${start}`))
    await when(() => inStore('base-').length > 0)
    store.fault = () => 403
    await create(kept, server, 'a')
    await when(() => names(join(paquebot.directory, 'archive-spool'), 'segment-').length > 0)
    store.fault = () => undefined
    await create(kept, server, 'b')
    await when(() => names(join(paquebot.directory, 'archive-spool'), 'segment-').length === 0)
    // What another server has put in the place of the next one.
    for (let n = 1; n < 300; n++) {
      const name = `bucket/archive/segment-000001-${String(n).padStart(10, '0')}`
      if (!store.objects.has(name)) store.objects.set(name, Buffer.from('of another'))
    }
    await create(kept, server, 'c')
    await server.whenSaid(/another server wrote/)
    await create(kept, server, 'd')
    const asked = await fetch(`${server.url}/v1/attention`, { headers: { authorization: `Bearer ${kept.apiKey}` } })
    expect(await asked.text()).toContain('archive_second_writer')
    await end(server)
  },
)

test.skipIf(remoteDatabase).each([
  [{ ARCHIVE_URL: 'somewhere' }, 'must be set for ARCHIVE_URL'],
  [{ ...sealed, ARCHIVE_URL: 'a', DATABASE_URL: 'http://127.0.0.1:1' }, 'enable-bottomless-replication'],
])('%o is refused at the start', async (environment, said) => {
  using paquebot = await cli()
  expect(await paquebot.run(['doctor', '--local'], environment)).toMatchObject({
    code: 2,
    err: expect.stringContaining(said),
  })
})
