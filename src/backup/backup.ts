// A backup: one file with the database as of one commit, the secret that opens what is sealed in it, and what it has to contain. It counts
// only when it was restored to a temporary place and checked.

import { Database as SQLite } from 'bun:sqlite'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, privateFile } from '../../db/private-file.ts'
import type { Config } from '../config.ts'
import { databasePath, enterInstallation, readSecrets, secretName } from '../installation.ts'
import { day } from '../lib/duration.ts'
import { AppError } from '../lib/error.ts'
import { systemRandom } from '../lib/random.ts'
import { countRows, faultsOf, type Rows } from './check.ts'
import { type Keys, pack, type Seal, suffixOf, unpack } from './pack.ts'

const databaseName = 'paquebot.db'
const manifestName = 'backup.json'
/** Of the work in progress. What a crash has left behind is deleted by the next one that is so much later. */
const workPrefix = '.paquebot-'
const abandonedMs = day
/** A file system that is new has this folder. */
const lostAndFound = 'lost+found'
const named = /^paquebot-\d{8}T\d{6}Z\.tar\.zst(\.age)?$/
/** How long another process may hold the file before the backup is given up. */
const lockWaitMs = 30_000

/** What a backup says about itself. */
interface Manifest {
  /** Of the form of the file. */
  version: 1
  /** ISO 8601. */
  takenAt: string
  rows: Rows
}

export interface Contents {
  takenAt: Date
  tables: number
  rows: number
  /** Whether the secret of the installation is in it. */
  hasSecret: boolean
}

export interface Taken extends Contents {
  path: string
  bytes: number
}

/** The database that is backed up. Throws for a libSQL server, which has backups of its own. */
export function backedUp(config: Config): string {
  const path = databasePath(config)
  if (path === null)
    throw new AppError(
      'conflict',
      'the database is on a libSQL server: back it up there (sqld --enable-bottomless-replication)',
    )
  return path
}

/**
 * Takes a backup of an installation that may be running, and checks it. In a process of its own, because it copies and compresses for as
 * long as that takes.
 */
export async function takeBackup(config: Config, folder: string, seal: Seal | null, now: Date): Promise<Taken> {
  const database = backedUp(config)
  enterInstallation(config, { mayMake: false })
  const path = join(folder, `paquebot-${now.toISOString().replace(/[-:]|\.\d+/g, '')}${suffixOf(seal)}`)
  if (existsSync(path)) throw new AppError('conflict', `${path} exists already`)
  makePrivateFolder(folder)
  deleteAbandoned(folder, now)
  return await inTemporary(folder, async (work) => {
    const copy = join(work, databaseName)
    const rows = snapshot(database, copy)
    const secrets = seal === null ? [] : readSecrets(config, { mayMake: false }, systemRandom)
    const packed = join(work, 'packed')
    const manifest: Manifest = { version: 1, takenAt: now.toISOString(), rows }
    const keys = await pack(
      [
        textFile(manifestName, JSON.stringify(manifest)),
        ...(secrets.length === 0 ? [] : [textFile(secretName, secrets.join('\n'))]),
        { type: 'file', source: copy, target: databaseName, mode: privateFile },
      ],
      packed,
      seal,
    )
    rmSync(copy)
    const contents = await checkBackup(packed, keys)
    renameSync(packed, path)
    return { ...contents, path, bytes: statSync(path).size }
  })
}

/** Restores to a temporary place beside it, and checks that. Throws AppError that says what is wrong. */
export function checkBackup(path: string, keys: Keys): Promise<Contents> {
  return inTemporary(join(path, '..'), (work) => unpackChecked(path, work, keys))
}

/** Restores into `folder`, which must not exist yet or be empty: checked, or not at all. */
export async function restoreBackup(path: string, folder: string, keys: Keys): Promise<Contents> {
  if (existsSync(folder) && readdirSync(folder).some((name) => name !== lostAndFound))
    throw new AppError('conflict', `${folder} is not empty; restore into a new folder`)
  makePrivateFolder(folder)
  // Within the folder, which may be a file system of its own.
  return await inTemporary(folder, async (work) => {
    const contents = await unpackChecked(path, work, keys)
    for (const name of [databaseName, secretName])
      if (existsSync(join(work, name))) renameSync(join(work, name), join(folder, name))
    return contents
  })
}

/** Deletes all but the `keep` newest backups in the folder. Returns the paths of those deleted. */
export function deleteOldBackups(folder: string, keep: number): string[] {
  const old = readdirSync(folder)
    .filter((name) => named.test(name))
    .sort()
    .slice(0, -keep)
  const paths = old.map((name) => join(folder, name))
  for (const path of paths) rmSync(path)
  return paths
}

async function unpackChecked(path: string, folder: string, keys: Keys): Promise<Contents> {
  await unpack(path, folder, keys)
  const { takenAt, rows } = readManifest(path, join(folder, manifestName))
  const [fault, ...others] = await faultsOf(join(folder, databaseName), rows)
  if (fault !== undefined) throw new AppError('conflict', `${path} has ${others.length + 1} faults: ${fault}`)
  const counts = Object.values(rows)
  return {
    takenAt: new Date(takenAt),
    tables: counts.length,
    rows: counts.reduce((sum, count) => sum + count, 0),
    hasSecret: existsSync(join(folder, secretName)),
  }
}

function readManifest(path: string, manifest: string): Manifest {
  if (!existsSync(manifest)) throw new AppError('conflict', `${path} is not a backup of paquebot`)
  const read = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest
  if (read.version !== 1) throw new AppError('conflict', `${path} is of a newer version of paquebot`)
  return read
}

/** Copies the database as of now, without a moment in which nobody can write. */
function snapshot(database: string, copy: string): Rows {
  using source = new SQLite(database, { readwrite: true, create: false })
  source.run(`PRAGMA busy_timeout = ${lockWaitMs}`)
  source.run('VACUUM INTO ?', [copy])
  using file = new SQLite(copy, { readonly: true })
  return countRows(file)
}

async function inTemporary<T>(beside: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(beside, workPrefix))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function deleteAbandoned(folder: string, now: Date): void {
  for (const name of readdirSync(folder).filter((name) => name.startsWith(workPrefix))) {
    const path = join(folder, name)
    const isAbandoned = now.getTime() - statSync(path).mtimeMs > abandonedMs
    if (isAbandoned) rmSync(path, { recursive: true })
  }
}

function textFile(target: string, text: string) {
  return { type: 'content', target, content: `${text}\n`, mode: privateFile } as const
}
