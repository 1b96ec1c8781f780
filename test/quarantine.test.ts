// A database that was put back, copied or moved: nothing that may have left before leaves again, until a person says so.

import { Database as SQLite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { putInstallationValue } from '../db/installation-value.ts'
import { write } from '../src/core/app.ts'
import { readPlace, writePlace } from '../src/core/installation.ts'
import { jobKinds } from '../src/operator/jobs.ts'
import { checkQuarantine, heldState, recordPlace } from '../src/operator/quarantine/quarantine.ts'
import { resumeAsIs, resumeWithout, toCutoff } from '../src/operator/quarantine/resume.ts'
import { type Json, testApp } from './support/app.ts'
import { draft, listOf } from './support/campaign.ts'
import { type Cli, cli, type Server } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'
import { freshDirectory } from './support/place.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

const initArgs = ['init', '--workspace', 'acme', '--email', 'ada@example.net', '--trust', 'M2', '--json']
const MAIL_FROM = 'Acme <acme@paquebot.localhost>'

interface Installation {
  paquebot: Cli
  serve(url: string): Promise<Server>
  send(server: Server, to: string): Promise<void>
}

async function installation(paquebot: Cli): Promise<Installation> {
  const { apiKey } = (await paquebot.run(initArgs)).json
  const post = async (server: Server, path: string, body: object) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.ok, await answer.text()).toBeTrue()
  }
  // What is under way when the server stops is given back at once, and due.
  const serve = (SMTP_URL: string) => paquebot.serve({ SMTP_URL, MAIL_FROM, SHUTDOWN_GRACE_MS: '0' })
  const first = await serve('smtp://127.0.0.1:9')
  const content = [{ type: 'text', text: 'Hi' }]
  await post(first, '/v1/transactional/create', { id: 'hi', name: 'Hi', subject: 'Hi', content })
  await stop(first)
  return {
    paquebot,
    serve,
    send: (server, email) => post(server, '/v1/transactional/send', { transactionalId: 'hi', email }),
  }
}

async function stop(server: Server): Promise<void> {
  server.kill('SIGTERM')
  await server.ended
}

function backUp({ directory }: Cli): string {
  const backup = join(freshDirectory(), 'backup.db')
  const file = new SQLite(join(directory, 'paquebot.db'))
  file.run(`VACUUM INTO '${backup}'`)
  file.close()
  return backup
}

function putBack({ directory }: Cli, backup: string): void {
  for (const name of readdirSync(directory)) if (name.startsWith('paquebot.db-')) rmSync(join(directory, name))
  // Over the former file, as `cp` does.
  copyFileSync(backup, join(directory, 'paquebot.db'))
}

const recipients = (sink: Sink) => sink.received.flatMap(({ to }) => to)

async function dispatcher(server: Server): Promise<boolean> {
  return (await (await fetch(`${server.url}/readyz`)).json()).checks.dispatcher
}

