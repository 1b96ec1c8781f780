// paquebot standby, standby take-over: a second machine that follows the archive, and goes on as the server.

import { existsSync } from 'node:fs'
import { lockProcess } from '../../../db/lock.ts'
import type { Config } from '../../core/config.ts'
import { AppError } from '../../kit/error.ts'
import { checkPages } from '../../operator/standby/copy-check.ts'
import { takeLease } from '../../operator/standby/lease.ts'
import { askToTakeOver, becomeServer, Standby, type TakenOver, usualLeaseMs } from '../../operator/standby/standby.ts'
import { ownDatabase, readState } from '../../operator/standby/state.ts'
import { archiveAt, keysOf } from './backup.ts'
import { defineCommand, UsageError } from './command.ts'
import { serveUntilEnd } from './serve.ts'

const standbyCommand = defineCommand({
  name: 'standby',
  says: 'Follows the archive of a server on another machine, and takes over when that one is gone. After a take-over it is the server.',
  flags: {
    from: {
      type: 'string',
      value: 'PLACE',
      says: 'the archive: a folder, or s3://bucket/prefix; default: ARCHIVE_URL',
    },
    identity: { type: 'string', value: 'FILE', says: 'the secret key that decrypts it; default: BACKUP_PASSPHRASE' },
  },
  run: async ({ from, identity }, config) => {
    const settings = withArchive(config(), from)
    // It took over before, and is the server now.
    if (readState(settings) === null && existsSync(ownDatabase(settings)))
      return await serveUntilEnd(settings, { mayMake: true }, null)
    const taken = await standUp(settings, identity)
    if (taken === null) return { json: { stopped: 'signal', ok: true }, lines: [] }
    return await serveUntilEnd(settings, { mayMake: true }, taken)
  },
})

const takeOver = defineCommand({
  name: 'standby take-over',
  says: 'Makes the standby of this DATA_DIR the server, once the former one was stopped.',
  flags: {},
  run: async (_, config) => {
    await askToTakeOver(config())
    return { json: { ok: true }, lines: ['The standby takes over.'] }
  },
})

const check = defineCommand({
  name: 'standby check',
  says: 'Checks that all pages of a copy fit together. Only for internal use: the standby runs this.',
  flags: { file: { type: 'string', value: 'FILE', operand: true, required: true, says: 'the copy' } },
  run: async ({ file }) => {
    checkPages(file)
    return { json: { ok: true }, lines: [] }
  },
})

/** The server goes on with the archive that it followed, and always under a lease. */
function withArchive(config: Config, from: string | undefined): Config {
  const to = from ?? config.archive.to
  if (to === undefined) throw new UsageError('set ARCHIVE_URL, or name the archive with --from')
  if (config.backup.seal === undefined)
    throw new UsageError(
      'BACKUP_PASSPHRASE or BACKUP_RECIPIENT must be set: the standby keeps an archive, too, when it serves',
    )
  const { where } = archiveAt(to, config)
  const { leaseMs = usualLeaseMs } = config.archive
  return { ...config, archive: { ...config.archive, to: where, leaseMs } }
}

/** Null when it was ended before it took over. */
async function standUp(config: Config, identity: string | undefined): Promise<TakenOver | null> {
  const lengthMs = config.archive.leaseMs ?? usualLeaseMs
  const state = readState(config)
  if (state?.takingOver) {
    const lease = await takeLease(config, lengthMs)
    becomeServer(config, state.takingOver)
    return { ...state.takingOver, lease }
  }
  const lock = lockProcess(ownDatabase(config))
  if (lock === null) throw new AppError('conflict', `another paquebot uses ${ownDatabase(config)}; stop it first`)
  const end = new AbortController()
  const stop = () => end.abort()
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  try {
    const parts = { store: archiveAt(undefined, config), keys: keysOf(config, identity), signal: end.signal }
    return await new Standby(config, { ...parts, say }).run()
  } finally {
    process.off('SIGTERM', stop)
    process.off('SIGINT', stop)
    lock.release()
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

export const standbyCommands = [standbyCommand, takeOver, check]
