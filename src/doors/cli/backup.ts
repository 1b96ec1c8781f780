// paquebot backup, backup key, restore: an installation in one file, and back. `paquebot verify FILE` checks one.

import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { readStorePlace } from '../../core/config/s3.ts'
import type { Config } from '../../core/config.ts'
import { systemClock } from '../../kit/clock.ts'
import { AppError } from '../../kit/error.ts'
import { sizeOf } from '../../kit/size.ts'
import { openStore } from '../../kit/store/open.ts'
import type { Store } from '../../kit/store/store.ts'
import { parseTime } from '../../kit/time.ts'
import { commitName, type Point, restoreAt } from '../../operator/archive/restore.ts'
import {
  type Contents,
  deleteOldBackups,
  newestBackup,
  restoreBackup,
  type Source,
  takeBackup,
} from '../../operator/backup/backup.ts'
import { noteBackup } from '../../operator/backup/last.ts'
import type { Keys, Seal } from '../../operator/backup/pack.ts'
import { defineCommand, UsageError } from './command.ts'
import { withApp } from './with-app.ts'

export const from = {
  type: 'string',
  value: 'PLACE',
  says: 'use the newest backup in this folder, or in s3://bucket/prefix',
} as const

export const backup = defineCommand({
  name: 'backup',
  says: 'Writes a backup of the running installation, with its secret, into one encrypted file; restores it to a temporary place and checks it.',
  flags: {
    to: { type: 'string', value: 'PLACE', operand: true, says: 'a folder, or s3://bucket/prefix; default: BACKUP_TO' },
    unsealed: { type: 'boolean', says: 'do not encrypt it; the secret of the installation is then left out' },
  },
  run: async ({ to, unsealed }, config) => {
    const settings = config()
    const place = to ?? settings.backup.to
    if (place === undefined) throw new UsageError('paquebot backup needs PLACE, or BACKUP_TO')
    const store = storeAt(place, settings)
    const taken = await takeBackup(settings, store, sealOf(settings, unsealed), systemClock.now())
    const deleted = await deleteOldBackups(store, settings.backup.keep)
    await withApp(settings, (app) => noteBackup(app, taken))
    const lines = [
      `${taken.path}: ${sizeOf(taken.bytes)}, ${contained(taken)}.`,
      'Restored to a temporary place: the file, the number of rows in each table and all invariants were checked.',
      ...deleted.map((path) => `Deleted ${path}.`),
    ]
    return { json: { ok: true, ...taken, deleted }, lines }
  },
})

export const backupKey = defineCommand({
  name: 'backup key',
  says: 'Creates a pair of keys: the public key encrypts backups (BACKUP_RECIPIENT), the secret key decrypts them. Keep the secret key on another machine.',
  flags: {},
  run: async () => {
    const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
    const identity = await generateX25519Identity()
    const recipient = await identityToRecipient(identity)
    const lines = [`# BACKUP_RECIPIENT=${recipient}`, identity]
    return { json: { recipient, identity }, lines }
  },
})

export const restore = defineCommand({
  name: 'restore',
  says: 'Restores a backup, or any commit of the archive, into a new folder, and checks it. Mail from it is held until paquebot resume.',
  flags: {
    file: { type: 'string', value: 'FILE', operand: true, says: 'the backup, also s3://bucket/prefix/FILE' },
    from: { ...from, says: `${from.says}; with --at, the archive` },
    at: {
      type: 'string',
      value: 'POINT',
      says: 'restore from the archive, at a time, a commit like 13.4711, or latest',
    },
    to: { type: 'string', value: 'FOLDER', required: true, says: 'a folder that does not exist yet, or is empty' },
    identity: { type: 'string', value: 'FILE', says: 'the secret key that decrypts it; default: BACKUP_PASSPHRASE' },
  },
  run: async ({ file, from, at, to, identity }, config) => {
    const folder = resolve(to)
    const settings = config()
    if (at !== undefined) return await restorePoint(settings, { at, from, folder, identity })
    const source = await findSource(file, from, settings)
    if (source === null) throw new UsageError('paquebot restore needs FILE, or --from PLACE')
    const contents = await restoreBackup(source, folder, keysOf(settings, identity))
    const lines = [
      `${folder}: ${contained(contents)}, as of ${contents.takenAt.toISOString()}. All checks passed.`,
      ...(contents.hasSecret
        ? []
        : ['The secret is not in it: put secret.key beside the database, or set SECRET_KEY.']),
      ...nextSteps(folder),
    ]
    return { json: { ok: true, folder, ...contents }, lines }
  },
})