describe.skipIf(remoteDatabase)('a backup that is put back', () => {
  test('sends nothing again: it is held, says what may have left, and goes on without it', async () => {
    await using sink = startSink()
    await using silent = startSink({ answer: () => 'silent' })
    using paquebot = await cli()
    const { serve, send } = await installation(paquebot)
    const deaf = await serve(silent.url)
    for (const to of ['a@example.net', 'b@example.net']) await send(deaf, to)
    await stop(deaf)
    const backup = backUp(paquebot)
    const good = await serve(sink.url)
    await send(good, 'c@example.net')
    await sink.whenReceived(3)
    await stop(good)
    putBack(paquebot, backup)

    const held = await serve(sink.url)
    expect(held.said()).toContain('HELD: the database is older than the one last served here')
    expect(await dispatcher(held)).toBeFalse()
    // It goes on accepting, and the new one waits with the others.
    await send(held, 'd@example.net')
    const told = await paquebot.run(['resume', '--json'])
    expect(told.json).toMatchObject({
      held: true,
      because: 'older',
      lanes: [{ lane: 'mail.tx', jobs: 3, mayHaveLeft: 2 }],
    })
    expect((await paquebot.run(['resume'])).out).toMatch(/mail\.tx +3 wait +2 may have left/)
    const { mails, next } = (await paquebot.run(['resume', '--list', '--json'])).json
    expect(mails.map(({ email, mayHaveLeft }: Json) => [email, mayHaveLeft])).toEqual([
      ['a@example.net', true],
      ['b@example.net', true],
      ['d@example.net', false],
    ])
    expect(next).toBeNull()
    expect((await paquebot.run(['resume', '--list', '--after', mails[1].jobId])).out).toMatch(
      /^\S+ +acme {2}d@example\.net {2}Hi\n$/,
    )
    expect((await paquebot.run(['resume', '--list'])).out).toMatch(
      / {2}may have left {2}acme {2}b@example\.net {2}Hi\n/,
    )
    const doctor = await paquebot.run(['doctor', '--local', '--json'])
    expect(doctor.json.checks).toContainEqual(expect.objectContaining({ name: 'quarantine', ok: false }))
    expect((await paquebot.run(['resume', '--drop-overdue', '--json'])).json).toMatchObject({ cancelled: 2, paused: 0 })
    await sink.whenReceived(4)
    expect(await dispatcher(held)).toBeTrue()
    await stop(held)
    expect(recipients(sink).toSorted()).toEqual(['a', 'b', 'c', 'd'].map((name) => `${name}@example.net`))
    const again = await serve(sink.url)
    expect(again.said()).not.toContain('HELD')
    await stop(again)
    expect((await paquebot.run(['verify'])).code).toBe(0)
  })

  test('a copy of the folder is held until somebody says that it is the one; then the other is', async () => {
    await using sink = startSink()
    await using silent = startSink({ answer: () => 'silent' })
    using paquebot = await cli()
    using clone = await cli()
    const { serve, send } = await installation(paquebot)
    const deaf = await serve(silent.url)
    await send(deaf, 'a@example.net')
    await stop(deaf)
    cpSync(paquebot.directory, clone.directory, { recursive: true })
    const cloned = await clone.serve({ SMTP_URL: sink.url, MAIL_FROM })
    expect(cloned.said()).toContain('HELD: the database was copied, moved or put back')
    await stop(cloned)
    expect((await clone.run(['resume', '--as-is'])).out).toContain('everything that waits is sent')
    const resumed = await clone.serve({ SMTP_URL: sink.url, MAIL_FROM })
    await sink.whenReceived(1)
    await stop(resumed)
    // The clone's file in the place of the first one's is another database.
    putBack(paquebot, backUp(clone))
    const replaced = await serve(sink.url)
    expect(replaced.said()).toContain('HELD: the database is not the one that was last served here')
    await stop(replaced)
  })

  test('a copy made while the server runs is held too, and tells when sending everything is right', async () => {
    using paquebot = await cli()
    const { serve } = await installation(paquebot)
    const server = await serve('smtp://127.0.0.1:9')
    using copy = await cli()
    cpSync(paquebot.directory, copy.directory, { recursive: true })
    await stop(server)
    const there = await copy.serve({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM })
    expect(there.said()).toContain('HELD')
    expect((await copy.run(['resume'])).out).toContain('has not been served at the previous place since, use --as-is.')
    await stop(there)
    const source = await serve('smtp://127.0.0.1:9')
    expect(source.said()).not.toContain('HELD')
    await stop(source)
    // What an operator does who knows that the machine went back with its disk.
    const mark = join(paquebot.directory, 'installation')
    writeFileSync(mark, `${readFileSync(mark, 'utf8').split('\n')[0]}\n`)
    const rolledBack = await serve('smtp://127.0.0.1:9')
    expect(rolledBack.said()).toContain('HELD')
    await stop(rolledBack)
  })

  test('what is no accident is not held: a start, a renamed folder, a database of before, a new one', async () => {
    using paquebot = await cli()
    const { serve } = await installation(paquebot)
    const file = join(paquebot.directory, 'paquebot.db')
    const renamed = `${paquebot.directory}-renamed`
    renameSync(paquebot.directory, renamed)
    renameSync(renamed, paquebot.directory)
    await stop(await serve('smtp://127.0.0.1:9'))
    // As a version without quarantine left it.
    const old = new SQLite(file)
    old.run("DELETE FROM installation WHERE name IN ('instance', 'epoch')")
    old.close()
    rmSync(join(paquebot.directory, 'installation'))
    const upgraded = await serve('smtp://127.0.0.1:9')
    expect(upgraded.said()).not.toContain('HELD')
    await stop(upgraded)
    for (const name of readdirSync(paquebot.directory))
      if (name.startsWith('paquebot.db')) rmSync(join(paquebot.directory, name))
    const anew = await paquebot.serve({}, ['--new-database'])
    expect([anew.said().includes('HELD'), existsSync(file)]).toEqual([false, true])
    await stop(anew)
    expect((await paquebot.run(['resume'])).out).toContain('Nothing is held')
  })

  test('one choice at a time, and a time that is one', async () => {
    using paquebot = await cli()
    await paquebot.run(initArgs)
    expect((await paquebot.run(['resume', '--as-is', '--drop-overdue'])).code).toBe(2)
    expect((await paquebot.run(['resume', '--as-is', '--list'])).code).toBe(2)
    expect((await paquebot.run(['resume', '--after', 'job_1'])).code).toBe(2)
    expect((await paquebot.run(['resume', '--since', 'yesterday'])).err).toContain('since: must be an ISO 8601 time')
  })
})

