// A disk that takes long to sync holds who writes, and nobody else: the log is synced on another thread.

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { command, freePort, serve } from './crash/server.ts'
import { remoteDatabase } from './support/database.ts'
import { freshDirectory } from './support/place.ts'
import { openDisk, powerCutLibrary, syncsIn } from './support/power-cut.ts'

const library = powerCutLibrary()
/** Half of it is longer than a busy machine holds anybody. */
const syncMs = 800
const writes = 12

test.skipIf(library === null || remoteDatabase)('while a commit waits for the disk, others are answered', async () => {
  const disk = openDisk(library ?? '')
  const environment = {
    ...process.env,
    DATA_DIR: freshDirectory(),
    PORT: String(await freePort()),
    INBOUND_SMTP_PORT: String(await freePort()),
    LOG_LEVEL: 'error',
    DATABASE_URL: `file:${join(disk.folder, 'paquebot.db')}`,
  }
  const { apiKey } = await command(environment, 'init', '--workspace', 'slow', '--email', 'a@example.com')
  disk.settle()
  const log = join(freshDirectory(), 'syncs')
  const slow = { POWER_CUT_SYNC_MS: String(syncMs), POWER_CUT_SYNCS: log }
  const server = await serve({ ...environment, ...disk.environment, ...slow })
  const base = `http://127.0.0.1:${environment.PORT}`
  const write = (n: number) =>
    fetch(`${base}/v1/contacts/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `ada${n}@example.net` }),
    })
  try {
    expect((await write(0)).status).toBe(200)
    writeFileSync(log, '')
    const others: number[] = []
    const replies = new Set<string>()
    let isWriting = true
    const read = async () => {
      await using mail = await greeted(Number(environment.INBOUND_SMTP_PORT))
      while (isWriting) {
        const began = performance.now()
        replies.add(await mail.says('NOOP'))
        others.push(performance.now() - began)
      }
    }
    const reading = read()
    const took: number[] = []
    for (let n = 1; n <= writes; n++) {
      const began = performance.now()
      expect((await write(n)).status).toBe(200)
      took.push(performance.now() - began)
    }
    isWriting = false
    await reading
    expect([...replies]).toEqual([expect.stringMatching(/^250/)])
    // No answer before its sync has ended.
    expect(Math.min(...took)).toBeGreaterThanOrEqual(syncMs)
    const syncs = syncsIn(log)
    expect(syncs.length).toBeGreaterThanOrEqual(writes)
    expect(syncs.filter(({ thread }) => thread === 'main')).toEqual([])
    // One that waited for a sync would be among these: there were as many syncs as writes, and more.
    expect(others.filter((ms) => ms >= syncMs / 2)).toEqual([])
    expect(others.length).toBeGreaterThan(writes)
  } finally {
    server.kill('SIGKILL')
    await server.exited
    disk.remove()
  }
})

/** A conversation with a mail server, whose replies have one line. */
async function greeted(port: number) {
  const socket = connect(port, '127.0.0.1')
  const replies = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const reply = async () => String((await replies.next()).value)
  await reply()
  return {
    async says(line: string) {
      socket.write(`${line}\r\n`)
      return await reply()
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
    },
  }
}