interface RestoreOptions {
  at: string
  from: string | undefined
  folder: string
  identity: string | undefined
}

async function restorePoint(settings: Config, { at, from, folder, identity }: RestoreOptions) {
  const restored = await restoreAt(archiveAt(from, settings), pointOf(at), folder, keysOf(settings, identity))
  const { generation, commit, asOf } = restored
  const lines = [
    `${folder}: commit ${commitName(generation, commit)}, with all that was committed before ${asOf.toISOString()}. All checks passed.`,
    ...nextSteps(folder),
  ]
  return { json: { ok: true, folder, ...restored }, lines }
}

function pointOf(at: string): Point {
  const [, generation, commit] = /^(\d{1,6})\.(\d{1,12})$/.exec(at) ?? []
  if (at === 'latest') return at
  if (commit !== undefined) return { generation: Number(generation), commit: Number(commit) }
  const time = parseTime(at)
  if (time === null) throw new UsageError('--at is a time like 2027-01-15T12:00:00Z, a commit like 13.4711, or latest')
  return time
}

function nextSteps(folder: string): string[] {
  return [
    `Serve it: DATA_DIR=${folder} paquebot serve. Nothing leaves before DATA_DIR=${folder} paquebot resume says what may.`,
  ]
}

/** A file, or the newest of a place; null when neither is given. */
export async function findSource(
  file: string | undefined,
  from: string | undefined,
  config: Config,
): Promise<Source | null> {
  if (file !== undefined && from !== undefined) throw new UsageError('FILE and --from cannot be combined')
  if (from !== undefined) return await newestBackup(storeAt(from, config))
  if (file === undefined) return null
  const isRemote = file.startsWith('s3://')
  const path = isRemote ? file : existing(file)
  return { store: storeAt(dirname(path), config), name: basename(path) }
}

export function storeAt(place: string, { s3, dataDir }: Config): Store {
  return openStore(readStorePlace('PLACE', place, s3, process.cwd()), s3, dataDir)
}

/** The path of a file that exists. */
function existing(path: string): string {
  if (!existsSync(path)) throw new AppError('not_found', `there is no file ${path}`)
  return resolve(path)
}

export function keysOf({ backup: { seal } }: Config, identityFile: string | undefined): Keys {
  const passphrase = seal && 'passphrase' in seal ? seal.passphrase : undefined
  if (identityFile === undefined) return { passphrase }
  const identity = readFileSync(existing(identityFile), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (identity === undefined) throw new UsageError(`${identityFile} has no line AGE-SECRET-KEY-…`)
  return { passphrase, identity }
}

export function sealOf({ backup: { seal } }: Config, unsealed: boolean): Seal | null {
  if (unsealed) return null
  if (seal) return seal
  throw new UsageError(
    'a backup contains addresses, mail and keys: set BACKUP_PASSPHRASE or BACKUP_RECIPIENT (paquebot backup key), or use --unsealed',
  )
}

export function contained({ rows, tables, hasSecret }: Contents): string {
  return `${rows} rows in ${tables} tables, ${hasSecret ? 'with' : 'without'} the secret of the installation`
}

export function archiveAt(place: string | undefined, config: Config): Store {
  const wanted = place ?? config.archive.to
  if (wanted === undefined) throw new UsageError('set ARCHIVE_URL, or name the archive with --from')
  return storeAt(wanted, config)
}