test('while it is held, each workspace sees its own mails that wait, page by page, and cancels what has left', async () => {
  await using t = await testApp()
  await t.template({ id: 'hi', name: 'Hi', subject: 'Hi', text: 'Hi' })
  const send = (email: string, more = {}) => t.mail({ templateId: 'hi', email, ...more })
  const hour = 3_600_000
  const later = new Date(t.clock.now().getTime() + hour).toISOString()
  await send('later@example.net', { scheduledAt: later })
  const { messageId } = await send('a@example.net')
  expect((await t.get('/v1/held-mails', 200)).data).toEqual([])
  const { apiKey } = await t.stranger()
  t.clock.advance(1)
  const held = { because: 'older', since: t.clock.now(), servedUntil: t.clock.now() }
  await write(t.app, (tx) => putInstallationValue(tx, 'held', JSON.stringify(held)))
  const first = await t.get('/v1/held-mails?perPage=1', 200)
  expect(first.data).toMatchObject([{ messageId, email: 'a@example.net', subject: 'Hi', mayHaveLeft: true }])
  expect(first.pagination.totalResults).toBe(2)
  const second = await t.get(`/v1/held-mails?perPage=1&cursor=${first.pagination.nextCursor}`, 200)
  expect(second.data).toMatchObject([{ email: 'later@example.net', mayHaveLeft: false, dueAt: later }])
  expect(second.pagination.nextCursor).toBeNull()
  expect((await t.get('/v1/held-mails', 200, { as: { apiKey } })).data).toEqual([])
  await t.post(`/v1/jobs/${first.data[0].jobId}/cancel`, {}, 200)
  expect((await t.get('/v1/held-mails', 200)).pagination.totalResults).toBe(1)
  // Where its source may still be served, what has become due since may have left there; what is accepted here has not.
  await write(t.app, (tx) => putInstallationValue(tx, 'held', JSON.stringify({ ...held, servedUntil: null })))
  t.clock.advance(2 * hour)
  await send('new@example.net')
  const last = (await t.get('/v1/held-mails', 200)).data
  expect(last.map(({ email, mayHaveLeft }: Json) => [email, mayHaveLeft])).toEqual([
    ['later@example.net', true],
    ['new@example.net', false],
  ])
  const state = await heldState(t.app)
  if (state === null) throw new Error('it is not held')
  expect(await resumeWithout(t.app, jobKinds, toCutoff(state, t.clock.now()))).toEqual({ cancelled: 1, paused: 0 })
  await t.settle()
  expect((await t.sent()).map(({ to }) => to)).toEqual(['new@example.net'])
})

