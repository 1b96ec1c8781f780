// Takes a backup: one file with the database as of one commit, the pictures that it names, the secret that opens its sealed values, and a
// list of what it must contain.
// A backup counts only after it was restored to a temporary place and checked.

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../../db/open.ts'
import type { Config } from '../../core/config.ts'
import { enterInstallation, readSecrets, secretName } from '../../core/installation.ts'
import { systemClock } from '../../kit/clock.ts'
import { AppError } from '../../kit/error.ts'
import { makePrivateFolder, privateFile } from '../../kit/private-file.ts'
import { systemRandom } from '../../kit/random.ts'
import { writeSteadily } from '../../kit/steady-file.ts'
import type { Store } from '../../kit/store/store.ts'
import { holdRestored } from '../quarantine/quarantine.ts'
import { findFaults, type Rows } from './check.ts'
import { fileSuffix, type Keys, pack, type Seal, unpack } from './pack.ts'
import { holdPictures, type Pictures, pictureFaults, placePictures } from './pictures.ts'
import { deleteAbandoned, inTemporary } from './plain-copy.ts'
import { copyAsOfNow } from './state-of-now.ts'

export const databaseName = 'paquebot.db'
const manifestName = 'backup.json'
/** A file system that is new has this folder. */
const lostAndFound = 'lost+found'
const backupName = /^paquebot-\d{8}T\d{6}Z\.tar\.zst(\.age)?$/

/** What a backup says about itself. */
interface Manifest {
  /** Of the form of the file. */
  version: 1
  /** ISO 8601. */
  takenAt: string
  rows: Rows
  /** Absent in a backup of a version that had none. */
  pictures?: Pictures
}

export interface Contents {
  takenAt: Date
  tables: number
  rows: number
  /** Whether the secret of the installation is in it. */
  hasSecret: boolean
}

export interface BackupFile extends Contents {
  /** A file, or its address in a store. */
  path: string
  bytes: number
}

/**
 * Takes a backup of an installation that may be running, and checks it. In a process of its own, because it copies and compresses for as
 * long as that takes.
 */
export async function takeBackup(config: Config, store: Store, seal: Seal | null, now: Date): Promise<BackupFile> {
  enterInstallation(config, { mayMake: false })
  const name = `paquebot-${now.toISOString().replace(/[-:]|\.\d+/g, '')}${fileSuffix(seal)}`
  // Before all the work, and to hear at once of a store that cannot be reached.
  if ((await store.list(name)).length > 0) throw existsAlready(store, name)
  makePrivateFolder(store.workFolder)
  // Of versions that copied there.
  deleteAbandoned(store.workFolder)
  return await inTemporary(config.dataDir, async (work) => {
    const copy = join(work, databaseName)
    const rows = await copyAsOfNow(config, copy, work)
    const secrets = seal === null ? [] : readSecrets(config, { mayMake: false }, systemRandom)
    const packed = join(work, 'packed')
    const { pictures, sources } = holdPictures(config, copy, work)
    const manifest: Manifest = { version: 1, takenAt: now.toISOString(), rows, pictures }
    const keys = await pack(
      [
        textFile(manifestName, JSON.stringify(manifest)),
        ...(secrets.length === 0 ? [] : [textFile(secretName, secrets.join('\n'))]),
        { type: 'file', source: copy, target: databaseName, mode: privateFile },
        ...sources,
      ],
      packed,
      seal,
    )
    rmSync(copy)
    const contents = await inTemporary(work, (checked) => unpackChecked({ path: packed, known: name }, checked, keys))
    const bytes = statSync(packed).size
    if ((await store.put(name, packed)) === 'taken') throw existsAlready(store, name)
    return { ...contents, path: `${store.where}/${name}`, bytes }
  })
}

/** One in a store. */
export interface Source {
  store: Store
  name: string
}

/** The newest. */
export async function newestBackup(store: Store): Promise<Source> {
  const name = (await listBackups(store)).at(-1)
  if (name === undefined) throw new AppError('not_found', `there is no backup in ${store.where}`)
  return { store, name }
}

/** Restores to a temporary place in `folder`, and checks that. Throws AppError that says what is wrong. */
export function checkBackup(source: Source, folder: string, keys: Keys): Promise<Contents> {
  return inTemporary(folder, async (work) => unpackChecked(await fetchFile(source, work), work, keys))
}

/** Restores into `folder`, which must not exist yet or be empty: checked, or not at all. */
export async function restoreBackup(source: Source, folder: string, keys: Keys): Promise<Contents> {
  refuseFull(folder)
  // Within the folder, which may be a file system of its own.
  return await inTemporary(folder, async (work) => {
    const contents = await unpackChecked(await fetchFile(source, work), work, keys)
    await hold(join(work, databaseName))
    for (const name of [databaseName, secretName])
      if (existsSync(join(work, name))) renameSync(join(work, name), join(folder, name))
    placePictures(work, folder)
    return contents
  })
}

/** What is in the database itself, it takes along to a libSQL server. */
async function hold(path: string): Promise<void> {
  const database = await openDatabase({ url: `file:${path}`, clock: systemClock })
  try {
    await database.writer.write((db, now) => holdRestored({ db, now }), 'durable')
  } finally {
    await database.close()
  }
}

/** Throws unless the folder is free for what is restored. */
export function refuseFull(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).some((name) => name !== lostAndFound))
    throw new AppError('conflict', `${folder} is not empty; restore into a new folder`)
}

interface File {
  path: string
  /** What people call it. */
  known: string
}

/** One that is elsewhere is brought into `folder`. */
export async function fetchFile({ store, name }: Source, folder: string): Promise<File> {
  const known = `${store.where}/${name}`
  const path = store.pathOf(name)
  if (path !== null) return { path, known }
  const brought = join(folder, name)
  await writeSteadily(brought, store.get(name))
  return { path: brought, known }
}

/** Deletes all but the `keep` newest backups in the store. Returns where those were that are deleted. */
export async function deleteOldBackups(store: Store, keep: number): Promise<string[]> {
  const old = (await listBackups(store)).slice(0, -keep)
  for (const name of old) await store.delete(name)
  return old.map((name) => `${store.where}/${name}`)
}

async function listBackups(store: Store): Promise<string[]> {
  return (await store.list('paquebot-')).filter((name) => backupName.test(name))
}

async function unpackChecked({ path, known }: File, folder: string, keys: Keys): Promise<Contents> {
  await unpack(path, folder, keys, { known })
  const { takenAt, rows, pictures = {} } = readManifest(known, join(folder, manifestName))
  const faults = [...(await findFaults(join(folder, databaseName), rows)), ...pictureFaults(folder, pictures)]
  const [fault, ...others] = faults
  if (fault !== undefined) throw new AppError('conflict', `${known} has ${others.length + 1} faults: ${fault}`)
  const counts = Object.values(rows)
  return {
    takenAt: new Date(takenAt),
    tables: counts.length,
    rows: counts.reduce((sum, count) => sum + count, 0),
    hasSecret: existsSync(join(folder, secretName)),
  }
}

function readManifest(known: string, manifest: string): Manifest {
  if (!existsSync(manifest)) throw new AppError('conflict', `${known} is not a backup of paquebot`)
  const read = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest
  if (read.version !== 1) throw new AppError('conflict', `${known} was made by a newer version of paquebot`)
  return read
}

function existsAlready({ where }: Store, name: string): AppError {
  return new AppError('conflict', `${where}/${name} exists already`)
}

function textFile(target: string, text: string) {
  return { type: 'content', target, content: `${text}\n`, mode: privateFile } as const
}
