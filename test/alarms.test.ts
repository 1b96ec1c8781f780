// Alarms reach the operator by ways that are not mail: once when something begins, once when it is over, and not again after a restart.

import { describe, expect, test } from 'bun:test'
import { Webhook } from 'svix'
import { installation } from '../db/tables/workspaces.ts'
import { Alarms } from '../src/operator/attention/alarms.ts'
import { noteBackup } from '../src/operator/backup/last.ts'
import { type TestApp, testApp } from './support/app.ts'
import { cli } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'

interface Received {
  path: string
  headers: Record<string, string>
  body: string
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Answers each path with a status that may be changed. */
function receiver() {
  const received: Received[] = []
  const statuses: Record<string, number> = {}
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const path = new URL(request.url).pathname
      received.push({ path, headers: request.headers.toJSON(), body: await request.text() })
      return new Response('', { status: statuses[path] ?? 200 })
    },
  })
  const base = `http://127.0.0.1:${server.port}`
  const settings = {
    ALARM_TO: `${base}/hook, ntfy+http://tk_abc@127.0.0.1:${server.port}/topic, slack+${base}/services/T0/B0`,
    ALARM_SECRET: secret,
  }
  return {
    received,
    statuses,
    settings,
    take: () => received.splice(0),
    [Symbol.dispose]: () => void server.stop(true),
  }
}

const vitals = { lastTickAt: () => null }
const tooOld = { BACKUP_TO: '/nowhere', BACKUP_PASSPHRASE: 'correct horse battery staple' }

async function look(t: TestApp, ...all: Alarms[]): Promise<void> {
  t.clock.advance(60_000)
  for (const alarms of all) await alarms.look()
}

const backUp = (t: TestApp) =>
  noteBackup(t.app, { path: 'b', bytes: 1, takenAt: t.clock.now(), tables: 1, rows: 1, hasSecret: true })

// Of a backup that is late, which a server has not.
describe.skipIf(remoteDatabase)('an alarm', () => {
  test('goes to each address as that wants it, when something begins and when it is over', async () => {
    using outside = receiver()
    await using t = await testApp({ environment: { ...outside.settings, ...tooOld } })
    const alarms = new Alarms(t.app, vitals)
    await look(t, alarms)
    // What is so for a moment only is not told.
    expect(outside.take()).toEqual([])
    await look(t, alarms)
    const [hook, ntfy, slack] = outside.take()
    const event = JSON.parse(hook?.body ?? '')
    expect(event.type).toBe('installation.attention')
    expect(event.data.begun.map(({ code }: { code: string }) => code)).toEqual(['backup_late'])
    expect(event.data.over).toEqual([])
    expect(ntfy).toMatchObject({ path: '/topic', body: expect.stringContaining('WARNING: The last backup') })
    expect(ntfy?.headers).toMatchObject({ authorization: 'Bearer tk_abc', priority: 'default' })
    expect(slack?.path).toBe('/services/T0/B0')
    expect(JSON.parse(slack?.body ?? '').text).toContain('The last backup that was checked is older than planned')

    await look(t, alarms)
    expect(outside.take()).toEqual([])
    await backUp(t)
    await look(t, alarms)
    await look(t, alarms)
    const over = outside.take()
    expect(over.map(({ path }) => path)).toEqual(['/hook', '/topic', '/services/T0/B0'])
    expect(JSON.parse(over[0]?.body ?? '').data).toMatchObject({ begun: [], over: ['backup_late'] })
    expect(over[1]?.body).toBe('Over: The last backup that was checked is older than planned.')
    alarms.close()
  })

  test('that was not taken is told again, to that address alone; a restart repeats nothing', async () => {
    using outside = receiver()
    await using t = await testApp({ environment: { ...outside.settings, ...tooOld } })
    const alarms = new Alarms(t.app, vitals)
    outside.statuses['/topic'] = 500
    await look(t, alarms)
    await look(t, alarms)
    expect(outside.take()).toHaveLength(3)
    outside.statuses['/topic'] = 200
    await look(t, alarms)
    expect(outside.take().map(({ path }) => path)).toEqual(['/topic'])
    alarms.close()
    t.clock.advance(600_000)
    const restarted = new Alarms(t.app, vitals)
    await look(t, restarted)
    await look(t, restarted)
    expect(outside.take()).toEqual([])
    // An address may be as good as a password.
    expect(JSON.stringify(await t.app.db.select().from(installation))).not.toContain('127.0.0.1')
    restarted.close()
  })

  test('of processes that share a database comes once, and goes on when the first one is gone', async () => {
    using outside = receiver()
    await using t = await testApp({ environment: { ...outside.settings, ...tooOld } })
    const [one, other] = [new Alarms(t.app, vitals), new Alarms(t.app, vitals)]
    await look(t, one, other)
    await look(t, one, other)
    expect(outside.take()).toHaveLength(3)
    one.close()
    await backUp(t)
    for (let minute = 0; minute < 5; minute++) await look(t, other)
    expect(outside.take()).toHaveLength(3)
    other.close()
  })

  test('is tried by the command line: each address says whether it took it', async () => {
    using outside = receiver()
    outside.statuses['/topic'] = 403
    using paquebot = await cli()
    expect((await paquebot.run(['alarm', 'test'])).err).toContain('ALARM_TO')
    const run = await paquebot.run(['alarm', 'test'], outside.settings)
    expect(run.code).toBe(1)
    expect(run.out).toMatch(/^webhook at \S+: taken\nntfy at \S+: it answered 403\nslack at \S+: taken\n$/)
    const [hook] = outside.take()
    expect(() => new Webhook(secret).verify(hook?.body ?? '', hook?.headers ?? {})).not.toThrow()
    expect(JSON.parse(hook?.body ?? '').data.begun[0].text).toBe('This is a test of the alarms')
  })
})

test.each([
  [{ ALARM_TO: 'ftp://example.com' }, 'ALARM_TO'],
  [{ ALARM_TO: 'https://example.com/hook' }, 'ALARM_SECRET must be set too'],
  [{ ALARM_TO: 'slack+https://user@example.com', ALARM_SECRET: secret }, 'number 1 is not one'],
  [{ ALARM_TO: 'ntfy+https://tk%zz@example.com/topic' }, 'number 1 is not one'],
  [{ ALARM_SECRET: 'short' }, 'ALARM_SECRET must be'],
])('a wrong setting stops the start and is named: %j', async (environment, words) => {
  using paquebot = await cli()
  const run = await paquebot.run(['serve'], environment)
  expect(run.err).toContain(words)
  expect(run.err).not.toContain('example.com')
})
