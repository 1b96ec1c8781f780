// The files of an installation, as an operator meets them: who may read them, and what happens when one of them is gone.

import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Cli, cli, type Server } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'

const initArgs = ['init', '--workspace', 'acme', '--email', 'ada@acme.test', '--json']
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
const last = (text: string) => text.trim().split('\n').at(-1)

async function contact(server: Server, apiKey: string, email: string): Promise<number> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ email })
  return (await fetch(`${server.url}/v1/contacts/create`, { method: 'POST', headers, body })).status
}

async function ready(server: Server): Promise<number> {
  return (await fetch(`${server.url}/readyz`)).status
}

async function readiness(server: Server, status: number): Promise<void> {
  while ((await ready(server)) !== status) await fetch(`${server.url}/healthz`)
}

/** What a server says may be read after its answer. */
async function hearing(server: Server, words: string): Promise<void> {
  while (!server.said().includes(words)) await fetch(`${server.url}/healthz`)
}

function modes(paquebot: Cli): string[] {
  return [paquebot.directory, ...readdirSync(paquebot.directory).map((name) => join(paquebot.directory, name))].map(
    mode,
  )
}

test('nobody but its owner may read an installation, and one that exists is mended at the start', async () => {
  using paquebot = await cli()
  chmodSync(paquebot.directory, 0o755)
  const first = await paquebot.serve()
  const made = readdirSync(paquebot.directory)
  const expected = remoteDatabase
    ? ['installation', 'secret.key']
    : ['paquebot.db', 'paquebot.db-shm', 'paquebot.db-wal']
  expect(made).toEqual(expect.arrayContaining(expected))
  expect(modes(paquebot)).toEqual(['700', ...made.map(() => '600')])
  first.kill('SIGTERM')
  await first.ended
  for (const name of readdirSync(paquebot.directory)) chmodSync(join(paquebot.directory, name), 0o644)
  chmodSync(paquebot.directory, 0o755)
  const told = (await paquebot.run(['doctor', '--json'])).json.checks.find(
    (one: { name: string }) => one.name === 'files',
  )
  expect(told.ok).toBe(false)
  expect(told.detail).toContain(`${paquebot.directory} has mode 755`)
  expect(told.detail).toContain('secret.key has mode 644')
  const again = await paquebot.serve()
  expect(
    modes(paquebot)
      .slice(1)
      .every((one) => one === '600'),
  ).toBe(true)
  expect(mode(paquebot.directory)).toBe('700')
  again.kill('SIGTERM')
  await again.ended
})

