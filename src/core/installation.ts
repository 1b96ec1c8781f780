// The files of an installation: its folder (DATA_DIR), its secret, and a marker that it has a database. Only their owner may read them. A
// file that existed and is gone is never recreated without being asked for, because that would hide the loss.

import { existsSync, readFileSync, renameSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { snapshotPath } from '../../db/snapshot.ts'
import { AppError } from '../kit/error.ts'
import { makePrivate, makePrivateFolder, privateFile } from '../kit/private-file.ts'
import type { Random } from '../kit/random.ts'
import type { Config } from './config.ts'

export interface Opening {
  /** False for a command that needs an existing installation. */
  mayMake: boolean
  /** Whether a database of an earlier version is migrated; default: where one may be created. */
  mayUpgrade?: boolean
  /** Start with an empty database if the former one is gone. */
  newDatabase?: boolean
  /** Start with a new secret if the former one is gone. */
  newSecret?: boolean
  /** False: migrate a database of an earlier version without a copy of it beside. */
  snapshot?: boolean
  /** Continue with a database that was copied. */
  goOn?: boolean
}

export const secretName = 'secret.key'
const markName = 'installation'
const markText =
  'This folder belongs to a paquebot installation with a database. This file lets paquebot notice when the database is lost or replaced by an older one.'

export function secretPath({ dataDir }: Config): string {
  return join(dataDir, secretName)
}

/** Null on a libSQL server. */
export function databasePath({ databaseUrl }: Config): string | null {
  return databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : null
}

/** The free space of the database's disk; null on a libSQL server, and where it cannot be determined. */
export function freeBytes(config: Config): number | null {
  const path = databasePath(config)
  if (path === null) return null
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return null
  }
}

/** How many commits the server has acknowledged; null on a libSQL server. */
export function commitsPath(config: Config): string | null {
  return databasePath(config) === null ? null : join(config.dataDir, 'commits')
}

/** Every path that contains data of the installation. */
export function installationFiles(config: Config): string[] {
  const database = databasePath(config)
  const stored =
    database === null
      ? []
      : [database, `${database}-wal`, `${database}-shm`, `${database}.lock`, snapshotPath(database)]
  const beside = commitsPath(config)
  return [
    config.dataDir,
    secretPath(config),
    join(config.dataDir, markName),
    ...(beside === null ? [] : [beside]),
    ...stored,
  ]
}

/** Called before the database is opened. Throws if there is no installation and none may be created. */
export function enterInstallation(config: Config, opening: Opening): void {
  const database = databasePath(config)
  if (database !== null && !statSync(database, { throwIfNoEntry: false })?.size) refuseNewDatabase(config, opening)
  if (!opening.mayMake) return
  makePrivateFolder(config.dataDir)
  for (const path of installationFiles(config)) makePrivate(path)
}

/** Throws unless a database of an earlier version may be changed. */
export function refuseUpgrade({ mayMake, mayUpgrade = mayMake }: Opening, missing: number): void {
  if (mayUpgrade) return
  const way = 'stop the server, then: paquebot upgrade (--check tells what it does)'
  throw new AppError('conflict', `the database is of an earlier version and lacks ${missing} migrations; ${way}`)
}

/** Throws unless an empty database may be used. */
export function refuseNewDatabase(config: Config, { mayMake, newDatabase = false }: Opening): void {
  const database = databasePath(config) ?? 'the database of DATABASE_URL'
  const hadOne = existsSync(join(config.dataDir, markName))
  if (hadOne && !(mayMake && newDatabase)) {
    const way = 'restore it or a backup, or start with an empty one: paquebot serve --new-database'
    throw new AppError('conflict', `${database} is missing or empty, and this installation had one; ${way}`)
  }
  if (!mayMake) {
    const way = 'set DATA_DIR to one, or create one: paquebot init --workspace SLUG --email ADDRESS'
    throw new AppError(
      'not_found',
      `there is no installation in ${config.dataDir} (${database} does not exist); ${way}`,
    )
  }
}

/** Records that the database exists: from now on its loss is noticed. */
export function markInstallation({ dataDir }: Config): void {
  if (existsSync(join(dataDir, markName))) return
  makePrivateFolder(dataDir)
  writeMark(dataDir, '')
}

/** Which database was last served from this folder, and its last recorded epoch. */
export interface ServedDatabase {
  instance: string
  epoch: number
  /** The inode of the database file; null on a libSQL server. */
  inode: number | null
  /** ISO 8601. */
  servedUntil: string
}

/** Null if none was served yet. */
export function readPlace({ dataDir }: Config): ServedDatabase | null {
  const path = join(dataDir, markName)
  const [, place] = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return place ? JSON.parse(place) : null
}

export function writePlace({ dataDir }: Config, place: ServedDatabase): void {
  writeMark(dataDir, JSON.stringify(place))
}

/** Null on a libSQL server. */
export function readInode(config: Config): number | null {
  const path = databasePath(config)
  return path === null ? null : statSync(path).ino
}

/** Written completely or not at all, whenever the process ends. */
function writeMark(dataDir: string, place: string): void {
  const path = join(dataDir, markName)
  writeFileSync(`${path}.new`, `${markText}\n${place}\n`, { mode: privateFile })
  renameSync(`${path}.new`, path)
}

/** The generated SECRET_KEY of an installation that sets none: created once, before the first database. */
export function makeSecret(config: Config, random: Random): void {
  const path = secretPath(config)
  if (config.secretKey !== undefined || existsSync(path)) return
  makePrivateFolder(config.dataDir)
  writeFileSync(path, `${randomSecret(random)}\n`, { mode: privateFile })
}

/**
 * The current secret, then former ones: SECRET_KEY and SECRET_KEY_PREVIOUS, or the lines of the file. Throws when the file existed and is
 * gone, because a new secret could not open anything that is sealed.
 */
export function readSecrets(config: Config, { newSecret = false }: Opening, random: Random): string[] {
  const { secretKey, secretKeysPrevious } = config
  if (secretKey !== undefined) return [secretKey, ...secretKeysPrevious]
  const path = secretPath(config)
  if (newSecret) {
    if (existsSync(path)) throw new AppError('conflict', `--new-secret is only for a lost secret, and ${path} exists`)
    makeSecret(config, random)
  }
  const stored = storedSecrets(config)
  if (stored.length > 0) return [...stored, ...secretKeysPrevious]
  const way = 'restore it, set SECRET_KEY, or give up everything that is sealed with it: paquebot serve --new-secret'
  throw new AppError('conflict', `${path} is missing or empty, and this installation has no other secret; ${way}`)
}

/** The secrets in the file, newest first. */
export function storedSecrets(config: Config): string[] {
  const path = secretPath(config)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return lines.map((line) => line.trim()).filter(Boolean)
}

/** Adds a new secret before those in the file. */
export function addSecret(config: Config, random: Random): void {
  const path = secretPath(config)
  const lines = [randomSecret(random), ...storedSecrets(config)].map((secret) => `${secret}\n`)
  writeFileSync(`${path}.new`, lines.join(''), { mode: privateFile })
  renameSync(`${path}.new`, path)
}

function randomSecret(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}