test('campaigns that had begun wait for a person, and what waits for a later time stays', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 3)
  const [begun, later] = [await draft(t, list), await draft(t, list)]
  const sending = await draft(t, list)
  const hour = 3_600_000
  const at = (ms: number) => new Date(t.clock.now().getTime() + ms).toISOString()
  await t.post(`/v1/campaigns/${begun}/schedule`, { scheduledAt: at(hour) }, 200)
  await t.post(`/v1/campaigns/${later}/schedule`, { scheduledAt: at(3 * hour) }, 200)
  await t.post(`/v1/campaigns/${sending}/send`, {}, 200)
  const done = await resumeWithout(t.app, jobKinds, { dueBy: new Date(at(2 * hour)), heldSince: t.clock.now() })
  expect(done).toEqual({ cancelled: 0, paused: 2 })
  const states = await Promise.all([begun, later, sending].map((id) => t.get(`/v1/campaigns/${id}`, 200)))
  expect(states.map(({ status, pauseReason }) => [status, pauseReason])).toEqual([
    ['paused', 'restored'],
    ['scheduled', null],
    ['paused', 'restored'],
  ])
  await t.settle()
  expect(await t.sent()).toEqual([])
  await t.post(`/v1/campaigns/${sending}/resume`, {}, 200)
  await t.settle()
  expect((await t.sent()).length).toBe(3)
})

test.skipIf(remoteDatabase)(
  'a server that was killed and whose log was removed is held; one whose log was brought in by whomever is not',
  async () => {
    await using sink = startSink({ answer: () => 'silent' })
    using paquebot = await cli()
    const { serve, send } = await installation(paquebot)
    const database = join(paquebot.directory, 'paquebot.db')
    const shell = (command: string) => {
      using file = new SQLite(database)
      file.run(command)
    }
    const isHeld = (server: Server) => /HELD/.test(server.said())
    const kill = async (server: Server) => {
      server.kill('SIGKILL')
      await server.ended
      expect(existsSync(`${database}-wal`)).toBeTrue()
    }
    const bringsIn = [
      () => paquebot.run(['doctor', '--local']),
      () => paquebot.run(['backup', join(freshDirectory(), 'to'), '--unsealed']),
      async () => shell("UPDATE contacts SET email = 'nobody@example.net' WHERE email = 'else@example.net'"),
    ]
    for (const bringIn of [null, ...bringsIn]) {
      const server = await serve(sink.url)
      expect(isHeld(server), server.said()).toBeFalse()
      await send(server, 'ada@example.net')
      await kill(server)
      if (bringIn === null) continue
      await bringIn()
      expect(existsSync(`${database}-wal`)).toBeFalse()
    }
    const server = await serve(sink.url)
    expect(isHeld(server), server.said()).toBeFalse()
    // All so far is in the file, what follows is in the log alone.
    shell('PRAGMA wal_checkpoint(PASSIVE)')
    await send(server, 'eve@example.net')
    await kill(server)

    rmSync(`${database}-wal`)
    const robbed = await serve(sink.url)
    expect(robbed.said()).toContain('HELD: the last commits that were acknowledged are not in the database')
    expect(await dispatcher(robbed)).toBeFalse()
    await stop(robbed)
    expect((await paquebot.run(['resume'])).out).toContain('It was served until')
    expect((await paquebot.run(['resume', '--as-is'])).code).toBe(0)
    const again = await serve(sink.url)
    expect(isHeld(again), again.said()).toBeFalse()
    await stop(again)
  },
)

test('a database that went back is held, also on a server; one that others serve is not', async () => {
  await using t = await testApp()
  expect(await checkQuarantine(t.app, { mayMake: true })).toBeNull()
  const place = readPlace(t.app.config)
  if (place === null) throw new Error('the folder does not say what was served from it')
  // Another process goes on with it.
  await recordPlace(t.app)
  writePlace(t.app.config, place)
  expect(await checkQuarantine(t.app, { mayMake: true })).toBeNull()
  writePlace(t.app.config, { ...place, epoch: 1_000 })
  expect(await checkQuarantine(t.app, { mayMake: true })).toMatchObject({
    because: 'older',
    servedUntil: new Date(place.servedUntil),
  })
  await resumeAsIs(t.app)
  expect(await checkQuarantine(t.app, { mayMake: true })).toBeNull()
})
