// A second machine that follows the archive of a server, and takes over from it; how it does so under load: take-over.test.ts.

import { Database as SQLite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../src/core/config.ts'
import { hour } from '../src/kit/duration.ts'
import { checkCopy } from '../src/operator/standby/copy-check.ts'
import { LeaseWatch, leaseStore, takeLease } from '../src/operator/standby/lease.ts'
import { type Cli, cli, type Server } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'
import { freshDirectory } from './support/place.ts'
import { s3Server } from './support/s3-server.ts'

const lengthMs = 2_000
const pageBytes = 4_096

function configOf(archive: string, environment: Record<string, string> = {}) {
  const directory = freshDirectory()
  return readConfig({
    DATA_DIR: directory,
    DATABASE_URL: `file:${join(directory, 'paquebot.db')}`,
    ARCHIVE_URL: archive,
    BACKUP_PASSPHRASE: 'the passphrase of a test',
    ...environment,
  })
}

async function when(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(20)
}

describe.each(['a folder', 'a store'])('the lease in %s', (kind) => {
  test('is had by one, renewed, given back, and seized only after its whole length', async () => {
    await using server = kind === 'a store' ? await s3Server() : null
    const place = server === null ? join(freshDirectory(), 'archive') : 's3://bucket/archive'
    const [one, other] = [configOf(place, server?.environment), configOf(place, server?.environment)]
    const first = await takeLease(one, lengthMs)
    const lost: string[] = []
    first.onLost((why) => lost.push(why))
    expect(first.holds()).toBeTrue()
    await expect(takeLease(other, lengthMs)).rejects.toThrow('took over')
    const watch = new LeaseWatch(leaseStore(other, lengthMs))
    const began = performance.now()
    let seen = await watch.look()
    const number = seen?.lease.number ?? 0
    while (performance.now() - began < 2 * lengthMs) {
      seen = await watch.look()
      expect(seen?.runOut).toBeFalse()
      await pause(100)
    }
    expect(seen?.lease.number).toBeGreaterThan(number + 2)
    expect(first.holds()).toBeTrue()
    await first.release(true)
    expect(first.holds()).toBeFalse()
    const released = await watch.look()
    expect(released?.lease.state).toBe('released')
    if (!released) throw new Error('there is no lease')
    const second = await watch.seize(other, released.lease, lengthMs)
    expect(second?.term).toBe(2)
    // Whoever looked at the same one is too late.
    expect(await watch.seize(one, released.lease, lengthMs)).toBeNull()
    await expect(takeLease(one, lengthMs)).rejects.toThrow('took over with term 2')
    expect(lost).toEqual([])
    await second?.release(true)
  })

  test('is over for its holder before a follower may have it, when the store is away', async () => {
    await using server = kind === 'a store' ? await s3Server() : null
    const place = server === null ? join(freshDirectory(), 'archive') : 's3://bucket/archive'
    const config = configOf(place, server?.environment)
    const lease = await takeLease(config, lengthMs)
    const watch = new LeaseWatch(leaseStore(config, lengthMs))
    const seenAt = performance.now()
    await watch.look()
    if (server) server.fault = ({ method }) => (method === 'PUT' ? 503 : undefined)
    // A folder cannot be away for one of two processes: the next numbers are had by somebody else, as if they were seized.
    else
      for (let next = 2; next < 9; next++)
        writeFileSync(join(place, `lease-${String(next).padStart(12, '0')}`), `{"number":${next}}`)
    await when(() => !lease.holds())
    expect(performance.now() - seenAt).toBeLessThan(lengthMs)
    if (server) {
      expect((await watch.look())?.runOut).toBeFalse()
      await when(async () => (await watch.look())?.runOut ?? false)
      expect(performance.now() - seenAt).toBeGreaterThan(lengthMs)
    }
    await lease.release(true)
  })
})

test('a copy of DATA_DIR is another owner, so it cannot take the lease of the original', async () => {
  const place = join(freshDirectory(), 'archive')
  const [one, copy] = [configOf(place), configOf(place)]
  const lease = await takeLease(one, lengthMs)
  mkdirSync(copy.dataDir, { recursive: true })
  writeFileSync(join(copy.dataDir, 'lease-owner'), readFileSync(join(one.dataDir, 'lease-owner')))
  await expect(takeLease(copy, lengthMs)).rejects.toThrow('another server')
  await lease.release(true)
})

interface Pair {
  server: Cli
  standby: Cli
  environment: Record<string, string>
  archive: string
}

async function pair(): Promise<Pair> {
  const archive = join(freshDirectory(), 'archive')
  const server = await cli()
  await server.run(['init', '--workspace', 'acme', '--email', 'ada@example.net'])
  const sealed = { BACKUP_PASSPHRASE: 'the passphrase of a test', ARCHIVE_INTERVAL_MS: '100' }
  return {
    server,
    standby: await cli(),
    archive,
    environment: { ...sealed, ARCHIVE_URL: archive, STANDBY_LEASE_S: '3' },
  }
}

type Process = Omit<Server, 'url'>

/** Its address. */
async function standBy({ standby, environment }: Pair): Promise<{ process: Process; url: string }> {
  const process = standby.begin(['standby', '--json'], { PORT: '0', ...environment })
  await process.whenSaid(/standing by on/)
  return { process, url: /standing by on (\S+)/.exec(process.said())?.[1] ?? '' }
}

async function stateOf(url: string) {
  return (await (await fetch(`${url}/readyz`)).json()) as {
    isReady: boolean
    isChecking: boolean
    lagSeconds: number | null
    state: string
  }
}

describe.skipIf(remoteDatabase)('a standby', () => {
  test('serves nothing but how far it is, and refuses to take over from a server that holds its lease', async () => {
    const both = await pair()
    using first = both.server
    using second = both.standby
    const server = await first.serve(both.environment)
    const { process, url } = await standBy(both)
    await when(async () => (await stateOf(url)).isReady)
    const ready = await fetch(`${url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({
      state: 'standby',
      waitsForBase: false,
      isChecking: false,
      checkedAt: expect.any(String),
      lease: { term: 1, state: 'held' },
    })
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    const refused = await fetch(`${url}/v1/contacts/create`, { method: 'POST', body: '{}' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^paquebot_standby_lag_seconds \d/m)
    const early = await second.run(['standby', 'take-over'], both.environment)
    expect([early.code, early.err]).toEqual([1, expect.stringContaining('holds its lease: stop it first')])
    // What it follows is no database for anybody else.
    const serve = await second.run(['serve'], both.environment)
    expect([serve.code, serve.err]).toEqual([1, expect.stringContaining('is of a standby')])
    const without = await first.run(['serve'], { ...both.environment, STANDBY_LEASE_S: '' })
    expect(without.code).toBe(1)
    process.kill('SIGTERM')
    expect((await process.ended).code).toBe(0)
    server.kill('SIGTERM')
    await server.ended
    const bare = await first.run(['serve'], {
      BACKUP_PASSPHRASE: 'the passphrase of a test',
      ARCHIVE_URL: both.archive,
    })
    expect([bare.code, bare.err]).toEqual([1, expect.stringContaining('set STANDBY_LEASE_S')])
  })

  test('goes on where it was killed, and stops when the archive is damaged', async () => {
    const both = await pair()
    using first = both.server
    using second = both.standby
    const server = await first.serve(both.environment)
    const { process: killed, url } = await standBy(both)
    await when(async () => (await stateOf(url)).isReady)
    killed.kill('SIGKILL')
    await killed.ended
    const state = () => JSON.parse(readFileSync(join(second.directory, 'standby.json'), 'utf8')).followed
    const { base, cursor } = state()
    const again = await standBy(both)
    await when(() => state().cursor.segment > cursor.segment)
    expect(state().base).toEqual(base)
    // The next segments lie, from whoever may write there.
    again.process.kill('SIGTERM')
    await again.process.ended
    const next = state().cursor.segment as number
    server.kill('SIGKILL')
    await server.ended
    const segments = readdirSync(both.archive)
      .filter((name) => name.startsWith('segment-'))
      .sort()
    const name = `segment-000001-${String(next).padStart(10, '0')}`
    const bytes = readFileSync(join(both.archive, segments.at(-1) ?? ''))
    writeFileSync(join(both.archive, name), bytes.fill(0, bytes.length - 40))
    const damaged = await standBy(both)
    const { code, err } = await damaged.process.ended
    expect([code, err]).toEqual([1, expect.stringMatching(/is damaged|does not follow/)])
  })

  test('checks the whole copy once a day, and neither follows nor takes over with a damaged one', async () => {
    const both = await pair()
    using first = both.server
    using second = both.standby
    const server = await first.serve(both.environment)
    const stateFile = join(second.directory, 'standby.json')
    const state = () => JSON.parse(readFileSync(stateFile, 'utf8'))
    const checkedAt = () => state().followed.checkedAt as number
    const endedStandby = async (checked: number | undefined, damage = false) => {
      const { process, url } = await standBy(both)
      await when(async () => (await stateOf(url)).isReady)
      process.kill('SIGTERM')
      await process.ended
      const { followed } = state()
      writeFileSync(stateFile, JSON.stringify({ followed: { ...followed, checkedAt: checked } }))
      if (!damage) return
      const copy = join(second.directory, 'paquebot.db.standby')
      const bytes = readFileSync(copy)
      writeFileSync(copy, bytes.fill(7, 20 * pageBytes, 40 * pageBytes))
    }
    const before = Date.now()
    await endedStandby(before - 25 * hour)
    const again = await standBy(both)
    await when(() => checkedAt() >= before)
    await when(async () => !(await stateOf(again.url)).isChecking)
    // It goes on.
    const { segment } = state().followed.cursor
    await when(() => state().followed.cursor.segment > segment)
    again.process.kill('SIGTERM')
    await again.process.ended
    // Of a version that did not note it.
    await endedStandby(undefined, true)
    const checking = await standBy(both)
    const found = await checking.process.ended
    expect([found.code, found.err]).toEqual([1, expect.stringContaining('the copy is damaged')])
    // Checked lately, so that only the take-over can find it.
    writeFileSync(stateFile, JSON.stringify({ followed: { ...state().followed, checkedAt: Date.now() } }))
    const following = await standBy(both)
    await when(async () => (await stateOf(following.url)).isReady)
    server.kill('SIGKILL')
    await server.ended
    const refused = await following.process.ended
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('the copy is damaged')])
    expect(refused.err).toContain('taking over with term 2')
  }, 120_000)

  test('does not wait for the check of a copy that is too large for it', async () => {
    const config = configOf(join(freshDirectory(), 'archive'))
    const path = join(config.dataDir, 'a copy?.db')
    {
      using file = new SQLite(path)
      file.run('CREATE TABLE t (a)')
    }
    expect(await checkCopy(config, path)).toBeNull()
    expect(await checkCopy(config, path, AbortSignal.timeout(1))).toBe('it would take too long')
    expect(await checkCopy(config, `${path}.absent`)).toContain('SQLITE_CANTOPEN')
    writeFileSync(path, 'no database')
    await expect(checkCopy(config, path)).rejects.toThrow('the copy is damaged')
  })
})