describe.skipIf(remoteDatabase)('a database file', () => {
  test('moved while the server runs: no write is acknowledged, /readyz is red, and put back it goes on', async () => {
    using paquebot = await cli()
    const { apiKey } = (await paquebot.run(initArgs)).json
    const file = join(paquebot.directory, 'paquebot.db')
    const server = await paquebot.serve()
    expect([await contact(server, apiKey, 'a@example.net'), await ready(server)]).toEqual([200, 200])
    for (const part of ['', '-wal', '.lock']) {
      renameSync(file + part, `${file}${part}.away`)
      await readiness(server, 503)
      expect(await contact(server, apiKey, 'b@example.net'), part).toBe(503)
      await hearing(server, `${file}${part} was removed, moved or replaced`)
      renameSync(`${file}${part}.away`, file + part)
      await readiness(server, 200)
    }
    // Another file of the same name is not the one that is open.
    copyFileSync(file, `${file}.copy`)
    renameSync(`${file}.copy`, file)
    expect(await contact(server, apiKey, 'c@example.net')).toBe(503)
    await readiness(server, 503)
    server.kill('SIGKILL')
    await server.ended
  })

  test('an installation whose database is gone does not get a new one without being asked', async () => {
    using paquebot = await cli()
    const { apiKey } = (await paquebot.run(initArgs)).json
    const file = join(paquebot.directory, 'paquebot.db')
    renameSync(file, `${file}.away`)
    const before = readdirSync(paquebot.directory)
    for (const args of [['serve'], initArgs, ['migrate'], ['doctor'], ['key', 'list', '--workspace', 'acme']]) {
      const run = await paquebot.spawn(args, { environment: { PORT: '0' } })
      expect([run.code, run.err.trim().split('\n').length], args.join(' ')).toEqual([1, 1])
      expect(run.err, args.join(' ')).toMatch(
        /paquebot\.db is missing or empty.*restore it or a backup.*--new-database/,
      )
    }
    expect(readdirSync(paquebot.directory)).toEqual(before)
    renameSync(`${file}.away`, file)
    const same = await paquebot.serve()
    expect(await contact(same, apiKey, 'a@example.net')).toBe(200)
    same.kill('SIGTERM')
    await same.ended
    const needless = await paquebot.spawn(['serve', '--new-database'], { environment: { PORT: '0' } })
    expect([needless.code, last(needless.err)]).toEqual([1, expect.stringContaining('this one exists')])
    for (const name of readdirSync(paquebot.directory))
      if (name.startsWith('paquebot.db')) rmSync(join(paquebot.directory, name))
    const anew = await paquebot.serve({}, ['--new-database'])
    expect(await contact(anew, apiKey, 'a@example.net')).toBe(401)
    anew.kill('SIGTERM')
    await anew.ended
  })

  test('one database under two names is served once', async () => {
    using paquebot = await cli()
    const server = await paquebot.serve()
    const link = join(paquebot.directory, 'link.db')
    symlinkSync(join(paquebot.directory, 'paquebot.db'), link)
    const second = await paquebot.spawn(['serve'], { environment: { PORT: '0', DATABASE_URL: `file:${link}` } })
    expect([second.code, last(second.err)]).toEqual([1, expect.stringContaining('another paquebot serves')])
    server.kill('SIGTERM')
    await server.ended
  })

  test('a file that cannot be opened is named', async () => {
    using paquebot = await cli()
    const file = join(paquebot.directory, 'paquebot.db')
    mkdirSync(file)
    const folder = await paquebot.run(['migrate'])
    expect([folder.code, folder.err]).toEqual([1, expect.stringContaining(file)])
    rmSync(file, { recursive: true })
    await Bun.write(file, 'this is a text and no database, but it is long enough to look at'.repeat(20))
    const text = await paquebot.run(['migrate'])
    expect([text.code, text.err]).toEqual([1, expect.stringContaining(`cannot open the database ${file}`)])
  })
})

test('a secret that is gone is not made anew without being asked', async () => {
  using paquebot = await cli()
  await paquebot.run(initArgs)
  const secret = join(paquebot.directory, 'secret.key')
  rmSync(secret)
  for (const args of [['serve'], ['doctor'], ['user', 'list']]) {
    const run = await paquebot.spawn(args, { environment: { PORT: '0' } })
    expect([run.code, run.err], args.join(' ')).toEqual([
      1,
      expect.stringMatching(/secret\.key is missing.*SECRET_KEY.*--new-secret/),
    ])
  }
  expect(existsSync(secret)).toBe(false)
  const server = await paquebot.serve({}, ['--new-secret'])
  expect([existsSync(secret), mode(secret)]).toEqual([true, '600'])
  server.kill('SIGTERM')
  await server.ended
})

test('commands that work on an installation make none in a wrong folder', async () => {
  using paquebot = await cli()
  const wrong = join(paquebot.directory, 'elsewhere')
  const commands = [
    ['doctor'],
    ['verify'],
    ['key', 'list', '--workspace', 'acme'],
    ['workspace', 'list'],
    ['user', 'list'],
  ]
  for (const args of commands) {
    const run = await paquebot.run([...args, '--json'], { DATA_DIR: wrong, ...elsewhere(wrong) })
    expect([run.code, run.json?.code], `${args.join(' ')}: ${run.err}`).toEqual([1, 'not_found'])
    expect(run.err).toMatch(/there is no installation in .*elsewhere.*set DATA_DIR.*paquebot init/)
  }
  expect(readdirSync(paquebot.directory)).toEqual([])
})

function elsewhere(directory: string): Record<string, string> {
  return remoteDatabase ? {} : { DATABASE_URL: `file:${join(directory, 'paquebot.db')}` }
}
