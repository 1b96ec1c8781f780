// The archive is elsewhere, so it knows when a machine was rolled back with its disk, or when a copy of it was served first.

import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { putInstallationValue } from '../db/installation-value.ts'
import { write } from '../src/core/app.ts'
import { FolderStore } from '../src/kit/store/folder.ts'
import { archiveState, startArchive } from '../src/operator/archive/archive.ts'
import { listArchive } from '../src/operator/archive/restore.ts'
import { askArchive } from '../src/operator/archive/witness.ts'
import { checkQuarantine, recordPlace } from '../src/operator/quarantine/quarantine.ts'
import { testApp } from './support/app.ts'
import { type Cli, cli, type Server } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'
import { freshDirectory } from './support/place.ts'
import { s3Server } from './support/s3-server.ts'

const recipient = await identityToRecipient(await generateX25519Identity())
const sealed = { BACKUP_RECIPIENT: recipient, ARCHIVE_INTERVAL_MS: '50' }
const files = ['paquebot.db', 'paquebot.db-wal', 'paquebot.db-shm', 'installation', 'commits']

/** As a machine is rolled back: the same files, with what was in them. */
function snapshot({ directory }: Cli): () => void {
  const former = files.map((name) => {
    const path = join(directory, name)
    return { path, bytes: existsSync(path) ? readFileSync(path) : null }
  })
  return () => {
    for (const { path, bytes } of former)
      if (bytes === null) rmSync(path, { force: true })
      else writeFileSync(path, bytes)
  }
}

async function end(server: Server): Promise<void> {
  server.kill('SIGTERM')
  await server.ended
}

test.skipIf(remoteDatabase)(
  'a machine that was rolled back with its disk is held, and resume shows what may have left',
  async () => {
    using paquebot = await cli()
    const archive = join(freshDirectory(), 'archive')
    const init = ['init', '--workspace', 'acme', '--email', 'ada@example.net', '--trust', 'M2', '--json']
    const { apiKey } = (await paquebot.run(init)).json
    const environment = { ...sealed, ARCHIVE_URL: archive, SMTP_URL: 'smtp://127.0.0.1:9', SHUTDOWN_GRACE_MS: '2000' }
    const serve = async (generation: number) => {
      const server = await paquebot.serve({ ...environment, MAIL_FROM: 'Acme <acme@paquebot.localhost>' })
      const isThere = async () => (await listArchive(new FolderStore(archive))).bases.at(-1)?.generation === generation
      while (!(await isThere())) await pause(20)
      return server
    }
    const post = async (server: Server, path: string, body: object) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
      const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(answer.ok, await answer.text()).toBeTrue()
    }
    const first = await serve(1)
    const content = [{ type: 'text', text: 'Hi' }]
    await post(first, '/v1/transactional/create', { id: 'hi', name: 'Hi', subject: 'Hi', content })
    await post(first, '/v1/transactional/send', { transactionalId: 'hi', email: 'ben@example.net' })
    await end(first)
    const rollBack = snapshot(paquebot)
    const second = await serve(2)
    expect(second.said()).not.toContain('HELD')
    await end(second)

    rollBack()
    const held = await paquebot.serve({ ...environment, MAIL_FROM: 'Acme <acme@paquebot.localhost>' })
    expect(held.said()).toContain('HELD: its archive went on without this database')
    // What is held takes no archive from whoever has gone on.
    expect((await new FolderStore(archive).list('start-')).length).toBe(2)
    const preview = await paquebot.run(['resume'])
    expect(preview.out).toContain('everything that was due may already have been sent')
    expect(preview.out).toMatch(/mail\.tx +1 wait/)
    await paquebot.run(['resume', '--drop-overdue'])
    while ((await new FolderStore(archive).list('start-')).length < 3) await pause(20)
    await end(held)
  },
)

test.skipIf(remoteDatabase)('so is one that was rolled back while the same server ran on', async () => {
  const archive = join(freshDirectory(), 'archive')
  await using t = await testApp({ environment: { ...sealed, ARCHIVE_URL: archive } })
  expect(await askArchive(t.app)).toBeFalse()
  await checkQuarantine(t.app, { mayMake: true })
  for (let n = 0; n < 3; n++) await recordPlace(t.app)
  const kept = startArchive(t.app)
  while (t.app.own(archiveState).coveredAt === null) await pause(20)
  await kept?.stop(10_000)
  expect(await askArchive(t.app)).toBeFalse()
  await write(t.app, (tx) => putInstallationValue(tx, 'epoch', '2'))
  expect(await askArchive(t.app)).toBeTrue()
})

test.skipIf(remoteDatabase)('an archive that cannot be asked keeps no server from starting', async () => {
  await using store = await s3Server()
  await using t = await testApp({
    environment: { ...sealed, ...store.environment, ARCHIVE_URL: 's3://bucket/archive' },
  })
  store.fault = () => 403
  expect(await askArchive(t.app)).toBeFalse()
})
